"""A step of a lesson has one layout: what is asked at the left, its figure at the right, the way on below."""

import pytest

from tests.browser.conftest import expect, settle
from tests.waiting import wait_for

STEPS = ("what-should-a-word-weigh&step=1", "what-should-a-word-weigh&step=2", "let-it-learn&step=6")


def opened(page, address, step):
    """The page at a lesson's step, at rest."""
    page.goto(f"{address}/lessons?dataset=synthetic&class=relevant&lesson={step}")
    settle(page)
    return page


@pytest.mark.parametrize("step", STEPS)
def test_a_question_stands_beside_its_figure_above_the_way_on(address, reader, step):
    page = opened(reader(), address, step)
    text, side = (page.locator(".st-key-lesson-step [data-testid=stColumn]").nth(at) for at in (0, 1))
    question, foot = page.locator('[class*="-box"]').first, page.locator(".st-key-lesson-onwards")
    expect(question).to_be_visible()

    def in_place():
        asked, left, right, onwards = (each.bounding_box() for each in (question, text, side, foot))
        beside = left["x"] <= asked["x"] and asked["x"] + asked["width"] <= left["x"] + left["width"] + 1 < right["x"]
        seen = right["y"] < 300 and right["height"] > 150
        end = max(each["y"] + each["height"] for each in (left, right))
        follows = onwards["y"] - end < 150 and onwards["y"] + onwards["height"] < 901  # and is in sight of a long one
        return beside and seen and asked["y"] + asked["height"] <= onwards["y"] and follows

    wait_for(in_place, every=0.2)
    if step.endswith("6"):
        expect(foot.get_by_role("button", name="Next lesson")).to_be_visible()


def test_bars_and_score_follow_a_thumb_and_the_server_says_the_same(address, reader):
    page = opened(reader(), address, STEPS[1])
    box, bars = page.locator('[class*="-figure-score"]'), page.locator(".st-key-lesson-step .ltw-plot .annotation-text")
    expect(bars).to_have_count(8)
    said, drawn = box.inner_text(), bars.all_text_contents()
    thumb = page.locator('[class*="-figure-0"] [data-testid=stSlider] [data-rac][style*=left]').first.bounding_box()
    x, y = (thumb[at] + thumb[size] / 2 for at, size in (("x", "width"), ("y", "height")))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y, steps=6)
    expect(page.locator("[class*='-figure-score'][data-says]")).to_be_visible()
    wait_for(lambda: bars.all_text_contents() != drawn, every=0.1)
    held = box.inner_text(), bars.all_text_contents()
    assert held[0] != said
    page.mouse.up()
    expect(page.locator("[class*='-figure-score'][data-says]")).to_have_count(0)
    settle(page)
    assert (box.inner_text(), bars.all_text_contents()) == held


def test_a_document_stays_where_it_is_when_its_answer_comes(address, reader):
    page = reader()
    page.goto(f"{address}/lessons?dataset=pydocs&class=scipy.stats&lesson=what-should-a-word-weigh&step=1")
    settle(page)
    text, chart = page.locator(".ltw-reading"), page.locator(".st-key-lesson-step .ltw-plot")
    expect(page.get_by_text("Lesson 1 · step 1 of 6", exact=True)).to_be_visible()
    look = "node => [node.getBoundingClientRect().top, getComputedStyle(node).fontSize]"
    before = text.evaluate(look)
    page.get_by_role("radio", name="distribution").check(force=True)
    page.get_by_role("button", name="Guess", exact=True).locator("visible=true").click()
    expect(page.locator(".st-key-lesson-document .ltw-reading")).to_be_visible()
    expect(chart).to_be_visible()
    settle(page)
    assert text.evaluate(look) == before
    assert chart.bounding_box()["y"] > before[0] + 200  # below it


def test_all_surfaces_of_a_step_are_seen_above_the_way_on(address, reader):
    page = opened(reader(), address, "let-it-learn&step=6")
    figure, foot = page.locator(".st-key-lesson-step .ltw-plot .main-svg").first, page.locator(".st-key-lesson-onwards")
    expect(figure).to_be_visible()
    seen, onwards = figure.bounding_box(), foot.bounding_box()
    assert seen["height"] > 500 and seen["y"] + seen["height"] <= onwards["y"]


def test_the_curve_of_a_training_is_seen_with_its_surface(address, reader):
    page = opened(reader(), address, "let-it-learn&step=3")
    curve, foot = page.locator(".st-key-curves .ltw-plot"), page.locator(".st-key-lesson-onwards")
    expect(curve).to_be_visible()
    assert curve.bounding_box()["y"] + 200 <= foot.bounding_box()["y"]
    assert page.locator(".st-key-stage .ltw-plot").bounding_box()["y"] < curve.bounding_box()["y"] - 200


def test_counts_below_a_map_are_seen_above_the_way_on(address, reader):
    page = opened(reader(), address, "five-formulas&step=2")
    table, foot = page.locator('[class*="st-key-lesson-counts"] table'), page.locator(".st-key-lesson-onwards")
    expect(table).to_be_visible()
    seen = table.bounding_box()
    assert seen["height"] > 100 and seen["y"] + seen["height"] <= foot.bounding_box()["y"]


def test_what_is_said_of_a_guess_is_scrolled_above_the_way_on(address, reader):
    page = reader()
    page.set_viewport_size({"width": 1440, "height": 700})
    page.goto(f"{address}/lessons?dataset=synthetic&class=relevant&lesson=five-formulas&step=1")
    settle(page)
    page.locator('[class*="-box"] [data-testid=stRadioOption]').last.click()
    settle(page)
    page.get_by_role("button", name="Guess", exact=True).click()
    said, foot = page.locator('[class*="-box"] [data-testid=stAlert]'), page.locator(".st-key-lesson-onwards")
    expect(said).to_be_in_viewport(ratio=1)
    seen = "([said, foot]) => said.getBoundingClientRect().bottom <= foot.getBoundingClientRect().top"
    page.wait_for_function(seen, arg=[said.element_handle(), foot.element_handle()])


def test_the_entry_of_the_navigation_leads_out_of_a_lesson(address, reader):
    page = opened(reader(), address, STEPS[0])
    page.get_by_role("link", name="Lessons", exact=True).click()
    page.wait_for_url(lambda url: "lesson=" not in url)
    expect(page.locator(".st-key-lesson-onwards")).to_have_count(0)


def test_on_a_phone_a_slider_is_a_line(address, reader):
    page = opened(reader(width=390), address, STEPS[1])
    slider = page.locator('[class*="-figure-0"] [data-testid=stSlider]')
    expect(slider).to_be_visible()
    assert slider.bounding_box()["height"] < 48


def test_a_lesson_opened_from_the_foot_of_the_list_begins_at_its_top(address, reader):
    page = reader(width=390)
    page.goto(f"{address}/lessons?dataset=synthetic&class=relevant")
    settle(page)
    begin = page.get_by_role("button", name="Begin", exact=True).last
    begin.scroll_into_view_if_needed()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") > 300
    begin.click()
    expect(page.locator(".st-key-lesson-onwards")).to_be_visible()
    settle(page)
    page.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop === 0")


def test_on_a_phone_the_page_s_title_leads_and_what_a_step_asks_begins_on_the_first_screen(address, reader):
    page = opened(reader(390, 844, touch=True), address, "what-should-a-word-weigh&step=3")
    question = page.locator('[class*="-box"]').first
    expect(question).to_be_visible()
    assert question.bounding_box()["y"] < 700
    option = question.locator("[data-testid=stRadioOption]").first.bounding_box()
    foot = page.locator(".st-key-lesson-onwards").bounding_box()
    assert option["y"] + option["height"] < foot["y"]  # what it is answered with, too
    assert abs(foot["y"] + foot["height"] - 844) < 1  # and the way on is in sight
    lesson, step = (
        page.locator(name).first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        for name in ("h1", "h2")
    )
    assert step < lesson


def test_the_foot_of_a_phone_leads_to_the_question(address, reader):
    page = opened(reader(390, 844, touch=True), address, "let-it-learn&step=1")
    guess = page.get_by_role("button", name="Guess", exact=True)
    expect(guess).not_to_be_in_viewport()
    page.get_by_role("link", name="Guess first").tap()
    expect(guess).to_be_in_viewport(ratio=1)


def test_on_a_phone_a_question_stays_where_it_was_answered(address, reader):
    page = opened(reader(390, 844, touch=True), address, STEPS[0])
    page.locator("[data-testid=stRadioOption]", has_text="pos001").tap()
    settle(page)
    page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 9999)")
    page.wait_for_timeout(200)
    box, said = page.locator('[class*="-box"]'), page.locator('[class*="-box"] [data-testid=stAlert]')
    before = box.bounding_box()["y"]
    page.get_by_role("button", name="Guess", exact=True).tap()
    expect(said).to_contain_text("Right")
    settle(page)
    page.wait_for_timeout(1000)  # figures that come late move nothing either
    after, foot = box.bounding_box(), page.locator(".st-key-lesson-onwards").bounding_box()
    # it goes no further than what is said needs to be seen above the foot
    assert abs(after["y"] - before) < 4 or 0 <= foot["y"] - after["y"] - after["height"] < 40
    expect(said).to_be_in_viewport(ratio=1)


def test_what_was_drawn_stays_when_the_page_s_width_changes(address, reader):
    page = opened(reader(1200, 900), address, "tpr-and-fpr&step=3")
    square = page.locator(".ltw-guess.open svg")
    square.scroll_into_view_if_needed()
    square.click()
    expect(square.locator(".guess path")).to_have_count(2)
    width = square.get_attribute("viewBox")
    page.set_viewport_size({"width": 700, "height": 900})
    page.wait_for_function("was => document.querySelector('.ltw-guess svg').getAttribute('viewBox') !== was", arg=width)
    expect(square.locator(".guess path")).to_have_count(2)
    expect(square.locator(".hint")).to_have_count(0)


def test_on_a_narrow_page_a_question_stands_beside_its_square_and_right_below_its_curves(address, reader):
    page = opened(reader(800, 1000), address, "tpr-and-fpr&step=3")
    question, square = page.locator('[class*="-box"]').first, page.locator(".ltw-guess.open svg")
    expect(square).to_be_visible()
    asked, drawn = question.bounding_box(), square.bounding_box()
    assert asked["x"] + asked["width"] < drawn["x"] and drawn["x"] + drawn["width"] <= 800
    assert drawn["width"] > 380 and drawn["y"] < asked["y"] + asked["height"]
    page.goto(f"{address}/lessons?dataset=synthetic&class=relevant&lesson=let-it-learn&step=4")
    settle(page)
    parts = [page.locator(f"{part}:visible").first for part in (".st-key-curves", '[class*="-box"]', ".st-key-stage")]
    expect(parts[-1]).to_be_visible()
    # on a slow machine what is put up moves for a while
    page.wait_for_function(
        """([curves, asked]) => { const gap = asked.getBoundingClientRect().top - curves.getBoundingClientRect().bottom;
        return 0 <= gap && gap < 60; }""",
        arg=[part.element_handle() for part in parts[:2]],
    )
    (asked, surface) = (part.bounding_box() for part in parts[1:])
    assert asked["y"] + asked["height"] <= surface["y"]
