"""Surfaces of a figure of ``plot`` that follow a slider's thumb while it moves, or go through its places once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import streamlit as st

from pages._ui.plots import library

_following = st.components.v2.component(
    "ltw_following", js=library.SHARED + Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)


@st.fragment
def follow(figure: str, sliders: dict[str, Callable[[], dict[str, Any]]], of: str) -> None:
    """Let a figure follow sliders. Nothing is computed until a hand comes near one.

    Parameters
    ----------
    figure : key of the figure.
    sliders : by its key, what makes the ``figures.sweep`` of a slider's places; sliders of whole steps.
    of : names what is shown: of anything else what was sent before is not used.
    """
    key = f"{figure}-following"
    state = st.session_state

    def wanted() -> None:
        state[f"_{key}"] = (state[key].get("wanted"), of)

    slider, shown = state.get(f"_{key}", (None, ""))
    told: dict[str, Any] = {"figure": figure, "sliders": list(sliders), "of": of}
    if slider in sliders and shown == of:
        told |= {"slider": slider, "sweep": sliders[slider]()}
    _following(key=key, data=orjson.dumps(told), on_wanted_change=wanted)


def replay(
    figure: str, sweep: dict[str, Any] | None, of: str, seconds: float, place: str = "held", **told: Any
) -> None:
    """Let a figure go through the places of a ``figures.sweep`` once. A click ends that; where reduced motion is wanted
    there is none. What the page says of the end is not seen before the figure is drawn.

    Parameters
    ----------
    sweep : None before it is known: what was said of the training stays until the replay comes.
    of : names what is shown: the same is not shown again. "": nothing is; what stands there is called the previous
        training until it is drawn anew.
    place : of several that hold back the same, each has its own name.
    told : of each place its ``steps``, none where nothing is replayed, and what is ``said`` below the picture and
        beside it (``course``, and its ``f1``) meanwhile; the page's sentence, ``lead``; and the key of the figure of
        ``curves`` over steps, which stays as it was drawn last until the end, so that its axes do; the step is marked
        on it.
    """
    told |= {"figure": figure, "sliders": [], "of": of, "sweep": sweep, "replay": round(1000 * seconds)}
    _following(
        key=f"{figure}-{'replay' if sweep is not None else place}",
        data=orjson.dumps(told),
        on_wanted_change=lambda: None,
    )
