"""What each view of the Data page comes to: a sentence above it, and behind its question mark what stands behind it."""

from typing import Any

import numpy as np

from ltw_core import insight
from ltw_core.evaluation import decimals
from ltw_core.metrics import listed
from pages._ui import choices, words
from pages._ui.guard import plain
from pages._ui.reader.table_results import kept_of_corpus

EVIDENCE = "A term is evidence about a class: a share *tpr* of its documents hold it, a share *fpr* of all others."
COMPARED = ("CHI2", "IG", "RF")
PARTS = (
    "Weightings and classifiers learn from training documents; only the final classifier sees the test documents, "
    "once. Each class is a yes-or-no question of its own. Terms are distinct words of the training documents, stop "
    "words left out."
)


def best_term(task: Any) -> tuple[str, str]:
    """Which term tells the class best alone."""
    hold, n = task.tp + task.fp, round(task.prevalence * task.n_documents)
    f1 = 2 * task.tp / np.maximum(hold + n, 1)
    best = int(np.argmax(f1))
    return (
        f"The single word that best identifies **{plain(task.class_title)}** is “{plain(str(task.terms[best]))}”: "
        f"{words.prevalence(task.tpr[best])} of its {words.count(n, 'training document')} hold it (*tpr*), "
        f"{words.prevalence(task.fpr[best])} of the {task.n_documents - n:,} others do (*fpr*).",
        f"{EVIDENCE} As a classifier the word would reach an F1 of {decimals(float(f1[best]))} on these same "
        "documents, and probably less on new ones.",
    )


def largest_weights(task: Any) -> tuple[str, str]:
    """Which term each of a few functions weights most."""
    terms: dict[str, list[str]] = {}
    for name in COMPARED:
        weights = choices.function(name).at_rates(task.tpr, task.fpr, task.prevalence, task.n_documents)
        terms.setdefault(str(task.terms[int(np.nanargmax(weights))]), []).append(choices.symbol(name))
    most = " has the largest weight"
    parts = [f"“{plain(term)}”{most * (k == 0)} under {listed(by)}" for k, (term, by) in enumerate(terms.items())]
    return f"Of {words.count(len(task.terms), 'term')} {', '.join(parts)}.", EVIDENCE


def prevalences(source: Any, positives: dict[str, int]) -> str:
    """How unequal the classes are."""
    sizes = sorted(positives.values())
    title = source.class_titles[source.class_names.index(max(positives, key=positives.get))]
    most = f"**{plain(title)}**, has {sizes[-1]:,} of {source.counts_train.shape[0]:,} training documents"
    if len(sizes) == 1:
        return f"The only class, {most}."
    half = f"half of the classes have {sizes[(len(sizes) - 1) // 2]:,} or fewer"
    return f"The largest of {len(sizes):,} classes, {most}; {half}."


def texts(source: Any) -> str:
    """How long documents are, and how many terms are rare."""
    median, _, once = _lengths(source.fingerprint, source)
    return (
        f"Half of the {source.counts_train.shape[0]:,} training documents have {words.count(median, 'word')} or fewer, "
        f"stop words left out; {once:,} of the {source.vocabulary.size:,} terms occur in a single one."
    )


@kept_of_corpus(12)
def _lengths(fingerprint: str, _source: Any) -> tuple[int, int, int]:
    """The median length of the training documents in words, the sum of their lengths, and how many terms a single one
    of them holds."""
    counts = _source.counts_train
    held = np.bincount(counts.indices, minlength=counts.shape[1])
    return int(np.median(insight.document_lengths(counts)[0])), int(counts.sum()), int((held == 1).sum())


def corpus(source: Any, positives: dict[str, int], task: Any, about: str) -> str:
    """The corpus in numbers, ``about``: what it is; and how many documents hold no known term."""
    train, of, (_, length, _) = source.counts_train.shape[0], source.corpus, _lengths(source.fingerprint, source)
    labels = sum(positives.values()) / max(train, 1)
    return "\n\n".join(
        filter(
            None,
            (
                f"**{plain(of.title)}**: {of.n_train:,} training and {words.count(of.n_test, 'test document')}, "
                f"{words.count(len(source.class_names), 'class', 'classes')}, {source.vocabulary.size:,} terms; "
                f"{labels:.2f} labels and {length / max(train, 1):.0f} words per training "
                "document.",
                about,
                PARTS,
                plain(words.note_without_terms(task)),
            ),
        )
    )
