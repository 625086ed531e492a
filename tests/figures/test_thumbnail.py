"""A weighting as a small picture: a PNG that any reader opens, with the colours of the figures."""

import struct
import zlib

import numpy as np
import pytest

from ltw_core.figures import palette, term_grid
from ltw_core.figures.plane_view import SurfacePanel
from ltw_core.figures.thumbnail import SIZE, png, thumbnail
from ltw_core.tasks import TermStatistics


def pixels(content: bytes) -> np.ndarray:
    """What a PNG holds, read as its standard says; checksums too."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    parts, at = {}, 8
    while at < len(content):
        (size,), kind = struct.unpack(">I", content[at : at + 4]), content[at + 4 : at + 8]
        parts[kind] = content[at + 8 : at + 8 + size]
        assert struct.unpack(">I", content[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + parts[kind])
        at += 12 + size
    columns, rows, depth, colours = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, colours) == (8, 2)
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), dtype=np.uint8).reshape(rows, 1 + 3 * columns)
    assert not lines[:, 0].any()
    return lines[:, 1:].reshape(rows, columns, 3)


@pytest.fixture
def terms():
    """Three terms: typical of the class, of the others, and of neither."""
    return TermStatistics.of_rates(np.array(["a", "b", "c"]), [0.9, 0.1, 0.5], [0.1, 0.9, 0.5], 0.5, 1000)


def test_pixels_come_back():
    drawn = np.random.default_rng(0).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    assert np.array_equal(pixels(png(drawn)), drawn)


def test_high_is_where_tpr_is_high_and_nothing_lies_where_no_terms_are(terms):
    grid = term_grid(terms, region="terms", scale="linear", size=SIZE)
    found = pixels(thumbnail(SurfacePanel("x", grid.tpr - grid.fpr), grid, terms)).astype(int)
    assert found.shape == (SIZE, SIZE, 3)
    warm = found[..., 0] - found[..., 2]  # gold has more red than blue
    places = [
        (SIZE - 1 - np.searchsorted(grid.grid_y, tpr), np.searchsorted(grid.grid_x, fpr))
        for tpr, fpr in zip(terms.tpr, terms.fpr, strict=True)
    ]
    a, b, c = (warm[np.clip(row, 0, SIZE - 1), np.clip(column, 0, SIZE - 1)] for row, column in places)
    assert a > 60 and b < -60 and abs(c) < 30


def test_without_a_surface_terms_are_dots_on_the_page(terms):
    grid = term_grid(terms, region="terms", scale="linear", size=SIZE)
    found = pixels(thumbnail(SurfacePanel("x", None, np.array([1.0, -1.0, 0.5])), grid, terms, "dark"))
    paper = np.array(palette.rgb([palette.PAPER["dark"]])[0])
    assert (found != paper).any(axis=-1).sum() == 3


def test_where_seeds_lie_apart_a_surface_loses_its_colour():
    panel = SurfacePanel("mean", np.full((2, 2), 2.0), spread=np.array([[0.0, 1.0], [2.0, 9.0]]))
    assert panel.uncertain.tolist() == [[0, 0.5], [1, 1]]  # as a share of the RMS height, 2
    assert SurfacePanel("one", np.ones((2, 2))).uncertain is None
