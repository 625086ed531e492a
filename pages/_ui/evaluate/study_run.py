"""Running a study from the page: what to compute, what it would take, its progress, and what failed."""

import os
import time
from typing import Any

import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.evaluation import GRIDS, LEARNERS, learner, learners
from ltw_core.service import study_process
from ltw_core.settings import study_workers
from ltw_core.studies.estimate import Forecast, duration, forecast
from ltw_core.studies.plan import plan
from ltw_core.studies.store import Store
from ltw_core.weighting import FAMILIES, display, methods
from pages._ui import loading, words
from pages._ui.evaluate.study_source import store_path
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
    available = [entry for entry in catalogue() if entry.available]
    titles = {entry.name: entry.title for entry in available}
    left, right = st.columns(2, gap="large")
    with left:
        datasets = st.multiselect(
            "Corpora",
            list(titles),
            default=[n for n in ("reuters21578",) if n in titles] or list(titles)[:1],
            format_func=titles.get,
            key="run_datasets",
            help="Those that are on this server; the corpus page fetches more. Uploaded ones take no part.",
        )
        names = _classes(datasets)
        weightings = st.multiselect(
            "Weightings",
            [*FAMILIES, *methods()],
            default=["LogTFIDF", "TFCHI", "TFRF", "LTW-L-I"],
            format_func=lambda n: f"All {n}" if n in FAMILIES else display(n),
            key="run_weightings",
            help="Whole families or single ones. UTW ignores the class, STW uses a formula of it, LTW "
            "learns the formula.",
        )
    with right:
        chosen = st.multiselect(
            "Classifiers",
            LEARNERS,
            default=["SVM"],
            format_func=lambda n: learner(n).title + ("" if n in learners() else " · with Dense only"),
            key="run_learners",
            help="Each is tuned on held-out training documents for every class and weighting.",
        )
        a, b, c = st.columns([1.4, 1, 1], vertical_alignment="bottom")
        grid = a.segmented_control(
            "Grid",
            list(GRIDS),
            format_func=str.capitalize,
            default="quick",
            required=True,
            key="run_grid",
            help="Quick tries a few settings of each classifier, full all those of the paper: many times as long.",
        )
        seeds = b.number_input(
            "Seeds", 1, 100, 1, key="run_seeds", help="Runs of what is drawn: learned weightings, and forests."
        )
        most = min(study_workers(), os.cpu_count() or 1)
        workers = c.number_input(
            "Processes",
            1,
            most,
            most,
            key="run_workers",
            help=f"This server allows {most}; the app slows down a little.",
        )
        st.caption(
            f"Results go into `{store_path().name}` in this server's state folder; what is there is not computed again."
        )
    if not (datasets and weightings and chosen):
        st.info("Choose at least one corpus, weighting and classifier.", icon=":material/info:")
        return None
    return study_process.Request(
        *(tuple(datasets), tuple(weightings), tuple(chosen), tuple(names)),
        grid=grid,
        seeds=int(seeds),
        workers=int(workers),
    )


def _classes(datasets: list[str]) -> list[str]:
    """Classes of a single corpus, when it has been read; [] for all."""
    if len(datasets) != 1:
        return []
    loading.begin(datasets[0], patience=0.6)
    known = list(loading.vectorized(datasets[0]).class_names) if loading.ready(datasets[0]) else []
    return st.multiselect(
        "Classes",
        known,
        key=f"run_classes-{datasets[0]}",
        placeholder="All classes" if known else "All classes; the list comes when the corpus has been read",
        disabled=not known,
        help="None chosen means all.",
    )


def _buttons(request: study_process.Request) -> None:
    running = (now := study_process.current()) is not None and now.running
    with st.container(horizontal=True, vertical_alignment="center"):
        begin = st.button(  # no callback: its arguments would be those of the last whole run of this page
            "Start the study",
            type="primary",
            icon=":material/play_arrow:",
            disabled=running,
            key="run_start",
            help="In processes of its own: it goes on when this page is closed. One study at a time on a server.",
        )
        look = st.button(
            "Dry run",
            icon=":material/calculate:",
            key="run_dry",
            help="Count the cells and estimate the time; compute nothing.",
        )
    if begin:
        with sentences():
            study_process.start(request, store_path(), owner=owners.me())
            st.session_state.pop("_forecast", None)
            run_again()
    if look:
        with sentences(), st.spinner("Counting…"):
            st.session_state["_forecast"] = (request, _forecast(request))
    known = st.session_state.get("_forecast")
    if known is not None and known[0] == request:
        _tell(known[1], request.workers)


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
    p, request = study.progress, study.request
    total, ended = p.get("total", 0), p.get("done", 0) + p.get("failed", 0)
    titles = {entry.name: entry.title for entry in catalogue()}
    parts = (
        ", ".join(titles.get(name, name) for name in request.datasets),
        ", ".join(request.classes),
        ", ".join(display_all(request.weightings)),
        ", ".join(request.learners),
        f"{request.grid} grid",
        words.count(request.seeds, "seed"),
    )
    what = " · ".join(filter(None, parts))
    bar, button = st.columns([6, 1], vertical_alignment="center")
    if study.running:
        text = f"{ended:,} of {total:,} cells" if total else "Planning the study…"
        if p.get("failed"):
            text += f", {p['failed']:,} failed"
        if total:
            left = p.get("left")
            more = f" and {p['unknown']:,} cells not measured yet" if p.get("unknown") else ""
            text += "; time left unknown" if left is None else f"; about {duration(left)}{more} left"
        bar.progress(min(1.0, ended / total) if total else 0.0, text=text)
        whose, may_stop = _whose(study)
        if may_stop and button.button(
            "Stop",
            icon=":material/stop:",
            width="stretch",
            key="run_stop",
            help=f"{whose} What is done stays; it can go on later.",
        ):
            study.stop()
            st.toast("Stopping: cells at hand wait again.", icon=":material/stop_circle:")
        if study.owner not in owners.names():
            bar.caption(whose)
    else:
        told = {"finished": "Finished", "stopped": "Stopped", "failed": "It ended with an error"}[study.state]
        count = f": {ended:,} of {total:,} cells" if total else ""
        count += f", {p['failed']:,} of them failed" if p.get("failed") else ""
        bar.markdown(f"**{told}**{count}.")
        if study.error:
            bar.error(capital(study.error), icon=":material/error:")
        again = study.state != "finished" or p.get("failed")
        if (
            again
            and study_workers()
            and button.button(
                "Go on" if study.state != "finished" else "Retry failed",
                icon=":material/resume:" if study.state != "finished" else ":material/refresh:",
                width="stretch",
                key="run_resume",
                help="The same study from where it was." if study.state != "finished" else "Compute again what failed.",
            )
        ):
            with sentences():
                study_process.start(request, study.store, retry_failed=study.state == "finished", owner=owners.me())
                run_again()
    st.caption(f"{plain(what)} · started {time.strftime('%Y-%m-%d %H:%M', time.gmtime(study.started))} UTC")


def _whose(study: study_process.Study) -> tuple[str, bool]:
    """Whose a study is, in a sentence, and whether this reader may stop it."""
    if study.owner in owners.names():
        return "You started it.", True
    if owners.gone(study.owner):
        return "Whoever started it is not here any more: anyone may stop it.", True
    return "Another reader started it, who may stop it.", False


def display_all(names: Any) -> list[str]:
    """Names of weightings and families as they are shown."""
    return [f"all {name}" if name in FAMILIES else display(name) for name in names]


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
