"""The results of evaluations: what is being computed, heat map, table. A cell that is chosen here opens below."""

from collections.abc import Callable, Iterator

import numpy as np
import streamlit as st

from ltw_core.evaluation import learner
from ltw_core.figures import f1_heatmap
from ltw_core.figures.tables import Cell
from ltw_core.service.cells_on_demand import Item
from ltw_core.service.job import Job
from ltw_core.service.jobs import manager
from ltw_core.weighting import methods
from ltw_core.weighting.genetic.found_formula import formula_in
from pages._ui import words
from pages._ui.controls import control
from pages._ui.downloads import csv, offer
from pages._ui.evaluate import bred_view, summaries
from pages._ui.evaluate.evaluations import ORIGINS, Evaluation
from pages._ui.guard import capital, plain, sentences
from pages._ui.plots.plot import plot
from pages._ui.streamlit_fixes.rerun import run_again, run_again_after
from pages._ui.tables import table
from pages._ui.weightings import estimators

TICK = 0.7
CELL = "evaluation_cell"  # "weighting|learner" that is looked at

Label = Callable[[str], str]


def results(evaluation: Evaluation) -> None:
    """Progress, heat map and table: they move while cells are computed."""
    job, label = evaluation.job(), evaluation.label

    @st.fragment(run_every=TICK if job is not None and job.active else None)
    def view() -> None:
        run_again_after(job is not None and job.active, "_evaluating")
        if st.session_state.pop("_cell_opened", None):  # what it opens lies outside of this fragment
            run_again()
        with sentences():
            if job is not None:
                _status(job, label)
            found, errors = evaluation.results()
            if found:
                _figure(evaluation, summaries.summarise(found))
                _table(evaluation, found)
            elif not errors and (job is None or not job.active):
                st.info(
                    f"Nothing has been computed for **{plain(evaluation.task.class_title)}** with these choices "
                    "yet. With quick grids one class takes seconds; what is done appears here cell by cell.",
                    icon=":material/grid_on:",
                )
            _failures(errors, label)

    view()


def _status(job: Job, label: Label) -> None:
    status = job.status
    if status in ("queued", "running"):
        stop = {"on_click": manager().cancel, "args": (job,), "icon": ":material/stop:", "width": "stretch"}
        line, button = st.columns([6, 1], vertical_alignment="center" if status == "queued" else "bottom")
        control(button.button, "stop_evaluation", **stop)
    if status == "queued":
        ahead = words.count(manager().position(job), "job")
        line.info(f"Waiting for its turn: {ahead} ahead of it. The page may be left and come back to.", icon="spinner")
    elif status == "running":
        progress = job.meta["progress"]
        with progress.lock:
            now = list(progress.now.values())
        left = f", about {words.seconds(progress.left)} left" if progress.left else ""
        line.progress(
            min(1.0, progress.done / max(progress.total, 1)),
            text=f"{progress.done:,} of {words.count(progress.total, 'cell')}{left}",
        )
        st.caption(
            "  \n".join(f"{plain(_cell(item, label))}: {plain(message)}" for item, message in now) or "Starting…"
        )
    elif status == "failed":
        st.error(capital(job.error), icon=":material/error:")
    elif status == "stopped":
        st.info("Stopped; the cells that are done stay. The button above goes on.", icon=":material/stop_circle:")


def _cell(item: Item, label: Label) -> str:
    seed = f", seed {item.seed}" if item.seed else ""
    return f"{label(item.weighting)} with {learner(item.learner).title.lower()}{seed}"


def _figure(evaluation: Evaluation, known: dict) -> None:
    plan, label = evaluation.plan, evaluation.label
    names, used = list(plan.weightings), list(plan.learners)  # all of them, so that nothing moves while cells come
    values = np.full((len(names), len(used)), np.nan)
    cells = [[Cell(name=f"{name}|{with_learner}") for with_learner in used] for name in names]
    for r, name in enumerate(names):
        for c, with_learner in enumerate(used):
            summary = known.get((name, with_learner))
            if summary is not None:
                values[r, c] = summary.of("f1")
                cells[r][c] = cells[r][c]._replace(spread=summary.spread, detail=_detail(summary))
    chosen = st.session_state.get(CELL, "|").rsplit("|", 1)
    at = (names.index(chosen[0]), used.index(chosen[1])) if chosen[0] in names and chosen[1] in used else None
    figure = f1_heatmap.plain(
        values,
        names,
        used,
        labels={name: label(name) for name in names},
        colours={name: estimators.coloured_as(name) for name in names},
        titles=[learner(ln).title for ln in used],
        cells=cells,
        chosen=at,
        base=words.base(),
        height=52 + 30 * len(names),
        uirevision=evaluation.task.fingerprint,
    )
    plot(figure, "f1", on_pick=_choose)
    st.caption("Point at a cell for precision, recall and the setting that was chosen; click it to open it below.")


def _detail(summary: summaries.Summary) -> str:
    spread = summary.spread
    over = f" ± {spread:.3f} over {len(summary.seeds)} seeds" if spread == spread else ""
    return (
        f"{over}<br>precision {summary.of('precision'):.3f}, recall {summary.of('recall'):.3f}"
        f"<br>validation F1 {summary.of('validation_f1'):.3f} with {summary.setting}"
        f"<br>{summary.origin}"
    )


def _choose(value: dict) -> None:
    if value.get("id"):
        _open(value["id"])


def _open(cell: str) -> None:
    st.session_state[CELL] = cell
    st.session_state["_cell_opened"] = True


def _table(evaluation: Evaluation, found: dict) -> None:
    task, plan, label = evaluation.task, evaluation.plan, evaluation.label
    frame = summaries.table(summaries.summarise(found), label)
    own = any(item.weighting not in methods() for item in found)
    several = bool((frame["seeds"] > 1).any())
    # a key of its own for every class and plan: a row that was chosen in another table must not stay chosen here
    key = f"results-{abs(hash((task.fingerprint, plan, len(frame)))):x}"

    table(
        frame,
        "results",
        "F1, precision and recall of each weighting with each classifier",
        lambda row: _open(str(frame["id"].iloc[row])),
        {"weighting": st.column_config.Column(width=165 if own else 105)},  # room for "LTW-L-σ · seed 0 (yours)"
        key=key,
        height=min(36 * (len(frame) + 1), 380),
        placeholder="–",
        column_order=[c for c in frame.columns if c != "id" and (several or c not in ("sd", "seeds"))],
    )
    bred_view.of_class(result.warnings for result, _ in found.values())
    _warnings(found, label)
    with st.container(horizontal=True, vertical_alignment="center"):
        make = lambda: csv(summaries.every_seed(found, label))  # noqa: E731
        about = "One line per weighting, classifier and seed, with the counts behind each F1."
        offer("Results (CSV)", f"{task.corpus_name}-{task.class_name}-f1.csv", make, about)
        origins = {origin for _, origin in found.values()}
        st.caption(
            f"{plain(words.class_label(task))}: {len(task.terms):,} terms, {plan.grid} grid, "
            f"{words.count(plan.seeds, 'seed')}, {len(task.y_test):,} test documents, {int(task.y_test.sum()):,} of "
            f"the class. {capital('; '.join(text for o, text in ORIGINS.items() if o in origins))}"
            + (" What uses no random numbers runs once." if plan.seeds > 1 else "")
        )


def _warnings(found: dict, label: Label) -> None:
    """What the core says of some cells, and of which."""
    told = [
        (plain(warning), item)
        for item, (result, _) in found.items()
        for warning in result.warnings
        if not formula_in([warning])  # typeset above
    ]
    if told:
        with st.expander("What to know about some of these figures", icon=":material/info:"):
            for sentence in _about_cells(told, label):
                st.caption(sentence)


def _failures(errors: dict[Item, str], label: Label) -> None:
    unexpected = "It failed unexpectedly; the server's log has details."
    told = [(unexpected if "Traceback" in error else capital(error), item) for item, error in errors.items()]
    for sentence in _about_cells(told, label):
        st.warning(sentence, icon=":material/error:")


def _about_cells(told: list[tuple[str, Item]], label: Label, most: int = 5) -> Iterator[str]:
    """Each sentence once, after the cells that it is about."""
    cells: dict[str, list[str]] = {}
    for sentence, item in told:
        cells.setdefault(sentence, []).append(_cell(item, label))
    for sentence, some in cells.items():
        more = f" and {len(some) - most:,} more" if len(some) > most else ""
        yield f"{plain(', '.join(some[:most]) + more)}: {sentence}"
