"""Figures that are drawn once: what is asked for again with the same content, by anybody, is sent as it was.

Building a figure and encoding it takes most of a page's time, and what a reader clicks seldom changes all figures of a
page. Here the functions of ``ltw_core.figures`` give what ``plot`` sends; take them from there for a ``go.Figure``.
"""

import functools
import hashlib
import json
import pickle
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from ltw_core import figures
from ltw_core.figures.course import course as _course
from ltw_core.figures.ranks import bump as _bump
from pages._ui.plots.plot import Ready, ready

KEPT = 160  # of some 200 KB


def _once(public: Callable[..., Any]) -> Callable[..., Ready]:
    make = public.drawing

    @functools.wraps(make)
    def draw(*content: Any, **options: Any) -> Ready:
        try:  # by content and not by identity: arrays are made anew on every run
            spoken = pickle.dumps((make.__name__, content, options), protocol=5)
        except (pickle.PicklingError, AttributeError, TypeError):  # something in it has no content to go by
            return ready(make(*content, **options), make.__name__)
        return _drawn(hashlib.blake2b(spoken, digest_size=20).hexdigest(), make, content, options)

    return draw


@st.cache_resource(max_entries=KEPT, show_spinner=False)
def _drawn(digest: str, _make: Callable[..., Any], _content: tuple, _options: dict[str, Any]) -> Ready:
    return ready(_make(*_content, **_options), _make.__name__)


def figure_of(drawn: Ready) -> go.Figure:
    """The figure again, to be given away."""
    return go.Figure(json.loads(drawn.text))


bump = _once(_bump)
contours = _once(figures.contours)
course = _once(_course)
dd_curves = _once(figures.dd_curves)
document_lengths = _once(figures.document_lengths)
label_overlap = _once(figures.label_overlap)
overlay = _once(figures.overlay)
prevalence = _once(figures.prevalence)
slices = _once(figures.slices)
surfaces = _once(figures.surfaces)
term_map = _once(figures.term_map)
top_terms = _once(figures.top_terms)
training = _once(figures.training)
vocabulary_growth = _once(figures.vocabulary_growth)
zipf = _once(figures.zipf)
