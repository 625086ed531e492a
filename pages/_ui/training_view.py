"""A training on the page: drawn twice a second while it runs, without a flicker, and what it came to."""

import time
from typing import Any

import streamlit as st

from ltw_core.experiments.jobs import manager
from ltw_core.figures import Terms, html, surface_grid, surfaces, term_map, top_terms, training
from pages._ui import runs, selection, words
from pages._ui.guard import capital, plain, sentences
from pages._ui.plot import plot
from pages._ui.runs import Run

TICK = 0.5


def live(run: Run) -> None:
    """Everything that moves while a run is active."""

    @st.fragment(run_every=TICK if run.job.active else None)
    def view() -> None:
        was_active = st.session_state.get("_watched") == run.job.id
        if run.job.active:
            st.session_state["_watched"] = run.job.id
        elif was_active:
            del st.session_state["_watched"]
            st.rerun()
        with sentences():
            _status(run)
            _numbers(run)
            # until there is something to see the figures of the run before stay up, and with them the camera
            _figures(run if run.latest is not None else runs.before(run) or run)

    view()


def _status(run: Run) -> None:
    job = run.job
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.status == "queued":
            ahead = manager().position(job)
            st.info(f"Waiting for its turn: {words.count(ahead, 'training')} ahead of it.", icon="spinner")
        elif job.status == "running":
            st.info(f"**{run.label}** is learning {plain(run.class_title)}. {_phase(run)}", icon="spinner")
        elif job.status == "failed":
            st.error(capital(job.error), icon=":material/error:")
        elif run.weighting is None:
            st.info("It was stopped before the first validation: nothing was learned.", icon=":material/stop_circle:")
        else:
            st.success(f"**{run.label}**: {capital(run.weighting.stop_reason_)}", icon=":material/flag:")


def _phase(run: Run) -> str:
    event = run.latest
    if event is None:
        return "The first steps…"
    if event.phase == "pretraining":
        return "It first learns the formula to start from."
    if run.messages:
        return capital(run.messages[-1])
    return ""


def _numbers(run: Run) -> None:
    event = run.latest
    patience = run.parameters["patience"]
    seconds = event.seconds if event else 0.0
    rate = event.step / seconds if event and seconds > 0 else 0.0
    cells = (
        ("Step", f"{event.step:,}" if event else "–", "Batches seen so far."),
        ("Training loss", f"{event.loss:.3f}" if event else "–", "Mean cross-entropy since the last validation."),
        ("Validation F1", words.f1(event.validation_f1 if event else None), "On the held-out training documents."),
        ("Best F1", words.f1(event.best_f1 if event else None), "Its step is the one that is kept."),
        (
            "Patience left",
            f"{max(0, patience - event.waited)} of {patience}" if event else "–",
            "Validations without a better F1 until it stops.",
        ),
        ("Steps a second", f"{rate:,.0f}" if rate else "–", "Training and validation together."),
    )
    words.figures(cells)


def _figures(run: Run) -> None:
    learned = run.learned()
    if learned is None:
        st.container(height=520, border=False)
        return
    base, terms = words.base(), learned.terms
    fitted = run.weighting
    shape, course = st.columns([3, 2])
    with shape:
        grid = surface_grid(terms.tpr, terms.fpr, learned.p, learned.n, region="terms", scale="log", size=40)
        hovering = Terms(**{**_fields(terms), "weights": {learned.label: learned.cd}})
        figure = surfaces(
            [learned.panel(grid)],
            grid,
            hovering,
            p=learned.p,
            base=base,
            selected=selection.terms(),
            uirevision="live",  # another run keeps the camera, to be compared with
            height=560,
            width=640,
        )
        plot(figure, "live_surface", live=True, often=run.job.active)
        if learned.surface is None:
            st.caption("A global variant has no surface: each term's weight was learned on its own.")
    with course:
        figure = training(
            run.history,
            best_step=fitted.best_step_ if fitted is not None else None,
            method=run.variant,
            base=base,
            height=300,
            uirevision=run.job.id,
        )
        plot(figure, "live_curves", live=True, often=run.job.active)
        figure = top_terms(
            terms.terms,
            learned.cd,
            count=9,
            method=run.variant,
            title="Strongest terms",
            base=base,
            selected=selection.terms(),
            height=260,
            uirevision=run.job.id,
        )
        plot(figure, "live_terms", live=True, often=run.job.active)


def waiting(task: Any) -> None:
    """What there is before anything is learned: the terms, at their places, without weights."""
    grid = surface_grid(task.tpr, task.fpr, task.prevalence, task.n_documents, region="terms", scale="log")
    figure = term_map(
        Terms.of(task),
        grid,
        p=task.prevalence,
        title="Terms without a weight",
        selected=selection.terms(),
        base=words.base(),
        height=500,
        uirevision=task.fingerprint,
    )
    plot(figure, "waiting", on_pick=selection.pick)


def _fields(terms: Terms) -> dict[str, Any]:
    return {name: getattr(terms, name) for name in Terms.__dataclass_fields__}


def ended(run: Run) -> None:
    """What can be taken away from a run that has ended."""
    fitted = run.weighting
    if run.job.active or fitted is None:
        return
    st.caption(run.provenance())
    name = f"{run.dataset}-{run.class_name}-{run.variant}-seed{run.seed}".replace("/", "-")
    notes = {
        "dataset": run.dataset,
        "class": run.class_name,
        "seed": run.seed,
        "settings": {k: v for k, v in run.parameters.items() if v is not None},
        "terms": [str(t) for t in run.terms.terms],
        "made": time.strftime("%Y-%m-%d"),
    }
    with st.container(horizontal=True):
        st.page_link("pages/learn/shapes.py", label="Compare its shape", icon=":material/deployed_code:")
        st.page_link("pages/evaluate/classifiers.py", label="Evaluate it", icon=":material/grid_on:")
        st.download_button(
            "Weights",
            data=lambda: runs.weights_file(fitted, notes),
            file_name=f"{name}.safetensors",
            on_click="ignore",
            icon=":material/download:",
            help="The learned weighting as a file that LearnedWeighting.load reads, with its terms and settings.",
        )
        st.download_button(
            "Curve (CSV)",
            data=lambda: runs.curve_csv(run),
            file_name=f"{name}-curve.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            help="Step, training loss and validation F1.",
        )
        st.download_button(
            "Surface (HTML)",
            data=lambda: _surface_page(run),
            file_name=f"{name}-surface.html",
            mime="text/html",
            on_click="ignore",
            icon=":material/download:",
            help="The surface as a page of its own that can be turned without this app.",
        )


def _surface_page(run: Run) -> str:
    learned = run.learned()
    terms = learned.terms
    grid = surface_grid(terms.tpr, terms.fpr, learned.p, learned.n, region="terms", scale="log")
    return html(surfaces([learned.panel(grid)], grid, terms, p=learned.p, title=learned.title), "ltw-surface")
