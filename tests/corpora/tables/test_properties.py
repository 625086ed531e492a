"""Generated tables: whatever stands in them, a corpus that holds it, or a sentence; never a traceback."""

import csv
import io
import json
import random
import subprocess
import sys
import tomllib
import tracemalloc
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.limits import Limits

ROOT = Path(__file__).resolve().parents[3]
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "**bold** $x^2$ :material/bug: `code`",
    "=cmd|'/c calc'!A1",
    "שלום עולם",
    "\u202eevil\u202c",
    "مرحبا",
    "a\u200bb\ufeffc",
    "\x07bell\x1b[31mred",
    "line\nbreak\r\nand\rreturn",
    'quo"ted, with; all| the\tdelimiters',
    "𝒳😀",
    "e\u0301",
    "NULL",
    "' OR 1=1 --",
    "../../etc/passwd",
    "{{7*7}}${7*7}",
)
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
CELLS = st.one_of(st.sampled_from(HOSTILE), st.text(CHARACTERS, min_size=1, max_size=30))
TEXTS = CELLS.filter(lambda text: text.strip())
LABELS = st.one_of(st.sampled_from([*HOSTILE, "a", "b"]), st.text(CHARACTERS, min_size=1, max_size=12)).filter(
    str.strip
)
HEADERS = st.lists(CELLS, min_size=2, max_size=4, unique_by=lambda name: name.strip().lstrip("\ufeff"))
ROWS = st.lists(st.tuples(TEXTS, LABELS), min_size=4, max_size=25)


def one_line(label):
    return " ".join(label.split())


def check(corpus, rows):
    """The corpus holds exactly these texts, each with its label."""
    assert Counter(corpus.documents) == Counter(text for text, _ in rows)
    trained = set(corpus.class_names)
    found = Counter()
    for row, text in enumerate(corpus.documents):
        found.update((text, corpus.class_names[j]) for j in corpus.labels[[row]].indices)
    assert found == Counter((text, one_line(label)) for text, label in rows if one_line(label) in trained)
    assert corpus.fingerprint and all(isinstance(line, str) for line in corpus.report)


def sentence(error):
    assert str(error).strip() and len(str(error)) < 700 and "Traceback" not in str(error)


@given(
    HEADERS,
    ROWS,
    st.sampled_from(",;\t|"),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "gb18030"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
@QUICK
def test_a_quoted_table_comes_back_as_it_was(header, rows, delimiter, encoding, ending):
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=ending)
    writer.writerow(header)
    writer.writerows([text, label, *[""] * (len(header) - 2)] for text, label in rows)
    data = stream.getvalue().encode(encoding)
    names = [name.strip().lstrip("\ufeff") or f"column {index}" for index, name in enumerate(header, 1)]
    assume(len(set(names)) == len(names))
    try:
        corpus = read_table(data, text=names[0], label=names[1], split=False, encoding=encoding, delimiter=delimiter)
    except CorpusError as error:
        sentence(error)
        # only the labels may be the reason: all the same, or none for training
        assert "class" in str(error), str(error)
        return
    check(corpus, rows)


@given(ROWS, st.booleans(), st.booleans())
@QUICK
def test_jsonl_comes_back_as_it_was(rows, plain, lists):
    lines = [{"text": text, "label": [label] if lists else label, "other": None} for text, label in rows]
    data = "\n".join(json.dumps(line, ensure_ascii=plain) for line in lines).encode()
    try:
        corpus = read_table(data, text="text", label="label", split=False)
    except CorpusError as error:
        sentence(error)
        assert "class" in str(error), str(error)
        return
    check(corpus, rows)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)


@given(st.lists(st.dictionaries(st.sampled_from(["text", "label", "split", ""]), VALUES), min_size=1, max_size=12))
@QUICK
def test_any_json_values_are_a_corpus_or_a_sentence(objects):
    try:
        corpus = read_table("\n".join(map(json.dumps, objects)).encode(), text="text", label="label")
    except CorpusError as error:
        sentence(error)
    else:
        assert all(text.strip() for text in corpus.documents)


@given(
    st.lists(st.lists(st.one_of(CELLS, st.just(""), st.just("NULL")), max_size=4), max_size=8),
    st.sampled_from(",;\t|"),
    st.sampled_from(['"', "'", ""]),
    st.sampled_from(["utf-8", "cp1252", "utf-16", "latin-1", "shift_jis"]),
    st.randoms(use_true_random=False),
)
@QUICK
def test_ragged_badly_quoted_and_damaged_files_are_a_corpus_or_a_sentence(rows, delimiter, quote, encoding, chance):
    lines = ["text" + delimiter + "label"] + [delimiter.join(f"{quote}{cell}{quote}" for cell in row) for row in rows]
    data = bytearray("\n".join(lines).encode(encoding, "replace"))
    for _ in range(chance.randrange(4)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    try:
        corpus = read_table(bytes(data))
    except CorpusError as error:
        sentence(error)
    else:
        assert len(corpus.documents) <= len(data)


def test_an_archive_cut_off_anywhere_is_a_sentence():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", "text,label\n" + "a,b\n" * 99)
    data = buffer.getvalue()
    for length in (1, 2, 3, 4, 10, len(data) // 2, len(data)):
        with pytest.raises(CorpusError):
            read_table(data[:length])


# ---- large -----------------------------------------------------------------------------------------------------------


def table(rows, cell):
    return ("text,label\n" + "".join(f"{cell(n)}\n" for n in range(rows))).encode()


def peak(data):
    tracemalloc.start()
    try:
        read_table(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_hundred_thousand_classes():
    data = table(210_000, lambda n: f"some words of text number {n},class {n % 100_000}")
    corpus = read_table(data)
    assert len(corpus.class_names) > 85_000 and len(corpus.documents) == 210_000
    assert any("dropped for want of a training document" in line for line in corpus.report)


def test_work_is_linear_in_the_number_of_short_rows():
    """Calls of Python functions, which do not depend on the machine."""

    def calls(data):
        count = 0

        def profile(*_):
            nonlocal count
            count += 1

        before = sys.getprofile()
        sys.setprofile(profile)
        try:
            read_table(data)
        finally:
            sys.setprofile(before)
        return count

    few, many = (calls(table(rows, lambda n: f"a{n},{'xy'[n % 2]}")) for rows in (5_000, 20_000))
    assert many < 4.5 * few


@pytest.mark.parametrize(
    ("cell", "rows"),
    [
        (lambda n: f"text of some thirty characters {n},{'xy'[n % 2]}", 10_000),
        (lambda n: f"{'word ' * 20_000}{n},{'xy'[n % 2]}", 20),
        (lambda n: f"{'w😀rt ' * 20_000}{n},{'xy'[n % 2]}", 20),
        (lambda n: f"text of a class of its own or nearly {n},class {n // 3}", 10_000),
    ],
    ids=["short rows", "huge cells", "characters of four bytes", "many classes"],
)
def test_memory_stays_under_ten_times_the_file(cell, rows):
    data = table(rows, cell)
    assert peak(data) < 10 * len(data)


def test_memory_grows_with_the_file_only():
    words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt "
    data = ("text,label\n" + "".join(f"{words * 2}{n},{'abc'[n % 3]}\n" for n in range(12_000))).encode()
    assert peak(data) < 6 * len(data)


@pytest.mark.parametrize("cell", [lambda n: f"{n % 10},{'xy'[n % 2]}", lambda n: f"{n % 10},", lambda n: f",{n}"])
def test_memory_of_rows_of_nothing_but_a_letter(cell):
    """What each row adds to, the 0.3 MB that any file takes apart."""
    few, many = (table(rows, cell) + b"text,other\n" * 9 + b"more,label\n" * 9 for rows in (10_000, 40_000))
    assert peak(many) - peak(few) < 10 * (len(many) - len(few))


def test_a_million_short_rows_in_a_process_of_its_own():
    """Resident memory as the system sees it, with what the allocator wastes."""
    code = (
        "from ltw_core.corpora import read_table\n"
        "from tests.benchmarks.tables import peak_mb\n"
        "from tests.corpora.tables.test_properties import table\n"
        "data = table(1_000_000, lambda n: f'{n % 10},{n % 2}')\n"
        "read_table(data[:4000] + data[-4000:])\n"
        "before = peak_mb()\n"
        "corpus = read_table(data)\n"
        "after = peak_mb()\n"
        "print(len(corpus.documents), (after - before) * 2**20 / len(data))\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    documents, times = found.stdout.split()
    assert int(documents) == 1_000_000 and float(times) < 10


def test_reading_and_counting_ten_megabytes_of_words_that_are_all_different():
    """Resident memory of the worst table for its size, as the Data page treats it."""
    command = [sys.executable, "-m", "tests.benchmarks.tables", "--one", "cases", "10 MB of distinct words", "1"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    assert found["said"].startswith("875,000 terms") and found["file_mb"] > 10
    assert found["counted_mb"] < 10 * found["file_mb"]


def test_ten_times_the_largest_upload_is_under_a_gigabyte():
    settings = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert 10 * settings["server"]["maxUploadSize"] < 1000


def test_the_number_of_rows_of_an_upload_is_bounded():
    ten, eleven = (table(rows, lambda n: f"a{n},{'xy'[n % 2]}") for rows in (10, 11))
    with pytest.raises(CorpusError, match="more than 10 rows with a text; take a sample"):
        read_table(Content(eleven, limits=Limits(rows=10)))
    assert len(read_table(Content(ten, limits=Limits(rows=10))).documents) == 10
    assert len(read_table(eleven).documents) == 11


def test_the_order_goes_by_the_text_whatever_the_order_of_rows():
    lines = [f"text {n},{'xy'[n % 2]}" for n in range(500)]
    shuffled = random.Random(0).sample(lines, len(lines))
    one, other = (read_table(("text,label\n" + "\n".join(rows)).encode()) for rows in (lines, shuffled))
    assert list(one.documents) == list(other.documents) and np.array_equal(one.train, other.train)
