"""Two weightings with the same classifier: documents on which they disagree, and the terms behind that."""

from typing import Any

import numpy as np
import streamlit as st

from ltw_core.evaluation import (
    Difference,
    compared,
    decimals,
    difference,
    disagreement,
    in_documents,
    interval_text,
    term_differences,
    verdict,
)
from ltw_core.evaluation.uncertainty import DRAWS, LEVEL, SEED
from ltw_core.service.cells_on_demand import Item
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate import cell_view, decisions_kept
from pages._ui.evaluate.evaluations import Evaluation, FoundResult
from pages._ui.evaluate.term_bars import Scale, term_bars
from pages._ui.guard import plain
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.tables import on_phone
from pages._ui.weightings import estimators

TERMS, FEW = 10, 6  # on a page, and on a phone
APART = " The two can disagree: that test counts every error alike, F1 does not."


def show(evaluation: Evaluation, item: Item, found: dict[Item, FoundResult], line: Any) -> None:
    """The chosen cell compared with another weighting under the same classifier, which is chosen in ``line``."""
    state, task, label = st.session_state, evaluation.task, evaluation.label
    others = {
        other.weighting: other
        for other in reversed(found)
        if other.learner == item.learner and other.weighting != item.weighting
    }
    if not others:
        st.info(
            f"There is only one weighting with {words.classifier(item.learner)} yet: compute another one above.",
            icon=":material/compare:",
        )
        return
    names = [name for name in evaluation.plan.weightings if name in others]
    chosen = state.get("versus")  # written in each run: of two that follow at once a browser may draw the second alone
    # first what the page asks about: a formula beside a learned weighting, and the other way round
    best = max(
        names,
        key=lambda name: (
            estimators.is_learned(name) != estimators.is_learned(item.weighting),
            found[others[name]].result.f1,
        ),
    )
    state["versus"] = chosen if chosen in names else best
    second = control(line.selectbox, "versus", {name: label(name) for name in names}, width=190)
    other = others[second]
    one_decided = cell_view.decisions(evaluation, item, found)
    other_decided = cell_view.decisions(evaluation, other, found)
    if one_decided is None or other_decided is None:
        return
    known = ((of, found[of].result) for of in (item, other))
    if any(decisions_kept.with_predicted(of.key, result) is not result for of, result in known):
        run_again()  # the heat map and the headline rest on the same documents from now on
    one, two = label(item.weighting), label(second)
    split = disagreement(one_decided, other_decided)
    _verdict(task, difference(one_decided.predicted, other_decided.predicted, one_decided.y), one, two)
    _seeds(found, item, other, task, one, two)
    if not split.differ.any():
        st.info("They agree on every test document.", icon=":material/done_all:")
        return
    names = {"first": one, "second": two}  # the one that is right
    right = {kind: f"Only {name} is right · {int(getattr(split, kind).sum()):,}" for kind, name in names.items()}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        kind = choose_one("versus_kind", right, "first" if split.first.any() else "second")
        st.caption(f"Both are right on {int(split.both.sum()):,}, both wrong on {int(split.neither.sum()):,}.")
    rows = np.flatnonzero(getattr(split, kind))
    if not rows.size:
        st.info("There is no such document.", icon=":material/search_off:")
        return
    both = one_decided.linear and other_decided.linear and one_decided.test.shape == other_decided.test.shape
    left, right = st.columns([2, 3], gap="large")
    # on a page of half the width below each other: charts side by side, list, texts side by side
    terms, documents = left.container(key="versus_terms"), right.container(key="versus_documents")
    of_all, of_one = terms.container(), terms.container()
    standard = [d.scores / (d.scores.std() or 1.0) for d in (one_decided, other_decided)]
    gap = np.abs(standard[0] - standard[1])
    rows = rows[np.argsort(-gap[rows], kind="stable")]
    scores = {one: one_decided.scores, two: other_decided.scores}
    of = f"{item.key}-{other.key}-{kind}"
    with documents:
        row = cell_view.list_documents(task, one_decided, rows, of, "largest difference first", **scores)
    if row is None:
        return
    with documents:
        st.markdown(f"**Test document {row + 1:,}** · true labels: {plain(cell_view.labels(task, row))}")
        with st.container(key="beside_list"):
            places = st.columns(2, gap="medium")
    sides = ((one, one_decided, item), (two, other_decided, other))
    for place, (name, d, of) in zip(places, sides, strict=True):
        with place:
            cell_view.read(task, d, row, f"versus-{of.weighting}", title=name)
    if both:
        found_terms = [term_differences(one_decided, other_decided, some) for some in (rows, np.array([row]))]
        _behind(task, found_terms, (f"document {row + 1:,}", one, two), (of_all, of_one))
    else:
        of_all.caption(
            "Terms are shown only for classifiers that add terms up: linear SVM, logistic regression and naive Bayes."
        )
    unit = f"Score: {plain(one_decided.unit)}. " * (one_decided.unit == other_decided.unit != "")
    shaded = one_decided.linear or other_decided.linear
    documents.caption(unit + "Each text is shaded on the scale of its own classifier’s scores." * shaded)


def _verdict(task: Any, found: Difference, one: str, two: str) -> None:
    """What follows from the two, and what it rests on."""
    said = verdict(plain(one), plain(two), found, plain(task.class_title))
    apart = found.p_value is not None and (found.sign != 0) != (found.p_value < 1 - LEVEL)
    st.markdown(
        f"**{said}.** {_p_whole(in_documents(found, plain(one), plain(two)))}{APART * apart}",
        help=f"F1 of {plain(one)} minus F1 of {plain(two)}: {decimals(found.value)}, 95% interval "
        f"{interval_text(found.both)} (paired bootstrap over the test documents, stratified by class, {DRAWS:,} "
        f"draws, seed {SEED}). McNemar’s test asks another question: who is right about more documents.",
    )


def _p_whole(said: str) -> str:
    """The same with no line that ends within "p = 1."."""
    return said.replace("p = ", "p\u00a0=\u00a0")


def _seeds(found: dict[Item, FoundResult], item: Item, other: Item, task: Any, one: str, two: str) -> None:
    """Where there are several seeds: the documents above are of one, the difference of the means of all."""
    sides = [
        [result for each, (result, _) in found.items() if (each.weighting, each.learner) == (of.weighting, of.learner)]
        for of in (item, other)
    ]
    if max(map(len, sides)) == 1:
        return
    every = compared(*sides, task.y_test)
    st.markdown(
        f"That is seed {item.seed} against seed {other.seed}. **Over {len(sides[0])} and {len(sides[1])} seeds**: "
        f"{verdict(plain(one), plain(two), every)}. {_p_whole(in_documents(every, plain(one), plain(two)))}"
    )


def _behind(task: Any, found: list[Any], named: tuple[str, str, str], places: tuple[Any, Any]) -> None:
    """The terms that made the difference over all documents of a kind, and in the one that is read: two charts with one
    scale and one line of zero. ``named``: that one, and the two weightings."""
    (this, first, second), n = named, found[0].shape[0]
    behind = f"these {n:,} documents" if n > 1 else "this document"
    minus = f"{first} minus {second}"
    titles = f"Terms behind {behind}: {'mean of ' * (n > 1)}{minus}", f"Terms behind {this}: {minus}"
    charts = [_largest(task, some) for some in found]
    scale = Scale.of([term for chart in charts for term in chart])
    for place, chart, title, key in zip(places, charts, titles, ("versus-all", "versus-one"), strict=True):
        with place:
            if chart:
                term_bars(chart, title, key, task.fingerprint, scale)
            else:
                st.caption("No term adds anything under either.")
    places[0].caption(
        f"To the right: speaks more for the class under {plain(first)}. A length of 1 is the "
        "standard deviation of that classifier’s scores."
    )


def _largest(task: Any, found: Any) -> list[tuple[str, float]]:
    """The terms that add most to the difference, mean over documents."""
    mean = np.asarray(found.sum(axis=0)).ravel() / found.shape[0]
    order = np.argsort(-np.abs(mean), kind="stable")[: FEW if on_phone() else TERMS]
    return [(str(task.terms[k]), float(mean[k])) for k in order if mean[k] != 0]
