"""Bars and score of a document follow the sliders of its words' weights while a thumb is dragged."""

import re
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.figures.score_parts import colours
from pages._ui import words
from pages._ui.plots import library

_followed = st.components.v2.component(
    "ltw_weights_followed",
    js=library.SHARED + Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def follow(key: str, found: Any, factors: dict[str, float], others: float) -> None:
    """Let the figure and the score of ``hands_on.weights`` follow its sliders; ``factors`` and ``others`` are where
    they rest, of which the server says the score itself."""
    told = {
        "figure": f"{key}-parts",
        "score": _class(f"{key}-score"),
        "sliders": [_class(f"{key}-{place}") for place in [*range(len(found.movable)), "others"]],
        "terms": found.by_bar(),
        "constant": found.constant,
        "colours": colours(words.base()),
        "rests": [*factors.values(), others],
    }
    _followed(key=f"{key}-followed", data=told)


def _class(key: str) -> str:
    """Of the element that Streamlit makes for a key; the key of a lesson taken in a class holds an @."""
    return "st-key-" + re.sub("[^a-zA-Z0-9_-]", "-", key)
