"""What a weighting is like, drawn: the scale, the map, the matrix, and a table with F1 and decisions alike."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import scipy
import streamlit as st

from ltw_core.figures import theme
from ltw_core.figures.likeness import LOWEST, ROW
from ltw_core.insight import EQUAL, Alignments
from ltw_core.metrics import decimals, signed
from ltw_core.weighting import display
from pages._ui import jobs, words
from pages._ui.controls import choose_one
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import likeness_map, likeness_matrix, likeness_scale
from pages._ui.plots.plot import plot
from pages._ui.tables import table
from pages._ui.training import lookup
from pages._ui.weightings import quick_f1
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.reference import RUN, Reference
from pages._ui.workbench.likeness_of import LikenessOf
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.texts import text

SCORE = "validation F1"
WIDTH = 388  # pixels of the map beside the scale
NARROW = 342  # pixels of the map on a phone


def show(view: View, of: LikenessOf, row: Any) -> None:
    """What they come to, then the scale beside the map or matrix, which is chosen in the ``row`` above; its table."""
    form = choose_form(row)
    read = of.read
    others = "" if read.seeds is None else " Train it with another seed and its ceiling is drawn too."
    others = " Shaded: other seeds of the same training, its ceiling." if read.ceiling else others
    found = f"Before training: {read.sentence}" if view.learned.untrained else read.sentence
    st.markdown(f"{plain(found)}.", help=f"{text('alignment')} On {of.found.sample}.{others}")
    _drawn(view, of, form)


def _scale(view: View, of: LikenessOf) -> None:
    read = of.read
    figure = likeness_scale(
        [name for name, *_ in read.formulas],
        [value for _, value, _ in read.formulas],
        zero=read.zero,
        ceiling=read.ceiling,
        marked=tuple(view.formulas),
        base=words.base(),
        uirevision=view.learned.key,
    )
    plot(figure, "shapes_likeness", live=True)


def _drawn(view: View, of: LikenessOf, form: str) -> None:
    """The scale beside map or matrix, and the table below both; F1 comes by and by."""
    job = quick_f1.ask(of.task, of.fit)

    def scored() -> None:
        active = job is not None and job.active
        results = quick_f1.computed(of.task, of.fit)
        scores = {name: result.validation_f1 for name, result in results.items()}
        drawn = st.container(key="likeness_drawn")
        left, right = drawn.columns([1, 1.4], gap="medium")
        with left:
            _scale(view, of)
        kinds = of.kinds | dict.fromkeys((name for name, *_ in of.read.formulas[:3]), "alike")
        labels, of_map = _labels(view.learned, of), {"scores": scores, "score_name": SCORE, "kinds": kinds}
        of_map |= {"far": theme.FAR_BEHIND, "size": (WIDTH, ROW * len(of.read.formulas))}  # as high as the scale
        with right:
            draw(form, of.found, "shapes", view.learned.key, labels=labels, **of_map)
        rest = len(of.fit) - len(results)
        explained = of.found.explained()
        marked = f"{plain(view.learned.label)} and learned weightings" if view.learned.is_formula else "learned"
        near = f"Diamonds are {marked}." if form == "map" else ""
        more = f"Classical scaling: two dimensions keep {explained:.0%} of squared distances. {quick_f1.SETTINGS}."
        waits = f"Computing {rest} more…" if active and rest else ""
        highest = "" if waits else _highest(view.learned.label, scores)
        below = right.container(key="likeness_told") if near else right  # beside the map's scale of colours
        below.caption(f"{near} {waits}{highest}".strip(), help=more if near else None)
        with drawn:
            _table(view, of, results, scores)

    jobs.follow(job, "likeness", scored)


def _highest(this: str, scores: dict[str, float]) -> str:
    """Which weighting has the highest validation F1, and what it is of equal weights and of the one on the stage."""
    if not scores:
        return ""
    told = dict.fromkeys([max(scores, key=scores.get), *(name for name in (EQUAL, this) if name in scores)])
    return f"Highest validation F1: {'; '.join(f'{plain(name)} {decimals(scores[name])}' for name in told)}."


def _labels(learned: Learned, of: LikenessOf) -> dict[str, str]:
    """What is written beside points instead of their names: of another seed of the same method no more than that."""
    method = "" if learned.is_formula else f"{display(learned.variant)} · "
    labels = {name: name.removeprefix(method) for name, kind in of.kinds.items() if kind == "learned"}
    kind, token = Reference.parse(learned.source)
    run = lookup.find(token) if kind == RUN else None
    return labels | ({learned.label: f"{lookup.whose(run).lower()} (seed {run.seed})"} if run is not None else {})


def choose_form(row: Any) -> str:
    """Map or matrix."""
    with row:
        return choose_one("likeness_form", {"map": "Picture", "matrix": "Matrix"}, "map", label_visibility="collapsed")


def draw(
    form: str,
    found: Alignments,
    key: str,
    uirevision: str,
    labels: dict[str, str] | None = None,
    size: tuple[float, float] = (WIDTH, LOWEST),
    **of_map: Any,
) -> None:
    """All alignments as a map or as a matrix.

    ``of_map``: what the map shows besides, see ``figures.likeness_map``; ``labels`` (short names) are for both.
    """
    names, options = (
        list(found.names),
        {"base": words.base(), "uirevision": uirevision, "labels": labels},
    )
    if form == "map":
        content, options = (names, found.positions()), {"explained": found.explained(), **of_map, **options}
        narrow = likeness_map.layout(*content, **options, size=(NARROW, LOWEST))
        plot(likeness_map(*content, **options, size=size), f"{key}_map", live=True, narrow=narrow)
    else:
        narrow = likeness_matrix.layout(names, found.between, **options, width=NARROW)
        plot(likeness_matrix(names, found.between, **options, width=size[0]), f"{key}_matrix", live=True, narrow=narrow)


def aligned_with(this: str, found: Alignments, more: Callable[[str], dict[str, Any]]) -> pd.DataFrame:
    """A row a weighting, those most alike first; ``more``: what else stands in its row."""
    rows = [
        {"weighting": name, "alignment": found.of(this, name), "with the class": float(target)} | more(name)
        for name, target in zip(found.names, found.with_class, strict=True)
    ]
    return pd.DataFrame(rows).sort_values("alignment", ascending=False, kind="stable", ignore_index=True)


def _table(view: View, of: LikenessOf, results: dict[str, Any], scores: dict[str, float]) -> None:
    this = view.learned.label
    own = results.get(this)

    def measured(name: str) -> dict[str, Any]:
        other, apart = results.get(name), None
        if own is not None and other is not None and name != this:
            apart = int(np.setxor1d(own.predicted, other.predicted, assume_unique=True).size)
        return {"decided otherwise": apart, "validation F1": scores.get(name)}

    frame = aligned_with(this, of.found, measured)
    n_test = len(of.task.y_test)
    frame["decided alike"] = 1 - frame["decided otherwise"].astype(float) / max(n_test, 1)
    with st.expander("All of them in a table"):
        table(frame, "likeness", "Alignment, alignment with the class, decisions alike and validation F1")
        offer_table("Likeness (CSV)", "ltw-likeness.csv", frame, "The table above, with the share decided alike.")
        st.caption(
            f"*Decided otherwise*: of {n_test:,} test documents, those that a linear SVM decides otherwise than under "
            f"{plain(this)}. *With the class*: alignment with the labels themselves, which needs no classifier."
            + _correlation(frame)
        )


def _correlation(frame: pd.DataFrame) -> str:
    """Whether alignment with the class goes with F1, over the weightings that have both."""
    both = frame[frame["validation F1"].notna() & (frame["weighting"] != EQUAL)]
    if len(both) < 5 or both["validation F1"].nunique() < 2:
        return ""
    rank = scipy.stats.spearmanr(both["with the class"], both["validation F1"])
    return (
        f" Over these {len(both)} weightings of this one class its rank correlation with validation F1 is "
        f"{signed(rank.statistic, 2)} (p {'< .001' if rank.pvalue < 0.001 else f'= {decimals(rank.pvalue)}'})."
    )
