"""What the other classes of a corpus have learned: the surfaces that a class may borrow, none of them its own.

A class lends where it has enough training documents and where each of its training runs was any good on its own
validation part. All that enters is of the training documents: no test document takes part. Of the class that borrows,
labels do not enter either, but where a document has one class only, "not of the others" is nearly "of this one": with
few classes what is lent is less foreign than it is with many.

Each class is learned once a process; of corpora of the catalogue the networks are also kept in the state folder, where
the processes of a study find each other's. What is taken of a run is its surface in canonical form on its own class's
terms.
"""

import json
import os
import threading
from collections.abc import Callable, Collection
from dataclasses import replace
from importlib.metadata import version

import numpy as np

from ltw_core.corpora.catalogue import listed
from ltw_core.settings import state_dir
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.storage.disk_cache import read_arrays, write_arrays
from ltw_core.tasks.vectorized import VectorizedCorpus, digest
from ltw_core.weighting.learned.ensemble import Ensemble
from ltw_core.weighting.progress import Cancelled, Progress

FORMAT = 1  # raise it when a change to the training of a weighting moves what is kept
NAMES = ("W1", "b1", "W2", "b2")
CACHE_BYTES = 48 * 2**20  # three seeds of a class are 50 KB
_kept, _locks = BoundedCache(CACHE_BYTES), {}
_guard = threading.Lock()


def lenders(task, min_documents: int, among: Collection[str] | None = None) -> list[str]:
    """The other classes of a task's corpus with enough training documents, in the corpus's order.

    Parameters
    ----------
    task : BinaryTask
    min_documents : int
    among : collection of str, optional
        Of these alone, the task's own class if it is one of them.
    """
    vectorized = task.vectorized
    names = [name for name in vectorized.class_names if (name != task.class_name if among is None else name in among)]
    return [name for name in names if min_documents <= int(vectorized.labels_of(name)[0].sum()) < task.n_documents]


def lent(
    task,
    member,
    seeds,
    *,
    min_documents: int,
    min_f1: float,
    on_event: Callable | None = None,
    among: Collection[str] | None = None,
):
    """The surfaces that the other classes lend to a task's class.

    Parameters
    ----------
    task : BinaryTask
        Of the class that borrows.
    member : LearnedWeighting
        Not fitted: the settings of each training run.
    seeds : sequence of int
        Of each class's training runs.
    min_documents : int
        Training documents that a class must have.
    min_f1 : float
        What the best validation F1 of a training run must be.
    on_event : callable, optional
        Called with a ``Progress`` after each class; returning True ends it.
    among : collection of str, optional
        The classes that may lend, the task's own if it is one of them, which is to read what they share. By default all
        others, as for weighing its documents.

    Returns
    -------
    surfaces : Ensemble or None
        One member a training run, in canonical form on its own class's terms; None where no class lends one.
    classes : list of str
        Those that lend.

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    """
    names = lenders(task, min_documents, among)
    found, start = {}, os.getpid() % max(1, len(names))  # processes begin at other classes, and find each other's
    for done, name in enumerate(names[start:] + names[:start], 1):
        found[name] = _of_class(task, name, member, seeds)
        message = f"Learning the other classes: {name} ({done} of {len(names)})"
        if on_event is not None and on_event(Progress(done=done, total=len(names), message=message)):
            raise Cancelled("The other classes were not all learned")
    good = {name: np.flatnonzero(found[name]["f1"] >= min_f1) for name in names}
    taken = [(name, k) for name in names for k in good[name]]
    if not taken:
        return None, []
    parameters = {part: np.stack([found[name][part][k] for name, k in taken]) for part in NAMES}
    factors = np.array([found[name]["factor"][k] for name, k in taken]) / len(taken)
    seen = member.settings().seen(task.prevalence, task.n_documents)
    ensemble = Ensemble(parameters, np.append(factors, 0.0), _sigmoid(member), seen)
    return ensemble, [name for name in names if good[name].size]


def _sigmoid(member) -> bool:
    return member.settings().network.sigmoid


def _of_class(task, name: str, member, seeds) -> dict[str, np.ndarray]:
    """Networks, canonical factors and validation F1 of a class's training runs, each with a run on its first axis."""
    other = task.vectorized.task(name, ratio=task.ratio)
    settings = replace(member.settings(), seed=0).as_dict()
    how = [FORMAT, version("numpy"), version("numba"), settings, list(map(int, seeds))]
    key = digest(f"{other.training_fingerprint}\0{json.dumps(how, sort_keys=True)}")
    with _guard:
        lock = _locks.setdefault(key, threading.Lock())
    with lock:  # two threads that want the same class learn it once
        found = _kept.get(key)
        if found is None:
            path = _path(task.vectorized, key)
            found = read_arrays(path) if path else None
            if found is None or set(found) != {*NAMES, "factor", "f1"}:
                found = _learned(other, member, seeds)
                if path:
                    write_arrays(path, found)
            _kept.put(key, found, sum(array.nbytes for array in found.values()))
    return found


def _path(vectorized: VectorizedCorpus, key: str):
    """Where a class's networks are kept; nowhere for a reader's own table."""
    name = vectorized.corpus.name
    return state_dir() / "surfaces" / f"{name}-{key[:16]}.npz" if listed(name) else None


def _learned(other, member, seeds) -> dict[str, np.ndarray]:
    from sklearn.base import clone

    from ltw_core.weighting.canonical import canonical
    from ltw_core.weighting.learned.fit_many import fit_many

    runs = [clone(member).set_params(random_state=int(seed)) for seed in seeds]
    fit_many(runs, [(other.counts_train, other.y_train, other.validation)], member.engine, member.device)
    statistics = other.tpr, other.fpr, other.document_frequency
    parts = {part: np.stack([np.asarray(run.parameters_[part], np.float32) for run in runs]) for part in NAMES}
    return parts | {
        "factor": np.array([canonical(run.cd_, *statistics) for run in runs]),
        "f1": np.array([run.best_f1_ for run in runs]),
    }
