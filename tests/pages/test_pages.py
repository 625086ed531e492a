"""Every page, through the router, on a small corpus: it shows what it is for, and nothing raises."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import streamlit as st
from scipy.sparse import csr_array
from streamlit.components.v2.bidi_component import main as bidi_component

from pages._ui import sheets
from tests.pages.conftest import figures, finish_jobs, labelled, open_page, open_workbench, settled, texts
from tests.waiting import PATIENCE

PAGES = (
    ("start/start", "LTW Lab"),
    ("data/data", "Data"),
    ("learn_by_doing/learn_by_doing", "Lessons"),
    ("learn_by_doing/classroom", "Classroom"),
    ("workbench/workbench", "Workbench"),
    ("evaluate/classifiers", "Classifiers"),
    ("evaluate/study", "Studies"),
)


@pytest.mark.parametrize(("path", "title"), PAGES)
def test_page_opens(app, path, title):
    page = open_page(app, path)
    (shown,) = page.title
    assert shown.value.startswith(f"{title}: ")  # the entry of the navigation, on Start the lab's name
    sheet, *others = [e.proto.body for e in page.get("html") if e.proto.body.endswith("</style>")]
    assert sheet == sheets.STYLE and sheet not in others  # first of all, so that no page's takes its place
    assert not page.exception and not page.error


@pytest.mark.parametrize(("path", "title"), PAGES)
def test_words_of_the_glossary_say_what_they_mean(app, path, title):
    page = open_page(app, path)
    leads = [element.value for element in (*page.markdown, *page.caption) if "<abbr" in element.value]
    assert leads and all('title="' in lead for lead in leads)
    assert any("ltw-glossary" in element.proto.html_content for element in page.get("bidi_component"))


def test_a_link_of_the_glossary_opens_its_place_also_on_the_page_it_is_of(app):
    page = app
    for place, title in (
        ("study?study=Tables&study_tables=Tables", "Studies: how close"),
        ("study?study=Beyond+the+paper&study_beyond=One+formula", "Studies: does one"),  # not there until now
        ("study?study=Beyond+the+paper&study_beyond=Averaged+runs", "Studies: is the mean"),
        ("classifiers?scope=all", "Classifiers: does it help all"),
        ("classifiers?scope=one", "Classifiers: does it help?"),
    ):
        page = _ask_glossary(page, place)
        assert page.title[0].value.startswith(title)
        if "study_beyond" in place:  # the address opens it, too
            assert page.query_params["study_beyond"] == place.split("=")[-1].replace("+", " ")
    page = _ask_glossary(page, "lessons?lesson=luck&step=4")
    page = _ask_glossary(page, "lessons?lesson=luck&step=6")  # from one step to another, past those between
    begun = page.session_state["_lessons"]["luck"]
    assert page.query_params["step"] == "6" and (begun.step, begun.furthest) == (6, 6)
    for other in ("data?dataset=pydocs", ["lessons"]):  # nothing of the list
        page = _ask_glossary(page, other)
        assert page.title[0].value.startswith("Lessons: ")


def _ask_glossary(page, place):
    """The page after a click in the list, without an exception."""
    (listed,) = [e.proto.id for e in page.get("bidi_component") if "ltw-glossary" in e.proto.html_content]
    states = page._tree.get_widget_states()
    trigger = bidi_component._make_trigger_id(listed, "events")
    states.widgets.add(id=trigger, json_trigger_value=json.dumps([{"event": "asked", "value": place}]))
    page = settled(page._run(states))
    assert not page.exception
    return page


@pytest.mark.parametrize(("path", "title"), PAGES)
def test_every_control_has_help(app, path, title):
    page = open_page(app, path)
    kinds = ("selectbox", "multiselect", "number_input", "slider", "select_slider", "button", "toggle")
    bare = [w.label for kind in kinds for w in page.get(kind) if not w.help]
    assert not bare


def test_start_shows_the_sidebars_class_and_a_document_of_it(app):
    shown = turntable(app)
    assert shown["names"] == ["TFIDF", "χ²", "RF", "Learned"] and shown["key"] == "shipped-synthetic-relevant-LTW-L-I"
    written = "".join(piece if isinstance(piece, str) else piece[0] for piece in shown["pieces"])
    assert "document of the class" in shown["about"] and len(written.split()) > 5
    terms = {piece[1] for piece in shown["pieces"] if not isinstance(piece, str)}
    assert terms and terms <= set(shown["words"])
    for word in shown["words"].values():
        assert word["tp"] + word["fn"] == 280 and len(word["shade"]) == len(word["z"]) == 4
    assert any("seed 0" in (caption.proto.help or "") for caption in app.caption)


def test_what_a_server_that_has_just_started_needs_no_libraries_for_is_there_before_them(app, monkeypatch):
    from pages._ui import warm

    monkeypatch.setattr(warm, "begun", lambda: False)
    monkeypatch.setattr(warm, "begin", st.stop)
    app = app.run()
    assert "about 5 s" in texts(app) and {"Learn by doing", "Train it yourself"} <= {b.label for b in app.button}


def test_a_class_chosen_on_start_is_chosen_everywhere(app):
    (examples,) = [group for group in app.get("button_group") if group.label == "Example classes"]
    app = examples.set_value("pydocs-scipy.stats-LTW-L-I").run()
    assert app.query_params["dataset"] == "pydocs" and not app.exception
    assert turntable(app)["key"] == "shipped-pydocs-scipy.stats-LTW-L-I"
    assert "gray-badge[scipy.stats]" in texts(app)  # beside the title, though the page is drawn before the sidebar
    app = settled(app)
    assert app.query_params["class"] == "scipy.stats" == app.selectbox(key="class-pydocs").value


def test_a_class_for_which_nothing_was_learned_has_its_formulas(app):
    classes = app.selectbox(key="class-synthetic")
    other = next(c for c in _options(app) if c != classes.value)
    app = settled(classes.set_value(other).run())
    assert turntable(app)["names"] == ["TFIDF", "χ²", "RF"]
    (at_hand,) = [group for group in app.get("button_group") if group.label == "Example classes"]
    assert at_hand.value == "own" and at_hand.options[-1].startswith(f"{other} · ")
    assert turntable(app)["missing"] == [["Learned", "Not learned for this class yet."]]


def test_a_class_without_a_surface_has_an_example_of_its_corpus_until_that_is_there(app, monkeypatch):
    from pages._ui import loading

    other = next(c for c in _options(app) if c != app.selectbox(key="class-synthetic").value)
    with monkeypatch.context() as until:
        until.setattr(loading, "ready", lambda _: False)
        until.setattr(loading, "line", lambda _: None)  # which waits for it
        app.session_state["class_of"] = {"synthetic": other}
        app = app.selectbox(key="class-synthetic").set_value(other).run()
        (about,) = (c.value for c in app.caption if c.value.startswith("Meanwhile, an example: "))
        assert other not in about and turntable(app)["key"].startswith("shipped-synthetic-")
    assert not any("Meanwhile" in c.value for c in settled(app).caption)  # its own formulas


def test_a_run_of_ones_own_has_no_second_entry_nor_the_examples_and_a_click_shows_the_example(app, monkeypatch):
    from pages._ui.training import lookup
    from pages._ui.weightings.learned import shipped

    name = "synthetic-relevant-LTW-L-I"
    mine = replace(shipped(name), key="mine", source="run:mine")
    run = SimpleNamespace(token="mine", learned=lambda: mine)
    monkeypatch.setattr(lookup, "current", lambda *of: run if of == ("synthetic", "relevant") else None)
    for shown in ("mine", f"shipped-{name}", "mine"):  # a second click leaves it
        app = app.run()
        (at_hand,) = [group for group in app.get("button_group") if group.label == "Example classes"]
        assert not app.exception and (turntable(app)["key"], at_hand.value) == (shown, name)
        assert sum(option.startswith("relevant · ") for option in at_hand.options) == 1
        at_hand.set_value(None)


def turntable(app) -> dict:
    """What the start page's surface is sent."""
    (sent,) = [e.proto.bytes for e in app.get("bidi_component") if b'"pieces"' in e.proto.bytes]
    return json.loads(sent)


def test_dataset_and_class_live_in_the_address_and_survive_page_switches(app):
    assert app.query_params["dataset"] == "synthetic"
    classes = app.selectbox(key="class-synthetic")
    other = next(c for c in _options(app) if c != classes.value)
    app = settled(classes.set_value(other).run())
    assert app.query_params["class"] == other
    app = open_page(app, "workbench/workbench")
    assert app.selectbox(key="class-synthetic").value == other
    assert app.query_params["class"] == other


def _options(app):
    from pages._ui import loading

    return list(loading.vectorized("synthetic").class_names)


def test_a_link_with_a_class_that_is_not_there_is_answered_in_a_sentence():
    from streamlit.testing.v1 import AppTest

    from tests.pages.conftest import APP

    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    test.query_params["dataset"] = "synthetic"
    test.query_params["class"] = "<b>nothing</b>"
    test.run()
    from pages._ui import loading

    loading.ask("synthetic").exception(timeout=PATIENCE)
    test.switch_page("pages/data/data.py").run()
    assert not test.exception
    assert test.selectbox(key="class-synthetic").value in _options(test)


def test_a_dataset_that_is_not_here_is_explained_and_can_be_fetched(app, monkeypatch, tmp_path):
    from pages._ui import loading

    monkeypatch.setenv("LTW_DATA", str(tmp_path))
    loading.forget("reuters21578")
    app = settled(app.selectbox(key="dataset").set_value("reuters21578").run())
    page = open_page(app, "data/data")
    assert not page.exception
    assert any("not on this server" in w.value for w in page.warning)
    assert page.button(key="fetch-reuters21578")
    page = open_page(app, "workbench/workbench")
    assert not page.exception and page.warning
    loading.forget("reuters21578")


def test_train_shapes_evaluate(app):
    page = open_page(app, "workbench/workbench")
    page.number_input(key="max_steps").set_value(300)
    page = finish_jobs(page.button(key="train").click().run())
    assert not page.exception and not page.error
    assert page.success[0].value.endswith("Kept: step 300, the best by validation F1.")
    assert len(figures(page)) == 3
    assert "most steps" in texts(page).lower() or "max steps" in texts(page)
    run = page.query_params["run"]

    assert page.selectbox(key="shape_source").value == f"run:{run}"
    assert "Computed now" in texts(page)

    page = open_page(page, "evaluate/classifiers")
    assert labelled(page, "button_group", "Yours").value == [f"run:{run}"]
    # with another classifier than the Workbench's, which may have found all of these by now
    for key, names in {"utw": ["LogTFIDF"], "stw": ["TFRF"], "ltw": [], "learners": ["MNB"]}.items():
        next(group for group in page.get("button_group") if group.key == key).set_value(names)
    page = finish_jobs(page.run().button(key="evaluate").click().run())
    assert not page.exception and not page.error
    frame = page.dataframe[-1].value
    assert len(frame) == 3 and frame["F1"].between(0, 1).all()


def test_a_training_can_be_stopped(app):
    from ltw_core.service.job_manager import manager

    page = open_page(app, "workbench/workbench")
    page.number_input(key="patience").set_value(1000)
    page = page.button(key="train").click().run()
    job = manager().get(page.query_params["run"])
    manager().cancel(job)
    page = finish_jobs(page)
    assert job.status in ("stopped", "done")
    assert not page.exception


def test_functions_follow_prevalence_and_power(app):
    page = open_workbench(app, "formulas")
    (before,) = (figure["figure"] for figure in figures(page))
    page = page.select_slider(key="power").set_value(3).run()
    assert not page.exception and before
    changed = [e.proto.bytes for e in page.get("bidi_component") if b'"name":"functions_3d"' in e.proto.bytes[:40]]
    assert b'"z"' in changed[-1]


def test_a_selected_term_is_selected_on_every_page(app):
    page = open_page(app, "data/data")
    from pages._ui import loading

    term = str(loading.task("synthetic", page.selectbox(key="class-synthetic").value).terms[0])
    page = page.multiselect(key="corpus_terms").set_value([term]).run()
    assert page.query_params["terms"] == term
    page = open_page(page, "workbench/workbench")
    page = open_page(page, "data/data")
    assert page.multiselect(key="corpus_terms").value == [term]


def test_another_class_begins_without_the_selected_terms(app):
    from pages._ui import loading

    page = open_page(app, "workbench/workbench")
    picker = labelled(page, "multiselect", "Selected terms")
    assert picker.options == sorted(picker.options, key=len)  # what is typed stands before terms that hold it
    page = picker.set_value([picker.options[3]]).run()
    assert page.query_params["terms"] == picker.options[3]
    listed = page.selectbox(key="class-synthetic")
    page = listed.set_value(next(name for name in loading.positives("synthetic") if name != listed.value)).run()
    assert not labelled(page, "multiselect", "Selected terms").value and "terms" not in page.query_params


@pytest.mark.parametrize("path", ["data/data", "workbench/workbench"])
def test_a_list_too_long_to_send_takes_typed_terms(app, monkeypatch, path):
    """As with 20 Newsgroups, whose classes have 10,000 terms: the frequent ones are listed, all others typed."""
    from pages._ui.reader import selection

    monkeypatch.setattr(selection, "OFFERED", 3)
    monkeypatch.setattr(selection, "STRONGEST", 0)
    monkeypatch.setattr(selection, "_lists", {})  # lists made before, with the usual limit
    page = open_page(app, path)
    assert not page.exception
    assert len(labelled(page, "multiselect", "Selected terms").options) == 3


def test_the_browser_is_told_once_to_load_the_library(app):
    def told(page):
        return sum(element.proto.component_name.endswith("ltw_library") for element in page.get("bidi_component"))

    assert told(app.switch_page("pages/workbench/workbench.py").run()) == 1
    assert told(app.run()) == 0


def test_the_first_page_shows_a_document_that_is_mostly_of_the_classs_colour_and_holds_its_word():
    from pages._ui.start import first_view

    vectors = csr_array(np.array([[2.0, -1, 0], [0, -3, 1], [1, 0, 3]]))  # the third word makes up most
    assert first_view._typical(vectors).tolist() == [2]
    assert first_view._typical(vectors[:2]).tolist() == [0]
    assert first_view._typical(-abs(vectors)).tolist() == [0, 1, 2]  # none is: any will do
