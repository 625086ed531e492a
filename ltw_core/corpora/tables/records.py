"""Tables that are no file of rows: a pandas DataFrame, dicts, a Hugging Face dataset, a folder of a sub-folder a class.

None of these packages is imported: what an object offers decides. Rows are walked one by one.
"""

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables.columns import split_word
from ltw_core.corpora.tables.rows import COLUMN_LIMIT, SAMPLE, Row, Table


def is_records(data: object) -> bool:
    """Whether it is a DataFrame or can be walked, and is no path, content or open file."""
    if isinstance(data, str | os.PathLike | bytes | bytearray | memoryview) or hasattr(data, "read"):
        return False
    return isinstance(data, Iterable)


def records_table(data: Iterable, source: str) -> Table:
    """A table of a DataFrame, of dicts, or of several of these by part: ``{"train": …, "test": …}``.

    Raises
    ------
    CorpusError
        If there is nothing in it, or something else than dicts.
    """
    if isinstance(data, Mapping):
        for part, rows in data.items():
            if not isinstance(rows, Iterable) or isinstance(rows, str | bytes) or split_word(part) is None:
                raise CorpusError(
                    f"{source} is a {type(data).__name__} with {part!r}: in one, tables stand by their parts, train, "
                    "test and, where there is one, validation."
                )
        records = ({**record, "split": part} for part, rows in data.items() for record in _dicts(rows, source))
    else:
        records = _dicts(data, source)
    return _table(records, source, "Read from memory.")


def folder_table(folder: Path) -> Table:
    """A table of a folder with a sub-folder a class and a text a file, as ``sklearn.datasets.load_files`` reads it.

    Where all that lies in it is sub-folders called ``train`` and ``test``, the classes are in these. Files that are
    not UTF-8 are read as ISO 8859-1; hidden ones are passed over.

    Raises
    ------
    CorpusError
        If there is no sub-folder with a file.
    """
    parts = [(folder, None)]
    there = _folders(folder)
    if len(there) > 1 and all(split_word(one.name) for one in there):
        parts = [(one, one.name) for one in there]
    files = [
        (file, label.name, part)
        for base, part in parts
        for label in _folders(base)
        for file in _listed(label, "is_file")
    ]
    if not files:
        raise CorpusError(f"{folder} is a folder without a sub-folder a class that holds texts, a file each.")
    records = (
        {"text": _text(file), "label": label} | ({} if part is None else {"split": part}) for file, label, part in files
    )
    return _table(records, folder.name, "Read from a folder: a class is a sub-folder, a text is a file.")


def _listed(folder: Path, kind: str) -> list[Path]:
    return sorted(one for one in folder.iterdir() if not one.name.startswith(".") and getattr(one, kind)())


def _folders(folder: Path) -> list[Path]:
    return _listed(folder, "is_dir")


def _text(file: Path) -> str:
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _dicts(data: Iterable, source: str) -> Iterator[dict]:
    if hasattr(data, "itertuples") and hasattr(data, "columns"):  # a DataFrame
        columns = [str(column) for column in data.columns]
        if len(set(columns)) < len(columns):
            raise CorpusError(f"{source}: two columns have the same name; there are {', '.join(columns)}.")
        whole = data.astype(object).where(data.notna(), None)
        yield from (dict(zip(columns, values, strict=True)) for values in whole.itertuples(index=False, name=None))
        return
    for number, record in enumerate(data, 1):
        if not isinstance(record, Mapping):
            raise CorpusError(
                f"{source}, row {number:,} is of type {type(record).__name__}; a dict a row was expected."
            )
        yield {str(name): value for name, value in record.items()}


def _table(records: Iterator[dict], source: str, sentence: str) -> Table:
    rows = (
        Row(number, number, {name: _cell(value) for name, value in record.items()})
        for number, record in enumerate(records, 1)
    )
    sample = list(itertools.islice(rows, SAMPLE))
    if not sample:
        raise CorpusError(f"{source} is empty.")
    columns = list(dict.fromkeys(column for row in sample for column in row.cells))
    if len(columns) > COLUMN_LIMIT:
        raise CorpusError(f"{source} has {len(columns):,} columns; at most {COLUMN_LIMIT:,} are read.")
    return Table(columns, itertools.chain(sample, rows), [sentence])


def _cell(value: object) -> object:
    """A value as JSON would have it: arrays and sets as lists, what is missing as None."""
    if isinstance(value, tuple | set | frozenset):
        return sorted(value, key=str)
    if hasattr(value, "tolist"):  # NumPy's scalars and arrays
        value = value.tolist()
    return None if isinstance(value, float) and value != value else value
