"""One surface that changes from weighting to weighting, and the words of a document with a place on it.

A browser draws it, morphs its heights and shades the words: a word has the colour that the surface has where its term
lies. What is drawn is the figure of ``surface_frames``, whose moments are weightings here.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ltw_core.figures import palette
from ltw_core.figures.frames import Frames, surface_frames
from ltw_core.figures.heights import common_heights
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel
from ltw_core.tasks import TermStatistics

LEVELS = 256  # colours of the table that a browser looks up


def turntable(
    panels: list[SurfacePanel], grid: Grid, terms: TermStatistics, view: PlaneView, *, start: int
) -> tuple[Frames, "Words"]:
    """Weightings as one surface, each scaled to its own strongest term, and what finds the words of a document on it.

    Parameters
    ----------
    panels : one a weighting, in canonical form, each with a surface.
    start : the weighting that is shown first; ``view.labels`` of its strongest terms are named.

    Returns
    -------
    frames : Frames
        Without what a hover would tell; ``data["named"]`` has the named terms with their heights in every panel.
    words : Words
    """
    view = replace(view, heights="peak")
    frames = surface_frames(panels, grid, terms, view, start=start)
    common = common_heights(panels, grid, terms, view)
    words = Words(grid, terms, common.weights, (common.low, common.high))
    for trace in frames.figure.data:
        for told in ("text", "customdata", "hovertemplate"):
            trace.pop(told, None)
    labels = frames.figure.layout["scene"].pop("annotations", [])
    frames.data["named"] = [{"text": label["text"], **words.place(int(label["name"]))} for label in labels]
    del frames.data["labels"]  # their heights, which "named" has too
    return frames, words


class Words:
    """Where terms lie on the surface and which colour they have there, in every weighting.

    Attributes
    ----------
    x, y : ndarray, shape (terms,)
        Coordinates on the axes.
    """

    def __init__(self, grid: Grid, terms: TermStatistics, weights: list[np.ndarray], limits: tuple[float, float]):
        self.x, self.y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
        self.terms, self.weights, self.limits = terms, weights, limits
        self._at = {str(term): k for k, term in enumerate(terms.terms)}

    def place(self, at: int) -> dict[str, Any]:
        """Where a term lies: x, y, and its height in every weighting."""
        return {"x": float(self.x[at]), "y": float(self.y[at]), "z": [round(float(w[at]), 4) for w in self.weights]}

    def told(self, words: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Of those words that are terms: their places, colours (of ``LEVELS``) and counts of documents."""
        found = {}
        low, high = self.limits
        for word in words:
            if (at := self._at.get(word)) is None:
                continue
            place = self.place(at)
            share = (np.array(place["z"]) - low) / (high - low)
            counts = {name: int(getattr(self.terms, name)[at]) for name in ("tp", "fp", "fn", "tn")}
            found[word] = {**place, "shade": np.rint((LEVELS - 1) * share).astype(int).tolist(), **counts}
        return found

    def shades(self, base: str) -> list[list[str]]:
        """The colours of the table that lie behind words, and the ink that each needs."""
        low, high = self.limits
        return [*palette.behind_words(np.linspace(low, high, LEVELS), *palette.scale_for(low, high, base))]
