"""The study page's figures: average ranks, F1 of every class over its frequency, F1 over seconds."""

from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import GRIDS, LEARNERS, average_ranks, cliques
from ltw_core.figures import critical_difference, f1_by_prevalence, f1_by_seconds
from ltw_core.metrics import Counts
from ltw_core.studies.comparison import complete
from ltw_core.studies.tables import OURS, PAPERS, paper_table
from ltw_core.weighting import display
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate.study_source import Found, titles
from pages._ui.evaluate.study_tables import short
from pages._ui.evaluate.study_views import GRID_WORDS, MEASURE_WORDS, controls, footer, scores
from pages._ui.plots.plot import plot


def ranks(found: Found, row: Any) -> None:
    """Critical-difference diagrams of ours and of the paper's figures."""
    measure, figures, grid = controls(found, row, all_three=False)
    shown = paper_table(figures, measure)
    st.markdown(
        "Weightings ranked on each ⟨corpus, classifier⟩ pair, 1 is best, and averaged. A bar joins weightings whose "
        "ranks lie within Nemenyi's critical difference at α = .05: they do not differ significantly."
    )
    for title, whose in (("Ours", OURS), ("The paper's", PAPERS)):
        _ranks(title, scores(shown, whose), whose)
    footer(found, grid, figures)


def _ranks(title: str, values: dict, whose: str) -> None:
    first = sharing(values)
    with st.popover("Which weightings" if whose == OURS else "Which of the paper's", icon=":material/checklist:"):
        key, names = f"ranked-{whose}-{'-'.join(first)}", {name: display(name) for name in values}
        chosen = control(st.multiselect, key, names, default=first, like="ranked")
    pairs = complete(values, chosen)
    if len(chosen) < 3 or len(pairs) < 2:
        st.info("Ranks need at least three weightings with two pairs in common.", icon=":material/info:")
        return
    result = average_ranks([[values[name][pair] for pair in pairs] for name in chosen])
    figure = critical_difference.plain(
        chosen,
        result.average,
        result.critical_difference,
        cliques(result),
        title=f"{title}, {len(pairs)} pairs",
        base=words.base(),
    )
    plot(figure, f"ranks-{whose}", live=True)
    verdict = "so they are not all alike" if result.p < 0.05 else "so no difference between them is certain"
    st.caption(f"Friedman's test: p {'< .001' if result.p < 0.001 else f'= {short(result.p)}'}, {verdict}.")


def sharing(values: dict) -> list[str]:
    """Weightings to begin with: those with at least n pairs, n chosen so that these have the most in all."""
    counts = [len(of) for of in values.values()]
    least = max(set(counts), key=lambda n: n * sum(count >= n for count in counts), default=0)
    return [name for name, of in values.items() if len(of) >= least]


def by_class(found: Found, row: Any) -> None:
    """F1 of every class over its prevalence."""
    records = found.results.records()
    corpora = list(dict.fromkeys(r.cell.corpus for r in records))
    if not corpora:
        st.info("There is no study to show yet.", icon=":material/hourglass_empty:")
        return
    with row:
        corpus = _pick("by_corpus", corpora, titles())
        of = [r for r in records if r.cell.corpus == corpus]
        learner = _pick("by_learner", sorted({r.cell.learner for r in of}, key=list(LEARNERS).index), {})
        of = [r for r in of if r.cell.learner == learner]
        grids = sorted({r.cell.grid for r in of}, key=GRIDS.index)
        grid = grids[0] if len(grids) == 1 else _pick("by_grid", grids, GRID_WORDS)
    of = [r for r in of if r.cell.grid == grid and r.cell.seed == 0]
    names = list(dict.fromkeys(r.cell.weighting for r in of))
    default = [name for name in choices.WEIGHTINGS["studies"] if name in names] or names[:3]
    names = {name: display(name) for name in names}
    key = f"by_weightings-{corpus}"
    chosen = control(st.multiselect, key, names, default=default, max_selections=5, like="by_weightings")
    points = {
        name: ([r.tp + r.fn for r in mine], [r.f1 for r in mine], [r.cell.class_name for r in mine])
        for name in chosen
        if (mine := [r for r in of if r.cell.weighting == name])
    }
    if not points:
        st.info("Choose a weighting.", icon=":material/info:")
        return
    documents = sum(getattr(of[0], count) for count in Counts._fields)
    figure = f1_by_prevalence.plain(points, documents, base=words.base(), uirevision=corpus)
    plot(figure, "by-class", live=True)
    none = len({r.cell.class_name for r in of if not r.tp + r.fn})
    empty = (
        f" {words.count(none, 'class has', 'classes have')} none: at the left edge, F1 is 1 or 0 there." if none else ""
    )
    st.caption(f"A point is a class (seed 0), a line the mean over classes of like frequency.{empty}")
    frame = pd.DataFrame(
        {"weighting": name, "class": c, "test documents": n, "F1": value}
        for name, (positives, f1, classes) in points.items()
        for n, value, c in zip(positives, f1, classes, strict=True)
    )
    footer(found, grid, frame=frame, name=f"{corpus}-{learner}-by-class")


def seconds(found: Found, row: Any) -> None:
    """F1 over what it costs to compute."""
    measure, figures, grid = controls(found, row)
    figures = [f for f in figures if f.value(measure) is not None]
    if not figures:
        st.info("No figure is complete yet.", icon=":material/hourglass_empty:")
        return
    corpora = list(dict.fromkeys(f.example.corpus for f in figures))
    with row:
        corpus = _pick("time_corpus", corpora, titles())
    rows = [
        (f.weighting, f.learner, f.seconds + f.weighting_seconds, f.value(measure))
        for f in figures
        if f.example.corpus == corpus
    ]
    options = {"measure": MEASURE_WORDS[measure], "uirevision": f"{corpus}-{measure}"}
    plot(f1_by_seconds.plain(rows, base=words.base(), **options), "f1-seconds", live=True)
    st.caption(
        "Colour: weighting. Shape: circle SVM, square logistic regression, diamond naive Bayes, triangle nearest "
        "neighbours, cross random forest, x Dense's own classifier. One core each; "
        "vectors that several classifiers share are counted for each."
    )
    frame = pd.DataFrame(rows, columns=["weighting", "learner", "seconds a class", measure])
    footer(found, grid, frame=frame, name=f"{corpus}-seconds")


def _pick(key: str, options: list[str], titles: dict[str, str]) -> str:
    shown = {option: titles.get(option, option) for option in options}
    return choose_one(f"{key}-{'-'.join(options)}", shown, options[0], like=key)
