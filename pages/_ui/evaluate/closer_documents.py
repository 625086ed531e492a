"""The test documents of a class that two settings decide differently, and the terms that do it, found on demand."""

from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import describe
from ltw_core.metrics import signed
from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager_of_short_work
from ltw_core.studies.averages import AveragedCells
from ltw_core.studies.class_gaps import ClassGap
from ltw_core.studies.differing_documents import DifferingDocument, DifferingDocuments, differing_documents
from ltw_core.studies.record import Record
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.evaluate import decisions_kept
from pages._ui.evaluate.study_source import StudyData
from pages._ui.evaluate.term_bars import term_bars
from pages._ui.guard import plain
from pages._ui.tables import FIRST_ROW, READ_ONE, table

FOUND = "closer_asked"  # of the session: which documents were asked for


def records_of(data: StudyData, side: AveragedCells) -> dict[str, Record]:
    """The cells of a figure, of its first seed, by class."""
    cell = side.example
    wanted = (cell.weighting, cell.weighting_parameters, cell.learner, cell.grid, cell.protocol, cell.fingerprint)
    found: dict[str, Record] = {}
    for r in data.results.records():
        c = r.cell
        if (c.weighting, c.weighting_parameters, c.learner, c.grid, c.protocol, c.fingerprint) == wanted:
            kept = found.get(c.class_name)
            if kept is None or c.seed < kept.cell.seed:
                found[c.class_name] = r
    return found


def show(names: Any, sides: Any, of: list[dict[str, Record]], gap: ClassGap) -> None:
    """The test documents of a class that the two decide differently: found on demand, by training both once more.

    ``of`` holds both sides' cells by class, as ``records_of`` finds them.
    """
    if not all(gap.class_name in side for side in of):
        return
    records = [side[gap.class_name] for side in of]
    one, two = records
    st.header(f"{plain(gap.class_name)}: the documents", anchor=False)
    said = "; ".join(
        f"{plain(name)}: {plain(_in_words(describe(r.parameters)))}" for name, r in zip(names, records, strict=True)
    )
    seeds = " (seed 0; the F1 scores above are means over seeds)" if max(side.seeds for side in sides) > 1 else ""
    st.caption(f"Chosen settings{seeds}: {said}.")
    key = f"closer {one.cell.key} {two.cell.key}"
    asked = st.session_state.setdefault(FOUND, set())
    if key not in asked:
        if not st.button("Find the documents", key="closer_find", icon=":material/find_in_page:", help=FIND):
            return
        asked.add(key)

    def make(job: Job, on_event: Any) -> DifferingDocuments:
        job.meta["message"] = "Reading the corpus, weighting and training both"
        return differing_documents(one, two, on_event)

    found = decisions_kept.kept_or_made(key, make, 0.3, manager_of_short_work())
    if isinstance(found, Job):
        decisions_kept.wait(found)
        return
    _found(found, gap, names)


def _in_words(setting: str) -> str:
    """A classifier's setting without the names of scikit-learn's parameters."""
    for written, said in SETTINGS.items():
        setting = setting.replace(written, said)
    return setting


SETTINGS = {
    "loss = hinge": "hinge loss",
    "loss = squared_hinge": "squared hinge loss",
    "dual = yes": "dual form",
    "dual = no": "primal form",
    "penalty = ": "penalty ",
    "class_weight = ": "class weights ",
    "_": " ",
}
FIND = "Trains both classifiers again with the settings above and compares their decisions on each test document."


def _found(found: DifferingDocuments, gap: ClassGap, names: Any) -> None:
    if not found.total:
        st.info("They agree on every test document.", icon=":material/done_all:")
        return
    one, two = what_differs(names)
    st.markdown(
        f"They differ on **{words.count(found.total, 'test document')}**: {found.right[0]} classified correctly by "
        f"{plain(one)} alone, {found.right[1]} by {plain(two)} alone."
    )
    if not found.linear:
        st.caption(
            "The terms responsible are known for linear classifiers (SVM, logistic regression, naive Bayes) only."
        )
    left, right = st.columns([5, 6], gap="large")
    with left:
        frame = pd.DataFrame(
            {
                "no.": d.number + 1,
                "term": d.terms[0][0] if d.terms else "",
                "class": "yes" if d.truth else "no",
                "right": one if d.predicted[0] == d.truth else two,
                "begins": " ".join(d.text[:200].split())[:110],
            }
            for d in found.documents
        )
        name = f"closer-documents-{abs(hash((gap.class_name, names))):x}"
        about = "Documents decided differently"
        options = {"on_select": "rerun", "selection_mode": READ_ONE, "selection_default": FIRST_ROW, "key": name}
        event = table(frame, "closer_documents", about, **options)
        more = f" The first {len(found.documents)} are listed." if found.total > len(found.documents) else ""
        st.caption(f"Largest difference in scores first.{more} Term: the one with the largest part in it.")
        offer_table("Documents (CSV)", f"{gap.class_name}-documents.csv", _exported(found, one, two), "With the terms.")
    rows = event["selection"]["rows"] if event else []
    document = found.documents[rows[0] if rows and rows[0] < len(found.documents) else 0]
    with right:
        _read(document, f"{one} minus {two}")
    if found.terms and found.total > 1:
        term_bars(found.terms, f"Terms behind all {found.total}: {one} minus {two}, mean", "closer-all")


def _read(document: DifferingDocument, minus: str) -> None:
    st.markdown(
        f"**Document {document.number + 1:,}** · {plain(', '.join(document.labels) or 'no class')} · scores "
        f"{signed(document.scores[0], 2)} and {signed(document.scores[1], 2)} standard deviations: "
        f"{' and '.join('predicted' if p else 'not predicted' for p in document.predicted)}"
    )
    with st.container(border=True, height=230):
        st.text(" ".join(document.text.split())[:3_000])
    if document.terms:
        term_bars(document.terms, f"What made the difference in it: {minus}", "closer-one")


def what_differs(names: tuple[str, str]) -> tuple[str, str]:
    """Two settings by the parts in which they differ, "LTW-L-I" and "TFRF" where the rest is the same."""
    parts = [name.split(" · ") for name in names]
    differ = [[a for a, b in zip(x, y, strict=True) if a != b] for x, y in (parts, parts[::-1])]
    one, two = (" · ".join(each) for each in differ)
    return one, two


def _exported(found: DifferingDocuments, one: str, two: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "document": d.number + 1,
            "has the class": d.truth,
            f"{one} predicts": d.predicted[0],
            f"{two} predicts": d.predicted[1],
            f"{one} score": d.scores[0],
            f"{two} score": d.scores[1],
            "terms": "; ".join(f"{term} {value:+.3f}" for term, value in d.terms),
        }
        for d in found.documents
    )
