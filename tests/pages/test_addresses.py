"""Addresses that nobody but a hostile one would write: the page opens all the same, and says what it left out."""

import pytest

from pages._ui.addresses import FUNCTIONS, MOVED, SHAPES, new_place
from pages._ui.reader import selection
from pages._ui.workbench.formulas_alone import PARTS
from pages._ui.workbench.stage import VIEWS
from tests.fuzz.__main__ import READ, REFUSED, run
from tests.pages.conftest import APP, open_page, settled, texts


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("run", "x" * 101, f"run is '{'x' * 39}…; it must be a text of at most 100 characters"),
        ("terms", "a," * 2_501, f"terms is '{'a,' * 19}a…; it must be a text of at most 5,000 characters"),
        ("class", "x" * 301, f"class is '{'x' * 39}…; it must be a text of at most 300 characters"),
    ],
)
def test_a_part_that_cannot_be_is_left_out_and_said(app, name, value, sentence):
    app.query_params[name] = value
    page = settled(app)
    said = f"A part of the address cannot be read: {sentence}."
    assert not page.exception and [toast.value.replace("\\", "") for toast in page.toast] == [said.replace("\\", "")]
    assert page.query_params.get(name) != [value]


def test_all_parts_that_the_app_writes_by_hand_are_checked():
    theirs = {"dataset", "class", "terms", "kept", "count", "run", "method", "upload", "mode", "drawer"}
    theirs |= {"code", "by", "me", "screen"}  # of a class of students
    assert set(selection.ADDRESS) == theirs


def test_some_addresses():
    found, failures = run("addresses", 3)
    assert failures == [] and found[READ] + found[REFUSED] == 3


def test_an_empty_choice_in_the_address_is_the_first_one(app):
    app.query_params["study"] = ""
    page = open_page(app, "evaluate/study")
    assert not page.exception and not page.error


@pytest.mark.parametrize(
    ("asked", "group", "part"),
    [
        ({}, "Claims", ""),
        ({"study": "Tables"}, "Tables", "Tables"),
        ({"cells": "Ours"}, "Tables", "Tables"),  # of when tables came first and were not named
        ({"study": "Where we differ"}, "Tables", "Where we differ"),
        ({"study": "Looking closer"}, "Classes", "Looking closer"),
        ({"study": "Tables", "study_tables": "Ranks", "measure": "Micro F1"}, "Tables", "Ranks"),
    ],
)
def test_an_address_of_a_view_of_the_studies_opens_it_in_its_group(app, asked, group, part):
    for key, value in asked.items():
        app.query_params[key] = value
    page = open_page(app, "evaluate/study")
    assert not page.exception and not page.error
    assert page.session_state["study"] == group
    assert not part or page.session_state[f"study_{group.lower()}"] == part


@pytest.mark.parametrize(
    ("key", "value", "chosen"),
    [
        ("scope", "all", "all"),
        ("scope", "All classes", "all"),
        ("scope", "both", "one"),
        ("curve_classes", "all", "all"),
        ("curve_learner", "MNB", "MNB"),
        ("learners", ["SVM", "RF"], ["SVM", "RF"]),
        ("learners", ["Support vector machine"], ["SVM"]),
        ("learners", ["Support vector machine", "RF", "none such"], ["SVM", "RF"]),
        ("curve_ltw", ["LTW-L-I", "LTW-RF"], ["LTW-L-I", "LTW-RF"]),
    ],
)
def test_an_address_names_a_choice_by_its_short_name_or_by_its_label(app, key, value, chosen):
    app.query_params[key] = value
    page = open_page(app, "evaluate/classifiers")
    assert not page.exception and not page.error
    assert page.session_state[key] == chosen


def test_addresses_of_earlier_versions_have_a_page():
    assert {former for former in MOVED if not (APP.parent / new_place(former, {})[0]).is_file()} == set()


@pytest.mark.parametrize(
    ("former", "asked", "now"),
    [
        ("corpus", {"section": ["Table"]}, {"section": ["Table"]}),
        ("train", {"run": ["x"], "seed": ["3"]}, {"run": ["x"], "seed": ["3"]}),
        ("functions", {"view": ["Slices"], "p": ["5%"]}, {"run": ["formulas"], "view": ["Slice"], "p": ["5%"]}),
        ("functions", {"view": ["Your own"]}, {"run": ["formulas"], "own_open": ["true"]}),
        ("functions", {"fscale": ["Log"]}, {"run": ["formulas"], "scale": ["Log"]}),
        ("shapes", {}, {"run": ["example"], "beside": ["χ²", "GR", "IG", "RF"]}),
        (
            "shapes",
            {"run": ["x"], "part": ["Time machine"], "beside": ["RF"]},
            {"run": ["x"], "view": ["Film"], "beside": ["RF"]},
        ),
        (
            "shapes",
            {"part": ["The paper’s figures"], "paper": ["sigma"], "beside": []},
            {"run": ["example"], "view": ["Properties"], "properties": ["paper"], "paper": ["sigma"], "beside": []},
        ),
    ],
)
def test_an_address_of_an_earlier_version_asks_for_the_same_in_its_new_place(former, asked, now):
    assert new_place(former, asked)[1] == now


def test_all_former_tabs_open_a_view_that_there_is(app):
    """What the forwarded address asks for is a view, or a part of one, of the Workbench."""
    for former, tabs, key in (("functions", FUNCTIONS, "view"), ("shapes", SHAPES, "part")):
        for tab in tabs:
            _, asked = new_place(former, {key: [tab]})
            assert asked.get("view", ["Surface"])[0] in VIEWS, tab
            assert asked.get("alone", ["table"])[0] in PARTS, tab


@pytest.mark.parametrize(("view", "part"), [("Film", ""), ("Properties", "paper")])
def test_a_view_and_a_part_of_it_are_opened_by_an_address(app, view, part):
    app.query_params["view"], app.query_params["run"] = view, "example"
    if part:
        app.query_params["properties"] = part
    page = open_page(app, "workbench/workbench")
    assert not page.exception and not page.error and page.session_state["view"] == view
    assert ("snapshots of the training" if view == "Film" else "rank terms in exactly the same order") in texts(page)


@pytest.mark.parametrize(("run", "key"), [("example", "properties"), ("formulas", "alone")])
def test_a_part_that_was_renamed_is_opened_by_its_former_name(app, run, key):
    app.query_params["view"], app.query_params["run"], app.query_params[key] = "Properties", run, "In a document"
    page = open_page(app, "workbench/workbench")
    assert not page.exception and not page.error and page.session_state[key] == "document"
