"""The functions one can think of: their surfaces, what prevalence and power do to them, and their formulas."""

import numpy as np
import streamlit as st

from ltw_core.figures import Terms, dd_curves, html, slices, surface_grid
from ltw_core.insight import slice_points
from ltw_core.weighting import CD, DD, power
from pages._ui import choices, loading, selection, words
from pages._ui.formulas import Setting, defaults, draw, panels, prevalence_and_size
from pages._ui.guard import plain, sentences
from pages._ui.plot import plot

POWERS = (1 / 3, 1 / 2, 1, 2, 3)
POWER_NAMES = {1 / 3: "⅓", 1 / 2: "½", 1: "1", 2: "2", 3: "3"}

words.header(
    "What the formulas do",
    "Every supervised formula is a surface over two numbers of a term: *tpr*, the share of the class's documents that "
    "hold it, and *fpr*, the share of all others. Move the prevalence and see which formulas depend on it.",
)

task = loading.task(selection.dataset(), selection.class_name()) if loading.ready(selection.dataset()) else None

first, second, third, fourth = st.columns([2.2, 1.2, 1.2, 1], gap="medium")
with first:
    names = choices.functions(
        "Functions", ("CHI2", "IG", "RF"), "functions", 4, "Up to four, side by side with common axes and camera."
    )
p, n = prevalence_and_size(task, second, third)
with fourth:
    k = st.select_slider(
        "Power k of cd^k",
        POWERS,
        value=1,
        format_func=POWER_NAMES.get,
        key="power",
        bind="query-params",
        help="A monotone transform: terms keep their ranking but not their weights, so classifiers see other vectors.",
    )
with st.container(horizontal=True):
    scale = choices.scale("fscale", "linear")
    region = choices.region("fregion", "square") if task is not None else "square"

if not names:
    st.info("Choose a function above.", icon=":material/function:")
    st.stop()

functions = [power(CD[name], k) for name in names]
setting = Setting(p=p, n=n, terms=Terms.of(task) if task is not None and region == "terms" else None)
with sentences():
    grid = surface_grid(
        setting.terms.tpr if setting.terms else None,
        setting.terms.fpr if setting.terms else None,
        p,
        n,
        region=region,
        scale=scale,
    )
    drawn = panels(functions, grid, setting)
    figure = draw("3d", drawn, grid, setting)
    plot(figure, "functions_3d", live=True, narrow=draw("3d", drawn, grid, setting, columns=2), on_pick=selection.pick)

tabs = st.tabs(
    ["From above", "Slices", "Formulas", "Frequency in the document"],
    key="view",
    bind="query-params",
    on_change="rerun",
)
if tabs[0].open:
    with tabs[0], sentences():
        flat = draw("2d", drawn, grid, setting)
        plot(
            flat, "functions_2d", live=True, narrow=draw("2d", drawn, grid, setting, columns=2), on_pick=selection.pick
        )
if tabs[1].open:
    with tabs[1], sentences():
        where, at = st.columns([1, 2])
        along = where.segmented_control(
            "Along",
            ["tpr", "fpr", "diagonal", "antidiagonal"],
            default="tpr",
            required=True,
            key="along",
            bind="query-params",
            help="The rate that runs; the other stands still. On the diagonal (tpr = fpr) a term says nothing.",
        )
        fixed = at.slider(
            "The other rate",
            0.0,
            1.0,
            0.05,
            0.01,
            key="at",
            bind="query-params",
            disabled=along in ("diagonal", "antidiagonal"),
            help="Where the rate that stands still stands.",
        )
        running, tpr, fpr = slice_points(along, fixed, scale="linear")
        curves = {f.symbol: np.broadcast_to(f(tpr, fpr, p, n), running.shape) for f in functions}
        plot(
            slices(running, curves, along=along, at=fixed, p=p, base=words.base(), height=400),
            "functions_slices",
            live=True,
        )
        st.caption("Each curve is scaled to a largest magnitude of 1.")
if tabs[2].open:
    with tabs[2]:
        for function in functions:
            with st.container(border=True):
                formula, note = st.columns([3, 2], vertical_alignment="center")
                formula.markdown(f"**{function.symbol}**")
                formula.latex(function.latex)
                note.markdown(function.note)
                note.caption(f"{function.source}")
        st.caption("Pr(t) = p·tpr + (1 − p)·fpr, with p = Pr(c). TP, FP, FN and TN follow from tpr, fpr, p and N.")
if tabs[3].open:
    with tabs[3], sentences():
        left, right = st.columns(2)
        length = left.slider(
            "Length of the document",
            10,
            500,
            60,
            10,
            key="length",
            bind="query-params",
            help="Word occurrences; BM25 and log(1+f/dl) take it into account. The mean length is taken to be 60.",
        )
        equal = right.toggle(
            "Scale alike",
            value=True,
            key="alike",
            bind="query-params",
            help="Bring each curve to 1 at its right end, as L2 normalisation would for a document of one word.",
        )
        frequency = np.arange(0, 21)
        shown = {f.symbol: f(frequency, length, 60) for f in DD.values()}
        plot(dd_curves(frequency, shown, normalise=equal, base=words.base(), height=420), "functions_dd", live=True)
        for function in DD.values():
            st.markdown(f"**{plain(function.symbol)}** — {plain(function.formula)}. {plain(function.note)}")

st.download_button(
    "Surfaces (HTML)",
    data=lambda: html(figure, "ltw-functions"),
    file_name="ltw-functions.html",
    mime="text/html",
    on_click="ignore",
    icon=":material/download:",
    help="A page of its own that turns without this app.",
)
facts = f"Computed now from the formulas at Pr(c) = {words.percent(p)}, N = {n:,}."
st.caption(f"{facts} {defaults(task, p, n)}")
