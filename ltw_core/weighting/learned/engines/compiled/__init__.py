"""The CPU engine: flat arrays and compiled loops."""
