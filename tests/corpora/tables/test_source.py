import pickle

import pytest

from ltw_core.corpora import CorpusError, load
from ltw_core.corpora.catalogue import dataset, load_named
from ltw_core.corpora.tables.source import TableSource
from ltw_core.studies.__main__ import _parser

TABLE = "body,topic,note\n" + "".join(f'"bread {i}",{"|".join("xy"[: 1 + i % 2])},{i}\n' for i in range(10))


@pytest.fixture
def path(tmp_path):
    (tmp_path / "My Reviews.csv").write_text(TABLE)
    return tmp_path / "My Reviews.csv"


def test_a_table_is_loaded_by_its_path(path, monkeypatch):
    corpus = load(path, text="body", label="topic", separator="|", split="none", language="none")
    assert (corpus.name, corpus.class_names, corpus.language) == ("table-my-reviews", ("x", "y"), None)
    monkeypatch.chdir(path.parent)
    assert load("My Reviews.csv", text="body", label="topic", separator="|", language="none").name == corpus.name


def test_its_name_is_what_it_is_called_and_not_where_it_lies(path):
    source = TableSource(path, called="Breads.csv", text="body", label="topic", separator="|")
    corpus = source.load()
    assert (source.name, corpus.name, corpus.title) == ("table-breads", "table-breads", "Breads.csv")
    assert "reviews" not in corpus.origin.lower()
    assert pickle.loads(pickle.dumps(source)) == source


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"text": "-body", "label": "topic", "separator": "|"},
        {"split": False, "language": None, "called": "a b.csv"},
        {"split": "part", "language": "german", "encoding": "cp1252", "delimiter": "\t"},
    ],
)
def test_its_arguments_are_those_of_the_command_line(path, options):
    source = TableSource(path, **options)
    parsed = vars(_parser().parse_args(["run", *source.arguments()]))
    there = {name: parsed[name] for name in vars(source) if name != "path" and parsed[name] is not None}
    assert dataset(parsed["dataset"], **there) == source


def test_a_name_that_someone_else_gives_is_never_a_path(path):
    with pytest.raises(CorpusError, match="There is no corpus"):
        load_named(str(path))
    with pytest.raises(CorpusError, match=r"There is no file .*none\.csv"):
        load("none.csv")
    with pytest.raises(CorpusError, match="no option 'texts'; there are text, label"):
        load(path, texts="body")
    with pytest.raises(CorpusError, match="'synthetic' is no path of a table, so it takes no text"):
        dataset("synthetic", text="body")
