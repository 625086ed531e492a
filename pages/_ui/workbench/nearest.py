"""Which formula a weighting is most like by what both do to documents: found in the background, never in a page's run.

While a weighting is being learned the last that was found is told, and one more is looked for as soon as that is done.
"""

from contextlib import suppress
from typing import Any

import numpy as np

from ltw_core.insight import Nearest, nearest
from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager, manager_of_idle_work
from ltw_core.storage.bounded_cache import BoundedCache
from pages._ui import choices, words
from pages._ui.reader import owners
from pages._ui.training import lookup
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.reference import RUN, Reference
from pages._ui.workbench.likeness_of import (
    WeighedFormula,
    content_of,
    formula_grams,
    formula_weights,
    learned_gram,
    run_gram,
)

KIND = "nearest"
SEEDS = 8  # others that are compared with; each takes a Gram matrix
_read = BoundedCache(1_000)  # each counts as one
_failed = BoundedCache(1_000)  # what could not be found, not to be tried again


def known(learned: Learned, task: Any) -> Nearest | None:
    """The last that was found of it."""
    of = _of(learned, task)
    return _read.get((*of, *_moment(learned))) or _read.get(of)


def to_come(learned: Learned, task: Any) -> bool:
    """Whether what was learned at the end is still to be compared: what is known is then of an earlier step."""
    key = (*_of(learned, task), *_moment(learned))
    return learned.weighting is not None and _read.get(key) is None and _failed.get(key) is None


def failed(learned: Learned, task: Any) -> bool:
    """Whether what it has learned by now could not be compared."""
    return _failed.get((*_of(learned, task), *_moment(learned))) is not None


def ask(learned: Learned, task: Any) -> Job | None:
    """Find it out for what has been learned by now; the job, None where that is known, or there is no room for one, or
    others wait for their training runs."""
    if not learned.source or not same_terms(learned, task):
        return None
    of = _of(learned, task)
    key = (*of, *_moment(learned))
    if _read.get(key) is not None or _failed.get(key) is not None:
        return None
    if learned.weighting is None and manager().counts()[1]:
        return None  # on its way; others wait for their training run
    weighed = formula_weights(task, learned.terms)
    seeds = [] if learned.weighting is None else _other_seeds(learned)

    def work(_: Job) -> None:
        try:
            found = _find(learned, task, weighed, seeds)
        except Exception:
            _failed.put(key, True, 1)
            raise
        _read.put(key, found, 1)
        _read.put(of, found, 1)

    with suppress(ValueError):
        return manager_of_idle_work().submit(owners.current_owner(), KIND, repr(of), work, shared=True)
    return None


def _of(learned: Learned, task: Any) -> tuple:
    """Names what is compared: the weighting whatever it has learned, the class's documents, the formulas."""
    return learned.source, task.fingerprint if task is not None else "", tuple(choices.cd_names())


def _moment(learned: Learned) -> tuple:
    """How far it has come; what has ended is compared with other seeds too."""
    return learned.key, learned.weighting is not None


def same_terms(learned: Learned, task: Any) -> bool:
    """Whether a class's documents are counted by the terms of a weighting."""
    return task is not None and (learned.terms.terms is task.terms or np.array_equal(learned.terms.terms, task.terms))


def of_class(learned: Learned, task: Any) -> bool:
    """Whether the documents that are here are those of a weighting's class, counted alike."""
    return task is not None and learned.title == words.class_label(task) and same_terms(learned, task)


def _find(learned: Learned, task: Any, weighed: dict[str, WeighedFormula], seeds: list[Any]) -> Nearest:
    others = [run_gram(task.fingerprint, content_of(weighting), task, weighting) for weighting in seeds]
    return nearest(learned_gram(learned, task), formula_grams(task, weighed), others)


def _other_seeds(learned: Learned) -> list[Any]:
    """What was learned with other seeds and the same settings, the latest of them."""
    kind, token = Reference.parse(learned.source)
    run = lookup.find(token) if kind == RUN else None
    others = [other for other in lookup.siblings(run) if other.token != token and not other.active]
    return [other.weighting for other in others if other.finished][-SEEDS:]
