"""Running a study from the page: what to compute, what it would take, its progress, and what failed."""

import time
from contextlib import suppress
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import GRIDS
from ltw_core.metrics import listed
from ltw_core.protocol import Protocol, in_words, protocol
from ltw_core.service import study_process
from ltw_core.service.kept_tables import KeptTable
from ltw_core.settings import study_workers
from ltw_core.storage.database import NotThere
from ltw_core.storage.file_schema import FileError
from ltw_core.studies.averages import AveragedCells
from ltw_core.studies.estimate import Forecast, duration, forecast
from ltw_core.studies.plan import cells_of, plan
from ltw_core.studies.store import Store
from ltw_core.weighting import FAMILIES, display
from pages._ui import loading, words
from pages._ui.controls import control
from pages._ui.evaluate import study_form
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import in_order, load, own_tables, short_titles, store_path, titles
from pages._ui.evaluate.study_views import RUN_BY, lowered
from pages._ui.guard import capital, plain, sentences
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again

TICK = 2.0
FAILURES = 50  # listed
GONE = "Whoever started it is no longer here, so anyone may stop it. Finished scores are kept."


def page() -> None:
    """The form, what it would take, and what is there already."""
    if not study_workers():
        st.info(
            "On this server, studies cannot be started from the page. Use the command line: "
            "`python -m ltw_core.studies run --help`.",
            icon=":material/lock:",
        )
        _failures()
        return
    asked = study_form.form()
    if asked is not None:
        _buttons(*asked)
    _failures()
    _known()


def _known() -> None:
    """What is computed already: what this server computed is not computed again, what is included with the app is."""
    groups: dict[tuple[str, str, str], list[AveragedCells]] = {}
    for f in load("both").averaged:
        how = f.example.how.name if f.example.how.name in RUN_BY else ""
        groups.setdefault((f.example.corpus, f.example.grid, how), []).append(f)
    if not groups:
        return
    named = short_titles()
    orders = (in_order(corpus for corpus, *_ in groups), list(GRIDS), [*RUN_BY, ""])
    place = lambda group: [order.index(part) for order, part in zip(orders, group[0], strict=True)]  # noqa: E731
    frame = pd.DataFrame(
        {
            "corpus": named.get(corpus, corpus),
            "grid": grid.capitalize(),
            "protocol": RUN_BY.get(how, "By other options"),
            "scores": sum(f.done for f in found),
            "weightings": len({f.weighting for f in found}),
            "classifiers": len({f.learner for f in found}),
            "last": time.strftime("%Y-%m-%d", time.gmtime(max(f.last for f in found))),
        }
        for (corpus, grid, how), found in sorted(groups.items(), key=place)
        if any(f.done for f in found)
    )
    st.header("Already computed", anchor=False)
    about = "How much is computed of each corpus, by grid and protocol"
    whole_table(frame, "studied", about)
    others: dict[Protocol, dict[str, dict[str, None]]] = {}
    for (corpus, *_, how), found in groups.items():
        for f in found if not how else ():
            of = others.setdefault(f.example.how, {}).setdefault(named.get(corpus, corpus), {})
            of[display(f.weighting)] = None
    if others:
        with st.expander("Which options"):
            for one, of in sorted(others.items(), key=str):
                run = "; ".join(f"{listed(list(names))} on {corpus}" for corpus, names in of.items())
                st.markdown(f"{plain(run)}, {lowered(RUN_BY[one.bundle])} except:")
                st.markdown("\n".join(f"- {plain(said)}" for said in in_words(one, one.bundle)))


def _buttons(request: study_process.Request, table: KeptTable | None) -> None:
    running = any((now := _last(one)[0]) is not None and now.running for one in _shown()) or bool(_of_others())
    estimate = st.container(key="run_estimate")  # read before one starts
    with st.container(horizontal=True, vertical_alignment="center", key="run_begin"):
        # no callback: its arguments would be those of the last whole run of this page
        go = {"type": "primary", "icon": ":material/play_arrow:", "disabled": running}
        begin = control(st.button, "run_start", **go)
        at_once = table is not None or all(map(loading.ready, request.datasets))
        look = at_once or control(st.button, "run_dry", icon=":material/calculate:")
    if begin:
        with sentences():
            _start(request, table)
            st.session_state.pop("_forecast", None)
            run_again()
    counted = st.session_state.get("_forecast")
    if look and not running and (not at_once or counted is None or counted[0] != request):
        with sentences(), estimate, st.spinner("Counting…"):
            st.session_state["_forecast"] = (request, _forecast(request, table))
    counted = st.session_state.get("_forecast")
    if counted is not None and counted[0] == request:
        with estimate:
            _tell(counted[1], request.workers)


def _start(request: study_process.Request, table: KeptTable | None, retry_failed: bool = False) -> None:
    how = {"retry_failed": retry_failed, "owner": owners.current_owner()}
    if table is None:
        study_process.start(request, store_path(), **how)
        return
    loading.vectorized(table.key)  # counted so it must have room here: who started it wants to see its documents
    study_process.start_of_table(table, request, **how)


def _forecast(request: study_process.Request, table: KeptTable | None) -> Forecast:
    what = {
        "classes": list(request.classes) or "all",
        "weightings": list(request.weightings),
        "learner_names": list(request.learners),
        "grid": request.grid,
        "seeds": request.seeds,
        "ratio": request.ratio,
        "protocol": request.protocol,
        **dict(request.options),
    }
    if table is not None:  # it is here already: neither read again nor counted into the server's caches
        return forecast(cells_of(loading.vectorized(table.key), **what), table.store)
    return forecast(plan(list(request.datasets), **what), store_path())


def _tell(rest: Forecast, workers: int) -> None:
    counts = {"done": rest.done, "failed": rest.failed, "to compute": rest.to_compute}
    told = ", ".join(f"{n:,} {what}" for what, n in counts.items() if n)
    told = " to compute" if rest.to_compute == rest.cells else f": {told}"
    parts = [f"**{words.count(rest.cells, 'F1 score')}**{told}"]
    if rest.measured:
        parts.append(
            f"about **{duration(rest.seconds / workers)}** with {words.count(workers, 'process', 'processes')}, longer "
            "while others compute here"
        )
    if rest.not_measured:
        parts.append(
            f"{words.count(rest.not_measured, 'score')} not in this estimate, since nothing similar has been computed "
            "yet"
        )
    st.markdown(f"{'; '.join(parts)}.")


def progress(brief: bool) -> None:
    """The studies that were started last, of the catalogue's corpora and of the reader's tables; ``brief``: only while
    they run."""
    for table in _shown():
        _progress(table, brief)
    for study in [] if brief else _of_others():
        st.caption("Another reader’s own table is being studied; only one study runs at a time.")
        if owners.gone(study.owner) and control(st.button, "run_stop", icon=":material/stop:", help=GONE):
            study.stop()


def _shown() -> list[KeptTable | None]:
    """Whose studies this reader sees: the server's (None), and their tables'."""
    return [None, *own_tables().values()]


def _of_others() -> list[study_process.Study]:
    """Running studies of tables that others brought."""
    mine = {table.folder for table in own_tables().values()}
    return [study for folder, study in study_process.tables_in_use().items() if folder not in mine]


def _progress(table: KeptTable | None, brief: bool) -> None:
    now, problem = _last(table)
    if problem:
        text = (
            f"The study that was started last is not known: {plain(problem)}. Start it again: finished scores are kept."
        )
        st.warning(text, icon=":material/warning:")
    if now is None or (brief and not now.running):
        return

    @st.fragment(run_every=TICK if now.running else None)
    def view() -> None:
        study, _ = _last(table)
        if study is None:
            return
        if not study.running and now.running:
            run_again()
        with st.container(border=True):
            _study(study, table)

    view()


def _last(table: KeptTable | None) -> tuple[study_process.Study | None, str]:
    """The study that was started last, and why it is not known where its files are damaged."""
    try:
        return study_process.current() if table is None else study_process.current_of_table(table), ""
    except FileError as error:
        return None, str(error)


def _study(study: study_process.Study, table: KeptTable | None) -> None:
    request = study.request
    bar, button = st.columns([6, 1], vertical_alignment="center")
    (_running if study.running else _ended)(study, table, bar, button)
    corpora = titles()
    parts = (
        ", ".join(corpora.get(name, name) for name in request.datasets),
        ", ".join(request.classes),
        ", ".join(f"all {name}" if name in FAMILIES else display(name) for name in request.weightings),
        ", ".join(request.learners),
        f"{request.grid} grid",
        words.count(request.seeds, "seed"),
        study_form.told(dict(request.options), None if request.ratio is None else 100 * request.ratio),
        protocol(request.protocol).told,
    )
    what = plain(" · ".join(filter(None, parts)))
    st.caption(f"{what} · started {time.strftime('%Y-%m-%d %H:%M', time.gmtime(study.started))} UTC")


def _running(study: study_process.Study, table: KeptTable | None, bar: Any, button: Any) -> None:
    p, total, ended = study.progress, *_counts(study)
    text = f"{ended:,} of {total:,} F1 scores" if total else "Planning the study…"
    if p.get("failed"):
        text += f", {p['failed']:,} failed"
    if total:
        left = p.get("left")
        more = f" and {p['unknown']:,} without an estimate" if p.get("unknown") else ""
        text += "; time left unknown" if left is None else f"; about {duration(left)}{more} left"
    bar.progress(min(1.0, ended / total) if total else 0.0, text=text)
    whose, may_stop = _whose(study)
    about = f"{whose} Finished scores are kept; it can be resumed later."
    key = _key("run_stop", table)
    if may_stop and control(button.button, key, like="run_stop", icon=":material/stop:", width="stretch", help=about):
        study.stop()
        st.toast("Stopping: unfinished scores return to the queue.", icon=":material/stop_circle:")
    if study.owner not in owners.names():
        bar.caption(whose)


def _key(name: str, table: KeptTable | None) -> str:
    return name if table is None else f"{name}-{table.key}"


def _ended(study: study_process.Study, table: KeptTable | None, bar: Any, button: Any) -> None:
    total, ended = _counts(study)
    failed, finished = study.progress.get("failed"), study.state == "finished"
    end = {"finished": "Finished", "stopped": "Stopped", "failed": "It ended with an error"}[study.state]
    count = f": {ended:,} of {total:,} F1 scores" if total else ""
    count += f", {failed:,} of them failed" if failed else ""
    bar.markdown(f"**{end}**{count}.")
    if study.error:
        bar.error(capital(study.error), icon=":material/error:")
    if not study_workers() or (finished and not failed):
        return
    again, icon = ("run_retry", ":material/refresh:") if finished else ("run_resume", ":material/resume:")
    if control(button.button, _key("run_resume", table), like=again, icon=icon, width="stretch"):
        with sentences():
            _start(study.request, table, retry_failed=finished)
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
        return "Whoever started it is no longer here, so anyone may stop it.", True
    return "Another reader started it; only they may stop it.", False


def _failures() -> None:
    """Cells that failed, of this server's store and of the reader's tables, and why."""
    failed = []
    for path in (store_path(), *(table.store for table in own_tables().values())):
        with suppress(NotThere), Store(path, read_only=True) as store:
            failed += store.failures() if store.counts()["failed"] else []
    if not failed:
        return
    with st.expander(f"{words.count(len(failed), 'F1 score')} failed"):
        st.dataframe(
            [{"Score": str(cell), "Why": error.strip().splitlines()[-1]} for cell, error in failed[:FAILURES]],
            hide_index=True,
            alt="What failed and why",
        )
        st.caption("They are not tried again until the same study is started with *Retry failed*.")
