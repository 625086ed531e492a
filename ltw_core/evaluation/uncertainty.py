"""How certain an F1 is: what other test documents, and other seeds, would have made of it.

Two sources are told apart. Test documents: a stratified bootstrap, which draws as many documents of the class and as
many others again, with replacement. Since documents count only by what was decided of them, drawing them is drawing
from a binomial distribution: of counts alone, without the documents, and in no time. Where all were decided right, or
none of the class was found, documents drawn again show nothing: there F1 is a function of a single share, which has an
exact interval. Seeds: Student's t over the seeds' F1. Leaves out comparing two weightings (``paired``), and the
training documents, which are taken as given.

References
----------
B. Efron, R. Tibshirani: An Introduction to the Bootstrap. Chapman & Hall, 1993 (percentile intervals, chapter 13).
C. Clopper, E. Pearson: The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika
26:404, 1934 (the exact interval).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used

from ltw_core.metrics import Counts

LEVEL = 0.95
DRAWS = 2_000
SEED = 0


class Interval(NamedTuple):
    """From ``low`` to ``high``."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    def __contains__(self, value) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class F1Estimate:
    """An F1, or a mean over seeds, with what it rests on.

    Attributes
    ----------
    value : float
    documents : Interval
        What other test documents would change; of several seeds as if all erred on the same documents, the widest that
        it can be.
    seeds : Interval or None
        What other seeds would change in the mean; None with one seed.
    both : Interval
        The two together.
    n_seeds : int
    n_positives, n_documents : int
        Test documents of the class, and all.
    sd : float or None
        Standard deviation over the seeds (n - 1).
    """

    value: float
    documents: Interval
    seeds: Interval | None
    both: Interval
    n_seeds: int
    n_positives: int
    n_documents: int
    sd: float | None = None

    @property
    def blind(self) -> bool:
        """Whether nothing can be said: there was nothing to find, and nothing was found."""
        return self.documents.width == 0


def f1_draws(counts: Counts, *, draws: int = DRAWS, seed: int = SEED) -> np.ndarray:
    """F1 on test documents drawn again, stratified, shape (draws,)."""
    tp, fp, fn, tn = counts
    rng = np.random.default_rng(seed)
    found = rng.binomial(tp + fn, tp / (tp + fn), draws) if tp + fn else np.zeros(draws, dtype=int)
    false = rng.binomial(fp + tn, fp / (fp + tn), draws) if fp + tn else np.zeros(draws, dtype=int)
    return f1_of(found, false, tp + fn)


def f1_of(tp, fp, positives: int) -> np.ndarray:
    """F1 of arrays of counts; 1 where there is nothing to find and nothing was found, as in ``metrics.f1``."""
    tp, fp = np.asarray(tp, dtype=float), np.asarray(fp, dtype=float)
    below = tp + fp + positives  # 2 TP + FP + FN
    return np.divide(2 * tp, below, out=np.ones_like(below), where=below > 0)


def estimate(counts: Iterable[Counts], *, level: float = LEVEL, draws: int = DRAWS, seed: int = SEED) -> F1Estimate:
    """F1 of a classifier with its interval; of several seeds their mean.

    Parameters
    ----------
    counts : iterable of Counts, or of anything with ``tp``, ``fp``, ``fn`` and ``tn`` (a ``Result``)
        One a seed, all of the same test documents.
    level : float
    draws, seed : int

    Raises
    ------
    ValueError
        There is none, or they are of different test documents.
    """
    each = [counts_of(one) for one in counts]
    if not each:
        raise ValueError("there is no result: an interval needs the counts of at least one seed")
    if len({(c.tp + c.fn, c.fp + c.tn) for c in each}) > 1:
        raise ValueError("these results are of different test documents; give the seeds of one class")
    values = [c.f1 for c in each]
    value = float(np.mean(values))
    tails = tails_of(level)
    # the same draws for all: the quantile of a sum of what rises together is the sum of the quantiles
    low, high = np.mean([_ends(c, tails, draws, seed) for c in each], axis=0)
    documents = Interval(min(float(low), value), max(float(high), value))
    seeds, sd = mean_interval(values, level=level)
    first = each[0]
    return F1Estimate(
        value=value,
        documents=documents,
        seeds=seeds,
        both=combined(value, documents, seeds, within=(0.0, 1.0)),
        n_seeds=len(each),
        n_positives=first.tp + first.fn,
        n_documents=sum(first),
        sd=sd,
    )


def _ends(counts: Counts, tails: Sequence[float], draws: int, seed: int) -> np.ndarray:
    """The ends of the interval of an F1, shape (2,)."""
    tp, fp, fn, _ = counts
    if (tp and fp + fn) or not tp + fn:
        return np.quantile(f1_draws(counts, draws=draws, seed=seed), tails)
    # of the documents that are of the class or predicted so, the share q of those that are both: F1 = 2 q / (1 + q)
    q = tails[0] ** (1 / tp) if tp else 1 - tails[0] ** (1 / (fp + fn))
    return np.array([2 * q / (1 + q), 1] if tp else [0, 2 * q / (1 + q)])


def counts_of(one) -> Counts:
    """The counts of whatever has ``tp``, ``fp``, ``fn`` and ``tn``."""
    return Counts(one.tp, one.fp, one.fn, one.tn)


class Measured:
    """What follows from the counts of a result, which has ``tp``, ``fp``, ``fn`` and ``tn``."""

    @property
    def counts(self) -> Counts:
        return counts_of(self)

    @property
    def f1(self) -> float:
        return self.counts.f1

    @property
    def precision(self) -> float:
        return self.counts.precision

    @property
    def recall(self) -> float:
        return self.counts.recall

    @property
    def estimate(self) -> F1Estimate:
        """F1 with its interval: what other such documents would change."""
        return estimate([self])


def mean_interval(values: Sequence[float], *, level: float = LEVEL) -> tuple[Interval | None, float | None]:
    """Student's interval of a mean, and the standard deviation (n - 1); None, None of a single value."""
    values = np.asarray(values, dtype=float)
    if values.size < 2:
        return None, None
    sd, mean = float(values.std(ddof=1)), float(values.mean())
    half = float(scipy.special.stdtrit(values.size - 1, (1 + level) / 2)) * sd / values.size**0.5
    return Interval(mean - half, mean + half), sd


def combined(value: float, one: Interval, other: Interval | None, within=(-1.0, 1.0)) -> Interval:
    """Two independent sources of error together: their distances from the value add as squares."""
    low, high = value - one.low, one.high - value
    if other is not None:
        low, high = np.hypot(low, value - other.low), np.hypot(high, other.high - value)
    return Interval(max(float(value - low), within[0]), min(float(value + high), within[1]))


def tails_of(level: float) -> tuple[float, float]:
    """The shares below and above which an interval of a level leaves."""
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1, as 0.95 does")
    return (1 - level) / 2, (1 + level) / 2
