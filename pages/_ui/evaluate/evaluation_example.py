"""What to do where nothing is known of a class yet, and a class to look at whose figures come with the app."""

from typing import Any

import streamlit as st

from ltw_core.corpora import catalogue
from pages._ui.controls import control
from pages._ui.evaluate.evaluations import Evaluation
from pages._ui.guard import plain
from pages._ui.reader import selection
from pages._ui.streamlit_fixes.rerun import run_again

EXAMPLE = "reuters21578", "corn"  # its figures come with the app
TAKES = "a second or less with SVM, LR and MNB, some seconds with KNN and Forest"
_LEFT = "_example_from"  # dataset, class and its title that were left for it


def nothing_yet(evaluation: Evaluation) -> None:
    """What to do here, and a class whose figures are at hand."""
    dataset, task = EXAMPLE[0], evaluation.task
    st.info(
        f"Nothing has been computed for **{plain(task.class_title)}** with these choices yet. With the quick grid "
        f"a score takes {TAKES}.",
        icon=":material/grid_on:",
    )
    here = evaluation.dataset, task.class_name, task.class_title
    if dataset == evaluation.dataset or not any(e.name == dataset and e.available for e in catalogue()):
        return
    if control(st.button, "example_figures", icon=":material/visibility:", on_click=_show_example, args=here):
        run_again()  # of the whole page: it stands in a fragment


def _show_example(*left: str) -> None:
    st.session_state[_LEFT] = left
    _go_to(*EXAMPLE)


def _go_to(dataset: str, class_name: str) -> None:
    selection.choose_dataset(dataset)
    selection.choose_class(class_name, dataset)


def way_back(evaluation: Evaluation, place: Any) -> None:
    """Back to the class that was left for the example, as long as that is what is shown."""
    *left, title = st.session_state.get(_LEFT, ("", "", ""))
    shown = evaluation.dataset, evaluation.task.class_name
    if shown not in (EXAMPLE, tuple(left)):
        st.session_state.pop(_LEFT, None)
    if not title or shown != EXAMPLE:
        return
    place.button(f"Back to {plain(title)}", key="example_back", icon=":material/undo:", on_click=_go_back, args=left)


def _go_back(dataset: str, class_name: str) -> None:
    del st.session_state[_LEFT]
    _go_to(dataset, class_name)
