"""The first page in Chromium: its surfaces can be turned before plotly is there, and stay turned when it comes."""

import pytest

from tests.browser.conftest import SURFACE, surface, wait_for_surface

SKETCH = "() => Number(document.querySelector('.ltw-plot')?.dataset.sketched ?? 0)"
EYE = f"() => {SURFACE}._fullLayout.scene._scene.getCamera().eye"
# a hand that is on the surfaces from their first moment: a slow machine has plotly there before a mouse gets to them
HAND = """
window.hand = (at) => document.querySelector('.ltw-sketch').dispatchEvent(new PointerEvent('pointerdown', at));
Element.prototype.setPointerCapture = () => {};
new MutationObserver((_, observer) => {
  if (!document.querySelector('.ltw-sketch')) return;
  observer.disconnect();
  window.hand({});
}).observe(document, { childList: true, subtree: true });
"""


@pytest.fixture
def start(reader, address):
    """The start page, where its surfaces can be turned and are held."""

    def start(width=1440):
        page = reader(width=width)
        page.add_init_script(HAND)
        page.goto(address)
        page.wait_for_function(SKETCH)
        return page

    return start


def turn(page):
    """Take the surfaces where they are held with the mouse, and turn them; the button stays down."""
    box = page.locator(".ltw-sketch").bounding_box()
    x, y = box["x"] + box["width"] / 6, box["y"] + box["height"] / 2
    page.evaluate("([clientX, clientY]) => window.hand({ clientX, clientY })", [x, y])
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 6):
        page.mouse.move(x + 12 * step, y)
    page.wait_for_timeout(200)
    return page.evaluate(SKETCH)


def test_surfaces_turn_before_plotly_is_there(start):
    page = start()
    assert not page.evaluate("() => Boolean(window.Plotly)")
    points = page.evaluate("() => document.querySelector('.ltw-plot').ltw.sketch.points")
    assert len(points) == 3 and min(points) > 500  # each scene has the class's terms on it
    drawn = page.evaluate(SKETCH)
    assert turn(page) > drawn
    page.wait_for_timeout(2000)
    assert not page.evaluate("() => Boolean(window.Plotly)")  # it would hold the hand up that turns
    page.mouse.up()
    wait_for_surface(page)
    page.wait_for_function("() => !document.querySelector('.ltw-sketch')")
    eye = page.evaluate(EYE)
    # the hand's way of 60 px to the right has turned the camera by .48 about the upright
    turned = page.evaluate("e => Math.atan2(e.y, e.x)", eye)
    first = page.evaluate("Math.atan2(-1.46, -1.12)")
    assert abs(turned - (first - 0.48)) < 0.05


def test_a_narrow_page_has_fewer_side_by_side_and_keeps_what_was_turned(start):
    page = start(width=800)
    turn(page)
    page.mouse.up()
    wait_for_surface(page)
    assert surface(page, "node._fullLayout.scene.domain.x[1]") > 0.4  # two in a row, three otherwise
    eye = page.evaluate(EYE)
    assert abs(page.evaluate("e => Math.atan2(e.y, e.x)", eye) - page.evaluate("Math.atan2(-1.46, -1.12)")) > 0.3
