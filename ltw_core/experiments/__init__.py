"""Experiments: background jobs, and the examples that ship with the project."""
