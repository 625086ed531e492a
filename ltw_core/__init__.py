"""Learning to Weight: term weighting functions for text classification that are learned from the training data.

The packages follow the way of the data, and each imports only from those before it:
``corpora`` → ``tasks`` → ``weighting`` → ``evaluation`` → ``studies``, with ``insight`` → ``figures`` beside them.
"""
