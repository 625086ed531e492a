"""The shapes page: every part opens for a shipped and a trained weighting, and shows what it is for."""

import json

import pytest

from tests.pages.conftest import figures, finish_jobs, labelled, open_page, texts

PARTS = {
    "Surfaces": "In canonical form",
    "Which formula?": "is most similar to",
    "Slices": "Ticks below the curves",
    "Properties": "A property is no merit",
    "Time machine": "snapshots of the training",
    "Ranks": "orders the same terms",
    "The paper’s figures": "rank terms in exactly the same order",
}


def opened(app, part, **state):
    page = open_page(app, "learn/shapes")
    page.session_state["part"] = part
    for key, value in state.items():
        page.session_state[key] = value
    return page.run()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens(app, part):
    page = opened(app, part)
    assert not page.exception and not page.error
    assert PARTS[part] in texts(page)


@pytest.mark.parametrize(
    ("variant", "part", "words"),
    [
        ("LTW-G-I", "One weight a term", "lies within places"),
        ("LTW-TF", "Occurrences", "R² of the best multiple"),
        ("LTW-L-sigma", "Time machine", "snapshots of the training"),
    ],
)
def test_what_was_trained_here_is_shown(app, variant, part, words):
    """A variant's own part, and every other part with it, whether it has a surface or not."""
    page = open_page(app, "learn/train")
    page.selectbox(key="method").set_value(variant)
    page.number_input(key="max_steps").set_value(500)
    page = finish_jobs(page.run().button(key="train").click().run())
    assert not page.exception and not page.error
    page = opened(page, part)
    assert not page.exception and not page.error
    assert words in texts(page)
    for other in PARTS:
        page.session_state["part"] = other
        page = page.run()
        assert not page.exception and not page.error, other


def test_a_part_that_a_variant_does_not_have_is_not_offered(app):
    page = opened(app, "Occurrences")
    assert not page.exception
    assert "In canonical form" in texts(page)  # the first part instead


def test_a_selected_term_opens_its_documents(app):
    from pages._ui import loading

    page = open_page(app, "learn/shapes")
    term = str(loading.task("synthetic", page.selectbox(key="class-synthetic").value).terms[5])
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    assert f"Documents that hold “{term}”" in [s.value for s in page.subheader]
    assert labelled(page, "text_input", "With the words").value == term
    assert labelled(page, "multiselect", "Weightings").value == ["shipped:synthetic-relevant-LTW-L-I", "TFRF"]
    assert not page.exception and not page.error


@pytest.mark.parametrize("part", ["Which formula?", "Ranks"])
def test_its_documents_open_under_other_views_as_well(app, part):
    page = opened(app, part)
    term = labelled(page, "multiselect", "Selected terms").options[5]
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    assert f"Documents that hold “{term}”" in [s.value for s in page.subheader]
    assert not page.exception and not page.error


def test_documents_of_a_training_that_kept_more_terms_are_found(app):
    page = open_page(app, "learn/train")
    page.select_slider(key="ratio").set_value(0.5)
    page.number_input(key="max_steps").set_value(200)
    page = finish_jobs(page.run().button(key="train").click().run())
    run = page.query_params["run"]
    page = opened(page, "Surfaces")
    picker = labelled(page, "multiselect", "Selected terms")
    page = picker.set_value([picker.options[5]]).run()
    assert f"Documents that hold “{picker.options[5]}”" in [s.value for s in page.subheader]
    assert labelled(page, "multiselect", "Weightings").value[0] == f"run:{run[0] if isinstance(run, list) else run}"
    assert not page.exception and not page.error


def test_selected_terms_are_named_on_slices(app):
    page = opened(app, "Slices")
    term = labelled(page, "multiselect", "Selected terms").options[5]
    page = labelled(page, "multiselect", "Selected terms").set_value([term]).run()
    (figure,) = (part for part in figures(page) if part["name"] == "shapes_slices")
    traces = {trace["name"]: trace for trace in json.loads(figure["figure"])["data"]}
    assert traces["selected"]["text"] == [f"<b>{term}</b>"]


@pytest.mark.parametrize("one_scale", [False, True])
def test_heights_on_one_scale_or_each_its_own(app, one_scale):
    page = opened(app, "Surfaces", one_scale=one_scale)
    assert ("side by side each is scaled" in texts(page)) is not one_scale
    sent = b"".join(element.proto.bytes for element in page.get("bidi_component"))  # whole figures, or what changed
    assert (b"RMS over terms = 1" in sent) is one_scale


@pytest.mark.parametrize(
    ("figure", "words"),
    [
        ("formulas", "never falls under 1"),
        ("sigma", "sigmoid"),
        ("identity", "Weights may go below zero"),
        ("convergence", "The loss goes on falling"),
        ("occurrences", "what an occurrence counts"),
    ],
)
def test_the_papers_figures_are_a_click_away(app, figure, words):
    page = opened(app, "The paper’s figures", paper=figure)
    assert not page.exception and not page.error
    assert words in texts(page)
    if figure not in ("formulas",):
        assert texts(page).count("Shipped with LTW Lab") == 3


def test_a_whole_square_and_other_axes(app):
    for part in ("Surfaces", "Slices", "Properties"):
        page = opened(app, part, region="square", scale="logit")
        assert not page.exception and not page.error
    page = opened(app, "Properties", region="square")
    assert "4,096 points of the whole square" in texts(page)


def test_no_formula_to_compare_with(app):
    page = open_page(app, "learn/shapes")
    page = labelled(page, "multiselect", "Compare with").set_value([]).run()
    for part in PARTS:
        page.session_state["part"] = part
        page = page.run()
        assert not page.exception and not page.error, part
