"""A weighting as a picture of some thousand pixels: its surface from above, in the colours that it has in every figure.

Where no terms lie it loses its colour, as the surface does. A weighting without a surface shows its terms as dots.
Leaves out axes and words: it is for telling weightings apart in a list.
"""

import struct
import zlib

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.heights import common_heights
from ltw_core.figures.panel_figure import fade
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel
from ltw_core.tasks import TermStatistics

SIZE = 33  # pixels along an axis


def thumbnail(panel: SurfacePanel, grid: Grid, terms: TermStatistics, base: str = "light") -> bytes:
    """The picture as a PNG: fpr to the right, tpr upwards.

    Parameters
    ----------
    panel : SurfacePanel
        In canonical form, computed on the grid; without a surface its terms' weights are drawn.
    grid : Grid
        One pixel a point.
    terms : TermStatistics
    base : {"light", "dark"}
    """
    common = common_heights([panel], grid, terms, PlaneView(base=base))
    scale = common.colours, common.cmin, common.cmax
    if (z := common.z[0]) is not None:
        veil = fade(grid, 0.92)[..., None]
        painted = palette.paint(z, *scale) * (1 - veil) + palette.rgb([theme.ink(base).faded])[0] * veil
    else:
        painted = _dots(common.weights[0], grid, terms, scale, base)
    return png(np.rint(painted[::-1]).astype(np.uint8))


def _dots(weights: np.ndarray, grid: Grid, terms: TermStatistics, scale: tuple, base: str) -> np.ndarray:
    """The terms in view on the page's colour, of a pixel's the one of the largest weight."""
    inside = np.flatnonzero(grid.inside(terms.tpr, terms.fpr))
    inside = inside[np.argsort(np.abs(weights[inside]), kind="stable")]
    rows, columns = (
        np.clip(np.searchsorted(along, axis.forward(rates[inside])), 0, along.size - 1)
        for along, axis, rates in ((grid.grid_y, grid.y, terms.tpr), (grid.grid_x, grid.x, terms.fpr))
    )
    painted = np.tile(palette.rgb([palette.PAPER[base]])[0].astype(float), (*grid.tpr.shape, 1))
    painted[rows, columns] = palette.paint(weights[inside], *scale)
    return painted


def png(pixels: np.ndarray) -> bytes:
    """Pixels as a PNG (ISO/IEC 15948), unfiltered.

    Parameters
    ----------
    pixels : ndarray of uint8, shape (rows, columns, 3)
        Red, green and blue, the topmost row first.
    """
    rows, columns, _ = pixels.shape

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    lines = np.concatenate([np.zeros((rows, 1), dtype=np.uint8), pixels.reshape(rows, -1)], axis=1)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)
