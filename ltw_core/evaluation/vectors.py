"""A task's documents under one weighting, so that several learners can share it."""

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from ltw_core.corpora.corpus import Corpus
from ltw_core.protocol import Protocol
from ltw_core.tasks import MulticlassTask, VectorizedCorpus, WithoutTerms
from ltw_core.tasks.selection import select_weighted
from ltw_core.weighting import make, paper_settings, protocol_settings
from ltw_core.weighting.functions import CD
from ltw_core.weighting.methods import METHODS
from ltw_core.weighting.progress import Cancelled, Progress

SAME = 1e-9  # of two prevalences


@dataclass(frozen=True, eq=False)
class Vectors:
    """Weighted documents of a binary problem.

    Attributes
    ----------
    train, test : csr matrix or array of float64, shapes (training documents, terms), (test documents, terms)
        For Dense, ndarrays of shapes (…, dimensions).
    y_train, y_test : ndarray of bool
    validation : ndarray of bool, shape (training documents,)
        True where a training document validates.
    weighting : str
        Name of the method, or the estimator in words.
    seconds : float
        What fitting the weighting and transforming took.
    readout : ndarray, shape (dimensions,), or None
        Of Dense: its own classifier predicts positive where a vector's product with it is positive.
    remarks : tuple of str
        What the weighting says about itself, in sentences.
    empty_test : ndarray of bool, shape (test documents,), or None
        True for test documents without a known term; None where that is not known.
    without_terms : WithoutTerms or None
        How many documents hold no known term, those that have been left out among them.
    protocol : Protocol
        How they were made, and how learners are to treat them.
    terms : ndarray of str, shape (terms,), or None
        Of the columns, where they are other terms than the task's: under a protocol that weights before it selects.
    """

    train: sparse.csr_array | np.ndarray
    test: sparse.csr_array | np.ndarray
    y_train: np.ndarray
    y_test: np.ndarray
    validation: np.ndarray
    weighting: str
    seconds: float = 0.0
    readout: np.ndarray | None = None
    remarks: tuple[str, ...] = ()
    empty_test: np.ndarray | None = None
    without_terms: WithoutTerms | None = None
    protocol: Protocol = field(default_factory=Protocol)
    terms: np.ndarray | None = None


def weigh(task, weighting="LTW-L-I", seed: int = 0, on_event: Callable | None = None) -> Vectors:
    """Fit a weighting on all training documents of a task and weight train and test.

    A weighting whose ``fit`` takes ``validation`` (the learned ones) is told which documents validate, and one whose
    ``fit`` takes ``task`` (LTW-U) which the other classes are. Under a protocol whose order is "weight" a formula
    weights the whole vocabulary, and terms are selected by χ² of their weights.

    Parameters
    ----------
    task : BinaryTask
    weighting : str or estimator
        A name of ``ltw_core.weighting.methods()``, or an estimator: used as it is if it is already fitted, else a clone
        of it is fitted.
    seed : int
        ``random_state`` of a method given by name.
    on_event : callable, optional
        Called with a ``Progress`` of the stage "weighting" at each event of a learned weighting's training; returning
        True cancels.

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        For an unknown name, a training set of one class, or no test documents.
    """
    if isinstance(task, Corpus | VectorizedCorpus | MulticlassTask):
        raise ValueError(
            f"the task of one class is needed, vectorize(corpus).task(name), not {type(task).__name__}; for all "
            "classes at once there are evaluate_multiclass and multiclass_task()"
        )
    from sklearn.base import clone

    from ltw_core.weighting import TermWeighting

    started = time.perf_counter()
    y_train = np.asarray(task.y_train, dtype=bool)
    check_classes("The training set", y_train)
    if not len(task.y_test):
        raise ValueError("There are no test documents to evaluate on")
    protocol, terms, remarks = getattr(task, "protocol", None) or Protocol(), None, ()
    if isinstance(weighting, str):
        if weighting in CD and weighting not in METHODS:
            raise ValueError(
                f"weighting is {weighting!r}, which is a cd function alone: give TermWeighting(cd={weighting!r}) for "
                f"it, or one of {', '.join(METHODS)}"
            )
        corpus = getattr(task, "corpus_name", "")
        settings = paper_settings(weighting, corpus) | protocol_settings(weighting, protocol)
        name, estimator = weighting, make(weighting, random_state=seed, **settings)
    else:
        name, estimator = _name(weighting), weighting
    if protocol.order == "weight" and isinstance(estimator, TermWeighting) and not _fitted(estimator):
        train, test, terms = _weighted_first(task, clone(estimator), y_train, protocol)
    else:
        remarks = (_other_labels(estimator, y_train),) if _fitted(estimator) else ()
        if not _fitted(estimator):
            estimator = clone(estimator)
            estimator.fit(task.counts_train, y_train, **_fit_options(estimator, task, on_event))
        train, test = (ready_vectors(estimator.transform(counts)) for counts in (task.counts_train, task.counts_test))
    return Vectors(
        train=train,
        test=test,
        y_train=y_train,
        y_test=np.asarray(task.y_test, dtype=bool),
        validation=np.asarray(task.validation, dtype=bool),
        weighting=name,
        seconds=time.perf_counter() - started,
        readout=getattr(estimator, "output_", None),
        remarks=(*getattr(estimator, "remarks_", ()), *filter(None, remarks)),
        empty_test=getattr(task, "empty_test", None),
        without_terms=getattr(task, "without_terms", None),
        protocol=protocol,
        terms=terms,
    )


def _weighted_first(task, estimator, y, protocol: Protocol):
    """Vectors over the terms that are selected by χ² of weights of the whole vocabulary; and these terms."""
    corpus = task.vectorized
    estimator.fit(corpus.counts_train, y)
    train, test = (ready_vectors(estimator.transform(counts)) for counts in (corpus.counts_train, corpus.counts_test))
    selected = select_weighted(train, y, task.ratio, protocol.ties)
    train, test = train[:, selected], test[:, selected]
    if protocol.renormalise == "yes" and estimator.norm is not None:
        from sklearn.preprocessing import normalize

        train, test = (normalize(vectors, estimator.norm, copy=False) for vectors in (train, test))
    return train, test, corpus.vocabulary[selected].astype(object)


def check_classes(part: str, y) -> None:
    """Raise a ValueError for labels, shape (documents,), that leave nothing to learn: of one class, or none."""
    if y.all() or not y.any():
        kind = "no documents" if not len(y) else "only documents of the class" if y[0] else "no document of the class"
        raise ValueError(
            f"{part} has {kind}: a classifier needs documents of the class and others. Choose another class."
        )


def _name(estimator) -> str:
    return getattr(estimator, "name", None) or " ".join(str(estimator).split())


def _fitted(estimator) -> bool:
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(estimator)
    except NotFittedError:
        return False
    return True


def _other_labels(estimator, y) -> str:
    """A sentence where a fitted weighting is known to come from other labels than these; else ""."""
    here, there = float(np.mean(y)), getattr(estimator, "prevalence_", None)
    if not isinstance(there, float) or abs(there - here) < SAME:
        return ""
    return (
        f"This weighting was fitted to other labels: {there:.2%} of its training documents were of the class, here "
        f"{here:.2%} are. Its weights are used as they are."
    )


def _fit_options(estimator, task, on_event) -> dict:
    accepted = inspect.signature(estimator.fit).parameters
    options = {}
    if "validation" in accepted:
        options["validation"] = np.asarray(task.validation, dtype=bool)
    if "task" in accepted:  # what learns from the other classes of the corpus
        options["task"] = task
    if "on_event" in accepted and on_event is not None:

        def report(event):
            if not isinstance(event, Progress):
                message = f"learning the weighting, step {event.step:,}"
                event = Progress(done=event.step, validation_f1=event.validation_f1, message=message)
            if on_event(event):
                raise Cancelled("The evaluation was cancelled while its weighting was being learned")

        options["on_event"] = report
    return options


def ready_vectors(vectors):
    """CSR of float64, indices sorted: what every learner would otherwise convert on its own, once a setting."""
    if not sparse.issparse(vectors):
        return np.ascontiguousarray(vectors, dtype=np.float64)
    vectors = vectors.tocsr().astype(np.float64, copy=False)
    vectors.sort_indices()
    return vectors
