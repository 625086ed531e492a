"""CCA's terminals by hand, on three documents over three terms."""

import math

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.weighting.genetic.terminals import TERMINALS, Statistics, pivoted, terminals

# columns: a term of two documents, one of all three, one of one; lengths 3, 1, 6; distinct terms 2, 1, 3
COUNTS = csr_array(np.array([[2.0, 1, 0], [0, 1, 0], [1, 2, 3]]))
N, n = 3, np.array([2, 3, 3, 2, 3, 1])  # n, f, row and dl of each entry
f = np.array([2.0, 1, 1, 1, 2, 3])
row = np.array([0, 0, 1, 2, 2, 2])
dl = np.array([3.0, 1, 6])[row]
SLOPES = {"pivot_cosine": 0.25, "pivot_length": 0.5, "pivot_unique": 1.0}


@pytest.fixture(scope="module")
def values():
    return terminals(COUNTS, Statistics.of(COUNTS), SLOPES)


def norms(weights):
    return np.array([np.linalg.norm(weights[row == r]) for r in range(3)])


IDF = np.log(1 + N / n)
COSINE = 1 / norms((1 + np.log(f)) * IDF)
EXPECTED = {
    "tf": f,
    "log_tf": 1 + np.log(f),
    "augmented_tf": 0.5 + 0.5 * f / np.array([2, 1, 3])[row],
    "mean_tf": (1 + np.log(f)) / (1 + np.log(np.array([1.5, 1, 2])[row])),
    "bm25_tf": 2.2 * f / (1.2 * (0.25 + 0.75 * dl / (10 / 3)) + f),
    "idf": np.log(N / n),
    "idf_plus": IDF,
    "idf_half": np.log((0.5 + N - n) / 0.5),
    "idf_odds_half": np.log((0.5 + N - n) / (0.5 + n)),
    "idf_odds": np.log(np.maximum(N - n, 1) / n),
    "idf_scaled": np.log((N + 0.5) / n) / np.log(N + 1),
    "cosine_tfidf": (1 / norms(f * IDF))[row],
    "cosine_log_tfidf": COSINE[row],
    "bytes": 6 * dl,
    "pivot_cosine": 1 / (0.75 + 0.25 * COSINE.mean() / COSINE)[row],
    "pivot_length": 1 / (0.5 * 10 / 3 + 0.5 * dl),
    "pivot_unique": 1 / np.array([2.0, 1, 3])[row],
    "bm25_norm": 1 / (f + 1.2 * 0.25 + 0.75 * dl / (10 / 3)),
}


@pytest.mark.parametrize("name", TERMINALS)
def test_terminal_by_hand(name, values):
    np.testing.assert_allclose(values[name].numbers, EXPECTED[name])
    assert values[name].sparse == (name in {"tf", "log_tf", "augmented_tf", "mean_tf", "bm25_tf", "bm25_norm"})


def test_statistics_are_those_of_the_training_documents(values):
    alone = terminals(COUNTS[[2]], Statistics.of(COUNTS), SLOPES)
    for name, value in alone.items():
        np.testing.assert_allclose(value.numbers, values[name].numbers[row == 2], err_msg=name)


# five terms, one of all documents and one of none; documents of one common word and of no word at all
SEEN = csr_array(np.array([[2.0, 1, 0, 0, 0], [0, 1, 0, 0, 0], [1, 2, 3, 0, 5], [0, 1, 0, 0, 1]]))
NEW = csr_array(np.array([[0.0, 0, 0, 0, 0], [0, 1, 0, 0, 0], [4, 0, 0, 2, 1]]))


def cosines(documents, rarity, factor):
    squares = [sum((factor(f) * rarity[j]) ** 2 for j, f in enumerate(row) if f) for row in documents]
    return [1 / math.sqrt(square) if square else 1.0 for square in squares]


@pytest.mark.parametrize("slope", [1.0, 0.25])
@pytest.mark.parametrize("mean_length", [None, 0.0])
def test_terminals_of_other_documents_in_words(slope, mean_length):
    documents, log_tf = SEEN.toarray().tolist(), lambda f: 1 + math.log(f)
    with_term = [max(1, sum(row[j] > 0 for row in documents)) for j in range(5)]
    statistics = Statistics.of(SEEN)
    assert (statistics.n_documents, statistics.frequency.tolist()) == (4, with_term) and with_term == [2, 4, 1, 1, 2]
    assert (statistics.mean_length, statistics.mean_unique) == (17 / 4, 9 / 4)
    rarity = [math.log(1 + 4 / n) for n in with_term]
    assert statistics.mean_cosine == pytest.approx(np.mean(cosines(documents, rarity, log_tf)))
    if mean_length is not None:
        statistics = statistics._replace(mean_length=mean_length)
    with np.errstate(over="ignore"):  # of BM25, where training documents have no word
        found = terminals(NEW, statistics, dict.fromkeys(SLOPES, slope))
    new = NEW.toarray().tolist()
    plain, by_log = (cosines(new, rarity, factor) for factor in (float, log_tf))
    entries = [(i, with_term[j], f) for i, row in enumerate(new) for j, f in enumerate(row) if f]
    lengths, distinct = [0, 1, 7], [0, 1, 3]
    for at, (i, n, f) in enumerate(entries):
        relative = lengths[i] / max(statistics.mean_length, 1e-12)
        expected = {
            "augmented_tf": 0.5 + 0.5 * f / max(new[i]),
            "mean_tf": log_tf(f) / log_tf(lengths[i] / distinct[i]),
            "idf": math.log(4 / n),
            "idf_plus": math.log(1 + 4 / n),
            "idf_half": math.log((4.5 - n) / 0.5),
            "idf_odds_half": math.log((4.5 - n) / (0.5 + n)),
            "idf_odds": math.log(max(4 - n, 1) / n),
            "idf_scaled": math.log(4.5 / n) / math.log(5),
            "cosine_tfidf": plain[i],
            "cosine_log_tfidf": by_log[i],
            "bytes": 6 * lengths[i],
            "bm25_norm": 1 / (f + 1.2 * 0.25 + 0.75 * relative),
            "pivot_cosine": 1 / (1 - slope + slope * statistics.mean_cosine / by_log[i]),
            "pivot_length": 1 / ((1 - slope) * statistics.mean_length + slope * lengths[i]),
            "pivot_unique": 1 / ((1 - slope) * statistics.mean_unique + slope * distinct[i]),
        }
        if mean_length is None:
            expected["bm25_tf"] = 2.2 * f / (1.2 * (0.25 + 0.75 * relative) + f)
        assert {name: found[name].numbers[at] for name in expected} == pytest.approx(expected)
    for name, mean in (("pivot_length", statistics.mean_length), ("pivot_unique", statistics.mean_unique)):
        denominator = (1 - slope) * mean  # of the document of no word
        assert pivoted(name, NEW, statistics, slope)[0] == (1 / denominator if denominator else 1.0)


def test_small_denominators_are_taken_as_they_are():
    statistics = Statistics.of(SEEN)._replace(mean_unique=0.5, mean_length=0.25)
    assert pivoted("pivot_unique", NEW, statistics, 0.5).tolist() == [4.0, 1 / 0.75, 1 / 1.75]
    assert pivoted("pivot_length", NEW, statistics, 0.5).tolist() == [8.0, 1 / 0.625, 1 / 3.625]
