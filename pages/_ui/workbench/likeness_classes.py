"""What other classes learned, beside what this one did: on this class's documents, and how alike they are."""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from ltw_core.evaluation import decimals
from ltw_core.insight import EQUAL, Alignments, aligned_grams
from ltw_core.studies.examples import examples
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.result_cache import kept
from pages._ui.tables import table
from pages._ui.training import lookup, run_words
from pages._ui.weightings.learned import Learned, shipped
from pages._ui.workbench import likeness_view
from pages._ui.workbench.likeness_of import formula_grams, formula_weights, gram_of_weights, learned_gram, sample_of
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.texts import text

MOST = 16  # of one's own, the newest
SHORT = 16  # characters of a class's title on the map; a longer one stands there by its name


class Other(NamedTuple):
    """What another class learned."""

    learned: Learned
    where: str  # class and corpus
    short: str  # what it is called on the map


def show(view: View, row: Any) -> None:
    """A sentence, the map or the matrix, and the table."""
    task = view.task()
    others = _others(view.learned)
    if task is None or not others:
        why = "the documents of this class are not here" if task is None else "no other class has been learned here yet"
        st.info(
            f"Surfaces of other classes are compared on this class’s documents, and {why}.",
            icon=":material/category:",
        )
        return
    this = view.learned.label
    key = (view.learned.key, tuple((name, other.learned.key) for name, other in others.items()))
    found = _compared(key, task.fingerprint, this, view, task, others)
    near = max(others, key=lambda name: found.of(this, name))
    said = (
        f"Of {words.count(len(others), 'surface')} learned for other classes, **{plain(near)}** is most like it: "
        f"alignment {decimals(found.of(this, near), 2)}; equal\u00a0weights\u00a0{decimals(found.of(this, EQUAL), 2)}."
    )
    more = f"Each surface at this class’s own tpr and fpr, on {found.sample}. {text('alignment')}"
    kinds = {this: "this", EQUAL: "formula"} | dict.fromkeys(others, "learned")
    scores = dict(zip(found.names, found.with_class.tolist(), strict=True))
    labels = {name: other.short for name, other in others.items()}
    options = {"labels": labels, "scores": scores, "score_name": "alignment with the class", "kinds": kinds}
    st.markdown(said, help=more)
    likeness_view.draw(
        likeness_view.choose_form(row), found, "classes", view.learned.key, size=(700, likeness_view.LOWEST), **options
    )
    st.caption("Colour: how well it tells this class’s documents apart, without a classifier.")
    _table(found, this, others)


def _table(found: Alignments, this: str, others: dict[str, Other]) -> None:
    where = lambda name: {"learned for": others[name].where if name in others else ""}  # noqa: E731
    frame = likeness_view.aligned_with(this, found, where)
    frame.insert(1, "learned for", frame.pop("learned for"))
    with st.expander("All of them in a table"):
        table(frame, "likeness", "Alignment of other classes’ surfaces, and alignment with the class")
        offer_table("Classes (CSV)", "ltw-likeness-classes.csv", frame, "The table above.")


def _others(learned: Learned) -> dict[str, Other]:
    """This browser's finished runs of other classes of the corpus, and what ships, by name; with a surface each."""
    found: dict[str, Other] = {}
    records = [r for r in lookup.own_records(learned.dataset) if r.problem.class_name != learned.class_name]
    runs = [lookup.find(record.token) for record in records if record.has_weighting][:MOST]
    named = [(f"{run.problem.class_title} · {run.label}", "", run.learned()) for run in runs if run is not None]
    for info in examples():
        if (info.corpus, info.class_name) != (learned.dataset, learned.class_name):
            each = shipped(info.name)
            called = info.class_title if len(info.class_title) <= SHORT else info.class_name
            short = f"{called} · {display(info.variant)}"
            named.append((f"{info.class_title} · {display(info.variant)} · example", short, each))
    named = [one for one in named if one[2] is not None and one[2].surface is not None]
    for name, (_, short, each) in zip(run_words.numbered([one[0] for one in named]), named, strict=True):
        found[name] = Other(each, each.title, short or name)
    return found


@kept(24)
def _compared(
    key: tuple, fingerprint: str, _this: str, _view: View, _task: Any, _others: dict[str, Other]
) -> Alignments:
    grams = {_this: learned_gram(_view.learned, _task)}
    grams |= formula_grams(_task, {EQUAL: formula_weights(_task, _task.statistics)[EQUAL]})
    for name, other in _others.items():
        grams[name] = gram_of_weights(_task, np.asarray(other.learned.surface(_task.tpr, _task.fpr), dtype=float))
    return aligned_grams(grams, sample_of(_task))
