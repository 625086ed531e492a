"""What the pages of Learn show: trainings, their history, and the shapes that were learned."""
