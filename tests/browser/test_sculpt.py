"""A surface is sculpted without a pointer and with one, and axe-core finds nothing on the board nor in a lesson."""

import contextlib

import pytest

from tests.browser.axe import Checked
from tests.browser.conftest import expect, settle

PHONE = {"width": 390, "height": 844}
SCULPT = "workbench?dataset=synthetic&run=formulas&own_open=true&own_kind=sculpt"
LESSON = "lessons?dataset=synthetic&class=relevant&lesson=only-ratios-matter&step=4"


def height(said):
    """The height that stands under the board."""
    return float(said.inner_text().split("height ")[1].split(",")[0])


def test_a_surface_is_sculpted_by_keyboard_and_pointer(address, reader):
    page = reader()
    page.goto(f"{address}/{SCULPT}")
    settle(page)
    canvas, said = page.locator(".ltw-sculpt canvas"), page.locator(".ltw-sculpt output")
    shown = page.locator(".ltw-figure figcaption").filter(has_text="held-out")
    expect(shown).to_contain_text("Yours")
    first = shown.inner_text()
    canvas.focus()
    before = height(said)
    for key in ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight"):  # and back
        page.keyboard.press(key)
    assert height(said) == before
    page.keyboard.press("+")
    page.keyboard.press("+")
    raised = height(said)
    assert raised > before
    for key in ("u", "u", "r", "r", "-"):
        page.keyboard.press(key)
    assert before <= height(said) < raised
    # strokes of the pointer lower what is best: F1 follows; how much one takes away depends on how long it lasts
    page.get_by_role("button", name="Lower").click()
    box = canvas.bounding_box()
    for stroke in range(8):
        x, y = box["x"] + 0.25 * box["width"], box["y"] + (0.25, 0.5)[stroke % 2] * box["height"]
        page.mouse.move(x, y)
        before = height(said)
        page.mouse.down()
        for k in range(30):
            page.mouse.move(x + 0.015 * k * box["width"], y)
            page.wait_for_timeout(16)
        page.mouse.up()
        page.mouse.move(x, y)
        assert height(said) < before
        with contextlib.suppress(AssertionError):
            expect(shown).not_to_have_text(first, timeout=15_000)
            break
    else:
        pytest.fail("F1 is what it was")

    checked = Checked(page)
    checked.look("Sculpt")
    page.set_viewport_size(PHONE)
    page.goto(f"{address}/{LESSON}")
    expect(canvas).to_be_visible()
    settle(page)
    checked.look("a lesson with a board", navigation=False)
    canvas.press("+")
    expect(page.get_by_role("button", name="Guess", exact=True)).to_be_enabled()
    assert not checked.problems
