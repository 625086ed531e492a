"""Tables as colour: F1 of weightings × learners."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure, colour_scale
from ltw_core.metrics import decimals, listed

SIZE, DIGIT = 13, 3.4  # pixels of the figures in the cells, and half the width of one: "≈" stands beside them all
RULE_ROOM = 7  # pixels around the rule above what is learned
BAR = 180  # pixels of the colour bar: its title stands centred above it, and is as wide on a phone


class HeatmapCell(NamedTuple):
    """What a cell of the heat map says beyond its value.

    spread : standard deviation of a mean over seeds, written beside it; NaN where there is none.
    detail : what the pointer is told, a little HTML.
    name : what a click reports (``customdata[0]``).
    alike : whether it is not distinguishable from the highest of its column, which "≈" beside it says.
    now : whether it is being computed, where its value is not known.
    """

    spread: float = np.nan
    detail: str = ""
    name: str = ""
    alike: bool = False
    now: bool = False


@theme.as_figure(uirevision="heatmap")
def f1_heatmap(
    values,
    methods: Sequence[str],
    learners: Sequence[str],
    *,
    labels: Mapping[str, str] | None = None,
    colours: Mapping[str, str] | None = None,
    cells: Sequence[Sequence[HeatmapCell]] | None = None,
    chosen: tuple[int, int] | None = None,
    scale: bool = True,
    base: str = "light",
) -> PlainFigure:
    """F1 of every weighting (rows) with every learner (columns), written into the cells; the best of a column is bold,
    where it is not the only one.

    A cell's colour is how far its F1 lies behind the highest of its column, on one scale in every such table.

    Parameters
    ----------
    values : array_like, shape (methods, learners)
        NaN where a cell wasn't computed (or isn't yet): a dash on the page, or an ellipsis while it is being computed.
    colours : mapping, optional
        The method or function whose colour one that has none takes.
    cells : table of HeatmapCell, optional
        What there is to say of each beyond its value.
    chosen : (row, column), optional
        The cell that is looked at; framed.
    scale : bool
        Whether the colours' scale stands below it.
    """
    i = theme.ink(base)
    table = np.asarray(values, dtype=float)
    if table.shape != (len(methods), len(learners)):
        raise ValueError(f"values have shape {table.shape}, expected {(len(methods), len(learners))}")
    cells = cells or [[HeatmapCell()] * len(learners)] * len(methods)
    highest = [np.nanmax(column) if np.isfinite(column).any() else np.nan for column in table.T]
    behind = np.asarray(highest) - table
    alone = np.isfinite(table).sum(axis=0) < 2  # a score alone in its column is no best
    ramp = palette.NEAR[base][::-1]
    bar = theme.bar_of_shortfall("F1 below the column’s best", -8 / (28 * max(len(methods), 1)), base)
    figure = PlainFigure()
    figure.add(
        "heatmap",
        z=[[None if not np.isfinite(v) else round(float(v), 6) for v in row] for row in behind],
        x=list(learners),
        y=list(range(len(methods))),
        colorscale=colour_scale(ramp),
        zmin=0,
        zmax=theme.FAR_BEHIND,
        xgap=2,
        ygap=2,
        **({"colorbar": bar | {"lenmode": "pixels", "len": BAR}} if scale else {"showscale": False}),
        customdata=[
            [
                [
                    cells[r][c].name,
                    theme.escape(theme.label(m, labels)),
                    cells[r][c].detail,
                    theme.escape(learners[c]),
                    decimals(float(table[r, c])) if np.isfinite(table[r, c]) else "not computed yet",
                ]
                for c in range(len(learners))
            ]
            for r, m in enumerate(methods)
        ],
        hovertemplate="<b>%{customdata[1]}</b> with %{customdata[3]}<br>"
        "test F1 %{customdata[4]}%{customdata[2]}<extra></extra>",
        name="F1",
    )
    unknown = palette.translucent(i.muted, 0.08)
    inks = [palette.ink_on(np.nan_to_num(row), ramp, 0, theme.FAR_BEHIND)[0] for row in behind]

    def is_highest(r: int, c: int) -> bool:
        return table[r, c] == highest[c] and not alone[c]

    def is_alike(r: int, c: int) -> bool:
        return cells[r][c].alike and table[r, c] < highest[c]

    for r, row in enumerate(table):
        for c, value in enumerate(row):
            if not np.isfinite(value):
                figure.write("…" if cells[r][c].now else "–", learners[c], r, theme.legible(i.muted, base), size=SIZE)
                place = {"x0": c - 0.49, "x1": c + 0.49, "y0": r - 0.46, "y1": r + 0.46}  # a cell like the others
                figure.add_shape(type="rect", layer="below", **place, line={"width": 0}, fillcolor=unknown)
                continue
            spread = cells[r][c].spread
            text = decimals(value) + (f" ±{decimals(spread)}" if np.isfinite(spread) else "")
            if is_alike(r, c):  # on its own, so that numbers stay where they are
                like = {"xanchor": "left", "xshift": DIGIT * len(text)}
                figure.write("≈", learners[c], r, inks[r][c], size=SIZE, **like)
            figure.write(f"<b>{text}</b>" if is_highest(r, c) else text, learners[c], r, inks[r][c], size=SIZE)
    squares = {m: palette.colour((colours or {}).get(m, m), base) for m in methods}
    ticks = [f'{theme.escape(theme.label(m, labels))}  <span style="color:{squares[m]}">■</span>' for m in methods]
    figure.update_layout(
        height=(78 if scale else 36) + 28 * max(len(methods), 1),
        margin={"l": 0, "r": 2, "t": 24, "b": 54 if scale else 8},
        xaxis={
            "side": "top",
            "showgrid": False,
            "type": "category",
            "categoryarray": list(learners),  # else one that nothing is known of has no place
            "range": [-0.5, len(learners) - 0.5],
            "tickfont": {"size": 13, "color": i.text},
        },
        yaxis={
            "autorange": "reversed",
            "showgrid": False,
            "tickvals": list(range(len(methods))),
            "ticktext": ticks,
            "tickfont": {"size": 13, "color": i.text},
        },
    )
    _rule_learned(figure, [(colours or {}).get(m, m) for m in methods], i)
    if chosen is not None:
        figure.frame_cell(*chosen, i.selected)
    names = [theme.label(m, labels) for m in methods]
    said = []
    for c, learner in enumerate(learners):
        if np.isfinite(highest[c]):
            top = int(np.nanargmax(table[:, c]))
            alike = [names[r] for r in range(len(names)) if r != top and np.isfinite(table[r, c]) and is_alike(r, c)]
            more = f", not distinguishable from {listed(alike)}" if alike else ""
            said.append(f"with {learner} {names[top]} is highest, {decimals(highest[c])}{more}")
    what = f"F1 of {len(methods)} weightings with {len(learners)} classifiers"
    return theme.describe(figure, f"{what}: {'; '.join(said) or 'none is known yet'}.")


def _rule_learned(figure: PlainFigure, methods: Sequence[str], i: theme.Ink) -> None:
    """A rule with room around it between the rows of ``methods`` that are learned and the others; these are grouped."""
    learned = [palette.is_learned(name) for name in methods]
    for k in range(1, len(learned)):
        if learned[k] != learned[k - 1]:
            place = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": k - 0.5, "y1": k - 0.5}
            figure.add_shape(**place, line={"color": i.paper, "width": RULE_ROOM})
            figure.add_shape(**place, line={"color": i.muted, "width": 1})
