"""A cd function for all classes and all terms of a corpus at once.

A cd depends on a cell's contingency table alone, and cells share tables: most terms lie in no document of a class, and
there the table follows from the class and the term's document frequency, of which a corpus has a few hundred. So a
function is evaluated once for every distinct table, and every cell looks its value up. Leaves out the functions
(``functions``) and weightings made of them (``classic``); for one class ``Contingency.rates`` is enough.
"""

from functools import cached_property

import numpy as np

from ltw_core.weighting.formulas.lookup import cd_function


class AllClasses:
    """The distinct contingency tables of a corpus, made once for any number of functions.

    Parameters
    ----------
    contingency : Contingency
        Counts of all classes and terms, see ``VectorizedCorpus.contingency``.
    """

    def __init__(self, contingency):
        self.contingency = contingency
        tp = contingency.tp
        self.shape = tp.shape
        frequencies, self._frequency_of_term = np.unique(contingency.document_frequency, return_inverse=True)
        # Cells that hold a positive document, by distinct (class, document frequency, tp)
        class_of = np.repeat(np.arange(tp.shape[0]), np.diff(tp.indptr))
        frequency_of = self._frequency_of_term[tp.indices]
        most = int(tp.data.max(initial=0)) + 1
        key = (class_of.astype(np.int64) * frequencies.size + frequency_of) * most + tp.data
        key, self._table_of_cell = np.unique(key, return_inverse=True)
        key, held = np.divmod(key, most)
        class_of_table, frequency_of_table = np.divmod(key, max(frequencies.size, 1))
        self._cells = class_of * self.shape[1] + tp.indices
        # The others by (class, document frequency): a value for every combination, also for those that do not occur,
        # whose rate may exceed 1.
        positives = contingency.positives
        n_documents = contingency.n_documents
        negatives = np.maximum(n_documents - positives, 1)
        self._prevalence = positives / max(n_documents, 1)
        self._absent_fpr = np.minimum(frequencies / negatives[:, None], 1.0)
        self._held_tpr = held / np.maximum(positives, 1)[class_of_table]
        self._held_fpr = (frequencies[frequency_of_table] - held) / negatives[class_of_table]
        self._held_prevalence = self._prevalence[class_of_table]

    @property
    def n_tables(self) -> int:
        """Contingency tables that a function is evaluated for."""
        return self._absent_fpr.size + self._held_tpr.size

    def weights(self, function) -> np.ndarray:
        """cd of every class and term, equal to the function's value at each cell.

        Parameters
        ----------
        function : str or Function
            A name of ``CD``, or a ``Function`` of (tpr, fpr, p, n).

        Returns
        -------
        ndarray of float64, shape (classes, terms)
        """
        function, n = cd_function(function), self.contingency.n_documents
        absent = function(0.0, self._absent_fpr, self._prevalence[:, None], n)
        return self._spread(absent, function(self._held_tpr, self._held_fpr, self._held_prevalence, n))

    @cached_property
    def tpr(self) -> np.ndarray:
        """Pr(t|c), shape (classes, terms)."""
        return self._spread(np.zeros_like(self._absent_fpr), self._held_tpr)

    @cached_property
    def fpr(self) -> np.ndarray:
        """Pr(t|c̄), shape (classes, terms)."""
        return self._spread(self._absent_fpr, self._held_fpr)

    def _spread(self, absent, held):
        values = np.take(absent, self._frequency_of_term, axis=1, mode="clip")
        values.reshape(-1)[self._cells] = held[self._table_of_cell]
        return values


def weights_of_all_classes(contingency, function) -> np.ndarray:
    """cd of every class and term, shape (classes, terms); for several functions keep an ``AllClasses``.

    Parameters
    ----------
    contingency : Contingency
    function : str or Function
    """
    return AllClasses(contingency).weights(function)
