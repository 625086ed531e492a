"""The user's own corpus: a table (CSV, TSV or JSONL) read into rows, columns chosen, encodings told apart."""
