"""Rows of a CSV, TSV or JSONL file from its bytes: encoding, delimiter, header, and errors that name row and column.

Read record by record, so that memory stays near the size of the file. What the columns mean is decided in
:mod:`ltw_core.corpora.tables.read_table`. Left out: tables without a header row, workbooks, compressed files.
"""

import contextlib
import csv
import io
import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables.encoding import check_encoding, detect_encoding, refuse_binary
from ltw_core.process import allow_long_csv_cells

CELL_LIMIT = 5_000_000  # characters of one cell: a long book; more is a quotation mark that is never closed
COLUMN_LIMIT = 2_000
_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}
_SAMPLE = 200  # lines or records by which a file is judged


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its number (row 1 is the header; in JSONL the line), its line, and its cells by column name."""

    number: int
    line: int
    cells: dict[str, object]

    @property
    def place(self) -> str:
        """``row 3``, or ``row 3 (line 7)`` where cells above hold line breaks."""
        return _place(self.number, self.line)


@dataclass
class Table:
    """A table being read.

    Attributes
    ----------
    columns : list of str
    rows : iterator of Row
        Can be walked once; raises CorpusError at a bad row.
    report : list of str
        Sentences on how the file was read.
    """

    columns: list[str]
    rows: Iterator[Row]
    report: list[str] = field(default_factory=list)


def open_table(data: bytes, source: str, *, encoding: str | None = None, delimiter: str | None = None) -> Table:
    """Find out how a file is written and start reading it.

    Parameters
    ----------
    data : bytes
        The whole file.
    source : str
        Its name, for sentences; the ending decides where the content leaves a choice.
    encoding : str, optional
        Encoding of the text; detected if not given.
    delimiter : str, optional
        The character between columns; detected if not given.

    Raises
    ------
    CorpusError
        If the file is empty or no text, or its header is unusable.
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise CorpusError(f"The delimiter must be the single character between columns, not {delimiter!r}.")
    refuse_binary(data, source)
    report = []
    if encoding is None:
        encoding, sentence = detect_encoding(data, source)
        report += [sentence] if sentence else []
    else:
        check_encoding(data, source, encoding)

    def lines() -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")

    first = next((line.strip() for line in lines() if line.strip()), None)
    if first is None:
        raise CorpusError(f"{source} is empty.")
    if delimiter is None:
        ending = source.lower().rpartition(".")[2]
        if ending in ("jsonl", "ndjson") or _is_object(first):
            return _json_table(lines(), source, report)
        if ending == "json" or first == "[" or first.startswith("[{"):
            raise CorpusError(f"{source} is JSON but not JSONL: write one object a line, without brackets around them.")
    return _csv_table(lines, source, report, delimiter)


def _place(number: int, line: int) -> str:
    return f"row {number:,}" if number == line else f"row {number:,} (line {line:,})"


# ---- CSV and TSV -----------------------------------------------------------------------------------------------------


def _csv_table(lines: Callable, source: str, report: list[str], delimiter: str | None) -> Table:
    allow_long_csv_cells(CELL_LIMIT)
    if delimiter is None:
        sample = list(itertools.islice(lines(), _SAMPLE + 1))
        delimiter = _detect_delimiter(sample)
        if delimiter is None:
            raise CorpusError(
                f"{source} has a single column, {_shortened(sample[0].strip())}: a table needs a text and a label "
                "column, separated by commas, semicolons, tabs or bars. Give the delimiter if it is another."
            )
    quoting = csv.QUOTE_MINIMAL
    if delimiter == "\t" and not _quotes_close(lines(), delimiter):
        quoting = csv.QUOTE_NONE
        report.append("Quotation marks were read as they stand, for they do not enclose cells.")
    report.append(f"Read with {_DELIMITERS.get(delimiter, repr(delimiter))} between columns.")
    records = _records(lines(), source, delimiter, quoting)
    first = next(records, None)
    if first is None:
        raise CorpusError(f"{source} is empty.")
    columns = _header(first[2], source)
    return Table(columns, _csv_rows(records, columns, source, delimiter), report)


def _detect_delimiter(sample: list[str]) -> str | None:
    """The delimiter by which most records have as many cells as the header; of several, the one with most columns."""
    best, choice = (0.0, 1), None
    for delimiter in _DELIMITERS:
        records = []
        with contextlib.suppress(csv.Error):  # the records before it tell enough, and reading says what is wrong
            for record in csv.reader(sample, delimiter=delimiter):
                if record:
                    records.append(record)
        if len(sample) > _SAMPLE and len(records) > 1:
            records.pop()  # perhaps cut off
        width = len(records[0]) if records else 0
        if width > 1:
            score = (sum(len(record) == width for record in records) / len(records), width)
            if score > best:
                best, choice = score, delimiter
    return choice


def _quotes_close(stream: io.TextIOWrapper, delimiter: str) -> bool:
    try:
        for _ in csv.reader(stream, delimiter=delimiter, strict=True):
            pass
    except csv.Error:
        return False
    return True


def _records(stream, source: str, delimiter: str, quoting: int) -> Iterator[tuple[int, int, list[str]]]:
    """Yield (row, line, cells) of the records that aren't blank; the line is the one on which a record starts."""
    reader = csv.reader(stream, delimiter=delimiter, quoting=quoting, strict=True)
    for number in itertools.count(1):
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise CorpusError(f"{source}, {_place(number, line)}: {_reason(error)}") from error
        if record and (len(record) > 1 or record[0].strip()):
            yield number, line, record


def _reason(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return "a quotation mark opens a cell here and is never closed."
    if "field limit" in str(error):
        return f"a cell is longer than {CELL_LIMIT:,} characters; probably a quotation mark is never closed."
    if "expected after" in str(error):
        return "a quoted cell goes on after its closing quotation mark; quotation marks inside of it must be doubled."
    return f"it can't be read ({error})."


def _header(cells: list[str], source: str) -> list[str]:
    columns = [cell.strip().lstrip("\ufeff") or f"column {index}" for index, cell in enumerate(cells, 1)]
    if len(columns) > COLUMN_LIMIT:
        raise CorpusError(f"{source} has {len(columns):,} columns; at most {COLUMN_LIMIT:,} are read.")
    first: dict[str, int] = {}
    for index, column in enumerate(columns, 1):
        if column in first:
            raise CorpusError(
                f"{source}, row 1: columns {first[column]} and {index} have the same name, {_shortened(column)}."
            )
        first[column] = index
    if len(columns) < 2:
        raise CorpusError(
            f"{source} has a single column, {_shortened(columns[0])}: a table needs a text and a label column."
        )
    return columns


def _cells(record: list[str]) -> str:
    return "1 cell" if len(record) == 1 else f"{len(record)} cells"


def _csv_rows(records, columns: list[str], source: str, delimiter: str) -> Iterator[Row]:
    width = len(columns)
    for number, line, record in records:
        if len(record) < width:
            raise CorpusError(
                f"{source}, {_place(number, line)}: {_cells(record)} where the header has {width} columns; "
                f"column {_shortened(columns[len(record)])} is missing."
            )
        if len(record) > width:
            raise CorpusError(
                f"{source}, {_place(number, line)}: {_cells(record)} where the header has {width} columns; cell "
                f"{width + 1}, {_shortened(record[width])}, has no column. A text that holds {delimiter!r} must stand "
                "in quotation marks."
            )
        yield Row(number, line, dict(zip(columns, record, strict=True)))


# ---- JSONL -----------------------------------------------------------------------------------------------------------


def _is_object(line: str) -> bool:
    try:
        return line.startswith("{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _json_table(stream: io.TextIOWrapper, source: str, report: list[str]) -> Table:
    rows = _json_rows(stream, source)
    sample = list(itertools.islice(rows, _SAMPLE))
    columns = list(dict.fromkeys(column for row in sample for column in row.cells))
    if len(columns) > COLUMN_LIMIT:
        raise CorpusError(f"{source} has {len(columns):,} different keys; at most {COLUMN_LIMIT:,} are read.")
    return Table(columns, itertools.chain(sample, rows), [*report, "Read as JSONL."])


def _json_rows(stream: io.TextIOWrapper, source: str) -> Iterator[Row]:
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            cells = json.loads(line.strip(), object_pairs_hook=_unique)
        except _TwiceError as error:
            raise CorpusError(f"{source}, row {number:,}: the key {_shortened(str(error))} is there twice.") from error
        except RecursionError as error:
            raise CorpusError(f"{source}, row {number:,}: lists or objects are nested too deeply.") from error
        except ValueError as error:
            position = (
                f"character {error.colno:,}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
            )
            raise CorpusError(f"{source}, row {number:,} isn't JSON ({position}).") from error
        if not isinstance(cells, dict):
            raise CorpusError(f"{source}, row {number:,} isn't a JSON object; JSONL has one object a line.")
        yield Row(number, number, cells)


class _TwiceError(Exception):
    pass


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    cells = dict(pairs)
    if len(cells) < len(pairs):
        seen = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return cells


def _shortened(text: str, length: int = 60) -> str:
    """A text for a sentence: quoted, and not longer than that."""
    return repr(text if len(text) <= length else text[: length - 1] + "…")
