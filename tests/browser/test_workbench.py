"""The Workbench in Chromium: its picture begins high, little stands before it, also on a phone; old addresses."""

import json

import pytest

from pages._ui.workbench.inspector import LEFT
from tests.browser.conftest import IDLE, SURFACE, expect, go, open_view, settle, surface, wait_for_surface

BEFORE = """() => {
  const figure = document.querySelector('.ltw-plot').getBoundingClientRect().top;
  const main = document.querySelector('[data-testid=stMain]');
  const groups = '[data-testid=stSelectbox], [data-testid=stMultiSelect], [data-testid=stNumberInput], ' +
    '[data-testid=stButtonGroup], [data-testid=stPopover], [data-testid=stButton]';
  const seen = [...main.querySelectorAll(groups)].map((each) => each.getBoundingClientRect());
  return { figure, controls: seen.filter((each) => each.height && each.top < figure && each.left < innerWidth).length };
}"""
REDRAWN = """(async () => {
  const layout = structuredClone(node.layout);
  layout.scene.zaxis.title = { text: "another title" };
  await Plotly.react(node, node.data, layout, node._context);
})()"""
MOVED = {
    "train?seed=3": ("Surface", "seed=3"),
    "functions?view=Slices": ("Slice", "run=formulas"),
    "shapes?part=Time+machine": ("Film", "run=shipped"),
}


def test_the_picture_begins_above_300_pixels_with_at_most_eight_controls_before_it(reader, address):
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    found = page.evaluate(BEFORE)
    assert 0 < found["figure"] <= 230 and 3 <= found["controls"] <= 8
    for view in ("Slice", "Ranks"):
        page.get_by_role("radio", name=view, exact=True).click()
        settle(page)
        page.wait_for_selector(".st-key-view_row")
        found = page.evaluate(BEFORE)
        assert 0 < found["figure"] <= 300 and 3 <= found["controls"] <= 8, view
        expect(page.get_by_role("button", name=f"{view.rstrip('s')}s (CSV)")).to_be_visible()
        page.locator(".st-key-view_row label").filter(has=page.locator("input[type=checkbox]")).first.click()
        settle(page)  # a part of the page has run, and the file is still offered
        expect(page.get_by_role("button", name=f"{view.rstrip('s')}s (CSV)")).to_be_visible()
    page.get_by_role("radio", name="Surface", exact=True).click()
    settle(page)
    wait_for_surface(page)
    page.locator(".ltw-plot").first.hover()
    page.mouse.wheel(0, 150)  # over a figure the page scrolls
    page.wait_for_function("() => document.querySelector('[data-testid=stMain]').scrollTop > 100")
    turn = page.get_by_role("button", name="Turn the surface", exact=True).first
    turn.click()
    expect(turn).to_have_attribute("aria-pressed", "true")
    expect(turn).to_have_text("Now drag it")
    before = page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop")
    page.locator(".ltw-plot").first.hover()
    page.mouse.wheel(0, 150)  # and when it is turned, it does not
    page.wait_for_timeout(400)
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTop") == before


CAMERAS = """() => {
  const layout = document.querySelector('.ltw-plot')._fullLayout;
  const scenes = Object.keys(layout).filter((name) => /^scene\\d*$/.test(name));
  return scenes.map((name) => layout[name]._scene.getCamera().eye);
}"""


def opened(reader, address, *formulas):
    """A page with surfaces of formulas."""
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic&run=formulas{''.join(f'&functions={name}' for name in formulas)}")
    wait_for_surface(page)
    settle(page)
    return page


def test_what_comes_beside_a_surface_is_seen_as_it_is_and_all_at_once(reader, address):
    page = opened(reader, address, "IG")
    page.locator(".ltw-plot").first.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    way = lambda eye: pytest.approx([eye[k] / eye["z"] for k in "xy"], abs=1e-3)  # noqa: E731
    (turned,) = page.evaluate(CAMERAS)
    for name in ("IDF", "RF", "OR"):  # from its own first camera IDF is seen from above
        page.get_by_role("combobox", name="Formulas").fill(name)
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        settle(page)
        page.wait_for_function(f"() => ({CAMERAS})().length === {['IG', 'IDF', 'RF', 'OR'].index(name) + 1}")
        cameras = page.evaluate(CAMERAS)
        assert all([eye[k] / eye["z"] for k in "xy"] == way(turned) for eye in cameras), name
        figure = page.locator(".ltw-plot").first.bounding_box()
        assert figure["y"] + figure["height"] <= 900, name


OUT_OF_SIGHT = """async () => {
  const node = document.querySelector('.ltw-plot'), figure = node.parentElement, draws = node.dataset.draws;
  figure.style.display = 'none';
  node.ltwDraw();
  await new Promise((done) => setTimeout(done, 500));
  figure.style.display = '';
  while (node.dataset.draws === draws) await new Promise((done) => setTimeout(done, 50));
  node.ltwDraw();
  await new Promise((done) => setTimeout(done, 500));
}"""


def test_a_camera_is_where_it_was_after_its_figure_was_out_of_sight_and_a_double_click_puts_it_back(reader, address):
    page = opened(reader, address, "IG", "RF")
    near = lambda eye: pytest.approx(eye, abs=1e-3)  # noqa: E731
    first = page.evaluate(CAMERAS)
    page.locator(".ltw-plot").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    turned = page.evaluate(CAMERAS)
    assert turned[0] != near(first[0])
    page.evaluate(OUT_OF_SIGHT)
    assert [*map(near, turned)] == page.evaluate(CAMERAS)
    page.locator(".ltw-plot").first.dblclick(position={"x": 200, "y": 90})
    page.wait_for_timeout(500)
    assert [*map(near, first)] == page.evaluate(CAMERAS)
    # what comes beside it turns nothing; for IDF the camera is raised, as it would be seen from its edge
    page.get_by_role("combobox", name="Formulas").fill("IDF")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => ({CAMERAS})().length === 3")
    settle(page)
    ways = [eye["x"] / eye["y"] for eye in page.evaluate(CAMERAS)]
    assert ways == 3 * [pytest.approx(first[0]["x"] / first[0]["y"], abs=1e-3)]


MARKED = "() => [...document.querySelectorAll('.ltw-plot[data-marked]')].length"
ALL_THERE = "() => [...window.__ltwPlots.nodes.values()].every((node) => node.isConnected)"


def test_a_stage_that_was_left_comes_back_as_it_was_and_another_is_made_anew(reader, address):
    page = opened(reader, address, "IG", "RF")
    page.evaluate(f"() => {{ {SURFACE}.dataset.marked = 'before'; }}")
    for change, marked in ((False, 1), (True, 0)):
        open_view(page, "Ranks")
        settle(page)
        assert page.evaluate(MARKED) == 0 and page.evaluate(ALL_THERE)
        if change:  # what is flat and was left the first time, too
            assert page.locator(".ltw-plot[data-flat]").count() == 1
        page.evaluate("() => { document.querySelector('.st-key-pictures .ltw-plot').dataset.flat = 'before'; }")
        if change:
            page.get_by_role("combobox", name="Formulas").fill("GR")
            page.keyboard.press("Enter")
            page.keyboard.press("Escape")
            settle(page)
        open_view(page, "Surface")
        wait_for_surface(page)
        settle(page)
        assert page.evaluate(MARKED) == marked
        before = page.evaluate(CAMERAS)
        page.locator(".ltw-plot").first.focus()
        page.keyboard.press("ArrowLeft")
        assert page.evaluate(CAMERAS) != before


RANGES = """() => {
  const axes = document.querySelector('.st-key-curves .ltw-plot')._fullLayout;
  return ['xaxis', 'yaxis', 'yaxis2'].map((name) => axes[name].range);
}"""


COLUMN = """() => ['live_curves', 'live_terms'].map((name) => {
  const node = [...document.querySelectorAll('.ltw-plot')].find((each) => each.ltw?.name === name);
  const left = (each) => each.getBoundingClientRect().left;
  const words = [...node.querySelectorAll('.gtitle, .annotation-text')].map(left);
  return [Math.min(...words), left(node) + node._fullLayout.xaxis._offset];
})"""


def test_small_figures_stay_as_they_are_and_what_is_done_with_a_run_is_in_sight(reader, address):
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    page.get_by_role("button", name="Train", exact=True).click()
    link = page.get_by_role("link", name="Evaluate")
    expect(link).to_be_visible(timeout=60_000)
    settle(page)
    assert page.locator(":is(.st-key-curves, .st-key-strongest) .modebar-container:visible").count() == 0
    edge = page.locator(".st-key-numbers").bounding_box()["x"]  # of the column: its headings, its curves and bars
    curve, bars = page.evaluate(COLUMN)
    assert [curve[0], *bars] == pytest.approx([edge, edge, edge + LEFT], abs=5)
    assert edge + 30 < curve[1] < edge + 60  # all of its width but for the numbers of its axis
    before = page.evaluate(RANGES)
    page.locator(".st-key-curves .ltw-plot").dblclick()
    page.wait_for_timeout(300)
    assert page.evaluate(RANGES) == before and before[0][1] > 100  # the steps that were made
    assert before[2] == pytest.approx([0, 1], abs=0.05)  # F1, as while it was trained
    for seen in (link, page.locator(".st-key-shape_terms")):
        box = seen.bounding_box()
        assert box["y"] + box["height"] <= 900
    page.get_by_role("radio", name="Map", exact=True).click()
    page.wait_for_function("() => [...document.querySelectorAll('.ltw-plot')].some((n) => n.ltw?.name === 'stage_map')")
    settle(page)
    reset = """() => {
      const node = [...document.querySelectorAll('.ltw-plot')].find((n) => n.ltw.name === 'stage_map');
      const { xaxis } = node._fullLayout;
      return [xaxis._rangeInitial0, xaxis._rangeInitial1, ...node.ltw.figure.layout.xaxis.range];
    }"""
    low, high, own_low, own_high = page.evaluate(reset)
    assert (low, high) == (own_low, own_high)


def test_controls_of_a_line_have_one_height_and_say_what_they_are(reader, address):
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    box = lambda selector: page.locator(selector).first.bounding_box()  # noqa: E731
    for line, around in (("bar", ".st-key-chosen"), ("line", ".st-key-line")):
        labels = page.locator(f"{around} [data-testid=stWidgetLabel]")
        seen = [each for each in labels.all() if each.is_visible() and each.bounding_box()["height"] > 8]
        assert len(seen) == {"bar": 3, "line": 1}[line]
        assert all(
            each.bounding_box()["y"] > box(".st-key-title")["y"] + box(".st-key-title")["height"] for each in seen
        )
    views, compare = box(".st-key-views [role=radiogroup]"), box(".st-key-compare [data-testid=stMultiSelect]")
    assert abs(views["height"] - compare["height"]) <= 2 and abs(views["y"] - compare["y"]) <= 2
    status, stage = box(".st-key-status"), box(".st-key-stage")  # how it goes stands under the picture
    assert status["y"] >= stage["y"] + stage["height"] and status["width"] == pytest.approx(stage["width"], abs=2)


def test_the_menu_is_folded_on_narrow_pages_and_folds_after_a_choice(reader, address):
    shown = "() => document.querySelector('[data-testid=stSidebar]').dataset.collapsed === '{}'"
    for width in (1440, 800, 390):
        page = reader(width, 900)
        page.goto(f"{address}/lessons?dataset=synthetic")
        settle(page)
        page.wait_for_function(shown.format("false" if width == 1440 else "true"))
        go(page, "Data")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Data:")
        settle(page)
        page.wait_for_function(shown.format("false" if width == 1440 else "true"))
        assert page.get_by_role("heading", level=1).bounding_box()["y"] >= 0
        if width == 1440:  # and the picture begins high here, too
            page.wait_for_selector(".ltw-plot")
            settle(page)
            assert 0 < page.evaluate("() => document.querySelector('.ltw-plot').getBoundingClientRect().top") <= 300


def test_a_phone_has_the_picture_before_the_settings_and_train_at_the_bottom(reader, address):
    page = reader(390, 844)
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    figure = page.locator(".ltw-plot").first.bounding_box()
    order = ("views", "stage", "status", "numbers", "tail")
    parts = [page.locator(f".st-key-{name}").bounding_box() for name in order]
    assert [part["y"] for part in parts] == sorted(part["y"] for part in parts)
    assert figure["y"] + figure["height"] < parts[-1]["y"] and all(part["width"] >= 340 for part in parts)
    source, compared = (page.locator(f".st-key-{name}").bounding_box() for name in ("shape_source", "compare"))
    assert parts[0]["y"] < source["y"] < parts[1]["y"] and abs(source["y"] - compared["y"]) < 10  # in one row
    expect(page.locator(".st-key-method")).to_be_hidden()
    page.get_by_text("More", exact=True).click()
    expect(page.locator(".st-key-method")).to_be_visible()
    train = page.get_by_role("button", name="Train", exact=True).bounding_box()
    assert 844 - 80 < train["y"] + train["height"] <= 844


def test_a_phone_has_five_formulas_on_one_screen_and_what_bends_them_in_sight(reader, address):
    page = reader(390, 844)
    five = "".join(f"&functions={name}" for name in ("IG", "GR", "RF", "ConfWeight", "GSS"))
    page.goto(f"{address}/workbench?dataset=synthetic&run=formulas{five}")
    wait_for_surface(page)
    settle(page)
    scenes = page.evaluate("""() => Object.entries(document.querySelector('.ltw-plot')._fullLayout)
        .filter(([name]) => /^scene\\d*$/.test(name)).map(([, scene]) => scene.domain.x[1] - scene.domain.x[0])""")
    assert len(scenes) == 5 and min(scenes) > 0.45  # in two columns
    assert page.locator(".ltw-plot").first.bounding_box()["height"] < 844
    prevalence = page.locator(".st-key-p").bounding_box()
    assert prevalence["y"] > 844 - 100 and prevalence["y"] + prevalence["height"] <= 844


@pytest.mark.parametrize("former", MOVED)
def test_a_former_address_opens_the_same_view(reader, address, former):
    view, part = MOVED[former]
    page = reader()
    page.goto(f"{address}/{former}&dataset=synthetic")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Workbench:")
    settle(page)
    expect(page.get_by_role("radio", name=view, exact=True)).to_be_checked()
    assert part in page.url and "/workbench" in page.url


def test_the_place_that_three_surfaces_leave_opens_the_list_of_what_to_compare(reader, address):
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&beside=CHI2&beside=RF")
    wait_for_surface(page)
    settle(page)
    place = page.get_by_role("button", name="Compare with another", exact=False)
    expect(place).to_be_visible()
    box, stage = place.bounding_box(), page.locator(".st-key-stage").bounding_box()
    assert box["x"] > stage["x"] + stage["width"] / 2 and box["x"] + box["width"] <= stage["x"] + stage["width"]
    place.click()
    page.get_by_role("option", name="IG", exact=True).click()
    settle(page)
    expect(place).to_have_count(0)  # four have no place left
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&beside=CHI2&beside=GR&beside=IG&beside=RF")
    wait_for_surface(page)
    settle(page)
    scale = page.locator(".st-key-stage .infolayer .colorbar").bounding_box()
    assert place.bounding_box()["y"] > scale["y"] + scale["height"]  # which stands in the place that five leave


BEGINS = """() => {
  const named = (name) => [...document.querySelectorAll('.ltw-plot')].find((node) => node.ltw?.name === name);
  const [curves, bars] = ['time_curves', 'time_terms'].map((name) => named(name).getBoundingClientRect().left);
  return [curves, bars, named('time_curves')._fullLayout.xaxis._offset];
}"""


def test_what_belongs_together_begins_at_one_height(reader, address):
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&view=Film")
    nodes = "[...document.querySelectorAll('.ltw-plot')]"
    named = f"(name) => {nodes}.some((node) => node.ltw?.name === name && node._fullLayout?.xaxis)"
    page.wait_for_function(f"() => ['time_curves', 'time_terms'].every({named})", timeout=90_000)
    settle(page)
    curves, bars, numbers = page.evaluate(BEGINS)
    assert abs(curves - bars) < 5 and 30 < numbers < 60  # as beside the surface
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&view=Likeness")
    page.wait_for_selector(".st-key-part_row")
    settle(page)
    asked, beside = (page.locator(name).bounding_box()["y"] for name in (".st-key-part_row", ".st-key-inspector"))
    assert abs(asked - beside) < 1


def test_a_figure_that_is_drawn_anew_styles_itself_and_not_the_page(reader, address):
    """As the browser tells: of how many elements it computes the styles at each text that plotly measures."""
    page = reader()
    page.goto(f"{address}/workbench?dataset=synthetic&run=example")
    wait_for_surface(page)
    for width in (1440, 800, 390):
        page.set_viewport_size({"width": width, "height": 900})
        settle(page)
        page.wait_for_function(IDLE)
        page.context.browser.start_tracing(page=page, categories=["devtools.timeline"])
        surface(page, REDRAWN)
        told = json.loads(page.context.browser.stop_tracing())["traceEvents"]
        styled = [event["args"].get("elementCount", 0) for event in told if event["name"] == "UpdateLayoutTree"]
        everything = page.evaluate("() => document.querySelectorAll('*').length")
        assert styled and sum(styled) / len(styled) < everything / 3, (width, styled)
