"""What a learner is: a learning algorithm with its grid of settings, which predicts with many of them in one call.

So that it can share work among them: k nearest neighbours are found once for all k, a forest of 10 trees grows into the
one of 25. The words: a *learner* is the algorithm (SVM), a *classifier* what it has been trained to. Leaves out the
learners there are (``learner_table``) and choosing a setting (``tuning``).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

GRIDS = ("quick", "full")
"""``full`` is the paper's grid, ``quick`` a few of its settings for interactive use."""


@dataclass(frozen=True)
class Prediction:
    """What one setting predicts.

    Attributes
    ----------
    index : int
        Of the setting in the grid; predictions may come in another order.
    predicted : ndarray of bool, shape (documents,), or None
        None where the setting failed.
    problem : str
        "" or what went wrong: "not converged", or the message of the error.
    scores : ndarray of float64, shape (documents,), or None
        How strongly each document is held to be of the class; above the learner's ``threshold``, predicted positive.
    coefficients : ndarray of float64, shape (terms,), or None
        Of a learner whose score is a weighted sum of a document's entries and ``intercept``; None for the others.
    """

    index: int
    predicted: np.ndarray | None
    problem: str = ""
    scores: np.ndarray | None = None
    coefficients: np.ndarray | None = None
    intercept: float = 0.0


class Learner(ABC):
    """A learning algorithm and its grid; a subclass implements ``grid`` and ``predictions``.

    Attributes
    ----------
    name, title, note : str
        The paper's abbreviation, the name in full, and one sentence on what to know.
    score : str
        What its scores are, in words.
    threshold : float
        Documents with a higher score are predicted positive.
    weighting : str or None
        The one weighting that it goes with; None for any.
    seeded : bool
        Whether its figures depend on the seed by more than the solver's tolerance.
    decides_on_nothing : bool
        Whether it decides on a vector without entries; where it does not, a test document without a known term is
        predicted negative.
    native : tuple of {"single", "multi"}
        Problems of several classes that it solves itself, by ``class_predictions``: those where each document has one
        class, or any number. In the others it learns each class against the rest.
    """

    name = title = note = score = ""
    threshold = 0.0
    weighting = None
    seeded = False
    decides_on_nothing = True
    native: tuple[str, ...] = ()

    @abstractmethod
    def grid(self, size: str, n_documents: int, n_terms: int) -> list[dict]:
        """Settings in tie order: of equal validation F1, the earlier one wins.

        Parameters
        ----------
        size : {"quick", "full"}
        n_documents, n_terms : int
            Shape of what is trained on; impossible settings are left out.
        """

    def suited_to(self, vectors) -> "Learner":
        """The learner in the form that some ``Vectors`` need.

        Raises
        ------
        ValueError
            It does not go with their weighting.
        """
        return self

    def prepare(self, train, test):
        """Vectors as this learner can take them, and sentences on what was changed."""
        return train, test, ()

    @abstractmethod
    def predictions(self, points, X, y, X_new, seed) -> Iterator[Prediction]:
        """Train with each setting and predict.

        Parameters
        ----------
        points : list of dict
        X, X_new : csr matrices or ndarrays, shapes (training documents, terms), (documents, terms)
        y : ndarray of bool, shape (training documents,)
        seed : int
        """

    def class_predictions(self, points, X, Y, X_new, seed, single: bool) -> Iterator[Prediction]:
        """The same for all classes at once, in the forms of ``native``.

        Parameters
        ----------
        Y : ndarray of bool, shape (training documents, classes)
        single : bool
            Whether each document has one class; the highest of its ``scores``, shape (documents, classes), is then
            predicted, and otherwise each above the ``threshold``. ``coefficients`` have shape (classes, terms).
        """
        raise NotImplementedError(f"{self.name} learns each class against the rest")


def grouped(points: list[dict], *names: str) -> dict[tuple, list[int]]:
    """Numbers of the settings that have the same values of some names, by these values."""
    groups: dict[tuple, list[int]] = {}
    for index, point in enumerate(points):
        groups.setdefault(tuple(point[name] for name in names), []).append(index)
    return groups


def labels_of(Y) -> np.ndarray:
    """Number of the first class of each document, shape (documents,), of an indicator (documents, classes)."""
    return np.asarray(Y.argmax(axis=1)).ravel()
