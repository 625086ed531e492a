import logging

import numpy as np
import pytest

from ltw_core.corpora import cache
from ltw_core.corpora.corpus import assemble
from ltw_core.settings import state_dir


@pytest.fixture(autouse=True)
def own_state(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path / "state"))


class Builder:
    """Counts how often the corpus is made."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return assemble(
            name="tiny",
            title="Tiny ☃",
            documents=["wheat ☃ 𝄞", "", "half \ud800 pair", "ship"],
            label_sets=[{"a"}, {"b"}, {"a", "b"}, set()],
            train=[True, True, True, False],
            origin="here",
            report=["one", "two"],
            notes="note",
            language=None,
        )


def files():
    return sorted((state_dir() / "corpora").iterdir())


def test_second_time_comes_from_the_file_and_is_equal():
    build = Builder()
    first, second = cache.cached("tiny", [1], build), cache.cached("tiny", [1], build)
    assert build.calls == 1
    assert second.documents == first.documents
    assert second.fingerprint == first.fingerprint
    for field in ("name", "title", "class_names", "class_titles", "origin", "report", "notes", "language"):
        assert getattr(second, field) == getattr(first, field)
    assert not second.train.flags.writeable


def test_another_key_reads_anew_and_replaces_the_file():
    build = Builder()
    cache.cached("tiny", [1], build)
    cache.cached("tiny-2", [1], build)  # a name that begins alike is another corpus
    cache.cached("tiny", [2], build)
    assert build.calls == 3
    assert len(files()) == 2


@pytest.mark.parametrize("damage", ["cut", "garbage", "empty", "flipped", "foreign", "pickle"])
def test_a_damaged_file_is_read_anew_without_an_error(damage, caplog):
    build = Builder()
    whole = cache.cached("tiny", [1], build)
    (path,) = files()
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "garbage":
        path.write_bytes(b"garbage" * 100)
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "flipped":
        where = data.find(b"wheat")
        data[where] ^= 0xFF
        path.write_bytes(data)
    elif damage == "foreign":
        with open(path, "wb") as file:
            np.savez(file, something=np.arange(3))
    else:
        with open(path, "wb") as file:
            np.savez(file, fields=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with caplog.at_level(logging.WARNING):
        again = cache.cached("tiny", [1], build)
    assert build.calls == 2
    assert again.fingerprint == whole.fingerprint
    assert "unusable" in caplog.text
    cache.cached("tiny", [1], build)
    assert build.calls == 2  # mended


def test_a_state_folder_that_cannot_be_made_costs_speed_only(tmp_path, monkeypatch, caplog):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("LTW_STATE", str(tmp_path / "file" / "state"))
    build = Builder()
    assert cache.cached("tiny", [1], build).name == "tiny"
    assert "could not be written" in caplog.text


def test_a_failed_write_leaves_nothing_behind(monkeypatch, caplog):
    def fail(*_, **__):
        raise OSError("disk full")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    assert cache.cached("tiny", [1], Builder()).name == "tiny"
    assert files() == []
    assert "disk full" in caplog.text


def test_errors_of_reading_pass_through():
    def fail():
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        cache.cached("tiny", [1], fail)
