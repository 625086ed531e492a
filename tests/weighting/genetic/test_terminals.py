"""CCA's terminals by hand, on three documents over three terms."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.weighting.genetic.terminals import TERMINALS, Statistics, terminals

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
