"""Rows of a Parquet file, which a process of its own reads (``parquet_process``) and hands over as lines of JSON.

A Parquet file can say that it is small and unpack to anything, and what decodes it is no Python: in that process, what
goes wrong there takes neither the memory of this one nor its life. A file of an upload has limits, which bound it too.
"""

import contextlib
import importlib.util
import io
import json
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from ltw_core.corpora.corpus import CorpusError, some
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.lines import Lines, each_line
from ltw_core.corpora.tables.rows import COLUMN_LIMIT, Row, Table, shortened

NEEDS_PYARROW = (
    "a Parquet file, which takes the package pyarrow to read: run `pip install pyarrow`, or give CSV or JSONL"
)
_MAGIC = b"PAR1"
_BASE = 768 * 2**20  # bytes of address space that the process takes for itself
_TIMES = 4  # as many as the largest upload has: the file, a page of it, and its rows on their way
_PROGRAM = str(Path(__file__).with_name("parquet_process.py"))


def is_parquet(data: bytes) -> bool:
    """Whether a file begins as Parquet does."""
    return data.startswith(_MAGIC)


def parquet_table(content: Content) -> Table:
    """The table of a Parquet file: its columns of texts, numbers, times, truth values and lists of such.

    Raises
    ------
    CorpusError
        There is no pyarrow, or the file is damaged.
    """
    source = content.name
    if importlib.util.find_spec("pyarrow") is None:
        raise CorpusError(f"{source} is {NEEDS_PYARROW}.")
    told = _told(content)
    try:
        columns, report = _columns(next(told), source)
    except CorpusError:
        told.close()  # whoever holds the error holds `told` and so its process
        raise
    return Table(columns, _rows(told, columns), report)


def _columns(about: dict[str, Any], source: str) -> tuple[list[str], list[str]]:
    """Names of the columns that are read, and sentences on them."""
    columns, left_out = about["columns"], about["left out"]
    if about["n_columns"] > COLUMN_LIMIT:
        raise CorpusError(f"{source} has {about['n_columns']:,} columns; at most {COLUMN_LIMIT:,} are read.")
    names = [*columns, *left_out]
    twice = next((name for name in columns if names.count(name) > 1), None)
    if twice is not None:
        raise CorpusError(f"{source} has two columns with the same name, {shortened(twice)}.")
    report = ["Read as Parquet."]
    if left_out:
        report.append(f"Columns that hold neither texts nor labels were left out: {some(left_out)}.")
    return columns, report


def _rows(told: Generator[Any, None, None], columns: list[str]) -> Iterator[Row]:
    with contextlib.closing(told):
        for number, cells in enumerate(told, 1):
            yield Row(number, number, dict(zip(columns, cells, strict=True)))


def _told(content: Content) -> Generator[Any, None, None]:
    """What the process tells: of the columns a dict, then the cells of each row as a list."""
    source, limit = content.name, content.limits.n_bytes
    memory = 0 if limit is None else _BASE + _TIMES * limit
    process = subprocess.Popen(
        [sys.executable, "-P", _PROGRAM, str(memory), *sys.path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    giving = threading.Thread(target=_give, args=(process, content.data), daemon=True)
    giving.start()
    taken = 0
    try:
        for line in each_line(Lines(io.TextIOWrapper(process.stdout, "utf-8", newline="\n"), source)):
            taken += len(line)
            if limit is not None and taken > limit:
                raise CorpusError(
                    f"{source} unpacks to more than {limit // 2**20:,} MB, the most that is read here; take a sample "
                    "of it, or read it with Python, where memory is the limit."
                )
            told = json.loads(line)
            if "error" in told:
                raise CorpusError(f"{source} {told['error']}")
            if "end" in told:
                return
            yield told if "columns" in told else told["cells"]
        raise CorpusError(
            f"{source} is a Parquet file that could not be read: it is damaged, or takes more memory than there is."
        )
    finally:
        process.kill()
        giving.join()
        process.stdout.close()
        process.wait()


def _give(process: subprocess.Popen, data: bytes):
    with contextlib.suppress(OSError), process.stdin:  # it may have ended before
        process.stdin.write(data)
