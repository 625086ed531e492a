"""Lessons shown: where they lie, their figures, their questions, and how far the reader has come."""
