"""What every format is read into: rows of cells by column name, in a table that is walked once; how large they may be.

What the columns mean is decided in :mod:`ltw_core.corpora.tables.collector`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

CELL_LIMIT = 5_000_000  # characters of one cell: a long book; more is a quotation mark that is never closed
ROW_LIMIT_CHARACTERS = 2 * CELL_LIMIT  # of one record: its cells take up to twenty times as much while it is read
COLUMN_LIMIT = 2_000
SAMPLE = 200  # lines or records by which a file is judged


@dataclass(frozen=True, slots=True)
class Row:
    """One record: its number (where there is a header, that is row 1; in JSONL it is the line), its line, and its cells
    by column name."""

    number: int
    line: int
    cells: dict[str, object]

    @property
    def place(self) -> str:
        """``row 3``, or ``row 3 (line 7)`` where cells above hold line breaks."""
        return place(self.number, self.line)


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

    def close(self) -> None:
        """Read no further: what is open for the rows, such as a process, ends now and not with the last reference."""
        if hasattr(self.rows, "close"):
            self.rows.close()


def place(number: int, line: int) -> str:
    """Where a record stands, for a sentence; a line where that says more."""
    return f"row {number:,}" if line in (number, 1) else f"row {number:,} (line {line:,})"


def shortened(text: str, length: int = 60) -> str:
    """A text for a sentence: quoted, and not longer than that."""
    return repr(text if len(text) <= length else text[: length - 1] + "…")
