"""Which learned weighting is looked at: this session's own for the class, or one that ships with the project."""

import streamlit as st

from ltw_core.studies.examples import examples
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.controls import control
from pages._ui.learn.training_controls import begun
from pages._ui.training import lookup, run_words
from pages._ui.training.run import Run
from pages._ui.weightings.learned import Learned, shipped
from pages._ui.weightings.reference import RUN, SHIPPED, Reference

KEY = "shape_source"


def choose(dataset: str, class_name: str | None) -> Learned | None:
    """A list of what there is for the class, what ships with the project below it; returns the chosen one."""
    own = {run.reference: run for run in lookup.own_or_linked(dataset, class_name) if run.latest is not None}
    # those of the class first, then those of the corpus: it may be absent and its example ship all the same
    listed = sorted(
        examples(), key=lambda info: ((info.corpus, info.class_name) != (dataset, class_name), info.corpus != dataset)
    )
    known = {str(Reference(SHIPPED, info.name)): info for info in listed}
    options = [*own, *known]
    if not options:
        st.info("Nothing has been learned yet, and no example ships with this copy.", icon=":material/model_training:")
        st.page_link("pages/learn/train.py", label="Train a weighting", icon=":material/model_training:")
        return None
    example = any((info.corpus, info.class_name) == (dataset, class_name) for info in known.values())

    named = {record.token: record.name for record in lookup.own_records(dataset, class_name)} if own else {}
    oldest_first = {option: _label(run, named.get(run.token, "")) for option, run in reversed(own.items())}
    labels = dict(zip(oldest_first, run_words.numbered(oldest_first.values()), strict=True))
    for option, info in known.items():
        labels[option] = f"{info.class_title} · {display(info.variant)} · shipped, {info.corpus_title}"
    asked, here = st.query_params.get("run"), (dataset, class_name)
    if class_name is not None:
        if st.session_state.get("_shape_of", here) != here:
            asked = None  # another class was chosen: what is shown belongs to the one before
        st.session_state["_shape_of"] = here
    run = lookup.current(dataset, class_name)
    shown = asked if asked in known else run.reference if run is not None else None
    st.session_state[KEY] = shown if shown in options else options[0]
    options = {option: labels[option] for option in options}
    picked = control(st.selectbox, KEY, options, on_change=_picked, filter_mode="contains")
    if shown in options:  # and not what stands in for a training run that has nothing to show yet
        _into_address(picked)
    if not own and not example and class_name:
        st.info(
            "Nothing has been learned for this class in this session; this is a shipped example of another.",
            icon=":material/info:",
        )
        st.page_link("pages/learn/train.py", label="Train one for this class", icon=":material/model_training:")
    return own[picked].learned() if picked in own else shipped(Reference.parse(picked).name)


def _label(run: Run, name: str) -> str:
    """A training run in a list: its reader's name for it, method and seed, and what is not as in the paper."""
    parts = (name, ", ".join(filter(None, (run.label, words.settings(run.changed)))), run.origin().lower())
    return " · ".join(filter(None, (run.problem.class_title, *parts)))


def _picked() -> None:
    """A weighting was chosen. A callback: the page that follows is of it."""
    if Reference.parse(st.session_state[KEY]).kind == RUN:
        begun()
    _into_address(st.session_state[KEY])


def _into_address(option: str) -> None:
    """A link to the page shows the same weighting."""
    kind, name = Reference.parse(option)
    value = name if kind == RUN else option
    if st.query_params.get("run") != value:
        st.query_params["run"] = value
