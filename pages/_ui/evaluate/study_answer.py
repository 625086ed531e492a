"""What the figures of the study page come to, in two sentences: how near they are to the paper's, and who is better."""

from itertools import groupby

from ltw_core.metrics import listed
from ltw_core.protocol import AUTHORS, DECEMBER, ONE
from ltw_core.studies.averages import MACRO
from ltw_core.studies.over_classes import difference
from ltw_core.studies.tables import FAR, ResultTable, paper_table
from ltw_core.weighting import display
from pages._ui.evaluate.study_source import StudyData
from pages._ui.evaluate.study_tables import short
from pages._ui.evaluate.study_views import (
    FULLEST,
    LED,
    MEASURE_WORDS,
    RUN_BY,
    Kind,
    measure_asked,
    protocol_asked,
    shown_table,
)
from pages._ui.guard import plain
from pages._ui.result_cache import kept

COUNTED = {DECEMBER: MACRO[ONE]}  # that code took F1 to be 1 in classes without test documents
LEARNED, FORMULA = "LTW-L-I", "TFRF"


def answer(data: StudyData) -> tuple[str, str]:
    """How near our F1 are to the paper's (full grid where it is complete) and which weighting is better, as the reader
    has them run and measured; then the same of each corpus. Both are "" where there is nothing to compare."""
    return _answer((*data.key, measure_asked(), protocol_asked(data)), data)


@kept(8)
def _answer(key: tuple, _data: StudyData) -> tuple[str, str]:
    said, more, (*_, by, asked) = [], [], key
    for protocol in sorted(RUN_BY, key=lambda name: name != asked):
        averaged = Kind(FULLEST, protocol).of(_data.averaged)
        measure = COUNTED.get(protocol, by) if by == "macro_f1" else by
        found = None if _data.of_table or not averaged else _near(paper_table(averaged, measure))
        if found:
            within = f"lie within {short(FAR).rstrip('0')} of the paper’s"
            name = MEASURE_WORDS[by].lower().replace("f1", "F1")
            if protocol == asked:
                said.append(f"{LED.get(protocol, '')}{found[0]} comparable {name} scores {within}.")
            elif protocol == DECEMBER and asked == AUTHORS and said[1:]:
                said.insert(1, f"{RUN_BY[protocol]}, which has fewer weightings, {found[0]} do.")
            more.append(f"{RUN_BY[protocol]} {found[0]}: {found[1]}")
        if averaged and protocol == asked:
            said.append(_versus(shown_table(_data, averaged, measure)))
    known = ". ".join([*more, "Better and worse: 95% intervals over the classes, with an SVM"])
    return " ".join(filter(None, said)), f"{known}." if any(said) else ""


def _near(shown: ResultTable) -> tuple[str, str] | None:
    """How many comparable places lie near the paper's, and how many on each corpus."""
    places = sorted((p for p in shown.with_both() if p.comparable), key=lambda p: p.corpus)
    if not places:
        return None
    of = lambda some: f"{sum(abs(p.difference) <= FAR for p in some)} of {len(some)}"  # noqa: E731
    corpora = [(name, list(some)) for name, some in groupby(places, key=lambda p: p.corpus)]
    parts = [f"{of(some)} on {_named(shown, name)}" for name, some in corpora]
    return f"**{of(places)}**", ", ".join(parts)


def _versus(shown: ResultTable) -> str:
    """On which corpora the learned weighting is better than the formula with an SVM, by intervals over classes."""
    if not {LEARNED, FORMULA} <= {name for _, name in shown.rows}:
        return ""
    found: dict[int, list[str]] = {1: [], -1: [], 0: []}
    for column in shown.columns:
        one, other = (shown.place(name, column).averaged for name in (LEARNED, FORMULA))
        if column[1] == "SVM" and one is not None and other is not None:
            less = difference(one, other, shown.measure)
            if less is not None:
                found[less.sign].append(_named(shown, column[0]))
    kinds = {1: "better than", -1: "worse than", 0: "not distinguishable from"}
    than = (display(FORMULA), *["it"] * len(kinds))
    parts = [(kinds[sign], where) for sign, where in found.items() if where]
    told = [f"{kind} {what} on {listed(where)}" for (kind, where), what in zip(parts, than, strict=False)]
    return f"With an SVM, {display(LEARNED)} is {listed(told)}." if told else ""


def _named(shown: ResultTable, corpus: str) -> str:
    return plain(shown.titles.get(corpus, corpus).partition(" (")[0])
