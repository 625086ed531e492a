"""For everyone: axe-core finds nothing on any page, light and dark, and three pages work without a pointer."""

import math
import re

import pytest

from tests.browser.axe import Checked
from tests.browser.conftest import IDLE, expect, go, open_view, press, settle, surface, wait_for_surface
from tests.browser.test_train import to_train

TABS = {
    "Start": (),
    "Data": ("Table", "Documents", "Classes", "Collection"),
    "Workbench": (),
    "Studies": (),
    "Classifiers": (),
}
STEP = "dataset=synthetic&class=relevant&lesson=what-should-a-word-weigh&step=2"  # a document, a figure, a question


def test_axe_finds_nothing_on_any_page(address, reader):
    page = reader()
    checked = Checked(page)
    page.goto(f"{address}?dataset=synthetic")
    for name, tabs in TABS.items():
        if name != "Start":
            go(page, name)
        expect(page.get_by_role("heading", level=1)).to_contain_text("LTW Lab:" if name == "Start" else f"{name}:")
        settle(page)
        checked.look(name)
        for tab in tabs:
            page.get_by_role("radio", name=tab, exact=True).click()
            checked.look(f"{name}, {tab}")
    page.goto(f"{address}/lessons?{STEP}")
    settle(page)
    checked.look("Lessons, a step")
    go(page, "Classroom")
    expect(page.get_by_role("heading", name="Join")).to_be_visible()
    checked.look("Classroom")
    press(page, "Open a class", page.get_by_role("link", name="Open the big screen"))
    checked.look("Classroom, its teacher's view")
    assert not checked.problems


LINK = "dataset=synthetic&utw=LogTFIDF&stw=TFRF&learners=Multinomial+naive+Bayes"  # not what others compute
RESULTS = (  # of a class that no other test computes cells of
    "dataset=synthetic&class=other&utw=TFIDF&stw=TFCHI&ltw=LTW-L-I&learners=Logistic+regression&learners=Multinomial+naive+Bayes"
)
CURVE = "dataset=synthetic&class=other&scope=curve&curve_sizes=50,100&curve_draws=2"
VIEWS = {  # a formula has no film, and says so
    "example": ("Map", "Slice", "Ranks", "Film", "Likeness", "Properties"),
    "formulas": ("Map", "Slice", "Ranks", "Likeness", "Properties"),
}
PARTS = ("Term frequency", "Contingency table")
STUDIES = ("Run a study", "Classes", "Tables", "Significance", "Time", "Where we differ")  # groups, then parts of one
PHONE = {"width": 390, "height": 844}


def test_axe_finds_nothing_in_the_views_of_workbench_and_studies(address, reader):
    page = reader()
    checked = Checked(page)
    for shown, views in VIEWS.items():
        page.goto(f"{address}/workbench?dataset=synthetic&run={shown}")
        settle(page)
        for view in views:
            open_view(page, view)
            checked.look(f"{shown}, {view}")
    for part in PARTS:
        open_view(page, part)
        checked.look(f"Properties, {part}")
    go(page, "Studies")
    for view in STUDIES:  # chosen with the pointer, which stays: what is under it is looked at too
        page.get_by_role("radio", name=view, exact=True).click()
        checked.look(f"Studies, {view}")
    page.get_by_role("radio", name="Ranks", exact=True).click()
    page.get_by_role("button", name="Weightings", exact=True).click()
    expect(page.get_by_role("combobox", name=re.compile("Ranked")).first).to_be_visible()
    checked.look("Studies, a popover")
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    page.get_by_role("radio", name="F1", exact=True).click()
    checked.look("Studies, narrow", navigation=False)
    assert not checked.problems


def test_axe_finds_nothing_in_what_classifiers_decided(address, reader):
    page = reader()
    checked = Checked(page)
    page.goto(f"{address}/classifiers?{RESULTS}")
    settle(page)
    press(page, "Compute 6 F1 scores", page.get_by_role("button", name=re.compile("Stop|All 6 F1 scores known")).first)
    expect(page.get_by_role("button", name="All 6 F1 scores known")).to_be_visible()
    page.get_by_role("button", name="true positives").click()
    page.mouse.move(0, 0)  # what explains the button comes and goes slowly
    expect(page.get_by_text("most confident decision first")).to_be_visible()
    checked.look("Classifiers, a document")
    page.get_by_text("Precision and recall", exact=True).click()
    checked.look("Classifiers, thresholds")
    page.get_by_text("Two weightings", exact=True).click()
    expect(page.get_by_text("McNemar").first).to_be_visible()
    checked.look("Classifiers, two weightings")
    page.goto(f"{address}/classifiers?{CURVE}")
    page.get_by_role("button", name=re.compile("Compute the (curve|.* left)")).click()
    expect(page.get_by_role("button", name=re.compile("All .* points known"))).to_be_visible()
    page.get_by_text("All points with intervals", exact=True).click()
    checked.look("Classifiers, a learning curve")
    page.get_by_role("radio", name="All classes", exact=True).click()
    settle(page)
    # what is chosen at first, and takes but a second, is computed unasked
    expect(page.get_by_role("heading", name="Which classes are confused")).to_be_visible()
    checked.look("Classifiers, all classes")
    page.set_viewport_size(PHONE)
    checked.look("Classifiers, all classes, narrow", navigation=False)
    assert not checked.problems


def test_axe_finds_nothing_while_training_and_in_what_opens(address, reader):
    page = to_train(reader(), address)
    checked = Checked(page)
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    checked.look("Workbench, training")
    page.get_by_role("button", name="Stop", exact=True).click()
    page.mouse.move(0, 0)  # the slider of steps comes where the button was, and shows its ends where it is pointed at
    expect(page.get_by_text("Stopped on request").first).to_be_visible()
    page.get_by_role("button", name="Glossary").click()
    expect(page.get_by_role("region", name="Glossary")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_be_focused()
    checked.look("Glossary")
    drawer, usual = page.locator(".ltw-glossary"), page.viewport_size
    menu = page.get_by_test_id("stSidebar").bounding_box()
    assert abs(drawer.bounding_box()["x"] - menu["x"] - menu["width"]) < 1  # beside the menu
    assert drawer.bounding_box()["height"] == usual["height"]
    page.set_viewport_size({"width": 1200, "height": 800})  # at the right edge of a wide window
    assert drawer.bounding_box() == {"x": 780, "y": 0, "width": 420, "height": 800}
    page.set_viewport_size(usual)
    page.get_by_role("searchbox").fill("chi-s")
    expect(page.locator(".ltw-glossary dt:visible")).to_have_text(re.compile("^χ²"))
    ways = page.get_by_role("navigation", name="Groups of words").get_by_role("button")
    assert sum(way.is_enabled() for way in ways.all()) == 1  # only the group of what was found leads somewhere
    page.get_by_role("searchbox").fill("prec")  # a name comes first, then meanings that have it
    expect(page.locator(".ltw-glossary dt:visible").first).to_have_text("precision")
    expect(page.locator(".ltw-glossary dt:visible mark")).to_have_text("prec")
    assert page.locator(".ltw-glossary dd > mark").first.bounding_box()["width"] < 60  # within its line
    page.get_by_role("searchbox").fill("chine")  # the end of a machine
    expect(page.locator(".ltw-glossary [role=status]")).to_have_text("No word here begins with “chine”.")
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.locator(".ltw-glossary")).to_have_count(0)
    page.set_viewport_size(PHONE)
    checked.look("Workbench, narrow", navigation=False)
    page.goto(f"{address}/functions?dataset=synthetic&view=Your+own")
    settle(page)
    page.get_by_text("The same in Python", exact=True).click()
    press(page, "What may stand in a formula", page.get_by_text("log is the natural logarithm"))
    checked.look("Formulas, one's own, narrow", navigation=False)
    assert not checked.problems


FOCUSED = """([selector, text]) => {
  const at = document.activeElement;
  return at.matches(selector) && (at.innerText || at.getAttribute("aria-label") || "").includes(text);
}"""
# whether what has the focus looks otherwise without it: itself, what it lies in, and what stands beside it
VISIBLE = """async () => {
  const at = document.activeElement;
  const near = [at, ...(at.parentElement?.children ?? []), at.parentElement, at.parentElement?.parentElement];
  const look = () => near.filter(Boolean).map((each) => {
    const style = getComputedStyle(each);
    return [style.outline, style.boxShadow, style.borderColor, style.backgroundColor, style.color].join();
  }).join();
  const rest = () => new Promise((resolve) => setTimeout(resolve, 60));
  const focused = look();
  at.blur();
  await rest();
  const without = look();
  at.focus({ preventScroll: true, focusVisible: true });
  await rest();
  return focused !== without;
}"""
EYE = "node._fullLayout.scene._scene.getCamera().eye"


def tab_to(page, selector, text="", most=150):
    """Press Tab until it is reached, and see that the focus shows."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, [selector, text]):
            assert page.evaluate(VISIBLE), f"the focus on {selector} {text} does not show"
            return
    pytest.fail(f"{selector} {text} is not reached with Tab")


def eye(page):
    """Azimuth and distance of the camera."""
    at = surface(page, EYE)
    return math.atan2(at["y"], at["x"]), math.hypot(at["x"], at["y"], at["z"])


def test_it_works_without_a_pointer(page, address):
    keys = page.keyboard
    page.goto(f"{address}/train?dataset=synthetic")
    page.add_style_tag(content="* { transition: none !important; }")
    settle(page)

    # train, and turn what was learned
    tab_to(page, "button", "Train")
    keys.press("Enter")
    expect(page.get_by_role("link", name="Evaluate")).to_be_visible()
    wait_for_surface(page)
    page.wait_for_function(IDLE)
    tab_to(page, ".ltw-plot[role=application]", "")
    azimuth, distance = eye(page)
    for key in ("ArrowLeft", "ArrowLeft", "+"):
        keys.press(key)
        page.wait_for_timeout(150)
    assert eye(page) == pytest.approx((azimuth + 0.3, distance / 1.15), abs=0.01)
    keys.press("0")
    page.wait_for_timeout(150)
    assert eye(page) == pytest.approx((azimuth, distance), abs=0.01)
    keys.press("Tab")  # no trap
    assert not page.evaluate(FOCUSED, [".ltw-plot", ""])

    # another view, a moment of the training, a term
    tab_to(page, "[role=radio]", "Surface")
    for _ in range(4):
        keys.press("ArrowRight")
    keys.press("Enter")
    settle(page)
    said = page.locator(".ltw-timeline output")
    expect(said).to_contain_text("kept")
    tab_to(page, ".ltw-timeline input")
    before = said.inner_text()
    keys.press("ArrowLeft")
    expect(said).not_to_have_text(before)
    tab_to(page, "input[aria-label^='Selected terms']")
    keys.press("ArrowDown")
    keys.press("Enter")
    page.wait_for_url("**terms=*")
    keys.press("Escape")  # the open list hides what is behind it from a screen reader
    expect(page.get_by_role("heading", name="Documents that hold")).to_be_visible()

    # classifiers: F1, and another cell
    page.goto(f"{address}/classifiers?{LINK}")
    page.add_style_tag(content="* { transition: none !important; }")
    settle(page)
    tab_to(page, "button", "Compute")
    keys.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^All .* F1 scores known"))).to_be_visible()
    settle(page)
    tab_to(page, "input[aria-label^='Weighting']")
    shown = page.get_by_test_id("stSelectbox").filter(has_text="Weighting").locator("input")
    before = shown.input_value()
    for steps in (("ArrowDown", "ArrowUp"), ("ArrowDown",)):  # one of two, of which the best is open
        for key in (*steps, "Enter"):
            keys.press(key)
        settle(page)
        if shown.input_value() != before:
            break
    expect(shown).not_to_have_value(before)
