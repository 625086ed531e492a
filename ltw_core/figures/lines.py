"""Functions as lines, named at their ends: slices of the plane, factors over frequency, quantities over steps."""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import LETTER, in_rows
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import percent
from ltw_core.figures.plane_view import prevalence
from ltw_core.figures.points import together
from ltw_core.figures.sentences import course

FEW_DECADES = 1000  # times its lowest: an axis that ends below has ticks between powers of ten
ON_CURVE = 2.2  # occurrences from a curve's name to the next curve's
LEADER = 16  # pixels of the line from a curve's end to its name, where names had to move apart
NAMED_THERE = 0.015  # of the height: so near to its curve's end a name needs no line
PHONE = 480  # pixels of a page on which slices have their narrow layout
NARROW = 280  # pixels of the curves on a narrow page
NAMES = 345  # pixels across for names above curves there
SAMPLE = 27  # pixels before each of them, for a piece of its line
SLICE_WORDS = {
    "tpr": ("tpr", "at fpr = {}"),
    "fpr": ("fpr", "at tpr = {}"),
    "diagonal": ("tpr = fpr", "along the diagonal"),
    "antidiagonal": ("tpr = 1 − fpr", "along the other diagonal"),
}
HIGHER = 0.5  # of the height that curves have among terms: for what they have above and below that, elsewhere
GREY, PALE = 0.16, 0.6  # how much of the page and of the curves is covered where no terms are
FEW_POINTS = 5  # of a curve, where terms are: with fewer its scale is that of all of it


@theme.as_figure(height=360, uirevision="slices")
def slices(
    running,
    curves: Mapping[str, np.ndarray],
    *,
    along: str = "tpr",
    at: float = 0.01,
    scale: str = "linear",
    p: float | None = None,
    rug=None,
    marked: Mapping[str, float] | None = None,
    normalise: bool = True,
    base: str = "light",
) -> PlainFigure:
    """Functions along one line of the plane, overlaid.

    Parameters
    ----------
    running : array_like
        The rate that runs, from ``insight.slice_points``.
    curves : mapping of display name to weights
    rug : array_like, optional
        Rates of terms, drawn as ticks below the curves: where there is data.
    marked : mapping of term to its rate, optional
        Terms that are named there.
    normalise : bool
        Scale each curve to a largest magnitude of 1, where there are terms.
    """
    word, where = SLICE_WORDS[along]
    where = where.format(percent(float(f"{at:.3g}")))
    running = np.asarray(running, dtype=float)
    among = slice(None)
    if rug is not None and len(rug):
        inside = np.flatnonzero((running >= min(rug)) & (running <= max(rug)))
        among = inside if inside.size >= FEW_POINTS else among
    drawn = {name: _scaled(values, normalise, among) for name, values in curves.items()}
    figure = lines(running, drawn, normalise=normalise, log=scale == "log", base=base, x_is_rate=True, among=among)
    low, high = figure.layout["yaxis"]["range"]
    if rug is not None:
        ends = (min(rug), max(rug)) if len(rug) else (running.max(), running.max())
        _without_terms(figure, (running.min(), ends[0]), base)
        _without_terms(figure, (ends[1], running.max()), base)
    if rug is not None and len(rug):
        rug = np.asarray(rug, dtype=float)
        rug = np.unique(np.round(np.clip(rug, running.min(), running.max()), 5))
        foot = np.full(len(rug), low + 0.015 * (high - low), dtype=np.float32)
        ticks = {"symbol": "line-ns", "size": 7, "line": {"width": 1, "color": theme.ink(base).muted}}
        there = {"x": rug.astype(np.float32), "y": foot, "mode": "markers", "marker": ticks, "opacity": 0.8}
        figure.add("scattergl", **there, hovertemplate="a term at %{x:.3~%}<extra></extra>", name="terms")
    if marked:
        at_rate: dict[float, list[str]] = {}
        for term, rate in marked.items():
            at_rate.setdefault(float(np.clip(rate, running.min(), running.max())), []).append(term)
        names = {rate: together(terms, len(terms)) for rate, terms in at_rate.items()}
        rates = np.array(list(names), dtype=np.float32)
        level, side = map(np.array, zip(*_levels(names, running, log=scale == "log"), strict=True))
        bottom = np.full(len(rates), low + 0.03 * (high - low), dtype=np.float32)
        ink, there = theme.ink(base).selected, {"x": rates, "zorder": 3}
        look = {"symbol": "line-ns", "size": 16, "line": {"width": 2, "color": ink}}
        figure.add("scatter", **there, y=bottom, mode="markers", marker=look, hoverinfo="skip", name="marks")
        figure.add(
            "scatter",
            **there,
            y=(bottom + (0.03 + 0.05 * level) * (high - low)).astype(np.float32),
            mode="text",
            text=[f"<b>{theme.escape(name)}</b>" for name in names.values()],
            textposition=[f"top {name}" for name in side],
            textfont={"size": theme.SIZE["note"], "color": ink},
            hovertemplate="%{text} at %{x:.3~%}<extra></extra>",
            name="selected",
        )
    pr = "" if p is None else f", Pr(c) = {prevalence(p)}"
    between = (1, 2, 5) if running.max() < FEW_DECADES * max(running.min(), 1e-5) else (1,)
    ticks = [float(f"{m}e{k}") for k in range(-5, 1) for m in between]
    ticks = [t for t in ticks if running.min() <= t <= 1.001 * running.max()]
    figure.update_layout(
        title=theme.title(f"<b>Weight along {word}</b>{f' {where}' if where[:2] == 'at' else ''}{pr}"),
        xaxis={
            "title": {"text": word},
            "tickformat": ".0%",
            **({"tickvals": ticks, "ticktext": [percent(t) for t in ticks]} if scale == "log" else {}),
        },
        meta={"below": PHONE},
    )
    place = lambda rate: f"{word} = {percent(float(f'{rate:.3g}'))}"  # noqa: E731
    return theme.describe(figure, f"Weight along {word}, {where}{pr}. {_courses(running, drawn, place)}")


def _without_terms(figure: PlainFigure, between: tuple[float, float], base: str) -> None:
    """Grey where no terms are, as on the surfaces, and curves that are pale there."""
    (x0, x1), (low, high), i = between, figure.layout["yaxis"]["range"], theme.ink(base)
    if x1 <= x0:
        return
    look = {"fillcolor": palette.translucent(i.muted, GREY), "line": {"width": 0}, "layer": "below"}
    figure.add_shape(type="rect", xref="x", yref="y domain", x0=x0, x1=x1, y0=0, y1=1, **look)
    veil = palette.translucent(palette.hex_colours(palette.paint([GREY], [i.paper, i.muted], 0, 1))[0], PALE)
    corners = {"x": [x0, x1, x1, x0], "y": [low, low, high, high], "mode": "none", "name": "no terms"}
    figure.add("scatter", **corners, fill="toself", fillcolor=veil, hoverinfo="skip", zorder=2)


@theme.as_figure(height=340, uirevision="dd")
def dd_curves(
    frequency,
    curves: Mapping[str, np.ndarray],
    *,
    normalise: bool = True,
    title: str = "Weight of a term’s frequency in the document",
    learned: str = "",
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """Document-dependent factors over a term's frequency; ``normalise`` brings each to 1 at its last frequency.

    ``learned`` is the one that learned weightings have: it stands out, and each has its name on its curve or, where the
    figure is too ``narrow`` for that, one below the other at their ends.
    """
    frequency = np.asarray(frequency, dtype=float)
    heights = {name: _scaled(values, normalise) for name, values in curves.items()}
    figure = lines(frequency, heights, normalise=normalise, base=base, x_is_rate=False)
    if learned:
        colour, name = palette.colour("LTW-L-I", base), theme.escape(learned)
        line = next(trace["line"] for trace in figure.data if trace["name"] == name)
        line |= {"color": colour, "dash": "solid", "width": 3}
        for note in figure.layout["annotations"]:
            if note["text"] == f"<b>{name}</b>":
                note["font"] |= {"color": theme.legible(colour, base)}
    if learned and not narrow:
        _name_on_curves(figure, frequency, heights, base)
    figure.update_layout(
        title=theme.title(f"<b>{title}</b>"),
        xaxis={"title": {"text": "occurrences in the document"}, "tickformat": "d"},
    )
    place = lambda count: f"{count:,.0f} occurrence{'' if count == 1 else 's'}"  # noqa: E731
    return theme.describe(figure, f"{title}. {_courses(frequency, heights, place)}")


def name_above(figure: PlainFigure) -> None:
    """Give the plot of ``slices``, with nothing else written on it, all of the width: above it the curves' names with
    pieces of their lines, in the order of the curves."""
    curves = {f"<b>{trace['name']}</b>": trace["line"] for trace in figure.data if trace["mode"] == "lines"}
    notes = {re.sub(" [↑↓](?=</b>)", "", note["text"]): note for note in figure.layout["annotations"]}
    figure.layout["shapes"] = [each for each in figure.layout["shapes"] if "xsizemode" not in each]  # leaders
    places = in_rows([text[3:-4] for text in curves], NAMES, SAMPLE)
    rows = max((row for _, row in places), default=0)
    page = {"xref": "paper", "yref": "paper", "xsizemode": "pixel", "ysizemode": "pixel", "xanchor": 0, "yanchor": 1}
    for (text, line), (across, row) in zip(curves.items(), places, strict=True):
        up, left = 4 + 18 * (rows - row), across + 4 - figure.layout["margin"]["l"]  # from where the heading begins
        notes[text] |= {"x": 0, "y": 1, "yref": "paper", "yanchor": "bottom", "xshift": left + SAMPLE, "yshift": up}
        ends = {"x0": left, "x1": left + SAMPLE - 5, "y0": up + 9, "y1": up + 9}
        figure.add_shape(type="line", **ends, **page, line=line)
    figure.layout["margin"] |= {"r": 12, "t": 62 + 18 * rows}
    figure.layout["title"] |= {"y": 1, "yanchor": "top", "pad": {"t": 20}}  # however many rows of names


def _name_on_curves(figure: PlainFigure, x: np.ndarray, curves: dict[str, np.ndarray], base: str) -> None:
    """Names that stand on their curves, from the highest to the lowest further right, as all end alike."""
    figure.layout |= {"annotations": [], "shapes": []}
    figure.layout["margin"]["r"] = 20
    lines_of = {trace["name"]: trace["line"] for trace in figure.data}
    for k, name in enumerate(sorted(curves, key=lambda name: -curves[name].mean())):
        line, at = lines_of[theme.escape(name)], min(2 + ON_CURVE * k, x.max())
        words, y = f"<b>{theme.escape(name)}</b>", float(np.interp(at, x, curves[name]))
        lowest = {"yanchor": "top", "yshift": -4}  # below it there is room
        look = lowest if k == len(curves) - 1 else {"bgcolor": theme.ink(base).paper, "borderpad": 1}
        figure.write(words, at, y, theme.legible(line["color"], base), **look)


@theme.as_figure(height=360, uirevision="course")
def curves_over_steps(
    steps,
    curves: Mapping[str, np.ndarray],
    *,
    best_step: int | None = None,
    title: str = "",
    unit: str = "",
    base: str = "light",
) -> PlainFigure:
    """Curves over training steps.

    Parameters
    ----------
    steps : array_like of int
    curves : mapping of display name to values at the steps
    best_step : int, optional
        Marked: the step whose parameters were kept.
    unit : str
        What the values are, for the axis.
    """
    steps = np.asarray(steps, dtype=float)
    figure = lines(steps, curves, normalise=False, base=base, x_is_rate=False)
    if best_step is not None:
        figure.add_vline(x=best_step, line={"color": theme.ink(base).muted, "width": 1, "dash": "dot"})
        figure.write("kept", best_step, 1, theme.ink(base).muted, yref="paper", xanchor="left", yanchor="top", xshift=3)
    figure.update_layout(
        title=theme.title(f"<b>{title}</b>"),
        xaxis={"title": {"text": "step"}, "tickformat": ",d", "hoverformat": ",d"},
        yaxis={"title": {"text": unit}},
    )
    said = _courses(steps, curves, lambda step: f"step {step:,.0f}")
    return theme.describe(figure, f"{title} over {int(steps.max(initial=0)):,} steps. {said}")


def _courses(x, curves: Mapping[str, np.ndarray], place: Callable[[float], str]) -> str:
    """How each curve goes, a sentence each."""
    return " ".join(f"{course(name, x, y, place)}." for name, y in curves.items())


def _scaled(values, normalise: bool, among: Any = slice(None)) -> np.ndarray:
    """A curve as it is drawn: without infinities, and if that is asked for with a largest magnitude of 1 ``among`` some
    of its points."""
    y = np.nan_to_num(np.asarray(values, dtype=float), posinf=0, neginf=0)
    peak = np.abs(y[among]).max(initial=0)
    return y / peak if normalise and peak > 0 else y


def lines(
    x, curves, *, normalise: bool, base: str, x_is_rate: bool, log: bool = False, among: Any = slice(None)
) -> PlainFigure:
    """Curves over a common x, each named at its end. ``normalise``: they have been scaled, which the axis says. It has
    room for what is ``among`` some points, and for the rest as far as that makes it ``HIGHER`` at most: the
    name of a curve that ends beyond has an arrow."""
    i, figure, ends = theme.ink(base), PlainFigure(), {}
    styles = palette.distinct_styles(curves, base)
    low, high, least, most = 0.0, 0.0, 0.0, 0.0
    for name, values in curves.items():
        y = _scaled(values, False)
        low, high = min(low, y[among].min(initial=0)), max(high, y[among].max(initial=0))
        least, most = min(least, y.min(initial=0)), max(most, y.max(initial=0))
        colour, dash = styles[name]
        learned = palette.is_learned(name)
        figure.add(
            "scatter",
            x=x.astype(np.float32),
            y=y.astype(np.float32),
            mode="lines",
            line={"color": colour, "width": 3 if learned else 2, "dash": dash},
            zorder=int(dash != "solid"),  # a dashed line lies above a solid one, so that both are seen
            name=theme.escape(name),
            hovertemplate="%{y:.3~f}",
        )
        ends[name] = (float(y[-1]) if y.size else 0.0, theme.legible(colour, base), y.mean() if y.size else 0.0)
    more = HIGHER * (high - low)
    low, high = max(least, low - more), min(most, high + more)
    room = 0.06 * ((high - low) or 1)
    low, high = low - room, high + room
    beyond = {name: " ↑" * bool(y > high) + " ↓" * bool(y < low) for name, (y, *_) in ends.items()}
    ends = {name: (float(np.clip(y, low, high)), *rest) for name, (y, *rest) in ends.items()}
    by_height = sorted(ends, key=lambda n: ends[n][2])  # of those that end alike, the higher curve has the higher name
    places = apart({n: ends[n][0] for n in by_height}, 0.062 * (high - low), low, high)
    leads = any(abs(y - ends[name][0]) > NAMED_THERE * (high - low) for name, y in places.items())
    for name, y in places.items():
        beside = {"xref": "paper", "xanchor": "left", "xshift": LEADER + 5 if leads else 6}
        figure.write(f"<b>{theme.escape(name)}{beyond[name]}</b>", 1, y, ends[name][1], **beside)
        if leads and not beyond[name]:  # of a curve that ends elsewhere the arrow tells
            ends_at = {"x0": 1, "x1": LEADER, "y0": ends[name][0], "y1": y, "xref": "paper", "xanchor": 1}
            figure.add_shape(type="line", xsizemode="pixel", **ends_at, line={"color": styles[name][0], "width": 1})
    longest = max((len(n) for n in curves), default=0)
    figure.update_layout(
        showlegend=False,
        hovermode="x unified",
        margin={"l": 48, "r": 20 + LEADER * leads + 8 * longest, "t": 44, "b": 44},
        xaxis={"type": "log" if log else "linear", "showgrid": False, "hoverformat": ".3~%" if x_is_rate else "d"},
        yaxis={
            "range": [low, high],
            "zeroline": True,
            "zerolinecolor": i.line,
            "nticks": 6,
            "title": {
                "text": f"weight (±1 = each curve’s largest{' among terms' * x_is_rate})" if normalise else "weight"
            },
            "ticks": "outside",  # unseen: numbers keep their distance from the curves
            "ticklen": 8,
            "tickcolor": i.paper,
        },
    )
    return figure


def _levels(names: Mapping[float, str], running: np.ndarray, *, log: bool) -> list[tuple[int, str]]:
    """A line for each name at a rate, the lowest on which it meets no other on a narrow page, and a side within it."""
    place = np.log10 if log else np.asarray
    low, high = place(running.min()), place(running.max())
    taken: list[list[tuple[float, float]]] = []
    levels = []
    for rate, name in names.items():
        middle, half = NARROW * float((place(rate) - low) / ((high - low) or 1)), LETTER * (len(name) + 2) / 2
        side = int(middle < half) - int(middle > NARROW - half)
        box = (middle + (side - 1) * half, middle + (side + 1) * half)
        free = (k for k, row in enumerate(taken) if all(box[1] < a or b < box[0] for a, b in row))
        level = next(free, len(taken))
        taken += [[]] * (level == len(taken))
        taken[level].append(box)
        levels.append((level, ("left", "center", "right")[side + 1]))
    return levels


def apart(heights: dict, gap: float, low: float, high: float) -> dict:
    """Heights of labels moved so that none lies on another, in their order and within the axis."""
    order = sorted(heights, key=lambda n: heights[n])
    placed = dict(heights)
    for _ in range(60):
        for a, b in pairwise(order):
            overlap = gap - (placed[b] - placed[a])
            if overlap > 1e-9:
                placed[a] -= overlap / 2
                placed[b] += overlap / 2
    top, bottom = high - gap / 2, low + gap / 2
    for name in reversed(order):  # from the top only as far down as those above need
        placed[name] = min(placed[name], top)
        top = placed[name] - gap
    for name in order:
        placed[name] = max(placed[name], bottom)
        bottom = placed[name] + gap
    return placed
