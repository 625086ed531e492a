"""The button that computes what is missing of what was asked for: F1 scores, classifiers of all classes, curves."""

from collections.abc import Callable
from functools import partial
from typing import Any

from ltw_core.service.job import Job
from pages._ui import jobs, words


def stop_or_compute(
    where: Any,
    job: Job | None,
    compute: Callable[[Any], Job | None],
    state: Callable[[Job], jobs.JobState],
    cancel: Callable | None = None,
) -> None:
    """In one place the button that computes, which ``compute`` draws there and answers with the job if it was pressed,
    and while a job runs the one that stops it, by ``cancel`` where the manager has it not, beside how far it is."""
    row = where.container(horizontal=True, vertical_alignment="center", gap="small", key="computing")
    place = row.empty()
    if job is None or not job.active:
        job = compute(place)
    if job is not None and job.active:
        jobs.stop_button(place, job, "stop_evaluation", cancel)
        with row:
            jobs.going(job, partial(state, job))


def missing_button(
    where: Any,
    key: str,
    total: int,
    missing: int,
    unit: str,
    *,
    first: str,
    help: str,
    takes: str = "",
    empty: bool,
) -> bool:
    """Draw it; whether it was pressed. Without a callback: its arguments would be those of the page's last whole run.

    Parameters
    ----------
    where : a column or container.
    key : of the button.
    total, missing : how many units were asked for, and how many of them are not known.
    unit : what one is called.
    first : what it says where nothing is known yet.
    help : what pressing it does.
    takes : how long it takes, in words, where that is known.
    empty : whether the view shows no results yet, or none of what the page asks about: only then is pressing it the
        page's main action.
    """
    units = words.count(total, unit)
    if not total:
        text = "Choose a weighting and a classifier"
    elif not missing:
        text = f"All {units} known"
    elif missing < total:
        text = f"Compute {missing:,} more"
    else:
        text = first
    text += f", {takes}" * bool(takes and missing)
    icon = ":material/play_arrow:" if missing else ":material/check:"
    # with nothing left to press it is a note
    kind = "tertiary" if total and not missing else "primary" if missing and empty else "secondary"
    return where.button(text, type=kind, icon=icon, disabled=not missing, key=key, help=help)
