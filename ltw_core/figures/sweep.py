"""The surfaces of a figure at every place of a slider, in few bytes: a browser shows them while its thumb moves.

Heights are bytes over the axis of the figure that is shown, which stays as it is: enough for what moves. When the thumb
rests, the figure itself comes.
"""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ltw_core.figures.frames import as_text, axis_of, colours_of
from ltw_core.figures.heights import common_heights
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel
from ltw_core.figures.points import places
from ltw_core.figures.surfaces import POINT_LIMIT
from ltw_core.tasks import TermStatistics

TOP = 255


def sweep(
    moments: Sequence[list[SurfacePanel]],
    shown: list[SurfacePanel],
    grid: Grid,
    terms: TermStatistics | None,
    view: PlaneView,
) -> dict[str, Any]:
    """The panels of a figure as they are at each place.

    Parameters
    ----------
    moments : the panels at each place of the slider, as many as are shown.
    shown : the panels of the figure that is on the page, drawn by ``surfaces`` with this grid, these terms, this view.

    Returns
    -------
    dict
        JSON. ``packed``: by place and panel the heights of the mesh, row by row, then by place and panel those of the
        points, ``points`` of them a panel; a byte each between ``low`` and ``high``, together as zlib in base64.
    """
    common = common_heights(shown, grid, terms, view)
    limits = (common.low, common.high)
    drawn = []
    if terms is not None and len(terms):
        inside = grid.inside(terms.tpr, terms.fpr)
        drawn = [places(terms, inside, POINT_LIMIT, weights).first for weights in common.weights]
    sheets, points = [], []
    for panels in moments:
        at = common_heights(panels, grid, terms, replace(view, limits=limits))
        sheets += [_bytes(z, limits) for z in at.z]
        points += [_bytes(w[first], limits) for w, first in zip(at.weights, drawn, strict=False)]
    return {
        **axis_of(common),
        **colours_of(common, grid, view.base, view.faded and bool(drawn)),
        "panels": len(shown),
        "places": len(moments),
        "points": [len(first) for first in drawn],
        "packed": as_text(zlib.compress(b"".join([*sheets, *points]))),
    }


def _bytes(values: np.ndarray, limits: tuple[float, float]) -> bytes:
    low, high = limits
    return np.rint(TOP * np.clip((values.ravel() - low) / (high - low), 0, 1)).astype(np.uint8).tobytes()
