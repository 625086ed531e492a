"""Formulas that a reader types or draws, as cd functions: the expression language, splines and transforms."""
