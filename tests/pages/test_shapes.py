"""The views of the Workbench: every one opens for a shipped and a trained weighting, and shows what it is for."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ltw_core.figures import PlaneView
from ltw_core.tasks import TermStatistics
from pages._ui.weightings.learned import Learned, learned_form
from pages._ui.workbench import shape_surfaces, shape_view
from tests.pages.conftest import APP, figures, finish_jobs, labelled, open_page, open_workbench, texts
from tests.waiting import PATIENCE

VIEWS = {
    "Surface": "In canonical form",
    "Map": "In canonical form",
    "Slice": "Ticks: ",
    "Ranks": "differs most from the mean rank under the others",
    "Film": "snapshots of the training",
    "Likeness": "; equal weights .",
    "Properties": "Where each fails most",
}
FOUR = ["CHI2", "GR", "IG", "RF"]


def opened(app, view, **state):
    return open_workbench(app, "example", **{"view": view, "beside": FOUR, **state})


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_opens(app, view):
    page = opened(app, view)
    assert not page.exception and not page.error
    assert VIEWS[view] in texts(page)


def test_before_anything_is_learned_there_is_the_film_of_an_example_and_no_other_message(app):
    page = open_workbench(app, view="Film")
    assert not page.exception and not page.info
    assert "This is the film of an example" in texts(page) and "**Train** makes one" in texts(page)
    assert "Nothing has been learned yet" not in texts(page)  # beside the step that the example kept
    (film,) = (figure["figure"] for figure in figures(page) if figure["name"] == "time_surface")
    assert "an example, trained earlier" in film


@pytest.mark.parametrize("view", ["Surface", "Film"])
@pytest.mark.parametrize("shown", ["", "formulas"])
def test_an_example_of_another_class_is_offered_and_brings_its_class_along(app, view, shown):
    page = open_workbench(app, shown, view=view)
    page = page.selectbox(key="class-synthetic").set_value("other").run()
    assert page.selectbox(key="shape_source").value == (shown or "new") and "film of an example" not in texts(page)
    option = "shipped:synthetic-relevant-LTW-L-I"
    if (shown, view) == ("formulas", "Surface"):
        page = page.selectbox(key="shape_source").set_value(option).run()
    else:
        page = page.button(key="see_example").click().run()
    assert not page.exception and page.selectbox(key="class-synthetic").value == "relevant"
    assert page.selectbox(key="shape_source").value == option
    page = page.run().selectbox(key="class-synthetic").set_value("other").run()
    assert page.selectbox(key="shape_source").value == "new"  # of the class that is chosen now nothing is learned


def test_an_address_that_asks_for_an_example_opens_with_its_class(app):
    page = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    page.query_params |= {"dataset": "synthetic", "class": "other", "run": "shipped:synthetic-relevant-LTW-L-I"}
    page = open_page(page.run(), "workbench/workbench")
    assert page.selectbox(key="class-synthetic").value == "relevant"


@pytest.mark.parametrize(
    ("variant", "state", "words"),
    [
        ("LTW-G-I", {"view": "Properties", "properties": "weights"}, "lies within places"),
        ("LTW-TF", {"view": "Properties", "properties": "occurrences"}, "R² of the best multiple"),
        ("LTW-L-sigma", {"view": "Film"}, "snapshots of the training"),
    ],
)
def test_what_was_trained_here_is_shown(app, variant, state, words):
    """A variant's own part, and every other view with it, whether it has a surface or not."""
    page = open_workbench(app)
    page.selectbox(key="method").set_value(variant)
    page.number_input(key="max_steps").set_value(500)
    page = finish_jobs(page.run().button(key="train").click().run())
    assert not page.exception and not page.error
    page = open_workbench(page, **state, beside=FOUR)
    assert not page.exception and not page.error
    assert words in texts(page)
    for other in VIEWS:
        page.session_state["view"] = other
        page = page.run()
        assert not page.exception and not page.error, other


def test_a_network_that_is_told_more_is_shown_over_two_of_its_inputs(app):
    page = open_workbench(app)
    page.multiselect(key="inputs").set_value(["tpr", "fpr", "idf", "prevalence"])
    page.number_input(key="max_steps").set_value(100)
    page.number_input(key="hidden_local").set_value(5)
    page = finish_jobs(page.run().button(key="train").click().run())
    page = open_workbench(page, view="Properties", properties="inputs")
    assert not page.exception and not page.error
    assert "The same for all terms of this class: prevalence" in texts(page)
    assert [slider.label for slider in page.slider if slider.key.startswith("input_at")] == ["Held at: idf"]
    page = page.selectbox(key="input_x").set_value("idf").run()
    assert "idf" not in page.selectbox(key="input_y").options and not page.exception


def test_a_learned_surface_is_transplanted_to_another_class_and_compared_with_its_own(app):
    page = open_workbench(app)
    page.number_input(key="max_steps").set_value(200)
    page = finish_jobs(page.run().button(key="train").click().run())
    page = finish_jobs(open_workbench(page, view="Properties", properties="elsewhere"))
    assert not page.exception and not page.error
    f1 = next(figure["alt"] for figure in figures(page) if figure["name"] == "learned_f1_there")
    assert "LTW-L-I, transplanted" in f1 and "held-out" in f1
    terms = page.dataframe[0].value
    assert terms["share"].is_monotonic_decreasing and 0 < terms["share"].sum() <= 100
    page = open_workbench(page, view="Likeness", likeness="classes")
    assert "relevant · LTW-L-I" not in texts(page)  # its own class is none of the others
    page.selectbox(key="class-synthetic").set_value("other")
    page = finish_jobs(page.run().button(key="train").click().run())
    page = open_workbench(page, view="Likeness", likeness="classes")
    assert not page.exception and not page.error
    assert "learned for other classes, **" in texts(page) and "; equal\u00a0weights\u00a0." in texts(page)
    alike = next(frame.value for frame in page.dataframe if "learned for" in frame.value)
    assert {"LTW-L-I", "equal weights"} < set(alike["weighting"]) and alike["alignment"].iloc[0] == pytest.approx(1)
    own = alike[~alike["weighting"].str.contains("example") & alike["learned for"].str.contains("relevant")]
    assert len(own) == 1  # what was learned for the other class a moment ago


def test_likeness_is_drawn_on_its_scale_and_every_weighting_on_a_map(app):
    page = finish_jobs(opened(app, "Likeness", likeness_course=True))
    names = {figure["name"] for figure in figures(page)}
    assert {"shapes_likeness", "shapes_map", "shapes_course"} <= names
    (help_of,) = (each.proto.help for each in page.markdown if " most like " in each.value)
    assert "training documents," in help_of and "of them of the class" in help_of
    table = next(frame.value for frame in page.dataframe if "decided otherwise" in frame.value)
    assert table["alignment"].is_monotonic_decreasing and table["alignment"].iloc[0] == 1
    assert {"equal weights", "χ²", "RF"} <= set(table["weighting"])
    assert table["validation F1"].notna().all() and table["decided otherwise"].notna().sum() == len(table) - 1
    page.session_state["likeness_form"] = "matrix"
    page = page.run()
    assert "shapes_matrix" in {figure["name"] for figure in figures(page)} and not page.exception


def test_ranks_are_of_contributions_and_ties_are_told(app):
    page = opened(app, "Ranks")
    assert "make up " in texts(page) and "of the class’s vectors" in texts(page)
    groups = page.dataframe[0].value
    assert groups["share"].is_monotonic_decreasing and 0 < groups["share"].sum() <= 1 + 1e-9
    assert ((groups["tp"] + groups["fp"]) >= 3).all()
    page.session_state["rare_terms"] = True
    page = page.run()
    more = page.dataframe[0].value
    assert not page.exception and not page.error and len(more) >= len(groups)


def test_a_part_that_a_variant_does_not_have_is_not_offered(app):
    page = opened(app, "Properties", properties="occurrences")
    assert not page.exception
    assert "Where each fails most" in texts(page)  # the first part instead


def test_a_selected_term_opens_its_documents(app):
    from pages._ui import loading

    page = opened(app, "Surface")
    term = str(loading.task("synthetic", page.selectbox(key="class-synthetic").value).terms[5])
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    assert f"Documents that hold “{term}”" in [s.value for s in page.header]
    assert labelled(page, "text_input", "With the words").value == term
    assert labelled(page, "multiselect", "Weightings").value == ["shipped:synthetic-relevant-LTW-L-I", "TFCHI"]
    assert not page.exception and not page.error


def test_documents_are_shaded_by_two_that_differ_also_where_what_is_compared_is_the_usual_one(monkeypatch):
    monkeypatch.setattr(shape_surfaces.st, "session_state", state := {})
    shape_surfaces._shade_by((None, "TFRF"))  # nothing learned, RF beside it
    assert state["doc_weightings"][0] == "TFRF" and len(set(state["doc_weightings"])) == 2


def test_documents_are_closed_on_arrival_unless_the_address_asks_for_them_and_close_when_something_is_trained(app):
    page = opened(app, "Surface")
    term = labelled(page, "multiselect", "Selected terms").options[5]
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    assert page.query_params["drawer"] == "open" and page.button(key="drawer_close")
    page = open_page(page, "data/data")
    del page.query_params["drawer"]  # as a browser does
    page = open_page(page, "workbench/workbench")
    assert not page.exception and page.button(key="drawer_open").label == f"Documents with “{term}”"
    page.query_params["drawer"] = "open"
    del page.session_state["_terms_seen"]  # as when a link is followed
    page = page.run()
    assert page.button(key="drawer_close")
    page = finish_jobs(page.button(key="train").click().run())
    assert not page.exception and page.button(key="drawer_open")


@pytest.mark.parametrize("view", ["Likeness", "Ranks"])
def test_its_documents_open_under_other_views_as_well_until_they_are_closed(app, view):
    page = opened(app, view)
    term = labelled(page, "multiselect", "Selected terms").options[5]
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    documents = f"Documents that hold “{term}”"
    assert documents in [s.value for s in page.header]
    page = page.button(key="drawer_close").click().run()
    assert documents not in [s.value for s in page.header] and page.query_params["terms"] == term
    page = finish_jobs(page)
    page.session_state["_likeness"] = time.time()  # a job was followed, and has ended before the click
    page = page.button(key="drawer_open").click().run()
    assert documents in [s.value for s in page.header]
    assert not page.exception and not page.error


def test_documents_of_a_training_that_kept_more_terms_are_found(app):
    page = open_workbench(app)
    page.slider(key="ratio").set_value(50)
    page.number_input(key="max_steps").set_value(200)
    page = finish_jobs(page.run().button(key="train").click().run())
    run = page.query_params["run"]
    picker = labelled(page, "multiselect", "Selected terms")
    page = picker.set_value([picker.options[5]]).run()
    assert f"Documents that hold “{picker.options[5]}”" in [s.value for s in page.header]
    assert labelled(page, "multiselect", "Weightings").value[0] == f"run:{run[0] if isinstance(run, list) else run}"
    assert not page.exception and not page.error


def test_selected_terms_are_named_on_slices(app):
    page = opened(app, "Slice")
    term = labelled(page, "multiselect", "Selected terms").options[5]
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    (figure,) = (part for part in figures(page) if part["name"] == "shapes_slices")
    traces = {trace["name"]: trace for trace in json.loads(figure["figure"])["data"]}
    assert traces["selected"]["text"] == [f"<b>{term}</b>"]


@pytest.mark.parametrize("one_scale", [False, True])
def test_heights_on_one_scale_or_each_its_own(app, one_scale):
    page = opened(app, "Surface", one_scale=one_scale)
    assert ("side by side each is scaled" in texts(page)) is not one_scale
    sent = b"".join(element.proto.bytes for element in page.get("bidi_component"))  # whole figures, or what changed
    assert (b"weight (typical = 1)" in sent) is one_scale  # the hover of terms has it in either


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("formulas", "is never below 1"),
        ("sigma", "sigmoid"),
        ("identity", "Weights may go below zero"),
        ("convergence", "The loss goes on falling"),
        ("occurrences", "how much an occurrence counts"),
    ],
)
def test_the_papers_figures_are_a_click_away(app, figure, words):
    page = opened(app, "Properties", properties="paper", paper=figure)
    assert not page.exception and not page.error
    assert words in texts(page)
    if figure not in ("formulas",):
        assert texts(page).count("Shipped with LTW Lab") == 4  # and that on the stage
    if figure in ("convergence", "occurrences"):
        assert texts(page).count("10 seeds, ") == 3 and "The 30 runs:" in texts(page)


def test_a_whole_square_and_other_axes(app):
    for view in ("Surface", "Slice", "Properties"):
        page = opened(app, view, region="square", scale="logit")
        assert not page.exception and not page.error
    page = opened(app, "Properties", region="square")
    assert "4,096 points of the whole square" in texts(page)


def test_no_formula_to_compare_with(app):
    page = opened(app, "Surface")
    page = labelled(page, "multiselect", "Compare with").set_value([]).run()
    for view in VIEWS:
        page.session_state["view"] = view
        page = page.run()
        assert not page.exception and not page.error, view


def test_a_formula_that_was_found_is_written_as_in_a_textbook():
    from pages._ui.workbench.shape_discovery import _written

    assert _written("-log(fpr + 0.03)**2 * tpr**2.5") == "−ln(fpr + 0.03)² · tpr^2.5"


def test_formulas_are_looked_for_and_one_is_kept(app, monkeypatch):
    from ltw_core.insight.symbolic import Budget
    from pages._ui.reader import own_weightings
    from pages._ui.workbench import shape_discovery

    monkeypatch.setattr(shape_discovery, "BUDGET", Budget(population=20, generations=4))
    page = opened(app, "Likeness", likeness="found")
    page = finish_jobs(page.button(key="discover").click().run())
    assert not page.exception and not page.error
    assert "in 4 generations" in texts(page) and "on a sample of the training documents" in texts(page)
    formula = page.selectbox(key="discovered").value
    page = page.button(key="keep_discovered").click().run()
    (kept,) = page.session_state[own_weightings._KEY].values()
    assert (kept.cd, kept.dd) == (formula, "log(1+f/dl)")
    assert not page.exception and not page.error


def test_several_surfaces_and_maps_on_a_phone_stand_in_two_columns():
    for size in (shape_surfaces.phone_size, shape_surfaces.phone_map_size):
        assert [size(PlaneView(), n).columns for n in (1, 2, 3, 5)] == [1, 2, 2, 2]
    high = {n: shape_surfaces.phone_map_size(PlaneView(), n).height for n in (1, 2, 4)}
    assert high[2] < high[1] < high[4] < 600


def test_surface_and_film_name_the_same_strongest_terms(app):
    page = opened(app, "Surface", beside=[])
    bars = {}
    for view, name in (("Surface", "live_terms"), ("Film", "time_terms")):
        page.session_state["view"] = view
        (sent,) = (part for part in figures(page.run()) if part["name"] == name)
        (trace,) = json.loads(sent["figure"])["data"]
        bars[view] = trace["customdata"]
        assert "contribute most under " in sent["figure"] and page.toggle(key="zoom_f1")  # the column is one
    assert len(bars["Surface"]) == 10 and bars["Film"] == bars["Surface"]


def test_the_axis_of_heights_begins_as_before_the_first_step_only_grows_and_at_the_end_is_its_own(monkeypatch):
    monkeypatch.setattr(shape_view.st, "session_state", {})
    rates = np.linspace(0.02, 0.6, 12)
    terms = TermStatistics.of_rates([f"t{k}" for k in range(12)], rates, rates / 4, 0.1, 1000)

    def learned(power, source="run:1"):  # the steeper, the higher its peak, as the mean square is 1
        surface = lambda tpr, fpr: tpr**power + 0 * fpr  # noqa: E731
        form = learned_form("LTW-L-I", surface(terms.tpr, terms.fpr), terms, surface)
        return Learned(f"{source}-{power}", "LTW-L-I", "a class", terms, form, "", source=source)

    def axis(now, often=True):
        ghost = learned(2, "") if often else None
        drawn = []
        monkeypatch.setattr(shape_surfaces, "plot", lambda figure, *args, **kwargs: drawn.append(figure))
        shape_surfaces.surface(shape_view.View(now, (), (), "log", "terms", True, ghost=ghost), often)
        return json.loads(drawn[0].written.layout["meta"])["z_range"]

    own = {power: axis(learned(power), often=False) for power in (1, 2, 4)}
    assert own[1][1] < own[2][1] < own[4][1]
    powers, axes = (1, 2, 4, 1), (2, 2, 4, 4)  # before the first step it is 2
    assert [axis(learned(power)) for power in powers] == [own[power] for power in axes]
    assert axis(learned(1), often=False) == own[1]  # at the end, as in Map, in Film and as an example
    assert axis(learned(1, "run:2")) == own[2]  # of another training it begins anew
    view = shape_view.View(replace(learned(1), step=900), (), (), "log", "terms", True, ghost=learned(2, ""))
    told = [shape_surfaces._panels(view, view.grid, wire)[0].subtitle for wire in (True, False)]
    assert told == ["step 900 · wire: step 0", "step 900"]  # what is drawn says of which step it is
