"""Measures of one document: a held-out one of the class that a linear classifier misses, see ``HardDocument``."""

from ltw_core.lessons.measures import measure


def _listed(subject, words, rank: int) -> str:
    if rank > len(words):
        raise ValueError(f"the lesson asks for word number {rank} of a document, which has {len(words)}")
    return words[rank - 1]


@measure("doc_for", "rank", "term", "words of a missed document by what they add to its score")
def _doc_for(subject, rank):
    return _listed(subject, subject.document().terms.tolist(), rank)


@measure("doc_against", "rank", "term", "the same from the other end: what takes most away")
def _doc_against(subject, rank):
    return _listed(subject, subject.document().terms.tolist()[::-1], rank)


@measure("doc_most", "rank", "term", "its words by how often they stand in it, of equal ones the rarer first")
def _doc_most(subject, rank):
    return _listed(subject, subject.document().by_frequency, rank)


@measure("doc_tf", "term", "count", "how often a word stands in it")
def _doc_tf(subject, term):
    found = subject.document()
    return int(found.frequency[found.terms == term].sum())


@measure("doc_adds", "term", "score", "what a word adds to its score")
def _doc_adds(subject, term):
    found = subject.document()
    return float(found.adds[found.terms == term].sum())


@measure("doc_score", "", "score", "its score: above 0 it is predicted positive")
def _doc_score(subject):
    return subject.document().score


@measure("doc_words", "", "count", "how many different words of it are known")
def _doc_words(subject):
    return len(subject.document().terms)


@measure("doc_score_under", "method", "score", "its score under a weighting, with a classifier trained on it")
def _doc_score_under(subject, method):
    return subject.document().under(method)


@measure("doc_found", "method", "text", "found or missed: whether that score is above 0")
def _doc_found(subject, method):
    return "found" if subject.document().under(method) > 0 else "missed"
