"""What the Workbench shows: formulas, training runs and their history, and the shapes that were learned."""
