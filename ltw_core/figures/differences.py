"""Differences: from one weighting, with their intervals, and by what explains them."""

from collections.abc import Collection, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import nice_step
from ltw_core.metrics import listed, signed

ROW = 24  # pixels of a weighting
FEW = 20  # pixels more of each, where there are few and the page is wide
MORE_LINES = 14  # pixels more of each for every line more that a name has: they keep apart from the next
WRAPPED = 18  # letters of a name in a line, on a narrow page
TICKS, FEW_TICKS, NARROW_TICKS = 6, 4, 3  # about
COMPARED = "For comparison"  # above the rows that are shown for that alone
CHARACTER = 6.4  # pixels of a character of a number beyond its bar, and of what is between them
FAR = 3.0  # times the size that four of five differences have at most: further out a row is an arrow at the edge


class DrawnDifference(NamedTuple):
    """A difference, the ends of its interval, and the interval in words."""

    value: float
    low: float
    high: float
    interval: str


@theme.as_figure(uirevision="differences")
def differences_from(
    than: str,
    found: Mapping[str, DrawnDifference],
    *,
    measure: str = "macro F1",
    narrow: bool = False,
    aside: Collection[str] = (),
    called: Mapping[str, str] | None = None,
    numbers: bool = False,
    base: str = "light",
) -> PlainFigure:
    """A point and its 95% interval for each row, the highest on top; gold above 0, blue below, grey where it holds 0.
    What lies so far out that the others would share a fraction of the axis is an arrow at its edge, with its numbers.

    Parameters
    ----------
    than : str
        What all are compared with; empty where the measure itself lies above or below 0.
    found : mapping of str to DrawnDifference
        By what the rows are called. Those without an interval (nan) are left out.
    narrow : bool
        Long names take as many lines as they need, the axis has fewer numbers, and what lies far out stands without
        its interval.
    aside : collection of str
        Rows that are shown for comparison alone: below the others under a head, hollow, and thinner.
    called : mapping of str to str, optional
        What rows are in plain words: before their names, or in their place where there is no room.
    numbers : bool
        Each difference stands behind its row.
    """
    i, figure, scale = theme.ink(base), PlainFigure(), palette.DIVERGING[base]
    known = {name: row for name, row in found.items() if np.isfinite(row[:3]).all()}
    rows = dict(sorted(known.items(), key=lambda row: (row[0] not in aside, row[1].value)))
    sizes = np.abs([row.value for row in rows.values()])
    far = {name for name, size in zip(rows, sizes, strict=True) if size > FAR * np.percentile(sizes, 80)}
    ends = np.array([(row.low, row.high) for name, row in rows.items() if name not in far]).reshape(-1, 2)
    low, high = float(ends.min(initial=-0.01)), float(ends.max(initial=0.01))
    groups = {
        "above 0": ({name for name, row in rows.items() if row.low > 0}, scale[-2]),
        "below 0": ({name for name, row in rows.items() if row.high < 0}, scale[1]),
        "not distinguishable from 0": ({name for name, row in rows.items() if row.low <= 0 <= row.high}, i.muted),
    }
    drawn = [(group, *of, hollow) for hollow in ((False, True) if aside else (False,)) for group, of in groups.items()]
    for group, members, colour, hollow in drawn:
        names = [name for name in rows if name in members and (name in aside) == hollow]
        figure.add(
            "scatter",
            x=[float(np.clip(rows[name].value, low, high)) for name in names],
            y=[theme.escape(name) for name in names],
            mode="markers",
            marker={
                "size": 9,
                "color": i.paper if hollow else colour,
                "line": {"width": 1.5, "color": colour} if hollow else {"width": 1, "color": i.paper},
                "symbol": [_symbol(rows[name].value) if name in far else "circle" for name in names],
            },
            error_x=theme.whiskers(
                [rows[name].value for name in names],
                [rows[name].value if name in far else rows[name].low for name in names],
                [rows[name].value if name in far else rows[name].high for name in names],
                color=colour,
                thickness=1 if hollow else 2,
            ),
            customdata=[[signed(rows[name].value), rows[name].interval] for name in names],
            hovertemplate=f"<b>%{{y}}</b><br>%{{customdata[0]}}, 95% interval %{{customdata[1]}}<extra>{group}</extra>",
            name=group,
        )
    what = f"{measure} minus that of {than}" if than else measure
    for name in far:
        left = rows[name].value < 0
        text = signed(rows[name].value) + f" ({rows[name].interval})" * (not narrow)
        at = {"xanchor": "left" if left else "right", "xshift": 9 if left else -9, "bgcolor": i.paper}
        figure.write(text, low if left else high, theme.escape(name), i.text, **at)
    for name, row in rows.items() if numbers else ():
        beyond = {"xref": "paper", "xanchor": "right", "xshift": 46}  # their signs differ in width: digits line up
        figure.write(signed(row.value) if round(row.value, 3) else "±.000", 1, theme.escape(name), i.text, **beyond)
    room = 0.04 * (high - low)
    names = [wrap((called or {}).get(name, name), WRAPPED) if narrow else [name] for name in rows]
    places = [theme.escape(name) for name in rows]
    ticks = ["<br>".join(map(theme.escape, lines)) for lines in names]
    grey = f'<span style="color:{i.muted}">'
    if called and not narrow:
        plain = [theme.escape(called.get(name, "")) for name in rows]
        ticks = [f"{said}  {grey}{tick}</span>" if said else tick for said, tick in zip(plain, ticks, strict=True)]
    if head := sum(name in aside for name in rows):
        places.insert(head, COMPARED)
        ticks.insert(head, f"{grey}<i>{COMPARED}</i></span>")
    row = ROW + MORE_LINES * (max(map(len, names), default=1) - 1) + (10 if narrow else FEW) * (len(rows) < 6)
    figure.update_layout(
        showlegend=False,
        height=58 + row * max(len(places), 2),
        margin={"l": 8, "r": 56 if numbers else 16, "t": 8, "b": 46},
        xaxis={
            "title": {"text": theme.escape(what)},
            "range": [low - room, high + room],
            **_ticks(low, high, NARROW_TICKS if narrow else TICKS),
            "zeroline": True,
            "zerolinecolor": i.text,
            "zerolinewidth": 1,
        },
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": places,
            "range": [-0.5, len(places) - 0.5],  # the head's place has no point
            "showgrid": False,
            "automargin": True,
            "tickvals": places,
            "ticktext": ticks,
            "tickfont": {"size": theme.SIZE["note" if narrow else "body"], "color": i.text},
        },
    )
    told = [f"{name} {signed(row.value)} ({row.interval})" for name, row in reversed(rows.items())]
    return theme.describe(figure, f"{what}, with 95% intervals: {listed(told, 12) or 'there is none'}.")


@theme.as_figure(uirevision="reasons")
def differences_by_reason(
    rows: Sequence[tuple[str, float, int]],
    *,
    measure: str = "macro F1",
    hollow: Collection[str] = (),
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """A bar for each reason, in the order given, gold above 0 and blue below, with its mean and number of scores.

    Parameters
    ----------
    rows : sequence of (str, float, int)
        What the reason is called, the mean difference where it applies, and in how many scores it does.
    hollow : collection of str
        Rows that explain nothing: outlined, and where there is room said to be so.
    narrow : bool
        Names stand above their bars.
    """
    i, figure, scale = theme.ink(base), PlainFigure(), palette.DIVERGING[base]
    colours = [scale[-2] if mean > 0 else scale[1] for _, mean, _ in rows]
    names, means = [theme.escape(name) for name, *_ in rows], [mean for _, mean, _ in rows]
    figure.add(
        "bar",
        x=means,
        y=list(range(len(rows))),
        orientation="h",
        marker={
            "color": [i.paper if name in hollow else c for (name, *_), c in zip(rows, colours, strict=True)],
            "line": {"width": [1.5 * (name in hollow) for name, *_ in rows], "color": colours},
        },
        hoverinfo="skip",
        name="reasons",
    )
    told = [
        f"{signed(mean)} · {n} {'score' if n == 1 else 'scores'}{', not explained' * (name in hollow and not narrow)}"
        for name, mean, n in rows
    ]
    beyond = max((round(CHARACTER * len(text)) for text, mean in zip(told, means, strict=True) if mean < 0), default=0)
    for row, text in enumerate(told):
        name = {"x": 0, "xref": "paper", "xanchor": "left", "xshift": -beyond, "yanchor": "bottom", "yshift": 8}
        if narrow:
            figure.write(names[row], y=row, colour=i.text, bgcolor=i.paper, **name)
        side = {"xanchor": "right", "xshift": -6} if means[row] < 0 else {"xanchor": "left", "xshift": 6}
        figure.write(text, means[row], row, i.muted, **side)  # beyond its bar, on the bar's side
    low, high = min([*means, 0.0]), max([*means, 0.01])
    above = {"y": 1, "yref": "paper", "yanchor": "bottom", "yshift": 20 if narrow else 4}
    if low < 0:
        figure.write(f"ours lower {_square(scale[1])}", 0, colour=i.muted, xanchor="right", xshift=-6, **above)
    if max(means, default=0) > 0:
        figure.write(f"{_square(scale[-2])} ours higher", 0, colour=i.muted, xanchor="left", xshift=6, **above)
    figure.update_layout(
        height=74 + (ROW + 18 * narrow) * max(len(rows), 2),
        margin={
            "l": beyond if narrow else 8,
            "r": 210 if hollow and not narrow else 130,
            "t": 42 if narrow else 26,
            "b": 46,
        },
        bargap=0.7 if narrow else 0.35,
        xaxis={
            "title": {"text": f"{'' if narrow else 'mean difference of '}{measure}, ours minus the paper’s"},
            "range": [low - 0.02 * (high - low), high],
            **_ticks(low, high, NARROW_TICKS if narrow else FEW_TICKS),
            "zeroline": True,
            "zerolinecolor": i.text,
            "zerolinewidth": 1,
        },
        yaxis={
            "autorange": "reversed",
            "tickvals": list(range(len(rows))),
            "ticktext": names,
            "showticklabels": not narrow,
            "ticklabelstandoff": beyond,  # room for the numbers of the bars that come near
            "showgrid": False,
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    said = listed([f"{name} {text}" for (name, *_), text in zip(rows, told, strict=True)], 20)
    return theme.describe(figure, f"Mean difference of {measure} from the paper’s by reason: {said or 'none'}.")


def _square(colour: str) -> str:
    return f'<span style="color:{colour}">■</span>'


def _symbol(value: float) -> str:
    return "triangle-left" if value < 0 else "triangle-right"


def _ticks(low: float, high: float, count: int) -> dict:
    step = nice_step((high - low) / count)
    at = [step * k for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]
    digits = max(1, len(f"{step:g}".partition(".")[2]))
    return {"tickangle": 0, "tickvals": at, "ticktext": [signed(each, digits) if each else "0" for each in at]}
