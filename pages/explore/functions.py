"""The functions one can think of: their surfaces, what prevalence and power do to them, and one's own."""

import streamlit as st

from ltw_core.figures import html, surface_grid
from ltw_core.weighting import logarithm, power
from pages._ui import choices, loading, words
from pages._ui.downloads import offer
from pages._ui.explore import functions_view, lab, own_editor
from pages._ui.explore.formulas import Setting, defaults, draw, panels, prevalence_and_size, terms_in
from pages._ui.guard import sentences
from pages._ui.plots.drawn import figure_of
from pages._ui.plots.plot import plot
from pages._ui.reader import selection

POWERS = ("ln", 1 / 3, 1 / 2, 1, 2, 3)
POWER_NAMES = {"ln": "ln(1+cd)", 1 / 3: "⅓", 1 / 2: "½", 1: "1", 2: "2", 3: "3"}
VIEWS = ("From above", "Slices", "Difference", lab.VIEW, "Transforms", "In a document", own_editor.VIEW, "Formulas")

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
in_lab = lab.is_open()  # there, prevalence and N are those of the table
p, n = prevalence_and_size(task, second, third, disabled=in_lab)
with fourth:
    k = st.select_slider(
        "Power k of cd^k, or log",
        POWERS,
        value=1,
        format_func=POWER_NAMES.get,
        key="power",
        bind="query-params",
        help="A monotone transform: terms keep their ranking but not their weights, so classifiers see other vectors.",
    )
with st.container(horizontal=True):
    scale = choices.scale("fscale", "linear")
    region = choices.region("fregion", "square", disabled=in_lab) if task is not None else "square"

functions = [logarithm(f) if k == "ln" else power(f, k) for f in map(choices.function, names)]
draft = own_editor.draft() if own_editor.is_open() else None
if draft is not None:
    functions = [*functions[:3], draft]
if not functions:
    st.info("Choose a function above.", icon=":material/function:")
    st.stop()

counts = lab.table(task) if in_lab else None
if counts is not None and sum(counts.values()):
    setting, region = lab.setting(counts), "square"
else:
    setting = Setting(p=p, n=n, terms=terms_in(task, region))
with sentences():
    lies_among_terms = setting.terms is not None and counts is None  # a lone point would leave all else grey
    rates = (setting.terms.tpr, setting.terms.fpr) if lies_among_terms else (None, None)
    grid = surface_grid(*rates, setting.p, setting.n, region=region, scale=scale)
    drawn = panels(functions, grid, setting)
    figure = draw("3d", drawn, grid, setting)
    plot(
        figure, "functions_3d", live=True, narrow=draw("3d", drawn, grid, setting, narrow=True), on_pick=selection.pick
    )

tabs = dict(zip(VIEWS, st.tabs(VIEWS, key="view", bind="query-params", on_change="rerun"), strict=True))
SHOWN = {
    "From above": lambda: functions_view.from_above(drawn, grid, setting),
    "Slices": lambda: functions_view.along_a_line(functions, setting),
    "Difference": lambda: functions_view.differences(functions, grid, setting, task),
    lab.VIEW: lambda: lab.sliders(task, functions),
    "Transforms": lambda: functions_view.transforms(choices.function(names[0]) if names else functions[0], task),
    "In a document": lambda: functions_view.within_a_document(task),
    own_editor.VIEW: lambda: own_editor.editor(task),
    "Formulas": lambda: functions_view.notes(names, task),
}
for name, tab in tabs.items():
    if tab.open:
        with tab, sentences():
            SHOWN[name]()

about = "A page of its own that turns without this app."
offer("Surfaces (HTML)", "ltw-functions.html", lambda: html(figure_of(figure), "ltw-functions"), about)
facts = f"Computed now from the formulas at Pr(c) = {words.prevalence(setting.p)}, N = {setting.n:,}."
st.caption(f"{facts} {'These are the numbers of the table above.' if in_lab else defaults(task, p, n)}")
