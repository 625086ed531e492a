"""Exported vectors are what was weighed, read back as they were, and by the readers of scikit-learn and SciPy."""

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from ltw_core.evaluation import export_vectors, read_vectors, weigh, weigh_classes
from ltw_core.tasks import vectorize
from ltw_core.weighting.dense.fasttext import FastText
from tests.evaluation.test_multiclass import corpus


@pytest.fixture(scope="module")
def made():
    return {several: vectorize(corpus(several=several, empty=True), cache=False) for several in (False, True)}


def same(one, other):
    np.testing.assert_allclose(one.X.toarray(), other.X.toarray(), rtol=1e-12)
    dense = [y.toarray() if sparse.issparse(y) else y for y in (one.y, other.y)]
    np.testing.assert_array_equal(*dense)
    for name in ("train", "validation", "terms", "class_names"):
        assert list(getattr(one, name)) == list(getattr(other, name))
    assert (one.corpus, one.weighting) == (other.corpus, other.weighting)


@pytest.mark.parametrize("ending", ["npz", "svmlight"])
@pytest.mark.parametrize("kind", ["binary", "single", "several"])
def test_what_is_written_is_read(made, tmp_path, ending, kind):
    source = made[kind == "several"]
    task = source.task("c1") if kind == "binary" else source.multiclass_task()
    path = tmp_path / f"vectors.{ending}"
    written = export_vectors(task, "TFRF", path)
    same(written, read_vectors(path))
    vectors = weigh(task, "TFRF") if kind == "binary" else weigh_classes(task, "TFRF")
    train, test = (vectors.train, vectors.test) if kind == "binary" else vectors.shared()
    np.testing.assert_allclose(written.X[written.train].toarray(), train.toarray())
    np.testing.assert_allclose(written.X[~written.train].toarray(), test.toarray())
    assert written.validation[: train.shape[0]].tolist() == task.validation.tolist()
    assert written.terms == list(task.terms) and repr(written).startswith("ExportedVectors('made', 'TFRF'")
    if kind == "binary":
        assert written.y.tolist() == [*task.y_train, *task.y_test] and written.class_names == ["c1"]
    else:
        labels = np.vstack([task.labels_train.toarray(), task.labels_test.toarray()])
        y = written.y.toarray() if kind == "several" else np.eye(3, dtype=int)[written.y]
        assert y.tolist() == labels.tolist()


def test_other_programs_read_them(made, tmp_path):
    written = export_vectors(made[False].task("c1"), "LogTFIDF", tmp_path / "one.svm")
    X, y = load_svmlight_file(tmp_path / "one.svm")
    np.testing.assert_allclose(X.toarray(), written.X.toarray()[:, : X.shape[1]])
    assert y.tolist() == np.where(written.y, 1, -1).tolist()
    lines = (tmp_path / "one.svm").read_text().splitlines()
    assert not [line for line in lines if " 0:" in line]  # svmlight numbers features from 1
    export_vectors(made[False].task("c1"), "LogTFIDF", tmp_path / "one.npz")
    np.testing.assert_allclose(sparse.load_npz(tmp_path / "one.npz").toarray(), written.X.toarray())


def test_vectors_without_terms(made, tmp_path):
    written = export_vectors(made[False].task("c1"), FastText(dimensions=4, epochs=2), tmp_path / "dense.npz")
    assert written.X.shape[1] == 4 and written.terms == []
    same(written, read_vectors(tmp_path / "dense.npz"))


def test_what_is_refused(made, tmp_path):
    task = made[False].multiclass_task()
    with pytest.raises(ValueError, match=r"ends in '\.csv'; export_vectors knows \.npz and \.svmlight"):
        export_vectors(task, "TFRF", tmp_path / "a.csv")
    with pytest.raises(ValueError, match="export single classes"):
        export_vectors(task, "TFRF", tmp_path / "a.npz", policy="local")
    with pytest.raises(FileNotFoundError):
        read_vectors(tmp_path / "missing.npz")
    (tmp_path / "a.svm").write_text("1 1:2\n")
    (tmp_path / "a.npz").write_bytes(b"PK nothing")
    np.savez(tmp_path / "b.npz", data=np.ones(1))
    for name in ("a.svm", "a.npz", "b.npz"):
        with pytest.raises(ValueError, match=f"{name} is no file of export_vectors"):
            read_vectors(tmp_path / name)
    export_vectors(task, "TF", tmp_path / "c.svm")
    head, _, rest = (tmp_path / "c.svm").read_text().partition("\n")
    for change in ({"format": 2}, {"n_train": 10**6}, {"terms": ["one"]}, {"validation": [10**9]}):
        (tmp_path / "d.svm").write_text(f"# {json.dumps(json.loads(head[2:]) | change)}\n{rest}")
        with pytest.raises(ValueError, match="or a damaged one"):
            read_vectors(tmp_path / "d.svm")


def test_a_folder_is_called_one(tmp_path):
    with pytest.raises(ValueError, match="is a folder; give one of the files that export_vectors wrote"):
        read_vectors(tmp_path)


@pytest.mark.parametrize("kind", ["binary", "single", "several"])
def test_labels_and_parts_that_cannot_be_are_refused(made, tmp_path, kind):
    source = made[kind == "several"]
    export_vectors(source.task("c1") if kind == "binary" else source.multiclass_task(), "TF", tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as file:
        arrays = dict(file)
    labels, train = arrays["labels"], arrays["train"]
    high, negative = labels.copy(), labels.copy()
    high[0], negative[0] = 999, -1
    about = json.loads(arrays["about"].tobytes()) | {"labels": "many"}
    for change, message in (
        ({"labels": high}, "has a label 999; each must be"),
        ({"labels": negative}, "has a label -1; each must be"),
        ({"labels": labels.astype(str)}, "labels are <U.*must be whole numbers"),
        ({"labels": labels + 0.5}, "labels are float64"),
        ({"labels": labels[:-1]}, "or a damaged one"),
        ({"train": ~train}, "array train does not say that the first 160 documents train"),
        ({"train": train[1:]}, "array train does not say"),
        ({"train": train.astype(str)}, "array train is <U.*True or False"),
        ({"validation": arrays["validation"].astype(float)}, "array validation is float64"),
        ({"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}, "its labels are 'many'"),
    ):
        np.savez(tmp_path / "b.npz", **(arrays | change))
        with pytest.raises(ValueError, match=message):
            read_vectors(tmp_path / "b.npz")


@pytest.mark.parametrize(
    ("kind", "label", "message"),
    [
        ("binary", "7", "has a label 7; each must be 1 or -1"),
        ("single", "999", "has a label 999; each must be a number from 0 to 2, for it names 3 classes"),
        ("single", "0.5", "has a label 0.5, which is no whole number"),
        ("several", "0,999", "has a label 999"),
        ("several", "1,1", "twice"),
    ],
)
def test_labels_of_svmlight_that_cannot_be_are_refused(made, tmp_path, kind, label, message):
    source = made[kind == "several"]
    export_vectors(source.task("c1") if kind == "binary" else source.multiclass_task(), "TF", tmp_path / "a.svm")
    lines = (tmp_path / "a.svm").read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    lines[first] = f"{label} {lines[first].split(' ', 1)[1]}"
    (tmp_path / "b.svm").write_text("\n".join(lines) + "\n")
    with pytest.raises(ValueError, match=message):
        read_vectors(tmp_path / "b.svm")
