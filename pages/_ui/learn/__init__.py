"""What the pages of Learn show: training runs, their history, and the shapes that were learned."""
