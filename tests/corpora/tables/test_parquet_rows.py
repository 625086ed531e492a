"""What is asked of the process that reads Parquet and made of its answers, by a stand-in that answers at once."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ltw_core.corpora import CorpusError
from ltw_core.corpora.tables import parquet_rows as module
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.limits import Limits
from ltw_core.corpora.tables.rows import Row

ABOUT = {"columns": ["text", "label"], "left out": [], "n_columns": 2}
CELLS = [{"cells": ["a", 1]}, {"cells": ["é", None]}]
CUT = " is a Parquet file that could not be read: it is damaged, or takes more memory than there is."


@pytest.fixture
def answering(monkeypatch):
    """Has the process answer; what happened to it is noted."""
    noted = []

    class Input(io.BytesIO):
        def close(self):
            noted.append(self.getvalue())
            super().close()

    class Process:
        def __init__(self, command, **pipes):
            noted.append((command, pipes))
            self.stdin, self.stdout = Input(), io.BytesIO(self.answer)
            self.kill, self.wait = (lambda: noted.append("killed")), (lambda: noted.append(self.stdout.closed))

    class Thread:
        def __init__(self, *, target, args, daemon):
            self.start, self.join = (lambda: target(*args)), (lambda: noted.append("joined"))
            assert daemon

    def answer(*told, cut=False):
        noted.clear()
        told = [*told, *([] if cut else [{"end": len(told) - 1}])]
        Process.answer = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told).encode()
        return noted

    monkeypatch.setattr(module.subprocess, "Popen", Process)
    monkeypatch.setattr(module.threading, "Thread", Thread)
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: name == "pyarrow" or None)
    return answer


def read(limit=None, data=b"PAR1 and more"):
    return module.parquet_table(Content(data, "a.parquet", Limits(limit)))


def told(**options):
    with pytest.raises(CorpusError) as raised:
        list(read(**options).rows)
    return str(raised.value).removeprefix("a.parquet")


@pytest.mark.parametrize(("limit", "memory"), [(None, 0), (10_000, 768 * 1_048_576 + 40_000)])
def test_it_is_asked_given_the_file_and_ended(answering, limit, memory):
    noted = answering(ABOUT, *CELLS)
    table = read(limit)
    assert (table.columns, table.report) == (["text", "label"], ["Read as Parquet."])
    rows = [{"text": "a", "label": 1}, {"text": "é", "label": None}]
    assert list(table.rows) == [Row(number, number, cells) for number, cells in enumerate(rows, 1)]
    program = str(Path(module.__file__).with_name("parquet_process.py"))
    command = [sys.executable, "-P", program, str(memory), *sys.path]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    assert noted == [(command, pipes), b"PAR1 and more", "killed", "joined", True]


def test_of_what_it_unpacks_to_no_more_than_the_limit_is_read(answering):
    size = sum(len(json.dumps(line, ensure_ascii=False)) + 1 for line in (ABOUT, *CELLS, {"end": 2}))
    answering(ABOUT, *CELLS)
    assert len(list(read(size).rows)) == 2
    most = ", the most that is read here; take a sample of it, or read it with Python, where memory is the limit."
    assert told(limit=size - 1) == f" unpacks to more than 0 MB{most}"
    noted = answering(ABOUT, {"cells": ["x" * 3 * 2**20, ""]})
    assert told(limit=3 * 2**20) == f" unpacks to more than 3 MB{most}" and noted[-3:] == ["killed", "joined", True]


def test_which_columns_there_are(answering, monkeypatch):
    monkeypatch.setattr(module, "COLUMN_LIMIT", 3)
    answering(ABOUT | {"left out": ["vector", "record"], "n_columns": 3})
    left_out = "Columns that hold neither texts nor labels were left out: vector, record."
    assert read().report == ["Read as Parquet.", left_out]
    for about, sentence in (
        ({"n_columns": 4}, " has 4 columns; at most 3 are read."),
        ({"left out": ["label"]}, " has two columns with the same name, 'label'."),
        ({"columns": ["text", "text"]}, " has two columns with the same name, 'text'."),
    ):
        noted = answering(ABOUT | about)
        with pytest.raises(CorpusError) as kept:  # with its frames, of which one has the process
            read()
        assert str(kept.value) == f"a.parquet{sentence}" and noted[-3:] == ["killed", "joined", True]


def test_what_the_process_says_of_an_error_or_no_more(answering):
    answering(ABOUT, CELLS[0], {"error": "is no good."})
    assert told() == " is no good."
    answering(ABOUT, *CELLS, cut=True)
    assert told() == CUT
    answering({"error": "is no good either."})
    assert told() == " is no good either."


def test_without_pyarrow_no_process_is_started(answering, monkeypatch):
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: None)
    noted = answering(ABOUT)
    assert told() == (
        " is a Parquet file, which takes the package pyarrow to read: run `pip install pyarrow`, or give CSV or JSONL."
    )
    assert noted == []


def test_how_it_is_known():
    assert module.is_parquet(b"PAR1...") is True and module.is_parquet(b" PAR1") is False


def test_a_process_that_has_ended_takes_no_more():
    class Gone(io.BytesIO):
        def write(self, data):
            raise BrokenPipeError

    class Process:
        stdin = Gone()

    module._give(Process, b"data")
    assert Process.stdin.closed
