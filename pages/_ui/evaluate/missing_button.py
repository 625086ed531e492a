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
    first: Job | None = None,
) -> None:
    """In one place the button that computes, which ``compute`` draws there and answers with the job if it was pressed,
    and while a job runs the one that stops it, beside how far it is: the ``job`` that was asked for, or else the
    ``first``, which nobody has asked for."""
    row = where.container(horizontal=True, vertical_alignment="center", gap="small", key="computing")
    place = row.empty()
    if job is None or not job.active:
        job = first if first is not None and first.active else compute(place)
    if job is not None and job.active:
        jobs.stop_button(place, job, "stop_evaluation", jobs.give_up if job is first else None)
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
    seconds: float | None = None,
) -> bool:
    """Draw it; whether it was pressed. Without a callback: its arguments would be those of the page's last whole run.
    As long as anything is missing pressing it is the page's main action, and then it is a note.

    Parameters
    ----------
    where : a column or container.
    key : of the button.
    total, missing : how many units were asked for, and how many of them are not known.
    unit : what one is called.
    first : what it says where nothing is known yet.
    help : what pressing it does.
    seconds : how long it takes, where that is known.
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
    takes = jobs.takes(seconds) if missing else ""
    text += f", {takes}" * bool(takes)
    icon = ":material/play_arrow:" if missing else ":material/check:"
    kind = "primary" if missing else "tertiary" if total else "secondary"
    return where.button(text, type=kind, icon=icon, disabled=not missing, key=key, help=help)
