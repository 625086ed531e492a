"""Parquet: the corpus of the same rows as CSV, and a sentence for what is damaged, hostile or too large to upload."""

import datetime
import gzip
import io
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables import parquet_rows
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.limits import Limits
from ltw_core.corpora.tables.open_table import open_table

pyarrow = pytest.importorskip("pyarrow", reason="the optional package `pyarrow` is not installed")
parquet = pytest.importorskip("pyarrow.parquet")
ROWS = [{"text": f"bread {i}", "label": "xy"[i % 2], "split": "test" if i > 6 else "train"} for i in range(10)]


def written(columns, **options):
    stream = io.BytesIO()
    parquet.write_table(columns if isinstance(columns, pyarrow.Table) else pyarrow.table(columns), stream, **options)
    return stream.getvalue()


MINE = written(pyarrow.Table.from_pylist(ROWS))


@pytest.mark.parametrize("pack", [bytes, lambda data: gzip.compress(data, mtime=0)], ids=["plain", "gz"])
@pytest.mark.parametrize(
    "options", [{}, {"compression": "zstd", "row_group_size": 3}, {"use_dictionary": False, "compression": "none"}]
)
def test_it_is_the_corpus_of_the_rows(pack, options, tmp_path):
    path = tmp_path / "mine.parquet.gz"
    path.write_bytes(pack(written(pyarrow.Table.from_pylist(ROWS), **options)))
    corpus = read_table(path)
    assert corpus.fingerprint == read_table(ROWS).fingerprint
    assert "Read as Parquet." in corpus.report and corpus.name == "mine"


def test_types_of_columns():
    n = 6
    columns = {
        "text": pyarrow.array([f"ein Täxt\n{i}\u2028" for i in range(n)], pyarrow.large_string()),
        "bytes": [f"text {i}".encode() for i in range(n)],
        "label": pyarrow.array(["a", "b", None] * 2).dictionary_encode(),
        "labels": [["a", "b"][: i % 3] for i in range(n)],
        "number": [0.5, float("nan"), 2.0] * 2,
        "day": [datetime.date(2026, 1, 1 + i) for i in range(n)],
        "yes": [True, False] * 3,
        "vector": [[0.1, 0.2]] * n,
        "record": [{"a": 1}] * n,
    }
    table = open_table(Content(written(columns), "a.parquet"))
    assert table.columns == ["text", "bytes", "label", "labels", "number", "day", "yes"]
    assert "Columns that hold neither texts nor labels were left out: vector, record." in table.report
    first, second, *_ = rows = list(table.rows)
    assert first.cells == {
        "text": "ein Täxt\n0\u2028", "bytes": "text 0", "label": "a", "labels": [], "number": 0.5,
        "day": "2026-01-01", "yes": True,
    }  # fmt: skip
    assert second.cells["number"] is None and rows[2].cells["label"] is None and len(rows) == n
    several = read_table(written(columns), text="text", label="labels")
    assert several.class_names == ("a", "b")


def test_numbers_of_rows_go_on_over_groups():
    data = written({"text": ["a"] * 250, "label": ["x"] * 249 + ["y" * 300]}, row_group_size=40)
    with pytest.raises(CorpusError, match=r"the table, row 250, column 'label': the label '.*' has 300 characters"):
        read_table(data)


def test_without_pyarrow_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        CorpusError, match=r"is a Parquet file, which takes the package pyarrow .* `pip install pyarrow`"
    ):
        read_table(MINE)


# Damaged and hostile --------------------------------------------------------------------------------------------------
DAMAGED = " is a Parquet file that is damaged or cut off; make it or fetch it again."


def lying():
    """The same, whose metadata say that it has 11 rows (a varint before the list of groups), or many more."""
    for number in (b"\x16\x16", b"\x16\xfe\xff\xff\xff\x0f"):
        at = MINE.index(b"\x16\x14\x19", len(MINE) - 8 - int.from_bytes(MINE[-8:-4], "little"))
        changed = MINE[:at] + number + MINE[at + 2 : -8]
        size = int.from_bytes(MINE[-8:-4], "little") + len(number) - 2
        yield changed + size.to_bytes(4, "little") + b"PAR1"


@pytest.mark.parametrize("data", [MINE[:4], MINE[:40], MINE[:-1], MINE[:-5], b"PAR1" * 5, *lying()], ids=range(7))
def test_what_is_damaged_or_lies_is_a_sentence(data):
    with pytest.raises(CorpusError) as caught:
        read_table(Content(data, "a.parquet"))
    assert str(caught.value) == "a.parquet" + DAMAGED


def test_a_text_that_is_no_utf_8():
    data = written({"text": [b"a\xff"] * 4, "label": ["x", "y"] * 2})
    with pytest.raises(CorpusError, match=r"^a\.parquet is a Parquet file with a text that isn't UTF-8\.$"):
        read_table(Content(data, "a.parquet"))


def test_columns_are_bounded_and_differ():
    wide = written({f"c{n}": ["a"] for n in range(2_001)})
    with pytest.raises(CorpusError, match="has 2,001 columns; at most 2,000 are read"):
        read_table(wide)
    double = written(pyarrow.table([["a"], ["b"]], names=["x", "x"]))
    with pytest.raises(CorpusError, match="two columns with the same name, 'x'"):
        read_table(double)
    with pytest.raises(CorpusError, match="no column looks like texts"):
        read_table(written({"vector": [[0.1]] * 3}))


@pytest.mark.parametrize("nested", [[{"a": 1, "b": 2}] * 4, [[0.1, 0.2]] * 4], ids=["struct", "vector"])
def test_a_column_may_be_called_like_a_field_of_another(nested):
    columns = {"meta": nested, "meta.a": ["x", "y"] * 2, "text": [f"bread {n}" for n in range(4)]}
    table = open_table(Content(written(columns), "a.parquet"))
    assert table.columns == ["meta.a", "text"]
    assert [list(row.cells.values()) for row in table.rows] == [["xy"[n % 2], f"bread {n}"] for n in range(4)]
    flat = {"meta": [1, 2], "meta.a": ["x", "y"]}
    assert [row.cells for row in open_table(Content(written(flat), "a.parquet")).rows] == [
        {"meta": 1, "meta.a": "x"}, {"meta": 2, "meta.a": "y"},
    ]  # fmt: skip
    double = written(pyarrow.table([["a"] * 4, nested], names=["meta", "meta"]))
    with pytest.raises(CorpusError, match="two columns with the same name, 'meta'"):
        read_table(double)


def bomb(cells, length=10**6):
    """Texts of a megabyte each, two thousand of them in some fifty kilobytes: what is equal stands there once."""
    texts = pyarrow.DictionaryArray.from_arrays([0] * cells, ["x" * length])  # else they are all made to be written
    return written({"text": texts, "label": ["a", "b"] * (cells // 2)}, store_schema=False)


def test_an_upload_that_unpacks_to_more_than_its_limit_takes_no_memory():
    data = bomb(2_000)
    assert len(data) < 10**5
    tracemalloc.start()
    try:
        with pytest.raises(CorpusError, match="unpacks to more than 20 MB, the most that is read here"):
            read_table(Content(data, "a.parquet", Limits(20 * 2**20, 2_000_000)))
        assert tracemalloc.get_traced_memory()[1] < 80 * 2**20
    finally:
        tracemalloc.stop()


def test_a_page_larger_than_the_memory_of_an_upload_is_a_sentence():
    """Of 0.8 GB in a single page, which has to be unpacked as a whole: the process that does it is bounded by less."""
    limits = Limits(2**20, 2_000_000)
    data = written(
        {"text": ["x" * 2**20] * 800, "label": ["a", "b"] * 400},
        use_dictionary=False,
        data_page_size=2**31 - 1,
        compression="zstd",
        write_batch_size=800,
        write_statistics=False,  # the smallest of equal texts takes long to find
    )
    assert parquet_rows._BASE + parquet_rows._TIMES * limits.n_bytes < 800 * 2**20 and len(data) < 10**6
    with pytest.raises(CorpusError, match="memory"):
        read_table(Content(data, "a.parquet", limits))


def test_a_long_text_is_a_sentence():
    data = written({"text": ["x" * 5_000_001, "b"], "label": ["a", "b"]})
    with pytest.raises(CorpusError, match="row 1, column 'text': the text is longer than 5,000,000 characters"):
        read_table(data)


def test_whoever_stops_reading_ends_the_process():
    table = open_table(Content(bomb(500), "a.parquet"))
    assert next(table.rows).number == 1 and len(_children()) == 1
    del table
    until = time.monotonic() + 10
    while _children() and time.monotonic() < until:
        time.sleep(0.05)
    assert not _children()


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (bomb(500, 10**5), {"text": "body"}),  # no such column
        (bomb(500, 10**5), {"text": "label", "label": "text"}),  # a label is too long
        (written({f"c{n}": ["a"] * 9 for n in range(2_001)}), {}),
    ],
    ids=["column", "row", "width"],
)
def test_whoever_keeps_the_error_keeps_no_process(data, options):
    with pytest.raises(CorpusError) as caught:
        read_table(Content(data, "a.parquet"), **options)
    assert caught.value.__traceback__ is not None and not _children()


def _children():
    name = Path(parquet_rows._PROGRAM).name
    found = subprocess.run(["ps", "--ppid", str(os.getpid()), "-ww", "-o", "args="], capture_output=True, text=True)
    return [line for line in found.stdout.splitlines() if name in line]


def test_memory_of_the_asking_process_is_that_of_the_texts():
    texts = [" ".join(map(str, np.random.default_rng(n).integers(0, 999, 60))) for n in range(20_000)]
    data = written({"text": texts, "label": ["a", "b"] * 10_000})
    tracemalloc.start()
    try:
        read_table(data)
        assert tracemalloc.get_traced_memory()[1] < 4 * sum(map(len, texts))
    finally:
        tracemalloc.stop()
