"""One surface at many moments: a figure of one of them, and for each moment only what moves, in few bytes.

A browser draws the figure once and moves its heights; colours follow from heights. Heights are 16-bit numbers over the
axis that all moments share: 60 moments of a surface with a thousand points take a third of a megabyte.
"""

import base64
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.heights import common_heights
from ltw_core.figures.panel_figure import fade, finding
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel, sentence
from ltw_core.figures.points import marked_terms, places
from ltw_core.figures.surfaces import POINT_LIMIT, surfaces
from ltw_core.tasks import TermStatistics

STEPS = 65535


@dataclass(frozen=True, eq=False)
class Frames:
    """``figure`` shows the moment ``start``; ``data`` is JSON: what ``timeline.js`` needs to show any other.

    ``alts`` is the alternative text at every moment.
    """

    figure: PlainFigure
    data: dict[str, Any]
    alts: list[str]


def surface_frames(
    panels: list[SurfacePanel], grid: Grid, terms: TermStatistics, view: PlaneView, *, start: int
) -> Frames:
    """Prepare moments of one training.

    Parameters
    ----------
    panels : one a moment, in canonical form; all with a surface, or none.
    view : how they are shown; heights are those of the canonical form unless it says otherwise, terms are not named
        unless it says how many.
    start : the moment that the figure shows first.
    """
    view = replace(view, heights="rms" if view.heights == "auto" else view.heights, labels=view.labels or 0)
    common = common_heights(panels, grid, terms, view)
    limits = (common.low, common.high)
    figure = surfaces.plain([panels[start]], grid, terms, replace(view, limits=limits))
    inside = grid.inside(terms.tpr, terms.fpr)
    shown = places(terms, inside, POINT_LIMIT, common.weights[start]).first
    marked = marked_terms(terms, inside, view.selected)
    span = common.high - common.low
    data = {
        "low": common.low,
        "high": common.high,
        "lift": 0.012 * span,
        "points": _packed([w[shown] for w in common.weights], limits),
        "marked": _packed([w[marked] for w in common.weights], limits),
        "traces": {trace["name"]: k for k, trace in enumerate(figure.data)},
        "frames": len(panels),
    }
    if common.z[start] is not None:
        veil = fade(grid, 0.92).ravel() if view.faded else np.zeros(grid.tpr.size)
        lut = palette.paint(np.linspace(*limits, 256), common.colours, common.cmin, common.cmax)
        data |= {
            "surface": panels[start].name,
            "z": _packed([z.ravel() for z in common.z], limits),
            "dark": _text(
                palette.on_dark(np.linspace(*limits, 256), common.colours, common.cmin, common.cmax).astype("u1")
            ),
            "veil": _text(np.rint(255 * veil).astype(np.uint8)),
            "lut": _text(np.rint(lut).astype(np.uint8).ravel()),
            "faded": palette.rgb([theme.ink(view.base).faded])[0].astype(int).tolist(),
        }
    alts = [
        f"{sentence('3D surface', view, [panel], grid, len(terms))} {finding(panel, z, weights, grid, terms)}"
        for panel, z, weights in zip(panels, common.z, common.weights, strict=True)
    ]
    return Frames(figure, data, alts)


def _packed(rows: list[np.ndarray], limits: tuple[float, float]) -> str:
    """Values of all frames, one after the other, as base64 of little-endian 16-bit numbers."""
    low, high = limits
    values = np.stack(rows) if rows else np.zeros((0, 0))
    return _text(np.rint(STEPS * np.clip((values - low) / (high - low), 0, 1)).astype("<u2"))


def _text(array: np.ndarray) -> str:
    return base64.b64encode(array.tobytes()).decode()
