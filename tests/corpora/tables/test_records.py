import gzip

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_files

from ltw_core.corpora import CorpusError, load, read_table
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.limits import upload_limits

ROWS = [{"text": f"bread {i}", "label": "xy"[i % 2], "split": "test" if i > 6 else "train"} for i in range(10)]
CSV = "text,label,split\n" + "".join("{text},{label},{split}\n".format(**row) for row in ROWS)


class Dataset:
    """As a Hugging Face dataset: names of columns, and dicts when it is walked."""

    column_names = ("text", "label", "split")

    def __iter__(self):
        return iter(ROWS)


@pytest.mark.parametrize(
    "data",
    [ROWS, iter(ROWS), pd.DataFrame(ROWS), Dataset(), gzip.compress(CSV.encode())],
    ids=["dicts", "iterator", "frame", "dataset", "gzip"],
)
def test_it_is_the_corpus_of_the_csv(data):
    assert read_table(data).fingerprint == read_table(CSV.encode()).fingerprint


def test_parts_of_a_dataset_are_its_split():
    parts = {
        part: [{"text": r["text"], "label": r["label"]} for r in ROWS if r["split"] == part]
        for part in ("train", "test")
    }
    assert read_table(parts).fingerprint == read_table(CSV.encode()).fingerprint
    with pytest.raises(CorpusError, match="tables stand by their parts, train, test"):
        read_table({"text": ["a", "b"], "label": ["x", "y"]})


def test_gaps_numbers_and_lists():
    frame = pd.DataFrame({"text": ["a", "b", None, "c", "d", "e"], "label": [1, 2, 1, 2, 1, 2]})
    corpus = read_table(frame)
    assert corpus.class_names == ("1", "2") and "Row 3 dropped because the text is empty." in corpus.report
    assert "Row 1 is the header." not in corpus.report
    several = read_table([{"text": f"a{i}", "label": np.array(["x", "y"][: 1 + i % 2])} for i in range(6)])
    assert several.class_names == ("x", "y") and several.labels.sum() == 9
    gap = read_table([{"text": f"a{i}", "label": [1.0, 2.0, float("nan")][i % 3]} for i in range(9)])
    assert gap.class_names == ("1.0", "2.0") and len(gap.documents) == 6


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ([], "is empty"),
        (["a"], "row 1 is of type str; a dict a row was expected"),
        (pd.DataFrame([["a", "b"]], columns=["x", "x"]), "two columns have the same name"),
        (gzip.compress(CSV.encode(), mtime=0)[:-9], "is compressed with gzip and damaged"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(data, sentence):
    with pytest.raises(CorpusError, match=sentence):
        read_table(data)


def test_what_gzip_unpacks_is_bounded_for_uploads_alone(monkeypatch):
    monkeypatch.setenv("LTW_TABLE", "1")
    packed = gzip.compress(b"text,label\na,x\n" + b"a" * 2**21 + b",y\nb,x\nc,y\n")
    with pytest.raises(CorpusError, match=r"up\.csv\.gz unpacks to more than 1 MB, the most that is read here"):
        read_table(Content(packed, "up.csv.gz", upload_limits()))
    assert len(read_table(packed).documents) == 4


def test_a_folder_with_a_sub_folder_a_class(tmp_path):
    for row in ROWS:
        file = tmp_path / "whole" / row["label"] / f"{row['text']}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(row["text"])
        file = tmp_path / "parts" / row["split"] / row["label"] / f"{row['text']}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(row["text"])
    corpus, theirs = load(tmp_path / "whole"), load_files(tmp_path / "whole", encoding="utf-8")
    assert sorted(corpus.documents) == sorted(theirs.data) and list(corpus.class_names) == theirs.target_names
    parts = read_table(tmp_path / "parts")
    assert parts.fingerprint == read_table(CSV.encode()).fingerprint
    with pytest.raises(CorpusError, match="is a folder without a sub-folder a class"):
        read_table(tmp_path / "whole" / "x")
