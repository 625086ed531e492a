"""One corpus of the study page's tables at a time, or all of them side by side."""

from dataclasses import replace
from typing import Any

from ltw_core.studies import paper
from ltw_core.studies.tables import OURS, PAPERS, ResultTable
from pages._ui.controls import choose_in_list
from pages._ui.evaluate.study_source import short_titles
from pages._ui.reader import selection

ALL = "all"


def chosen(shown: ResultTable, where: Any) -> ResultTable:
    """The part of a table that the reader chooses: at first that of the sidebar's corpus, or the first."""
    corpora = list(dict.fromkeys(group for group, _ in shown.columns))
    if len(corpora) < 2:
        return shown
    titles = short_titles()
    first = dataset if (dataset := selection.dataset()) in corpora else corpora[0]
    key = "study_corpus" + "".join(f"-{name}" for name in corpora if name not in paper.DATASETS)
    options = {name: titles.get(name, name) for name in corpora} | {ALL: "All corpora"}
    corpus = choose_in_list(key, options, first, where, like="study_corpus", width=170, formerly={"All": ALL})
    return shown if corpus == ALL else of_corpus(shown, corpus)


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
