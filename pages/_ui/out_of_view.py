"""A line on the terms that matter and lie outside of what a figure over the plane shows."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from ltw_core.figures import Grid
from ltw_core.insight import out_of_view
from ltw_core.tasks import TermStatistics
from pages._ui.guard import plain

MOST = 5  # terms that are named


def terms_out_of_view(
    terms: TermStatistics, share: np.ndarray, grid: Grid, *, which: str, each: Callable[[int], str], held_by: str
) -> None:
    """Name the terms that matter most of those that the grid leaves out; nothing where it holds all that matter.

    Parameters
    ----------
    share : how much each term matters, shape (terms,).
    which : what they are, after "Out of view".
    each : what to say of a term, by its place.
    held_by : which axes would hold them.
    """
    left = out_of_view(share, terms, grid.inside(terms.tpr, terms.fpr))
    if left.size:
        listed = ", ".join(f"*{plain(str(terms.terms[k]))}* ({each(k)})" for k in left[:MOST])
        more = f" and {left.size - MOST} more" if left.size > MOST else ""
        st.caption(f":material/visibility_off: Out of view, {which}: {listed}{more}. {held_by} hold them.")
