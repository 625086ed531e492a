"""Learning to Weight: term weighting functions for text classification that are learned from the training data.

The packages follow the data, and each imports only from those before it: ``storage`` → ``corpora`` → ``tasks`` →
``weighting`` → ``evaluation`` → ``studies`` → ``service``; ``insight`` → ``figures`` import from the first four.
"""
