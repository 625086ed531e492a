"""Studies: cells, their store, the runner that computes them, and the tables made of them."""
