"""Rows of JSON: one object a line (JSONL), or a list of objects, of which one is in memory at a time."""

import contextlib
import io
import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables import rows
from ltw_core.corpora.tables.lines import Lines, each_line
from ltw_core.corpora.tables.rows import COLUMN_LIMIT, SAMPLE, Row, Table, place, shortened

_CHUNK = 2**16  # characters that are read at a time; twice as many each time while they end within a value
_LONGEST_WORD = 10  # characters: where a text is cut off within a word such as -Infinity, it seems wrong before its end
_SPACE = re.compile(r"[ \t\r\n]*")


def is_object(line: str) -> bool:
    """Whether a line is a JSON object."""
    try:
        return line.startswith("{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def jsonl_table(lines: Lines, source: str, report: list[str]) -> Table:
    """The table of a file with an object a line."""
    return _table(_jsonl_rows(lines, source), source, [*report, "Read as JSONL."])


def json_table(stream: io.TextIOBase, source: str, report: list[str]) -> Table:
    """The table of a file that is a list of objects, read from its beginning."""
    table = _table(_list_rows(stream, source), source, [*report, "Read as JSON, a list of objects."])
    if not table.columns:
        raise CorpusError(f"{source} has no row: its list is empty, or its objects are.")
    return table


def _table(records: Iterator[Row], source: str, report: list[str]) -> Table:
    sample = list(itertools.islice(records, SAMPLE))
    columns = list(dict.fromkeys(column for row in sample for column in row.cells))
    if len(columns) > COLUMN_LIMIT:
        raise CorpusError(f"{source} has {len(columns):,} different keys; at most {COLUMN_LIMIT:,} are read.")
    return Table(columns, itertools.chain(sample, records), report)


def _jsonl_rows(lines: Lines, source: str) -> Iterator[Row]:
    for number, line in enumerate(each_line(lines), 1):
        if not line.strip():
            continue
        where = f"{source}, row {number:,}"
        with _sentences(where):
            cells = _DECODER.decode(line.strip())
        if not isinstance(cells, dict):
            raise CorpusError(f"{where} isn't a JSON object; JSONL has one object a line.")
        yield Row(number, number, _checked(cells, where))


def _list_rows(stream: io.TextIOBase, source: str) -> Iterator[Row]:
    text = _Ahead(stream, source)
    text.next_mark()
    text.step()  # the opening bracket, by which the file was known
    for number in itertools.count(1):
        mark = text.next_mark()
        if mark == "]" and number == 1:
            break
        line, where = text.line, f"{source}, {place(number, text.line)}"
        if not mark:
            raise CorpusError(f"{source} ends within its list, after row {number - 1:,}: it is cut off.")
        if mark != "{":
            raise CorpusError(f"{where} isn't a JSON object; a list of objects, one a row, was expected.")
        yield Row(number, line, _checked(text.value(where), where))
        mark = text.next_mark()
        if mark == "]":
            break
        if mark and mark != ",":
            raise CorpusError(f"{where}: neither a comma nor the end of the list follows, but {mark!r}.")
        text.step()
    text.step()
    if text.next_mark():
        raise CorpusError(f"{source}, line {text.line:,}: something follows the end of the list.")


class _Ahead:
    """Text of a stream, of which as much is in memory as the value takes that comes next."""

    def __init__(self, stream: io.TextIOBase, source: str):
        self._stream, self._source = stream, source
        self._text, self._at, self._ended = "", 0, False
        self.line = 1

    def next_mark(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            at = _SPACE.match(self._text, self._at).end()
            self._move(at)
            if at < len(self._text) or self._ended:
                return self._text[at : at + 1]
            self._read(_CHUNK)

    def step(self):
        """Pass over a character."""
        self._move(self._at + 1)

    def value(self, where: str) -> Any:
        """The value that begins here.

        Raises
        ------
        CorpusError
            It is no JSON, or longer than a row may be.
        """
        while True:
            with _sentences(where, self._at):
                try:
                    value, end = _DECODER.raw_decode(self._text, self._at)
                except json.JSONDecodeError as error:
                    if self._ended or not self._is_cut(error):
                        raise
                else:
                    if end - self._at <= rows.ROW_LIMIT_CHARACTERS:  # else what is held is too long, below
                        self._move(end)
                        return value
            held = len(self._text) - self._at
            if held > rows.ROW_LIMIT_CHARACTERS:
                raise CorpusError(f"{where} is longer than {rows.ROW_LIMIT_CHARACTERS:,} characters.")
            self._read(min(max(held, _CHUNK), rows.ROW_LIMIT_CHARACTERS + 1 - held))

    def _is_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether it may only seem wrong because more is to come."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._text) - _LONGEST_WORD

    def _move(self, at: int):
        self.line += self._text.count("\n", self._at, at)
        self._at = at

    def _read(self, size: int):
        more = self._stream.read(size)
        self._ended = not more
        self._text, self._at = self._text[self._at :] + more, 0


@contextlib.contextmanager
def _sentences(where: str, start: int = 0) -> Iterator[None]:
    """Make a sentence of what is wrong in the JSON of a row, which begins at ``start``."""
    try:
        yield
    except _TwiceError as error:
        raise CorpusError(f"{where}: the key {shortened(str(error))} is there twice.") from error
    except RecursionError as error:
        raise CorpusError(f"{where}: lists or objects are nested too deeply.") from error
    except json.JSONDecodeError as error:
        raise CorpusError(f"{where} isn't JSON (character {error.pos - start + 1:,}: {error.msg}).") from error
    except ValueError as error:
        raise CorpusError(f"{where} isn't JSON ({error}).") from error


def _checked(cells: dict, where: str) -> dict:
    if len(cells) > COLUMN_LIMIT:
        raise CorpusError(f"{where} has {len(cells):,} keys; at most {COLUMN_LIMIT:,} are read.")
    return cells


class _TwiceError(Exception):
    pass


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    cells = dict(pairs)
    if len(cells) < len(pairs):
        seen = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))
    return cells


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
