"""A corpus from the rows of a table: texts, labels and parts taken row by row, and sentences on what was dropped.

Documents come in the order of a hash of their texts, for the method's validation split goes by order and tables are
often sorted by class; the same order makes the 70/30 split where there is no split column.
"""

import hashlib
import math
from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ltw_core.corpora.corpus import Corpus, CorpusError, assemble, some
from ltw_core.corpora.label_sets import LabelMatrix, LabelSets
from ltw_core.corpora.tables.columns import Columns, split_word
from ltw_core.corpora.tables.limits import NO_LIMITS, Limits
from ltw_core.corpora.tables.rows import CELL_LIMIT, Row
from ltw_core.corpora.texts import Texts

TRAIN_FRACTION = 0.7
PARTS = ("test", "train", "validation")  # all but the first are for training
CLASS_LIMIT = 1_000
LABEL_LIMIT = 200  # characters
CELLS_KNOWN = 2_000  # cells of labels whose labels are remembered


class Collector:
    """Collects texts, labels and parts row by row, and remembers what was dropped."""

    def __init__(self, source: str, columns: Columns, separator: str | None, limits: Limits = NO_LIMITS):
        self.source, self.columns, self.separator, self.limits = source, columns, separator, limits
        self.texts = Texts()
        self.labels = LabelSets()
        self.parts = bytearray()  # a code of ``PARTS`` for each text
        self.empty = array("I")  # row numbers
        self.unlabelled = array("I")
        self.first = 0  # number of the first row: 2 where there is a header, which counts as one
        self.lists = False
        self._label_sets: dict[object, tuple[str, ...]] = {}  # of the cells seen last

    def take(self, row: Row):
        """Take a row in; raises CorpusError where one of its cells cannot be what its column is."""
        self.first = self.first or row.number
        text = self._text(row)
        labels = self._labels(row)
        part = "train" if self.columns.split is None else self._part(row)
        if not text.strip():
            self.empty.append(row.number)
            return
        if not labels:
            self.unlabelled.append(row.number)
        if len(self.texts) == self.limits.rows:
            raise CorpusError(
                f"{self.source} has more than {self.limits.rows:,} rows with a text; take a sample of them."
            )
        self.texts.append(text)
        self.labels.append(labels)
        self.parts.append(PARTS.index(part))

    def _wrong(self, row: Row, column: str, what: str) -> CorpusError:
        return CorpusError(f"{self.source}, {row.place}, column {column!r}: {what}")

    def _text(self, row: Row) -> str:
        value = row.cells.get(self.columns.text)
        if value is None:
            return ""
        if isinstance(value, bool | list | dict):
            raise self._wrong(row, self.columns.text, "a text was expected, not a list, an object or a truth value.")
        text = str(value)
        if len(text) > CELL_LIMIT:
            raise self._wrong(row, self.columns.text, f"the text is longer than {CELL_LIMIT:,} characters.")
        return text

    def _labels(self, row: Row) -> tuple[str, ...]:
        value = row.cells.get(self.columns.label)
        if isinstance(value, list):
            self.lists = True
            return tuple(sorted({label for item in value for label in self._label_set(row, item)}))
        return self._label_set(row, value)

    def _label_set(self, row: Row, value: object) -> tuple[str, ...]:
        if value is None:
            return ()
        if isinstance(value, list | dict):
            raise self._wrong(row, self.columns.label, "a label or a list of labels was expected.")
        whole = str(value)
        found = self._label_sets.get(whole)
        if found is None:
            pieces = whole.split(self.separator) if self.separator is not None else [whole]
            found = tuple(sorted({label for piece in pieces if (label := " ".join(_encodable(piece).split()))}))
            long = next((label for label in found if len(label) > LABEL_LIMIT), None)
            if long is not None:
                what = f"the label {long[:40] + '…'!r} has {len(long):,} characters, over {LABEL_LIMIT}; is it a text?"
                raise self._wrong(row, self.columns.label, what)
            if len(self._label_sets) >= CELLS_KNOWN:
                self._label_sets.clear()
            self._label_sets[whole] = found
        return found

    def _part(self, row: Row) -> str:
        word = row.cells.get(self.columns.split)
        part = split_word(word)
        if part is None:
            raise self._wrong(row, self.columns.split, f"{str(word)[:40]!r} is neither train nor test.")
        return part

    def corpus(self, report: list[str], name: str, language: str | None) -> Corpus:
        """What was taken, in the order of a hash of the texts; the collector is used up, for memory's sake."""
        if not self.labels.numbers:
            rows = self.empty or self.unlabelled
            raise CorpusError(f"{self.source} has no row {'with a text and a label' if rows else 'below its header'}.")
        labels, several = self.labels.matrix(), self._several_labels()
        if self.unlabelled and not several:  # with one label each, none is a gap; with several, a document of no class
            rows = np.flatnonzero(np.diff(labels.indptr))
            self.texts, labels = self.texts.taken(rows), labels[rows]
            self.parts = np.frombuffer(self.parts, dtype=np.uint8)[rows]
        self._check_classes()
        keys = self._keys()
        order = np.argsort(keys, kind="stable")
        if len(order) < 2**31:
            order = order.astype(np.int32)
        keys = keys[order]
        if self.columns.split is None:
            train = np.zeros(len(order), dtype=bool)
            train[: math.ceil(TRAIN_FRACTION * len(order))] = True
        else:
            train = np.frombuffer(self.parts, dtype=np.uint8).astype(bool)[order]
        report = [*report, *self._sentences(_in_both(keys, train))]
        del keys
        names, self.labels, labels = list(self.labels.numbers), None, labels[order]
        self.texts = self.texts.taken(order)
        del order
        return assemble(
            name=name,
            title=self.source,
            documents=self.texts,
            label_sets=LabelMatrix(labels, names),
            train=train,
            origin=f"The file {self.source}" if self.source != "the table" else "A table given by the user",
            report=report,
            language=language,
        )

    def _keys(self) -> np.ndarray:
        """Half of a hash of each text: of two million texts, two get the same by chance once in ten million tables."""
        keys = np.empty(len(self.texts), dtype=np.uint64)
        for index, text in enumerate(self.texts.encoded()):
            keys[index] = int.from_bytes(hashlib.blake2b(text, digest_size=16).digest()[:8], "big")
        return keys

    def _several_labels(self) -> bool:
        return self.separator is not None or self.lists

    def _check_classes(self):
        classes, documents = len(self.labels.numbers), len(self.texts)
        if classes > CLASS_LIMIT and classes > documents / 2:
            raise CorpusError(
                f"{self.source}, column {self.columns.label!r}: {classes:,} different labels in {documents:,} rows. "
                "Is it the label column, and is the separator of several labels right?"
            )

    def _sentences(self, both: int) -> list[str]:
        columns = self.columns
        sentences = [
            f"Read {len(self.texts):,} documents; texts are in column {columns.text!r}, labels in {columns.label!r}."
        ]
        if self.empty:
            sentences.append(f"{_rows(self.empty)} dropped because the text is empty.")
        if self.unlabelled:
            several = self._several_labels()
            kept = "a document" if len(self.unlabelled) == 1 else "documents"
            verb = f"without a label, kept as {kept} of no class" if several else "dropped for want of a label"
            sentences.append(f"{_rows(self.unlabelled)} {verb}.")
        if (self.empty or self.unlabelled) and self.first == 2:
            sentences.append("Row 1 is the header.")
        if len(self.labels.numbers) > 2 and len(self.labels.numbers) == len(self.texts) and not self._several_labels():
            sentences.append(
                f"Every document has a label of its own; is column {columns.label!r} the right one? A class of one "
                "document teaches nothing about others."
            )
        if columns.split is None:
            sentences.append(
                f"Without a split column, {TRAIN_FRACTION:.0%} of the documents, by a hash, are for training."
            )
        else:
            sentences.append(f"The split is in column {columns.split!r}.")
        validation = np.count_nonzero(np.frombuffer(self.parts, dtype=np.uint8) == PARTS.index("validation"))
        if validation:
            sentences.append(f"Documents marked for validation ({validation:,}) count as training documents.")
        if both:
            sentences.append(f"Texts that are in both training and test documents: {both:,}.")
        hint = self._separator_hint()
        return [*sentences, hint] if hint else sentences

    def _separator_hint(self) -> str:
        """A sentence if labels look like several in one cell and no separator was given."""
        if self._several_labels():
            return ""
        labels = self.labels.numbers
        for mark in "|;,":
            joined = [label for label in labels if mark in label]
            pieces = Counter(piece.strip() for label in joined for piece in label.split(mark))
            if joined and any(count > 1 or piece in labels for piece, count in pieces.items()):
                return (
                    f"Some labels hold {mark!r} ({some(sorted(joined), 2)}): if they are several, give it as separator."
                )
        return ""


def _encodable(text: str) -> str:
    """JSON can hold halves of surrogate pairs, which no encoding takes."""
    return text.encode("utf-8", "replace").decode()


def _in_both(keys: np.ndarray, train: np.ndarray) -> int:
    """How many texts, by their sorted keys, are in both parts."""
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])
    return np.count_nonzero(np.logical_or.reduceat(train, starts) & np.logical_or.reduceat(~train, starts))


def _rows(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"Row {numbers[0]:,}"
    shown = ", ".join(f"{number:,}" for number in numbers[:5])
    return f"{len(numbers):,} rows ({shown}{f' and {len(numbers) - 5:,} more' if len(numbers) > 5 else ''})"
