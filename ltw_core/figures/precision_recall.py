"""Precision against recall, with the point at which a classifier works and one that is tried."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals

MAX_POINTS = 1500  # points of a curve that are drawn
LEVELS = (0.2, 0.4, 0.6, 0.8)


@dataclass(frozen=True, eq=False)
class PrecisionRecall:
    """One classifier's curve.

    Attributes
    ----------
    method : str
        Gives the colour.
    label : str
    recall, precision, threshold : ndarray, shape (points,)
        From the highest threshold down.
    average_precision : float
    working, tried : tuple of (recall, precision), optional
        Where the classifier works, and where it would with another threshold.
    """

    method: str
    label: str
    recall: np.ndarray
    precision: np.ndarray
    threshold: np.ndarray
    average_precision: float
    working: tuple[float, float] | None = None
    tried: tuple[float, float] | None = None


@theme.as_figure(height=400, uirevision="precision-recall")
def precision_recall(
    curves: Sequence[PrecisionRecall],
    *,
    base: str = "light",
) -> PlainFigure:
    """Curves over lines of equal F1; a ring where a classifier works, a filled point where it is tried.

    Where two curves have the same colour the second is dashed.
    """
    i = theme.ink(base)
    figure = PlainFigure()
    for level in LEVELS:
        half = level / 2  # of both axes, the hyperbola's: as fine where it is steep as where it is flat
        recall = half + np.geomspace(half**2 / (1 - half), 1 - half, 60)
        figure.add(
            "scatter",
            x=recall,
            y=level * recall / (2 * recall - level),
            mode="lines",
            line={"color": i.muted, "width": 1, "dash": "dot"},
            hoverinfo="skip",
            showlegend=False,
            name="F1",
        )
        figure.write(
            f"F1 = {level:.1f}".replace("0.", "."),
            1,
            level / (2 - level),
            i.muted,
            size=10.5,
            xanchor="left",
            xshift=10,  # beside the figure: within it, curves run there
        )
    used: list[str] = []
    for curve in curves:
        colour = palette.colour(curve.method, base)
        again = colour in used
        used.append(colour)
        keep = np.unique(np.linspace(0, curve.recall.size - 1, min(curve.recall.size, MAX_POINTS)).astype(int))
        figure.add(
            "scatter",
            x=np.append(0, curve.recall[keep]),
            y=np.append(curve.precision[0], curve.precision[keep]),
            customdata=[
                [decimals(curve.threshold[k]), decimals(curve.precision[k]), decimals(recall)]
                for k, recall in zip((0, *keep), (0, *curve.recall[keep]), strict=True)
            ],
            mode="lines",
            line={"color": colour, "width": 2.2, "dash": "dash" if again else "solid"},
            name=f"{theme.escape(curve.label)}, AP {decimals(curve.average_precision)}",
            hovertemplate="threshold %{customdata[0]}<br>precision %{customdata[1]}, recall %{customdata[2]}"
            "<extra></extra>",
        )
        points = ((curve.working, i.paper, 17, "own threshold"), (curve.tried, colour, 9, "trial threshold"))
        for place, fill, size, word in points:
            if place is not None:
                figure.add(
                    "scatter",
                    x=[place[0]],
                    y=[place[1]],
                    mode="markers",
                    cliponaxis=False,
                    marker={"size": size, "color": fill, "line": {"color": colour, "width": 2.5}},
                    name=word,
                    showlegend=False,
                    hovertemplate=f"{theme.escape(curve.label)} {word}<br>"
                    f"precision {decimals(place[1])}, recall {decimals(place[0])}<extra></extra>",
                )
    axis = {"range": [-0.01, 1.03], "tickvals": [0, 0.25, 0.5, 0.75, 1], "ticktext": ["0", ".25", ".5", ".75", "1"]}
    figure.update_layout(
        margin={"l": 56, "r": 44, "t": 40, "b": 48},
        xaxis={**axis, "title": {"text": "recall"}},
        yaxis={**axis, "title": {"text": "precision"}},
    )
    said = "".join(f" {_point(curve)}." for curve in curves)
    return theme.describe(figure, f"Precision against recall on the test documents.{said}")


def _point(curve: PrecisionRecall) -> str:
    """A classifier's average precision, and precision and recall at its thresholds."""
    said = f"{curve.label}: average precision {decimals(curve.average_precision)}"
    for place, word in ((curve.working, "its own threshold"), (curve.tried, "the one tried")):
        if place is not None:
            said += f"; at {word} precision {decimals(place[1])}, recall {decimals(place[0])}"
    return said
