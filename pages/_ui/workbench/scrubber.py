"""The scrubber: what had been learned at any step of a training run that has ended stands on the stage."""

from dataclasses import replace
from functools import partial
from math import gcd
from typing import Any

import streamlit as st

from pages._ui.controls import control
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.snapshots import Snapshot, learned_at, snapshots_of

KEY = "scrub"
VIEWS = ("Surface", "Map", "Slice", "Ranks")  # that follow it; others show the whole way, or what was kept


def choose(learned: Learned | None, view: str, place: Any) -> None:
    """The slider of steps, at the kept one to begin with; none where nothing was kept of the way.

    It is as even as the axis of the curves, and goes to steps that were kept. ``place`` is an ``st.empty``.
    """
    taken = taken_of(learned)
    if not taken or view not in VIEWS:
        place.empty()
        if learned is not None and (key := _key(learned)) in st.session_state:
            st.session_state[key] = st.session_state[key]  # a view that follows the step finds it again
        return
    steps = [snapshot.step for snapshot in taken]
    first = learned.best_step if learned.best_step in steps else steps[-1]
    key = _key(learned)
    # said each time: a slider whose steps have changed would begin anew, at 0
    chosen = st.session_state.get(key)
    st.session_state[key] = chosen if chosen in steps else first
    follow = {"on_change": partial(_to_kept, key, steps), "format": "localized"}
    with place.container(key="scrubber"):
        control(st.slider, key, 0, steps[-1], step=gcd(*steps), like=KEY, **follow)
    st.session_state[f"_{key}"] = st.session_state[key]


def _to_kept(key: str, steps: list[int]) -> None:
    """Go to the nearest step that was kept, on that side to which the slider was moved. A callback."""
    now, before = st.session_state[key], st.session_state.get(f"_{key}", 0)
    onward = [step for step in steps if (step > before) == (now > before)] or steps
    st.session_state[key] = min(onward, key=lambda step: abs(step - now))


def _key(learned: Learned) -> str:
    return f"{KEY}-{learned.key}"


def taken_of(learned: Learned | None) -> tuple[Snapshot, ...]:
    """The snapshots that a reader can move through: at least two, of what has ended."""
    if learned is None or learned.weighting is None:
        return ()
    taken = snapshots_of(learned)
    return taken if len(taken) > 1 else ()


def moment(learned: Learned | None, view: str) -> tuple[Learned | None, Snapshot | None]:
    """What is to stand on the stage: the weighting, or what it was at the step that is chosen, and that step."""
    step = None if learned is None or view not in VIEWS else st.session_state.get(_key(learned))
    if step is None or step == learned.best_step:
        return learned, None
    found = next((snapshot for snapshot in taken_of(learned) if snapshot.step == step), None)
    return (learned, None) if found is None else (at(found, learned), found)


def at(snapshot: Snapshot, learned: Learned) -> Learned:
    """What had been learned at a snapshot, which is not what was kept."""
    then = learned_at(snapshot, learned)
    return replace(then, key=f"{learned.key}-at-{snapshot.step}", weighting=None, provenance=_said(snapshot, learned))


def _said(snapshot: Snapshot, learned: Learned) -> str:
    return f"At step {snapshot.step:,}, which was not kept. {learned.provenance}"
