"""The first page in Chromium: its surface turns once, can be turned, and changes with the words of a document."""

import math

import pytest

from tests.browser.conftest import SURFACE, expect, wait_for_surface

CANVAS = ".ltw-turntable canvas"
AZIMUTH = f"() => Number(document.querySelector('{CANVAS}')?.dataset.azimuth)"
DRAWN = f"() => Number(document.querySelector('{CANVAS}')?.dataset.drawn ?? 0)"
SHADES = "() => [...document.querySelectorAll('.ltw-turntable .text span')].map(word => word.style.backgroundColor)"


@pytest.fixture
def start(reader, address):
    """The start page with its document there."""

    def start(width=1440, height=900):
        page = reader(width=width, height=height)
        page.goto(address)
        page.wait_for_function(DRAWN)
        page.wait_for_selector(".ltw-turntable .text span")
        return page

    return start


def test_the_surface_turns_once_and_stops(start):
    page = start()
    assert not page.evaluate("() => Boolean(window.Plotly)")  # nothing is waited for
    before = -1
    for _ in range(60):  # it begins where it ends, and comes to rest slowly
        drawn = page.evaluate(DRAWN)
        if drawn == before > 2:  # it has not jumped; how many frames it draws depends on the load
            break
        before = drawn
        page.wait_for_timeout(700)
    assert drawn == before > 2
    assert page.evaluate(f"Math.abs(({AZIMUTH})() - Math.atan2(-1.402, -1.075)) < .002")


def test_a_hand_turns_it_and_keys_do(start):
    page = start()
    box = page.locator(CANVAS).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 60, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    page.wait_for_timeout(300)
    held = page.evaluate(AZIMUTH)
    page.wait_for_timeout(700)
    assert page.evaluate(AZIMUTH) == held  # the hand has ended the turn
    page.locator(CANVAS).focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(300)
    turned = page.evaluate(AZIMUTH) - held
    assert abs(math.remainder(turned - 0.15, math.tau)) < 0.01
    for _ in range(20):  # to its back
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => Number(document.querySelector('{CANVAS}').dataset.raised) > .2")
    assert float(page.locator(CANVAS).get_attribute("data-raised")) < 0.25  # never seen from high above


# a turn of the surface that is made so slow that no machine misses it
TURNS = f"""() => {{
  const turning = document.querySelector('.ltw-turntable')?.ltw?.turning;
  if (turning) turning.time = 20000;
  return turning && Math.abs(({AZIMUTH})() - Math.atan2(-1.402, -1.075)) > .3;
}}"""


def test_a_pointer_that_moves_anywhere_ends_the_turn_in_front(reader, address):
    page = reader()
    page.goto(address)
    page.wait_for_function(TURNS, timeout=60_000)
    assert page.evaluate("() => document.querySelector('.ltw-turntable').ltw.told") == 0  # no number is read meanwhile
    page.mouse.move(2, 2)
    front = f"() => Math.abs(({AZIMUTH})() - Math.atan2(-1.402, -1.075)) < .002"
    page.wait_for_function(front, timeout=5_000)  # the turn would take longer
    page.wait_for_function("() => document.querySelector('.ltw-turntable').ltw.told === 1")
    page.wait_for_timeout(700)
    assert page.evaluate(front)
    page.get_by_role("link", name="Data").click()
    expect(page.locator(CANVAS)).to_have_count(0)
    page.get_by_role("link", name="Start").click()
    page.wait_for_function(DRAWN)
    assert page.evaluate("() => document.querySelector('.ltw-turntable').ltw.turning") is None  # once a visit
    assert page.evaluate(front)


def test_the_strongest_word_of_the_document_is_marked_and_counted(start):
    page = start()
    strongest = page.evaluate(
        """() => {
          const { stage, to } = document.querySelector(".ltw-turntable").ltw;
          const words = stage.pieces.filter((piece) => typeof piece !== "string").map(([, term]) => term);
          return words.filter((term) => words.every((other) => stage.words[other].z[to] <= stage.words[term].z[to]));
        }"""
    )
    marked = {word.get_attribute("data-term") for word in page.locator(".ltw-turntable .text .lit").all()}
    assert len(marked) == 1 and marked <= set(strongest)
    expect(page.locator(".ltw-turntable [data-of=term]").first).to_have_text(f"“{marked.pop()}”")


def test_words_and_surface_change_together(start):
    page = start()
    learned = page.evaluate(SHADES)
    page.get_by_role("button", name="χ²").click()
    page.wait_for_function("() => document.querySelector('.ltw-turntable').dataset.shown === 'χ²'")
    page.wait_for_function("() => document.querySelector('.ltw-turntable').ltw.share === 1")  # shades follow the words
    assert page.evaluate(SHADES) != learned
    expect(page.locator(".ltw-turntable .about")).to_contain_text("colour of its χ² weight")  # what names it follows
    expect(page.locator(".st-key-of_learned")).to_be_hidden()
    word = page.locator(".ltw-turntable .text span").first
    word.hover()
    expect(word).to_have_class("lit")
    term = word.get_attribute("data-term")
    expect(page.locator(".ltw-turntable [data-of=term]").first).to_have_text(f"“{term}”")
    tp, fn = (
        int(page.locator(f".ltw-turntable [data-of={name}]").inner_text().replace(",", "")) for name in ("tp", "fn")
    )
    assert f"of {tp + fn:,} =" in page.locator(".ltw-turntable [data-of=tpr]").inner_text()


def test_the_key_shows_what_is_below_0_wherever_a_word_is(start):
    page = start()
    before, zero = "learned", None
    for name in ("Learned", "TFIDF", "χ²", "RF"):
        weight, zero_at_first, shade = page.get_by_role("button", name=name, exact=True).evaluate(
            """button => {
              button.click();
              const part = (name) => document.querySelector(`.ltw-turntable ${name}`);
              const shade = getComputedStyle(part(".key .scale")).opacity;
              return [part(".weight").textContent, parseFloat(part(".zero").style.left), shade];
            }"""
        )
        # the key stays that of the surface that is still drawn, and is never pale or empty
        assert (weight, shade) == (f"{before} weight", "1")
        assert zero is None or zero == zero_at_first, name
        before = name.replace("L", "l")
        page.wait_for_function("() => document.querySelector('.ltw-turntable').ltw.share === 1")
        below, shown, zero = page.evaluate(
            """() => {
              const { stage, to } = document.querySelector(".ltw-turntable").ltw;
              const [label, zero] = [".below", ".zero"].map((part) => document.querySelector(`.ltw-turntable ${part}`));
              const weights = Object.values(stage.words).map(({ z }) => z[to]);
              return [Math.min(...weights) < 0, !label.hidden, parseFloat(zero.style.left)];
            }"""
        )
        assert shown or not below, name
        assert (zero > 10) == shown, name
        expect(page.locator(".ltw-turntable .weight")).to_have_text(f"{before} weight")
        said = page.locator(".ltw-turntable .sign:visible")
        about = f"The stronger the {'colour' if shown else 'gold'}, the heavier the word"
        expect(said).to_contain_text(about, use_inner_text=True)


def test_the_camera_rises_for_a_surface_that_would_be_seen_edge_on(start):
    page = start()
    raised = f"() => Number(document.querySelector('{CANVAS}').dataset.raised)"
    page.get_by_role("button", name="χ²").click()
    page.wait_for_function(f"() => ({raised})() === 0")
    page.get_by_role("button", name="TFIDF").click()
    page.wait_for_function(f"() => ({raised})() > .2")
    page.get_by_role("button", name="χ²").click()
    page.wait_for_function(f"() => ({raised})() === 0")


def test_the_counts_are_right_below_the_document(start):
    page = start()
    boxes = [page.locator(f".ltw-turntable {part}").bounding_box() for part in (".text", "table")]
    assert 0 <= boxes[1]["y"] - boxes[0]["y"] - boxes[0]["height"] < 20
    expect(page.locator(".ltw-turntable.waits")).to_have_count(0)  # lines stand for no document that is there


def test_a_phone_has_the_surface_first_and_scrolls_over_it(start):
    page = start(width=390)
    places = [page.locator(f".ltw-turntable {part}").bounding_box() for part in ("canvas", ".choice", ".text", "table")]
    assert [round(box["y"]) for box in places] == sorted(round(box["y"]) for box in places)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 390 for box in places)
    assert page.evaluate(f"() => getComputedStyle(document.querySelector('{CANVAS}')).touchAction") == "pan-y"


def test_another_theme_changes_the_words_and_on_other_pages_the_figures_and_back(start, address):
    page = start()
    light = ",".join(page.evaluate(SHADES))
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => ({SHADES})().join() !== light", arg=light)
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"light => ({SHADES})().join() === light", arg=light)
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    ink = f"() => {SURFACE}._fullLayout.font.color"
    before = page.evaluate(ink)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"before => ({ink})() !== before", arg=before)


def test_on_a_phone_another_class_brings_the_surface_back_into_view(start):
    page = start(width=390)
    other = page.get_by_role("radio", name="relevant · Synthetic")
    other.scroll_into_view_if_needed()
    assert page.locator(".ltw-turntable").bounding_box()["y"] < 0
    other.click()
    page.wait_for_function("() => document.querySelector('.ltw-turntable').getBoundingClientRect().top >= 0")


def test_on_a_phone_the_surface_stays_in_sight_while_a_word_is_tapped(start):
    page = start(width=390, height=844)
    page.locator(".ltw-turntable table").evaluate("node => node.scrollIntoView({ block: 'center' })")
    word = page.locator(".ltw-turntable .text span").last
    word.click()
    expect(word).to_have_class("lit")
    high = f"() => document.querySelector('{CANVAS}').getBoundingClientRect().height <= 200"
    page.wait_for_function(high)  # smaller than above, or little of the document would be seen
    surface, marked = page.locator(CANVAS).bounding_box(), word.bounding_box()
    assert surface["y"] >= 50 and surface["y"] + surface["height"] < marked["y"] < 844


def test_surface_and_document_have_the_same_edges(start):
    page = start()
    boxes = [page.locator(f".ltw-turntable {part}").bounding_box() for part in ("canvas", ".text", "table", ".key")]
    ends = [box["y"] + box["height"] for box in boxes]
    assert boxes[0]["y"] == boxes[1]["y"] and abs(ends[2] - ends[3]) < 1  # below them the counts end where the key does
    assert boxes[1]["x"] == boxes[2]["x"] and boxes[1]["width"] == boxes[2]["width"]
    parts = "[...document.querySelectorAll('.ltw-turntable :is(.choice, .about, td)')]"
    high = f"() => {parts}.map(part => part.getBoundingClientRect().height)"
    whole = page.evaluate(high)
    page.evaluate(f"() => {parts}.forEach(part => part.replaceChildren())")
    assert page.evaluate(high) == pytest.approx(whole, abs=1.5)  # nothing moves when they come


def test_a_phone_says_how_to_go_on_before_one_scrolls(start):
    page = start(width=390, height=844)
    doors = page.locator(".st-key-doors button:visible")  # one with help is there twice
    expect(doors).to_have_count(3)
    boxes = [door.bounding_box() for door in doors.all()]
    assert all(box["y"] == boxes[0]["y"] and box["y"] + box["height"] <= 844 for box in boxes)
    assert boxes[0]["x"] >= 0 and boxes[-1]["x"] + boxes[-1]["width"] <= 390
    word = page.locator(
        ".ltw-turntable .text .lit"
    ).first.bounding_box()  # marked on the surface, and seen in its document
    assert word["y"] + word["height"] / 2 < boxes[0]["y"] - 8
    assert page.locator(".ltw-turntable .text").evaluate("node => node.scrollTop") == 0  # read from its beginning
    logo = page.locator("[data-testid=stHeaderLogo]:visible").bounding_box()
    assert logo["x"] < 40 and logo["y"] < 30  # where it is on every page, above the title
