"""Figures that are drawn once: what is asked for again with the same content, by anybody, is sent as it was.

Building a figure and encoding it takes most of a page's time, and what a reader clicks seldom changes all figures of a
page. Here the functions of ``ltw_core.figures`` give what ``plot`` sends; take them from there for a ``go.Figure``.
"""

import hashlib
import io
import json
import pickle
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ltw_core import figures
from ltw_core.figures.course import course as _course
from ltw_core.figures.drawing import Drawing
from ltw_core.figures.ranks import bump as _bump
from ltw_core.storage.bounded_cache import BoundedCache
from pages._ui.plots.plot import Ready, narrow_layout, ready

_kept = BoundedCache(48 * 2**20)
_digests: dict[int, tuple[weakref.ref, str]] = {}


class _Speaker(pickle.Pickler):
    """Pickles with digests in the place of arrays of terms, which stay the same and take the longest."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.dtype == object:
            return str, (_digest(value),)
        return NotImplemented


def _spoken(content: tuple) -> bytes:
    buffer = io.BytesIO()
    _Speaker(buffer, protocol=5).dump(content)
    return buffer.getvalue()


def _digest(terms: np.ndarray) -> str:
    """Of an array's content; found once, since terms are not changed."""
    number = id(terms)
    held, digest = _digests.get(number, (None, ""))
    if held is None or held() is not terms:
        digest = hashlib.blake2b(pickle.dumps(terms, protocol=5), digest_size=20).hexdigest()
        _digests[number] = weakref.ref(terms, lambda _: _digests.pop(number, None)), digest
    return digest


class Drawn:
    """A function that makes a figure, for everybody who asks for the same one."""

    def __init__(self, public: Callable[..., go.Figure]):
        self._make = public.drawing
        self._name = public.__name__

    def __call__(self, *content: Any, **options: Any) -> Ready:
        """The figure, ready for ``plot``."""
        return self._once(lambda found: ready(found, self._name), content, options)

    def layout(self, *content: Any, **options: Any) -> bytes:
        """Its layout alone: what ``plot`` takes for a narrow page."""
        return self._once(lambda found: narrow_layout(found, self._name), content, options, b"layout of ")

    def _once(self, finish: Callable[[Drawing], Any], content: tuple, options: dict, what: bytes = b"") -> Any:
        try:  # by content and not by identity: arrays are made anew on every run
            spoken = _spoken((self._name, content, options))
        except (pickle.PicklingError, AttributeError, TypeError):  # something in it has no content to go by
            return finish(self._make(*content, **options))
        key = hashlib.blake2b(what + spoken, digest_size=20).hexdigest()
        found = _kept.get(key)
        if found is None:
            found = finish(self._make(*content, **options))
            _kept.put(key, found, len(found.text) if isinstance(found, Ready) else len(found))
        return found


def figure_of(drawn: Ready) -> go.Figure:
    """The figure again, to be given away."""
    return go.Figure(json.loads(drawn.text))


bump = Drawn(_bump)
contours = Drawn(figures.contours)
course = Drawn(_course)
dd_curves = Drawn(figures.dd_curves)
document_lengths = Drawn(figures.document_lengths)
label_overlap = Drawn(figures.label_overlap)
overlay = Drawn(figures.overlay)
prevalence = Drawn(figures.prevalence)
slices = Drawn(figures.slices)
surfaces = Drawn(figures.surfaces)
term_map = Drawn(figures.term_map)
top_terms = Drawn(figures.top_terms)
training = Drawn(figures.training)
vocabulary_growth = Drawn(figures.vocabulary_growth)
zipf = Drawn(figures.zipf)
