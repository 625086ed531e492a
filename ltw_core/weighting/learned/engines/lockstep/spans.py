"""Spans of a problem's neighbouring terms, and how many entries of each training document come before them: by this the
fused kernels find the entries of a few terms. Leaves out the kernels (``kernels/documents.py``).
"""

import numpy as np
import torch

SPAN_TERMS = 32  # neighbouring terms whose gradients one program of a fused step adds up, at most; a power of two
SPAN_ENTRIES = 0.5  # entries in a training document, on average, after which the next span begins
CUTS_AN_ENTRY = 4  # of a document, at most: two bytes a cut, eight an entry
CUTS_AT_ONCE = 2**22  # that are found at once, with sixteen bytes each


class Spans:
    """The spans of one problem: at most ``SPAN_TERMS`` terms each, and fewer where they are frequent, so that no
    program has much more to do than another.

    Parameters
    ----------
    places : ndarray of int, shape (entries,)
        The place of the term of each entry of the training documents.
    n_documents, longest, n_terms : int
        Training documents, entries of the longest, and terms.

    Attributes
    ----------
    begins : ndarray of int
        Where each span begins, by place, and the end.
    together : int
        How many spans share a cut, a power of two: few terms of many are in a document, and then its cuts shall not be
        more than its entries are worth.
    n_cuts : int
        Of each document.
    cut_type : torch.dtype
    """

    def __init__(self, places, n_documents, longest, n_terms):
        frequency = np.bincount(places, minlength=n_terms)
        shares = np.cumsum(frequency) // max(1, int(SPAN_ENTRIES * n_documents))
        at = np.arange(1, n_terms)
        self.begins = np.concatenate(([0], at[(at % SPAN_TERMS == 0) | (shares[1:] > shares[:-1])], [n_terms]))
        self.n_terms, self.together = n_terms, 1
        most = max(8, CUTS_AN_ENTRY * len(places) / max(1, n_documents))
        while self.n_cuts > most:
            self.together *= 2
        self.cut_type = torch.int16 if longest < 2**15 else torch.int32

    @property
    def n_cuts(self):
        return -(-(len(self.begins) - 1) // self.together) + 1

    def cuts(self, keys, lengths):
        """Of each document how many entries come before every ``together``-th span, and how many there are; flat.

        Parameters
        ----------
        keys : tensor of int64, shape (entries,)
            The number of each entry's document times ``n_terms``, plus the place of its term; increasing.
        lengths : tensor of int64, shape (documents,)
            Entries of each document.
        """
        places = torch.as_tensor(np.append(self.begins[: -1 : self.together], self.n_terms), device=keys.device)
        cuts = torch.empty(len(lengths), len(places), dtype=self.cut_type, device=keys.device)
        begins, at_once = lengths.cumsum(0) - lengths, max(1, CUTS_AT_ONCE // len(places))
        for first in range(0, len(lengths), at_once):
            own = torch.arange(first, min(first + at_once, len(lengths)), device=keys.device)[:, None]
            cuts[first : first + at_once] = torch.searchsorted(keys, own * self.n_terms + places) - begins[own]
        return cuts.flatten()
