"""A corpus as counts: vectorised once for all its classes, and kept on disk.

The vocabulary comes from training texts only; documents without any of its terms are dropped (protocol of the paper).
"""

import hashlib
import io
import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from operator import attrgetter

import numpy as np
from scipy import sparse

from ltw_core.corpora.corpus import Corpus, some
from ltw_core.settings import state_dir
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.storage.disk_cache import pack_csr, read_arrays, unpack_csr, write_arrays
from ltw_core.tasks.binary_task import BinaryTask, notes
from ltw_core.tasks.contingency import document_frequency
from ltw_core.tasks.counting import TooManyTermsError, count
from ltw_core.tasks.selection import select_terms
from ltw_core.tasks.split import validation_mask
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.tasks.tokens import analyser

TERM_LIMIT = 1_500_000  # for tables of unknown origin
_SLICE = 10_000
SELECTION_BYTES, COUNTS_BYTES = 8 * 2**20, 64 * 2**20  # a corpus
FORMAT = 1  # raise it when what is stored changes


@dataclass(frozen=True, eq=False, repr=False)
class VectorizedCorpus:
    """Counts of a corpus's terms, for all classes.

    Attributes
    ----------
    corpus : Corpus
    vocabulary : ndarray of ``StringDType``, shape (terms,)
        Sorted.
    counts_train, counts_test : csr_array of int32, shape (documents, terms)
    rows_train, rows_test : ndarray of int, shape (documents,)
        Index of each row's document in ``corpus.documents``.
    labels_train, labels_test : csr_array of 0/1, shape (documents, classes)
    tokenizer, stop_words, min_df
        The options it was made with.
    fingerprint : str
        Names the content: same texts, labels, options and library give the same.
    """

    corpus: Corpus
    vocabulary: np.ndarray
    counts_train: sparse.csr_array
    counts_test: sparse.csr_array
    rows_train: np.ndarray
    rows_test: np.ndarray
    tokenizer: str
    stop_words: str | None
    min_df: int
    fingerprint: str

    class_names = property(attrgetter("corpus.class_names"))
    class_titles = property(attrgetter("corpus.class_titles"))

    def __repr__(self):
        return (
            f"VectorizedCorpus({self.corpus.name!r}, {self.rows_train.size:,} training and {self.rows_test.size:,} "
            f"test documents, {self.vocabulary.size:,} terms, {len(self.class_names):,} classes)"
        )

    @cached_property
    def labels_train(self) -> sparse.csr_array:
        return sparse.csr_array(self.corpus.labels)[self.rows_train]

    @cached_property
    def labels_test(self) -> sparse.csr_array:
        return sparse.csr_array(self.corpus.labels)[self.rows_test]

    @cached_property
    def by_term(self) -> sparse.csc_array:
        """``counts_train`` by column, shape (documents, terms): picking terms from it is fast."""
        return self.counts_train.tocsc()

    @cached_property
    def by_term_test(self) -> sparse.csc_array:
        """``counts_test`` by column."""
        return self.counts_test.tocsc()

    @cached_property
    def document_frequency(self) -> np.ndarray:
        """Training documents that hold each term, shape (terms,)."""
        return document_frequency(self.counts_train)

    def labels_of(self, class_name: str) -> tuple[np.ndarray, np.ndarray]:
        """Whether each training and each test row has a class, as two arrays of bool.

        Raises
        ------
        ValueError
            for a class that the corpus does not have.
        """
        try:
            column = self.class_names.index(class_name)
        except ValueError:
            classes = some(self.class_names)
            raise ValueError(f"{self.corpus.title} has no class {class_name!r}; its classes are {classes}") from None
        pick = [column]
        return tuple(
            np.asarray(labels[:, pick].toarray()).ravel().astype(bool)
            for labels in (self.labels_train, self.labels_test)
        )

    def task(self, class_name: str, ratio: float = 0.1, validation: float = 0.2) -> BinaryTask:
        """The binary problem of one class.

        Parameters
        ----------
        class_name : one of ``class_names``
        ratio : float in (0, 1]
            Share of the vocabulary that χ² on counts selects.
        validation : float in (0, 1)
            Share of the training documents that validate.
        """
        y_train, y_test = self.labels_of(class_name)
        selected = self.selection(class_name, ratio)
        tp = document_frequency(self.counts_train[y_train])[selected]
        statistics = TermStatistics(
            terms=self.vocabulary[selected].astype(object),
            tp=tp,
            fp=self.document_frequency[selected] - tp,
            n_positives=int(y_train.sum()),
            n_documents=y_train.size,
        )
        mask = validation_mask(y_train, validation)
        key = f"{self.fingerprint}\0{class_name}\0{ratio!r}\0{validation!r}"
        return BinaryTask(
            vectorized=self,
            class_name=class_name,
            class_title=self.class_titles[self.class_names.index(class_name)],
            statistics=statistics,
            selected=selected,
            y_train=y_train,
            y_test=y_test,
            validation=mask,
            ratio=ratio,
            notes=tuple(notes(y_train, y_test, mask)),
            fingerprint=hashlib.sha256(key.encode()).hexdigest(),
        )

    def selection(self, class_name: str, ratio: float) -> np.ndarray:
        """Columns of the terms that a class's task has, ascending; see ``select_terms``.

        Those used last are kept: finding them is most of what making a task takes, and tasks come and go.
        """
        make = lambda: select_terms(self.counts_train, self.labels_of(class_name)[0], ratio)  # noqa: E731
        return self._selections.get_or_make(f"{class_name}\0{ratio!r}", make, attrgetter("nbytes"))

    def counts_of(self, part: str, selected: np.ndarray, key: str) -> sparse.csr_array:
        """Counts of some columns of the "train" or "test" documents; ``key`` names the columns. Those used last are
        kept, so that tasks are light and many of them can be at hand."""

        def make() -> sparse.csr_array:
            by_term = self.by_term if part == "train" else self.by_term_test  # only the one that is needed is made
            return by_term[:, selected].tocsr()

        def size(made: sparse.csr_array) -> int:
            return made.data.nbytes + made.indices.nbytes + made.indptr.nbytes

        return self._counts.get_or_make(f"{part}\0{key}", make, size)

    @cached_property
    def _selections(self) -> BoundedCache:
        return BoundedCache(SELECTION_BYTES)

    @cached_property
    def _counts(self) -> BoundedCache:
        return BoundedCache(COUNTS_BYTES)


_one_at_a_time = threading.Lock()  # thirty visitors who ask for the same corpus vectorise it once


def vectorize(
    corpus: Corpus,
    *,
    tokenizer: str = "words",
    stop_words: str | None = "english",
    min_df: int = 1,
    cache: bool = True,
    max_terms: int | None = None,
) -> VectorizedCorpus:
    """Count a corpus's terms.

    Parameters
    ----------
    corpus : Corpus
    tokenizer : one of ``ltw_core.tasks.TOKENIZERS``
    stop_words : a language of ``ltw_core.tasks.languages()``, or None
    min_df : int ≥ 1
        Terms in fewer training documents are left out.
    cache : bool
        Keep the counts in the state folder and read them back when texts and options are the same.
    max_terms : int, optional
        Stop at a corpus with more different terms than these (stop words left out).

    Raises
    ------
    ValueError
        for an option that is not allowed, when no training document holds a term, or when there are too many terms.
    """
    analyse = analyser(tokenizer, stop_words)
    if not isinstance(min_df, int) or min_df < 1:
        raise ValueError(f"min_df is {min_df!r}; it must be a whole number of at least 1")
    options = [FORMAT, version("scikit-learn"), tokenizer, stop_words, min_df]
    fingerprint = hashlib.sha256(f"{corpus.fingerprint}{json.dumps(options)}".encode()).hexdigest()
    path = state_dir() / "counts" / f"{corpus.name}-{fingerprint[:16]}.npz" if cache else None
    with _one_at_a_time:
        arrays = read_arrays(path) if path else None
        if arrays is None:
            arrays = _count(corpus, analyse, min_df, max_terms)
            if path:
                write_arrays(path, arrays)
    return VectorizedCorpus(
        corpus=corpus,
        vocabulary=_words(arrays["vocabulary"]),
        counts_train=unpack_csr("train", arrays),
        counts_test=unpack_csr("test", arrays),
        rows_train=arrays["rows_train"],
        rows_test=arrays["rows_test"],
        tokenizer=tokenizer,
        stop_words=stop_words,
        min_df=min_df,
        fingerprint=fingerprint,
    )


def _count(corpus: Corpus, analyse: Callable[[str], list[str]], min_df: int, max_terms: int | None) -> dict:
    train, test = np.flatnonzero(corpus.train), np.flatnonzero(~corpus.train)
    try:
        counts = count(
            (corpus.documents[i] for i in train),
            (corpus.documents[i] for i in test),
            analyse,
            min_df=min_df,
            max_terms=max_terms,
        )
    except TooManyTermsError as error:
        raise ValueError(
            f"there are more than {max_terms:,} different words in {corpus.title}, too many to count here; is the "
            "column of texts the right one? Otherwise take a sample of it"
        ) from error
    if not counts.vocabulary:
        raise ValueError(
            f"no training document of {corpus.title} holds a term that {min_df} documents share and that is not a stop "
            "word; try another tokeniser or language, or a lower minimum document frequency"
        )
    arrays = {"vocabulary": np.frombuffer(counts.vocabulary, np.uint8)}
    for part, matrix, rows in (("train", counts.train, train), ("test", counts.test, test)):
        kept = np.diff(matrix.indptr) > 0
        indptr = matrix.indptr[np.append(True, kept)]  # a document without terms takes no place but here
        arrays |= pack_csr(part, sparse.csr_array((matrix.data, matrix.indices, indptr), (kept.sum(), matrix.shape[1])))
        arrays[f"rows_{part}"] = rows[kept]
    return arrays


def _words(packed: np.ndarray) -> np.ndarray:
    """A vocabulary without a Python string for each of its terms, which takes 50 bytes more."""
    size = int(np.count_nonzero(packed == ord("\n"))) + 1
    words = np.empty(size, dtype=np.dtypes.StringDType())
    lines = io.TextIOWrapper(io.BytesIO(packed.tobytes()), "utf-8", newline="\n")
    for start in range(0, size, _SLICE):
        words[start : start + _SLICE] = [line.removesuffix("\n") for line in itertools.islice(lines, _SLICE)]
    return words
