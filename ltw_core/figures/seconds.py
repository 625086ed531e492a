"""F1 against what it costs: a point a weighting with a classifier, over the seconds that it takes."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals
from ltw_core.weighting import display

SYMBOLS = {"SVM": "circle", "LR": "square", "MNB": "diamond", "KNN": "triangle-up", "RF": "cross", "FT": "x"}


@theme.as_figure(height=440, uirevision="seconds")
def f1_by_seconds(
    rows: Sequence[tuple[str, str, float, float]],
    families: Mapping[str, str],
    *,
    measure: str = "F1",
    labels: Mapping[str, str] | None = None,
    learners: Mapping[str, str] | None = None,
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """One point a ⟨method, learner⟩: the method's family is the colour, the learner the shape. The best of each
    family is outlined, and named beside it.

    Parameters
    ----------
    rows : (method, learner, mean seconds a class, value of the measure)
    families : by method "UTW", "STW" or "LTW".
    labels, learners : what methods and learners are called, where that is not their name.
    narrow : the key below the figure and not beside it.
    """
    i, figure, bests, drawn = theme.ink(base), PlainFigure(), [], []
    for family, word in palette.IN_WORDS.items():
        of = [row for row in rows if families[row[0]] == family]
        if not of:
            continue
        best = max(of, key=lambda row: row[3])
        bests.append((best, palette.colour(family, base)))
        drawn.append((family, word, [row for row in of if row is not best], 1, 0.8))  # many lie on each other
        figure.add(  # in the key a full dot: the hollow shapes there are the learners'
            "scatter",
            x=[None],
            y=[None],
            mode="markers",
            marker={"size": 12, "color": palette.colour(family, base), "line": {"width": 0}},
            name=word,
            legendgroup=family,
            hoverinfo="skip",
        )
    outlined = [(families[best[0]], "best of its kind", [best], 2, 1) for best, _ in bests]  # above all others
    for family, word, of, width, opacity in (*drawn, *outlined):
        figure.add(
            "scatter",
            x=[row[2] for row in of],
            y=[row[3] for row in of],
            mode="markers",
            marker={
                "size": 10,  # the best, too, which may lie next to each other
                "opacity": opacity,
                "color": palette.colour(family, base),
                "symbol": [SYMBOLS.get(row[1], "star") for row in of],
                "line": {"width": width, "color": i.text if width > 1 else i.paper},
            },
            customdata=[[theme.escape(theme.label(row[0], labels)), row[1], decimals(row[3])] for row in of],
            hovertemplate=f"<b>%{{customdata[0]}}</b> with %{{customdata[1]}}<br>{measure} %{{customdata[2]}}, "
            "%{x:.2g} s a class<extra></extra>",
            name=word,
            legendgroup=family,
            showlegend=False,
        )
    here = {row[1] for row in rows}
    known = [name for name in SYMBOLS if name in here]
    for learner in (*known, *sorted(here - SYMBOLS.keys())):  # the key to the shapes
        shape = {"size": 10, "color": i.paper, "symbol": SYMBOLS.get(learner, "star")}
        shape["line"] = {"width": 1.5, "color": i.muted}
        called = (learners or {}).get(learner, learner)
        apart = {"legend": "legend2", "hoverinfo": "skip"}
        figure.add("scatter", x=[None], y=[None], mode="markers", marker=shape, name=called, **apart)
    times = [row[2] for row in rows] or [0.1, 10.0]
    _name_best(figure, bests, times, labels, base, narrow=narrow)
    column = {"orientation": "v", "x": 1.01, "y": 1, "yanchor": "top", "xanchor": "left", "tracegroupgap": 0}
    shapes = {**column, "y": 0.78, "font": {"size": theme.SIZE["note"], "color": i.text}}
    if narrow:  # a line a family, and three learners a line
        below = {"orientation": "h", "x": 0, "entrywidthmode": "pixels"}
        column |= {**below, "y": -0.17, "entrywidth": 210}
        shapes |= {**below, "y": -0.47, "entrywidth": 50}
    figure.update_layout(
        margin={"l": 56, "r": 14, "t": 36, "b": 164 if narrow else 44},
        legend=column,
        legend2=shapes,
        xaxis={
            "type": "log",
            "title": {"text": "seconds a class" + ("" if narrow else ": weighting, tuning, refitting and testing")},
            "range": [np.log10(max(min(times), 1e-3) * 0.7), np.log10(max(times) * 1.4)],
            **theme.decades(min(times), max(times)),
        },
        yaxis={"title": {"text": measure}, "tickformat": ".2f"},
    )
    alt_text = f"{measure} over seconds a class for {len(rows)} pairs of weighting and classifier"
    if rows:
        best = max(rows, key=lambda row: row[3])
        alt_text += f"; highest is {display(best[0])} with {best[1]}, {decimals(best[3])} in {best[2]:.2g} s"
    return theme.describe(figure, alt_text + ".")


def _name_best(
    figure: PlainFigure,
    bests: list[tuple[tuple[str, str, float, float], str]],
    times: Sequence[float],
    labels: Mapping[str, str] | None,
    base: str,
    *,
    narrow: bool,
) -> None:
    """The names of a few points, which may lie next to each other: to the left, above and to the right, in their
    order, but none beyond the edges; ``bests``: with their colours."""
    low, high = np.log10(min(times)), np.log10(max(times))
    aside = 16 if narrow else 44
    for k, ((name, _, seconds, value), colour) in enumerate(sorted(bests, key=lambda best: best[0][2])):
        x = np.log10(seconds)
        at, side = (x - low) / ((high - low) or 1), (k == len(bests) - 1) - (k == 0)
        if (at < 0.25 and side < 0) or (at > 0.75 and side > 0):
            side = 0
        look = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": theme.ink(base).muted, "standoff": 6}
        look |= {"ax": side * aside, "ay": -14 if side else -36, "xanchor": ("center", "left", "right")[side]}
        said = f"{theme.shortened(theme.label(name, labels), 22)} {decimals(value)}"
        figure.write(f"<b>{theme.escape(said)}</b>", x, value, theme.legible(colour, base), size=13, **look)
