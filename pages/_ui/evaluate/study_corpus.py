"""One corpus of the study page's tables at a time, or all of them side by side."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.studies import paper
from ltw_core.studies.tables import OURS, PAPERS, Place, ResultTable
from pages._ui.controls import choose_in_list, control
from pages._ui.evaluate.study_source import StudyData, short_titles
from pages._ui.reader import selection

ALL = "all"
NO_DATASET = (  # the sidebar's, where the page has a list of corpora, or nothing is shown of a dataset
    "<style>.st-key-dataset, "
    "[data-testid='stLayoutWrapper']:has(> .st-key-the_dataset > .st-key-dataset:only-child) { display: none; }</style>"
)
NO_CLASS = "<style>[data-testid='stLayoutWrapper']:has(> .st-key-the_class) { display: none; }</style>"
FEW = 2  # known places of a column that is told in words


def first_of(corpora: list[str]) -> str:
    """The sidebar's corpus where it is among these, or else their first."""
    return dataset if (dataset := selection.dataset()) in corpora else corpora[0]


def pick(key: str, corpora: list[str], where: Any = st, also: dict[str, str] | None = None, **more: Any) -> str:
    """One of several corpora, in a list: the sidebar's first, and whenever another one is chosen there.

    ``also``: further options, with their titles. With ``leads`` the sidebar follows what is chosen here.
    """
    titles, also = short_titles(), also or {}
    options = {name: titles.get(name, name) for name in corpora} | also
    seen, dataset = f"_sidebar_of_{key}", selection.dataset()
    if st.session_state.get(seen, dataset) != dataset in corpora and st.session_state.get(key) not in also:
        st.session_state[key] = dataset
    st.session_state[seen] = dataset
    if more.pop("leads", False):
        more |= {"on_change": _lead, "args": (key,)}
    return choose_in_list(key, options, first_of(corpora), where, **{"width": 170, **more})


def _lead(key: str) -> None:
    """Choose in the sidebar the corpus that is looked at, whose class is marked, where it is here."""
    if any(entry.name == st.session_state[key] and entry.available for entry in catalogue()):
        selection.choose_dataset(st.session_state[key])


def mark(corpus: str, classes: Iterable[str], data: StudyData) -> str | None:
    """The class to mark in a figure of all of a corpus: the sidebar's, or another, which the sidebar then has, too."""
    key, names, chosen = f"study_class-{corpus}", sorted(set(classes)), data.class_of(corpus)
    if chosen not in names:
        st.session_state.pop(f"_seen-{key}", None)
    elif st.session_state.get(f"_seen-{key}") != chosen:
        st.session_state[key] = st.session_state[f"_seen-{key}"] = chosen
    about = {"index": None, "like": "study_class", "placeholder": "None", "label_visibility": "collapsed"}
    return control(st.selectbox, key, names, on_change=_marked, args=(key, corpus, data.source), width=170, **about)


def _marked(key: str, corpus: str, source: str) -> None:
    """Choose in the sidebar the class that is marked, where its corpus is here."""
    if (name := st.session_state[key]) is None:
        return
    st.session_state[f"_seen-{key}"] = name
    if selection.dataset() in (corpus, source):
        selection.choose_class(name)
    elif any(entry.name == corpus and entry.available for entry in catalogue()):
        selection.choose_class(name, of=corpus)
        selection.choose_dataset(corpus)


def choose_corpus(corpora: list[str], where: Any) -> str:
    """One of several corpora."""
    return pick("study_of", corpora, where)


def chosen(shown: ResultTable, where: Any) -> ResultTable:
    """The part of a table that the reader chooses: a corpus, or all of them."""
    corpora = list(dict.fromkeys(group for group, _ in shown.columns))
    if len(corpora) < 2:
        return shown
    key = "study_corpus" + "".join(f"-{name}" for name in corpora if name not in paper.DATASETS)
    corpus = pick(key, corpora, where, {ALL: "All corpora"}, like="study_corpus", formerly={"All": ALL})
    return shown if corpus == ALL else of_corpus(shown, corpus)


def without_few(shown: ResultTable) -> tuple[ResultTable, list[Place]]:
    """A corpus's table without the columns of which hardly a place is known, and those places."""
    known = {column: _known(shown, column) for column in shown.columns}
    full = [column for column, places in known.items() if len(places) > FEW]
    if not full or len({corpus for corpus, _ in shown.columns}) > 1:
        return shown, []
    left_out = [place for column, places in known.items() if column not in full for place in places]
    return replace(shown, columns=full), left_out


def _known(shown: ResultTable, column: tuple[str, str]) -> list[Place]:
    """A column's places that have a figure, ours or the paper's."""
    places = (shown.place(name, column) for _, name in shown.rows)
    return [place for place in places if any(place.value(whose) is not None for whose in (OURS, PAPERS))]


def of_corpus(shown: ResultTable, corpus: str) -> ResultTable:
    """The columns of a corpus, and the weightings that it has a figure of, ours or the paper's."""
    columns = [column for column in shown.columns if column[0] == corpus]

    def known(name: str) -> bool:
        places = [shown.place(name, column) for column in columns]
        return any(place.value(whose) is not None for place in places for whose in (OURS, PAPERS))

    rows = [row for row in shown.rows if known(row[1])]
    here = {name for _, name in rows}
    places = {key: p for key, p in shown.places.items() if p.corpus == corpus and p.weighting in here}
    return replace(shown, rows=rows, columns=columns, places=places)
