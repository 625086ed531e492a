"""Vectorising a corpus once for all its classes; its counts are kept on disk under what they are made of.

The vocabulary comes from training texts only. Training documents without any of its terms are left out, test documents
only where it is asked for (see ``without_terms``).
"""

import hashlib
import json
import threading
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from ltw_core.corpora.corpus import Corpus
from ltw_core.protocol import Protocol
from ltw_core.settings import state_dir
from ltw_core.storage.disk_cache import MAPPED_FROM, read_arrays, unpack_csr, write_arrays
from ltw_core.tasks.counted_corpus import count_corpus, words
from ltw_core.tasks.options import OPTIONS, VectorizerOptions
from ltw_core.tasks.vectorized import VectorizedCorpus, digest
from ltw_core.tasks.without_terms import ALL, WITH_TERMS

TERM_LIMIT = 1_500_000  # for tables of unknown origin
FORMAT = 1  # raise it when what is stored changes

_one_at_a_time = threading.Lock()  # thirty visitors who ask for the same corpus vectorise it once


def vectorize(
    corpus: Corpus,
    options: VectorizerOptions | None = None,
    *,
    documents: str = ALL,
    protocol: str | Protocol | None = None,
    cache: bool = True,
    max_terms: int | None = None,
    **changes,
) -> VectorizedCorpus:
    """Count a corpus's terms.

    Parameters
    ----------
    corpus : Corpus
    options : VectorizerOptions, optional
        How it is counted; scikit-learn's words in lower case without the stop words of the corpus's language where
        nothing is said.
    documents : {"all", "with_terms"}
        Which test documents count: all of them, or those that hold a known term, as in the paper's tables. Training
        documents without one are left out of learning either way.
    protocol : str or Protocol, optional
        How terms are selected and tasks are run, see ``ltw_core.protocol``; the paper's text where nothing is said. How
        a corpus is read is said when it is read: ``load(name, protocol="authors")``.
    cache : bool
        Keep the counts in the state folder and read them back when texts and options are the same. Large ones are
        mapped into memory, which processes then share. Those of a callable analyzer are never kept.
    max_terms : int, optional
        For a corpus of unknown origin: stop at more different terms than these (stop words left out).
    **changes
        Single options by their names: ``analyzer``, ``ngram_range``, ``min_df``, ``max_features``, ``stop_words``,
        ``token_pattern``, ``lowercase``, ``tokenizer``; see ``VectorizerOptions``.

    Raises
    ------
    ValueError
        for an option that is not allowed, when no training document holds a term, or when there are too many terms.
    """
    unknown = [name for name in changes if name not in OPTIONS]
    if unknown:
        raise TypeError(f"vectorize has no option {unknown[0]!r}; there are {', '.join(OPTIONS)}")
    if not isinstance(corpus, Corpus):
        raise ValueError(
            f"a corpus is needed, as read_table(path) and load(name) give one, not {type(corpus).__name__}"
        )
    options = replace(options or VectorizerOptions(stop_words=corpus.language), **changes)
    named = not callable(options.analyzer)
    listed = [FORMAT, version("scikit-learn"), *(options.listed if named else [])]
    fingerprint = digest(f"{corpus.fingerprint}{json.dumps(listed)}")
    path = state_dir() / "counts" / f"{corpus.name}-{fingerprint[:16]}.npz" if cache and named else None
    with _one_at_a_time:
        arrays = read_arrays(path) if path else None
        if arrays is None:
            arrays = count_corpus(corpus, options, max_terms)
            if path:
                write_arrays(path, arrays)
                if sum(array.nbytes for array in arrays.values()) >= MAPPED_FROM:
                    arrays = read_arrays(path) or arrays  # mapped: memory that the system may take back
    if not named:
        fingerprint = digest(f"{fingerprint}{_content(arrays)}")
    found = VectorizedCorpus(
        corpus=corpus,
        vocabulary=words(arrays["vocabulary"]),
        counts_train=unpack_csr("train", arrays),
        counts_test=unpack_csr("test", arrays),
        rows_train=arrays["rows_train"],
        rows_test=arrays["rows_test"],
        options=options,
        fingerprint=fingerprint,
        training_fingerprint=fingerprint,
        documents=WITH_TERMS,
    )
    return replace(found, corpus=corpus.reporting(*found.told())).counting(documents).under(protocol)


def _content(arrays: dict[str, np.ndarray]) -> str:
    """Names counts by what they are: a callable that made them has no name."""
    content = hashlib.sha256()
    for name in sorted(arrays):
        content.update(f"{name}\0{arrays[name].shape}".encode())
        content.update(np.ascontiguousarray(arrays[name]).tobytes())
    return content.hexdigest()
