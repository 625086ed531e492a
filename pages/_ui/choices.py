"""Controls that several pages share: axes, region, functions."""

from typing import Any

import streamlit as st

from ltw_core.weighting import CD, Function
from pages._ui.controls import choose_one, control
from pages._ui.reader import own_weightings

SCALES = {"log": "Log", "linear": "Linear", "logit": "Logit"}
AXES = ("zoom_f1", "log_step", "log_loss")  # of training curves
REGIONS = {"terms": "Where terms are", "square": "Whole square"}

# cd functions and weightings that are shown before the reader chooses some, by what shows them
FORMULAS = {
    "functions": ("CHI2", "IG", "RF", "ConfWeight"),  # as many as fill the stage
    "terms": ("CHI2",),
    "shapes": ("CHI2", "GR", "IG", "RF"),
    "paper": ("CHI2", "GR", "RF"),
}
WEIGHTINGS = {
    "classifiers": ("LogTF", "LogTFIDF", "TFGR", "TFCHI", "TFRF", "LTW-L-I"),
    "studies": ("LogTFIDF", "TFCHI", "TFRF", "LTW-L-I"),
    "documents": ("TFRF", "LogTFIDF"),
    "curve": ("LogTF", "TFRF", "LTW-L-I"),
}


def scale(key: str = "scale", usual: str = "log") -> str:
    """Axes of the (fpr, tpr) plane; where nothing else was chosen, the ``usual`` ones of what is shown."""
    state, before = st.session_state, f"_usual_{key}"
    if state.get(before, usual) != usual and state.get(key) == state[before]:
        state[key] = usual
    state[before] = usual
    return choose_one(key, SCALES, usual, like="scale")


def region() -> str:
    """Which part of the plane is drawn."""
    return choose_one("region", REGIONS, "terms")


def functions(label: str, default: tuple[str, ...], key: str, limit: int, text: str) -> list[str]:
    """Known cd functions and the reader's own to show."""
    return st.multiselect(
        label,
        cd_names(),
        default=list(default),
        format_func=symbol,
        max_selections=limit,
        select_all=False,
        key=key,
        bind="query-params",
        help=text,
    )


def cd_names() -> list[str]:
    """Names of the known cd functions but the constant one, then identifiers of the reader's own."""
    return [name for name in CD if name != "1"] + list(own_weightings.options())


def symbol(name: str) -> str:
    """How a function of ``cd_names`` is called."""
    return own_weightings.label(name) if name.startswith(own_weightings.PREFIX) else CD[name].symbol


def seen_from_above(name: str) -> bool:
    """Whether the camera stands higher: IDF is high wherever there are terms, and is edge-on from the side."""
    return name.startswith("IDF")


def function(name: str) -> Function:
    """A function of ``cd_names``."""
    return own_weightings.find(name).function if name.startswith(own_weightings.PREFIX) else CD[name]


def curve_axes(prefix: str = "") -> dict[str, Any]:
    """Smoothing and axes of training curves; ``prefix`` tells the keys of several such controls apart."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        smoothing = control(st.slider, f"{prefix}smoothing", 0.0, 0.95, 0.0, 0.05, like="smoothing", width=130)
        with st.container(width="content", gap="xsmall"):
            axes = {name: control(st.toggle, f"{prefix}{name}", like=name) for name in AXES}
    return {"smoothing": smoothing} | axes
