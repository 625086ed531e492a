"""Running a study from the page: what to compute, what it would take, its progress, and what failed."""

import os
import time
from typing import Any

import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.evaluation import GRIDS, LEARNERS
from ltw_core.service import study_process
from ltw_core.settings import study_workers
from ltw_core.studies.estimate import Forecast, duration, forecast
from ltw_core.studies.plan import plan
from ltw_core.studies.store import Store
from ltw_core.weighting import FAMILIES, display, methods
from pages._ui import choices, loading, words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate.study_source import store_path, titles
from pages._ui.guard import capital, plain, sentences
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again

TICK = 2.0
FAILURES = 50  # listed


def page() -> None:
    """The form and what was found out about it."""
    if not study_workers():
        st.info(
            "Whoever runs this server does not let studies be started from the page. On the command line: "
            "`python -m ltw_core.studies run --help`.",
            icon=":material/lock:",
        )
        _failures()
        return
    request = _form()
    if request is not None:
        _buttons(request)
    _failures()


def _form() -> study_process.Request | None:
    there = {entry.name: entry.title for entry in catalogue() if entry.available}
    left, right = st.columns(2, gap="large")
    with left:
        first = [name for name in ("reuters21578",) if name in there] or list(there)[:1]
        datasets = control(st.multiselect, "run_datasets", there, default=first)
        names = _classes(datasets)
        names_of = {name: f"All {name}" for name in FAMILIES} | {name: display(name) for name in methods()}
        weightings = control(st.multiselect, "run_weightings", names_of, default=list(choices.WEIGHTINGS["studies"]))
    with right:
        taken = {n: of.title + (f" · with {of.weighting} only" if of.weighting else "") for n, of in LEARNERS.items()}
        chosen = control(st.multiselect, "run_learners", taken, default=["SVM"])
        a, b, c = st.columns([1.4, 1, 1], vertical_alignment="bottom")
        grid = choose_one("run_grid", {name: name.capitalize() for name in GRIDS}, "quick", a)
        seeds = control(b.number_input, "run_seeds", 1, 100, 1)
        most = min(study_workers(), os.cpu_count() or 1)
        told = f"This server allows {most}; the app slows down a little."
        workers = control(c.number_input, "run_workers", 1, most, most, help=told)
        st.caption(
            f"Results go into `{store_path().name}` in this server's state folder; what is there is not computed again."
        )
    if not (datasets and weightings and chosen):
        st.info("Choose at least one corpus, weighting and classifier.", icon=":material/info:")
        return None
    asked = (tuple(some) for some in (datasets, weightings, chosen, names))
    return study_process.Request(*asked, grid=grid, seeds=int(seeds), workers=int(workers))


def _classes(datasets: list[str]) -> list[str]:
    """Classes of a single corpus, when it has been read; [] for all."""
    if len(datasets) != 1:
        return []
    loading.begin(datasets[0], patience=0.6)
    there = list(loading.vectorized(datasets[0]).class_names) if loading.ready(datasets[0]) else []
    empty = "All classes" if there else "All classes; the list comes when the corpus has been read"
    key = f"run_classes-{datasets[0]}"
    return control(st.multiselect, key, there, placeholder=empty, disabled=not there, like="run_classes")


def _buttons(request: study_process.Request) -> None:
    running = (now := study_process.current()) is not None and now.running
    with st.container(horizontal=True, vertical_alignment="center"):
        # no callback: its arguments would be those of the last whole run of this page
        go = {"type": "primary", "icon": ":material/play_arrow:", "disabled": running}
        begin = control(st.button, "run_start", **go)
        look = control(st.button, "run_dry", icon=":material/calculate:")
    if begin:
        with sentences():
            study_process.start(request, store_path(), owner=owners.me())
            st.session_state.pop("_forecast", None)
            run_again()
    if look:
        with sentences(), st.spinner("Counting…"):
            st.session_state["_forecast"] = (request, _forecast(request))
    counted = st.session_state.get("_forecast")
    if counted is not None and counted[0] == request:
        _tell(counted[1], request.workers)


def _forecast(request: study_process.Request) -> Forecast:
    cells = plan(
        list(request.datasets),
        classes=list(request.classes) or "all",
        weightings=list(request.weightings),
        learner_names=list(request.learners),
        grid=request.grid,
        seeds=request.seeds,
    )
    return forecast(cells, store_path())


def _tell(rest: Forecast, workers: int) -> None:
    parts = [
        f"**{words.count(rest.cells, 'cell')}**: {rest.done:,} done, {rest.failed:,} failed, "
        f"{rest.to_compute:,} to compute"
    ]
    if rest.measured:
        parts.append(
            f"about **{duration(rest.seconds / workers)}** with {words.count(workers, 'process', 'processes')}, "
            "from cells measured here or shipped"
        )
    if rest.not_measured:
        parts.append(
            f"{words.count(rest.not_measured, 'cell')} not in this estimate, since nothing alike has been measured"
        )
    st.success("; ".join(parts) + ".", icon=":material/calculate:")


def progress(brief: bool) -> None:
    """The study that was started last; ``brief``: only while it runs."""
    now = study_process.current()
    if now is None or (brief and not now.running):
        return

    @st.fragment(run_every=TICK if now.running else None)
    def view() -> None:
        study = study_process.current()
        if study is None:
            return
        if not study.running and now.running:
            run_again()
        with st.container(border=True):
            _study(study)

    view()


def _study(study: study_process.Study) -> None:
    request = study.request
    bar, button = st.columns([6, 1], vertical_alignment="center")
    (_running if study.running else _ended)(study, bar, button)
    corpora = titles()
    parts = (
        ", ".join(corpora.get(name, name) for name in request.datasets),
        ", ".join(request.classes),
        ", ".join(f"all {name}" if name in FAMILIES else display(name) for name in request.weightings),
        ", ".join(request.learners),
        f"{request.grid} grid",
        words.count(request.seeds, "seed"),
    )
    what = plain(" · ".join(filter(None, parts)))
    st.caption(f"{what} · started {time.strftime('%Y-%m-%d %H:%M', time.gmtime(study.started))} UTC")


def _running(study: study_process.Study, bar: Any, button: Any) -> None:
    p, total, ended = study.progress, *_counts(study)
    text = f"{ended:,} of {total:,} cells" if total else "Planning the study…"
    if p.get("failed"):
        text += f", {p['failed']:,} failed"
    if total:
        left = p.get("left")
        more = f" and {p['unknown']:,} cells not measured yet" if p.get("unknown") else ""
        text += "; time left unknown" if left is None else f"; about {duration(left)}{more} left"
    bar.progress(min(1.0, ended / total) if total else 0.0, text=text)
    whose, may_stop = _whose(study)
    told = f"{whose} What is done stays; it can go on later."
    if may_stop and control(button.button, "run_stop", icon=":material/stop:", width="stretch", help=told):
        study.stop()
        st.toast("Stopping: cells that are being computed wait again.", icon=":material/stop_circle:")
    if study.owner not in owners.names():
        bar.caption(whose)


def _ended(study: study_process.Study, bar: Any, button: Any) -> None:
    total, ended = _counts(study)
    failed, finished = study.progress.get("failed"), study.state == "finished"
    told = {"finished": "Finished", "stopped": "Stopped", "failed": "It ended with an error"}[study.state]
    count = f": {ended:,} of {total:,} cells" if total else ""
    count += f", {failed:,} of them failed" if failed else ""
    bar.markdown(f"**{told}**{count}.")
    if study.error:
        bar.error(capital(study.error), icon=":material/error:")
    if not study_workers() or (finished and not failed):
        return
    again, icon = ("run_retry", ":material/refresh:") if finished else ("run_resume", ":material/resume:")
    if control(button.button, "run_resume", like=again, icon=icon, width="stretch"):
        with sentences():
            study_process.start(study.request, study.store, retry_failed=finished, owner=owners.me())
            run_again()


def _counts(study: study_process.Study) -> tuple[int, int]:
    """Cells in all, and those that are done or failed."""
    p = study.progress
    return p.get("total", 0), p.get("done", 0) + p.get("failed", 0)


def _whose(study: study_process.Study) -> tuple[str, bool]:
    """Whose a study is, in a sentence, and whether this reader may stop it."""
    if study.owner in owners.names():
        return "You started it.", True
    if owners.gone(study.owner):
        return "Whoever started it is not here any more: anyone may stop it.", True
    return "Another reader started it, who may stop it.", False


def _failures() -> None:
    """Cells of this server's store that failed, and why."""
    if not store_path().is_file():
        return
    with Store(store_path(), create=False) as store:
        failed = store.failures() if store.counts()["failed"] else []
    if not failed:
        return
    with st.expander(f"{words.count(len(failed), 'cell')} failed", icon=":material/error:"):
        st.dataframe(
            [{"cell": str(cell), "why": error.strip().splitlines()[-1]} for cell, error in failed[:FAILURES]],
            hide_index=True,
            alt="Failed cells and why",
        )
        st.caption("They are left alone until the same study is started again with *Retry failed*.")
