"""Documents of all classes under one weighting: the same vectors for all classes, or each class its own."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from ltw_core.tasks import MulticlassTask
from ltw_core.weighting.methods import METHODS, paper_settings
from ltw_core.weighting.policies import POLICIES
from ltw_core.weighting.progress import Cancelled, Progress

LOCAL = "local"


@dataclass(frozen=True, eq=False)
class MulticlassVectors:
    """Weighted documents of all classes.

    Attributes
    ----------
    task : MulticlassTask
    estimator : GlobalWeighting
        Fitted.
    weighting, policy : str
        Names; the policy is empty where none is needed.
    local : bool
        Whether each class has vectors of its own.
    seconds : float
        What fitting took.
    """

    task: MulticlassTask
    estimator: Any
    weighting: str
    policy: str
    local: bool
    seconds: float

    def shared(self) -> tuple[sparse.csr_array, sparse.csr_array]:
        """Vectors of the training and the test documents, shape (documents, terms)."""
        return self._of(self.estimator)

    def of_classes(self) -> Iterator[tuple[int, sparse.csr_array | None, sparse.csr_array | None]]:
        """Number, training and test vectors of one class after the other; None where a class has no weights."""
        same = None if self.local else self.shared()
        for j in range(len(self.task.class_names)):
            if not self.local:
                yield j, *same
            elif np.isnan(self.estimator.class_cd_[j]).any():
                yield j, None, None
            else:
                yield j, *self._of(self.estimator.of_class(j))

    def _of(self, estimator) -> tuple[sparse.csr_array, sparse.csr_array]:
        return tuple(ready(estimator.transform(c)) for c in (self.task.counts_train, self.task.counts_test))


def ready(vectors):
    """CSR of float64 with sorted indices: what learners take without converting it once a setting."""
    vectors = vectors.tocsr().astype(np.float64, copy=False)
    vectors.sort_indices()
    return vectors


def weigh_classes(
    task: MulticlassTask, weighting: Any = "TFRF", policy: str = "max", seed: int = 0, on_event: Callable | None = None
) -> MulticlassVectors:
    """Fit a weighting for all classes on all training documents; parameters as for ``evaluate_multiclass``.

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        Something that is no weighting of terms, or a policy that there is not.
    """
    from sklearn.base import clone
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    from ltw_core.weighting.global_weighting import GlobalWeighting

    started = time.perf_counter()
    if policy not in (*POLICIES, LOCAL):
        raise ValueError(f"policy is {policy!r}; it must be one of {', '.join((*POLICIES, LOCAL))}")
    local = policy == LOCAL
    if isinstance(weighting, GlobalWeighting):
        if policy not in ("max", weighting.policy):
            raise ValueError(
                f"a GlobalWeighting has its policy ({weighting.policy}), which {policy!r} contradicts; give it "
                "there, or the name of its base here"
            )
        estimator, local, policy = weighting, False, weighting.policy
    else:
        base = weighting
        settings = paper_settings(base, task.corpus_name) if isinstance(base, str) and base in METHODS else {}
        if settings:
            base = METHODS[base].make(seed, **settings)
        estimator = GlobalWeighting(base, policy="max" if local else policy, random_state=seed)
    try:
        check_is_fitted(estimator)
    except NotFittedError:
        estimator = clone(estimator)
        estimator.fit(task.counts_train, task.labels_train, task.validation, _listener(task, on_event))
    if len(estimator.cd_) != len(task.terms):
        raise ValueError(
            f"the weighting was fitted on {len(estimator.cd_):,} terms and the task has {len(task.terms):,}: fit it on "
            "the task's counts, or hand it in unfitted"
        )
    each = len(estimator.class_cd_) == len(task.class_names) and estimator.classes_.size
    return MulticlassVectors(
        task, estimator, name_of(weighting), policy if each else "", bool(local and each), time.perf_counter() - started
    )


def name_of(weighting: Any) -> str:
    """A weighting's name, or the estimator in words."""
    base = getattr(weighting, "base", weighting)
    if isinstance(base, str):
        return base
    return getattr(base, "variant", None) or getattr(base, "name", None) or " ".join(str(base).split())


def _listener(task: MulticlassTask, on_event: Callable | None) -> Callable | None:
    if on_event is None:
        return None

    def report(j: int, event: Any) -> bool:
        message = f"learning the weighting of {task.class_titles[j]}, step {event.step:,}"
        progress = Progress(done=j, total=len(task.class_names), validation_f1=event.validation_f1, message=message)
        if on_event(progress):
            raise Cancelled("The evaluation was cancelled while its weighting was being learned")
        return False

    return report
