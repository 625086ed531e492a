"""The counts of a corpus as plain arrays, which a cache can keep."""

import io
import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from scipy import sparse

from ltw_core.corpora.corpus import Corpus
from ltw_core.corpora.texts import Texts
from ltw_core.storage.disk_cache import pack_csr
from ltw_core.tasks.counting import CountedTerms, TooManyTermsError, count, unescaped
from ltw_core.tasks.options import VectorizerOptions
from ltw_core.tasks.parallel_counting import count_in_processes, processes_for
from ltw_core.tasks.tokens import Words

_SLICE = 10_000
LONGEST = 2_000_000  # characters of a text times sizes of n-grams that are made of it at once; some 150 MB
COMPILED_FROM = 32 * 2**20  # bytes of text; half of it pays for importing Numba, the rest soon for compiling once


class NoTermError(ValueError):
    """No training document holds a term."""


def count_corpus(corpus: Corpus, options: VectorizerOptions, max_terms: int | None = None) -> dict[str, np.ndarray]:
    """Count the terms of a corpus's documents; those without a term take no place.

    Parameters
    ----------
    corpus : Corpus
    options : VectorizerOptions
    max_terms : int, optional
        Most different terms, where a table of unknown origin is counted; its documents are then bounded too. Many
        documents are counted by compiled loops where their terms are ``tokens.Words``, else in several processes, but
        not such, nor by a callable.

    Returns
    -------
    dict of str to ndarray
        ``vocabulary`` (see ``words``), the parts of the csr_array ``train`` and ``test`` (``unpack_csr`` reads them),
        and ``rows_train`` and ``rows_test``, the index of each row's document in ``corpus.documents``.

    Raises
    ------
    NoTermError
        when no training document holds a term.
    ValueError
        when there are too many terms.
    """
    train, test = np.flatnonzero(corpus.train), np.flatnonzero(~corpus.train)
    min_df = options.least_documents(train.size)
    make = options.maker(None if max_terms is None else LONGEST)
    analyse = make()
    alone = max_terms is not None or callable(options.analyzer)
    processes = 1 if alone else processes_for(len(corpus.documents))
    in_words = isinstance(analyse, Words) and max_terms is None
    encoded = (_encoded(corpus.documents, rows) for rows in (train, test))
    try:
        if in_words and (processes > 1 or _size(corpus.documents) >= COMPILED_FROM):
            from ltw_core.tasks.word_counting import count_words  # imports Numba

            counts = count_words(*encoded, analyse, min_df=min_df)
        elif processes > 1:
            counts = count_in_processes(*encoded, make, processes, min_df=min_df)
        else:
            texts = ((corpus.documents[i] for i in rows) for rows in (train, test))
            counts = count(*texts, analyse, min_df=min_df, max_terms=max_terms)
    except TooManyTermsError as error:
        raise ValueError(
            f"there are more than {max_terms:,} different words in {corpus.title}, too many to count here; is the "
            "column of texts the right one? Otherwise take a sample of it"
        ) from error
    if not counts.vocabulary:
        of = f"; it has {train.size:,} training documents" if min_df > train.size else ""
        raise NoTermError(
            f"no training document of {corpus.title} holds a term that {min_df} documents share and that is "
            f"not a stop word; try another tokeniser or language, or a lower minimum document frequency{of}"
        )
    if options.max_features is not None:
        counts = _most_frequent(counts, options.max_features)
    arrays = {"vocabulary": np.frombuffer(counts.vocabulary, np.uint8)}
    for part, matrix, rows in (("train", counts.train, train), ("test", counts.test, test)):
        kept = np.diff(matrix.indptr) > 0
        indptr = matrix.indptr[np.append(True, kept)]  # a document without terms takes no place but here
        arrays |= pack_csr(part, sparse.csr_array((matrix.data, matrix.indices, indptr), (kept.sum(), matrix.shape[1])))
        arrays[f"rows_{part}"] = rows[kept]
    return arrays


def _most_frequent(counts: CountedTerms, most: int) -> CountedTerms:
    """Only the terms that occur most often in training documents; of equal ones the first."""
    if counts.train.shape[1] <= most:
        return counts
    totals = np.asarray(counts.train.sum(axis=0, dtype=np.int64)).ravel()
    kept = np.sort(np.argsort(-totals, kind="stable")[:most])
    lines = counts.vocabulary.split(b"\n")
    return CountedTerms(b"\n".join(lines[i] for i in kept), counts.train[:, kept], counts.test[:, kept])


def _encoded(documents: Sequence[str], rows: np.ndarray) -> Iterator[bytes]:
    """Some texts as UTF-8."""
    if isinstance(documents, Texts):
        return documents.encoded(rows.tolist())
    return (documents[i].encode("utf-8", "surrogatepass") for i in rows)


def _size(documents: Sequence[str]) -> int:
    """How long texts are together: in bytes of memory, or in characters."""
    return documents.n_bytes if isinstance(documents, Texts) else sum(map(len, documents))


def words(packed: np.ndarray) -> np.ndarray:
    """A packed vocabulary, without a Python string for each of its terms, which takes 50 bytes more."""
    size = int(np.count_nonzero(packed == ord("\n"))) + 1
    words = np.empty(size, dtype=np.dtypes.StringDType())
    lines = io.TextIOWrapper(io.BytesIO(packed.tobytes()), "utf-8", newline="\n")
    for start in range(0, size, _SLICE):
        words[start : start + _SLICE] = [unescaped(line.removesuffix("\n")) for line in itertools.islice(lines, _SLICE)]
    return words
