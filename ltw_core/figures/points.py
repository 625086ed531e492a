"""A class's terms as points of a figure: one point for every distinct place, with the names and numbers for its hover.

Terms share places: some 2,900 terms of a Reuters class have 700 to 1,500 distinct (fpr, tpr). Drawing each place once
keeps a figure small and lets the hover name all that lie there. Leaves out which weights to show: the caller says.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ltw_core.figures import palette
from ltw_core.figures.label_places import LabelArea, label_sides, spread_labels
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import Grid
from ltw_core.figures.sentences import are_whole
from ltw_core.tasks import TermStatistics

NAMES_SHOWN = 4
LONG_LABEL = 24  # characters of two names
COVERS = 6  # other points that a label may lie on
MOST_IN_SVG = 5000  # points of a figure; more are slow to draw
COUNTS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, eq=False)
class Places:
    """Distinct places. ``first`` holds, for each, the index of the term that stands for it; ``text`` its names."""

    first: np.ndarray
    size: np.ndarray
    text: list[str]
    numbers: np.ndarray
    hover: str


def places(
    terms: TermStatistics,
    keep=None,
    limit: int = 3000,
    strength=None,
    hover: Mapping[str, np.ndarray] | None = None,
    unit: str = "",
) -> Places:
    """Group terms by place.

    Parameters
    ----------
    terms : TermStatistics
    keep : ndarray of bool, optional
        Terms to draw (those in view).
    limit : int
        Most places; beyond it the strongest half is kept and the rest sampled evenly along the plane.
    strength : ndarray, optional
        What "strong" means; document frequency without it.
    hover : mapping of display name to weights, shape (terms,), optional
        What the hover lists.
    unit : str
        In what they are given, for the hover.

    Returns
    -------
    Places
        ``numbers`` (float32) has columns tp, fp, fn, tn, df, tpr %, fpr %, then one for every weight; ``hover`` is the
        template that shows them.
    """
    index = np.flatnonzero(np.ones(len(terms), dtype=bool) if keep is None else keep)
    strength = np.asarray(terms.document_frequency if strength is None else strength, dtype=float)
    index = index[np.argsort(-np.abs(strength[index]), kind="stable")]  # the strongest term of a place stands for it
    pairs = terms.tp[index].astype(np.int64) << 32 | terms.fp[index].astype(np.int64)
    order = np.argsort(pairs, kind="stable")  # place by place, the strongest first
    start = np.flatnonzero(np.diff(pairs[order], prepend=-1))
    size = np.diff(start, append=len(order))
    if len(start) > limit:
        strong = np.argsort(order[start])  # what comes first in `index` is strong
        chosen = np.sort(np.r_[strong[: limit // 2], strong[limit // 2 :][:: -(-len(strong) // (limit // 2))]])
        start, size = start[chosen], size[chosen]
    members = index[order]
    first = members[start]
    text = _texts(np.asarray(terms.terms)[members], start, size)
    columns = [getattr(terms, c)[first] for c in COUNTS]
    columns += [terms.document_frequency[first], 100 * terms.tpr[first], 100 * terms.fpr[first]]
    columns += [_without_rounding_errors(np.asarray(w)[first]) for w in (hover or {}).values()]
    numbers = np.stack([np.asarray(c, dtype=np.float32) for c in columns], axis=1)
    return Places(first, size, text, numbers, hover_template(hover or {}, unit))


def thinned(group: Places, x, y, strength, cells: int) -> Places:
    """Of the places in each cell of a net of ``cells`` × ``cells`` over the plane the strongest; arguments by term."""
    at = [np.asarray(v, dtype=float)[group.first] for v in (x, y)]
    across, up = (np.floor(cells * (v - v.min()) / (np.ptp(v) or 1)).astype(int) for v in at)
    order = np.argsort(-np.abs(np.asarray(strength)[group.first]), kind="stable")
    kept = np.sort(order[np.unique((across * (cells + 1) + up)[order], return_index=True)[1]])
    text = [group.text[k] for k in kept.tolist()]
    return Places(group.first[kept], group.size[kept], text, group.numbers[kept], group.hover)


def hover_template(weights: Mapping[str, np.ndarray], unit: str = "") -> str:
    """The one hover label of a term, wherever it is drawn."""
    lines = [
        "<b>%{text}</b>",
        "tpr %{customdata[5]:.3~g}%: in %{customdata[0]:,} of the class’s documents, not in %{customdata[2]:,}",
        "fpr %{customdata[6]:.3~g}%: in %{customdata[1]:,} of the others, not in %{customdata[3]:,}",
    ]
    lines += [f"<i>{unit}</i>"] if weights and unit else []
    for i, (name, values) in enumerate(weights.items(), 7):
        lines.append(f"{name}  %{{customdata[{i}]:{',.0f' if are_whole(values) else '.3~r'}}}")
    return "<br>".join(lines) + "<extra></extra>"


def _without_rounding_errors(values: np.ndarray) -> np.ndarray:
    """Values with 0 for what is 0 but for rounding, which would be written with many digits."""
    return np.where(np.abs(values) > 1e-9 * np.abs(values).max(initial=0), values, 0)


def terms_of(text: str) -> list[str]:
    """Names of the terms behind a clicked point, from the point's text."""
    return [name for name in text.split(", ") if not name.startswith("+")]


def _texts(names: np.ndarray, start: np.ndarray, size: np.ndarray) -> list[str]:
    """The names of every place, the first few of its terms; place k begins at ``start[k]`` of `names`."""
    text = [str(name).replace("<", "&lt;") for name in names[start].tolist()]
    for k in np.flatnonzero(size > 1):
        others = names[start[k] + 1 : start[k] + min(size[k], NAMES_SHOWN)].tolist()
        shown = [text[k], *(str(name).replace("<", "&lt;") for name in others)]
        text[k] = ", ".join(shown if size[k] <= NAMES_SHOWN else [*shown, f"+{size[k] - NAMES_SHOWN} more"])
    return text


def label_strength(weights, terms: TermStatistics) -> np.ndarray:
    """Which terms are named first: those that contribute most to the length of the class's documents.

    A weight alone names terms that occur once. Terms of negative weight come after the positive ones, by what they
    contribute to all documents: they may be in none of the class.
    """
    weights = np.asarray(weights, dtype=float)
    documents = np.where(weights < 0, 0.25 * terms.document_frequency, terms.tp)
    return np.sqrt(documents) * np.abs(weights)


def named_terms(
    x, y, names, strength, candidates, marked, area: LabelArea, count: int, covers: int = COVERS
) -> np.ndarray:
    """Indices of the candidates to name beside the marked terms, which are named whatever comes; ``covers``: other
    points that a name may lie on."""
    among = np.r_[marked, np.setdiff1d(candidates, marked, assume_unique=True)]
    strength = np.r_[np.full(marked.size, np.inf), strength[among[marked.size :]]]
    chosen = spread_labels(x[among], y[among], strength, names[among], area, count + marked.size, covers=covers)
    return np.setdiff1d(among[chosen], marked)


def marked_terms(terms: TermStatistics, inside, selected) -> np.ndarray:
    """Indices of the selected terms that are in view."""
    return np.flatnonzero(np.isin(np.asarray(terms.terms), list(selected)) & inside)


def place_labels(terms: TermStatistics, group: Places, longest: int = LONG_LABEL) -> np.ndarray:
    """What is written at each term's point, shape (terms,): its name, and at a place of several the names of two and
    how many more there are ("maize, sorghum +3"); of one, where two have over ``longest`` characters."""
    labels = np.asarray(terms.terms).astype(object)
    for k in np.flatnonzero(group.size > 1):
        labels[group.first[k]] = place_label(terms, group, k, longest)
    return labels


def place_label(terms: TermStatistics, group: Places, k: int, longest: int = LONG_LABEL) -> str:
    """What ``place_labels`` writes at the k-th place: where few are named, the others need not be put together."""
    if group.size[k] == 1:
        return str(terms.terms[group.first[k]])
    return together(terms_of(group.text[k]), int(group.size[k]), longest)


def marked_labels(terms: TermStatistics, marked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of marked terms those that stand for their places, and the labels of all; of a place each has a line."""
    labels = np.asarray(terms.terms).astype(object)
    found: dict[tuple, list[int]] = {}
    for k in marked.tolist():
        found.setdefault((terms.tp[k], terms.fp[k]), []).append(k)
    for same in found.values():
        labels[same[0]] = "<br>".join(str(labels[k]) for k in same)
    return np.array([same[0] for same in found.values()], dtype=int), labels


def together(names: list[str], count: int, longest: int = LONG_LABEL) -> str:
    """The label of a place: one name or two, and the number of the others."""
    shown = names[: 2 if len(", ".join(names[:2])) <= longest else 1]
    return ", ".join(shown) + (f" +{count - len(shown):,}" if count > len(shown) else "")


def add_terms(figure: PlainFigure, kind: str, group: Places, x, y, marker: dict, **more) -> None:
    """The terms as points at their places, with what their hover tells."""
    figure.add(
        kind,
        x=x[group.first].astype(np.float32),
        y=y[group.first].astype(np.float32),
        mode="markers",
        marker=marker,
        text=group.text,
        customdata=group.numbers,
        hovertemplate=group.hover,
        name="terms",
        **more,
    )


def flat_kind(count: int) -> str:
    """The kind of trace for so many points of a flat figure: WebGL draws over names, and is for many only."""
    return "scatter" if count <= MOST_IN_SVG else "scattergl"


def add_rings(figure: PlainFigure, x, y, ink, *, selected: bool, size: float, **more):
    """Rings around some terms, with ``names_beside`` them or without; those of selected ones are larger."""
    figure.add(
        "scatter",
        x=x,
        y=y,
        marker={"size": size + 3 * selected, "color": "rgba(0,0,0,0)", "line": {"color": ink, "width": 1.3}},
        hoverinfo="skip",
        name="selected" if selected else "strongest",
        **{"mode": "markers"} | more,
    )


def names_beside(names, x, ink: str, paper: str, limits, *, selected: bool) -> dict:
    """Names at the points of a trace, of selected terms in bold, with a halo in the colour of the page."""
    return {
        "mode": "markers+text",
        "text": [f"<b>{n}</b>" if selected else str(n) for n in names],
        "textposition": label_sides(x, limits),
        "textfont": {"size": 12, "color": ink, "shadow": palette.halo(paper)},
    }


def add_diagonal(figure: PlainFigure, grid: Grid, line: dict, **more) -> None:
    """The line tpr = fpr."""
    x, y = grid.diagonal()
    figure.add("scatter", x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="tpr = fpr", **more)
