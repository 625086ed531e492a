"""A corpus of which only some training documents have been labelled: a random sample of them, the same test documents.

Everything that is learned, the vocabulary included, comes from the sample. Samples of one seed are nested: a larger one
holds every smaller one. Leaves out what becomes of classes that a sample lacks (``evaluation.learning_curve``).
"""

import hashlib
from dataclasses import replace

import numpy as np
from scipy import sparse

from ltw_core.corpora.corpus import Corpus
from ltw_core.corpora.texts import Texts
from ltw_core.tasks.contingency import document_frequency
from ltw_core.tasks.counted_corpus import NoTermError, count_corpus
from ltw_core.tasks.vectorized import VectorizedCorpus
from ltw_core.tasks.vectorizing import vectorize
from ltw_core.tasks.without_terms import ALL


def sample_of(corpus: Corpus, size: int, seed: int) -> np.ndarray:
    """The training documents that are labelled first, when documents are labelled in a random order.

    The order depends on the seed and on the number of training documents alone; neither on the classes, for whoever
    labels does not know them before, and all classes share the sample, nor on the size, so that samples are nested.

    Parameters
    ----------
    corpus : Corpus
    size : int from 1 to ``corpus.n_train``
    seed : int ≥ 0

    Returns
    -------
    ndarray of int, shape (size,)
        Their places in the corpus, ascending.

    Raises
    ------
    ValueError
        The size or the seed is out of range.
    """
    if not 1 <= size <= corpus.n_train:
        raise ValueError(
            f"a sample of {size:,} documents cannot be drawn: {corpus.title} has {corpus.n_train:,} training documents"
        )
    if seed < 0:
        raise ValueError(f"seed is {seed}; it must be at least 0")
    order = np.random.default_rng(seed).permutation(corpus.n_train)
    return np.flatnonzero(corpus.train)[np.sort(order[:size])]


def sampled(vectorized: VectorizedCorpus, size: int, seed: int) -> VectorizedCorpus:
    """The corpus as it would be if only a sample of its training documents were there; all test documents count.

    A class may have no document in the sample. Sampled documents without a known term are left out of learning, as
    always; test documents without a term of the sample stay, with empty vectors.

    Parameters
    ----------
    vectorized : VectorizedCorpus
    size, seed : int
        See ``sample_of``; with all training documents it is the corpus itself.

    Raises
    ------
    ValueError
        The size or the seed is out of range, or no document of the sample holds a term.
    """
    whole, corpus = vectorized.counting(ALL), vectorized.corpus
    drawn = sample_of(corpus, size, seed)
    if size == corpus.n_train:
        return whole
    kept = np.union1d(drawn, np.flatnonzero(~corpus.train))
    named = hashlib.sha256(f"{whole.training_fingerprint}\0sample {size} seed {seed}".encode()).hexdigest()
    if whole.options.depends_on_all:
        made = _counted_anew(whole, kept, named)
        return replace(made, corpus=made.corpus.reporting(*made.without_terms().sentences(size, corpus.n_test)))
    rows, terms, counts = _counted(whole, drawn)
    if not rows.size:
        raise ValueError(f"none of the {size:,} sampled documents holds a term; draw a larger sample")
    made = replace(
        whole,
        corpus=_of_documents(corpus, kept),
        vocabulary=whole.vocabulary[terms],
        counts_train=counts,
        counts_test=whole.counts_test[:, terms],
        rows_train=np.searchsorted(kept, whole.rows_train[rows]),
        rows_test=np.searchsorted(kept, whole.rows_test),
        fingerprint=named,
        training_fingerprint=named,
    )
    return replace(made, corpus=made.corpus.reporting(*made.without_terms().sentences(size, corpus.n_test)))


def learned_of_sample(vectorized: VectorizedCorpus, size: int, seed: int) -> np.ndarray:
    """The sampled documents that hold a term of the sample, from which alone something is learned.

    Which terms there are is the sample's own affair: with a ``min_df`` of 2 a document whose terms no other sampled
    document holds is not among them.

    Parameters
    ----------
    vectorized : VectorizedCorpus
    size, seed : int
        See ``sample_of``.

    Returns
    -------
    ndarray of int
        Their places in the corpus, ascending: the training rows of ``sampled``; empty where that raises, for there is
        no such document.

    Raises
    ------
    ValueError
        The size or the seed is out of range.
    """
    drawn, whole = sample_of(vectorized.corpus, size, seed), vectorized
    if size == whole.corpus.n_train:
        return whole.rows_train
    if whole.options.depends_on_all:
        try:
            return drawn[count_corpus(_of_documents(whole.corpus, drawn), whole.options)["rows_train"]]
        except NoTermError:
            return drawn[:0]
    if whole.options.min_df == 1:  # whatever term a document holds, it is one of the sample's
        return np.intersect1d(whole.rows_train, drawn, assume_unique=True)
    return whole.rows_train[_counted(whole, drawn)[0]]


def _counted(whole: VectorizedCorpus, drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray, sparse.csr_array]:
    """Training rows of drawn documents that hold a term of the sample, columns of these terms, and their counts."""
    rows = np.flatnonzero(np.isin(whole.rows_train, drawn, assume_unique=True))
    counts = whole.counts_train[rows]
    terms = np.flatnonzero(document_frequency(counts) >= whole.options.min_df)
    counts = counts[:, terms]
    held = np.diff(counts.indptr) > 0
    return rows[held], terms, counts[held]


def _counted_anew(whole: VectorizedCorpus, kept: np.ndarray, named: str) -> VectorizedCorpus:
    """Some documents counted as a corpus of their own: which terms there are depends on all of them."""
    made = vectorize(_of_documents(whole.corpus, kept), whole.options, protocol=whole.protocol, cache=False)
    return replace(made, corpus=replace(made.corpus, report=()), fingerprint=named, training_fingerprint=named)


def _of_documents(corpus: Corpus, kept: np.ndarray) -> Corpus:
    """Some documents of a corpus, with all its classes."""
    texts = corpus.documents
    documents = texts.taken(kept) if isinstance(texts, Texts) else [texts[i] for i in kept]
    return replace(corpus, documents=documents, labels=corpus.labels[kept], train=corpus.train[kept], report=())
