"""A corpus as counts, for all its classes: which documents count, their labels, and the task of each class.

Making one of a corpus is in :mod:`ltw_core.tasks.vectorizing`.
"""

import hashlib
import sys
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter

import numpy as np
from scipy import sparse

from ltw_core.corpora.catalogue import listed
from ltw_core.corpora.corpus import Corpus, some
from ltw_core.protocol import Protocol, protocol
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.storage.file_schema import said
from ltw_core.tasks.binary_task import BinaryTask, notes, notes_on_terms
from ltw_core.tasks.contingency import document_frequency
from ltw_core.tasks.multiclass_task import MulticlassTask
from ltw_core.tasks.options import VectorizerOptions
from ltw_core.tasks.selection import PAPER_RATIO, default_ratio, select_terms, select_terms_of_all
from ltw_core.tasks.split import validation_mask, validation_mask_of_all
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.tasks.without_terms import ALL, DOCUMENTS, WITH_TERMS, WithoutTerms

IN_PLACE = 15  # bytes of a word that NumPy keeps in the array itself
SELECTION_BYTES, COUNTS_BYTES = 8 * 2**20, 12 * 2**20  # a corpus; to make a class's counts again takes 5 ms
BY_TERM_MOST = 5_000_000  # counts; of more, picking terms takes up to a second, and a copy of all of them memory


@dataclass(frozen=True, eq=False, repr=False)
class VectorizedCorpus:
    """Counts of a corpus's terms, for all classes.

    Attributes
    ----------
    corpus : Corpus
        Its report says how many documents hold no known term.
    vocabulary : ndarray of ``StringDType``, shape (terms,)
        Sorted.
    counts_train, counts_test : csr_array of int32, shape (documents, terms)
        Of the training documents that hold a term, and of the test documents as ``documents`` says.
    rows_train, rows_test : ndarray of int, shape (documents,)
        Index of each row's document in ``corpus.documents``.
    labels_train, labels_test : csr_array of 0/1, shape (documents, classes)
    options : VectorizerOptions
        How it was counted.
    fingerprint : str
        Names the content: same texts, labels, options and library give the same.
    training_fingerprint : str
        Names what can be learned from, which is the same whichever test documents count.
    documents : {"all", "with_terms"}
        Which test documents count.
    protocol : Protocol
        How its tasks select terms, and what is done with them. Its counts are the same under any.
    """

    corpus: Corpus
    vocabulary: np.ndarray
    counts_train: sparse.csr_array
    counts_test: sparse.csr_array
    rows_train: np.ndarray
    rows_test: np.ndarray
    options: VectorizerOptions
    fingerprint: str
    training_fingerprint: str
    documents: str
    protocol: Protocol = field(default_factory=Protocol)

    class_names = property(attrgetter("corpus.class_names"))
    class_titles = property(attrgetter("corpus.class_titles"))

    def __repr__(self):
        return (
            f"VectorizedCorpus({self.corpus.name!r}, {self.rows_train.size:,} training and {self.rows_test.size:,} "
            f"test documents, {self.vocabulary.size:,} terms, {len(self.class_names):,} classes)"
        )

    @cached_property
    def n_bytes(self) -> int:
        """Memory for the texts, labels and counts, and for what is made of them when it is first asked for.

        Left out: single classes (``task``), and their counts, which take ``COUNTS_BYTES`` at most.
        """
        documents = self.corpus.documents
        texts = getattr(documents, "n_bytes", None) or sum(map(sys.getsizeof, documents))
        long = (size for word in self.vocabulary if (size := len(word.encode())) > IN_PLACE)
        counts = sum(map(csr_bytes, (self.counts_train, self.counts_test)))
        return (
            texts
            + self.vocabulary.nbytes
            + sum(long)
            + 2 * counts  # also by term
            + 8 * self.vocabulary.size  # document frequencies
            + 2 * csr_bytes(self.corpus.labels)  # also by part
            + self.rows_train.nbytes
            + self.rows_test.nbytes
        )

    @cached_property
    def empty_test(self) -> np.ndarray:
        """True for the test rows without a term, shape (documents,)."""
        return np.diff(self.counts_test.indptr) == 0

    def without_terms(self, class_name: str | None = None) -> WithoutTerms:
        """How many documents hold no known term, and how many of these have a class (without one, none is counted)."""
        numbers, train = [], self.corpus.train
        picked = [] if class_name is None else [self._column(class_name)]
        for part, held in ((train, self.rows_train), (~train, self.rows_test[~self.empty_test])):
            empty = np.setdiff1d(np.flatnonzero(part), held, assume_unique=True)
            numbers += [empty.size, int(self.corpus.labels[empty][:, picked].sum())]
        return WithoutTerms(*numbers, scored=self.documents == ALL)

    def told(self) -> tuple[str, ...]:
        """What its corpus's report says of documents without a known term."""
        return tuple(self.without_terms().sentences(*self._sizes))

    @property
    def _sizes(self) -> tuple[int, int]:
        return self.corpus.n_train, self.corpus.n_test

    @property
    def every_test_document_counts(self) -> bool:
        """Whether none was dropped and none is scored on nothing: then "all" and "with_terms" are the same."""
        return self.rows_test.size == self.corpus.n_test and not self.empty_test.any()

    def counting(self, documents: str) -> "VectorizedCorpus":
        """The same corpus where all test documents count, or only those with a known term.

        Raises
        ------
        ValueError
            ``documents`` is neither "all" nor "with_terms".
        """
        if documents not in DOCUMENTS:
            raise ValueError(f"documents is {said(documents)}; it must be one of {', '.join(DOCUMENTS)}")
        return self if documents == self.documents else self._other

    @cached_property
    def _other(self) -> "VectorizedCorpus":
        """The same corpus with the other choice of test documents; kept, and gone, with this one."""
        documents = WITH_TERMS if self.documents == ALL else ALL
        test, held = np.flatnonzero(~self.corpus.train), self.rows_test[~self.empty_test]
        if held.size == test.size:  # nothing is empty
            return replace(self, documents=documents)
        lengths = np.diff(self.counts_test.indptr)
        if documents == ALL:
            rows, spread = test, np.zeros(test.size, lengths.dtype)
            spread[np.searchsorted(test, self.rows_test)] = lengths
            fingerprint = digest(f"{self.training_fingerprint}\0{documents}")
        else:
            rows, spread, fingerprint = held, lengths[~self.empty_test], self.training_fingerprint
        indptr = np.append(0, np.cumsum(spread)).astype(self.counts_test.indptr.dtype)
        counts = sparse.csr_array(
            (self.counts_test.data, self.counts_test.indices, indptr), (rows.size, self.vocabulary.size)
        )
        made = replace(self, counts_test=counts, rows_test=rows, documents=documents, fingerprint=fingerprint)
        return replace(made, corpus=self.corpus.reporting(*made.told(), instead_of=self.told()))

    def under(self, asked: str | Protocol | None) -> "VectorizedCorpus":
        """The same corpus under another protocol, see ``ltw_core.protocol.protocol``; its texts stay as they were read.

        Raises
        ------
        ValueError
            There is no such protocol.
        """
        asked = protocol(asked)
        return self if asked == self.protocol else replace(self, protocol=asked)

    def _column(self, class_name: str) -> int:
        try:
            return self.class_names.index(class_name)
        except ValueError:
            classes = some(self.class_names)
            raise ValueError(
                f"{self.corpus.title} has no class {said(class_name)}; its classes are {classes}"
            ) from None

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

    @cached_property
    def occurrences(self) -> np.ndarray:
        """Of each term in the training documents, shape (terms,)."""
        return np.asarray(self.counts_train.sum(axis=0)).ravel()

    def labels_of(self, class_name: str) -> tuple[np.ndarray, np.ndarray]:
        """Whether each training and each test row has a class, as two arrays of bool.

        Raises
        ------
        ValueError
            for a class that the corpus does not have.
        """
        pick = [self._column(class_name)]
        return tuple(
            np.asarray(labels[:, pick].toarray()).ravel().astype(bool)
            for labels in (self.labels_train, self.labels_test)
        )

    @cached_property
    def default_ratio(self) -> float:
        """Share of the vocabulary that is selected where nobody chose one: the paper's tenth for the catalogue's
        corpora, whose figures ship so; for others, such as the reader's own table, see ``selection.default_ratio``."""
        return PAPER_RATIO if listed(self.corpus.name) else default_ratio(self.vocabulary.size)

    def task(self, class_name: str, ratio: float | None = None, validation: float = 0.2) -> BinaryTask:
        """The binary problem of one class.

        Parameters
        ----------
        class_name : one of ``class_names``
        ratio : float in (0, 1], optional
            Share of the vocabulary that χ² on counts selects; ``default_ratio`` without it.
        validation : float in (0, 1)
            Share of the training documents that validate.
        """
        ratio = self.default_ratio if ratio is None else ratio
        y_train, y_test = self.labels_of(class_name)
        selected = self.selection(class_name, ratio)
        tp = document_frequency(self.counts_train[y_train])[selected]
        words = map(sys.intern, self.vocabulary[selected].tolist())  # classes have most terms in common
        statistics = TermStatistics(
            terms=np.fromiter(words, object, selected.size),
            tp=tp,
            fp=self.document_frequency[selected] - tp,
            n_positives=int(y_train.sum()),
            n_documents=y_train.size,
        )
        mask = validation_mask(y_train, validation)
        without = self.without_terms(class_name)
        how = f"\0{self.protocol.text}" if self.protocol.text else ""
        named = lambda content: digest(f"{content}\0{class_name}\0{ratio!r}\0{validation!r}{how}")  # noqa: E731
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
            without_terms=without,
            notes=(
                *notes(y_train, y_test, mask),
                *notes_on_terms(selected.size, self.vocabulary.size),
                *filter(None, [" ".join(without.sentences(*self._sizes))]),
            ),
            fingerprint=named(self.fingerprint),
            training_fingerprint=named(self.training_fingerprint),
            validation_share=validation,
        )

    def multiclass_task(self, ratio: float | None = None, validation: float = 0.2) -> MulticlassTask:
        """The problem of all classes at once.

        Parameters
        ----------
        ratio : float in (0, 1], optional
            Share of the vocabulary that χ² on counts selects, of all classes; ``default_ratio`` without it.
        validation : float in (0, 1)
            Share of the training documents that validate, see ``validation_mask_of_all``.
        """
        if self.protocol.text:
            raise ValueError(
                f"the {self.protocol.told} is one of single classes: take task(class_name), or vectorize the corpus "
                "without a protocol"
            )
        ratio = self.default_ratio if ratio is None else ratio
        make = lambda: select_terms_of_all(self.counts_train, self.labels_train, ratio)  # noqa: E731
        selected = self._selections.get_or_make(f"\0{ratio!r}", make, attrgetter("nbytes"))
        return MulticlassTask(
            vectorized=self,
            selected=selected,
            terms=self.vocabulary[selected].astype(object),
            validation=validation_mask_of_all(self.labels_train, validation),
            ratio=ratio,
            without_terms=self.without_terms(),
            fingerprint=digest(f"{self.fingerprint}\0all classes\0{ratio!r}\0{validation!r}"),
        )

    def selection(self, class_name: str, ratio: float) -> np.ndarray:
        """Columns of the terms that a class's task has, ascending; see ``select_terms``.

        Those used last are kept: finding them is most of what making a task takes, and tasks come and go.
        """
        ties = self.protocol.ties

        def make() -> np.ndarray:
            return select_terms(self.counts_train, self.labels_of(class_name)[0], ratio, ties, self.occurrences)

        return self._selections.get_or_make(f"{class_name}\0{ratio!r}", make, attrgetter("nbytes"))

    def counts_of(self, part: str, selected: np.ndarray, key: str) -> sparse.csr_array:
        """Counts of some columns of the "train" or "test" documents; ``key`` names the columns. Those used last are
        kept, so that tasks are light and many of them can be at hand."""

        make = lambda: self.columns_of(part, selected).tocsr()  # noqa: E731
        return self._counts.get_or_make(f"{part}\0{key}", make, csr_bytes)

    def columns_of(self, part: str, selected: np.ndarray) -> sparse.csr_array | sparse.csc_array:
        """The same, not kept, and by term where that is quick."""
        counts = self.counts_train if part == "train" else self.counts_test
        if counts.nnz > BY_TERM_MOST:
            return counts[:, selected]
        return (self.by_term if part == "train" else self.by_term_test)[:, selected]  # only the one that is needed

    @cached_property
    def _selections(self) -> BoundedCache:
        return BoundedCache(SELECTION_BYTES)

    @cached_property
    def _counts(self) -> BoundedCache:
        return BoundedCache(COUNTS_BYTES)


def csr_bytes(matrix: sparse.csr_array) -> int:
    """Memory that a sparse matrix takes."""
    return matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes


def digest(text: str) -> str:
    """SHA-256 of a text, hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
