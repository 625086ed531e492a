import pytest

from ltw_core.corpora import CorpusError, catalogue, fetch, load
from ltw_core.corpora.__main__ import main
from ltw_core.corpora.catalogue import load_named

NAMES = ["pydocs", "synthetic", "reuters21578", "20newsgroups", "ohsumed"]


@pytest.fixture
def empty_data(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_DATA", str(tmp_path))
    return tmp_path


def test_entries_without_archives(empty_data):
    entries = {entry.name: entry for entry in catalogue()}
    assert list(entries) == NAMES
    assert [entry.available for entry in entries.values()] == [True, True, False, False, False]
    assert [entry.downloadable for entry in entries.values()] == [False, False, True, True, True]
    assert all(bool(entry.needs) != entry.available for entry in entries.values())
    assert "fetch 20newsgroups" in entries["20newsgroups"].needs


def test_an_archive_makes_its_entry_available(empty_data, make_tar, reuters_files):
    make_tar("reuters21578.tar.gz", reuters_files)
    entry = next(entry for entry in catalogue() if entry.name == "reuters21578")
    assert entry.available and entry.needs == ""
    assert load("reuters21578").n_train == 3
    assert fetch("reuters21578") == empty_data / "reuters21578.tar.gz"  # no transfer


@pytest.mark.parametrize("name", NAMES[2:])
def test_an_absent_archive_is_a_sentence(empty_data, name):
    with pytest.raises(CorpusError, match=f"is not in .*fetch {name}"):
        load(name)


@pytest.mark.parametrize("name", ["reuters", "", None, "../etc"])
def test_an_unknown_name_is_a_sentence(name):
    with pytest.raises(CorpusError, match=r"There is no corpus .*; there are pydocs, synthetic"):
        load_named(name)


def test_parameters_belong_to_the_synthetic_corpus():
    with pytest.raises(CorpusError, match="'pydocs' has no parameter 'seed'; it has none"):
        load("pydocs", seed=1)


def test_a_replaced_archive_is_read_anew(empty_data, make_tar, reuters_files):
    make_tar("reuters21578.tar.gz", reuters_files)
    before = load("reuters21578")
    reuters_files["./reut2-000.sgm"] = reuters_files["./reut2-000.sgm"].replace("PROFIT", "LOSS, A LONG TITLE")
    make_tar("reuters21578.tar.gz", reuters_files)
    assert load("reuters21578").documents[0] != before.documents[0]


def test_command_line_list(empty_data, capsys):
    assert main(["list"]) == 0
    output = capsys.readouterr().out
    assert str(empty_data) in output
    assert all(name in output for name in NAMES)


def test_command_line_fetch_of_what_is_there_and_what_cannot_be(empty_data, make_tar, reuters_files, capsys):
    path = make_tar("reuters21578.tar.gz", reuters_files)
    assert main(["fetch", "reuters21578"]) == 0
    assert str(path) in capsys.readouterr().out
    assert main(["fetch", "reuters21578", "pydocs"]) == 1
    assert "not a corpus that can be fetched" in capsys.readouterr().err


def test_command_line_stopped_by_the_user(monkeypatch, capsys):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ltw_core.corpora.__main__.fetch", stop)
    assert main(["fetch", "ohsumed"]) == 130
    assert "goes on from here" in capsys.readouterr().err
