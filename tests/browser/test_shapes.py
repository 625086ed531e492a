"""The views of the Workbench in Chromium: a term that is clicked is selected everywhere; a film moves in place."""

import re

import pytest

from tests.browser.conftest import CAMERA, HEIGHTS, IDLE, expect, go, open_view, settle, surface, wait_for_surface

NODE = "[...document.querySelectorAll('.ltw-plot')].find(node => node.ltw && node.ltw.name === '{}')"
BESIDE = "&beside=χ²&beside=GR&beside=IG&beside=RF"
DRAWN = "() => {{ const node = {}; return node && node._fullData && !node.ltw.drawing; }}"
# screen position of the term that lies furthest from all others in the first panel, so that a click meets no other
ALONE = """() => {{
  const node = {}, trace = node._fullData.find(t => t.name === 'terms'), box = node.getBoundingClientRect();
  const x = node._fullLayout.xaxis, y = node._fullLayout.yaxis;
  const at = Array.from(trace.x, (u, i) => [x._offset + x.l2p(u), y._offset + y.l2p(trace.y[i])]);
  let best = 0, room = -1;
  at.forEach(([a, b], i) => {{
    if (trace.text[i].includes(',')) return;
    const near = Math.min(...at.map(([c, d], j) => i === j ? 1e9 : Math.hypot(a - c, b - d)));
    if (near > room) {{ room = near; best = i; }}
  }});
  return {{ x: box.left + at[best][0], y: box.top + at[best][1], term: trace.text[best] }};
}}"""


def node(name):
    return NODE.format(name)


def wait_for_plot(page, name):
    page.wait_for_function(DRAWN.format(node(name)))


MARKED = """node => node._fullData.filter(t => t.name === 'selected').reduce((sum, t) => sum + t.x.length, 0) +
  Object.keys(node._fullLayout).filter(name => /^scene\\d*$/.test(name))
    .flatMap(name => node._fullLayout[name].annotations).filter(note => note.text === '●').length"""


def marked(page, name):
    """How many points the figure marks as selected."""
    return page.evaluate(f"() => ({MARKED})({node(name)})")


@pytest.fixture
def shapes(page, address):
    """A function that opens a view by its link, four formulas beside what ships."""

    def open_link(view="Surface"):
        page.goto(f"{address}/workbench?dataset=synthetic&run=example&view={view}{BESIDE}")
        return page

    return open_link


DRAWN_AREA = """node => {
  const { width, _size: { w, h } } = node._fullLayout;
  const bar = node.querySelector('g.colorbar').getBoundingClientRect(), box = node.getBoundingClientRect();
  return { page: node.offsetWidth, width, w, h, ticks: node.querySelectorAll('g.colorbar :is(.xtick, .ytick)').length,
           inside: bar.bottom <= box.bottom + 1 && bar.right <= box.right + 1 };
}"""


def test_documents_open_over_the_foot_of_a_narrow_page_whose_picture_keeps_its_room(reader, address):
    page = reader(800, 1100)
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&view=Map")
    wait_for_plot(page, "stage_map")
    settle(page)
    area = lambda: page.evaluate(f"() => ({DRAWN_AREA})({node('stage_map')})")  # noqa: E731
    first = area()
    point = page.evaluate(ALONE.format(node("stage_map")))
    page.mouse.click(point["x"], point["y"])
    expect(page.locator(".st-key-drawer")).to_be_visible()
    settle(page)
    wait_for_plot(page, "stage_map")
    drawer = page.locator(".st-key-drawer").bounding_box()
    assert abs(drawer["y"] + drawer["height"] - 1100) <= 1 and drawer["y"] > 500, drawer
    parts = ("h2", ".st-key-drawer_close button", ".st-key-shape_terms [role=group]")
    heading, close, field = (page.locator(f".st-key-drawer {part}").first.bounding_box() for part in parts)
    assert close["y"] < heading["y"] + heading["height"] and close["y"] + close["height"] < field["y"], (close, field)
    assert heading["y"] + heading["height"] <= field["y"], (heading, field)
    beside = area()
    assert beside["inside"] and {**beside, "h": 0} == {**first, "h": 0}, (beside, first)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".st-key-drawer")).to_have_count(0)
    settle(page)
    wait_for_plot(page, "stage_map")
    assert area() == first  # the scale of colours has its ticks once


def test_documents_stay_beside_what_is_read_further_down_a_wide_page(reader, address):
    page = reader(1440, 900)
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&terms=freq001&drawer=open")
    wait_for_plot(page, "live_surface")
    settle(page)
    drawer = page.locator(".st-key-drawer")
    box = drawer.bounding_box()
    assert 850 < box["y"] + box["height"] <= 900, box
    page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 200)")
    page.wait_for_timeout(300)
    moved = drawer.bounding_box()
    assert 0 <= moved["y"] < 30 and moved["height"] > box["height"] + 100, moved


def test_a_click_in_the_map_selects_a_term_in_every_view(shapes):
    page = shapes("Map")
    wait_for_plot(page, "stage_map")
    assert marked(page, "stage_map") == 0
    settle(page)  # the page may be drawn anew while its baselines come; a click meanwhile may be lost
    point = page.evaluate(ALONE.format(node("stage_map")))
    page.mouse.click(point["x"], point["y"])
    term = point["term"]
    page.wait_for_url(f"**terms={term}*")

    # its documents open in a drawer beside the picture, the term marked among the words, under two weightings
    expect(page.get_by_role("heading", name=f"Documents that hold “{term}”")).to_be_visible()
    expect(page.locator(".ltw-reading .chosen").first).to_have_text(re.compile(f"^{term}$", re.I))
    expect(page.locator(".ltw-reading.text")).to_have_count(2)
    drawer = page.locator(".st-key-drawer").bounding_box()
    for name in ("settings", "compare", "stage", "numbers"):  # which it leaves in sight
        box = page.locator(f".st-key-{name}").first.bounding_box()
        beside = box["x"] + box["width"] <= drawer["x"] + 1
        assert beside or box["y"] + box["height"] <= drawer["y"] or box["y"] >= drawer["y"] + drawer["height"], name

    # all five surfaces and all five maps mark it, and the list above has it
    for name, view in (("stage_map", "Map"), ("live_surface", "Surface")):
        open_view(page, view)
        wait_for_plot(page, name)
        page.wait_for_function(f"() => ({MARKED})({node(name)}) === 5")
    expect(page.get_by_test_id("stMultiSelect").filter(has_text="Selected terms")).to_contain_text(term)

    for view, plot in (("Likeness", "shapes_residual"), ("Film", "time_surface")):
        open_view(page, view)
        if plot == "shapes_residual":
            page.get_by_text("What the formula does not explain").click()
        wait_for_plot(page, plot)
        assert marked(page, plot) == 1
    open_view(page, "Ranks")
    page.get_by_role("radio", name="The selected terms").or_(page.get_by_text("The selected terms")).first.click()
    wait_for_plot(page, "shapes_ranks")
    page.wait_for_function(f"term => {node('shapes_ranks')}._fullData.some(t => t.name === term)", arg=term)

    # and on another page
    go(page, "Data")
    wait_for_plot(page, "term_map")
    assert marked(page, "term_map") == 1
    assert f"terms={term}" in page.url


def test_the_time_machine_moves_in_place_and_keeps_the_camera(shapes):
    page = shapes("Film")
    for name in ("time_surface", "time_curves", "time_terms"):
        wait_for_plot(page, name)
    slider = page.locator(".ltw-timeline input")
    expect(page.locator(".ltw-timeline output")).to_contain_text("kept")
    page.wait_for_function(IDLE)
    surface(page, "node.mark = 'same node'")
    frame = page.locator(".ltw-plot").first.bounding_box()
    # Play is below the picture, which is where that of every other view is
    assert frame["y"] == pytest.approx(page.locator(".st-key-stage").bounding_box()["y"], abs=4)
    page.mouse.move(frame["x"] + 250, frame["y"] + 300)
    page.mouse.down()
    page.mouse.move(frame["x"] + 330, frame["y"] + 300, steps=4)
    page.mouse.up()
    page.wait_for_timeout(500)
    page.wait_for_function(IDLE)
    camera, heights = surface(page, CAMERA), surface(page, HEIGHTS)
    curves = f"() => {node('time_curves')}._fullData.filter(t => t.name === 'step').map(t => t.x[0])"
    before = page.evaluate(curves)

    slider.evaluate("input => { input.value = 0; input.dispatchEvent(new Event('input')); }")
    expect(page.locator(".ltw-timeline output")).to_contain_text("step 100 ·")
    page.wait_for_function(f"() => {node('time_curves')}._fullData.find(t => t.name === 'step').x[0] === 100")
    page.wait_for_function(IDLE)
    assert before[0] == before[1] > 100
    assert surface(page, HEIGHTS) != heights
    assert surface(page, "node.mark") == "same node"
    assert surface(page, CAMERA) == pytest.approx(camera, abs=1e-6)

    page.locator(".ltw-timeline button").click()
    page.wait_for_function("() => Number(document.querySelector('.ltw-timeline').dataset.step) > 400")
    page.locator(".ltw-timeline button").click()
    page.wait_for_function(IDLE)
    assert surface(page, "node.mark") == "same node"
    assert surface(page, CAMERA) == pytest.approx(camera, abs=1e-6)


def test_a_laptop_beside_its_menu_has_the_pictures_of_a_wide_page(page, address):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{address}/workbench?dataset=synthetic&run=formulas&view=Map")
    wait_for_plot(page, "functions_2d")
    figure = node("functions_2d")
    assert page.evaluate(f"() => {figure}.parentElement.clientWidth") < 700
    assert page.evaluate(f"() => {figure}._fullLayout.xaxis2.domain[0]") > 0.4  # two columns
    open_view(page, "Surface")
    wait_for_plot(page, "functions_3d")
    assert page.evaluate(f"() => {node('functions_3d')}._fullLayout.scene2.domain.x[0]") > 0.4
    open_view(page, "Map")
    wait_for_plot(page, "functions_2d")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"() => {figure}._fullLayout.width < 400")


def test_a_narrow_page_keeps_its_columns_when_the_figure_changes(page, shapes):
    page.set_viewport_size({"width": 560, "height": 900})
    shapes()
    wait_for_surface(page)
    figure = node("live_surface")
    layout = (
        f"() => {{ const all = {figure}._fullLayout; return ['scene', 'scene2', 'scene5'].map(s => all[s].domain); }}"
    )
    before, drawn = page.evaluate(layout), page.evaluate(f"() => Number({figure}.dataset.draws)")
    assert before[0]["x"] == before[2]["x"] and before[0]["x"][1] <= before[1]["x"][0]  # two columns, three rows
    assert before[0]["y"] == before[1]["y"] and before[1]["y"][0] > before[2]["y"][1]
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Linear", exact=True).click()
    page.wait_for_function(f"drawn => Number({figure}.dataset.draws) > drawn", arg=drawn)
    page.wait_for_function(DRAWN.format(figure))
    assert page.evaluate(layout) == before
