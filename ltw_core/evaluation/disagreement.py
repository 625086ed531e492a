"""Two classifiers on the same test documents: where they disagree, whether by chance, and which terms explain it.

Scores of two classifiers have different scales (a support vector machine with a large C gives large ones). Terms are
therefore compared in standard deviations of each classifier's scores over the test documents. Leaves out making the
decisions (``tuning``).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ltw_core.evaluation.decisions import Decisions
from ltw_core.evaluation.paired import mcnemar


@dataclass(frozen=True, eq=False)
class Disagreement:
    """Test documents by which classifiers are right: both, only the first or second, neither; masks (documents,)."""

    both: np.ndarray
    first: np.ndarray
    second: np.ndarray
    neither: np.ndarray

    @property
    def differ(self) -> np.ndarray:
        """Documents on which the two disagree; one of the two is right about each."""
        return self.first | self.second

    @property
    def p_value(self) -> float:
        """McNemar's exact test: how likely so uneven a split of the differing documents is if both are as good.

        References
        ----------
        Q. McNemar: Note on the sampling error of the difference between correlated proportions or percentages.
        Psychometrika 12, 1947. Exact, by the binomial distribution.
        """
        return mcnemar(int(self.first.sum()), int(self.second.sum()))


def disagreement(one: Decisions, other: Decisions) -> Disagreement:
    """Who is right about which test document.

    Raises
    ------
    ValueError
        The two were not tested on the same documents.
    """
    if not np.array_equal(one.y, other.y):
        raise ValueError("the two classifiers were not tested on the same documents")
    first, second = one.predicted == one.y, other.predicted == other.y
    return Disagreement(first & second, first & ~second, ~first & second, ~first & ~second)


def term_differences(one: Decisions, other: Decisions, rows=None) -> sparse.csr_array:
    """What each term adds to the score of the first more than to that of the second, in standard deviations.

    Parameters
    ----------
    one, other : Decisions
        Of linear learners, over the same terms.
    rows : array of int, optional
        Of these test documents only.

    Returns
    -------
    csr_array of float64, shape (rows, terms)
        Row sums are the difference of the standardised scores but for a constant (the intercepts).

    Raises
    ------
    ValueError
        One of the learners is not linear, or their vectors have different entries.
    """
    for decisions in (one, other):
        if decisions.coefficients is None:
            raise ValueError(
                "which terms made the difference is known for SVM, LR and MNB only: their scores are sums over terms"
            )
    if one.test.shape != other.test.shape:
        raise ValueError("the vectors of the two weightings have different entries, so that terms cannot be compared")
    rows = slice(None) if rows is None else rows
    parts = []
    for decisions in (one, other):
        scaled = decisions.coefficients / (np.std(decisions.scores) or 1.0)
        parts.append(sparse.csr_array(decisions.test[rows]).multiply(scaled[None, :]))
    return sparse.csr_array(parts[0] - parts[1])
