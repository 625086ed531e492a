"""Documents to read: a document with its words shaded, a term in its contexts."""
