"""What a study that is started from the page is to compute: the form."""

import os
from typing import Any

import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.evaluation import GRIDS, LEARNERS
from ltw_core.protocol import PAPER
from ltw_core.service import study_process
from ltw_core.service.kept_tables import KeptTable
from ltw_core.settings import study_workers
from ltw_core.tasks import VectorizerOptions
from ltw_core.weighting import FAMILIES, display, methods
from pages._ui import choices, loading, words
from pages._ui.controls import choose_in_list, control
from pages._ui.evaluate.study_source import own_tables
from pages._ui.evaluate.study_views import RUN_BY
from pages._ui.guard import plain
from pages._ui.reader import counting, mode, selection, uploads

OF_CORPORA = (
    "Results are kept on this server, which computes nothing twice; scores that come with the app are computed anew. "
    "On the paper’s corpora, test documents without a known term are left out, as in the paper."
)
OF_TABLES = (
    "Results on your table are kept beside it on this server’s disk, and nobody else sees them; once there are some, "
    "*Our results* lists the table. They are deleted with the table, or a day after the study last wrote. All test "
    "documents count."
)
COUNTED = "Terms are counted as usual. *Options* in the menu changes that on every page."


def form() -> tuple[study_process.Request, KeptTable | None] | None:
    """What is asked for, and the reader's table if it is of one."""
    own = own_tables()
    there = {entry.name: entry.title for entry in catalogue() if entry.available}
    there |= {key: f"{table.source.called} (yours)" for key, table in own.items()}
    lines = st.container(key="run_form", gap="small")
    (where, of_which), (weighed, used) = (lines.columns(2) for _ in range(2))  # what is side by side is alike high
    how = lines.container(key="run_how").columns(4)
    with where:
        shown = selection.dataset() if selection.dataset() in own else "reuters21578"
        first = [name for name in (shown,) if name in there] or list(there)[:1]
        datasets = control(st.multiselect, "run_datasets", there, default=first)
    with of_which:
        names = _classes(datasets)
    with weighed:
        names_of = {name: f"All {name}" for name in FAMILIES} | {name: display(name) for name in methods()}
        weightings = control(st.multiselect, "run_weightings", names_of, default=list(choices.WEIGHTINGS["studies"]))
    with used:
        taken = {
            n: words.classifier(n) + (f" · with {of.weighting} only" if of.weighting else "")
            for n, of in LEARNERS.items()
        }
        chosen = control(st.multiselect, "run_learners", taken, default=["SVM"], more=words.classifiers(taken))
    grid = choose_in_list("run_grid", {name: name.capitalize() for name in GRIDS}, "quick", how[0])
    run_as = choose_in_list("run_protocol", RUN_BY, PAPER, how[1])
    seeds = control(how[2].number_input, "run_seeds", 1, 100, 1)
    most = min(study_workers(), os.cpu_count() or 1)
    about = f"This server allows {most}; the app gets a little slower."
    workers = control(how[3].number_input, "run_workers", 1, most, most, help=about)
    st.caption(OF_TABLES if set(datasets) & set(own) else OF_CORPORA)
    _counted()
    if not (datasets and weightings and chosen):
        st.info("Choose at least one corpus, weighting and classifier.", icon=":material/info:")
        return None
    table = own.get(datasets[0])
    if len(datasets) > 1 and set(datasets) & set(own):
        alone = "Results on your own table are private, so it is studied by itself: choose it alone."
        st.info(alone, icon=":material/info:")
        return None
    corpora = [table.source.name] if table else datasets
    asked = (tuple(some) for some in (corpora, weightings, chosen, names))
    kept = selection.kept_percent()
    more = {"options": counting.chosen(), "ratio": None if kept is None else kept / 100}
    more["protocol"] = "" if run_as == PAPER else run_as
    return study_process.Request(*asked, grid=grid, seeds=int(seeds), workers=int(workers), **more), table


def _counted() -> None:
    """How the study counts, and back to the usual way."""
    otherwise = told(counting.chosen(), selection.kept_percent())
    if not otherwise:
        if mode.full():
            st.caption(COUNTED)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":primary[● Counted otherwise: {plain(otherwise)}.] This applies to every page.", width="content")
        control(st.button, "run_usual", icon=":material/undo:", type="tertiary", on_click=_as_usual)


def _as_usual() -> None:
    counting.choose("")
    selection.keep_percent(None)


def told(options: dict[str, Any], percent: float | None) -> str:
    """What is counted otherwise than usual, in a few words; "" where nothing is."""
    language = None if "stop_words" in options else "english"
    told = VectorizerOptions(**{"stop_words": language} | options).told("english")
    if options.get("stop_words") == "english":  # a choice, too, of a dataset in another language
        told = ", ".join(filter(None, (told, "english stop words")))
    return ", ".join(filter(None, (told, f"{percent:g} % of the terms kept" if percent is not None else "")))


def _classes(datasets: list[str]) -> list[str]:
    """Classes of a single corpus, when it has been read; [] for all."""
    if len(datasets) != 1:
        return []
    if datasets[0] in uploads.own():
        there = list(uploads.own()[datasets[0]].class_names)
    else:
        loading.begin(datasets[0], timeout=0.6)
        there = list(loading.vectorized(datasets[0]).class_names) if loading.ready(datasets[0]) else []
    empty = "All classes" if there else "All classes; the list appears once the corpus is read"
    key = f"run_classes-{datasets[0]}"
    return control(st.multiselect, key, there, placeholder=empty, disabled=not there, like="run_classes")
