"""The scores of all classes at once, ranked, folded in a table, and as a file."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from ltw_core.evaluation import (
    MulticlassResult,
    describe,
    difference_over_classes,
    interval_over_classes,
    interval_text,
    short_learner,
)
from ltw_core.tasks import without_terms
from ltw_core.weighting import SCHEMES, methods
from pages._ui import words
from pages._ui.downloads import csv, from_corpus, offer
from pages._ui.evaluate import all_classes_confusion
from pages._ui.evaluate.all_classes import POLICIES, AllClasses, Wanted
from pages._ui.evaluate.evaluations import ORIGINS
from pages._ui.guard import capital, plain
from pages._ui.reader import counting
from pages._ui.tables import Marked, table

FAR = 0.1  # by which macro F1 on the validation part is more than on the test documents


def show(asked: AllClasses) -> None:
    """What the figures rest on, last on the page: all scores folded in a table, whose rows are opened too, those of
    each class of the one that is open, and the files."""
    found = ranked(asked)
    names = [called(asked.label, *pair) for pair in found.items()]
    at = all_classes_confusion.shown(found, names)

    def chosen(row: int) -> None:
        st.session_state[all_classes_confusion.SHOWN] = names[row]

    with st.expander("All F1 scores with intervals and settings", key="all_figures"):
        _table(asked, found, names, set(highest(found).values()), chosen, at)
        unvalidated = asked.task.unvalidated
        if unvalidated and any(r.validation_macro_f1 - r.macro_f1 > FAR for r in found.values()):
            st.caption(
                f"Validation is macro F1 on the held-out training documents. {unvalidated:,} of the "
                f"{len(asked.task.class_names):,} classes {'has' if unvalidated == 1 else 'have'} none there: where "
                "none is predicted either, F1 counts as 1."
            )
    wanted, result = list(found.items())[at]
    all_classes_confusion.each_class(asked.task, names[at], result)
    _footer(asked, found, wanted)


def called(label: Callable[[str], str], wanted: Wanted, result: MulticlassResult, alone: bool = False) -> str:
    """What a row is called; ``alone``: its weighting only, where all have one classifier, and always one policy."""
    policy = f" · {POLICIES.get(result.policy, result.policy).lower()}" if result.policy else ""
    return label(wanted.weighting) + f"{policy} with {words.classifier(wanted.learner)}" * (not alone)


def ranked(asked: AllClasses) -> dict[Wanted, MulticlassResult]:
    """What is known, the highest macro F1 first."""
    return dict(sorted(asked.results().items(), key=lambda pair: -pair[1].macro_f1))


def highest(found: dict[Wanted, MulticlassResult]) -> dict[str, Wanted]:
    """By classifier the highest macro F1; ``found``: the highest first."""
    first: dict[str, Wanted] = {}
    for wanted in found:
        first.setdefault(wanted.learner, wanted)
    return first


def best(found: dict[Wanted, MulticlassResult]) -> tuple[set[Wanted], set[Wanted]]:
    """With each classifier the highest macro F1, and the others that are not distinguishable from it."""
    first = highest(found)
    top = set(first.values())
    others = {wanted: r.f1 for wanted, r in found.items() if wanted not in top}
    return top, {
        wanted
        for wanted, f1 in others.items()
        if difference_over_classes(found[first[wanted.learner]].f1, f1).sign == 0
    }


def _table(
    asked: AllClasses,
    found: dict[Wanted, MulticlassResult],
    names: list[str],
    best: set[Wanted],
    chosen: Callable[[int], None],
    at: int,
) -> None:
    own = not all(wanted.weighting in (*methods(), *SCHEMES) for wanted in found)
    width = 150 if own else 110  # room for "LTW-L-I (your run)"
    table(
        _frame(asked, found),
        "all_classes",
        "Accuracy, macro F1 and micro F1 of each weighting with each classifier",
        chosen,
        {"weighting": st.column_config.Column("Weighting", width=width)},
        key=f"all-results-{abs(hash((asked.task.fingerprint, tuple(names)))):x}",
        most=300,
        width="stretch",
        at=at,
        marked=Marked(bold={"macro F1": [row for row, wanted in enumerate(found) if wanted in best]}),
    )


def _frame(asked: AllClasses, found: dict[Wanted, MulticlassResult]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "weighting": asked.label(wanted.weighting),
            "macro F1": r.macro_f1,  # and its classifier next to the name: a phone has room for no more
            "classifier": short_learner(wanted.learner),
            "interval": "–" if (around := interval_over_classes(r.f1)) is None else interval_text(around),
            "accuracy": r.accuracy,
            "micro F1": r.micro_f1,
            "validation macro F1": r.validation_macro_f1,
            "seconds": r.seconds,
            "policy": POLICIES.get(r.policy, "").lower() or "–",
            "classes": r.how,
            "setting": describe(r.parameters),
        }
        for wanted, r in found.items()
    )


def _footer(asked: AllClasses, found: dict[Wanted, MulticlassResult], wanted: Wanted) -> None:
    """The files, those of each class of the result that is open (``wanted``), and what all of them rest on."""
    result = found[wanted]
    with st.container(horizontal=True, vertical_alignment="center"):
        about = "One line per weighting and classifier."
        of = asked.task.vectorized
        make = lambda: csv(from_corpus(_exported(_frame(asked, found), found), of))  # noqa: E731
        offer("Results (CSV)", f"{counting.stem(asked.task.corpus_name)}-all-classes.csv", make, about)
        all_classes_confusion.files(asked.task, result)
        origin = capital(ORIGINS[asked.origin(wanted)])
        kind = "each document gets one class" if result.single_label else "each decided for itself"
        noted = "".join(f" {plain(note)}" for note in asked.task.notes)
        st.caption(
            f"{words.count(len(result.class_names), 'class', 'classes')}, {kind}: {result.n_train:,} training "
            f"and {result.n_test:,} test documents, {len(asked.task.terms):,} terms, seed 0. {origin}",
            help=f"{result.n_validation:,} of the training documents choose a setting, by macro F1."
            + ("" if result.single_label else " Accuracy is the share of documents with every class correct.")
            + noted,
        )


def _exported(frame: pd.DataFrame, found: dict[Wanted, MulticlassResult]) -> pd.DataFrame:
    """The table for the CSV: with the documents behind its figures, and those of them that hold no known term."""
    counts = [
        {"training documents": r.n_train, "test documents": r.n_test}
        | without_terms.columns(r.without_terms, of_class=False)
        for r in found.values()
    ]
    return frame.join(pd.DataFrame(counts))
