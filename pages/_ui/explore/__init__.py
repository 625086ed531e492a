"""What the pages of Explore show: corpora, terms, documents, functions and one's own weightings."""
