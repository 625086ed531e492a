"""A touch phone in Chromium: its menu goes when a class is chosen, no toolbar lies over a figure."""

import contextlib
import itertools
import re

from tests.browser.conftest import (
    CAMERA,
    SURFACE,
    PlaywrightTimeout,
    expect,
    press,
    settle,
    surface,
    wait_for_surface,
)

ELEVATION = """(() => {
  const { eye, center } = node._fullLayout.scene._scene.getCamera();
  const [x, y, z] = ["x", "y", "z"].map((axis) => eye[axis] - center[axis]);
  return (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI;
})()"""  # degrees

ACTIONS = ".st-key-actions"
EDGES = (".st-key-view [role=radiogroup]", ".ltw-tail summary")
FOLDED = "() => document.querySelector('[data-testid=stSidebar]').dataset.collapsed === 'true'"
LOW = """(place) => {
  const node = document.querySelector(place), height = node ? node.getBoundingClientRect().height : 0;
  return height > 0 && height < 130;
}"""  # of a sheet; it may be drawn anew while its numbers come


def test_the_menu_of_a_phone_folds_after_a_class_is_chosen_and_not_after_a_dataset(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/data?dataset=synthetic")
    settle(page)
    page.get_by_test_id("stExpandSidebarButton").tap()
    page.get_by_role("button", name="Glossary").tap()
    assert page.locator(".ltw-glossary").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    page.get_by_role("button", name="Close", exact=True).tap()
    page.wait_for_function(FOLDED)  # the page is there again
    page.get_by_test_id("stExpandSidebarButton").tap()
    expect(page.get_by_role("button", name="Glossary")).to_be_in_viewport(ratio=1)
    for of, option in (("Dataset", "Python docstrings"), ("Class", "scipy.signal")):
        assert not page.evaluate(FOLDED)
        page.get_by_role("combobox", name=of, exact=True).tap()
        page.get_by_role("option", name=re.compile(re.escape(option))).tap()
        settle(page)
    page.wait_for_function(FOLDED)
    assert "scipy.signal" in page.url


def test_a_tap_beside_the_open_menu_of_a_phone_folds_it_and_does_nothing_else(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/data?dataset=synthetic")
    settle(page)
    page.get_by_test_id("stExpandSidebarButton").tap()
    page.wait_for_function(FOLDED.replace("===", "!=="))
    before = page.url
    page.touchscreen.tap(380, 500)
    page.wait_for_function(FOLDED)
    assert page.url == before


def test_a_tap_on_an_underlined_word_says_what_it_means(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic")
    settle(page)
    word, meaning = page.locator("[data-testid=stMain] abbr").first, page.locator(".ltw-meaning")
    for _ in range(6):  # a tap on what is being put up anew is lost
        word.tap()
        with contextlib.suppress(PlaywrightTimeout):
            meaning.wait_for(timeout=10_000)
            break
    expect(meaning).to_be_visible()
    page.locator("h1").first.tap()
    expect(page.locator(".ltw-meaning")).to_be_hidden()


def test_a_phone_has_no_toolbar_over_a_surface_and_puts_it_back(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    back, first = page.get_by_role("button", name="reset view"), surface(page, CAMERA)
    expect(back).to_have_count(0)
    page.get_by_role("button", name="Turn the surface", exact=True).tap()
    expect(page.locator(".st-key-stage .modebar").first).to_be_hidden()
    page.locator(".ltw-plot").first.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return {CAMERA} !== {first}; }}")
    back.tap()
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return Math.abs({CAMERA} - {first}) < 1e-6; }}")


def test_a_finger_sees_no_surface_from_below_and_finds_the_way_back_later(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    page.get_by_role("button", name="Turn the surface", exact=True).tap()
    finger, box = page.context.new_cdp_session(page), page.locator(".ltw-plot").first.bounding_box()
    for k, kind in enumerate(["touchStart", *["touchMove"] * 10, "touchEnd"]):  # 200 pixels up
        at = [] if kind == "touchEnd" else [{"x": 195, "y": box["y"] + 250 - 20 * k}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
        page.wait_for_timeout(30)
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return Math.abs({ELEVATION} - 5) < .1; }}")
    page.locator("h1").tap()
    expect(page.get_by_role("button", name="Turn the surface", exact=True)).to_have_text("Turn the surface")
    expect(page.get_by_role("button", name="reset view")).to_be_visible()


def test_the_settings_of_a_dark_phone_can_be_read_and_are_left_by_done(reader, address):
    page = reader(390, 844, touch=True)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    assert page.locator(".st-key-view [role=radiogroup]").bounding_box()["height"] < 2 * 44  # one row of views
    page.get_by_text("More", exact=True).tap()
    page.get_by_role("button", name="Settings").tap()
    sheet = page.get_by_test_id("stPopoverBody")
    expect(sheet.get_by_role("radio", name="Log", exact=True)).to_have_css("color", "rgb(233, 230, 225)")
    expect(sheet).to_have_css("box-shadow", "none")  # it would darken Done above it
    page.touchscreen.tap(350, sheet.bounding_box()["y"] - 20)
    expect(sheet).to_have_count(0)


def test_a_term_on_a_phone_is_told_of_below_the_figure_before_its_documents_are_asked_for(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&view=Map&terms=freq001&drawer=open")
    peek, sheet = page.locator(".st-key-peek"), page.locator(".st-key-drawer")
    settle(page)
    expect(peek).to_contain_text(re.compile(r"freq001.*LTW-L-I.*tpr .*fpr ", re.S))
    box, train = peek.bounding_box(), page.locator(".st-key-actions").bounding_box()
    assert box["height"] < 60 and abs(box["y"] + box["height"] - train["y"]) < 6, (box, train)  # one line above Train
    expect(sheet).to_be_hidden()
    peek.get_by_role("button", name="Read documents").tap()
    expect(sheet).to_be_visible()
    expect(peek).to_have_count(0)
    settle(page)
    sheet.evaluate("node => { node.scrollTop = 300; }")  # what leaves it and what turns its pages stay
    for name in ("Close", "Previous", "Next"):
        expect(sheet.get_by_role("button", name=name, exact=True)).to_be_in_viewport()


def test_a_phone_s_picture_begins_high_and_what_follows_it_is_folded_until_it_is_asked_for(reader, address):
    page = reader(390, 844, touch=True)
    for view, highest in (("Slice", 320), ("Likeness", 460)):
        page.goto(f"{address}/workbench?dataset=synthetic&run=example&view={view}")
        plot = page.locator(".st-key-stage .ltw-plot").first
        plot.locator(".main-svg").first.wait_for()
        settle(page)
        assert plot.bounding_box()["y"] < highest, view
        source, compare = (page.locator(place).bounding_box() for place in (".st-key-shape_source", ".st-key-compare"))
        assert abs(source["y"] - compare["y"]) <= 4 and source["x"] + source["width"] < compare["x"]  # in one row
    seed = page.locator(".st-key-seed")
    expect(seed).to_be_hidden()
    page.get_by_text("More", exact=True).tap()
    expect(seed).to_be_visible()


def test_a_phone_s_words_buttons_and_lists_have_one_left_and_one_right_edge(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    boxes = [page.locator(f"{place}:visible").first.bounding_box() for place in EDGES]
    for place, box in zip(EDGES, boxes, strict=True):
        assert abs(box["x"] - boxes[0]["x"]) <= 1 and abs(box["width"] - boxes[0]["width"]) <= 2, place
    said = page.locator(".ltw-plot").first.get_by_text("Pr(c)").bounding_box()
    assert abs(said["x"] - boxes[0]["x"]) <= 2


def test_a_study_s_table_begins_in_the_upper_half_of_a_phone(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/study?study=Tables")
    table = page.locator(".ltw-study").first
    expect(table).to_be_visible()
    settle(page)
    assert table.bounding_box()["y"] < 480
    assert table.evaluate("node => node.scrollWidth <= node.clientWidth")  # all classifiers are in sight
    cells, told = table.locator("td[data-said]"), page.locator(".ltw-cell-told").first
    cells.first.tap()
    expect(told).to_contain_text(re.compile(r"^Binary with SVM on Reuters-21578.*ours \.\d{4}"))
    expect(told).to_be_in_viewport()
    page.keyboard.press("ArrowDown")
    expect(told).to_contain_text(re.compile(r"^TF with SVM"))
    for name in ("Run a study",):  # the row of choices ends where the page does; that of views scrolls
        box = page.get_by_role("radio", name=name, exact=True).bounding_box()
        assert abs(box["x"] + box["width"] - 375) <= 1, (name, box)
    line = (page.get_by_role("radio", name="Macro F1"), page.locator(".st-key-study_corpus"))
    boxes = [each.bounding_box() for each in line]
    assert abs(boxes[0]["y"] - boxes[1]["y"]) < 8 and boxes[0]["x"] < boxes[1]["x"]  # one row, the measure first
    groups = page.locator(".st-key-study").bounding_box()["y"]
    table.locator("tbody tr").nth(8).evaluate("row => row.scrollIntoView()")
    parts = ("[data-testid=stHeader]", ".ltw-study thead th")  # the heads stay in sight, below the app's bar
    bar, head = (page.locator(part).first.bounding_box() for part in parts)
    assert abs(head["y"] - bar["y"] - bar["height"]) <= 1
    for view, highest in (("", 430), ("&study_classes=Looking+closer", 660)):
        page.goto(f"{address}/study?study=Classes{view}")
        plot = page.locator(".ltw-plot .main-svg").first
        expect(plot).to_be_visible()
        settle(page)
        assert plot.bounding_box()["y"] < highest, view
        assert page.locator(".st-key-study").bounding_box()["y"] == groups  # nothing jumps when another is chosen
    page.goto(f"{address}/study?study=Run+a+study")
    chips = page.get_by_test_id("stMultiSelectTagsContainer")
    expect(chips.first).to_be_visible()
    settle(page)
    assert all(box.evaluate("node => node.scrollWidth <= node.clientWidth") for box in chips.all())
    label = page.get_by_test_id("stMultiSelect").first.get_by_test_id("stWidgetLabel")
    name, mark = (label.locator(part).first.bounding_box() for part in ("p", "svg"))
    assert 0 < mark["x"] - name["x"] - name["width"] < 12  # what explains it stands behind its name


def test_a_phone_shows_a_study_s_short_tables_whole(reader, address):
    page = reader(390, 844, touch=True)
    for view in ("Against TFRF", "One formula", "One network", "Averaged runs", "Alignment"):
        page.goto(f"{address}/study?study=Beyond+the+paper&study_beyond={view.replace(' ', '+')}")
        if view == "Against TFRF":  # its figure has the numbers
            page.get_by_text("Better and worse, by how much").tap()
        table = page.locator(".ltw-study.list").first
        expect(table).to_be_visible()
        settle(page)
        assert table.evaluate("node => node.scrollWidth <= node.clientWidth"), view
        ends = "nodes => nodes.map(node => node.getBoundingClientRect().right)"  # at one moment
        ends = page.locator(".st-key-study_beyond [role=radiogroup] button").evaluate_all(ends)
        assert len(ends) == 5 and max(ends) <= 390, view  # in sight without a swipe


def test_a_document_stands_below_what_is_asked_of_documents_and_above_their_list_on_a_phone(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/data?dataset=synthetic&section=Documents")
    settle(page)
    parts = [".st-key-doc_filters", ".st-key-doc_line", ".st-key-doc_texts", "[data-testid=stDataFrame]"]
    page.wait_for_selector(parts[-1])
    boxes = "parts => parts.map(part => document.querySelector(part).getBoundingClientRect().toJSON())"  # at one moment
    ends = [(box["top"], box["bottom"]) for box in page.evaluate(boxes, parts)]
    assert all(one[1] <= other[0] for one, other in itertools.pairwise(ends))
    assert ends[0][1] - ends[0][0] < 60  # one row
    rows = page.locator(".st-key-section [role=radiogroup], .st-key-doc_steps").all()
    assert {round(row.bounding_box()["width"]) for row in rows} == {360}  # each ends where the page does
    which = page.locator(".st-key-doc_kind")
    expect(which).to_be_hidden()
    page.get_by_text("Filter", exact=True).tap()
    expect(which).to_be_visible()


def test_downloads_and_runs_are_folded_below_a_narrow_page_s_pictures(reader, address):
    page = reader(800, 1000)
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&view=Ranks")
    page.locator(".st-key-stage .ltw-plot .main-svg").first.wait_for()
    settle(page)
    runs = page.locator(".st-key-history")
    expect(runs).to_be_hidden()
    page.get_by_text("Keep and export").click()
    expect(runs).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav")).not_to_be_in_viewport()
    page.get_by_test_id("stExpandSidebarButton").click()  # hidden until it is folded, and not longer
    expect(page.get_by_test_id("stSidebarNav")).to_be_in_viewport()


def test_a_phone_shows_two_surfaces_beside_each_other_and_pause_in_the_place_of_train(reader, address):
    page = reader(390, 844, touch=True)
    page.goto(f"{address}/workbench?dataset=synthetic&run=example&beside=IDF+%28BM25%29")
    wait_for_surface(page)
    settle(page)
    scenes = surface(
        page,
        """Object.entries(node._fullLayout).filter(([name]) => /^scene\\d*$/.test(name))
        .map(([, { domain }]) => domain.x[1] - domain.x[0])""",
    )
    assert len(scenes) == 2 and min(scenes) > 0.45
    seen = page.locator(".st-key-stage .ltw-plot").first.bounding_box()  # with the scale of their colours below them
    assert seen["y"] + seen["height"] <= page.locator(ACTIONS).bounding_box()["y"]  # whole above Train
    chip, field = (page.locator(f".st-key-compare {part}").first for part in ("[data-tag]", "[role=group]:has(input)"))
    name, box = chip.bounding_box(), field.bounding_box()
    assert box["height"] <= 46 and abs(2 * name["y"] + name["height"] - 2 * box["y"] - box["height"]) <= 6
    assert chip.locator("span").first.evaluate("node => node.scrollWidth <= node.clientWidth")
    page.goto(f"{address}/workbench?dataset=synthetic")
    wait_for_surface(page)
    settle(page)
    pause = page.locator(ACTIONS).get_by_role("button", name=re.compile("Pause|Resume"))
    press(page, "Next validation", pause)
    expect(page.locator(".st-key-train")).to_be_hidden()
    assert pause.bounding_box()["width"] > 160
