"""Arrays on disk: mapped where they are large, read where they are small or of an earlier version."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.storage import disk_cache
from ltw_core.storage.disk_cache import pack_csr, read_arrays, unpack_csr, write_arrays

ARRAYS = {
    "a": np.arange(1000, dtype=np.int32),
    "some.data": np.linspace(0, 1, 999),
    "flags": np.array([True, False, True]),
    "shape": np.array([3, 4]),
    "none": np.zeros(0, np.int64),
    "words": np.frombuffer("çé".encode(), np.uint8),
    "rows": np.arange(12).reshape(3, 4),
}


def is_mapped(array):
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array is not None


def equal(found):
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype and found[name].tolist() == array.tolist()


def test_large_arrays_are_mapped_and_others_read(tmp_path, monkeypatch):
    path = tmp_path / "x.npz"
    write_arrays(path, ARRAYS)
    equal(read_arrays(path))
    assert not any(map(is_mapped, read_arrays(path).values()))
    with np.load(path) as archive:  # it is what np.savez writes
        equal(dict(archive))
    assert zipfile.ZipFile(path).testzip() is None
    monkeypatch.setattr(disk_cache, "MAPPED_FROM", 4000)
    found = read_arrays(path)
    equal(found)
    assert [name for name, array in found.items() if is_mapped(array)] == ["a", "some.data"]
    assert all(found[name].ctypes.data % 64 == 0 and type(found[name]) is np.ndarray for name in ("a", "some.data"))
    with pytest.raises(ValueError, match="read-only"):
        found["a"][0] = 5
    path.unlink()  # a file that is mapped may go
    equal(found)


def test_files_of_earlier_versions_are_read_wherever_their_arrays_begin(tmp_path, monkeypatch):
    path = tmp_path / "x.npz"
    monkeypatch.setattr(disk_cache, "MAPPED_FROM", 100)
    for save in (np.savez, np.savez_compressed):
        save(path, **ARRAYS)
        equal(read_arrays(path))


def test_a_file_that_was_cut_is_absent(tmp_path, monkeypatch):
    monkeypatch.setattr(disk_cache, "MAPPED_FROM", 100)
    path = tmp_path / "x.npz"
    write_arrays(path, ARRAYS)
    content = path.read_bytes()
    for length in (0, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:length])
        assert read_arrays(path) is None
    for place in (3000, 4500, 9000):  # members that begin elsewhere than the directory says
        path.write_bytes(content[:place] + b"x" + content[place:])
        found = read_arrays(path)
        assert found is None or set(found) == set(ARRAYS)


def test_a_mapped_matrix_is_not_copied(tmp_path, monkeypatch):
    from scipy.sparse import random_array

    monkeypatch.setattr(disk_cache, "MAPPED_FROM", 100)
    matrix = random_array((50, 30), density=0.2, format="csr", rng=0)
    write_arrays(tmp_path / "m.npz", pack_csr("m", matrix))
    found = unpack_csr("m", read_arrays(tmp_path / "m.npz"))
    assert is_mapped(found.data) and is_mapped(found.indices)
    assert (found != matrix).nnz == 0


SECOND = """
import sys
from pathlib import Path
from ltw_core.storage.disk_cache import read_arrays, unpack_csr

def kept():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    found = {line.split()[0]: int(line.split()[1]) for line in lines if line.endswith("kB")}
    return found["Rss:"], found["Private_Clean:"] + found["Private_Dirty:"]

before = kept()
matrix = unpack_csr("m", read_arrays(Path(sys.argv[1])))
total = int(matrix.data.sum()) + int(matrix.indices.max())
print(total, *(now - then for now, then in zip(kept(), before)))
"""


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="Linux tells what memory is shared")
def test_a_second_process_has_a_mapped_matrix_for_nothing(tmp_path):
    """It reads all of 100 MB, which this process has mapped, too, and has next to nothing of it for itself."""
    rows, held = 100_000, 125
    indices = np.tile(np.arange(held, dtype=np.int32), rows)
    matrix = csr_array((indices + 1, indices, np.arange(0, rows * held + 1, held, dtype=np.int32)), (rows, held))
    write_arrays(tmp_path / "m.npz", pack_csr("m", matrix))
    del matrix, indices
    here = unpack_csr("m", read_arrays(tmp_path / "m.npz"))
    expected = int(here.data.sum()) + int(here.indices.max())
    command = [sys.executable, "-c", SECOND, str(tmp_path / "m.npz")]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    told = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    total, resident, private = map(int, told.split())  # kB
    assert total == expected
    assert resident > 95_000 and private < 15_000
