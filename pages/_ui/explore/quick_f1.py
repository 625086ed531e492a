"""F1 in seconds: a linear SVM on the quick grid for a handful of weightings that are not in the table of methods."""

from typing import Any

import streamlit as st

from ltw_core.evaluation import Result, evaluate
from ltw_core.figures import f1_comparison
from ltw_core.service.job import Job
from ltw_core.service.jobs import manager
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.weighting import Function
from pages._ui import loading, words
from pages._ui.guard import capital, plain
from pages._ui.plots.plot import plot
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again_after

KIND = "f1"
PATIENCE = 0.25  # one more weighting is there by then, and nothing flickers; of a new class they come one by one
LIMIT = 2_000
_results = BoundedCache(LIMIT)  # each result counts as one


def _key(task: Any, weighting: Any) -> tuple:
    cd = weighting.cd.name if isinstance(weighting.cd, Function) else weighting.cd
    return (task.fingerprint, weighting.dd, cd, weighting.norm, weighting.power, weighting.k1, weighting.b)


def computed(task: Any, weightings: dict[str, Any]) -> dict[str, Result]:
    """What has been computed of them."""
    found = {name: _results.get(_key(task, weighting)) for name, weighting in weightings.items()}
    return {name: result for name, result in found.items() if result is not None}


def ask(task: Any, weightings: dict[str, Any]) -> Job | None:
    """Compute the others; returns the job, None if there is nothing to do."""
    there = computed(task, weightings)
    missing = {name: weighting for name, weighting in weightings.items() if name not in there}
    if not missing:
        return None

    def work(job: Job) -> None:
        for name, weighting in missing.items():
            job.raise_if_stopped()
            result = evaluate(task, weighting, "SVM", "quick", 0, lambda _: job.wait_while_paused())
            _results.put(_key(task, weighting), result, 1)
            job.emit(name)

    key = str(hash(tuple(_key(task, w) for w in missing.values())))
    return manager().submit(owners.me(), KIND, key, work)


def show(task: Any, weightings: dict[str, Any], key: str, like: dict[str, str] | None = None) -> None:
    """F1 of weightings by name, computed where they have not been; ``like``: whose colours they take."""
    job = ask(task, weightings)
    if job is not None:
        loading.wait_until(lambda: not job.active, PATIENCE)

    @st.fragment(run_every=0.6 if job is not None and job.active else None)
    def view() -> None:
        active = job is not None and job.active
        found = computed(task, weightings)
        run_again_after(active, f"_{key}")
        if job is not None and job.status == "failed" and not found:
            st.error(capital(job.error), icon=":material/error:")
            return
        if found:
            figure = f1_comparison.plain(
                {name: result.f1 for name, result in found.items()},
                learner="linear SVM",
                order="given",
                colours=like,
                base=words.base(),
                height=96 + 30 * len(weightings),
            )
            plot(figure, key, live=True)
        rest = len(weightings) - len(found)
        seconds = sum(result.seconds for result in found.values())
        st.caption(
            (f"Computing {words.count(rest, 'more weighting')}… " if active and rest else "")
            + f"Computed now in {words.seconds(seconds)}: linear SVM, quick grid, tested once on "
            f"{len(task.y_test):,} documents of {plain(words.class_label(task))}."
        )

    view()
