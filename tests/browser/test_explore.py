"""The explore pages in Chromium: from a point of the term map to a document, a large map that pans, markup as text."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ltw_core.settings import data_dir
from tests.browser.conftest import RESTS, expect, go, settle, wait_for_surface

ARCHIVE = Path(data_dir()) / "reuters21578.tar.gz"
MAP = "[...document.querySelectorAll('.ltw-plot')].find(node => node.ltw && node.ltw.name === 'term_map')"
DRAWN = f"() => {{ const node = {MAP}; return node && node._fullData && !node.ltw.drawing; }}"
# the point that is farthest from its nearest neighbour: a click on it can mean no other
LONELY = f"""() => {{
  const node = {MAP}, trace = node._fullData.find(t => t.name === 'terms'), layout = node._fullLayout;
  const pixels = [...trace.x.keys()].map(i => [layout.xaxis.d2p(trace.x[i]), layout.yaxis.d2p(trace.y[i])]);
  const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  const lonely = pixels.map((a, i) => Math.min(...pixels.filter((_, j) => j !== i).map(b => distance(a, b))));
  const best = lonely.indexOf(Math.max(...lonely)), box = node.getBoundingClientRect();
  return {{
    x: box.left + layout.xaxis._offset + pixels[best][0],
    y: box.top + layout.yaxis._offset + pixels[best][1],
    text: trace.text[best],
  }};
}}"""
FRAMES = f"""() => {{
  const node = {MAP};
  window.frames_ = {{ times: [], draws: node.dataset.draws, left: node._fullLayout.xaxis.range[0] }};
  const tick = now => {{ window.frames_.times.push(now); if (!window.frames_.end) requestAnimationFrame(tick); }};
  requestAnimationFrame(tick);
}}"""
PANNED = f"""() => {{
  const node = {MAP}, seen = window.frames_;
  const gaps = seen.times.slice(1).map((t, i) => t - seen.times[i]).sort((a, b) => a - b);
  return {{
    median: gaps[Math.floor(gaps.length / 2)],
    longest: gaps.at(-1),
    count: gaps.length,
    draws: node.dataset.draws - seen.draws,
    moved: node._fullLayout.xaxis.range[0] - seen.left,
    points: node._fullData.find(t => t.name === 'terms').x.length,
  }};
}}"""


def corpus_page(page, address, selection="dataset=synthetic"):
    page.goto(f"{address}/corpus?{selection}")
    expect(page.get_by_role("heading", name="Data: ")).to_be_visible()


def bring(page, name, content):
    """Drop a file. One in the place of another first takes the questions, and what was answered, off the page."""
    settle(page)
    if not page.get_by_test_id("stFileUploaderDropzone").first.is_visible():
        page.get_by_text("Bring your own").click()
    chooser = page.get_by_test_id("stFileUploaderDropzoneInput").first
    chooser.set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})
    page.wait_for_timeout(700)
    page.wait_for_function(RESTS)


def section(page, name):
    page.get_by_role("radio", name=name, exact=True).click()


def test_from_a_point_of_the_map_to_its_documents(page, address):
    corpus_page(page, address)
    page.wait_for_function(DRAWN)
    controls, drawn = (page.locator(f".st-key-{key}").bounding_box() for key in ("map_controls", "term_map"))
    assert controls["height"] < 60 and drawn["width"] >= controls["width"]  # one row above a map of the page's width
    page.locator(".st-key-term_map").scroll_into_view_if_needed()
    page.wait_for_timeout(800)
    point = page.evaluate(LONELY)
    page.mouse.move(point["x"] + 2, point["y"] + 1)
    page.mouse.move(point["x"], point["y"])
    page.wait_for_timeout(300)
    page.mouse.click(point["x"], point["y"])
    page.wait_for_url("**terms=*")
    term = page.url.split("terms=")[1].split("&")[0]
    assert term in point["text"]
    expect(page.get_by_text("Choose a line to read its document").first).to_be_visible()
    line = page.locator(".ltw-reading .line").first
    expect(line.locator(".hit")).to_have_text(term)
    line.click()
    expect(page.get_by_text("true labels:").first).to_be_visible()
    expect(page.locator(".ltw-reading.text .chosen").first).to_have_text(term)
    texts = page.locator(".ltw-reading.text")
    expect(texts).to_have_count(2)  # under two weightings, side by side
    assert texts.first.bounding_box()["y"] == texts.last.bounding_box()["y"]
    page.add_style_tag(content=".ltw-reading.text { max-height: 60px !important; }")
    for one, other in ((texts.last, texts.first), (texts.first, texts.last)):
        place = 5 + one.evaluate("node => node.scrollTop")
        one.evaluate("(node, place) => { node.scrollTop = place; }", place)
        expect(other).to_have_js_property("scrollTop", place)  # they scroll together
    assert "section=Documents" in page.url
    section(page, "Table")
    expect(page.get_by_role("button", name="Terms (CSV)")).to_be_visible()


@pytest.mark.skipif(not ARCHIVE.exists(), reason="the archive of Reuters-21578 is not in LTW_DATA")
def test_a_map_of_all_terms_of_reuters_pans_without_lag(page, address):
    corpus_page(page, address, "dataset=reuters21578&class=corn")
    page.get_by_text("All of them", exact=True).click()
    all_there = "node.nextElementSibling.textContent.includes('28,761 terms')"
    page.wait_for_function(f"() => {{ const node = {MAP}; return node && {all_there}; }}")
    page.wait_for_function(DRAWN)
    page.locator(".st-key-term_map").scroll_into_view_if_needed()
    page.wait_for_timeout(2_000)
    box = page.locator(".st-key-term_map .ltw-plot").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(FRAMES)
    for step in range(60):
        page.mouse.move(x + 3 * step, y + step)
    found = page.evaluate(PANNED)  # while the button is still down: it moves with the pointer
    page.evaluate("() => { window.frames_.end = true; }")
    page.mouse.up()
    assert found["moved"] < 0 and found["points"] > 1_000  # places, each of one term or several
    assert found["draws"] == 0  # the browser alone moves it, no round to the server
    anew = page.evaluate(
        f"() => {{ const t = performance.now(); return Plotly.redraw({MAP}).then(() => performance.now() - t); }}"
    )
    print(f"{found['median']:.0f} ms a frame, drawn anew in {anew:.0f} ms")
    assert found["median"] < max(60, anew / 4)  # milliseconds a frame; 17 on two busy cores that draw in software


def test_every_view_of_data_has_one_sentence_above_its_picture_or_table(page, address):
    page.context.clear_cookies(name="ltw_mode")  # Simple: what Full can choose stands above tables
    corpus_page(page, address)
    for name in ("Terms", "Table", "Documents", "Classes", "Collection"):
        section(page, name)
        settle(page)
        sentence = page.locator(".st-key-view_answer")
        first = page.locator(".ltw-plot, [data-testid=stDataFrame]").first
        expect(first).to_be_visible()
        assert sentence.bounding_box()["height"] <= 50 and len(sentence.inner_text()) > 40  # two lines
        assert first.bounding_box()["y"] <= {"Documents": 270, "Terms": 225}.get(name, 215), name


def test_the_way_back_to_a_lesson_is_read_whole(page, address):
    page.goto(f"{address}/lessons?dataset=synthetic&class=relevant&lesson=tpr-and-fpr&step=2")
    settle(page)
    go(page, "Data")
    back = page.get_by_role("link", name="Back to “Two numbers of a term, tpr and fpr”")
    page.wait_for_function("p => p.getBoundingClientRect().height > 30", arg=back.locator("p").element_handle())
    words, room = back.locator("p").bounding_box(), back.bounding_box()
    assert words["x"] + words["width"] <= room["x"] + room["width"]  # two lines
    go(page, "Classroom")
    expect(back).to_have_count(0)
    go(page, "Start")  # which was not opened from the lesson
    expect(back).to_have_count(0)


HOSTILE = '<img src=x onerror="window.hit=1">'


def hostile_table():
    """Markup and script in the headers, the texts and the labels."""
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow([f"text {HOSTILE}", f"label {HOSTILE}"])
    for number in range(120):
        words = "apples pears plums" if number % 2 else "hammers nails saws"
        label = f"{HOSTILE} **fruit** $x$" if number % 2 else "<script>window.hit=1</script>tools"
        writer.writerow(
            [f"{words} number{number} {HOSTILE} <script>window.hit=1</script> [a](javascript:hit=1)", label]
        )
    return stream.getvalue().encode()


def test_markup_in_an_uploaded_table_is_shown_as_text(page, address):
    corpus_page(page, address)
    bring(page, "Bad <b>Name</b>.csv", hostile_table())
    page.get_by_role("button", name="Read it").wait_for()
    expect(page.get_by_text("Show it to everyone")).to_have_count(0)  # this server's owner does not allow sharing
    page.get_by_role("button", name="Read it").click()
    page.wait_for_url("**dataset=own-*")
    expect(page.get_by_text("Read 120 documents").first).to_be_visible()
    expect(page.get_by_text(f"text {HOSTILE}").first).to_be_visible()  # the header, in the report
    expect(page.locator(".st-key-title")).to_contain_text("<")
    section(page, "Documents")
    expect(page.locator(".ltw-reading.text").first).to_contain_text(f"{HOSTILE} <script>window.hit=1</script>")
    for name in ("Terms", "Table", "Classes", "Collection"):
        section(page, name)
        page.wait_for_timeout(1_500)
    for name in ("Workbench", "Classifiers"):
        go(page, name)
        page.wait_for_timeout(2_500)
        assert page.locator('[data-testid="stException"]').count() == 0
    assert page.evaluate("() => window.hit === undefined && !document.querySelector('img[src=x]')")
    assert page.locator("main script, [data-testid=stMain] script").count() == 0


def test_an_uploaded_table_survives_a_dropped_connection_and_a_reload(page, address):
    sockets = []

    def connected(socket):
        sockets.append((socket, socket.connect_to_server()))

    page.route_web_socket(re.compile("_stcore/stream"), connected)
    corpus_page(page, address)
    rows = [f"apples pears plums {n},fruit\nhammers nails saws {n},tools" for n in range(30)]
    bring(page, "Mine.csv", "\n".join(["text,label", *rows]).encode())
    page.get_by_role("button", name="Read it").click()
    page.wait_for_url("**dataset=own-*upload=*")
    there = page.get_by_text("Read 60 documents").first
    expect(there).to_be_visible()
    settle(page)
    brought = page.url
    for side in sockets[-1]:
        side.close()
    for _ in range(200):  # the page connects again by itself
        page.wait_for_timeout(100)
        if len(sockets) > 1:
            break
    assert len(sockets) == 2
    settle(page)
    section(page, "Table")  # what is clicked then is answered, with the table
    expect(page.get_by_text("selected terms first, then by")).to_be_visible()
    assert page.url.partition("?")[0] == brought.partition("?")[0] and "dataset=own-" in page.url
    page.reload()
    expect(there).to_be_visible()
    settle(page)
    assert "dataset=own-" in page.url and "upload=" in page.url
    listed = page.get_by_test_id("stSidebar").get_by_role("combobox").first
    expect(listed).to_have_value("Mine.csv (yours)")


def test_a_file_that_cannot_be_read_is_named_as_it_is(page, address):
    corpus_page(page, address)
    bring(page, "garbage.csv", b"text,label\na,b\nc\n")
    expect(page.get_by_text("garbage.csv, row 3: 1 cell where the header has 2 columns")).to_be_visible()


def ink(page):
    """Which pixels of the first figure are dark and grey, as what is written is and surfaces are not."""
    page.wait_for_timeout(200)
    image = Image.open(io.BytesIO(page.locator(".ltw-plot[data-draws]").first.screenshot())).convert("RGB")
    colours = np.asarray(image, dtype=int)[60:]
    return (np.ptp(colours, axis=2) < 30) & (colours.mean(axis=2) < 140)


def overlap(one, other):
    """The share of one's ink that is within two pixels of the other's."""
    near = [np.roll(other, (down, right), (0, 1)) for down in range(-2, 3) for right in range(-2, 3)]
    return (one & np.any(near, axis=0)).sum() / one.sum()


GLIDED = "() => Number(document.querySelector('.ltw-plot[data-draws]')?.dataset.glided ?? 0)"


def test_surfaces_follow_the_thumb_while_it_is_held(page, address):
    page.goto(f"{address}/functions")
    wait_for_surface(page)
    settle(page)
    # the canvas that moves writes ticks and titles where plotly does: nothing jumps when either takes the other's place
    plotly = ink(page)
    page.evaluate("() => document.querySelector('.ltw-plot[data-draws]').ltwGlide({})")
    canvas = ink(page)
    page.evaluate("() => document.querySelector('.ltw-plot[data-draws]').ltwGlide(null)")
    assert min(overlap(plotly, canvas), overlap(canvas, plotly)) > 0.8
    groove = page.locator(".st-key-p [role=group]").bounding_box()
    y = groove["y"] + groove["height"] / 2
    value = page.locator(".st-key-p input[type=range]")
    first = int(value.input_value())
    page.mouse.move(groove["x"] + 0.3 * groove["width"], y)  # a hand comes near: the server sends what follows
    page.mouse.down()
    for _ in range(40):
        page.mouse.move(groove["x"] + 0.8 * groove["width"], y, steps=6)
        page.mouse.move(groove["x"] + 0.6 * groove["width"], y, steps=6)
        if page.evaluate(GLIDED) > 3:
            break
        page.wait_for_timeout(250)
    assert page.evaluate(GLIDED) > 3 and int(value.input_value()) != first  # still held: the server knows nothing yet
    page.mouse.up()
    page.wait_for_function("() => !document.querySelector('.ltw-glide')")  # plotly has drawn what the server sent
