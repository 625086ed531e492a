"""The functions one can think of: their surfaces, what prevalence and power do to them, and one's own."""

import streamlit as st

from ltw_core.figures import html, surface_grid
from ltw_core.weighting import logarithm, power
from pages._ui import choices, loading, words
from pages._ui.controls import control
from pages._ui.downloads import offer
from pages._ui.explore import contingency_table, functions_view, own_editor
from pages._ui.explore.function_surfaces import Setting, defaults, panels, prevalence_and_size, show, terms_in
from pages._ui.guard import sentences
from pages._ui.plots.cached_figures import figure_of
from pages._ui.reader import selection

POWERS = {"ln": "ln(1+cd)", 1 / 3: "⅓", 1 / 2: "½", 1: "1", 2: "2", 3: "3"}

words.header(
    "what the formulas do",
    "Every supervised formula is a surface over two numbers of a term: *tpr*, the share of the class's documents that "
    "hold it, and *fpr*, the share of all others. Move the prevalence and see which formulas depend on it.",
)

task = loading.task(selection.dataset(), selection.class_name()) if loading.ready(selection.dataset()) else None

first, second, third, fourth = st.columns([2.2, 1.2, 1.2, 1], gap="medium")
with first:
    names = choices.functions(
        "Functions",
        choices.FORMULAS["functions"],
        "functions",
        4,
        "Up to four, side by side with common axes and camera.",
    )
from_table = words.is_open("view", contingency_table.VIEW)  # there, prevalence and N are those of the table
p, n = prevalence_and_size(task, second, third, disabled=from_table)
with fourth:
    k = control(st.select_slider, "power", POWERS, value=1)
with st.container(horizontal=True):
    scale = choices.scale("fscale", "linear")
    region = choices.region("fregion", "square", disabled=from_table) if task is not None else "square"

functions = [logarithm(f) if k == "ln" else power(f, k) for f in map(choices.function, names)]
draft = own_editor.draft() if words.is_open("view", own_editor.VIEW) else None
if draft is not None:
    functions = [*functions[:3], draft]
if not functions:
    st.info("Choose a function above.", icon=":material/function:")
    st.stop()

counts = contingency_table.table(task) if from_table else None
if counts is not None and sum(counts.values()):
    setting, region = contingency_table.setting(counts), "square"
else:
    setting = Setting(p=p, n=n, terms=terms_in(task, region))
with sentences():
    lies_among_terms = setting.terms is not None and counts is None  # a lone point would leave all else grey
    rates = (setting.terms.tpr, setting.terms.fpr) if lies_among_terms else (None, None)
    grid = surface_grid(*rates, setting.p, setting.n, region=region, scale=scale)
    drawn = panels(functions, grid, setting)
    figure = show("3d", drawn, grid, setting)

views = {
    "From above": lambda: show("2d", drawn, grid, setting),
    "Slices": lambda: functions_view.along_a_line(functions, setting),
    "Difference": lambda: functions_view.differences(functions, grid, setting, task),
    contingency_table.VIEW: lambda: contingency_table.sliders(task, functions),
    "Transforms": lambda: functions_view.transforms(choices.function(names[0]) if names else functions[0], task),
    "In a document": lambda: functions_view.within_a_document(task),
    own_editor.VIEW: lambda: own_editor.editor(task),
    "Formulas": lambda: functions_view.notes(names, task),
}
words.tabs("view", views)

about = "A page of its own that turns without this app."
offer("Surfaces (HTML)", "ltw-functions.html", lambda: html(figure_of(figure), "ltw-functions"), about)
facts = f"Computed now from the formulas at Pr(c) = {words.prevalence(setting.p)}, N = {setting.n:,}."
st.caption(f"{facts} {'These are the numbers of the table above.' if from_table else defaults(task, p, n)}")
