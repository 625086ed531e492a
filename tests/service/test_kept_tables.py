"""Uploaded tables on disk: found by their token in their own browser, for a day, within bounds."""

import json
import os
import stat
import time
from pathlib import Path

import pytest

from ltw_core.corpora.tables.source import TableSource
from ltw_core.service import kept_tables
from ltw_core.service.kept_tables import HIDDEN, KEPT, find, hide, keep, n_bytes, new_token, purge

CONTENT = b"text,label\n" + b"bread oven,food\nwheel road,car\n" * 9
SOURCE = TableSource("mine.csv", called="mine.csv", text="text", label="label", split=False, language=None)
KEY = "own-12345678"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    return tmp_path


def age(folder, seconds):
    for path in [folder, *folder.rglob("*")]:
        os.utime(path, (time.time() - seconds,) * 2)


def test_a_table_is_read_again_as_it_was_brought():
    token = new_token()
    keep(token, "ann", KEY, CONTENT, SOURCE)
    (table,) = find(token, "ann")
    assert (table.key, table.browser, table.n_bytes) == (KEY, "ann", len(CONTENT))
    corpus = table.source.load()
    assert (corpus.title, corpus.name, corpus.language) == ("mine.csv", "table-mine", None)
    assert sorted(corpus.class_names) == ["car", "food"] and n_bytes() > len(CONTENT)


def test_a_token_is_128_random_bits_and_lies_nowhere_on_the_disk(state):
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100 and all(len(bytes.fromhex(token)) == 16 for token in tokens)
    token = tokens.pop()
    keep(token, "ann", KEY, CONTENT, SOURCE)
    files = list(state.rglob("*"))
    assert len(files) == 5  # uploads, the reader's, the table's, and its two files
    assert not any(token in str(path) or (path.is_file() and token.encode() in path.read_bytes()) for path in files)


def test_folders_are_this_users_alone(state):
    keep(new_token(), "ann", KEY, CONTENT, SOURCE)
    folders = [path for path in state.rglob("*") if path.is_dir()]
    assert len(folders) == 3 and {stat.S_IMODE(path.stat().st_mode) for path in folders} == {0o700}


def test_another_token_and_another_browser_find_nothing():
    token = new_token()
    keep(token, "ann", KEY, CONTENT, SOURCE)
    for wrong in (None, "", "x", new_token(), token.upper() + "0", "../" + token, token[:-1], "0" * 10_000):
        assert find(wrong, "ann") == []
    assert find(token, "bob") == find(token, None) == []


def test_where_the_browser_takes_no_cookies_the_token_is_enough():
    token = new_token()
    keep(token, None, KEY, CONTENT, SOURCE)
    assert len(find(token, None)) == len(find(token, "ann")) == 1


def test_after_a_day_it_is_not_found_and_then_removed(state):
    token = new_token()
    folder = keep(token, "ann", KEY, CONTENT, SOURCE).folder
    age(folder, KEPT - 60)
    purge()
    assert len(find(token, "ann")) == 1
    age(folder, KEPT + 60)
    assert find(token, "ann") == [] and folder.exists()
    purge(spared=[folder])
    assert folder.exists()
    purge()
    assert list((state / "uploads").iterdir()) == [] and n_bytes() == 0


def test_a_clock_set_back_keeps_nothing_for_ever():
    token = new_token()
    folder = keep(token, "ann", KEY, CONTENT, SOURCE).folder
    age(folder, -KEPT - 60)
    assert find(token, "ann") == []


def test_what_was_deleted_can_be_brought_back_for_some_minutes():
    token = new_token()
    table = keep(token, "ann", KEY, CONTENT, SOURCE)
    hide(table)
    assert find(token, "ann") == []
    purge()
    assert kept_tables.bring_back(table) and find(token, "ann") == [table]
    hide(table)
    age(table.folder.with_name(KEY + ".deleted"), HIDDEN + 1)
    purge()
    assert not kept_tables.bring_back(table) and n_bytes() == 0


def test_a_tables_bytes_are_counted_over_a_browser_and_over_all(monkeypatch):
    monkeypatch.setattr(kept_tables, "uploads_each", lambda: 2 * len(CONTENT))
    token = new_token()
    keep(token, "ann", KEY, CONTENT, SOURCE)
    keep(token, "ann", KEY, CONTENT, SOURCE)  # in its own place
    with pytest.raises(ValueError, match=r"your tables may take 0 MB on this server's disk, of which 0\.0 MB"):
        keep(new_token(), "ann", "own-00000000", CONTENT, SOURCE)  # a token of another tab
    with pytest.raises(ValueError, match="and your tables may take"):
        keep(token, None, "own-00000000", CONTENT, SOURCE)
    keep(new_token(), "bob", KEY, CONTENT, SOURCE)
    taken = n_bytes()
    monkeypatch.setattr(kept_tables, "uploads_in_all", lambda: taken + len(CONTENT) - 1)
    with pytest.raises(ValueError, match="and all readers' tables may take 0 MB"):
        keep(new_token(), "cid", KEY, CONTENT, SOURCE)
    monkeypatch.setattr(kept_tables, "uploads_in_all", lambda: taken + len(CONTENT))
    keep(new_token(), "cid", KEY, CONTENT, SOURCE)


def test_another_file_of_the_same_corpus_takes_the_place_of_the_first():
    token = new_token()
    keep(token, "ann", KEY, CONTENT, SOURCE)
    table = keep(token, "ann", KEY, CONTENT.replace(b"\n", b"\r\n"), SOURCE)
    assert find(token, "ann") == [table]
    assert len(list(table.folder.glob("table-*"))) == 1 and b"\r\n" in Path(table.source.path).read_bytes()


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"[]",
        b"{}",
        json.dumps({"file": "table-x", "browser": "", "options": {}}).encode(),
        json.dumps({"file": "../../../etc/passwd", "browser": "", "options": {}}).encode(),
        json.dumps({"file": "t", "browser": "", "options": {"path": "/etc/passwd"}}).encode(),
    ],
)
def test_what_cannot_be_read_is_no_table(said):
    token = new_token()
    table = keep(token, "ann", KEY, CONTENT, SOURCE)
    (table.folder / "about.json").write_bytes(said)
    assert find(token, "ann") == []


def test_a_disk_that_refuses_is_a_sentence_and_leaves_no_table(state):
    (state / "uploads").write_text("a file where the folder should be")
    with pytest.raises(ValueError, match="this server's disk refuses it"):
        keep(new_token(), "ann", KEY, CONTENT, SOURCE)
