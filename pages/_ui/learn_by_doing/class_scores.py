"""F1 of the surfaces that a class has sketched, and of their mean, beside formulas and a learned one.

While the class guesses it is that of held-out training documents (``explore``); of the test documents there is one
look, when the answer is shown. Kept for all who look on; computed in the background, by one job a server process.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ltw_core.lessons import Question, Tally
from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.weighting.formulas.spline import FINE, spline
from pages._ui.reader import owners

MEAN, LEARNED = "Mean of everyone’s", "LTW-L-I"
BESIDE = ("χ²", "RF", LEARNED)
LIMIT = 20_000  # results that are kept, a few hundred bytes each
HELD_OUT, TEST = "held out", "test"
_found = BoundedCache(LIMIT)


def weightings(question: Question, found: Tally, names: list[str]) -> dict[str, Any]:
    """What there is to score by name: the mean, each student's, and what they are compared with.

    names : of those whose guesses ``found`` holds, in their order.
    """
    from ltw_core.weighting import LearnedWeighting, TermWeighting

    scale = question.settings.get("scale", "linear")
    made = {"χ²": TermWeighting(cd="CHI2"), "RF": TermWeighting(cd="RF")}
    if found.mean is not None:
        made = {MEAN: TermWeighting(cd=spline(_square(found.mean), scale)), **made}
    made |= {
        name: TermWeighting(cd=spline(_square(guess), scale)) for name, guess in zip(names, found.guesses, strict=True)
    }
    return made | {LEARNED: LearnedWeighting(variant=LEARNED, random_state=0)}


def scored(task: Any, made: dict[str, Any], how: str = HELD_OUT) -> tuple[dict[str, Any], bool]:
    """What has been computed of them, and whether the rest is under way; begins with it where nothing is."""
    there = {name: result for name, one in made.items() if (result := _found.get(_key(task, one, how))) is not None}
    missing = {name: one for name, one in made.items() if name not in there}
    if missing:
        manager().submit(owners.current_owner(), "class", f"{task.fingerprint} {how}", _work(task, missing, how))
    return {name: result for name, result in there.items() if result != "none"}, bool(missing)


def _work(task: Any, missing: dict[str, Any], how: str) -> Callable[[Job], None]:
    def work(job: Job) -> None:
        from ltw_core.evaluation import evaluate, explore

        score = {HELD_OUT: explore, TEST: evaluate}[how]
        for name, one in missing.items():
            job.raise_if_stopped()
            try:
                result = score(task, one, "SVM", "quick", 0)
            except ValueError:  # a surface without any height weighs nothing
                result = "none"
            _found.put(_key(task, one, how), result, 1)
            job.emit(name)

    return work


def _key(task: Any, one: Any, how: str) -> tuple:
    cd = getattr(one, "cd", None)
    return task.fingerprint, how, LEARNED if cd is None else getattr(cd, "name", cd)


def _square(heights: list[float]) -> np.ndarray:
    return np.array(heights, dtype=float).reshape(FINE, FINE)
