"""Training runs of the history compared: their curves in one figure, what differs, and both as files."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import TrainingCurve, html, palette
from ltw_core.service.training_record import TrainingRecord
from ltw_core.weighting import display
from pages._ui import choices, words
from pages._ui.downloads import csv, offer
from pages._ui.plots.cached_figures import figure_of, overlay
from pages._ui.plots.plot import plot
from pages._ui.training import histories, lookup, run_words
from pages._ui.training.run import Run

MAX_CURVES = 8  # more could not be distinguished


def name_of(record: TrainingRecord) -> str:
    """What a training run is called: by its reader, else by method and seed."""
    return record.name or f"{display(record.variant)} · seed {record.seed}"


def exports(chosen: list[TrainingRecord], one: TrainingRecord | None) -> None:
    """Their curves as files, and the weights where one alone is chosen."""
    # what makes a file when it is asked for knows no session: ``_curve`` asks for none, and the run is found now
    about, base = "Step, loss and validation F1 of the selected training runs, one below the other.", words.base()
    offer("Curves (CSV)", "ltw-curves.csv", lambda: curves_csv(chosen), about, "history_csv")
    axes = {name: st.session_state.get(f"history_{name}", 0) for name in ("smoothing", *choices.AXES)}
    page = lambda: html(figure_of(_figure(chosen, base, **axes)), "ltw-curves")  # noqa: E731
    offer("Curves (HTML)", "ltw-curves.html", page, "Their curves as a page of its own.", "history_html")
    if one is not None and one.has_weighting:
        offer_weights(lookup.find(one.token), "history_weights")


def offer_weights(run: Run, key: str | None = None) -> None:
    """What was learned, as a file."""
    about = "The learned weighting as a file that LearnedWeighting.load reads, with its terms and settings."
    offer("Weights", f"{run.file_name}.safetensors", run.weights_file, about, key)


def compare(chosen: list[TrainingRecord]) -> None:
    """Their curves over each other, and a table of what differs."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        place = st.container()
        options = choices.curve_axes("history_")
    with place:
        plot(_figure(chosen[:MAX_CURVES], words.base(), **options), "history_curves", live=True)
        if len(chosen) > MAX_CURVES:
            st.caption(f"The first {MAX_CURVES} of {len(chosen)} are shown.")
    with right:
        if len(chosen) == 1:
            st.caption("Select another one to see what differs.")
            return
        frame = differences(chosen)
        st.markdown("**What differs**" if len(frame) else "**Nothing differs** in corpus, class, settings and seed.")
        st.dataframe(frame, alt="What differs between the selected training runs")
        make = lambda: csv(frame, index=True)  # noqa: E731
        offer("Differences (CSV)", "ltw-differences.csv", make, "This table.", "history_differences")


def differences(chosen: list[TrainingRecord]) -> pd.DataFrame:
    """What differs between training runs, a column each, and what came of it below."""
    records = [
        {
            "corpus": record.problem.corpus_title,
            "class": record.problem.class_title,
            "terms kept": record.problem.ratio,
            "documents": record.problem.n_documents,
            **{("seed" if k == "random_state" else k): v for k, v in record.parameters.items()},
            "engine": record.engine,
            "device": record.device,
            "versions": ", ".join(f"{k} {v}" for k, v in record.versions.items()),
            "best F1": None if record.best_f1 is None else round(record.best_f1, 4),
            "at step": record.best_step,
            "steps": record.steps,
            "ended by": run_words.ended_by(record.status, record.stop_code),
        }
        for record in chosen
    ]
    frame = differing(records, _labels(chosen)).T
    frame.index = [str(name).replace("_", " ") for name in frame.index]
    return frame.map(lambda value: "–" if value is None else str(value))


def differing(records: Sequence[Mapping], names: Sequence[str]) -> pd.DataFrame:
    """The settings in which records are not all alike.

    Parameters
    ----------
    records : sequence of mappings
        Settings by name; one that is missing counts as None.
    names : sequence of str
        What to call the records.

    Returns
    -------
    DataFrame
        A row a record, a column a setting that differs, in the order in which settings first appear. No columns if all
        are alike, or if there is one record only.
    """
    settings = dict.fromkeys(name for record in records for name in record)
    columns = {name: [record.get(name) for record in records] for name in settings}
    differ = {name: values for name, values in columns.items() if len(set(map(_comparable, values))) > 1}
    return pd.DataFrame(differ, index=list(names), dtype=object)


def _comparable(value: Any) -> tuple:
    """A value for which 1 and True differ and NaN equals NaN."""
    return isinstance(value, bool), "NaN" if value != value else value


def _labels(chosen: list[TrainingRecord]) -> list[str]:
    return run_words.numbered(name_of(record) for record in chosen)


def _curve(record: TrainingRecord) -> list[tuple[int, float, float]]:
    return histories.store_of(record.problem.corpus).curve(record.token)


def _figure(chosen: list[TrainingRecord], base: str, **options: Any) -> Any:
    colours = palette.series(base)
    curves = []
    for k, (record, label) in enumerate(zip(chosen, _labels(chosen), strict=True)):
        curves.append(TrainingCurve(label, _curve(record), record.variant, colours[k % len(colours)]))
    return overlay(curves, base=base, height=360, uirevision="history", **options)


def curves_csv(chosen: list[TrainingRecord]) -> str:
    """Curves of several training runs, one below the other."""
    frames = []
    for record, label in zip(chosen, _labels(chosen), strict=True):
        rows = np.array(_curve(record), dtype=float).reshape(-1, 3)
        frame = pd.DataFrame(rows, columns=["step", "training_loss", "validation_f1"]).astype({"step": int})
        frame.insert(0, "training", label)
        frame.insert(1, "class", record.problem.class_name)
        frames.append(frame)
    return csv(pd.concat(frames))
