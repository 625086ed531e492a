"""One surface at many moments: a figure of one of them, and for each moment only what moves, in few bytes.

A browser draws the figure once and moves its heights; colours follow from heights. Heights are 16-bit numbers over the
axis that all moments share: 60 moments of a surface with a thousand points take a third of a megabyte.
"""

import base64
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.heights import Heights, common_heights
from ltw_core.figures.panel_figure import fade, finding
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel, sentence
from ltw_core.figures.points import places
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
        unless it says how many. What lies beyond its ``limits`` is cut.
    start : the moment that the figure shows first.
    """
    view = replace(view, heights="rms" if view.heights == "auto" else view.heights, labels=view.labels or 0)
    common = common_heights(panels, grid, terms, view)
    limits = (common.low, common.high)
    figure = surfaces.plain([panels[start]], grid, terms, replace(view, limits=limits))
    inside = grid.inside(terms.tpr, terms.fpr)
    shown = places(terms, inside, POINT_LIMIT, common.weights[start]).first
    labelled = [int(note["name"]) for note in figure.layout["scene"].get("annotations", [])]
    data = {
        **axis_of(common),
        "points": _packed([w[shown] for w in common.weights], limits),
        "labels": _packed([w[labelled] for w in common.weights], limits),
        "traces": {trace["name"]: k for k, trace in enumerate(figure.data)},
        "frames": len(panels),
    }
    if common.z[start] is not None:
        data |= {"surface": panels[start].name, "z": _packed([z.ravel() for z in common.z], limits)}
        data |= colours_of(common, grid, view.base, view.faded)
    whole = common if view.limits is None else common_heights(panels, grid, terms, replace(view, limits=None))
    alts = [
        f"{sentence('3D surface', view, [panel], grid, len(terms))} {finding(panel, z, weights, grid, terms)}"
        for panel, z, weights in zip(panels, whole.z, whole.weights, strict=True)
    ]
    return Frames(figure, data, alts)


def _packed(rows: list[np.ndarray], limits: tuple[float, float]) -> str:
    """Values of all frames, one after the other, as base64 of little-endian 16-bit numbers."""
    low, high = limits
    values = np.stack(rows) if rows else np.zeros((0, 0))
    return as_text(np.rint(STEPS * np.clip((values - low) / (high - low), 0, 1)).astype("<u2").tobytes())


def axis_of(common: Heights) -> dict[str, float]:
    """The ends of the axis of heights, and how far above the surface its points lie."""
    return {"low": common.low, "high": common.high, "lift": 0.012 * (common.high - common.low)}


def colours_of(common: Heights, grid: Grid, base: str, faded: bool) -> dict[str, Any]:
    """What a browser colours heights by: a table of 256 over the axis, which of them are dark, and how much of its
    colour each point of the grid loses (``faded``: where no terms lie)."""
    scale = np.linspace(common.low, common.high, 256), common.colours, common.cmin, common.cmax
    veil = fade(grid, 0.92).ravel() if faded else np.zeros(grid.tpr.size)
    tables = {"lut": palette.paint(*scale), "dark": palette.on_dark(*scale), "veil": 255 * veil}
    found = {name: as_text(np.rint(table).astype(np.uint8).tobytes()) for name, table in tables.items()}
    return found | {"faded": palette.rgb([theme.ink(base).faded])[0].astype(int).tolist()}


def as_text(content: bytes) -> str:
    """Bytes as base64."""
    return base64.b64encode(content).decode()
