"""The class × term table: how many training documents of each class hold each term, for all classes at once.

What weightings for several classes are functions of. A document may have several classes, or none: it then counts in
each of them, or in the number of documents alone.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ltw_core.tasks.contingency import document_frequency, presence


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Document counts of terms in classes.

    Attributes
    ----------
    held : ndarray of int, shape (classes, terms)
        Documents of each class that hold each term.
    sizes : ndarray of int, shape (classes,)
        Documents of each class.
    document_frequency : ndarray of int, shape (terms,)
        Documents that hold each term, whatever their classes.
    n_documents : int
    """

    held: np.ndarray
    sizes: np.ndarray
    document_frequency: np.ndarray
    n_documents: int

    @classmethod
    def of(cls, counts, labels) -> "ClassTable":
        """The table of documents.

        Parameters
        ----------
        counts : sparse or dense array, shape (documents, terms)
            Only whether an entry is zero matters.
        labels : sparse or dense array of 0/1 or bool, shape (documents, classes)

        Raises
        ------
        ValueError
            The two have different numbers of rows.
        """
        labels = sparse.csr_array(labels).astype(np.int64)
        if labels.shape[0] != counts.shape[0]:
            raise ValueError(f"counts has {counts.shape[0]} rows and labels {labels.shape[0]}; they must be equal")
        held = (labels.T @ presence(counts)).toarray()
        sizes = np.asarray(labels.sum(axis=0)).ravel()
        return cls(held, sizes, document_frequency(counts), counts.shape[0])

    @property
    def tpr(self) -> np.ndarray:
        """Share of each class's documents that hold each term, shape (classes, terms); 0 for a class without any."""
        return self.held / np.maximum(self.sizes, 1)[:, None]

    @property
    def fpr(self) -> np.ndarray:
        """The same of the documents outside of each class."""
        return (self.document_frequency - self.held) / np.maximum(self.n_documents - self.sizes, 1)[:, None]

    @cached_property
    def prevalence(self) -> np.ndarray:
        """Pr(c) of each class, shape (classes,)."""
        return self.sizes / max(self.n_documents, 1)
