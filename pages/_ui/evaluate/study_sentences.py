"""What follows from a table of the study page, and what its figures are: sentences below it."""

import streamlit as st

from ltw_core.evaluation import short_learner, verdicts
from ltw_core.metrics import listed
from ltw_core.studies import paper
from ltw_core.studies.over_classes import difference
from ltw_core.studies.tables import FAR, ResultTable, family_of
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.evaluate.study_source import short_titles
from pages._ui.evaluate.study_tables import short
from pages._ui.guard import plain


def verdicts_of(shown: ResultTable, measure: str) -> None:
    """What follows for the learned weighting against the best-known supervised one, a sentence a corpus."""
    rows = [name for _, name in shown.rows]
    learned = next((name for name in ("LTW-L-I", *rows) if name in rows and family_of(name) == "LTW"), None)
    others = [name for name in ("TFRF", "LogTFIDF", "TFCHI") if name in rows]
    if learned is None or not others:
        return
    lines, named = [], short_titles()
    for group, learner in shown.columns:
        one = shown.place(learned, (group, learner)).averaged
        if learner != "SVM" or one is None:
            continue
        against = {name: shown.place(name, (group, learner)).averaged for name in others}
        found = {display(name): difference(one, o, shown.measure) for name, o in against.items() if o is not None}
        found = {name: each for name, each in found.items() if each is not None}
        if found:
            lines.append(verdicts(display(learned), found, plain(named.get(group, group))))
    if lines:
        lines = [line.replace(" to ", "\u00a0to\u00a0") for line in lines]  # as in an interval, where no line ends
        said = "".join(f"\n- {line}" for line in lines) if lines[1:] else f" {lines[0]}."
        st.markdown(f"**{measure} with the SVM, ours:**{said}")


def several_seeds(shown: ResultTable) -> str:
    """Which figures are means over several seeds, over how many, and how far these lie apart: "LTW-L-I 10 (SVM ±.009)";
    in words below the table, for what a cell says when it is pointed at is not read on a phone."""
    found: dict[tuple[str, int], list[str]] = {}
    several = len({corpus for corpus, _ in shown.columns}) > 1
    for place in (shown.place(name, column) for _, name in shown.rows for column in shown.columns):
        if place.average is not None and place.averaged.seeds > 1:
            sd = f" ±{short(place.average.sd)}" if place.average.sd is not None else ""
            of = f" on {plain(shown.titles.get(place.corpus, place.corpus))}" * several
            found.setdefault((place.weighting, place.averaged.seeds), []).append(
                f"{short_learner(place.learner)}{sd}{of}"
            )
    return ", ".join(f"{plain(display(name))} {n} ({', '.join(each)})" for (name, n), each in found.items())


def nearness(shown: ResultTable) -> str:
    """How near the figures are, in a sentence, or why that cannot be said."""
    both = [p for p in shown.with_both() if p.comparable]
    if not both:
        if shown.with_both():
            return "None of our scores can be compared with the paper’s: the documents or terms differ."
        if any(place.paper is not None for place in shown.places.values()):
            return "None of ours is computed yet."
        return "The paper has no scores to compare with these."
    near = sum(abs(p.difference) <= FAR for p in both)
    mean = short(sum(p.difference for p in both) / len(both), signed=True)
    missing = sum(p.paper is not None and p.average is None for p in shown.places.values())
    still = f" Another {missing:,} are in the paper only." if missing else ""
    within = short(FAR).rstrip("0")
    said = f"Here {near} of {len(both)} comparable scores lie within {within} of the paper’s"
    return f"{said}; mean difference {mean}.{still}"


def of_other_documents(shown: ResultTable) -> str:
    """How many pairs of our learned weightings, which all tests are about, are on other documents than the paper's, and
    of which grid; "" for none."""
    found: dict[str, dict[str, str]] = {}
    for place in shown.places.values():
        of_test = family_of(place.weighting) == "LTW" and place.learner in paper.LEARNERS
        if of_test and place.average is not None and place.of_other_documents:
            found.setdefault(place.corpus, {})[place.learner] = place.averaged.example.grid
    said = []
    for corpus, of in found.items():
        title, grids = plain(shown.titles[corpus].partition(" (")[0]), sorted(set(of.values()))
        number = words.count(len(of), "of our pairs uses", "of our pairs use")
        said.append(f"On {title}, {number} documents other than the paper’s ({listed(grids)} grid).")
    return " ".join(said)
