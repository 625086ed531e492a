"""The live figures of the Workbench: the same nodes from before the first step to the end, and the reader's camera.

A training is held open by a patience that it never uses up, and drawn twice a second meanwhile.
"""

import contextlib
import re
import time

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import (
    CAMERA,
    HEIGHTS,
    IDLE,
    RESTS,
    SURFACE,
    PlaywrightTimeout,
    expect,
    hyper_parameters,
    surface,
    wait_for_surface,
)

LONG = (  # minutes on a fast machine, which makes 10,000 steps a second with the paper's hidden units
    ("Hidden units", "hidden", "4000"),
    ("Validate every", "check every", "1000"),
    ("Patience", "patience", "1000"),
    ("Maximum steps", "max steps", "1000000"),
)
STEP = """() => {
  const said = document.querySelector('.st-key-numbers')?.innerText.match(/step (?:[\\d,]+(?: of|.*step) )?([\\d,]+)/);
  return said ? parseInt(said[1].replaceAll(',', '')) : -1;
}"""
DRAWN = f"() => {{ const node = {SURFACE}; return node ? Number(node.dataset.draws) : 0; }}"
CURVE = """() => {
  const node = [...document.querySelectorAll('.ltw-plot')].find(n => n.ltw && n.ltw.name === 'live_curves');
  return node && node._fullData && node._fullData.length && node._fullData[0].x ? node._fullData[0].x.length : 0;
}"""


def to_train(page, address):
    """Go to the Workbench, by a former address, on the made-up corpus, with settings of a run that does not end."""
    page.goto(f"{address}/train?dataset=synthetic")
    expect(button(page, "Train")).to_be_visible()
    hyper_parameters(page)
    for label, name, value in LONG:
        field = page.locator(f'input[aria-label^="{label}"]')
        field.fill(value)
        field.press("Enter")
        expect(page.get_by_text("Not as in the paper").filter(has_text=name)).to_be_visible()
    page.keyboard.press("Escape")
    wait_for_surface(page)
    page.wait_for_function(IDLE)
    return page


@pytest.fixture(autouse=True)
def no_training_left(page):
    """A training that a failed test leaves is stopped: the next test asks for the same one, and would share it."""
    yield
    page.mouse.up()
    if button(page, "Stop").is_visible():
        with contextlib.suppress(PlaywrightTimeout):  # it ended meanwhile, and its button went
            button(page, "Stop").click(timeout=5000)
        expect(button(page, "Stop")).to_be_hidden()


@pytest.fixture
def ready(page, address):
    return to_train(page, address)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def stop(page):
    """Stop the training, and wait until the page has said so: the next test asks for the same one, and would share
    it."""
    button(page, "Stop").click()
    expect(button(page, "Stop")).to_be_hidden()
    expect(page.get_by_text("Stopped on request").first).to_be_visible()


def go_on(page, draws=2):
    """Wait until the surface was drawn some more times."""
    before = page.evaluate(DRAWN)
    page.wait_for_function(f"before => ({DRAWN})() >= before + {draws}", arg=before)


def turned(page):
    """The camera's place once it is where the pointer left it: on a slow machine many frames after the move."""
    camera = surface(page, CAMERA)
    for _ in range(60):
        page.wait_for_timeout(500)
        before, camera = camera, surface(page, CAMERA)
        if camera == before:
            return camera
    raise AssertionError("the camera still moves after half a minute")


def held_step(page):
    """The step at which a pause holds the training: the one under way when it was asked for is still finished."""
    step = page.evaluate(STEP)
    for _ in range(60):
        page.wait_for_timeout(1500)
        before, step = step, page.evaluate(STEP)
        if step == before:
            return step
    raise AssertionError("a paused training still goes on after a minute and a half")


def drag(page, end=True):
    frame = page.locator(".ltw-plot").first.bounding_box()
    x, y = frame["x"] + frame["width"] / 3, frame["y"] + frame["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 90, y + 10, steps=6)
    if end:
        page.mouse.up()


def test_the_surface_lives_in_one_node_and_keeps_the_camera(ready):
    page = ready
    # before the first step the surface is there already, and marks on its node and what it is drawn on stay to the end
    surface(page, "node.mark = 'same node'")
    surface(page, "node.querySelector('canvas').mark = 'same canvas'")
    initial = surface(page, HEIGHTS)
    button(page, "Train").click()
    page.wait_for_function(f"before => {{ const node = {SURFACE}; return node && {HEIGHTS} !== before; }}", arg=initial)
    assert surface(page, "node.mark") == "same node"

    # turned while it trains: updates come and the camera stays
    page.wait_for_function(IDLE)
    drag(page)
    camera = turned(page)
    heights = surface(page, HEIGHTS)
    go_on(page)
    assert surface(page, HEIGHTS) != heights
    assert surface(page, CAMERA) == pytest.approx(camera, abs=1e-6)

    # in the middle of a drag nothing is drawn, and when it ends the camera is where the pointer left it
    page.wait_for_function(IDLE)
    drag(page, end=False)
    held, draws = turned(page), page.evaluate(DRAWN)
    page.wait_for_timeout(2500)
    assert page.evaluate(DRAWN) <= draws + 1  # one may have been under way
    assert surface(page, CAMERA) == pytest.approx(held, abs=1e-6)
    page.mouse.up()
    go_on(page, 1)
    assert surface(page, CAMERA) == pytest.approx(held, abs=1e-3)

    # pause holds it, step goes on by one validation, stop ends it: all in the same node
    button(page, "Pause").click()
    expect(button(page, "Resume")).to_be_visible()
    expect(page.get_by_text("is paused at step").first).to_be_visible()
    step = held_step(page)
    page.wait_for_timeout(3000)
    assert page.evaluate(STEP) == step
    button(page, "Next validation").click()
    page.wait_for_function(f"step => ({STEP})() === step + 1000", arg=step)
    expect(button(page, "Resume")).to_be_visible()
    stop(page)
    wait_for_surface(page)  # while the stage is put up anew it may be away for a moment
    assert surface(page, "node.mark") == "same node"
    assert surface(page, "node.querySelector('canvas').mark") == "same canvas"
    assert surface(page, CAMERA) == pytest.approx(held, abs=1e-3)


def test_the_first_point_comes_soon(page, address):
    """Within half a second of the click on an idle machine; here with room for a busy or slow one."""
    began = time.monotonic()
    page.goto(f"{address}/train?dataset=synthetic")
    wait_for_surface(page)
    opened = time.monotonic() - began
    to_train(page, address)
    button(page, "Train").click()  # everything warm
    page.wait_for_function(f"() => ({CURVE})() > 0")
    stop(page)
    page.get_by_role("button", name="Settings").click()
    button(page, "Reset").click()
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => ({CURVE})() === 0")
    page.wait_for_function(IDLE)
    page.evaluate(
        f"""() => {{
          const start = [...document.querySelectorAll('button')].find(b => b.innerText.includes('Train'));
          start.addEventListener('click', () => {{
            const began = performance.now();
            const look = () => ({CURVE})() > 0 ? (window.firstPoint = performance.now() - began) : setTimeout(look, 10);
            look();
          }}, {{ once: true }});
        }}"""
    )
    button(page, "Train").click()
    page.wait_for_function("() => window.firstPoint > 0")
    took = page.evaluate("window.firstPoint") / 1000
    print(f"first point after {took:.2f} s")
    assert took < max(5, opened)
    stop(page)


def test_train_runs_its_own_part_of_the_page_and_the_rest_follows(page, address):
    """What makes the first point come soon; a training that lasts stands in the history a few seconds later."""
    runs = []  # how each run of the script finished: that of a part says so

    def note(frame):
        if isinstance(frame, bytes) and (message := ForwardMsg.FromString(frame)).HasField("script_finished"):
            runs.append(message.script_finished)

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    to_train(page, address)
    expect(page.get_by_text("None yet in this browser. What is trained here")).to_be_visible()
    button(page, "Train").hover()
    help_of_train = page.locator("[role=tooltip]", has_text="Starts in the background")
    expect(help_of_train).to_be_visible()
    page.wait_for_function(RESTS)
    runs.clear()  # of those that what was found in the background brought
    button(page, "Train").click()
    expect(help_of_train).to_be_hidden()
    expect(button(page, "Stop")).to_be_enabled()
    expect(page.get_by_text("None yet in this browser. What is trained here")).to_have_count(0)
    assert runs[0] == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
    assert ForwardMsg.FINISHED_SUCCESSFULLY in runs
    expect(button(page, "Stop")).to_be_enabled()
    stop(page)
    button(page, "Train").hover()
    expect(help_of_train).to_be_visible()


PLACES = """() => Object.fromEntries(['shape_source', 'method', 'seed', 'train', 'step', 'settings']
  .map((name) => [name, document.querySelector(`.st-key-${name}`).getBoundingClientRect()])
  .map(([name, { x, y }]) => [name, [Math.round(x), Math.round(y)]]))"""


def test_controls_of_a_tablet_keep_their_places_while_something_is_trained(page, address):
    page.set_viewport_size({"width": 800, "height": 1000})
    to_train(page, address)
    before = page.evaluate(PLACES)
    assert len({round(y / 8) for _, y in before.values()}) == 1  # all of them in one line
    button(page, "Train").click()
    expect(button(page, "Pause")).to_be_enabled()
    assert page.evaluate(PLACES) == before
    expect(button(page, "Next validation")).to_be_disabled()
    expect(page.locator(".st-key-spark")).to_be_hidden()  # its curve stands below the picture
    button(page, "Pause").click()
    expect(button(page, "Resume")).to_be_visible()
    assert page.evaluate(PLACES) == before
    stop(page)
    after = page.evaluate(PLACES.replace(" 'step',", ""))  # a step would begin anew
    assert after == {name: place for name, place in before.items() if name != "step"}
    colour = "(node) => getComputedStyle(node).backgroundColor"  # of what comes next, its test, is the main action's
    assert (
        page.locator(".st-key-test a").evaluate(colour) == "rgb(181, 58, 10)" != button(page, "Train").evaluate(colour)
    )
    weights = button(page, "Weights")
    expect(weights).to_have_count(0)
    page.locator(".ltw-tail summary").click()
    expect(weights).to_have_count(1)  # in its fold, and not below the picture too


def test_nothing_below_the_picture_moves_while_something_is_trained(page, address):
    to_train(page, address)
    below = "() => document.querySelector('.st-key-workplace').getBoundingClientRect().bottom"

    def train():
        button(page, "Train").click()
        expect(button(page, "Pause")).to_be_enabled()
        page.wait_for_function(f"() => ({STEP})() > 0")

    def end():
        stop(page)
        expect(page.locator(".st-key-test")).to_be_visible()
        page.wait_for_function(RESTS)
        return page.evaluate(below)

    train()
    place = end()
    train()
    expect(page.locator(".st-key-test")).to_have_count(0)
    assert page.evaluate(below) == pytest.approx(place, abs=2)
    assert end() == pytest.approx(place, abs=2)


# what is seen from now on, whenever the words of a playback or the drawing are others; at the third place a finger
# comes down on the button that ends it, and lifts a frame later
PLAYED = f"""() => {{
  window.played = [];
  window.held = null;
  new MutationObserver(() => {{
    const node = {SURFACE}, said = document.querySelector('.st-key-status')?.dataset.replays ?? '';
    const skip = document.querySelector('.ltw-skip'), before = window.played.at(-1);
    if (window.held !== null || (said === before?.said && node.dataset.draws === before?.draws)) return;
    const heights = node.querySelector('.ltw-glide') ? '' : {HEIGHTS};
    const stop = [...document.querySelectorAll('button')].some(
      one => one.innerText === 'Stop' && one.checkVisibility()
    );
    window.played.push({{ said, heights, ends: skip && !stop, draws: node.dataset.draws }});
    if (new Set(window.played.map(one => one.said).filter(said => said.startsWith('Played'))).size < 3) return;
    window.held = false;
    skip.dispatchEvent(new PointerEvent('pointerdown', {{ bubbles: true }}));
    requestAnimationFrame(() => {{ window.held = skip.isConnected; skip.click(); }});
  }}).observe(document.body, {{ subtree: true, attributes: true, attributeFilter: ['data-replays', 'data-draws'] }});
}}"""


# whatever is seen of a training's end while the picture is of a step of it
TOO_SOON = f"""() => {{
  window.tooSoon = [];
  const end = /^(Not distinguishable|Better|Worse|On .* reaches|Kept|Finished|Evaluate|Weights)/;
  const seen = (one) => one.checkVisibility({{ visibilityProperty: true, opacityProperty: true }});
  const places = ':is(.st-key-head, .st-key-numbers, .st-key-status) p, .st-key-test a, .st-key-taken *';
  const look = () => /step [\\d,]+/.test({SURFACE}?.querySelector('.infolayer')?.textContent)
    && document.querySelectorAll(places)
      .forEach(one => seen(one) && end.test(one.innerText) && window.tooSoon.push(one.innerText));
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, {{ subtree: true, childList: true }});
}}"""


def test_a_training_is_played_back_and_a_button_ends_that(page, address):
    page.goto(f"{address}/train?dataset=synthetic")
    hyper_parameters(page)
    field = page.locator('input[aria-label^="Maximum steps"]')
    field.fill("600")
    field.press("Enter")
    expect(page.get_by_text("Not as in the paper").filter(has_text="max steps")).to_be_visible()
    page.keyboard.press("Escape")
    wait_for_surface(page)
    page.wait_for_function(IDLE)
    for record in (PLAYED, TOO_SOON):
        page.evaluate(record)
    tries = 0
    while page.evaluate("window.held") is None and tries < 5:  # one that is sent too late is not played back
        tries += 1
        button(page, "Train").click()
        with contextlib.suppress(PlaywrightTimeout):
            page.wait_for_function("() => window.held !== null", timeout=30_000)
    expect(page.locator("[data-replays]")).to_have_count(0)
    expect(page.locator(".ltw-skip")).to_have_count(0)
    page.wait_for_function(IDLE)
    seen, kept = page.evaluate("window.played"), surface(page, HEIGHTS)
    played = [one for one in seen if one["said"].startswith("Played")]
    steps = {one["said"] for one in played}
    assert len(steps) == 3 and all(re.match(r"Played back: step [\d,]+ of", said) for said in steps)
    assert all(one["ends"] for one in played)
    assert page.evaluate("window.held")  # what comes in the button's place isn't there when the finger lifts
    # what was drawn last of the training stays: the end is not seen before it is played back
    assert page.evaluate("window.tooSoon") == []  # what it came to is told with its surface
    assert len(seen) > 3 and (tries > 1 or kept not in {one["heights"] for one in seen})


CORNERS = """(() => {
  const scene = node._fullLayout.scene._scene, { model, view, projection } = scene.glplot.cameraParams;
  const times = (m, v) => [0, 1, 2, 3].map((r) => m[r] * v[0] + m[4 + r] * v[1] + m[8 + r] * v[2] + m[12 + r] * v[3]);
  const bounds = scene.glplot.bounds, seen = [];
  for (let corner = 0; corner < 8; corner++) {
    const point = [0, 1, 2].map((axis) => bounds[(corner >> axis) & 1][axis]);
    const [x, y, , w] = times(projection, times(view, times(model, [...point, 1])));
    seen.push([x / w, y / w]);
  }
  return seen;
})()"""


@pytest.mark.parametrize("width", [1440, 390])
def test_the_whole_scene_is_in_the_picture(reader, address, width):
    page = reader(width)
    page.goto(f"{address}/train?dataset=synthetic")
    wait_for_surface(page)
    page.wait_for_function(IDLE)
    corners = surface(page, CORNERS)
    across, upright = zip(*corners, strict=True)
    assert len(across) == 8 and max(map(abs, across)) < 0.95  # and room for what is written beside it
    assert max(max(along) - min(along) for along in (across, upright)) > 1.2  # but it is no smaller than need be
