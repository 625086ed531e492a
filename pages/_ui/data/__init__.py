"""What the Data page shows: a corpus, its classes, terms and documents, and tables of one's own."""
