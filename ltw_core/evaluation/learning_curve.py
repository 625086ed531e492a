"""F1 by number of labelled documents: how many labels a class, or all classes of a table, take under each weighting.

Documents are labelled in a random order, drawn several times. A sample is the first so many of an order, so that each
holds the smaller ones, and all weightings and classes see the same samples. Whatever is learned, the vocabulary, the
selection of terms, tpr and fpr included, comes from the sample; the test documents are the same throughout.

A sample is *not* stratified: who labels does not know the classes before, one sample must serve all classes, and how
many of a class turn up is part of what a number of labels is worth. Where a class has no document in a sample, or none
that holds a term of the sample, nothing can be learned: nothing is predicted, and that F1 (mostly 0) counts like any
other. Where it has all of them, it is predicted for all test documents.

Leaves out what a curve is made of (``curve_plan``), what it says in words (``curve_findings``), and curves kept in a
store (``studies.curve_cells``).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy

from ltw_core.corpora import Corpus
from ltw_core.evaluation.curve_plan import CurvePlan, CurvePoint, plan_curve
from ltw_core.evaluation.learner_table import LEARNERS
from ltw_core.evaluation.tuning import evaluate
from ltw_core.metrics import contingency
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.tasks import VectorizedCorpus, learned_of_sample, sample_of, sampled, vectorize
from ltw_core.weighting.methods import seeded

LEVEL = 0.95  # of intervals
SAMPLE_BYTES = 8 * 2**20  # of rows that samples hold: those of a curve's sizes and draws take one

_samples = BoundedCache(SAMPLE_BYTES)


@dataclass(frozen=True, eq=False)
class LearningCurve:
    """F1 of classes by weighting, number of labelled documents, and draw.

    Attributes
    ----------
    plan : CurvePlan
    title : str
        The corpus's.
    n_train, n_test : int
        Documents.
    f1_by_class : ndarray, shape (classes, weightings, sizes, draws)
        NaN where it has not been computed.
    positives_by_class : ndarray of int, shape (classes, sizes, draws)
        Sampled documents of the class.
    unlearned : ndarray of bool, shape (classes, sizes, draws)
        Where nothing can be learned: none of the sampled documents that hold a term of the sample has the class, or all
        have it, or there is none.
    test_positives : ndarray of int, shape (classes,)
    """

    plan: CurvePlan
    title: str
    n_train: int
    n_test: int
    f1_by_class: np.ndarray
    positives_by_class: np.ndarray
    unlearned: np.ndarray
    test_positives: np.ndarray

    @property
    def f1(self) -> np.ndarray:
        """F1, of several classes their macro F1, shape (weightings, sizes, draws); NaN where a class is missing."""
        return self.f1_by_class.mean(axis=0)

    @property
    def positives(self) -> np.ndarray:
        """Mean over draws, and over classes, of the documents of the class in a sample; shape (sizes,)."""
        return self.positives_by_class.mean(axis=(0, 2))

    @property
    def lacking(self) -> np.ndarray:
        """Mean over draws of the number of classes without a document in the sample; shape (sizes,)."""
        return (self.positives_by_class == 0).sum(axis=0).mean(axis=1)

    @property
    def complete(self) -> bool:
        return not np.isnan(self.f1_by_class).any()

    def draws_matter(self, weighting: str, size: int) -> bool:
        """Whether draws differ: not where all documents are labelled and nothing else is random."""
        return size < self.n_train or _random(weighting, self.plan.learner)

    def points(self) -> Iterator[CurvePoint]:
        """What is to be computed, small samples first; what no draw would change once."""
        plan = self.plan
        for s, size in enumerate(plan.sizes):
            for d, seed in enumerate(plan.seeds):
                for c, class_name in enumerate(plan.classes):
                    for w, weighting in enumerate(plan.weightings):
                        known = not np.isnan(self.f1_by_class[c, w, s, d])
                        if not known and (d == 0 or self.draws_matter(weighting, size)):
                            yield CurvePoint(class_name, weighting, size, seed)

    def copy(self) -> "LearningCurve":
        """The same curve, to which other figures may be put."""
        return replace(self, f1_by_class=self.f1_by_class.copy())

    def of(self, weightings: Sequence[str]) -> "LearningCurve":
        """The curve of some of its weightings."""
        at = [self.plan.weightings.index(name) for name in weightings]
        return replace(self, plan=replace(self.plan, weightings=tuple(weightings)), f1_by_class=self.f1_by_class[:, at])

    def put(self, point: CurvePoint, value: float) -> None:
        """Enter an F1; where no draw changes it, for all draws."""
        plan = self.plan
        at = plan.classes.index(point.class_name), plan.weightings.index(point.weighting), plan.sizes.index(point.size)
        draw = plan.seeds.index(point.seed) if self.draws_matter(point.weighting, point.size) else slice(None)
        self.f1_by_class[(*at, draw)] = value

    def mean(self) -> np.ndarray:
        """Mean F1 over the draws that are there, shape (weightings, sizes); NaN where there is none."""
        return _mean(self.f1)

    def interval(self) -> tuple[np.ndarray, np.ndarray]:
        """Ends of the 95 % interval of the mean over draws, each of shape (weightings, sizes), within [0, 1].

        Student's t over the draws. It says how far another choice of documents to label would move the mean; not what
        other test documents would. NaN where there are fewer than two draws, or where draws do not differ.
        """
        half = half_width(self.f1)
        for w, weighting in enumerate(self.plan.weightings):
            half[w, [not self.draws_matter(weighting, size) for size in self.plan.sizes]] = np.nan
        mean = self.mean()
        return np.clip(mean - half, 0, 1), np.clip(mean + half, 0, 1)

    def difference(self, one: str, other: str) -> tuple[np.ndarray, np.ndarray]:
        """Mean of F1 of one weighting minus that of another, and half its 95 % interval; each of shape (sizes,).

        Paired: both have seen the same samples. The half is NaN where nothing is drawn for either.
        """
        plan = self.plan
        first, second = plan.weightings.index(one), plan.weightings.index(other)
        between = self.f1[first] - self.f1[second]
        half = half_width(between)
        half[[not (self.draws_matter(one, size) or self.draws_matter(other, size)) for size in plan.sizes]] = np.nan
        return _mean(between), half


def half_width(values: np.ndarray) -> np.ndarray:
    """Half the 95 % interval of a mean, t · s / √n over the last axis; NaN of fewer than two, NaNs left out."""
    n = np.isfinite(values).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = values - _mean(values)[..., None]
        deviation = np.sqrt(np.nansum(centred**2, axis=-1) / (n - 1))
        return np.where(n > 1, scipy.special.stdtrit(n - 1.0, (1 + LEVEL) / 2) * deviation / np.sqrt(n), np.nan)


def _mean(values: np.ndarray) -> np.ndarray:
    n = np.isfinite(values).sum(axis=-1)
    return np.where(n > 0, np.nansum(values, axis=-1) / np.maximum(n, 1), np.nan)


def _random(weighting: str, learner: str) -> bool:
    return seeded(weighting) or LEARNERS[learner].seeded


def blank_curve(vectorized: VectorizedCorpus, plan: CurvePlan) -> LearningCurve:
    """The curve of a plan before anything is computed, but for samples in which nothing can be learned.

    Where no sampled document that holds a term of the sample has a class, nothing is predicted; where all have it, all.
    """
    whole, corpus = vectorized.counting("all"), vectorized.corpus
    shape = len(plan.classes), len(plan.weightings), len(plan.sizes), len(plan.seeds)
    values, positives = np.full(shape, np.nan), np.zeros((shape[0], *shape[2:]), dtype=int)
    unlearned = np.zeros(positives.shape, dtype=bool)
    columns = [whole.class_names.index(name) for name in plan.classes]
    labels = corpus.labels[:, columns].tocsr()
    tests = [whole.labels_of(name)[1] for name in plan.classes]
    for s, size in enumerate(plan.sizes):
        for d, seed in enumerate(plan.seeds):
            drawn, held = _rows_of_sample(whole, size, seed)
            found = np.asarray(labels[held].sum(axis=0)).ravel()
            positives[:, s, d] = np.asarray(labels[drawn].sum(axis=0)).ravel()
            unlearned[:, s, d] = (found == 0) | (found == held.size)
            for c in np.flatnonzero(unlearned[:, s, d]):
                predicted = np.full(tests[c].size, held.size > 0 and found[c] == held.size)
                values[c, :, s, d] = contingency(tests[c], predicted).f1
    test_positives = np.array([y.sum() for y in tests])
    return LearningCurve(
        plan, corpus.title, corpus.n_train, len(tests[0]), values, positives, unlearned, test_positives
    )


def _rows_of_sample(whole: VectorizedCorpus, size: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """``sample_of`` and ``learned_of_sample``, which all classes of a corpus share; drawn once."""
    make = lambda: (sample_of(whole.corpus, size, seed), learned_of_sample(whole, size, seed))  # noqa: E731
    key = f"{whole.training_fingerprint}/{size}/{seed}"
    return _samples.get_or_make(key, make, lambda rows: sum(part.nbytes for part in rows))


def learning_curve(
    corpus: Corpus | VectorizedCorpus,
    class_name: str | Sequence[str] | None = None,
    weightings: Sequence[str] = ("TFIDF", "TFRF", "LTW-L-I"),
    learner: str = "SVM",
    sizes: Sequence[int] | None = None,
    draws: int = 5,
    seed: int = 0,
    *,
    grid: str = "quick",
    ratio: float | None = None,
    on_event: Callable | None = None,
) -> LearningCurve:
    """F1 on all test documents by number of labelled training documents, for weightings side by side.

    Parameters
    ----------
    corpus : Corpus or VectorizedCorpus
    class_name : str, list of str, or None
        A class; or several, or all (None), for their macro F1.
    weightings : list of names of ``ltw_core.weighting.methods()``
    learner, grid : see ``evaluate``
    sizes : list of int, optional
        Labelled documents; without, ``curve_sizes``.
    draws : int from 1 to 50
        Orders of labelling, with the seeds ``seed``, ``seed + 1``, …
    seed : int ≥ 0
    ratio : float in (0, 1], optional
        Share of a sample's terms that χ² selects; without, what is usual for a corpus of the sample's vocabulary.
    on_event : callable, optional
        Called with a ``Progress`` at each event of each fit, and after each setting; returning True cancels.

    Returns
    -------
    LearningCurve

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        For what is not allowed.
    """
    vectorized = corpus if isinstance(corpus, VectorizedCorpus) else vectorize(corpus)
    curve = blank_curve(
        vectorized, plan_curve(vectorized, class_name, weightings, learner, sizes, draws, seed, grid, ratio)
    )
    points = list(curve.points())
    sample = lru_cache(maxsize=1)(lambda size, seed: sampled(vectorized, size, seed))
    task = lru_cache(maxsize=1)(lambda size, seed, name: sample(size, seed).task(name, ratio=ratio))
    for done, point in enumerate(points):

        def report(event, done=done, point=point):
            place = f"{point.weighting} from {point.size:,} documents, draw {point.seed - seed + 1} of {draws}"
            return on_event(replace(event, message=f"{done:,} of {len(points):,} fits done. {place}: {event.message}"))

        one = task(point.size, point.seed, point.class_name)
        result = evaluate(one, point.weighting, learner, grid, point.seed, on_event and report)
        curve.put(point, result.f1)
    return curve
