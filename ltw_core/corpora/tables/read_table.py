"""The user's own corpus: a table with a text column, a label column and, optionally, a split column.

Columns are guessed by name, then by content, and the report says which were taken. How a file is written,
:mod:`ltw_core.corpora.tables.open_table` finds out; what becomes of its rows, stands in
:mod:`ltw_core.corpora.tables.collector`.
"""

import contextlib
import itertools
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, TextIO

from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.corpora.tables import formats
from ltw_core.corpora.tables.collector import Collector
from ltw_core.corpora.tables.columns import choose_columns, passed_over
from ltw_core.corpora.tables.content import Content, content_of
from ltw_core.corpora.tables.limits import NO_LIMITS, Limits
from ltw_core.corpora.tables.open_table import open_table
from ltw_core.corpora.tables.records import folder_table, is_records, records_table
from ltw_core.corpora.tables.rows import Table

SAMPLE = 500  # rows by which columns are guessed


def read_table(
    path_or_file: str | os.PathLike | bytes | BinaryIO | TextIO | Content | Iterable[Mapping],
    text: str | None = None,
    label: str | None = None,
    split: str | bool | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    *,
    name: str | None = None,
    title: str | None = None,
    delimiter: str | None = None,
    language: str | None = "english",
) -> Corpus:
    """Read a corpus from a table.

    Parameters
    ----------
    path_or_file : path, bytes, file object, DataFrame or iterable of dicts
        A path, the content itself as bytes, or an open file, which is read from its beginning: CSV, TSV, JSONL, JSON
        (a list of objects) or Parquet (with the package ``pyarrow``), each also compressed with gzip. A folder with a
        sub-folder a class. A pandas DataFrame, dicts, a ``datasets.Dataset`` of Hugging Face, or several of these by
        part, ``{"train": …, "test": …}``. Of any of them memory is the limit; of a
        :class:`ltw_core.corpora.tables.content.Content` its own limits are.
    text, label : str, optional
        Names of the columns with texts and labels; guessed if not given.
    split : str or False, optional
        Name of the column that says ``train`` or ``test`` (validation counts as training). If not given, a column of
        such a name is taken where there is one; False takes none and splits 70/30.
    separator : str, optional
        The character between several labels of a document, such as ``|``. If not given, a cell is one label (a JSON
        list is several nevertheless).
    encoding : str, optional
        Encoding of the file; detected if not given.
    name : str, optional
        Identifier of the corpus; by default made of the title.
    title : str, optional
        Name for display and in sentences; by default the file's.
    delimiter : str, optional
        The character between columns; detected if not given.
    language : str or None
        Language of the texts, for stop words.

    Returns
    -------
    Corpus
        Its ``report`` says how the file was read, and what was dropped.

    Raises
    ------
    CorpusError
        A sentence with file, row and column.
    """
    if separator == "":
        raise CorpusError("The separator of labels must not be empty; leave it out if a document has one label.")
    try:
        table, source, limits = _opened(path_or_file, title, encoding, delimiter)
        with contextlib.closing(table):
            sample = list(itertools.islice(table.rows, SAMPLE))
            columns = choose_columns(table.columns, sample, source, text, label, split)
            collector = Collector(source, columns, separator, limits)
            for row in itertools.chain(sample, table.rows):
                collector.take(row)
        if split is None and (sentence := passed_over(table.columns, sample, columns)):
            table.report.append(sentence)
        return collector.corpus(table.report, name or identifier(source), language)
    except MemoryError as error:
        raise CorpusError("There is not enough memory for this table; take a sample of it.") from error


def _opened(path_or_file, title: str | None, encoding: str | None, delimiter: str | None) -> tuple[Table, str, Limits]:
    """The table, its name for sentences, and its limits."""
    if is_records(path_or_file):
        source = title or "the table"
        return records_table(path_or_file, source), source, NO_LIMITS
    if isinstance(path_or_file, str | os.PathLike) and os.path.isdir(path_or_file):
        try:
            return folder_table(Path(path_or_file)), title or Path(path_or_file).name, NO_LIMITS
        except OSError as error:
            raise CorpusError(f"{path_or_file} can't be read: {error.strerror or error}.") from error
    content = content_of(path_or_file)
    if title:
        content = Content(content.data, title, content.limits)
    return open_table(content, encoding=encoding, delimiter=delimiter), content.name, content.limits


def identifier(source: str) -> str:
    """A name for URLs made of a file's name: ``"My Data (2).csv"`` → ``"my-data-2"``."""
    source = formats.unpacked_name(source)
    stem = source.rpartition(".")[0] or source
    return re.sub(r"[^\w]+", "-", stem.lower()).strip("-") or "table"
