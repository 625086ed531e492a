"""The study page's tables: F1 compared with the paper's, significance, differences; and what all its views share."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.studies import paper
from ltw_core.studies.averages import one_a_corpus, shared_classes
from ltw_core.studies.comparison import compare
from ltw_core.studies.export import to_csv, to_latex
from ltw_core.studies.tables import FAR, OURS, PAPERS, Table, paper_table
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.downloads import offer, offer_table
from pages._ui.evaluate import bred_view, study_differences
from pages._ui.evaluate.study_source import Found, load, provenance, titles
from pages._ui.evaluate.study_tables import VIEWS, f1_table, short, significance_table
from pages._ui.guard import plain

MEASURE_WORDS = {
    "macro_f1": "Macro F1",
    "micro_f1": "Micro F1",
    "macro_f1_with_test_positives": "Macro F1, tested classes",
}
GRID_WORDS = {"quick": "Quick", "full": "Full"}


# what every view shares ---------------------------------------------------------------------------------------------
def _grid(found: Found) -> str:
    grids = [grid for grid in GRID_WORDS if any(f.example.grid == grid for f in found.figures)] or ["quick"]
    if len(grids) == 1:
        return grids[0]
    return choose_one("study_grid", {grid: GRID_WORDS[grid] for grid in grids}, grids[0])


def controls(found: Found, row: Any, *, all_three: bool = True) -> tuple[str, list[Any], str]:
    """Measure, figures of a grid, and that grid; ``row``: where the controls go."""
    with row:
        measure = choose_one("measure", dict(list(MEASURE_WORDS.items())[: 3 if all_three else 2]), "macro_f1")
        grid = _grid(found)
    return measure, one_a_corpus(found.figures, grid), grid


def footer(found: Found, grid: str, figures: Sequence = (), frame: pd.DataFrame | None = None, name: str = "") -> None:
    """Where the figures are from; CSV and LaTeX of all of them, and CSV of what is shown."""
    st.caption(
        f"{provenance(found)} {GRID_WORDS[grid]} grid shown. The paper's figures: its tables of macro and micro F1, "
        "from full grids and, of learned weightings, 10 seeds."
    )
    with st.container(horizontal=True):
        if frame is not None:
            offer_table("This table (CSV)", f"{name}.csv", frame, "What is shown above, ours and the paper's.")
        if not figures:
            return
        about = "Our figures in the paper's layout: macro and micro F1, and the tests of significance."
        offer("LaTeX", "tables.tex", lambda: to_latex(figures), about)
        for level, text, tells in (
            ("figures", "Averages (CSV)", "One line a figure of ours, with settings, versions and days."),
            ("cells", "Cells (CSV)", "One line a class: counts, chosen setting, seconds."),
            ("significance", "Tests (CSV)", "One line a Wilcoxon test of ours."),
        ):
            offer(text, f"{level}.csv", lambda level=level: to_csv(found.results, figures, level), tells)


def _frame(shown: Table) -> pd.DataFrame:
    """A table as one line a place."""
    rows = [
        {
            "measure": shown.measure,
            "dataset": p.corpus,
            "weighting": p.weighting,
            "learner": p.learner,
            "ours": p.value(OURS),
            "sd": p.average.sd if p.average else None,
            "paper": p.paper,
            "difference": p.difference,
            "cells done": p.figure.done if p.figure else 0,
            "cells planned": p.figure.planned if p.figure else 0,
        }
        for p in shown.places.values()
    ]
    return pd.DataFrame(rows)


# views --------------------------------------------------------------------------------------------------------------
def tables(found: Found, row: Any) -> None:
    """A measure's table, ours and the paper's in each cell."""
    measure, figures, grid = controls(found, row)
    view = choose_one("cells", VIEWS, "beside", row)
    shown = paper_table(figures, measure)
    _summary(shown)
    st.html(f1_table(shown, view, words.base()))
    parts = [
        "**Bold**: best of its column. Grey box: a learned weighting that beats all others, as in the paper. –: missing"
    ]
    if view in ("beside", "difference"):
        parts.append("orange: ours is higher, blue: lower, strongest from .1 on")
    if view == "beside":
        parts.append("above ours (± standard deviation over seeds), below the paper's")
    if several := _several_seeds(figures):
        parts.append(f"ours is a mean over seeds: {several}")
    st.caption("; ".join(parts) + ". Point at a cell for its particulars.")
    differing = {p.corpus for p in shown.with_both() if not p.comparable}
    for other in paper.other_documents().values():
        if other["corpus"] in differing:
            st.info(" ".join(other["text"]), icon=":material/difference:")
    footer(found, grid, figures, _frame(shown), measure)
    for corpus in dict.fromkeys(f.example.corpus for f in figures):
        _some_classes(found, corpus, measure, grid)
    bred_view.of_study(found.results.records(), titles())


def _several_seeds(figures: list[Any]) -> str:
    """Which figures are means over several seeds, and over how many: "LTW-L-I 10 (SVM)"."""
    found: dict[tuple[str, int], dict[str, None]] = {}
    for figure in figures:
        if figure.seeds > 1:
            found.setdefault((figure.weighting, figure.seeds), {})[figure.learner] = None
    return ", ".join(f"{plain(display(name))} {n} ({', '.join(learners)})" for (name, n), learners in found.items())


def _some_classes(found: Found, corpus: str, measure: str, grid: str) -> None:
    """Where classes are missing, a table over those that every weighting has."""
    classes = shared_classes(found.results.records(), corpus, grid)
    everywhere = {f.classes for f in one_a_corpus(found.figures, grid) if f.example.corpus == corpus}
    if not classes or {len(classes)} == everywhere:
        return
    title = titles().get(corpus, corpus)
    with st.expander(f"{title}: over {words.count(len(classes), 'class', 'classes')} that every weighting has"):
        figures = one_a_corpus(load(found.source, tuple(classes)).figures, grid)
        figures = [f for f in figures if f.example.corpus == corpus]
        shown = paper_table(figures, measure, corpora=[corpus], with_paper=False)
        st.html(f1_table(shown, "ours", words.base()))
        st.caption(plain(", ".join(classes)))


def _summary(shown: Table) -> None:
    """How near the figures are, in numbers."""
    both = [p for p in shown.with_both() if p.comparable]
    missing = sum(p.paper is not None and p.average is None for p in shown.places.values())
    if not both:
        return
    near = sum(abs(p.difference) <= FAR for p in both)
    mean = sum(p.difference for p in both) / len(both)
    words.figures(
        (
            (
                "within .02",
                f"{near} of {len(both)}",
                "Places where ours lies at most .02 from the paper's, without Ohsumed",
            ),
            ("mean difference", short(mean, signed=True), "Ours minus the paper's over these places"),
            ("still missing", f"{missing:,}", "Places for which the paper has a figure and we have none"),
        )
    )


def significance(found: Found, row: Any) -> None:
    """Wilcoxon tests of ours and of the paper's figures."""
    measure, figures, grid = controls(found, row, all_three=False)
    shown = paper_table(figures, measure)
    ours, papers = scores(shown, OURS), scores(shown, PAPERS)
    st.markdown(
        "Two-sided Wilcoxon signed-rank tests over the ⟨corpus, classifier⟩ pairs that two weightings have in common: "
        "is the row better than the column at α = .05 (†) or α = .005 (††)? A small p without a dagger: it is worse."
    )
    for title, values, note in (
        ("Ours", ours, "With fewer than 6 pairs p cannot fall below .05."),
        ("From the paper's figures alone", papers, "These are the daggers that the paper prints, all 128 of them."),
    ):
        st.subheader(title, anchor=False)
        tests = compare(values)
        if not tests:
            st.info("No learned weighting has all its classes done yet.", icon=":material/hourglass_empty:")
            continue
        st.html(significance_table(tests, words.base()))
        pairs = sorted({c.pairs for c in tests if c.pairs})
        told = (
            f"n: pairs, {pairs[0]} to {pairs[-1]}."
            if len(pairs) > 1
            else f"n: pairs, {pairs[0]} everywhere." * bool(pairs)
        )
        st.caption(f"{told} {note}")
    footer(found, grid, figures)


def scores(shown: Table, whose: str) -> dict[str, dict[tuple, float]]:
    """Values of the learners of the paper's pairs; weightings of few pairs (LTW-TF) or shown twice (TFIG) left out."""
    values = shown.scores(whose)
    return {
        name: {column: v for column, v in of.items() if column[1] in paper.LEARNERS}
        for name, of in values.items()
        if of and name not in ("LTW-TF", "TFIG")
    }


def differences(found: Found, row: Any) -> None:
    """Places more than .02 from the paper's, and why."""
    measure, figures, grid = controls(found, row, all_three=False)
    shown = paper_table(figures, measure)
    full = paper_table(one_a_corpus(found.figures, "full"), measure) if grid == "quick" else None
    study_differences.show(shown, grid, full)
    footer(found, grid)
