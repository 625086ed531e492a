"""Memory is Python's limit: what is said before it is used, and where there is not enough."""

import subprocess
import sys
from pathlib import Path

import pytest

from ltw_core.corpora import read_table
from ltw_core.corpora.tables import content

ROWS = "".join(f"text {n},{'xy'[n % 2]}\n" for n in range(9))
WITHOUT_MEMORY = """
import resource
from ltw_core.corpora import CorpusError, read_table
with open("/proc/self/statm") as file:
    taken = int(file.read().split()[0]) * resource.getpagesize()
data = b"text,label\\n" + b"".join(b"%d %s,%d\\n" % (n, b"word " * 100, n % 2) for n in range(200_000))
resource.setrlimit(resource.RLIMIT_AS, (taken + len(data) + 100 * 2**20,) * 2)
try:
    read_table(data)
except CorpusError as error:
    print(error)
"""


@pytest.mark.parametrize(("limit", "said"), [(90, True), (100, False)])
def test_a_large_file_says_what_reading_it_takes(monkeypatch, tmp_path, caplog, limit, said):
    monkeypatch.setattr(content, "LARGE", limit)
    path = tmp_path / "large.csv"
    path.write_text("text,label\n" + ROWS)
    assert 90 < path.stat().st_size < 100
    assert len(read_table(path).documents) == 9
    told = [record.getMessage() for record in caplog.records if record.name == content.__name__]
    assert told == (["large.csv has 0.0 GB; reading it takes about 3 times as much memory."] if said else [])


def test_from_two_gigabytes_on():
    assert content.LARGE == 2_000_000_000


def test_too_little_memory_is_a_sentence():
    """In a process that may use 100 MB more than a table of 100 MB has, which is not enough."""
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", WITHOUT_MEMORY], capture_output=True, text=True, cwd=root)
    assert done.stdout == "There is not enough memory for this table; take a sample of it.\n", done.stderr
