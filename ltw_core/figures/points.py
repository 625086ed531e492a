"""A class's terms as points of a figure: one point for every distinct place, with the names and numbers for its hover.

Terms share places: some 2,900 terms of a Reuters class have 700 to 1,500 distinct (fpr, tpr). Drawing each place once
keeps a figure small and lets the hover name all that lie there. Leaves out which weights to show: the caller says.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

NAMES_SHOWN = 4
COUNTS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, eq=False)
class Terms:
    """Terms of one class and their weights under any number of functions.

    ``weights`` maps a function's display name to one weight a term, in the form in which it is to be shown.
    """

    terms: np.ndarray
    tpr: np.ndarray
    fpr: np.ndarray
    tp: np.ndarray
    fp: np.ndarray
    fn: np.ndarray
    tn: np.ndarray
    document_frequency: np.ndarray
    weights: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, task, weights: Mapping[str, np.ndarray] | None = None) -> "Terms":
        """From anything with the attributes of a ``BinaryTask``."""
        names = ("terms", "tpr", "fpr", *COUNTS, "document_frequency")
        return cls(*(np.asarray(getattr(task, name)) for name in names), dict(weights or {}))

    def __len__(self) -> int:
        return len(self.terms)


@dataclass(frozen=True, eq=False)
class Places:
    """Distinct places. ``first`` holds, for each, the index of the term that stands for it; ``text`` its names."""

    first: np.ndarray
    size: np.ndarray
    text: list[str]
    numbers: np.ndarray
    hover: str


def places(terms: Terms, keep=None, limit: int = 3000, strength=None) -> Places:
    """Group terms by place.

    Parameters
    ----------
    terms : Terms
    keep : ndarray of bool, optional
        Terms to draw (those in view).
    limit : int
        Most places; beyond it the strongest half is kept and the rest sampled evenly along the plane.
    strength : ndarray, optional
        What "strong" means; document frequency without it.

    Returns
    -------
    Places
        ``numbers`` (float32) has columns tp, fp, fn, tn, df, tpr %, fpr %, then one for every weight; ``hover`` is the
        template that shows them.
    """
    index = np.flatnonzero(np.ones(len(terms), dtype=bool) if keep is None else keep)
    strength = np.asarray(terms.document_frequency if strength is None else strength, dtype=float)
    index = index[np.argsort(-np.abs(strength[index]), kind="stable")]  # the strongest term of a place stands for it
    pairs = np.stack([terms.tp[index], terms.fp[index]], axis=1)
    _, first, inverse, size = np.unique(pairs, axis=0, return_index=True, return_inverse=True, return_counts=True)
    members = np.split(index[np.argsort(inverse.ravel(), kind="stable")], np.cumsum(size)[:-1]) if len(index) else []
    if len(first) > limit:
        order = np.argsort(first)  # first is a rank of strength
        chosen = np.sort(np.r_[order[: limit // 2], order[limit // 2 :][:: -(-len(order) // (limit // 2))]])
        first, size, members = first[chosen], size[chosen], [members[i] for i in chosen]
    first = index[first] if len(index) else np.empty(0, dtype=int)
    names = np.asarray(terms.terms)
    text = [_names(names[m]) for m in members]
    columns = [getattr(terms, c)[first] for c in COUNTS]
    columns += [terms.document_frequency[first], 100 * terms.tpr[first], 100 * terms.fpr[first]]
    columns += [np.asarray(w)[first] for w in terms.weights.values()]
    numbers = np.stack([np.asarray(c, dtype=np.float32) for c in columns], axis=1)
    return Places(first, size, text, numbers, hover_template(list(terms.weights)))


def hover_template(weights: list[str]) -> str:
    """The one hover label of a term, wherever it is drawn."""
    lines = [
        "<b>%{text}</b>",
        "tpr %{customdata[5]:.3~g}% · fpr %{customdata[6]:.3~g}%",
        "tp %{customdata[0]:,} · fp %{customdata[1]:,} · fn %{customdata[2]:,} · tn %{customdata[3]:,}",
        "in %{customdata[4]:,} documents",
    ]
    lines += [f"{name}  %{{customdata[{7 + i}]:.3~g}}" for i, name in enumerate(weights)]
    return "<br>".join(lines) + "<extra></extra>"


def terms_of(text: str) -> list[str]:
    """Names of the terms behind a clicked point, from the point's text."""
    return [name for name in text.split(", ") if not name.startswith("+")]


def _names(names: np.ndarray) -> str:
    shown = [str(n).replace("<", "&lt;") for n in names[:NAMES_SHOWN]]
    return ", ".join(shown if len(names) <= NAMES_SHOWN else [*shown, f"+{len(names) - NAMES_SHOWN} more"])


def spread_labels(x, y, strength, limits_x, limits_y, count: int = 12, gap=(0.09, 0.05)) -> np.ndarray:
    """Indices of the strongest points whose labels do not run into each other, strongest first."""
    x = (np.asarray(x, dtype=float) - limits_x[0]) / ((limits_x[1] - limits_x[0]) or 1)
    y = (np.asarray(y, dtype=float) - limits_y[0]) / ((limits_y[1] - limits_y[0]) or 1)
    chosen: list[int] = []
    for i in np.argsort(-np.abs(np.asarray(strength, dtype=float)), kind="stable"):
        if len(chosen) == count:
            break
        if all(abs(x[i] - x[j]) > gap[0] or abs(y[i] - y[j]) > gap[1] for j in chosen):
            chosen.append(int(i))
    return np.array(chosen, dtype=int)
