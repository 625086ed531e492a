"""What a learning curve is made of: classes, weightings, numbers of labelled documents and draws, checked.

Leaves out computing it (``learning_curve``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ltw_core.evaluation.base_learner import GRIDS
from ltw_core.evaluation.learner_table import learner as learner_named
from ltw_core.tasks import VectorizedCorpus
from ltw_core.weighting.methods import METHODS, method

SMALLEST, GROWTH = 50, 2.0  # documents of the smallest sample; how many times larger the next one is
POSITIVES = 5  # expected in the smallest sample: four of them train, one validates
MAX_DRAWS = 50


class CurvePoint(NamedTuple):
    """One F1 of a curve: of a class under a weighting, learned from a sample."""

    class_name: str
    weighting: str
    size: int
    seed: int


@dataclass(frozen=True)
class CurvePlan:
    """What a learning curve is made of.

    Attributes
    ----------
    classes, weightings : tuple of str
    learner, grid : str
    sizes : tuple of int
        Labelled documents, ascending.
    seeds : tuple of int
        One a draw: of the order in which documents are labelled, and of all else that is random.
    ratio : float or None
        Share of a sample's terms that are selected; None for what is usual (``VectorizedCorpus.default_ratio``).
    """

    classes: tuple[str, ...]
    weightings: tuple[str, ...]
    learner: str = "SVM"
    sizes: tuple[int, ...] = ()
    seeds: tuple[int, ...] = (0, 1, 2, 3, 4)
    grid: str = "quick"
    ratio: float | None = None


def curve_sizes(n_train: int, positives: float) -> tuple[int, ...]:
    """Sizes to begin with: 50, 100, 200, … and all training documents.

    The first is the smallest in which five documents of a class are expected. Tables of fewer than 200 documents begin
    at an eighth of theirs.

    Parameters
    ----------
    n_train : int
        Training documents.
    positives : float
        How many of them have the class; of several classes their mean.
    """
    size, sizes = (SMALLEST if n_train >= 4 * SMALLEST else max(2, n_train // 8)), []
    while size * 1.25 < n_train:  # the last step is not a tiny one
        sizes.append(round(size))
        size *= GROWTH
    return (*(size for size in sizes if size * positives >= POSITIVES * n_train), n_train)


def parse_sizes(text: str | None) -> list[int] | None:
    """Sizes from a text with commas or spaces; None where it is empty.

    Raises
    ------
    ValueError
        Something in it is no whole number.
    """
    words = (text or "").replace(",", " ").split()
    wrong = [word for word in words if not word.isdecimal() or len(word) > 12]  # int() refuses thousands of digits
    if wrong:
        raise ValueError(f"{wrong[0][:40]!r} is no number of documents; give whole numbers such as 50, 100, 200")
    return [int(word) for word in words] or None


def plan_curve(
    vectorized: VectorizedCorpus,
    class_name: str | Sequence[str] | None,
    weightings: Sequence[str],
    learner: str = "SVM",
    sizes: Sequence[int] | None = None,
    draws: int = 5,
    seed: int = 0,
    grid: str = "quick",
    ratio: float | None = None,
) -> CurvePlan:
    """What a curve is made of, checked; parameters as for ``learning_curve``."""
    n_train, names = vectorized.corpus.n_train, vectorized.class_names
    classes = names if class_name is None else (class_name,) if isinstance(class_name, str) else tuple(class_name)
    positives = [int(vectorized.labels_of(name)[0].sum()) for name in classes]
    if not classes:
        raise ValueError("there is no class to make a learning curve for; name one, or none for all")
    weightings = tuple(dict.fromkeys(weightings))
    if not weightings:
        raise ValueError(f"there is no weighting to compare; name some of {', '.join(METHODS)}")
    for weighting in weightings:
        method(weighting)
    if (only := learner_named(learner).weighting) and set(weightings) != {only}:
        raise ValueError(f"{learner} goes with the weighting {only} alone")
    if grid not in GRIDS:
        raise ValueError(f"grid is {grid!r}; it must be one of {', '.join(GRIDS)}")
    if not 1 <= draws <= MAX_DRAWS:
        raise ValueError(f"draws is {draws}; it must be a whole number from 1 to {MAX_DRAWS}")
    if seed < 0:
        raise ValueError(f"seed is {seed}; it must be at least 0")
    if sizes is None:
        sizes = curve_sizes(n_train, float(np.mean(positives)))
    sizes = tuple(sorted({int(size) for size in sizes}))
    wrong = [size for size in sizes if not 2 <= size <= n_train]
    if wrong or not sizes:
        which = f"size {wrong[0]:,}" if wrong else "no size"
        raise ValueError(f"{which} was given; sizes are numbers of labelled documents, from 2 to the {n_train:,} here")
    return CurvePlan(classes, weightings, learner, sizes, tuple(range(seed, seed + draws)), grid, ratio)
