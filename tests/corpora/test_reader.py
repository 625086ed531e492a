"""A reader from outside: what the catalogue, the command line and the app do with it."""

import importlib
import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ltw_core.corpora import ArchiveReader, CorpusError, Reader, catalogue, fetch, load, register
from ltw_core.corpora.__main__ import main
from ltw_core.corpora.corpus import assemble
from ltw_core.studies.plan import plan
from tests.pages.conftest import APP, settled
from tests.waiting import PATIENCE


def corpus(reader, documents):
    labels = [("even",) if number % 2 == 0 else ("odd",) for number in range(len(documents))]
    train = [number < len(documents) // 2 for number in range(len(documents))]
    return assemble(
        name=reader.name,
        title=reader.title,
        documents=documents,
        label_sets=labels,
        train=train,
        origin="a test",
    )


class Numbers(Reader):
    name, title, summary, first_class = "numbers", "Numbers in words", "Counted as far as asked.", "odd"

    def read(self, *, documents: int = 20):
        return corpus(
            self, [f"number n{number % 5} is {'even' if number % 2 == 0 else 'odd'}" for number in range(documents)]
        )


class Lines(ArchiveReader):
    name, title, summary, archive = "lines", "Lines", "A document a line.", "lines.tar.gz"

    def parse(self, paths):
        from ltw_core.corpora.archive import members

        return corpus(self, [line for _, data in members(paths) for line in data.decode().splitlines()])


@pytest.fixture(autouse=True)
def registered(monkeypatch, tmp_path):
    module = importlib.import_module("ltw_core.corpora.catalogue")
    monkeypatch.setattr(module, "_READERS", dict(module._READERS))
    monkeypatch.setenv("LTW_DATA", str(tmp_path))
    register(Numbers())
    register(Lines())


def test_catalogue_and_load(make_tar):
    numbers, lines = catalogue()[-2:]
    assert (numbers.name, numbers.parameters, numbers.available, numbers.downloadable) == (
        "numbers",
        ("documents",),
        True,
        False,
    )
    assert load("numbers", documents=12).n_train == 6
    with pytest.raises(CorpusError, match="no parameter 'size'; they are documents"):
        load("numbers", size=3)
    with pytest.raises(CorpusError, match=r"default data\): put lines\.tar\.gz there"):
        load("lines")
    assert not lines.available
    make_tar("lines.tar.gz", {"a.txt": "one bread\ntwo beer\nthree bread\nfour beer"})
    assert lines.available
    assert load("lines").documents == load("lines").documents == ("one bread", "two beer", "three bread", "four beer")
    with pytest.raises(CorpusError, match="not a corpus that can be fetched"):
        fetch("lines")


def test_the_reader_that_contributing_shows(make_tar):
    text = Path(__file__).parents[2].joinpath(".github", "CONTRIBUTING.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(example, shown := {})
    register(shown["Recipes"]())
    make_tar("recipes.tar.gz", {"a/train.tsv": "thai\tgreen curry\nfrench\tquiche", "a/test.tsv": "thai\tred curry"})
    found = load("recipes")
    assert (found.documents, found.n_train) == (("green curry", "quiche", "red curry"), 2)
    assert found.class_names == ("french", "thai") and found.labels.toarray().tolist() == [[0, 1], [1, 0], [0, 1]]


def test_command_line(capsys):
    assert main(["list"]) == 0
    told = capsys.readouterr().out
    assert "Numbers in words" in told and "put lines.tar.gz there" in told


def test_a_study_of_it():
    cells = plan(["numbers"], classes=["odd"], weightings=["TFIDF"], learner_names=["SVM"])
    assert [(cell.corpus, cell.class_name) for cell in cells] == [("numbers", "odd")]


def test_the_app_lists_it_and_begins_with_its_first_class():
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app.query_params["dataset"] = "numbers"
    app = settled(app.run())
    assert not app.exception
    datasets, classes = app.sidebar.selectbox
    assert datasets.options[-2:] == ["Numbers in words", "Lines (not here yet)"] and datasets.value == "numbers"
    assert classes.value == "odd"
