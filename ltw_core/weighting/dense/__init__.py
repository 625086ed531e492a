"""Dense document vectors: fastText's supervised model, compiled here."""
