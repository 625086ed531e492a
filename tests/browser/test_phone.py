"""A touch phone in Chromium: its menu goes when a class is chosen, no toolbar lies over a figure."""

import re

from tests.browser.conftest import CAMERA, SURFACE, expect, settle, surface, wait_for_surface


def test_the_menu_of_a_phone_folds_after_a_class_is_chosen_and_not_after_a_dataset(reader, address):
    page = reader(390, 844, touch=True)
    folded = "() => document.querySelector('[data-testid=stSidebar]').dataset.collapsed === 'true'"
    page.goto(f"{address}/data?dataset=synthetic")
    settle(page)
    page.get_by_test_id("stExpandSidebarButton").tap()
    for of, option in (("Dataset", "Python docstrings"), ("Class", "scipy.signal")):
        assert not page.evaluate(folded)
        page.get_by_role("combobox", name=of, exact=True).tap()
        page.get_by_role("option", name=re.compile(re.escape(option))).tap()
        settle(page)
    page.wait_for_function(folded)
    assert "scipy.signal" in page.url


def test_a_phone_has_no_toolbar_over_a_surface_and_puts_it_back(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    back, first = page.get_by_role("button", name="reset view"), surface(page, CAMERA)
    expect(back).to_have_count(0)
    page.get_by_role("button", name="turn", exact=True).tap()
    expect(page.locator(".st-key-stage .modebar").first).to_be_hidden()
    page.locator(".ltw-plot").first.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return {CAMERA} !== {first}; }}")
    back.tap()
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return Math.abs({CAMERA} - {first}) < 1e-6; }}")


def test_the_settings_of_a_dark_phone_can_be_read_and_are_left_by_done(reader, address):
    page = reader(390, 844, touch=True)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    assert page.locator(".st-key-view [role=radiogroup]").bounding_box()["height"] < 2 * 44  # one row of views
    page.get_by_role("button", name="Settings").tap()
    sheet = page.get_by_test_id("stPopoverBody")
    expect(sheet.get_by_role("radio", name="Log", exact=True)).to_have_css("color", "rgb(233, 230, 225)")
    page.touchscreen.tap(350, sheet.bounding_box()["y"] - 20)
    expect(sheet).to_have_count(0)


def test_a_study_s_table_begins_in_the_upper_half_of_a_phone_with_all_views_in_sight(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/study?study=Tables")
    table = page.locator(".ltw-study").first
    expect(table).to_be_visible()
    settle(page)
    assert table.bounding_box()["y"] < 520
    views = page.locator(".st-key-study [role=radiogroup]")
    assert views.evaluate("node => node.scrollWidth <= node.clientWidth")
    line = (page.get_by_role("radio", name="Macro F1"), page.get_by_role("button", name="Settings"))
    assert abs(line[0].bounding_box()["y"] - line[1].bounding_box()["y"]) < 8  # two a row
    page.goto(f"{address}/study?study=Run+a+study")
    chips = page.get_by_test_id("stMultiSelectTagsContainer")
    expect(chips.first).to_be_visible()
    settle(page)
    assert all(box.evaluate("node => node.scrollWidth <= node.clientWidth") for box in chips.all())
