"""The corpus: documents, their classes and which of them are for training; frozen, whatever it was read from.

Holds the data and the rules that every reader shares (which classes stay, what may not be empty). Readers read files;
:mod:`ltw_core.tasks` counts terms.
"""

import copy
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ltw_core.corpora.label_sets import LabelMatrix, LabelSets
from ltw_core.corpora.texts import Texts


class CorpusError(ValueError):
    """A corpus that is not there or cannot be read; the message is a sentence for the user."""


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Labelled documents with a fixed training part.

    Attributes
    ----------
    name : str
        Identifier, as in :func:`ltw_core.corpora.load`.
    title : str
        Name for display.
    documents : sequence of str
        The texts, in the corpus's order.
    labels : scipy.sparse.csr_array of bool, shape (documents, classes)
        Which document has which classes. Read-only, in canonical format.
    class_names : tuple of str
        Sorted identifiers. Each has at least one training document.
    train : ndarray of bool, shape (documents,)
        True for training documents, False for test documents. Read-only.
    origin : str
        Where the documents came from, in words.
    class_titles : tuple of str
        Names of the classes for display; the identifiers where there are no better ones.
    report : tuple of str
        Sentences: what was read, what was dropped and why.
    notes : str
        A sentence for the reader, for instance how this corpus differs from the paper's. May be empty.
    language : str or None
        Language of the texts, by which stop words are chosen; None where unknown.
    """

    name: str
    title: str
    documents: Sequence[str]
    labels: csr_array
    class_names: tuple[str, ...]
    train: np.ndarray
    origin: str
    class_titles: tuple[str, ...] = ()
    report: tuple[str, ...] = ()
    notes: str = ""
    language: str | None = "english"

    def __post_init__(self):
        put = object.__setattr__
        if not isinstance(self.documents, Texts):
            put(self, "documents", tuple(self.documents))
        put(self, "class_names", tuple(self.class_names))
        put(self, "class_titles", tuple(self.class_titles) or self.class_names)
        put(self, "report", tuple(self.report))
        labels = csr_array(self.labels, dtype=bool, copy=True)
        labels.sum_duplicates()
        labels.eliminate_zeros()
        for values in (labels.data, labels.indices, labels.indptr):
            values.flags.writeable = False
        put(self, "labels", labels)
        train = np.array(self.train, dtype=bool)
        train.flags.writeable = False
        put(self, "train", train)
        shape = (len(self.documents), len(self.class_names))
        if labels.shape != shape or train.shape != shape[:1] or len(self.class_titles) != shape[1]:
            raise CorpusError(
                f"The parts of corpus {self.name!r} do not fit together: {shape[0]} documents and {shape[1]} classes, "
                f"but labels of shape {labels.shape}, a training mask of shape {train.shape} and "
                f"{len(self.class_titles)} class titles."
            )

    def __repr__(self):
        return (
            f"Corpus({self.name!r}, {self.n_train:,} training and {self.n_test:,} test documents, "
            f"{len(self.class_names):,} classes)"
        )

    @property
    def n_train(self) -> int:
        """Number of training documents."""
        return int(np.count_nonzero(self.train))

    @property
    def n_test(self) -> int:
        """Number of test documents."""
        return len(self.documents) - self.n_train

    def reporting(self, *sentences: str, instead_of: Sequence[str] = ()) -> "Corpus":
        """The same corpus, nothing of it copied, with more sentences in its report; itself where there are none."""
        if not sentences:
            return self
        other = copy.copy(self)
        object.__setattr__(other, "report", (*(told for told in self.report if told not in instead_of), *sentences))
        return other

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (hexadecimal) of the texts, the labels, the class names, the split and the language."""
        digest = hashlib.sha256()

        def add(data: bytes | np.ndarray):
            data = memoryview(data)
            digest.update(data.nbytes.to_bytes(8, "little"))
            digest.update(data)

        lengths = np.fromiter((len(text) for text in self.documents), dtype="<i8", count=len(self.documents))
        add(lengths)
        # piece by piece: a few characters beyond Latin-1 would make the joined text four times as large
        pieces = [range(start, min(start + 1000, len(lengths))) for start in range(0, len(lengths), 1000)]
        encode = lambda piece: "".join(self.documents[i] for i in piece).encode("utf-8", "surrogatepass")  # noqa: E731
        digest.update(sum(len(encode(piece)) for piece in pieces).to_bytes(8, "little"))
        for piece in pieces:
            digest.update(encode(piece))
        add("\n".join(self.class_names).encode("utf-8", "surrogatepass"))
        add(self.labels.indptr.astype("<i8"))
        add(self.labels.indices.astype("<i8"))
        add(np.packbits(self.train))
        add((self.language or "").encode())
        return digest.hexdigest()


def assemble(
    *,
    name: str,
    title: str,
    documents: Sequence[str],
    label_sets: Iterable[Iterable[str]] | LabelMatrix,
    train: np.ndarray,
    origin: str,
    titles: dict[str, str] | None = None,
    report: Iterable[str] = (),
    notes: str = "",
    language: str | None = "english",
) -> Corpus:
    """Make a corpus of documents and their sets of class names.

    Classes without a training document are dropped and reported; their documents stay, without that class.

    Parameters
    ----------
    documents, label_sets, train
        One entry a document: its text, its class names (may be none), whether it is for training. The class names
        may also be given as a matrix.
    titles : dict, optional
        Display names of classes; a class that is not in it shows its own name.

    Raises
    ------
    CorpusError
        If there are no training or no test documents, no class with a training document, or only one class, which
        every training document has.
    """
    train = np.asarray(train, dtype=bool)
    if not train.any() or train.all():
        part = "training" if not train.any() else "test"
        raise CorpusError(f"{title} has no {part} documents ({len(documents)} documents in all).")
    if not isinstance(label_sets, LabelMatrix):
        sets = LabelSets(label_sets)
        label_sets = LabelMatrix(sets.matrix(), list(sets.numbers))
    label_matrix, label_names = label_sets
    positives = train.astype(np.int32) @ label_matrix  # of each label
    columns = sorted(np.flatnonzero(positives).tolist(), key=label_names.__getitem__)
    if not columns:
        raise CorpusError(f"{title} has no class with a training document.")
    names = [label_names[column] for column in columns]
    if len(names) == 1 and positives[columns[0]] == np.count_nonzero(train):
        raise CorpusError(
            f"{title} has a single class, {names[0]!r}, and every training document has it: there is nothing to tell "
            "apart. Give documents of at least two classes, or documents without the class."
        )
    report = list(report)
    dropped = sorted(label_names[column] for column in np.flatnonzero(positives == 0))
    if dropped:
        report.append(
            f"{len(dropped):,} {'class' if len(dropped) == 1 else 'classes'} dropped for want of a training document: "
            f"{some(dropped)}."
        )
    titles = titles or {}
    return Corpus(
        name=name,
        title=title,
        documents=documents,
        labels=label_matrix[:, columns],
        class_names=tuple(names),
        train=train,
        origin=origin,
        class_titles=tuple(titles.get(label, label) for label in names),
        report=tuple(report),
        notes=notes,
        language=language,
    )


def with_note(title: str, note: str) -> str:
    """A title with a note in brackets: in those that it ends in, where there are any."""
    return f"{title[:-1]}; {note})" if title.endswith(")") else f"{title} ({note})"


def some(names: Sequence[str], shown: int = 8) -> str:
    """The first few of a list of names, for a sentence."""
    rest = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {rest:,} more" if rest > 0 else "")
