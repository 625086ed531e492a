"""The same terms across weightings: a bump chart of their order."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import listed
from ltw_core.weighting import display

LINE = 21  # pixels a term
NAMED = 4  # weightings at most between which there is room for the names of terms in bold; on a phone there is none
GUTTER = 0.17  # of the way from the first column to the last: what such a name takes beside its column
MOVERS, LEAST = 6, 3  # terms in bold, and by how much the rank of each of them differs at least


@theme.as_figure(uirevision="ranks")
def bump_chart(
    names: Sequence[str],
    terms: Sequence[str],
    positions,
    ranks,
    *,
    total: int,
    selected: Sequence[str] = (),
    title: str = "",
    note: str = "",
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """Terms as lines from one weighting to the next; click a line's point to choose its term.

    In bold are the six whose rank under the first weighting differs most from that under the others (``movers``):
    ranked higher with a solid line, lower with a dashed one.

    Parameters
    ----------
    names : weightings, left to right.
    terms : the terms that are followed.
    positions, ranks : array_like of int, shape (weightings, terms)
        Their order among themselves, and among all terms (``insight.rank_changes``).
    total : int
        Number of terms of the class.
    selected : terms to mark.
    note : what stands below the first weighting's name.
    narrow : a layout for a phone, with less room for the terms' names.
    """
    positions, ranks = np.asarray(positions, dtype=int), np.asarray(ranks, dtype=int)
    if positions.shape != (len(names), len(terms)) or ranks.shape != positions.shape:
        raise ValueError(
            f"positions and ranks must have shape {(len(names), len(terms))}, got {positions.shape}, {ranks.shape}"
        )
    i, figure = theme.ink(base), PlainFigure()
    below = [f"<br>{theme.escape(note)}" if note else "", *[""] * len(names)]
    chosen = set(selected)
    marked = any(term in chosen for term in terms)
    moved = movers(ranks)
    order = sorted(range(len(terms)), key=lambda k: (terms[k] in chosen, moved[k] != 0))  # those that count on top
    colours: dict[int, str] = {}
    named = len(names) <= NAMED and not narrow
    for k in order:
        term, is_selected = str(terms[k]), terms[k] in chosen
        colour = i.selected if is_selected else i.text if moved[k] else i.muted
        x, y = _curve(positions[:, k], GUTTER * (len(names) - 1) * named)
        figure.add(
            "scatter",
            x=x,
            y=y,
            mode="lines",
            line={
                "color": colour,
                "width": 3.5 if is_selected else 2.5 if moved[k] else 1.2,
                "dash": "8px,4px" if moved[k] < 0 else "solid",
            },
            opacity=1 if is_selected or not marked else 0.35,
            hoverinfo="skip",
            name=term,
        )
        colours[k] = colour
    columns = np.tile(np.arange(len(names))[:, None], len(terms))
    figure.add(
        "scatter",
        x=columns.ravel(),
        y=positions.ravel(),
        mode="markers",
        cliponaxis=False,
        marker={"size": 8, "color": [colours[k] for k in range(len(terms))] * len(names)},
        text=[theme.escape(term) for term in terms] * len(names),
        customdata=[[str(names[c]), int(ranks[c, k])] for c in range(len(names)) for k in range(len(terms))],
        hovertemplate=f"<b>%{{text}}</b><br>%{{customdata[0]}}: rank %{{customdata[1]:,}} of {total:,}<extra></extra>",
        name="terms",
    )
    _labels(figure, terms, positions, ranks, chosen, i)
    if named:
        _names_between(figure, terms, positions, ranks, np.flatnonzero(moved), i)
    figure.update_layout(
        showlegend=False,
        height=70 + 16 * bool(note) + LINE * max(len(terms), 3),
        margin={
            "l": 92 if narrow else 150,
            "r": 92 if narrow else 150,
            "t": (56 if title else 36) + 16 * bool(note),
            "b": 8,
        },
        title=theme.title(f"<b>{theme.escape(title)}</b>" if title else ""),
        hovermode="closest",
        xaxis={
            "range": [-0.04, len(names) - 0.96],
            "tickvals": list(range(len(names))),
            "ticktext": [
                f'<span style="color:{palette.colour(n, base)}">■</span> {theme.escape(display(n))}{said}'
                for n, said in zip(names, below, strict=False)
            ],
            "side": "top",
            "showgrid": True,
            "tickfont": {"size": 13, "color": i.text},
            "fixedrange": True,
        },
        yaxis={"range": [len(terms) + 0.6, 0.4], "visible": False, "fixedrange": True},
    )
    return theme.describe(figure, _order([display(n) for n in names], terms, positions, ranks, total))


def movers(ranks) -> np.ndarray:
    """Which terms rank elsewhere under the first weighting than under the others on average: 1 higher, -1 lower, and 0
    but for the ``MOVERS`` whose rank differs most, by ``LEAST`` or more.

    Parameters
    ----------
    ranks : array_like of int, shape (weightings, terms)
        Among all terms: those are the numbers that are drawn.
    """
    ranks = np.asarray(ranks, dtype=float)
    if len(ranks) < 2:
        return np.zeros(ranks.shape[1], dtype=int)
    lower = ranks[1:].mean(axis=0) - ranks[0]
    most = np.argsort(-np.abs(lower), kind="stable")[:MOVERS]
    found = np.zeros(lower.size, dtype=int)
    found[most] = np.sign(lower[most]) * (np.abs(lower[most]) >= LEAST)
    return found


def _order(names: list[str], terms: Sequence[str], positions: np.ndarray, ranks: np.ndarray, total: int) -> str:
    """Which terms each weighting puts first, and the first of the ``movers``."""
    said = f"Order of {len(terms)} terms under {listed(names)}."
    if not len(terms):
        return said
    for name, place in zip(names, positions, strict=True):
        said += f" {name} puts {listed(str(terms[k]) for k in np.argsort(place, kind='stable')[:3])} first."
    if (moved := np.flatnonzero(movers(ranks))).size:  # the one of them that is drawn in bold before all others
        k = max(moved, key=lambda each: abs(ranks[1:, each].mean() - ranks[0, each]))
        ranked = listed(f"{rank:,} under {name}" for name, rank in zip(names, ranks[:, k], strict=True))
        said += f" {terms[k]} moves most: rank {ranked}, of {total:,}."
    return said


def _curve(positions, gutter: float = 0.0, size: int = 48) -> tuple[np.ndarray, np.ndarray]:
    """A line that leaves each column and reaches the next one level, and never overshoots; a column between two others
    it leaves after a ``gutter``, in which it goes on level."""
    t = np.linspace(0, 1, size, endpoint=False)
    x = [column + t for column in range(len(positions) - 1)]
    goes = [np.clip((t - gutter * (column > 0)) / (1 - gutter * (column > 0)), 0, 1) for column in range(len(x))]
    y = [a + (b - a) * _ease(on) for on, (a, b) in zip(goes, pairwise(positions), strict=True)]
    last = len(positions) - 1
    return np.r_[*x, last].astype(np.float32), np.r_[*y, positions[-1]].astype(np.float32)


def _ease(t: np.ndarray) -> np.ndarray:
    return t * t * (3 - 2 * t)


def _labels(figure, terms, positions, ranks, chosen, i) -> None:
    """Every term at both ends, with its rank among all terms where that is not its place among these."""
    columns = len(positions)
    for k, term in enumerate(terms):
        ends = ((0, "right", -10), (columns - 1, "left", 10))
        for column, anchor, shift in ends if columns > 1 else ends[:1]:
            is_selected, rank = term in chosen, int(ranks[column, k])
            name = f"<b>{theme.escape(term)}</b>" if is_selected else theme.escape(term)
            told = _rank(rank, positions[column, k], i)
            figure.write(
                " ".join(filter(None, (told, name) if anchor == "right" else (name, told))),
                column,
                int(positions[column, k]),
                i.selected if is_selected else i.text,
                xanchor=anchor,
                xshift=shift,
            )


def _names_between(figure, terms, positions, ranks, which, i) -> None:
    """Some terms in the columns between the first and the last, level with their points, in the gutter: each on a plate
    that interrupts its own line and no other."""
    plate = {"font": {"size": 11, "color": i.text}, "bgcolor": i.paper, "borderpad": 1, "xanchor": "left", "xshift": 8}
    for column in range(1, len(positions) - 1):
        for k in which:
            told = _rank(int(ranks[column, k]), level := int(positions[column, k]), i)
            figure.write(" ".join(filter(None, (theme.escape(str(terms[k])), told))), column, level, i.text, **plate)


def _rank(rank: int, position: int, i) -> str:
    """A rank among all terms, where it is not the place among these."""
    return f'<span style="color:{i.muted}">{rank:,}</span>' if rank != position else ""
