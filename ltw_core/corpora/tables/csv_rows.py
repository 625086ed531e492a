"""Rows of CSV and TSV: delimiter, quotation marks, header, and errors that name row and column.

Left out: tables without a header row.
"""

import contextlib
import csv
import itertools
from collections.abc import Callable, Iterator

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables import rows
from ltw_core.corpora.tables.lines import Lines, each_line
from ltw_core.corpora.tables.rows import CELL_LIMIT, COLUMN_LIMIT, SAMPLE, Row, Table, place, shortened
from ltw_core.process import allow_long_csv_cells

_DELIMITERS = {"\t": "tabs", ",": "commas", ";": "semicolons", "|": "bars"}


def csv_table(lines: Callable[[], Lines], source: str, report: list[str], delimiter: str | None) -> Table:
    """The table of a file whose cells a character separates, which is detected if it is not given.

    Each call of ``lines`` begins at the file's beginning.
    """
    allow_long_csv_cells(CELL_LIMIT)
    if delimiter is None:
        sample = _sample(lines())
        delimiter = _detect_delimiter(sample)
        if delimiter is None:
            raise _single_column(
                source,
                sample[0].strip(),
                ", separated by commas, semicolons, tabs or bars. Give the delimiter if it is another.",
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


def _sample(lines: Lines) -> list[str]:
    """The first lines: ``SAMPLE`` and one more, or as many as make one long record."""
    sample, taken = [], 0
    for line in itertools.islice(each_line(lines), SAMPLE + 1):
        taken += len(line)
        if sample and taken > rows.ROW_LIMIT_CHARACTERS:
            break
        sample.append(line)
    return sample


def _detect_delimiter(sample: list[str]) -> str | None:
    """The delimiter by which most records have as many cells as the header; of several, the one with most columns."""
    best, choice = (0.0, 1), None
    for delimiter in _DELIMITERS:
        widths = []
        with contextlib.suppress(csv.Error):  # the records before it tell enough, and reading says what is wrong
            for record in csv.reader(sample, delimiter=delimiter):
                if record:
                    widths.append(len(record))
        if len(sample) > SAMPLE and len(widths) > 1:
            widths.pop()  # perhaps cut off
        width = widths[0] if widths else 0
        if width > 1:
            score = (widths.count(width) / len(widths), width)
            if score > best:
                best, choice = score, delimiter
    return choice


def _quotes_close(lines: Lines, delimiter: str) -> bool:
    try:
        for _ in csv.reader(lines, delimiter=delimiter, strict=True):
            lines.begin()
    except (csv.Error, CorpusError):  # of one that is never closed, the rest of the file is one long row
        return False
    return True


def _records(lines: Lines, source: str, delimiter: str, quoting: int) -> Iterator[tuple[int, int, list[str]]]:
    """Yield (row, line, cells) of the records that aren't blank; the line is the one on which a record starts."""
    reader = csv.reader(lines, delimiter=delimiter, quoting=quoting, strict=True)
    for number in itertools.count(1):
        line = reader.line_num + 1
        try:
            record = next(reader)
            lines.begin()
        except StopIteration:
            return
        except csv.Error as error:
            raise CorpusError(f"{source}, {place(number, line)}: {_reason(error)}") from error
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
    if len(cells) > COLUMN_LIMIT:
        raise CorpusError(f"{source} has {len(cells):,} columns; at most {COLUMN_LIMIT:,} are read.")
    columns = [cell.strip().lstrip("\ufeff") or f"column {index}" for index, cell in enumerate(cells, 1)]
    first: dict[str, int] = {}
    for index, column in enumerate(columns, 1):
        if column in first:
            raise CorpusError(
                f"{source}, row 1: columns {first[column]} and {index} have the same name, {shortened(column)}."
            )
        first[column] = index
    if len(columns) < 2:
        raise _single_column(source, columns[0], ".")
    return columns


def _single_column(source: str, column: str, rest: str) -> CorpusError:
    return CorpusError(
        f"{source} has a single column, {shortened(column)}: a table needs a text and a label column{rest}"
    )


def _cells(record: list[str]) -> str:
    return "1 cell" if len(record) == 1 else f"{len(record)} cells"


def _csv_rows(records, columns: list[str], source: str, delimiter: str) -> Iterator[Row]:
    width = len(columns)
    for number, line, record in records:
        if len(record) < width:
            raise CorpusError(
                f"{source}, {place(number, line)}: {_cells(record)} where the header has {width} columns; "
                f"column {shortened(columns[len(record)])} is missing."
            )
        if len(record) > width:
            raise CorpusError(
                f"{source}, {place(number, line)}: {_cells(record)} where the header has {width} columns; cell "
                f"{width + 1}, {shortened(record[width])}, has no column. A text that holds {delimiter!r} must stand "
                "in quotation marks."
            )
        yield Row(number, line, dict(zip(columns, record, strict=True)))
