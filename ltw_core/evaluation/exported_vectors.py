"""Weighted documents as files that other programs read: svmlight's text, or NumPy's npz; and read back.

svmlight: one line a document, training documents first, in scikit-learn's ``dump_svmlight_file``; terms are numbered
from 1, as svmlight asks. Labels are 1 and -1 for one class, the number of the class (from 0) where each document has
one, and numbers of classes with commas between them otherwise. What else there is (split, terms, class names) stands in
a comment at the top, as JSON, which other readers skip.

npz: arrays without pickle. ``scipy.sparse.load_npz`` reads the vectors alone. Leaves out weightings themselves (their
``save``) and results.
"""

import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from ltw_core.evaluation.multiclass_vectors import weigh_classes
from ltw_core.evaluation.vectors import weigh
from ltw_core.storage.file_schema import shown
from ltw_core.tasks import MulticlassTask

FORMAT = 1
SVMLIGHT = (".svmlight", ".svm", ".libsvm", ".dat", ".txt")
KEYS = ("data", "indices", "indptr", "shape", "labels", "train", "validation", "about")


@dataclass(frozen=True, eq=False, repr=False)
class ExportedVectors:
    """Weighted documents as they stand in a file.

    Attributes
    ----------
    X : csr_array of float64, shape (documents, terms)
        Training documents first.
    y : ndarray of int, shape (documents,), or csr_array of 0/1, shape (documents, classes)
        1 and 0 for one class against the rest; numbers of classes where each document has one; else an indicator.
    train, validation : ndarray of bool, shape (documents,)
        Training documents, and those of them that validate.
    terms : list of str
        Of the columns; empty for vectors whose entries are no terms (Dense).
    class_names : list of str
        Of one class its name alone.
    corpus, weighting : str
    """

    X: sparse.csr_array
    y: Any
    train: np.ndarray
    validation: np.ndarray
    terms: list[str]
    class_names: list[str]
    corpus: str
    weighting: str

    def __repr__(self):
        return (
            f"ExportedVectors({self.corpus!r}, {self.weighting!r}: {self.train.sum():,} training and "
            f"{(~self.train).sum():,} test documents, {self.X.shape[1]:,} columns, {len(self.class_names):,} classes)"
        )


def export_vectors(
    task: Any,
    weighting: Any,
    path: str | Path,
    *,
    policy: str = "max",
    seed: int = 0,
    on_event: Callable | None = None,
) -> ExportedVectors:
    """Weight a task's documents and write them to a file.

    Parameters
    ----------
    task : BinaryTask or MulticlassTask
        One class, or all classes of a corpus (``VectorizedCorpus.multiclass_task``).
    weighting : str or estimator
        As for ``evaluate``, or of all classes as for ``evaluate_multiclass``; fitted ones are used as they are.
    path : str or path
        Its ending says the format: .npz, or .svmlight (also .svm, .libsvm, .dat, .txt).
    policy : {"max", "mean", "sum", "weighted"}
        Of all classes: how a term's weights for them become one.
    seed : int
    on_event : callable, optional
        As for ``evaluate``.

    Returns
    -------
    ExportedVectors
        What was written.

    Raises
    ------
    ValueError
        Another ending, or a task that cannot be weighted.
    """
    path = Path(path)
    write = _format(path)[0]
    many = isinstance(task, MulticlassTask)
    if many:
        vectors, terms = weigh_classes(task, weighting, policy, seed, on_event), task.terms
        if vectors.local:
            raise ValueError("policy is 'local', which has vectors for each class apart: export single classes instead")
        train, test = vectors.shared()
        y = sparse.vstack([task.labels_train, task.labels_test]).tocsr()
        y = np.asarray(y.argmax(axis=1)).ravel() if task.single_label else sparse.csr_array(y).astype(np.int8)
        class_names = list(task.class_names)
    else:
        vectors = weigh(task, weighting, seed, on_event)
        train, test = vectors.train, vectors.test
        y = np.concatenate([vectors.y_train, vectors.y_test]).astype(np.int64)
        class_names = [str(getattr(task, "class_name", "the class"))]
        terms = getattr(task, "terms", []) if vectors.terms is None else vectors.terms
    exported = ExportedVectors(
        X=sparse.csr_array(sparse.vstack([sparse.csr_array(train), sparse.csr_array(test)])),
        y=y,
        train=np.arange(train.shape[0] + test.shape[0]) < train.shape[0],
        validation=np.append(task.validation, np.zeros(test.shape[0], dtype=bool)),
        terms=[str(term) for term in terms] if len(terms) == train.shape[1] else [],
        class_names=class_names,
        corpus=str(getattr(task, "corpus_name", "")),
        weighting=vectors.weighting,
    )
    write(exported, path)
    return exported


def read_vectors(path: str | Path) -> ExportedVectors:
    """Read what ``export_vectors`` wrote, in either format.

    Raises
    ------
    FileNotFoundError
    ValueError
        It is no such file, or not a whole one.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"{path.name} is a folder; give one of the files that export_vectors wrote")
    read = _format(path)[1]
    try:
        return read(path)
    except (KeyError, IndexError, TypeError, EOFError, zipfile.BadZipFile, ValueError) as error:
        raise ValueError(f"{path.name} is no file of export_vectors, or a damaged one: {error}") from error


def _format(path: Path) -> tuple[Callable, Callable]:
    ending = path.suffix.lower()
    if ending == ".npz":
        return _write_npz, _read_npz
    if ending in SVMLIGHT:
        return _write_svmlight, _read_svmlight
    raise ValueError(f"{path.name} ends in {shown(ending)}; export_vectors knows .npz and {', '.join(SVMLIGHT)}")


def _about(exported: ExportedVectors) -> dict:
    y = exported.y
    return {
        "format": FORMAT,
        "corpus": exported.corpus,
        "weighting": exported.weighting,
        "labels": "several" if sparse.issparse(y) else "one" if len(exported.class_names) > 1 else "binary",
        "class_names": exported.class_names,
        "n_train": int(exported.train.sum()),
        "columns": exported.X.shape[1],
        "terms": exported.terms,
    }


def _made(about: dict, X, y, validation) -> ExportedVectors:
    n, n_train = X.shape[0], int(about["n_train"])
    if not 0 <= n_train <= n or validation.shape != (n,) or validation[n_train:].any():
        raise ValueError(f"it says that {n_train:,} of {n:,} documents train, which does not fit its rows")
    if about["terms"] and len(about["terms"]) != X.shape[1]:
        raise ValueError(f"it names {len(about['terms']):,} terms for {X.shape[1]:,} columns")
    return ExportedVectors(
        X=X,
        y=y,
        train=np.arange(n) < n_train,
        validation=validation,
        terms=[str(term) for term in about["terms"]],
        class_names=[str(name) for name in about["class_names"]],
        corpus=str(about["corpus"]),
        weighting=str(about["weighting"]),
    )


def _write_npz(exported: ExportedVectors, path: Path) -> None:
    X, y = exported.X, exported.y
    labels = {"labels": y}
    if sparse.issparse(y):
        labels = {"labels": y.indices, "labels_indptr": y.indptr}
    with path.open("wb") as file:  # a name would get another ending
        np.savez_compressed(
            file,
            data=X.data,
            indices=X.indices,
            indptr=X.indptr,
            shape=np.array(X.shape),
            format=np.array(b"csr"),  # with these five scipy.sparse.load_npz reads the vectors
            train=exported.train,
            validation=exported.validation,
            about=np.frombuffer(json.dumps(_about(exported)).encode(), np.uint8),
            **labels,
        )


def _read_npz(path: Path) -> ExportedVectors:
    with np.load(path, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    missing = [name for name in KEYS if name not in arrays]
    if missing:
        raise ValueError(f"it lacks {', '.join(missing)}")
    about = _known(json.loads(arrays["about"].tobytes()))
    X = _csr(arrays["data"].astype(np.float64), arrays["indices"], arrays["indptr"], arrays["shape"])
    several = about["labels"] == "several"
    y = _numbers(arrays["labels"], about)
    if several:
        y = _indicator(y, arrays["labels_indptr"], about)
    if y.shape[0] != X.shape[0]:
        raise ValueError(f"it has labels of {y.shape[0]:,} documents for {X.shape[0]:,}")
    train, validation = (_mask(arrays[name], name) for name in ("train", "validation"))
    if not np.array_equal(train, np.arange(X.shape[0]) < int(about["n_train"])):
        raise ValueError(f"its array train does not say that the first {int(about['n_train']):,} documents train")
    return _made(about, X, y, validation)


def _known(about: dict) -> dict:
    """What a file says of itself, if this version reads such."""
    if about["format"] != FORMAT:
        raise ValueError(f"its format is {shown(about['format'])}; this version reads {FORMAT}")
    if about["labels"] not in ("several", "one", "binary"):
        raise ValueError(f"its labels are {shown(about['labels'])}; they must be several, one or binary")
    return about


def _numbers(labels: np.ndarray, about: dict) -> np.ndarray:
    """Labels as they stand in a file, one after the other, if they are 1 and 0 or numbers of classes."""
    if labels.ndim != 1 or (labels.size and labels.dtype.kind not in "iu"):
        raise ValueError(f"its labels are {labels.dtype} of shape {labels.shape}; they must be whole numbers in a row")
    binary, n = about["labels"] == "binary", len(about["class_names"])
    wrong = labels[(labels < 0) | (labels >= (2 if binary else n))]
    if wrong.size:
        allowed = "0 or 1" if binary else f"a number from 0 to {n - 1}, for it names {n:,} classes"
        raise ValueError(f"it has a label {wrong[0]}; each must be {allowed}")
    return labels.astype(np.int64)


def _indicator(numbers: np.ndarray, indptr, about: dict) -> sparse.csr_array:
    """Numbers of classes as an indicator."""
    shape = (len(indptr) - 1, len(about["class_names"]))
    y = _csr(np.ones(numbers.size, np.int8), numbers, indptr, shape)
    y.sum_duplicates()
    if y.nnz < numbers.size:
        raise ValueError("it says of a document twice that it has a class")
    return y


def _mask(values: np.ndarray, name: str) -> np.ndarray:
    if values.dtype != bool:
        raise ValueError(f"its array {name} is {values.dtype}; it must be True or False for each document")
    return values


def _csr(data, indices, indptr, shape) -> sparse.csr_array:
    matrix = sparse.csr_array((data, indices, indptr), tuple(int(n) for n in shape))
    matrix.check_format()
    return matrix


def _write_svmlight(exported: ExportedVectors, path: Path) -> None:
    from sklearn.datasets import dump_svmlight_file

    about = _about(exported) | {"validation": np.flatnonzero(exported.validation).tolist()}
    several = sparse.issparse(exported.y)
    y = exported.y if about["labels"] != "binary" else np.where(exported.y > 0, 1, -1)
    with path.open("wb") as file:
        file.write(b"# " + json.dumps(about).encode() + b"\n")
        dump_svmlight_file(exported.X, y, file, zero_based=False, multilabel=several)


def _read_svmlight(path: Path) -> ExportedVectors:
    from sklearn.datasets import load_svmlight_file

    with path.open("rb") as file:
        first = file.readline()
        if not first.startswith(b"# {"):
            raise ValueError("its first line is not the comment with split, terms and class names")
        about = _known(json.loads(first[2:]))
        several = about["labels"] == "several"
        X, y = load_svmlight_file(file, n_features=max(1, int(about["columns"])), zero_based=False, multilabel=several)
    if several:
        numbers = _numbers(_whole(np.array([label for labels in y for label in labels])), about)
        y = _indicator(numbers, np.cumsum([0, *map(len, y)]), about)
    else:
        y = _whole(y)
        if about["labels"] == "binary":
            if not np.isin(y, (-1, 1)).all():
                raise ValueError(f"it has a label {y[~np.isin(y, (-1, 1))][0]}; each must be 1 or -1")
            y = np.where(y > 0, 1, 0)
        y = _numbers(y, about)
    validation = np.zeros(X.shape[0], dtype=bool)
    validation[np.array(about["validation"], dtype=np.int64)] = True
    return _made(about, sparse.csr_array(X), y, validation)


def _whole(values: np.ndarray) -> np.ndarray:
    """Numbers read as float64 as the whole numbers that they are."""
    wrong = values[~(np.isfinite(values) & (values == np.floor(values)))]
    if wrong.size:
        raise ValueError(f"it has a label {wrong[0]}, which is no whole number")
    return values.astype(np.int64)
