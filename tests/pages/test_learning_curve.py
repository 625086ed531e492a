"""The learning curve on the classifiers page: drawn in the background, found again by the next reader, exported."""

import re
from types import SimpleNamespace

import pytest

from pages._ui.weightings import quick_f1
from tests.pages.conftest import figures, finish_jobs, open_page, texts
from tests.pages.test_own_corpus import upload

PATH = "evaluate/classifiers"


@pytest.fixture
def page(app, tmp_path, monkeypatch):
    from ltw_core.studies import shared_cells

    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    shared_cells._opened.cache_clear()
    return choose(open_page(app, PATH))


def choose(page):
    next(group for group in page.get("button_group") if group.key == "scope").set_value("curve")
    page = page.run()
    weigh(page, "TFIDF", "TFRF")
    page.slider(key="curve_draws").set_value(2)
    page.text_input(key="curve_sizes").set_value("50, 100")
    return page.run()


def weigh(page, *names):
    """Choose the weightings of the curve, each in its family."""
    for group in page.get("button_group"):
        if group.key in ("curve_utw", "curve_stw", "curve_ltw"):
            group.set_value([name for name in group.options if name in names])
    return page


def all_known(page, points):
    """Whether the button in the line of the choices says so, and nothing is left to press."""
    button = page.button(key="draw_curve")
    return button.label == f"All {points} points known" and button.disabled


def test_a_curve_is_drawn_once_for_all_and_told(app, page):
    assert page.button(key="draw_curve").label.startswith("Compute the curve, about ")
    assert "for each of 8 points" in page.button(key="draw_curve").help
    (empty,) = [one for one in figures(page) if one["name"] == "learning-curve"]  # its axes are there already
    assert "Press Compute to draw the curve." in empty["figure"]
    assert "each on 2 random samples of every size" in texts(page)
    assert page.button(key="draw_curve").proto.type == "primary"
    page = finish_jobs(page.button(key="draw_curve").click().run())
    assert not page.exception and not [error.value for error in page.error]
    assert all_known(page, 8)
    assert "With 100 labelled documents" in texts(page) and "not distinguishable" in texts(page)
    (drawn,) = [one for one in figures(page) if one["name"] == "learning-curve"]
    assert "With 50 labelled documents (" in drawn["alt"]
    again = choose(open_page(app, PATH))
    assert all_known(again, 8)


def test_what_one_class_keeps_in_memory_alone_is_drawn(page, monkeypatch):
    known = SimpleNamespace(f1=0.1234, seconds=1.0, weighting_seconds=0.0)
    monkeypatch.setattr(quick_f1, "computed", lambda task, weightings, *_: dict.fromkeys(weightings, known))
    page = page.text_input(key="curve_sizes").set_value("50, 1400").run()
    (drawn,) = [one for one in figures(page) if one["name"] == "learning-curve"]
    assert drawn["figure"].count(" .123") == 2 and not page.exception  # TFIDF and TFRF
    assert "Points at the right: known from" in texts(page)


def test_a_curve_can_be_stopped_and_goes_on(page):
    weigh(page, "TFIDF", "LTW-L-I")
    page.slider(key="curve_draws").set_value(4)
    page = page.text_input(key="curve_sizes").set_value("50, 100, 400, 800").run()
    assert page.button(key="draw_curve").label.startswith("Compute the curve, about ")
    assert "for each of 32 points" in page.button(key="draw_curve").help
    page = page.button(key="draw_curve").click().run()
    page = finish_jobs(page.button(key="stop_evaluation").click().run())
    assert not page.exception and "Stopped; what is done stays" in texts(page)
    left = page.button(key="draw_curve").label  # stopped before the first point, it is the whole curve still
    assert re.match(r"Compute (the curve|[\d,]+ more)\b", left)
    page = finish_jobs(page.button(key="draw_curve").click().run())
    assert all_known(page, 32)


def test_what_cannot_be_drawn_is_a_sentence(page):
    page.text_input(key="curve_sizes").set_value("50, many").run()
    assert [e.value for e in page.error] == [
        "'many' is no number of documents; give whole numbers such as 50, 100, 200."
    ]
    assert "How many labelled documents does a class need?" in texts(page)  # the lead, where no answer takes its place
    page.text_input(key="curve_sizes").set_value("999999").run()
    assert "sizes are numbers of labelled documents, from 2 to the" in page.error[0].value
    page = weigh(page).run()
    assert "Choose a weighting." in texts(page) and not page.exception


def test_the_curve_of_an_uploaded_table_stays_in_its_session(app, tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    page = choose(open_page(upload(app, None), PATH))
    page.text_input(key="curve_sizes").set_value("10, 20")
    group = next(group for group in page.get("button_group") if group.key == "curve_classes")
    page = group.set_value("all").run()
    assert page.button(key="draw_curve").label.startswith("Compute the curve, about ")
    page = finish_jobs(page.button(key="draw_curve").click().run())
    assert not page.exception and not [error.value for error in page.error]
    assert all_known(page, 16)
    assert "reaches a macro F1 of" in texts(page)
    assert not (tmp_path / "curves.sqlite").exists()


def test_nothing_of_a_curve_is_computed_before_it_is_asked_for(app, tmp_path, monkeypatch):
    from ltw_core.service.job_manager import managers
    from ltw_core.studies import shared_cells
    from pages._ui.evaluate.curves import KIND

    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    shared_cells._opened.cache_clear()
    monkeypatch.setattr("pages._ui.jobs.SHORT", 10_000.0)
    before = [job for each in managers() for owner in each.owners() for job in each.of(owner, KIND)]
    page = open_page(app, PATH)
    next(group for group in page.get("button_group") if group.key == "scope").set_value("curve")
    page = page.run()
    assert page.button(key="draw_curve").label.startswith("Compute the curve, about ")
    assert page.button(key="draw_curve").proto.type == "primary"
    after = [job for each in managers() for owner in each.owners() for job in each.of(owner, KIND)]
    assert set(after) <= set(before) and not page.exception
