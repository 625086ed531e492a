"""Lines of a file of text, whose records are bounded in length: what CSV, TSV and JSONL are read from."""

import io
from collections.abc import Iterator

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables import rows


class Lines:
    """Lines of a file, whose records are bounded in length. For whoever has read a record to the end, ``begin`` says
    so; until then lines count as one record."""

    def __init__(self, stream: io.TextIOBase, source: str):
        self._stream, self._source = stream, source
        self._line = self._first = self._taken = 0

    def begin(self):
        """A record begins with the next line."""
        self._first, self._taken = self._line, 0

    def __iter__(self) -> "Lines":
        return self

    def __next__(self) -> str:
        line = self._stream.readline(rows.ROW_LIMIT_CHARACTERS + 1 - self._taken)
        if not line:
            raise StopIteration
        self._line += 1
        self._taken += len(line)
        if self._taken > rows.ROW_LIMIT_CHARACTERS:
            raise CorpusError(
                f"{self._source}, line {self._first + 1:,}: a row begins here that is longer than "
                f"{rows.ROW_LIMIT_CHARACTERS:,} characters; probably line breaks are missing, or a quotation mark "
                "is never closed."
            )
        return line


def each_line(lines: Lines) -> Iterator[str]:
    """Lines of which each is a record."""
    for line in lines:
        lines.begin()
        yield line
