"""The study page's tables: F1 compared with the paper's, differences; and what all its views share."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from ltw_core.corpora.corpus import with_note
from ltw_core.evaluation import short_learner
from ltw_core.metrics import listed
from ltw_core.protocol import AUTHORS, DECEMBER, LEFT_OUT, ONE, PAPER, PREDICTED
from ltw_core.studies import findings, paper
from ltw_core.studies.averages import COUNTING, MACRO, AveragedCells, fullest, one_a_corpus, shared_classes
from ltw_core.studies.export import to_csv, to_latex
from ltw_core.studies.reasons import second_runs
from ltw_core.studies.tables import OURS, ResultTable, paper_table
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer, offer_table
from pages._ui.evaluate import bred_view, study_cells, study_corpus, study_differences, study_sentences
from pages._ui.evaluate.study_source import StudyData, provenance, titles
from pages._ui.evaluate.study_tables import QUICK, VARIANTS_TOLD, VIEWS, f1_table, in_words, mixed_grids
from pages._ui.guard import plain

MEASURE_WORDS = {"macro_f1": "Macro F1", "micro_f1": "Micro F1"}
UNTESTED_WORDS = {PREDICTED: "As predicted", ONE: "F1 = 1", LEFT_OUT: "Left out"}
UNTESTED_TOLD = {MACRO[ONE]: ", 1 in classes without test documents", MACRO[LEFT_OUT]: ", tested classes"}
FULLEST = "fullest"
NAMED = 2  # weightings with more seeds than the others, at most, that are named
GRID_WORDS = {FULLEST: "Full where complete", "quick": "Quick", "full": "Full"}
RUN_BY = {PAPER: "By the text", AUTHORS: "By the code", DECEMBER: "By the code of December 2016"}
LED = {name: f"{RUN_BY[name]}, " for name in (AUTHORS, DECEMBER)}  # before a sentence on ours
ALIKE = (
    "  \n≈ compares two weightings on one corpus with one classifier, by a paired bootstrap over its classes; "
    "*Significance* compares them over all corpora and classifiers, by Wilcoxon’s test."
)
FORMER = "study_2016"  # what asks for the last


def lowered(said: str) -> str:
    """What begins a sentence, within one."""
    return said[:1].lower() + said[1:]


class Kind(NamedTuple):
    """Which of our figures are shown: of a grid, a key of ``GRID_WORDS``, and under a protocol."""

    grid: str
    protocol: str = PAPER

    @property
    def told(self) -> str:
        grid = "Full grid shown where complete" if self.grid == FULLEST else f"{GRID_WORDS[self.grid]} grid shown"
        return f"{grid}." if self.protocol == PAPER else f"{grid}, {lowered(RUN_BY[self.protocol])}."

    @property
    def named(self) -> str:
        by = "" if self.protocol == PAPER else f", {lowered(RUN_BY[self.protocol])}"
        return GRID_WORDS[self.grid] + by

    def of(self, found: Sequence[AveragedCells]) -> list[AveragedCells]:
        """A figure a place."""
        if self.grid == FULLEST:
            return fullest(found, self.protocol)
        return one_a_corpus(found, self.grid, self.protocol)


# what every view shares ---------------------------------------------------------------------------------------------
class Row(NamedTuple):
    """Where controls go: the line above what is shown, and the settings that are folded in it; and ``answer``, which
    says below the title what a view's figures come to, and behind a question mark what more there is to say."""

    line: Any
    settings: Any
    answer: Callable[..., None]


def protocol_of(data: StudyData, row: Row, always: bool) -> str:
    """The control of how ours were run, where there is a choice, and in Full that of the code of 2016; ``always``: in
    Simple, too."""
    (first, *rest), former = _protocols(data)
    if rest:
        names, where = {name: RUN_BY[name] for name in (first, *rest)}, row.line if always else row.settings
        look = {"label_visibility": "collapsed"} if always else {}
        choose_one("study_protocol", names, first, where, always=always, **look)
    if former and protocol_asked(data) != PAPER:
        control(row.settings.toggle, FORMER, False)
    return protocol_asked(data)


def _protocols(data: StudyData) -> tuple[list[str], bool]:
    """How ours were run, to choose from, the usual way first; and whether the code of 2016 is a choice, too."""
    here = {f.example.how.name for f in data.averaged}
    protocols = [name for name in (PAPER, AUTHORS) if name in here] or [DECEMBER if DECEMBER in here else PAPER]
    return protocols, {AUTHORS, DECEMBER} <= here


def run_by(what: str, kind: Kind) -> str:
    """What of ours is named, with how it was run where that is not by the paper's text."""
    return what if kind.protocol == PAPER else f"{what} {lowered(RUN_BY[kind.protocol])}"


def protocol_asked(data: StudyData) -> str:
    """What these controls say, or will say: also of an address, before there are any."""
    protocols, former = _protocols(data)
    asked = st.session_state.get("study_protocol") or st.query_params.get("study_protocol", "")
    found = next((name for name in protocols if asked in (name, RUN_BY[name])), protocols[0])
    former = former and st.session_state.get(FORMER, st.query_params.get(FORMER) == "true")
    return DECEMBER if found == AUTHORS and former else found


def measure_asked() -> str:
    """The measure that the control says, or will say."""
    asked = st.session_state.get("measure") or st.query_params.get("measure", "")
    return next((name for name, said in MEASURE_WORDS.items() if asked in (name, said)), "macro_f1")


def kind_of(data: StudyData, row: Row, always: bool = False) -> Kind:
    """The controls of protocol and grid, where there is a choice."""
    protocol, where = protocol_of(data, row, always), row.settings
    here = {f.example.grid for f in data.averaged if f.example.how.name == protocol}
    grids = [grid for grid in GRID_WORDS if grid in here] or ["quick"]
    if len(grids) == 1:
        return Kind(grids[0], protocol)
    grids = [FULLEST, *grids]
    return Kind(choose_one("study_grid", {grid: GRID_WORDS[grid] for grid in grids}, FULLEST, where), protocol)


def controls(data: StudyData, row: Row) -> tuple[str, list[AveragedCells], Kind]:
    """Measure, averages of a grid and a protocol, and which these are; ``row``: where the controls go."""
    with row.line:
        measure = choose_one("measure", MEASURE_WORDS, "macro_f1", label_visibility="collapsed")
        kind = kind_of(data, row, always=True)
    averaged = kind.of(data.averaged)
    some = any(f.classes_with_positives < f.classes for f in averaged if f.averages)
    if some and measure in COUNTING:  # where they all have test documents it changes nothing
        usual = ONE if kind.protocol == DECEMBER else PREDICTED
        measure = MACRO[choose_one(f"untested-{kind.protocol}", UNTESTED_WORDS, usual, row.settings, like="untested")]
    return measure, averaged, kind


def rests_on(averaged: Sequence[AveragedCells]) -> str:
    """Of which grids and how many seeds figures of ours are: one score of two grids or seeds differs a little."""
    averaged = [f for f in averaged if f.averages]
    grids = sorted({f.example.grid for f in averaged})
    seeds: dict[int, dict[str, None]] = {}
    for f in averaged:
        seeds.setdefault(f.seeds, {})[display(f.weighting)] = None
    least = min(seeds, default=1)
    others = {n: names for n, names in sorted(seeds.items()) if n > least}
    of = f"{listed(grids)} grid{'s' * (len(grids) > 1)}, "
    twice = sum(map(len, seeds.values())) > len(set().union(*seeds.values()))  # one has two numbers of seeds
    if twice or sum(map(len, others.values())) > NAMED:
        return f"{of}{least} to {max(others)} seeds"
    more = "; ".join(f"{plain(listed(list(names)))}: {n}" for n, names in others.items())
    return (of + words.count(least, "seed") + f" ({more})" * bool(more)) * bool(averaged)


def measure_words(measure: str) -> str:
    """A measure in words, with how it counts classes without test documents where that is not as predicted."""
    return MEASURE_WORDS.get(measure, MEASURE_WORDS["macro_f1"]) + UNTESTED_TOLD.get(measure, "")


def of_corpora(data: StudyData) -> bool:
    """Whether the figures are those of the paper's corpora. If not, this says that the view has no others."""
    if data.of_table:
        st.info(
            "This was computed for the paper’s corpora only: choose *Both* under *Our results* to see it.",
            icon=":material/info:",
        )
    return not data.of_table


def nothing_known() -> None:
    """Say that a view's figures are missing."""
    st.info(
        "The results for this view are missing here: they belong in the folder `data/results` of the app.",
        icon=":material/hourglass_empty:",
    )


def footer(
    data: StudyData,
    kind: Kind,
    averaged: Sequence[AveragedCells] = (),
    frame: pd.DataFrame | None = None,
    name: str = "",
    others: Sequence[tuple[str, str, pd.DataFrame]] = (),
) -> None:
    """Where the figures are from; CSV and LaTeX of all of them, and CSV of what is shown.

    ``others``: further tables to be saved, each with its label and file name.
    """
    if data.of_table:
        papers = "All test documents count. Nobody else sees these results, and they are deleted with the table."
    else:
        papers = (
            "The paper’s: its tables of macro and micro F1 (full grid; learned weightings over 10 seeds). Both count "
            "the test documents with a known term"
        )
        other = any(f.example.documents != "with_terms" for f in averaged)
        papers += ", but some of ours count all." if other else " only."
    counted = f" Counted: {plain(data.counted)}." if data.counted else ""
    said, machines = provenance(data)
    line = st.container(horizontal=True, gap="small")
    some = averaged or (frame is not None) + len(others) > 1
    with line.popover("Download", icon=":material/download:") if some else line:
        if frame is not None:
            offer_table("This table (CSV)", f"{name}.csv", frame, "What is shown above, ours and the paper’s.")
        for label, file, table in others:
            offer_table(label, file, table, "What the page shows, as a table.")
        if averaged:
            _whole(data, averaged)
    with line.popover("Source"):
        st.caption(f"{said} {kind.told}{counted} {papers}", help=machines or None)


def _whole(data: StudyData, averaged: Sequence[AveragedCells]) -> None:
    """Files of all that a study has."""
    about = "Our results in the paper’s layout: macro and micro F1, and the significance tests."
    offer("LaTeX", "tables.tex", lambda: to_latex(averaged), about)
    for level, text, tells in (
        ("figures", "Averages (CSV)", "One row per score of ours, with settings, versions and dates."),
        ("cells", "Each class (CSV)", "One row per class: counts, chosen setting, seconds."),
        ("significance", "Tests (CSV)", "One row per Wilcoxon test of ours."),
    ):
        offer(text, f"{level}.csv", lambda level=level: to_csv(data.results, averaged, level), tells)


def _frame(shown: ResultTable) -> pd.DataFrame:
    """A table as one line a place."""
    rows = [
        {
            "measure": shown.measure,
            "dataset": p.corpus,
            "weighting": p.weighting,
            "learner": short_learner(p.learner),
            "ours": p.value(OURS),
            "sd": p.average.sd if p.average else None,
            "paper": p.paper,
            "difference": p.difference,
            "cells done": p.averaged.done if p.averaged else 0,
            "cells planned": p.averaged.planned if p.averaged else 0,
        }
        for p in shown.places.values()
    ]
    return pd.DataFrame(rows)


def shown_table(data: StudyData, averaged: list[AveragedCells], measure: str) -> ResultTable:
    """A measure's table, with the paper's figures where it has any of these corpora."""
    if not data.of_table:
        return paper_table(averaged, measure)
    corpora = list(dict.fromkeys(f.example.corpus for f in averaged))
    shown = paper_table(averaged, measure, corpora=corpora, with_paper=False)
    counted = lambda title: with_note(title, data.counted) if data.counted else title  # noqa: E731
    shown.titles.update({name: counted(title) for name, title in titles().items()})
    return shown


# views --------------------------------------------------------------------------------------------------------------
def tables(data: StudyData, row: Row) -> None:
    """A measure's table, ours and the paper's in each cell."""
    measure, averaged, kind = controls(data, row)
    view = (
        "ours"
        if data.of_table
        else choose_one("cells", VIEWS, "beside", row.settings, formerly={"What it hangs on": "hangs"})
    )
    every = shown_table(data, averaged, measure)
    shown = study_corpus.chosen(every, row.line)
    drawn, left_out = study_corpus.without_few(shown)
    st.html(f1_table(drawn, view, named=shown is every))
    parts = [in_words(place, shown) for place in left_out]
    if view in ("beside", "paper") and measure in COUNTING:
        parts.append("°: how the paper computed this score is known in part; tap the cell.")
    if mixed_grids(shown):
        parts.append(f"Quick grid: {QUICK}.")
    if view == "hangs":
        parts.append(
            "Below ours: what macro F1 loses to predictions in classes without test documents, then, where it was "
            "computed (`python -m ltw_core.studies ties`), its range over settings tied in validation F1."
        )
    if several := study_sentences.several_seeds(shown):
        parts.append(f"Ours is a mean over seeds, ± their standard deviation: {several}.")
    study_sentences.verdicts_of(shown, measure_words(shown.measure))
    said = study_sentences.nearness(shown)
    here = [p.averaged for p in shown.places.values() if p.average is not None]
    ours = f"Ours: {rests_on(here)}. " if here and view != "paper" else ""
    weightings = {weighting for weighting, *_ in shown.places}
    same = " TFIG and TFGR hardly differ: for one class, IG is GR times a constant." * ({"TFIG", "TFGR"} <= weightings)
    same += f"  \n{VARIANTS_TOLD}" * any(name.startswith("LTW-") for name in weightings)
    st.caption(f"{ours}{said}{same}{ALIKE * (view not in ('paper', 'difference'))}", help=" ".join(parts) or None)
    differing = {p.corpus for p in shown.with_both() if p.of_other_documents}
    for other in findings.other_documents().values():
        if other["corpus"] in differing:
            st.info(" ".join(other["text"]), icon=":material/difference:")
    study_cells.tell()
    for corpus in dict.fromkeys(p.corpus for p in shown.places.values() if p.averaged):
        _some_classes(data, corpus, measure, kind)
    bred_view.of_study(data.results.records(), titles())
    footer(data, kind, averaged, _frame(shown), measure)


def _some_classes(data: StudyData, corpus: str, measure: str, kind: Kind) -> None:
    """Where classes are missing, a table over those that every weighting has."""
    kind = kind._replace(grid="quick") if kind.grid == FULLEST else kind
    classes = shared_classes(data.results.records(), corpus, *kind)
    everywhere = {f.classes for f in kind.of(data.averaged) if f.example.corpus == corpus}
    if not classes or {len(classes)} == everywhere:
        return
    title = titles().get(corpus, corpus)
    with st.expander(f"{title}: over {words.count(len(classes), 'class', 'classes')} that every weighting has"):
        averaged = kind.of(data.over(tuple(classes)))
        averaged = [f for f in averaged if f.example.corpus == corpus]
        shown = paper_table(averaged, measure, corpora=[corpus], with_paper=False)
        st.html(f1_table(shown, "ours", named=False))
        st.caption(plain(", ".join(classes)))


def scores(shown: ResultTable, whose: str) -> dict[str, dict[tuple, float]]:
    """Values of the learners of the paper's pairs; weightings of few pairs (LTW-TF) or shown twice (TFIG) left out."""
    values = shown.scores(whose)
    return {
        name: {column: v for column, v in of.items() if column[1] in paper.LEARNERS}
        for name, of in values.items()
        if of and name not in ("LTW-TF", "TFIG")
    }


def differences(data: StudyData, row: Row) -> None:
    """Places more than .02 from the paper's, and why."""
    if data.of_table:
        st.info(
            "The paper has no results for your own table: choose *Both* under *Our results*.", icon=":material/info:"
        )
        return
    measure, averaged, kind = controls(data, row)
    shown = paper_table(averaged, measure)
    full = None if kind.grid == "full" else paper_table(kind._replace(grid="full").of(data.averaged), measure)
    code = {  # micro F1 hangs on no class
        how: paper_table(kind._replace(grid="full", protocol=how).of(data.averaged), MACRO[PREDICTED])
        for how in (AUTHORS, DECEMBER)
        if measure in COUNTING
    }
    second = second_runs(data.averaged, "macro_f1" if measure in COUNTING else measure)
    led = lambda said: row.answer(f"{LED.get(kind.protocol, '')}{said}")  # noqa: E731
    footer(data, kind, others=study_differences.show(shown, led, full, code, second))
