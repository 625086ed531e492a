"""A held-out document of a class that a linear classifier gets wrong, word by word: what its weights can change.

The classifier is a linear SVM (C = 1) on 1 + ln f with L2 length and no collection-dependent factor, trained on the
training documents that are not held out.
"""

from functools import cached_property
from typing import Any

import numpy as np

from ltw_core.metrics import f1

WORDS = 3  # that speak for the class, and as many against it, whose weights can be moved


class HardDocument:
    """The document of the class nearest to being found among those held out and missed; else the least surely found.

    Parameters
    ----------
    task : BinaryTask

    Attributes
    ----------
    terms : array of str, shape (k,)
        Its known terms, by what they add to its score, the largest first.
    frequency : array of int, shape (k,)
        How often each stands in it.
    adds : array of float, shape (k,)
        What each adds to its score.
    text : str
        The document itself.
    score : float
        Above 0: it is predicted positive.

    Raises
    ------
    ValueError
        No held-out document of the class has words enough that speak for it and against it.
    """

    def __init__(self, task: Any):
        self._task = task
        self._out = np.asarray(task.validation, dtype=bool)
        self._y = np.asarray(task.y_train, dtype=bool)
        self._classifier = self._trained(self._weighed())
        coefficients = self._classifier.coef_.ravel()
        row, self.score = self._chosen(coefficients)
        counts = task.counts_train.tocsr()[[row]]
        adds = self._weighed()[[row]].multiply(coefficients).tocsr()
        by_column = dict(zip(adds.indices.tolist(), adds.data.tolist(), strict=True))
        columns = np.array(sorted(by_column, key=lambda j: (-by_column[j], str(task.terms[j]))))
        of = dict(zip(counts.indices.tolist(), counts.data.tolist(), strict=True))
        self._row, self._columns = row, columns
        self.text = str(task.document(row))
        self.terms = np.array([str(task.terms[j]) for j in columns])
        self.adds = np.array([by_column[j] for j in columns])
        self.frequency = np.array([int(of[j]) for j in columns])

    def _weighed(self, factors: np.ndarray | None = None) -> Any:
        """The training documents, 1 + ln f times a factor a term, of length 1."""
        from sklearn.preprocessing import normalize

        X = self._task.counts_train.tocsr().astype(float)
        X.eliminate_zeros()
        X.data = 1 + np.log(X.data)
        return normalize(X if factors is None else X.multiply(factors).tocsr())

    def _trained(self, X: Any) -> Any:
        from sklearn.svm import LinearSVC

        if not self._y[~self._out].any() or not self._y[self._out].any():
            raise ValueError("this class has too few training documents to hold one of them out; choose another class")
        return LinearSVC(random_state=0).fit(X[~self._out], self._y[~self._out])

    def _chosen(self, coefficients: np.ndarray) -> tuple[int, float]:
        X = self._weighed()
        rows = np.flatnonzero(self._out & self._y)
        scores = self._classifier.decision_function(X[rows])
        order = np.lexsort((rows, np.where(scores < 0, -scores, np.inf), np.where(scores < 0, 0, scores)))
        for row, score in zip(rows[order], scores[order], strict=True):
            signs = np.sign(coefficients[X[[row]].indices])
            if min((signs > 0).sum(), (signs < 0).sum()) >= WORDS:
                return int(row), float(score)
        raise ValueError(f"no held-out document of this class has {WORDS} words for it and {WORDS} against it")

    @property
    def movable(self) -> list[str]:
        """The words whose weights can be moved: those that add most, then those that take away most."""
        return [*self.terms[:WORDS].tolist(), *self.terms[-WORDS:].tolist()]

    def rescored(self, factors: dict[str, float], others: float = 1.0) -> float:
        """Its score when its words' weights are multiplied, the classifier staying as it is; 0 for no vector."""
        return sum(self.added(factors, others).values()) + self.constant

    def added(self, factors: dict[str, float], others: float = 1.0) -> dict[str, float]:
        """What each of the words that can be moved adds to that score, and all others together under ""."""
        vector = 1 + np.log(self.frequency)
        vector = vector * np.array([factors.get(term, others) for term in self.terms])
        adds = self._classifier.coef_.ravel()[self._columns] * vector / (np.linalg.norm(vector) or 1.0)
        found = {term: float(adds[list(self.terms).index(term)]) for term in self.movable}
        return found | {"": float(adds.sum() - sum(found.values()))}

    def by_bar(self) -> list[tuple[float, float, int]]:
        """What ``added`` is made of, term by term: 1 + ln f, the classifier's coefficient, and the place among the
        words that can be moved, that of all others after the last."""
        bars = {term: place for place, term in enumerate(self.movable)}
        coefficients = self._classifier.coef_.ravel()[self._columns]
        weights = (1 + np.log(self.frequency)).tolist()
        places = [bars.get(term, len(bars)) for term in self.terms.tolist()]
        return [*zip(weights, coefficients.tolist(), places, strict=True)]

    @property
    def constant(self) -> float:
        """What the classifier adds to every document's score."""
        return float(self._classifier.intercept_[0])

    def retrained(self, factors: dict[str, float], others: float = 1.0) -> tuple[float, float]:
        """The same weights in all documents and the classifier trained again: its new score, and F1 of those held out.

        Raises
        ------
        ValueError
            All weights are 0.
        """
        every = np.full(len(self._task.terms), others)
        for term, factor in factors.items():
            every[self._task.term_index[term]] = factor
        if not every.any():
            raise ValueError("all weights are 0: nothing is left to learn from")
        return self._outcome(self._weighed(every))

    def under(self, method: str) -> float:
        """Its score with a weighting of the table of methods, and a classifier trained on it."""
        from ltw_core.weighting import make

        counts = self._task.counts_train.tocsr()
        weighting = make(method).fit(counts[~self._out], self._y[~self._out])
        return self._outcome(weighting.transform(counts))[0]

    def _outcome(self, X: Any) -> tuple[float, float]:
        classifier, out = self._trained(X), self._out
        said, y = classifier.predict(X[out]), self._y[out]
        score = float(classifier.decision_function(X[[self._row]])[0])
        return score, float(f1((said & y).sum(), (said & ~y).sum(), (~said & y).sum()))

    @cached_property
    def by_frequency(self) -> list[str]:
        """Its words by how often they stand in it; of equal ones those of fewer training documents first."""
        common = self._task.document_frequency[self._columns]
        return self.terms[np.lexsort((self.terms, common, -self.frequency))].tolist()
