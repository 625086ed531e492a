"""Formulas that CCA bred: typeset where they are short, with their depth and what their symbols stand for."""

from collections.abc import Iterable

import streamlit as st

from ltw_core.studies.record import Record
from ltw_core.weighting.genetic.found_formula import FoundFormula, formula_in
from pages._ui import words
from pages._ui.guard import plain

LONG = 200  # characters


def show(found: FoundFormula, of: str) -> None:
    """A formula; ``of`` says what it was bred for, in Markdown."""
    st.markdown(
        f"**CCA’s formula** {of} · depth {found.depth} · validation F1 {words.f1(found.validation_f1)}, the best of "
        f"{found.tried:,} tried"
    )
    if len(found.text) > LONG:  # typeset, it would be wider than a page and its parts too small to read
        st.code(f"w = {found.text}", language=None, wrap_lines=True)
    else:
        with st.container(key=f"bred-{abs(hash((of, found))):x}"):  # scrolls where it is too wide, see style.css
            st.latex(f"w = {found.latex}")
    st.caption(plain(found.legend))


def of_class(remarks: Iterable[Iterable[str]]) -> None:
    """The different formulas in some results of one class."""
    for found in dict.fromkeys(filter(None, map(formula_in, remarks))):
        show(found, "for this class")


def of_study(records: Iterable[Record], titles: dict[str, str]) -> None:
    """All formulas of a study, folded away."""
    formulas = {}
    for record in records:
        if record.cell.weighting == "CCA" and (found := formula_in(record.warnings)) is not None:
            formulas[record.cell.corpus, record.cell.class_name, record.cell.seed] = found
    if not formulas:
        return
    with st.expander(f"Formulas that CCA (genetic programming) found ({len(formulas)})"):
        for (corpus, class_name, seed), found in sorted(formulas.items()):
            seed_words = f", seed {seed}" if seed else ""
            show(found, f"for {plain(class_name)} ({plain(titles.get(corpus, corpus))}{seed_words})")
