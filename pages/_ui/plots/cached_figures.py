"""Figures that are made once: what is asked for again with the same content, by anybody, is sent as it was.

Building a figure and encoding it takes most of a page's time, and what a reader clicks seldom changes all figures of a
page. Here the functions of ``ltw_core.figures`` give what ``plot`` sends; take them from there for a ``go.Figure``.
"""

import functools
import hashlib
import json
import weakref
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from ltw_core import figures
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.storage.bounded_cache import BoundedCache
from pages._ui.plots.plot import Ready, narrow_layout, ready

SIMPLE = {str, bytes, int, float, bool, type(None)}  # lists of these are written at once
PLAIN = (str, bytes, int, float, np.generic, type(None))
_kept = BoundedCache(24 * 2**20)  # some hundred and fifty
_digests: dict[int, tuple[weakref.ref, bytes]] = {}


def content_key(*content: Any) -> bytes:
    """Digest of what a figure is made of: numbers, words, arrays, and lists, mappings and dataclasses of them.

    Raises
    ------
    TypeError
        Something in it has no content to go by.
    """
    digest = hashlib.blake2b(digest_size=20)
    for part in _parts(content):
        digest.update(b"%d:" % len(part) + part)  # the length, so that neighbours do not run into each other
    return digest.digest()


def _parts(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        yield f"{value.dtype} {value.shape}".encode()
        yield _terms_digest(value) if value.dtype == object else value.tobytes()
    elif isinstance(value, PLAIN):
        yield _written(value)
    elif isinstance(value, Mapping):
        yield b"mapping"
        yield from _parts([*value.items()])
    elif isinstance(value, list | tuple):
        yield b"%d items" % len(value)
        if SIMPLE.issuperset(map(type, value)):
            yield _written([*value])
        else:
            for item in value:
                yield from _parts(item)
    elif is_dataclass(value):
        yield type(value).__qualname__.encode()
        for name in _field_names(type(value)):
            yield from _parts(getattr(value, name))
    else:
        raise TypeError(f"a {type(value).__name__} has no content to go by")


def _written(value: Any) -> bytes:
    return repr(value).encode("utf-8", "surrogatepass")


@functools.cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _terms_digest(terms: np.ndarray) -> bytes:
    """Digest of an array of terms; found once, as terms are not changed and it takes the longest."""
    number = id(terms)
    held, digest = _digests.get(number, (None, b""))
    if held is None or held() is not terms:
        digest = content_key(terms.tolist())
        _digests[number] = weakref.ref(terms, lambda _: _digests.pop(number, None)), digest
    return digest


class CachedFigure:
    """A function that makes a figure, for everybody who asks for the same one."""

    def __init__(self, public: Callable[..., go.Figure]):
        self._make = public.plain
        self._name = public.__name__

    def __call__(self, *content: Any, **options: Any) -> Ready:
        """The figure, ready for ``plot``."""
        return self._once(lambda found: ready(found, self._name), "figure", content, options)

    def layout(self, *content: Any, **options: Any) -> bytes:
        """Its layout alone: what ``plot`` takes for a narrow page."""
        return self._once(lambda found: narrow_layout(found, self._name), "layout", content, options)

    def _once(self, finish: Callable[[PlainFigure], Any], what: str, content: tuple, options: dict) -> Any:
        def make() -> Any:
            return finish(self._make(*content, **options))

        try:  # by content and not by identity: arrays are made again on every run
            key = content_key(what, self._name, content, options).hex()
        except TypeError:
            return make()
        return once(key, make)


def once(key: str, make: Callable[[], Any]) -> Any:
    """A figure, or a layout alone, that was made under a key before, for anybody, or is made now."""
    return _kept.get_or_make(key, make, lambda found: len(found.text if isinstance(found, Ready) else found))


def figure_of(sent: Ready) -> go.Figure:
    """The figure again, to be given away."""
    return go.Figure(json.loads(sent.text))


bump_chart = CachedFigure(figures.bump_chart)
contours = CachedFigure(figures.contours)
curves_over_steps = CachedFigure(figures.curves_over_steps)
dd_curves = CachedFigure(figures.dd_curves)
document_lengths = CachedFigure(figures.document_lengths)
label_overlap = CachedFigure(figures.label_overlap)
label_pairs = CachedFigure(figures.label_pairs)
likeness_map = CachedFigure(figures.likeness_map)
likeness_matrix = CachedFigure(figures.likeness_matrix)
likeness_scale = CachedFigure(figures.likeness_scale)
overlay = CachedFigure(figures.overlay)
prevalence = CachedFigure(figures.prevalence)
slices = CachedFigure(figures.slices)
surfaces = CachedFigure(figures.surfaces)
term_map = CachedFigure(figures.term_map)
top_terms = CachedFigure(figures.top_terms)
training = CachedFigure(figures.training)
vocabulary_growth = CachedFigure(figures.vocabulary_growth)
zipf = CachedFigure(figures.zipf)
