"""What a learned weighting is like, on the scale that makes an alignment readable: from equal weights to another seed.

An alignment of .75 with a formula says little by itself: documents are aligned as much by what all weightings share,
the terms that they hold and how often. So the alignment with *equal weights*, no cd at all, is the zero of the scale,
and that of other seeds of the same training, which differ by chance alone, its ceiling. Leaves out alignment itself
(``alignment``).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from ltw_core.insight.alignment import Alignments
from ltw_core.metrics import decimals, listed
from ltw_core.weighting import DD

EQUAL = "equal weights"
CLOSE = 0.02  # alignments that differ by less are about the same

DD_OF_FORMULAS, DD_OF_LEARNED = "1+log", "log(1+f/dl)"


def reaches(alignment: float, ceiling: float) -> bool:
    """Whether an alignment is about as high as that of two seeds, or higher."""
    return alignment >= ceiling - CLOSE


def weighted_documents(counts, weights, dd: str = DD_OF_FORMULAS) -> sparse.csr_array:
    """Documents under dd · cd at unit length, as ``TermWeighting`` and the learned weightings make them.

    Parameters
    ----------
    counts : sparse of int, shape (documents, terms)
    weights : array_like, shape (terms,)
        The cd of each term.
    dd : str
        A key of ``DD`` that needs no parameters.

    Returns
    -------
    csr_array of float32
    """
    counts = sparse.csr_array(counts)
    length = np.asarray(counts.sum(axis=1), dtype=float).ravel()
    row_of = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    values = np.asarray(DD[dd](counts.data.astype(float), length[row_of], max(float(length.mean()), 1.0)), dtype=float)
    values = values * np.asarray(weights, dtype=float)[counts.indices]
    norm = np.sqrt(np.bincount(row_of, values**2, minlength=counts.shape[0]))[row_of]
    values = np.divide(values, norm, out=np.zeros_like(values), where=norm > 0)
    return sparse.csr_array((values.astype(np.float32), counts.indices, counts.indptr), shape=counts.shape)


@dataclass(frozen=True)
class Likeness:
    """What a weighting is like.

    Attributes
    ----------
    name : str
    formulas : tuple of (name, alignment, alignment with the class)
        The most like it first.
    own : float
        Its own alignment with the class.
    zero : float
        Its alignment with equal weights.
    ceiling : tuple of (least, most) or None
        Its alignment with other seeds; None where there is none.
    seeds : int or None
        How many others; None for a formula, which has none.
    """

    name: str
    formulas: tuple[tuple[str, float, float], ...]
    own: float
    zero: float
    ceiling: tuple[float, float] | None
    seeds: int | None

    @property
    def sentence(self) -> str:
        """What follows, in a sentence."""
        if not self.formulas:
            return ""
        name, most, _ = self.formulas[0]
        near = [name, *(other for other, value, _ in self.formulas[1:] if value > most - CLOSE)]
        least, most_told = decimals(self.formulas[len(near) - 1][1], 2), decimals(most, 2)
        told = most_told if least == most_told else f"{least} to {most_told}"
        said = f"{self.name} is most like {listed(near)}: alignment {told}"
        if most <= self.zero:
            said = f"No formula is more like {self.name} than equal weights are; {name} comes next: {decimals(most, 2)}"
        scale = f"1 = the same; equal weights {decimals(self.zero, 2)}"
        if self.ceiling is None:
            return f"{said} ({scale})"
        low, high = self.ceiling
        seeds = decimals(low, 2) if self.seeds == 1 else f"{decimals(low, 2)} to {decimals(high, 2)}"
        other = "another seed" if self.seeds == 1 else f"{self.seeds} other seeds"
        own = "about as near as two seeds are to each other" if reaches(most, low) else "a shape of its own"
        return f"{said} ({scale}, {other} {seeds}): {own}"


def likeness(name: str, found: Alignments, formulas: Sequence[str], seeds: Sequence[str] | None = ()) -> Likeness:
    """Read a weighting's likeness from alignments that hold ``EQUAL`` too.

    Parameters
    ----------
    name : str
    found : Alignments
    formulas, seeds : sequences of names
        What it is compared with, and other seeds of its training; of a formula, None.
    """
    target = dict(zip(found.names, found.with_class.tolist(), strict=True))
    rows = sorted(((other, found.of(name, other), target[other]) for other in formulas), key=lambda row: -row[1])
    others = [found.of(name, other) for other in seeds or ()]
    ceiling = (min(others), max(others)) if others else None
    return Likeness(
        name, tuple(rows), target[name], found.of(name, EQUAL), ceiling, None if seeds is None else len(others)
    )


@dataclass(frozen=True)
class Nearest:
    """The formula that a weighting is most like, where nothing else about its likeness is asked.

    Attributes
    ----------
    formula : str or None
        None where there is none to compare with.
    alignment : float
        With that one; nan where there is none.
    zero : float
        Alignment with equal weights.
    ceiling : float or None
        Least alignment with another seed; None where there is none.
    """

    formula: str | None
    alignment: float
    zero: float
    ceiling: float | None


def nearest(gram: np.ndarray, formulas: Mapping[str, np.ndarray], seeds: Sequence[np.ndarray] = ()) -> Nearest:
    """Find the formula that a weighting is most like; of all pairs, only its own are aligned.

    Parameters
    ----------
    gram : ndarray, shape (entries,)
        Of the weighting, as ``centred_gram`` gives it.
    formulas : mapping of str to ndarray, shape (entries,)
        What it is compared with, and ``EQUAL`` as the zero of the scale.
    seeds : sequence of ndarray, shape (entries,)
        Of other seeds of its training.
    """
    found = {name: float(np.clip(gram @ other, -1, 1)) for name, other in formulas.items()}
    zero = found.pop(EQUAL)
    name = max(found, key=found.get) if found else None
    ceiling = min((float(np.clip(gram @ other, -1, 1)) for other in seeds), default=None)
    return Nearest(name, found.get(name, math.nan), zero, ceiling)
