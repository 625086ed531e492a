"""F1 in seconds: a linear SVM on the quick grid for a handful of weightings that are not in the table of methods.

While a reader tries things out it is that of training documents that are held out; the test documents are for one look
at the end.
"""

import hashlib
import time
from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.evaluation import Explored, Result, evaluate, explore
from ltw_core.evaluation.best import compared
from ltw_core.evaluation.verdicts import interval_text
from ltw_core.figures import f1_comparison
from ltw_core.metrics import signed
from ltw_core.service.job import Job, sentence_of
from ltw_core.service.job_manager import manager, manager_of_idle_work
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.weighting import Function
from ltw_core.weighting.progress import Cancelled
from pages._ui import jobs, loading, words
from pages._ui.guard import capital, plain
from pages._ui.plots.plot import plot
from pages._ui.reader import owners

KIND = "f1"
PATIENCE = 0.25  # one more weighting is there by then, and nothing flickers; of a new class they come one by one
LIMIT = 500
_results = BoundedCache(LIMIT)  # each result counts as one
_failures = BoundedCache(LIMIT)  # why there is none, and when that was found
AGAIN = 300.0  # seconds until what has failed is tried once more: a page that asks in each of its runs would never rest
SETTINGS = "Linear SVM; the quick grid chooses C on held-out training documents"
APART = (
    f"{SETTINGS}. Neither C nor the weighting has seen the documents that are scored. The dashed lines beside a "
    "training run are at another F1: as in the paper, C is chosen on the very documents that are scored, and these "
    "count in tpr and fpr."
)


HELD_OUT, TEST = "held out", "test"  # whose F1


def _key(task: Any, weighting: Any, how: str) -> tuple:
    return (how, *_content(task, weighting))


def _content(task: Any, weighting: Any) -> tuple:
    if hasattr(weighting, "cd_") and not hasattr(weighting, "power"):  # learned: known by its weights
        return (task.fingerprint, hashlib.sha256(np.ascontiguousarray(weighting.cd_).tobytes()).hexdigest())
    cd = weighting.cd.name if isinstance(weighting.cd, Function) else weighting.cd
    return (task.fingerprint, weighting.dd, cd, weighting.norm, weighting.power, weighting.k1, weighting.b)


def computed(task: Any, weightings: dict[str, Any], how: str = TEST) -> dict[str, Result | Explored]:
    """What has been computed of them."""
    found = {name: _results.get(_key(task, weighting, how)) for name, weighting in weightings.items()}
    return {name: result for name, result in found.items() if result is not None}


def failed(task: Any, weightings: dict[str, Any], how: str = TEST) -> dict[str, str]:
    """Why there is no F1 of those that have failed a while ago at most, in a sentence."""
    found = {name: _failures.get(_key(task, weighting, how)) for name, weighting in weightings.items()}
    recent = time.monotonic() - AGAIN
    return {name: told for name, (told, when) in ((n, f) for n, f in found.items() if f is not None) if when > recent}


def under_way(task: Any, weightings: dict[str, Any], how: str = TEST) -> bool:
    """Whether any of them is being computed where nobody waits for it, or has its turn to come."""
    keys = {_key(task, weighting, how) for weighting in weightings.values()}
    own = manager_of_idle_work().of(owners.current_owner(), KIND)
    return any(job.active and keys & job.meta["of"] for job in own)


def ask(task: Any, weightings: dict[str, Any], how: str = TEST, *, for_all: bool = False) -> Job | None:
    """Compute the others that have not just failed; returns the job, None if there is nothing to do.

    ``for_all``: nobody waits for it, and whoever else asks shares it; where there is no room for it, it is left.
    """
    there = {**computed(task, weightings, how), **failed(task, weightings, how)}
    score = {HELD_OUT: explore, TEST: evaluate}[how]
    missing = {name: weighting for name, weighting in weightings.items() if name not in there}
    if not missing:
        return None

    def work(job: Job) -> None:
        why: Exception | None = None
        for name, weighting in missing.items():
            job.raise_if_stopped()
            try:
                result = score(task, weighting, "SVM", "quick", 0, lambda _: job.wait_while_paused())
            except Cancelled:
                raise
            except Exception as error:  # the others have their F1 all the same
                why = error
                _failures.put(_key(task, weighting, how), (sentence_of(error), time.monotonic()), 1)
                continue
            _results.put(_key(task, weighting, how), result, 1)
            job.emit(name)
        if why is not None:
            raise why

    keys = [_key(task, weighting, how) for weighting in missing.values()]
    key, meta = str(hash(tuple(keys))), {"of": set(keys)}
    owner = owners.current_owner()
    if not for_all:
        return manager().submit(owner, KIND, key, work, meta)
    with suppress(ValueError):
        return manager_of_idle_work().submit(owner, KIND, key, work, meta, shared=True)
    return None


def _differences(task: Any, weightings: dict[str, Any], found: dict[str, Result]) -> str:
    """What the first has more than each of the others on the same test documents, in a sentence."""
    first, *others = found
    said = []
    for name in others:
        both = (_key(task, weightings[first], TEST), _key(task, weightings[name], TEST))
        lead = _results.get_or_make(  # it draws the test documents many times
            both, lambda other=name: compared([found[first]], [found[other]], task.y_test), lambda _: 1
        )
        said.append(f"minus {plain(name)}: {signed(lead.value)} [{interval_text(lead.documents)}]")
    return f"Test F1 of **{plain(first)}** {'; '.join(said)}. In brackets: 95% intervals of the differences."


def show(
    task: Any,
    weightings: dict[str, Any],
    key: str,
    like: dict[str, str] | None = None,
    how: str = HELD_OUT,
    line: Any = None,
) -> None:
    """F1 of weightings by name, computed where they have not been; ``like``: whose colours they take; ``line``: an
    empty place that says them in a line, for where the figure is out of sight."""
    job = ask(task, weightings, how)
    if job is not None:
        loading.wait_until(lambda: not job.active, PATIENCE)

    def draw() -> None:
        active = job is not None and job.active
        found = computed(task, weightings, how)
        for told in dict.fromkeys(failed(task, weightings, how).values()):
            st.error(capital(told), icon=":material/error:")
        if not found and not active:
            return
        if line is not None:
            value = lambda name: words.f1(found[name].f1) if name in found else "…"  # noqa: E731
            said = " · ".join(f"{plain(name)} **{value(name)}**" for name in weightings)
            line.markdown(f"{'Test' if how == TEST else 'Held-out'} F1: {said}")
        if found:
            figure = f1_comparison.plain(
                {name: result.f1 for name, result in found.items()},
                learner="linear SVM",
                order="given",
                colours=like,
                intervals={name: result.estimate.both for name, result in found.items()},
                part="test" if how == TEST else "held-out",
                base=words.base(),
                height=96 + 30 * len(weightings),
            )
            plot(figure, key, live=True)
        if how == TEST and len(found) == len(weightings) > 1:
            st.markdown(_differences(task, weightings, found))
        rest = len(weightings) - len(found)
        seconds = sum(result.seconds for result in found.values())
        on = ""
        if how == TEST:
            on = f", on {len(task.y_test):,} test documents, {int(task.y_test.sum()):,} of them of the class"
        elif found:
            on = f", on {next(iter(found.values())).how}; no test document is looked at"
        st.caption(
            (f"Computing {words.count(rest, 'more weighting')}… " if active and rest else "")
            + f"Linear SVM, quick grid{on}.",
            help=f"Computed now in {words.seconds(seconds)}, {plain(words.class_label(task))}. "
            f"{APART if how == HELD_OUT else SETTINGS + '.'} Whiskers: 95% intervals, what other such documents would "
            "change.",
        )

    jobs.follow(job, key, draw, 0.6)
