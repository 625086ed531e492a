"""The main path in Chromium: open, choose a class, train, see the surface change, look at its shape, compare F1."""

import re

import pytest

from tests.browser.conftest import CAMERA, HEIGHTS, IDLE, RESTS, SURFACE, expect, go, surface, wait_for_surface
from tests.browser.test_sharing import ENVIRONMENT  # noqa: F401, that server: a newcomer's, who finds nothing computed
from tests.waiting import PATIENCE


def test_main_path(page, address):
    page.goto(f"{address}/?dataset=synthetic")
    expect(page.locator(".ltw-turntable canvas")).to_be_visible()  # something beautiful, without a click

    # choose a class: that of the made-up corpus comes by the link, pydocs by the list
    go(page, "Workbench")
    train = page.get_by_role("button", name="Train", exact=True)
    expect(train).to_be_visible()
    box = page.get_by_test_id("stSelectbox").filter(has_text="Class").locator("input")
    box.click()
    option = page.get_by_role("option").last
    chosen = option.inner_text().split(" · ")[0]
    option.click()
    page.wait_for_url(f"**class={chosen}*")

    # train, turn the surface, train with another seed: it changes in place and the camera stays
    train.click()
    ended = page.get_by_text(", the best by validation F1").first
    expect(ended).to_be_visible()
    wait_for_surface(page)
    page.wait_for_function(IDLE)
    surface(page, "node.mark = 'same node'")
    heights = surface(page, HEIGHTS)
    frame = page.locator(".ltw-plot:visible").first.bounding_box()
    page.mouse.move(frame["x"] + 200, frame["y"] + 250)
    page.mouse.down()
    page.mouse.move(frame["x"] + 300, frame["y"] + 250, steps=5)
    page.mouse.up()
    page.wait_for_timeout(500)
    camera = surface(page, CAMERA)
    page.get_by_test_id("stNumberInputStepUp").first.click()
    page.wait_for_url("**seed=1*")
    train.click()
    page.wait_for_function(f"before => {{ const node = {SURFACE}; return node && {HEIGHTS} !== before; }}", arg=heights)
    expect(page.get_by_text("seed 1").first).to_be_visible()
    expect(ended).to_be_visible()
    page.wait_for_function(IDLE)
    assert surface(page, "node.mark") == "same node"
    assert surface(page, CAMERA) == pytest.approx(camera, abs=1e-6)

    # a reload finds the run by its address
    page.reload()
    expect(ended).to_be_visible()

    # the nearest formula is put beside it, without leaving the page
    page.get_by_role("button", name="Compare", exact=True).click()
    scenes = "Object.keys(node._fullLayout).filter(name => /^scene\\d*$/.test(name)).length"
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return node && {scenes} === 2; }}")

    # the step that was kept is shown, also after a view without steps
    step = page.locator(".st-key-scrubber").get_by_role("slider")
    kept = step.input_value()
    assert int(kept) > 0
    for view in ("Likeness", "Surface", "Map"):
        page.get_by_role("radio", name=view, exact=True).click()
        page.wait_for_function(RESTS)
    expect(step).to_have_value(kept)

    go(page, "Classifiers")
    page.get_by_role("button", name=re.compile(r"Compute \d+ (F1 scores|more)")).click()
    known = page.get_by_role("button", name="F1 scores known")
    expect(known).to_be_visible(timeout=4_000 * PATIENCE)  # several classifiers and weightings, all computed
    page.wait_for_function(RESTS)  # while a rerun replaces what it has drawn, its line of sources stands there twice
    expect(page.get_by_text("predicted positive").first).to_be_visible()
    expect(page.get_by_text("Computed on this server").first).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert page.locator('[data-testid="stException"]').count() == 0


def test_a_link_to_a_page_opens_it_with_its_selection(page, address):
    page.goto(f"{address}/functions?dataset=synthetic&power=3")
    wait_for_surface(page)
    expect(page.get_by_role("heading", name="Workbench: train, look, compare")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "power=3" in page.url and "dataset=synthetic" in page.url
