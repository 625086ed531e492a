"""What CCA's formulas are made of: classic factors of term frequency, of rarity and of document length.

Statistics come from the documents that a weighting is fitted to, and hold for any others. The paper leaves out the
original's t19 and t20, which need a query. Where the paper is silent the factors are those of its authors' code, which
numbers them as here; it has ln(1 + N/n) as the idf inside the cosine norms.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ltw_core.weighting import dd
from ltw_core.weighting.genetic.operators import Value

K1, B = 1.2, 0.75
BYTES = 6  # of a word, on average


class Terminal(NamedTuple):
    """How a terminal is written: a symbol in formulas, and what it stands for."""

    symbol: str
    latex: str
    meaning: str
    sparse: bool = False


TERMINALS = {
    "tf": Terminal("f", "f", "occurrences of the term in the document", True),
    "log_tf": Terminal("(1 + ln f)", r"(1+\ln f)", "1 + the logarithm of f", True),
    "augmented_tf": Terminal(
        "(½ + ½·f/max f)", r"\left(\frac12+\frac{f}{2\max f}\right)", "f against the document's commonest term", True
    ),
    "mean_tf": Terminal(
        "(1 + ln f)/(1 + ln f̄)", r"\frac{1+\ln f}{1+\ln\bar f}", "f against the document's mean frequency f̄", True
    ),
    "bm25_tf": Terminal("BM25tf", r"\mathrm{bm25}", "BM25's saturation of f", True),
    "idf": Terminal("ln(N/n)", r"\ln\frac Nn", "N documents, n of them with the term"),
    "idf_plus": Terminal("ln(1 + N/n)", r"\ln\left(1+\frac Nn\right)", "rarity, never 0"),
    "idf_half": Terminal("ln((½ + N − n)/½)", r"\ln\frac{\frac12+N-n}{\frac12}", "rarity by the documents without it"),
    "idf_odds_half": Terminal(
        "ln((½ + N − n)/(½ + n))", r"\ln\frac{\frac12+N-n}{\frac12+n}", "rarity as odds, smoothed"
    ),
    "idf_odds": Terminal("ln((N − n)/n)", r"\ln\frac{N-n}{n}", "rarity as odds"),
    "idf_scaled": Terminal(
        "ln((N + ½)/n)/ln(N + 1)", r"\frac{\ln\frac{N+\frac12}{n}}{\ln(N+1)}", "rarity, scaled to about 1"
    ),
    "cosine_tfidf": Terminal("1/‖f·idf‖", r"\frac{1}{\|f\cdot idf\|}", "cosine norm of the document's f·ln(1 + N/n)"),
    "cosine_log_tfidf": Terminal(
        "1/‖(1 + ln f)·idf‖", r"\frac{1}{\|(1+\ln f)\,idf\|}", "cosine norm of its (1 + ln f)·ln(1 + N/n)"
    ),
    "bytes": Terminal("bytes", r"\mathrm{bytes}", "length of the document, 6 bytes a word"),
    "pivot_cosine": Terminal("P₁", "P_1", "pivoted cosine norm, 1/((1−s) + s·mean(c)/c)"),
    "pivot_length": Terminal("P₂", "P_2", "pivoted length, 1/((1−s)·avdl + s·dl)"),
    "pivot_unique": Terminal("P₃", "P_3", "pivoted number of distinct terms, 1/((1−s)·mean(u) + s·u)"),
    "bm25_norm": Terminal("Q", "Q", "1/(f + k₁(1−b) + b·dl/avdl)", True),
}
PIVOTED = ("pivot_cosine", "pivot_length", "pivot_unique")


class Statistics(NamedTuple):
    """What the terminals need to know of the training documents."""

    n_documents: int
    frequency: np.ndarray  # (terms,) documents with the term, at least 1
    mean_length: float
    mean_cosine: float  # of 1/‖(1 + ln f)·ln(1 + N/n)‖
    mean_unique: float

    @classmethod
    def of(cls, counts: csr_array) -> "Statistics":
        """Statistics of training documents, counts above 0."""
        frequency = np.maximum(np.bincount(counts.indices, minlength=counts.shape[1]), 1)
        lengths = counts.sum(axis=1)
        found = cls(counts.shape[0], frequency, lengths.mean(), 1.0, np.diff(counts.indptr).mean())
        return found._replace(mean_cosine=_cosine(counts, found, dd.one_plus_log(counts.data)).mean())


def terminals(counts: csr_array, statistics: Statistics, slopes: dict[str, float]) -> dict[str, Value]:
    """All terminals at the entries of some documents.

    Parameters
    ----------
    counts : csr_array of float64, entries above 0, shape (documents, terms)
    statistics : Statistics
    slopes : dict
        Slope s of each of ``PIVOTED``; those that have none are left out.
    """
    f, n, N = counts.data, statistics.frequency[counts.indices], statistics.n_documents
    unique = np.diff(counts.indptr)
    length = counts.sum(axis=1)
    row = np.repeat(np.arange(counts.shape[0]), unique)
    most = np.zeros(counts.shape[0])
    np.maximum.at(most, row, f)
    dl = length[row]
    log_tf = dd.one_plus_log(f)
    numbers = {
        "tf": f,
        "log_tf": log_tf,
        "augmented_tf": 0.5 + 0.5 * f / most[row],
        "mean_tf": log_tf / (1 + np.log(np.maximum(dl / unique[row], 1))),
        "bm25_tf": dd.bm25(f, dl, statistics.mean_length, K1, B),
        "idf": np.log(N / n),
        "idf_plus": np.log(1 + N / n),
        "idf_half": np.log((0.5 + N - n) / 0.5),
        "idf_odds_half": np.log((0.5 + N - n) / (0.5 + n)),
        "idf_odds": np.log(np.maximum(N - n, 1) / n),  # a term of all documents would be minus infinity
        "idf_scaled": np.log((N + 0.5) / n) / np.log(N + 1),
        "cosine_tfidf": _cosine(counts, statistics, f)[row],
        "cosine_log_tfidf": _cosine(counts, statistics, log_tf)[row],
        "bytes": BYTES * dl,
        "bm25_norm": 1 / (f + K1 * (1 - B) + B * dl / max(statistics.mean_length, 1e-12)),
    }
    for name, slope in slopes.items():
        numbers[name] = pivoted(name, counts, statistics, slope)[row]
    return {name: Value(values, TERMINALS[name].sparse) for name, values in numbers.items()}


def pivoted(name, counts, statistics, slope) -> np.ndarray:
    """A pivoted normalisation of each document, shape (documents,)."""
    if name == "pivot_cosine":
        cosine = _cosine(counts, statistics, dd.one_plus_log(counts.data))
        denominator = (1 - slope) + slope * statistics.mean_cosine / cosine
    elif name == "pivot_length":
        denominator = (1 - slope) * statistics.mean_length + slope * counts.sum(axis=1)
    else:
        denominator = (1 - slope) * statistics.mean_unique + slope * np.diff(counts.indptr)
    return 1 / np.where(denominator > 0, denominator, 1.0)


def _cosine(counts, statistics, frequency_factor) -> np.ndarray:
    """1 / ‖factor · ln(1 + N/n)‖ of each document; 1 for a document without terms."""
    idf = np.log(1 + statistics.n_documents / statistics.frequency)
    weights = csr_array((frequency_factor * idf[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
    squared = weights.multiply(weights).sum(axis=1)
    return 1 / np.sqrt(np.where(squared > 0, squared, 1.0))
