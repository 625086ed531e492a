"""Hostile inputs of each kind, a sample: ``python -m tests.fuzz`` tries ten thousand."""

import gzip
import io
import json
import tarfile
import tracemalloc

import numpy as np
import pytest
from safetensors.numpy import save

from tests.fuzz.__main__ import NOT_MADE, READ, REFUSED, outcome, run
from tests.fuzz.kinds import KINDS
from tests.fuzz.weighting_files import WEIGHTINGS, parts_of

SAMPLE = 40
DRAWN_ELSEWHERE = "addresses"  # tests/pages: they need the app


@pytest.mark.parametrize("name", sorted(KINDS.keys() - {DRAWN_ELSEWHERE}))
def test_whatever_is_handed_in_is_read_or_refused_with_a_sentence(name):
    found, failures = run(name, SAMPLE)
    assert failures == []
    assert found.keys() <= {READ, REFUSED, NOT_MADE} and found[REFUSED] > 0


def test_what_is_not_changed_is_read():
    """Or all of the above would be refused for another reason."""
    files = {name: KINDS[name].read for name in KINDS}
    for content in WEIGHTINGS[:1]:
        assert outcome(KINDS["weightings"], content) == (READ, "")
    assert sum(share for *_, share in KINDS.values()) == 100 and len(files) == 10


def peak(name, value):
    """What becomes of an input, and the megabytes that it took."""
    tracemalloc.start()
    try:
        return outcome(KINDS[name], value)[0], tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()


def heavy_header():
    arrays, said = parts_of(WEIGHTINGS[0])
    said = said | {"notes_": {"more": ["ab"] * 200_000}}
    return save(arrays, metadata={"ltw": json.dumps(said, separators=(",", ":"))})


def declared(shape):
    """A file that says that one of its arrays is so large."""
    header = {"cd_": {"dtype": "F64", "shape": shape, "data_offsets": [0, 8]}}
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + bytes(8)


def bomb():
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=9) as tar:
        info = tarfile.TarInfo("zeros.sgm")
        info.size = 200 * 2**20
        tar.addfile(info, io.BufferedReader(Zeros()))
    return stream.getvalue()


class Zeros(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        buffer[:] = bytes(len(buffer))
        return len(buffer)


@pytest.mark.parametrize(
    ("name", "make", "most"),
    [
        ("weightings", heavy_header, 60),
        ("weightings", lambda: declared([10**9]), 2),
        ("weightings", lambda: declared([0, 10**18]), 2),
        ("weightings", lambda: (2**63).to_bytes(8, "little") + bytes(99), 2),
        ("weightings", lambda: save({"cd_": np.zeros(1)}, metadata={"ltw": "[" * 200_000}), 5),
        ("composed weightings", lambda: "[" + ",".join(["{}"] * 60_000) + "]", 20),
        ("formulas", lambda: "power(2, " * 220, 2),
        ("formulas", lambda: "heights(log, " + "[" * 1_900 + ")", 2),
        ("archives", bomb, 5),
        ("archives", lambda: gzip.compress(bytes(50 * 2**20)), 5),
    ],
)
def test_memory_is_bounded(name, make, most):
    found, megabytes = peak(name, make())
    assert found in (READ, REFUSED) and megabytes < most
