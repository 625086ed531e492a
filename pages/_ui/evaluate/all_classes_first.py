"""All classes before any has been computed: how many documents each has, and its F1 in the studies that come with the
app, where they hold the corpus. Leaves out what is computed here (``all_classes_view``)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.protocol import PAPER
from ltw_core.studies.averages import AveragedCells
from ltw_core.weighting import display
from pages._ui import choices, words
from pages._ui.evaluate.study_figures import f1_by_class
from pages._ui.evaluate.study_source import load
from pages._ui.evaluate.study_tables import short
from pages._ui.guard import plain
from pages._ui.reader import selection
from pages._ui.tables import FRAME, ROW, Marked, table

LEARNER, GRID = "SVM", "quick"  # of the studies' figures that are shown
MOST = 6  # weightings
TALL = 548  # pixels of the table: half a row at its end shows that more follow


def answer(dataset: str, wanted: Sequence[str]) -> str:
    """Macro F1 in the studies, the highest first; "" where they do not hold the corpus."""
    known = sorted(_from_studies(dataset, wanted), key=lambda f: -f.value("macro_f1"))
    if not known:
        return ""
    scores = [f"{plain(display(f.weighting))}\u00a0{short(f.value('macro_f1'))}" for f in known]
    scores[0] = f"**{scores[0]}**"
    return f"Macro F1 with {words.classifier(LEARNER)} in the app’s own studies: {', '.join(scores)}."


def show(task: Any, dataset: str, wanted: Sequence[str], to_come: Callable[[], None] | None = None) -> None:
    """The classes, largest first.

    Parameters
    ----------
    wanted : weightings to show beside the usual ones where studies have them.
    to_come : draws what will be computed, beside the classes where there is no figure.
    """
    train, test = (labels.sum(axis=0) for labels in (task.labels_train, task.labels_test))
    frame = pd.DataFrame(
        {
            "class": task.class_titles,
            "training documents": train,
            "share": 100 * train / task.labels_train.shape[0],
            "test documents": test,
        }
    )
    known = _from_studies(dataset, wanted)
    for place, f in enumerate(known, 1):  # in the order of the panels
        frame.insert(place, display(f.weighting), _column(f, task.class_names))
    order = np.argsort(-train, kind="stable")
    frame = frame.iloc[order].reset_index(drop=True)
    mark = (
        [task.class_names[k] for k in order].index(name)
        if (name := selection.class_name()) in task.class_names
        else None
    )
    more = {display(f.weighting): ".3" for f in known}
    about = "Documents of each class, and its F1 in studies where known"
    look = {"height": min(TALL, ROW * (1 + len(frame)) + FRAME), "marked": Marked(mark), "width": "stretch"}
    show_table = partial(table, frame, "classes_first", about, more=more, **look)
    if not known:
        left, right = st.container(key="class_pair").columns([5, 8], gap="large")
        with left:
            st.header(f"The {words.count(len(frame), 'class', 'classes')}, largest first", anchor=False)
            show_table()
        if to_come:
            with right:
                to_come()
        return
    points = {
        f.weighting: (
            [score.tp + score.fn for score in f.by_class.values()],
            [score.f1 for score in f.by_class.values()],
            list(f.by_class),
        )
        for f in known
    }
    f1_by_class(points, task.labels_test.shape[0], selected=selection.class_name(), uirevision=dataset)
    means = ", ".join(f"{plain(display(f.weighting))} mean of {f.seeds} seeds" for f in known if f.seeds > 1)
    st.caption(
        f"{GRID.capitalize()} grid, {f'{means}, others ' * bool(means)}seed 0. A point is a class, the line the "
        "mean of classes of like frequency; grey: the lines of the others.",
        help="Where all classes are about equally frequent, a ◆ stands for the line. "
        "Not computed with your choices. Each class is learned against the rest and tested on documents with a "
        "known term.",
    )
    with st.expander("F1 and documents of each class", key="all_figures"):
        show_table()


def _from_studies(dataset: str, wanted: Sequence[str]) -> list[AveragedCells]:
    """What the shipped studies have of a dataset for the usual weightings and the wanted ones."""
    found = {
        f.weighting: f
        for f in load("shipped").averaged
        if (f.example.corpus, f.learner, f.example.grid, f.example.how.name) == (dataset, LEARNER, GRID, PAPER)
        and f.by_class
    }
    names = dict.fromkeys((*choices.WEIGHTINGS["studies"], *wanted))
    return [found[name] for name in names if name in found][:MOST]


def _column(f: AveragedCells, names: Sequence[str]) -> list[float | None]:
    return [score.f1 if (score := f.by_class.get(name)) else None for name in names]
