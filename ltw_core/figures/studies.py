"""Studies class by class: F1, or a difference of F1, against how frequent a class is."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals, signed

PANEL, BETWEEN = 240, 56  # pixels of a row of panels, and between two rows
ONLY = 330  # of a single row
WHOLE = 0.5  # differences of F1 beyond it are arrows at the edge: a single test document makes one of 1
APART = 0.5  # decades between arrows at the edge that each have a label
BIN = 2.0  # classes whose frequencies lie within this factor are averaged in a line


def _share_axis(shares: Sequence[float]) -> dict:
    """The axis of how frequent a class is, in per cent, with more numbers where it is short."""
    known = np.asarray(shares, dtype=float)
    ratio = known.max() / known.min() if known.size else np.inf
    steps = (1,) if ratio > 30 else (1, 2, 5) if ratio > 4 else range(1, 10)
    ticks = [m * 10.0**e for e in range(-3, 3) for m in steps]
    return {
        "type": "log",
        "title": {"text": "share of the test documents"},
        "tickvals": ticks,
        "ticktext": [f"{tick:g}%" for tick in ticks],
        "tickangle": 0,
    }


@theme.as_figure(uirevision="prevalence")
def f1_by_prevalence(
    points: Mapping[str, tuple[Sequence[float], Sequence[float], Sequence[str]]],
    n_documents: int,
    *,
    labels: Mapping[str, str] | None = None,
    selected: str | None = None,
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """A panel a method, in its colour: a point a class, and a line of means over classes of like
    frequency, with those of the other methods behind it in grey.

    Parameters
    ----------
    points : by method: test documents of each class, its F1, its name. Classes without any are left out: their F1, 1
        if nothing is predicted and 0 otherwise, is another quantity.
    n_documents : test documents of the corpus.
    selected : a class to mark.
    narrow : two panels a row instead of one row of all.
    """
    i = theme.ink(base)
    figure = PlainFigure()
    tested = {name: _tested(*of) for name, of in points.items()}
    lines = {name: _means(np.array(of[0]) / n_documents, np.array(of[1], dtype=float)) for name, of in tested.items()}
    columns = min(2, len(tested)) if narrow else len(tested)
    rows = -(-len(tested) // max(columns, 1))
    for k, (name, (positives, f1, classes)) in enumerate(tested.items()):
        axes = {"xaxis": f"x{k + 1}" if k else "x", "yaxis": f"y{k + 1}" if k else "y"}
        colour, label = palette.colour(name, base), theme.escape(theme.label(name, labels))
        for x, y in (line for other, line in lines.items() if other != name):
            line = {"color": palette.translucent(i.muted, 0.55), "width": 1}
            figure.add("scatter", x=100 * x, y=y, mode="lines", line=line, hoverinfo="skip", name="others", **axes)
        figure.add(
            "scatter",
            x=100 * np.array(positives) / n_documents,
            y=np.array(f1, dtype=float),
            mode="markers",
            marker={"size": 6, "color": colour, "opacity": 0.35},
            customdata=[[theme.escape(c), int(n), decimals(v)] for c, n, v in zip(classes, positives, f1, strict=True)],
            hovertemplate=f"<b>%{{customdata[0]}}</b>, {label}<br>F1 %{{customdata[2]}}, %{{customdata[1]:,}} test "
            "documents<extra></extra>",
            name=label,
            **axes,
        )
        x, y = lines[name]
        look = {"mode": "lines", "line": {"color": colour, "width": 2.6}}
        if len(x) == 1:  # all classes are alike in frequency
            look = {"mode": "markers", "marker": {"size": 11, "color": colour, "symbol": "diamond"}}
        figure.add("scatter", x=100 * x, y=y, hoverinfo="skip", name=label, **look, **axes)
        places = [(100 * n / n_documents, v) for n, v, c in zip(positives, f1, classes, strict=True) if c == selected]
        _mark(figure, places, selected, base, 0.94, **axes)
        _panel(figure, k, columns, rows, [100 * n / n_documents for of in tested.values() for n in of[0]])
        where = {"xref": f"{axes['xaxis']} domain", "yref": f"{axes['yaxis']} domain"}
        words = {"xanchor": "left", "yanchor": "bottom", "yshift": 4, "size": theme.SIZE["panel"], **where}
        figure.write(f"<b>{label}</b>", 0, 1, theme.legible(colour, base), **words)
    figure.update_layout(
        height=(PANEL * rows if rows > 1 else ONLY) + 80,
        margin={"l": 56, "r": 2, "t": 32, "b": 48},
        showlegend=False,
        paper_bgcolor=i.paper,
    )
    figure.write("share of the test documents", 0.5, 0, i.muted, on_page=True, yanchor="top", yshift=-24, size=13)
    said = " ".join(_halves(theme.label(name, labels), *of[:2]) for name, of in tested.items())
    return theme.describe(figure, f"F1 of every class with test documents over its share of them. {said}".strip())


def _panel(figure: PlainFigure, k: int, columns: int, rows: int, shares: Sequence[float]) -> None:
    """The axes of the panel at place ``k``, row by row; those of F1 have their numbers at the left."""
    number, (row, column) = str(k + 1) if k else "", divmod(k, columns)
    across, down = 0.03, BETWEEN / (PANEL * rows)
    left, bottom = column * (1 + across) / columns, (rows - 1 - row) * (1 + down) / rows
    y = {"range": [-0.03, 1.03], "nticks": 6, "showticklabels": not column, "anchor": f"x{number}"}
    y["domain"] = [bottom, min(1.0, bottom + (1 - down * (rows - 1)) / rows)]
    if not column:
        y["title"] = {"text": "F1"}
    x = _share_axis(shares) | {"title": {"text": ""}, "anchor": f"y{number}"}
    x["domain"] = [left, min(1.0, left + (1 - across * (columns - 1)) / columns)]
    if k:
        x["matches"] = "x"
    figure.update_layout(**{f"xaxis{number}": x, f"yaxis{number}": y})


@theme.as_figure(height=340, uirevision="closer")
def difference_by_prevalence(
    positives: Sequence[float],
    differences: Sequence[float],
    classes: Sequence[str],
    n_documents: int,
    *,
    titles: tuple[str, str] = ("the first", "the second"),
    minus: str = "first minus second",
    selected: str | None = None,
    base: str = "light",
) -> PlainFigure:
    """One point a class: how much higher its F1 is under the first of two settings, gold above 0 and blue below; beyond
    ``WHOLE`` an arrow at the edge, with its number.

    Parameters
    ----------
    positives, differences, classes : sequences of equal length
        Test documents of each class, F1 of the first minus that of the second, and its name.
    n_documents : int
        Test documents of the corpus. Classes without any stand at half a document.
    titles : (str, str)
        The two settings in words.
    minus : str
        The difference in words, as short as an axis takes.
    selected : str, optional
        A class to mark.
    """
    i, figure = theme.ink(base), PlainFigure()
    share = 100 * np.maximum(np.asarray(positives, dtype=float), 0.5) / n_documents
    values = np.asarray(differences, dtype=float)
    most = min(WHOLE, max(0.05, float(np.abs(values).max(initial=0))))
    drawn, far = np.clip(values, -most, most), np.abs(values) > WHOLE
    symbols = np.where(far, np.where(values > 0, "triangle-up", "triangle-down"), "circle")
    scale = palette.DIVERGING[base]
    for name, mask, colour in (
        ("higher", values > 0, scale[-2]),
        ("lower", values < 0, scale[1]),
        ("equal", values == 0, i.muted),
    ):
        figure.add(
            "scatter",
            x=share[mask],
            y=drawn[mask],
            mode="markers",
            marker={
                "size": 9 if name != "equal" else 5,
                "color": colour,
                "line": {"width": 1, "color": i.paper},
                "symbol": symbols[mask].tolist(),
            },
            customdata=[
                [theme.escape(c), int(n), signed(v)]
                for c, n, v, m in zip(classes, positives, values, mask, strict=True)
                if m
            ],
            hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[2]}, %{customdata[1]:,} test documents"
            "<extra></extra>",
            name=name,
        )
    for up in (True, False):
        beyond = far & ((values > 0) == up)
        at = np.unique(np.log10(share[beyond]))
        for near in np.split(at, np.flatnonzero(np.diff(at) > APART) + 1) if at.size else ():  # have one label
            told = [values[beyond & (np.log10(share) == x)] for x in near]
            text = ", ".join(dict.fromkeys(signed(v) for each in told for v in each))
            figure.write(text, near[-1], most if up else -most, i.text, xanchor="left", xshift=7)
    marked = [(x, v) for x, v, c in zip(share, drawn, classes, strict=True) if c == selected]
    _mark(figure, marked, selected, base, 0.8 * most)
    figure.update_layout(
        showlegend=False,
        margin={"l": 56, "r": 14, "t": 14, "b": 44},
        xaxis=_share_axis(share),
        yaxis={
            "title": {"text": f"F1, {minus}"},
            "range": [-1.08 * most, 1.08 * most],
            "zeroline": True,
            "zerolinecolor": i.line,
            "nticks": 7,
        },
    )
    up, down = int((values > 0).sum()), int((values < 0).sum())
    said = (
        f"F1 of {titles[0]} minus that of {titles[1]} in {len(values)} classes over their share of the test documents"
    )
    largest = ""
    if up or down:
        k = int(np.argmax(np.abs(values)))
        largest = f" The largest difference is {signed(values[k])}, {classes[k]}."
    return theme.describe(figure, f"{said}: higher in {up}, lower in {down}.{largest}")


def _mark(
    figure: PlainFigure,
    places: list[tuple[float, float]],
    name: str | None,
    base: str,
    top: float,
    **axes: str,
) -> None:
    """Rings around the points of the chosen class, and its name above the highest, or below it where that lies above
    ``top``, near the end of the panel, whose are ``axes``."""
    if not places:
        return
    colour, (x, y) = theme.ink(base).selected, max(places, key=lambda place: place[1])
    figure.add(
        "scatter",
        x=[place[0] for place in places],
        y=[place[1] for place in places],
        mode="markers",
        marker={"size": 13, "color": colour, "symbol": "circle-open", "line": {"width": 2}},
        hoverinfo="skip",
        showlegend=False,
        name="chosen class",
        **axes,
    )
    look = {
        "xref": axes.get("xaxis", "x"),
        "yref": axes.get("yaxis", "y"),
        "yanchor": "top" if y > top else "bottom",
        "yshift": -8 if y > top else 8,
        "bgcolor": palette.translucent(theme.ink(base).paper, 0.7),
    }
    figure.write(f"<b>{theme.shortened(name, 24)}</b>", np.log10(x), y, colour, **look)


def _tested(positives: Sequence[float], *of: Sequence) -> list[list]:
    """The same lists without classes that have no test documents."""
    return [[value for value, n in zip(each, positives, strict=True) if n > 0] for each in (positives, *of)]


def _halves(label: str, positives: Sequence[float], f1: Sequence[float]) -> str:
    """Mean F1 of all classes, of the frequent half of them, and of the rare half."""
    f1 = np.asarray(f1, dtype=float)[np.argsort(-np.asarray(positives, dtype=float), kind="stable")]
    if len(f1) < 2:
        return f"{label}: F1 {decimals(f1[0])}." if len(f1) else f"{label}: no class."
    half = -(-len(f1) // 2)
    every, frequent, rare = (decimals(part.mean()) for part in (f1, f1[:half], f1[half:]))
    return f"{label}: mean {every}; {frequent} over the {half} most frequent classes, {rare} over the others."


def _means(share: np.ndarray, f1: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Geometric mean of the shares and mean F1 in bins of equal ratio."""
    bins = np.floor(np.log(share / share.min()) / np.log(BIN)).astype(int) if len(share) else np.zeros(0, int)
    each = [bins == b for b in np.unique(bins)]
    return np.array([np.exp(np.log(share[m]).mean()) for m in each]), np.array([f1[m].mean() for m in each])
