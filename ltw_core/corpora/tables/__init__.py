"""The user's own corpus: a table of any format read into rows, columns chosen, encodings detected."""
