"""From the bytes of a file to its rows: unpacked, its format and encoding found out, read record by record.

Memory stays near the size of the file. What the columns mean is decided in
:mod:`ltw_core.corpora.tables.collector`. Left out: tables without a header row, workbooks.
"""

import io

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables import formats
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.csv_rows import csv_table
from ltw_core.corpora.tables.encoding import check_encoding, detect_encoding, refuse_binary
from ltw_core.corpora.tables.json_rows import is_object, json_table, jsonl_table
from ltw_core.corpora.tables.lines import Lines, each_line
from ltw_core.corpora.tables.parquet_rows import is_parquet, parquet_table
from ltw_core.corpora.tables.rows import Table

_HEAD = 1_000  # characters by which a JSON list is known


def open_table(content: Content, *, encoding: str | None = None, delimiter: str | None = None) -> Table:
    """Find out how a file is written and start reading it.

    Parameters
    ----------
    content : Content
        The whole file; the ending of its name decides where the content leaves a choice.
    encoding : str, optional
        Encoding of the text; detected if not given.
    delimiter : str, optional
        The character between columns, for what is CSV; detected if not given.

    Raises
    ------
    CorpusError
        If the file is empty, too large or no table, or its header is unusable.
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise CorpusError(f"The delimiter must be the single character between columns, not {delimiter!r}.")
    content = content.unpacked()
    data, source = content.data, content.name
    if is_parquet(data):
        return parquet_table(content)
    refuse_binary(data, source)
    report = []
    if encoding is None:
        encoding, sentence = detect_encoding(data, source)
        report += [sentence] if sentence else []
    else:
        check_encoding(data, source, encoding)

    def stream() -> io.TextIOWrapper:
        return io.TextIOWrapper(io.BytesIO(data), encoding=encoding, newline="")

    def lines() -> Lines:
        return Lines(stream(), source)

    head = _head(stream())
    if not head:
        raise CorpusError(f"{source} is empty.")
    if delimiter is None:
        ending = formats.ending(source)
        if head[0] == "[" and (head[1:].lstrip()[:1] in ("{", "]", "") or ending in formats.JSON.endings):
            return json_table(stream(), source, report)
        first = next(line.strip() for line in each_line(lines()) if line.strip())
        if ending in formats.JSONL.endings or is_object(first):
            return jsonl_table(lines(), source, report)
        if ending in formats.JSON.endings:
            raise CorpusError(
                f'{source} is no table: JSON is read as a list of objects, [{{"text": …, "label": …}}, …], or as one '
                "object a line."
            )
    return csv_table(lines, source, report, delimiter)


def _head(stream: io.TextIOBase) -> str:
    """The first characters from the first that is no space; empty if there is none."""
    while text := stream.read(_HEAD):
        if text := text.lstrip():
            return text + stream.read(_HEAD)
    return ""
