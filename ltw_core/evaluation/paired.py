"""Two weightings compared: the difference of their F1 on the same test documents, or over the same classes.

Where it is known what was decided of each document, documents are drawn again with both decisions, stratified by
class (paired bootstrap), and McNemar's exact test says whether one is right more often than chance allows. Of counts
alone the two are drawn apart, as if they had been tested on different documents: wider, and it is said. Averages over
classes are compared by drawing classes again. Leaves out one F1 by itself (``uncertainty``).

References
----------
B. Efron, R. Tibshirani: An Introduction to the Bootstrap. Chapman & Hall, 1993. Q. McNemar: Note on the sampling error
of the difference between correlated proportions or percentages. Psychometrika 12, 1947.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy  # its parts are imported when they are used

from ltw_core.evaluation.uncertainty import (
    DRAWS,
    LEVEL,
    SEED,
    Interval,
    combined,
    counts_of,
    f1_draws,
    f1_of,
    mean_interval,
    tails_of,
)
from ltw_core.metrics import Counts, f1

PAIRED = "the same test documents"
APART = "counts alone, as if tested on different documents"
CLASSES = "classes"
LEAST = 5e-4  # a difference that three digits show; smaller ones come from rounding in ties


@dataclass(frozen=True)
class Difference:
    """F1 of the first minus that of the second.

    Attributes
    ----------
    value : float
        Difference of the means over seeds.
    documents : Interval
        What other test documents (or, of averages, other classes) would change.
    seeds : Interval or None
        What other seeds would change; None where both have one seed.
    both : Interval
        The two together: what a verdict rests on.
    rests_on : str
        ``PAIRED``, ``APART`` or ``CLASSES``.
    n : int
        Test documents, or classes.
    n_positives : int
        Test documents of the class; 0 of averages.
    first_right, second_right : float or None
        Test documents that only the first, or only the second, decides right; means over pairs of seeds. None where
        the decisions are not known. Of averages classes won and lost.
    p_value : float or None
        McNemar's exact test, with one seed each; of averages Wilcoxon's signed-rank test.
    n_seeds : int
        Of the one that has more.
    """

    value: float
    documents: Interval
    seeds: Interval | None
    both: Interval
    rests_on: str
    n: int
    n_positives: int = 0
    first_right: float | None = None
    second_right: float | None = None
    p_value: float | None = None
    n_seeds: int = 1

    @property
    def sign(self) -> int:
        """1: the first is better; -1: worse; 0: not distinguishable, for their interval holds 0."""
        if abs(self.value) < LEAST:
            return 0
        return 1 if self.both.low > 1e-12 else -1 if self.both.high < -1e-12 else 0

    @property
    def differing(self) -> float | None:
        """Documents that are decided differently, or classes with another F1; None where that is not known."""
        return None if self.first_right is None else self.first_right + self.second_right

    @property
    def reversed(self) -> "Difference":
        """The second minus the first."""
        turn = lambda interval: None if interval is None else Interval(-interval.high, -interval.low)  # noqa: E731
        return Difference(
            -self.value,
            turn(self.documents),
            turn(self.seeds),
            turn(self.both),
            self.rests_on,
            self.n,
            self.n_positives,
            self.second_right,
            self.first_right,
            self.p_value,
            self.n_seeds,
        )


def difference(one, other, y, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED) -> Difference:
    """Paired difference of F1 from what two weightings' classifiers decided.

    Parameters
    ----------
    one, other : array_like of bool, shape (documents,) or (seeds, documents)
        Predicted positive.
    y : array_like of bool, shape (documents,)
    level, draws, seed : see ``uncertainty.estimate``

    Notes
    -----
    Documents of the same label of which all seeds of both decide the same cannot be told apart, so that drawing
    documents is drawing from a multinomial distribution over what was decided: of thousands of documents some ten
    kinds, in a few milliseconds.
    """
    y = np.asarray(y, dtype=bool)
    one, other = (np.atleast_2d(np.asarray(part, dtype=bool)) for part in (one, other))
    if one.shape[1:] != y.shape or other.shape[1:] != y.shape:
        raise ValueError(
            f"decisions have shapes {one.shape} and {other.shape}, and there are {y.size:,} test documents; each needs "
            "one of both"
        )
    decided = np.concatenate([one, other])
    rng, positives = np.random.default_rng(seed), int(y.sum())
    found, false = (_drawn(decided[:, part], draws, rng) for part in (y, ~y))
    scores = f1_of(found, false, positives)
    true = f1_of(decided[:, y].sum(axis=1), decided[:, ~y].sum(axis=1), positives)
    first, second = slice(len(one)), slice(len(one), None)
    shift = scores[:, first].mean(axis=1) - scores[:, second].mean(axis=1)
    right, other_right = one == y, other == y
    # means over all pairs of a seed of the one with a seed of the other
    first_right = float(np.mean([(a & ~b).sum() for a in right for b in other_right]))
    second_right = float(np.mean([(~a & b).sum() for a in right for b in other_right]))
    single = len(one) == len(other) == 1
    p = mcnemar(int(first_right), int(second_right)) if single else None
    return _put_together(
        true[first],
        true[second],
        shift,
        level,
        rests_on=PAIRED,
        n=y.size,
        n_positives=positives,
        first_right=first_right,
        second_right=second_right,
        p_value=p,
    )


def difference_of_counts(
    one: Sequence, other: Sequence, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED
) -> Difference:
    """Difference of F1 where only counts are known: wider than that of the same documents.

    Parameters
    ----------
    one, other : sequences of Counts, or of anything with ``tp``, ``fp``, ``fn`` and ``tn``
        One a seed.
    """
    each = [list(map(counts_of, part)) for part in (one, other)]
    if not all(each):
        raise ValueError("there is no result to compare: both sides need the counts of at least one seed")
    tested = {(c.tp + c.fn, c.fp + c.tn) for part in each for c in part}
    if len(tested) > 1:
        raise ValueError("these results are of different test documents; compare those of one class")
    ((positives, negatives),) = tested
    # all seeds of one rise and fall together, the widest that it can be
    means = [np.mean([_sorted_draws(c, draws, seed + 1 + k) for c in part], axis=0) for k, part in enumerate(each)]
    shift = means[0] - means[1][_shuffled(draws, seed)]
    values = [[c.f1 for c in part] for part in each]
    return _put_together(*values, shift, level, rests_on=APART, n=positives + negatives, n_positives=positives)


@lru_cache(maxsize=64)
def _sorted_draws(counts: Counts, draws: int, seed: int) -> np.ndarray:
    """``f1_draws``, ascending: the best weighting's are compared with those of each other one."""
    return np.sort(f1_draws(counts, draws=draws, seed=seed))


@lru_cache(maxsize=4)
def _shuffled(draws: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).permutation(draws)


@lru_cache(maxsize=8)
def class_draws(n: int, draws: int = DRAWS, seed: int = SEED) -> np.ndarray:
    """How often each of ``n`` classes is drawn when ``n`` are drawn with replacement, shape (draws, n)."""
    return np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), draws).astype(np.float32)


def interval_over_classes(scores, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED) -> Interval | None:
    """Interval of macro F1: what other classes of the same kind would change. None with fewer than two classes.

    Parameters
    ----------
    scores : array_like, shape (classes,)
    """
    scores = np.asarray(scores, dtype=float)
    if scores.size < 2:
        return None
    drawn = class_draws(scores.size, draws, seed) @ scores / scores.size
    return Interval(*map(float, np.quantile(drawn, tails_of(level))))


def difference_over_classes(one, other, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED) -> Difference:
    """Difference of macro F1, by drawing classes again, each with the F1 of both (paired bootstrap over classes).

    Parameters
    ----------
    one, other : array_like, shape (classes,)
        F1 of the same classes in the same order; of several seeds their means.
    """
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if one.shape != other.shape or one.ndim != 1 or not one.size:
        raise ValueError(f"the classes' F1 have shapes {one.shape} and {other.shape}; they must be paired, one a class")
    gain = np.round(one - other, 12)
    shift = class_draws(gain.size, draws, seed) @ gain / gain.size
    p = float(scipy.stats.wilcoxon(gain).pvalue) if gain.any() and gain.size > 1 else None
    return _put_together(
        [float(one.mean())],
        [float(other.mean())],
        shift,
        level,
        rests_on=CLASSES,
        n=gain.size,
        first_right=int((gain > 0).sum()),
        second_right=int((gain < 0).sum()),
        p_value=p,
    )


def difference_of_pooled(one, other, *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED) -> Difference:
    """Difference of micro F1, by drawing classes again, each with the counts of both.

    Parameters
    ----------
    one, other : array_like, shape (classes, 3)
        tp, fp and fn of the same classes in the same order; of several seeds their means.
    """
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if one.shape != other.shape or one.ndim != 2 or one.shape[1:] != (3,) or not len(one):
        raise ValueError(f"counts have shapes {one.shape} and {other.shape}; they must be paired: tp, fp, fn a class")
    drawn, scores = class_draws(len(one), draws, seed), []
    for counts in (one, other):
        tp, fp, fn = (drawn @ counts).T
        scores.append(f1_of(tp, fp, tp + fn))
    values = [[f1(*counts.sum(axis=0))] for counts in (one, other)]
    gain = np.round([f1(*a) - f1(*b) for a, b in zip(one, other, strict=True)], 12)
    return _put_together(
        *values,
        scores[0] - scores[1],
        level,
        rests_on=CLASSES,
        n=len(one),
        first_right=int((gain > 0).sum()),
        second_right=int((gain < 0).sum()),
    )


def mcnemar(first: int, second: int) -> float:
    """McNemar's exact test of numbers of documents that only the first or only the second decides right.

    How likely so uneven a split is if both are as good; 1 where no document differs.
    """
    n = first + second
    return float(scipy.stats.binomtest(first, n).pvalue) if n else 1.0


def _put_together(first, second, shift: np.ndarray, level: float, **about) -> Difference:
    """The difference of the means of two lists of F1, one a seed, with intervals."""
    value = float(np.mean(first) - np.mean(second))
    low, high = np.quantile(shift, tails_of(level))
    documents = Interval(min(float(low), value), max(float(high), value))
    halves = [mean_interval(values, level=level)[0] for values in (first, second)]
    squares = sum((interval.width / 2) ** 2 for interval in halves if interval is not None)
    seeds = None
    if any(interval is not None for interval in halves):
        seeds = Interval(value - squares**0.5, value + squares**0.5)
    both = combined(value, documents, seeds)
    return Difference(value, documents, seeds, both, n_seeds=max(len(first), len(second)), **about)


def _drawn(decided: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """How many of the documents each seed predicts positive, of as many drawn again; shape (draws, seeds)."""
    n = decided.shape[1]
    if not n:
        return np.zeros((draws, len(decided)))
    packed = np.packbits(decided, axis=0)  # a few bytes a document: kinds are found faster than among rows of bools
    _, example, size = np.unique(packed, axis=1, return_index=True, return_counts=True)
    kinds = decided[:, example]
    return rng.multinomial(n, size / n, draws) @ kinds.T.astype(float)
