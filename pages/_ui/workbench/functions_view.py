"""Views of formulas alone: slices, differences, transforms with their F1, dd functions, formulas with notes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from scipy.stats import spearmanr

from ltw_core.figures import PlaneView, SurfacePanel
from ltw_core.insight import difference
from ltw_core.insight.likeness import DD_OF_LEARNED
from ltw_core.metrics import decimals
from ltw_core.weighting import DD, TermWeighting, logarithm, power
from ltw_core.weighting.doubled_document import doubled_document
from pages._ui import choices, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import contours, dd_curves, slices
from pages._ui.plots.plot import plot
from pages._ui.tables import table
from pages._ui.weightings import quick_f1
from pages._ui.workbench.formula_shapes import FormulasView
from pages._ui.workbench.function_surfaces import Setting
from pages._ui.workbench.shape_slices import choose_line

TRANSFORMS = {"k = ⅓": 1 / 3, "k = ½": 1 / 2, "k = 1": 1, "k = 2": 2, "k = 3": 3}


def along_a_line(functions: list[Any], grid: Any, setting: Setting) -> None:
    """The functions along a line through the plane."""
    row = st.container(horizontal=True, vertical_alignment="center", gap="medium", key="view_row")
    line = choose_line(row, grid)
    curves = {f.symbol: f.at_rates(line.tpr, line.fpr, setting.p, setting.n) for f in functions}
    where = {"along": line.along, "at": line.fixed, "scale": line.scale, "p": setting.p}
    figure = slices(line.running, curves, **where, base=words.base(), height=520)
    plot(figure, "functions_slices", live=True)


def notes(names: list[str], task: Any) -> None:
    """Each formula, with what to know of it and the numbers of the class."""
    for name in names:
        function = choices.function(name)
        with st.container(border=True, key=f"note-{name}"):
            formula, note = st.columns([2, 3], gap="medium")
            formula.markdown(f"**{function.symbol}**")
            formula.latex(function.latex)
            note.markdown(function.note)
            said = function.caveat(task) if task is not None else ""
            if said:
                note.markdown(f":material/info: For {plain(task.class_title)}: {plain(said)}")
            note.caption(function.source)
    st.caption(
        "Pr(t) = Pr(c)·tpr + Pr(c̄)·fpr, with Pr(c̄) = 1 − Pr(c). TP, FP, FN and TN follow from tpr, fpr, Pr(c) and N."
    )


def written(names: list[str]) -> None:
    """The formulas as they are written, beside their surfaces."""
    for name in names:
        function = choices.function(name)
        st.markdown(f"**{function.symbol}**")
        st.latex(function.latex)


def difference_of(view: FormulasView) -> None:
    """The same as ``differences``, on a class's terms."""
    differences(view.functions, view.grid, view.setting, view.task())


def differences(functions: Sequence[Any], grid: Any, setting: Setting, task: Any) -> None:
    """One formula minus the best multiple of another, from above; over the square where there is no class."""
    if len(functions) < 2:
        st.info("Choose two under *Formulas* to see their difference.", icon=":material/difference:")
        return
    symbols = [f.symbol for f in functions]
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="view_row"):
        one = control(st.selectbox, "minuend", symbols, width=340)
        other = control(st.selectbox, "subtrahend", [s for s in symbols if s != one], width=260)
    first, second = functions[symbols.index(one)], functions[symbols.index(other)]
    at_terms, frequency = (None, None), None
    if task is not None:
        frequency = setting.p * task.tpr + (1 - setting.p) * task.fpr
        at_terms = tuple(f.at_rates(task.tpr, task.fpr, setting.p, setting.n) for f in (first, second))
    on_grid = (f.at_rates(grid.tpr, grid.fpr, setting.p, setting.n) for f in (first, second))
    found = difference(*on_grid, *at_terms, frequency)
    top = float(np.abs(at_terms[0] if task is not None else found.surface).max()) or 1.0
    shown = SurfacePanel(f"{one} − {_number(found.factor)} · {other}", found.surface / top, None, "")
    look = PlaneView(setting.p, base=words.base(), heights="raw", height=460)
    figure = contours([shown], grid, setting.terms, look)
    plot(figure, "functions_difference", live=True)
    about = "over the terms, weighted by document frequency" if task is not None else "over the square"
    st.markdown(
        f"{_number(found.factor)} · {plain(other)} is nearest to {plain(one)}; the difference keeps "
        f"**{words.percent(found.share)}** of the sum of squares of {plain(one)}.",
        help=f"The best multiple {about}, since a constant factor leaves normalised vectors unchanged. The picture is "
        f"in units of the largest {plain(one)} of any term.",
    )


def transforms(function: Any, task: Any) -> None:
    """Powers and the logarithm of a function: the ranking is one, the weights and the F1 are not."""
    if task is None:
        st.info("Open a dataset to see what a transform does to its terms.", icon=":material/hourglass_empty:")
        return
    changed = {name: power(function, k) for name, k in TRANSFORMS.items()}
    changed["ln(1+cd)"] = logarithm(function)
    arguments = (task.tpr, task.fpr, task.prevalence, task.n_documents)
    plainly = function.at_rates(*arguments)
    weights = {name: f.at_rates(*arguments) for name, f in changed.items()}
    order = np.argsort(-plainly, kind="stable")
    steps = np.unique(np.r_[0:5, 9, 24, 99, 299, 999].clip(max=plainly.size - 1))
    at = order[steps]
    frame = pd.DataFrame({"rank": steps + 1, "term": [str(t) for t in task.terms[at]]})
    for name, values in weights.items():
        frame[name] = values[at] / (np.abs(values).max() or 1.0)
    varies = np.ptp(plainly) > 0
    alike = min(float(spearmanr(plainly, values).statistic) for values in weights.values()) if varies else 1.0
    left, right = st.columns([5, 3], gap="medium")
    with left:
        st.markdown(
            f"**The ranking stays**: Spearman’s correlation with {plain(function.symbol)} is {decimals(alike, 4)} for "
            "each."
        )
        title = "Terms by rank with their weight under each transform"
        table(frame, "transforms", title)
        st.caption("Weights as shares of the largest.")
    with right:
        st.markdown("**The vectors and F1 change**")
        quick_f1.show(
            task,
            {name: TermWeighting(cd=f) for name, f in changed.items()},
            "transforms_f1",
            dict.fromkeys(changed, function.name),
        )


def within_a_document(task: Any) -> None:
    """dd functions as curves, and the doubled document by numbers."""
    place = st.container()  # the picture first
    first, second, third, fourth = st.columns(4, gap="medium", vertical_alignment="bottom")
    length = control(first.slider, "length", 10, 500, 60, 10)
    k1 = control(second.slider, "k1", 0.0, 3.0, 1.2, 0.1)
    b = control(third.slider, "b", 0.0, 1.0, 0.75, 0.05)
    equal = control(fourth.toggle, "alike", value=True)
    frequency = np.arange(0, 21)
    options = {"bm25": {"k1": k1, "b": b}}  # of the dd functions that take any
    shown = {f.symbol: f(frequency, length, 60, **options.get(name, {})) for name, f in DD.items()}
    with place:
        look = {"normalise": equal, "learned": DD[DD_OF_LEARNED].symbol, "base": words.base(), "height": 380}
        narrow = dd_curves.layout(frequency, shown, narrow=True, **look)
        plot(dd_curves(frequency, shown, **look), "functions_dd", live=True, narrow=narrow)
    _doubled(task, options)
    with st.expander("The formulas"):
        for function in DD.values():
            st.markdown(f"**{plain(function.symbol)}** — {plain(function.formula)}. {plain(function.note)}")


def _doubled(task: Any, options: dict[str, dict]) -> None:
    st.markdown("**A document, and two copies of it joined into one**")
    typed = control(st.text_input, "doubled", "1, 2, 8")
    try:
        counts = [int(part) for part in typed.replace(";", ",").split(",") if part.strip()]
    except ValueError:
        st.error(f"“{plain(typed[:40])}” is not a list of whole numbers such as 1, 2, 8.", icon=":material/error:")
        return
    if not 1 <= len(counts) <= 12 or not all(0 < c <= 10_000 for c in counts):
        st.error("Give 1 to 12 counts, each from 1 to 10,000.", icon=":material/error:")
        return
    mean = float(task.counts_train.sum() / task.counts_train.shape[0]) if task is not None else float(sum(counts))
    rows = []
    for name, function in DD.items():
        found = doubled_document(counts, name, mean_length=mean, **options.get(name, {}))
        rows.append(
            {
                "dd": function.symbol,
                "document": "  ".join(map(decimals, found.once)),
                "doubled": "  ".join(map(decimals, found.twice)),
                "cosine": found.cosine,
                "change": 100 * found.distance,
            }
        )
    table(pd.DataFrame(rows), "doubled", "Vectors of a document and its doubled copy under each dd function")
    st.caption(
        "Both say the same, yet under a logarithm of counts they get different vectors: rare words gain on frequent "
        "ones in the copy. ln(1+f/dl), the dd of Learning to Weight, takes the length out."
    )


def _number(value: float) -> str:
    """Three figures, thousands apart, no exponent where it can be helped."""
    return f"{float(f'{value:.3g}'):,g}"
