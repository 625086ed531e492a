"""Measures of a class and of its terms: counts, rates, and terms by their rank."""

import numpy as np

from ltw_core.lessons.measures import measure
from ltw_core.metrics import f1


def place_of(subject, term: str) -> int:
    """Column of a term.

    Raises
    ------
    ValueError
        The class has no such term among those that were selected.
    """
    place = subject.statistics.term_index.get(term)
    if place is None:
        raise ValueError(f"“{term}” is not among the {len(subject.statistics):,} terms of this class")
    return place


def ranked(subject, strength, rank: int, among=None) -> str:
    """The term of a rank by strength; of equal ones the more frequent first, then by the alphabet."""
    s = subject.statistics
    places = np.arange(len(s)) if among is None else np.flatnonzero(among)
    if rank > places.size:
        raise ValueError(f"the lesson asks for term number {rank} of such a kind, and there are only {places.size:,}")
    keys = (s.terms[places].astype(str), -s.document_frequency[places], -np.asarray(strength, dtype=float)[places])
    return str(s.terms[places[np.lexsort(keys)[rank - 1]]])


def f1_of_terms(subject) -> np.ndarray:
    """F1 over the training documents of "it is of the class if it holds the term", for each term."""
    s = subject.statistics
    return 2 * s.tp / np.maximum(2 * s.tp + s.fp + s.fn, 1)


@measure("documents", "", "count", "training documents")
def _documents(subject):
    return subject.statistics.n_documents


@measure("positives", "", "count", "training documents of the class")
def _positives(subject):
    return subject.statistics.n_positives


@measure("negatives", "", "count", "all other training documents")
def _negatives(subject):
    return subject.statistics.n_documents - subject.statistics.n_positives


@measure("terms", "", "count", "terms that are kept")
def _terms(subject):
    return len(subject.statistics)


@measure("prevalence", "", "share", "the class's share of the training documents")
def _prevalence(subject):
    return subject.statistics.prevalence


@measure("others", "", "share", "the share of the training documents that are not of the class")
def _others(subject):
    return 1 - subject.statistics.prevalence


@measure("class", "", "text", "the class's title")
def _class(subject):
    return subject.task.class_title


@measure("corpus", "", "text", "the corpus's title")
def _corpus(subject):
    return subject.task.vectorized.corpus.title


def _count(name: str, about: str) -> None:
    measure(name, "term", "count", about)(
        lambda subject, t: int(getattr(subject.statistics, name)[place_of(subject, t)])
    )


_count("tp", "documents of the class that hold a term")
_count("fp", "other documents that hold it")
_count("fn", "documents of the class without it")
_count("tn", "other documents without it")


@measure("df", "term", "count", "documents that hold a term")
def _df(subject, term):
    return int(subject.statistics.document_frequency[place_of(subject, term)])


@measure("rates_known", "term", "text", "whether more than ten documents hold a term: if so, its rates are known")
def _rates_known(subject, term):
    return "known well enough" if _df(subject, term) > 10 else "hardly known"


@measure("tpr", "term", "share", "share of the class's documents that hold a term")
def _tpr(subject, term):
    return float(subject.statistics.tpr[place_of(subject, term)])


@measure("fpr", "term", "share", "share of the other documents that hold it")
def _fpr(subject, term):
    return float(subject.statistics.fpr[place_of(subject, term)])


@measure("precision", "term", "share", "share of the documents with a term that are of the class")
def _precision(subject, term):
    place = place_of(subject, term)
    return float(subject.statistics.tp[place] / max(subject.statistics.document_frequency[place], 1))


@measure("f1", "term", "score", "F1 of the term as a classifier of one word, on the training documents")
def _f1(subject, term):
    s, place = subject.statistics, place_of(subject, term)
    return float(f1(s.tp[place], s.fp[place], s.fn[place]))


@measure("place", "term", "point", "where a term lies in the square")
def _place(subject, term):
    return (_fpr(subject, term), _tpr(subject, term))


@measure("best_word", "rank", "term", "terms by their F1 as a classifier of one word")
def _best_word(subject, rank):
    return ranked(subject, f1_of_terms(subject), rank)


@measure("typical", "rank", "term", "terms by tpr − fpr")
def _typical(subject, rank):
    return ranked(subject, subject.statistics.tpr - subject.statistics.fpr, rank)


@measure("against", "rank", "term", "terms by fpr - tpr: those that speak against the class")
def _against(subject, rank):
    return ranked(subject, subject.statistics.fpr - subject.statistics.tpr, rank)


@measure("common", "rank", "term", "terms by document frequency")
def _common(subject, rank):
    return ranked(subject, subject.statistics.document_frequency, rank)


@measure("general", "rank", "term", "terms by document frequency of those whose tpr and fpr differ by less than half")
def _general(subject, rank):
    s = subject.statistics
    alike = np.minimum(s.tpr, s.fpr) > 0.5 * np.maximum(s.tpr, s.fpr)
    return ranked(subject, s.document_frequency, rank, among=alike)


@measure("pure", "rank", "term", "terms that only documents of the class hold, by how many do")
def _pure(subject, rank):
    return ranked(subject, subject.statistics.tp, rank, among=subject.statistics.fp == 0)


@measure("crowd", "rate rate", "share", "share of the terms with a tpr below the first and an fpr below the second")
def _crowd(subject, tpr, fpr):
    return float(np.mean((subject.statistics.tpr < tpr) & (subject.statistics.fpr < fpr)))


@measure("seen_at_most", "rank", "share", "share of the terms that at most so many documents hold")
def _seen_at_most(subject, documents):
    return float(np.mean(subject.statistics.document_frequency <= documents))
