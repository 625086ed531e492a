"""The results of evaluations: progress, heat map, table, and the counts behind a cell."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.evaluation import Result, describe, learner
from ltw_core.experiments.jobs import manager
from ltw_core.figures import f1_comparison, f1_heatmap
from pages._ui import evaluations, words
from pages._ui.guard import capital, plain, sentences
from pages._ui.plot import plot

TICK = 0.7


def results(dataset: str, task: Any, plan: evaluations.Plan, label: Callable[[str], str]) -> None:
    """Everything below the button: it moves while cells are computed."""
    job = evaluations.current(dataset, task.class_name)

    @st.fragment(run_every=TICK if job is not None and job.active else None)
    def view() -> None:
        if job is not None and job.active:
            st.session_state["_evaluating"] = job.id
        elif st.session_state.pop("_evaluating", None):
            st.rerun()
        with sentences():
            if job is not None:
                _status(job, label)
            found = evaluations.known(task, plan)
            if found:
                _results(task, plan, found, label)
            elif job is None or not job.active:
                st.info(
                    f"Nothing has been computed for **{plain(task.class_title)}** with these choices yet. The quick "
                    "grid of one classifier takes some seconds.",
                    icon=":material/grid_on:",
                )

    view()


def _status(job: Any, label: Callable[[str], str]) -> None:
    plan = job.meta["plan"]
    if job.status == "queued":
        st.info(f"Waiting for its turn: {words.count(manager().position(job), 'job')} ahead of it.", icon="spinner")
    elif job.status == "running":
        total, done = len(plan.cells()), len(job.since())
        name, with_learner = job.meta.get("now", ("", ""))
        text = f"{label(name)} with {learner(with_learner).title}" if name else "Starting"
        bar, button = st.columns([6, 1], vertical_alignment="bottom")
        bar.progress(min(1.0, done / max(total, 1)), text=f"{plain(text)}: {plain(job.meta.get('message', '…'))}")
        button.button(
            "Stop",
            icon=":material/stop:",
            width="stretch",
            on_click=manager().cancel,
            args=(job,),
            key="stop_evaluation",
            help="End now; the cells that are done stay.",
        )
    elif job.status == "failed":
        st.error(capital(job.error), icon=":material/error:")
    elif job.status == "stopped":
        st.info("Stopped; the cells below are done.", icon=":material/stop_circle:")


def frame_of(found: dict[tuple[str, str], Result], label: Callable[[str], str]) -> pd.DataFrame:
    """Results as a table, best first."""
    rows = [
        {
            "weighting": label(name),
            "classifier": learner(with_learner).title,
            "F1": r.f1,
            "precision": r.precision,
            "recall": r.recall,
            "tp": r.tp,
            "fp": r.fp,
            "fn": r.fn,
            "tn": r.tn,
            "validation F1": r.validation_f1,
            "chosen setting": describe(r.parameters),
            "seconds": r.seconds + r.weighting_seconds,
            "grid": r.grid,
            "seed": r.seed,
        }
        for (name, with_learner), r in found.items()
    ]
    return pd.DataFrame(rows).sort_values("F1", ascending=False, kind="stable", ignore_index=True)


def _results(task: Any, plan: evaluations.Plan, found: dict, label: Callable[[str], str]) -> None:
    base = words.base()
    names = [n for n in plan.weightings if any((n, ln) in found for ln in plan.learners)]
    methods = {name: _method(name, found) for name in names}
    labels = {methods[name]: label(name) for name in names}
    if len(plan.learners) == 1:
        only = plan.learners[0]
        figure = f1_comparison(
            {methods[n]: found[(n, only)].f1 for n in names if (n, only) in found},
            learner=learner(only).title,
            labels=labels,
            base=base,
            height=80 + 34 * len(names),
            uirevision=task.fingerprint,
        )
    else:
        values = [[found[(n, ln)].f1 if (n, ln) in found else np.nan for ln in plan.learners] for n in names]
        titles = [learner(ln).title for ln in plan.learners]
        figure = f1_heatmap(
            values, [methods[n] for n in names], titles, labels=labels, base=base, height=70 + 34 * len(names)
        )
    chart, counts = st.columns([3, 2], gap="large")
    with chart:
        plot(figure, "f1", live=True)
    frame = frame_of(found, label)
    with counts:
        row = st.session_state.get("_cell", 0)
        _confusion(frame.iloc[min(row, len(frame) - 1)])

    def choose() -> None:
        rows = st.session_state["results"]["selection"]["rows"]
        st.session_state["_cell"] = rows[0] if rows else 0

    st.dataframe(
        frame,
        hide_index=True,
        on_select=choose,
        selection_mode="single-row",
        key="results",
        column_config={
            "weighting": st.column_config.TextColumn(width=165),  # room for "LTW-L-σ · seed 0 (yours)"
            **{c: st.column_config.NumberColumn(format="%.3f") for c in ("F1", "precision", "recall", "validation F1")},
            "seconds": st.column_config.NumberColumn(format="%.1f", help="Weighting, tuning, refitting and testing"),
        },
        column_order=[c for c in frame.columns if c not in ("tp", "fp", "fn", "tn", "grid", "seed")],
        alt="F1, precision and recall of each weighting with each classifier",
    )
    for warning in dict.fromkeys(w for r in found.values() for w in r.warnings):
        st.caption(f":material/info: {plain(warning)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Results (CSV)",
            data=lambda: frame.to_csv(index=False),
            file_name=f"{task.corpus_name}-{task.class_name}-f1.csv".replace("/", "-"),
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            help="The table with the counts behind each F1.",
        )
        st.caption(
            f"Computed now on this server: {plain(words.class_label(task))}, {len(task.terms):,} terms, {plan.grid} "
            f"grid, seed {plan.seed}, {len(task.y_test):,} test documents, {int(task.y_test.sum()):,} of the class."
        )


def _method(name: str, found: dict) -> str:
    """The method's name, which gives the colour; an own run beside a computed one needs a name of its own."""
    if not name.startswith(evaluations.OWN_RUN):
        return name
    job = manager().get(name.removeprefix(evaluations.OWN_RUN))
    variant = job.meta["run"].variant if job is not None else name
    return variant if all(n != variant for n, _ in found) else name


def _confusion(row: Any) -> None:
    """Counts on the test documents."""
    st.markdown(f"**{plain(row['weighting'])}** with {plain(row['classifier'])}")
    table = pd.DataFrame(
        {"has the class": [f"{row['tp']:,}", f"{row['fn']:,}"], "has not": [f"{row['fp']:,}", f"{row['tn']:,}"]},
        index=["said yes", "said no"],
    )
    st.table(table)
    st.caption(
        f"F1 {words.f1(row['F1'])} = 2·{row['tp']:,} / (2·{row['tp']:,} + {row['fp']:,} + {row['fn']:,}); precision "
        f"{words.f1(row['precision'])}, recall {words.f1(row['recall'])}. Choose a row below to see its counts."
    )
