"""What one class learned, on another: its F1 and its terms there."""

from typing import Any

import streamlit as st

from ltw_core.insight.likeness import DD_OF_LEARNED
from ltw_core.weighting import Function, TermWeighting
from pages._ui import choices
from pages._ui.guard import capital, plain
from pages._ui.workbench import transplanting
from pages._ui.workbench.likeness_of import content_of
from pages._ui.workbench.shape_view import View

BESIDE = ("RF", "CHI2")


def show(view: View) -> None:
    """Choose a class and a corpus, in a row of their own, and see."""
    learned = view.learned
    function = as_function(learned.weighting)
    if isinstance(function, str):
        st.info(function, icon=":material/moving:")
        return
    names = [*BESIDE, *(name for name in view.names if name in choices.cd_names() and name not in BESIDE)]
    called = f"{learned.label}, transplanted"
    weightings = transplanting.compared({called: TermWeighting(dd=DD_OF_LEARNED, cd=function)}, names)
    row = st.container(horizontal=True, vertical_alignment="center", gap="medium", key="view_row")
    st.caption(
        f"What {plain(learned.label)} learned for {plain(learned.title)}, at the other class’s own tpr and fpr.",
        help="Nothing is learned there; where no term of its own class lay, the surface is extrapolation.",
    )
    transplanting.show(function, DD_OF_LEARNED, weightings, "learned", {called: learned.variant}, row)


def as_function(weighting: Any) -> Function | str:
    """What a fitted weighting learned as a cd function; a sentence where there is none yet, or none to transplant."""
    from ltw_core.weighting import surface_function

    if weighting is None:
        return "It is still being learned: its surface can be tried on other classes when the training run has ended."
    try:
        return surface_function(weighting, called=f"surface {content_of(weighting)[:20]}")
    except ValueError as error:
        return capital(str(error))
