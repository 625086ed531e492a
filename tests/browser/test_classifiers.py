"""The classifiers page in Chromium: cells are computed, a click in the heat map opens one, others find them."""

import re
from pathlib import Path

import pytest

from tests.browser.conftest import expect, settle

HEATMAP = "[...document.querySelectorAll('.ltw-plot')].find(n => n._fullData?.[0]?.type === 'heatmap')"
LINK = "dataset=synthetic&utw=LogTFIDF&stw=TFRF&ltw=LTW-L-I&learners=SVM&learners=LR"


def click_cell(page, row, column):
    """Click a cell of the heat map that is there."""
    page.evaluate(f"() => {HEATMAP}.scrollIntoView({{ block: 'center' }})")
    box = page.evaluate(
        f"""() => {{ const n = {HEATMAP}, {{ xaxis, yaxis }} = n._fullLayout, at = n.getBoundingClientRect();
        return {{ x: at.x + xaxis._offset + xaxis.d2p({column}), y: at.y + yaxis._offset + yaxis.d2p({row}) }}; }}"""
    )
    page.mouse.move(box["x"], box["y"])
    page.mouse.click(box["x"], box["y"])


def test_a_cell_is_computed_opened_and_compared(reader, address):
    page = reader()
    page.goto(f"{address}/classifiers?{LINK}")
    settle(page)  # a click while the page is still put up is lost
    page.get_by_role("button", name=re.compile(r"Compute \d+ (F1 scores|more)")).click()  # some may be known
    expect(page.get_by_role("button", name="All 6 F1 scores known")).to_be_visible()
    page.wait_for_function(
        f"() => {{ const n = {HEATMAP}; return n && n._fullData[0].z.flat().every(Number.isFinite); }}"
    )

    # what a cell opens lies below the heat map and its line of words, the numbers behind it come last
    opened = page.get_by_role("heading", name="What a classifier decided").bounding_box()["y"]
    assert opened - page.evaluate(f"() => {HEATMAP}.getBoundingClientRect().bottom") < 90
    assert page.get_by_text("All F1 scores with intervals").bounding_box()["y"] > opened

    scores = page.evaluate(f"() => {HEATMAP}._fullData[0].customdata.flat().map(c => [Number(c[4]), c[1], c[3]])")
    chosen = [page.get_by_role("combobox", name=name, exact=True) for name in ("Weighting shown", "Classifier shown")]
    assert ["LTW-L-I", "SVM"] in [score[1:] for score in scores]
    for box, name in zip(chosen, ("LTW-L-I", "SVM"), strict=True):  # what the headline is about is what is open
        expect(box).to_have_value(name)

    click_cell(page, 1, 1)
    expect(page.get_by_role("combobox", name="Weighting shown", exact=True)).to_have_value("TFRF")
    expect(page.get_by_role("combobox", name="Classifier shown", exact=True)).to_have_value("LR")

    page.get_by_role("button", name="true positives").click()
    expect(page.get_by_text("most confident decision first")).to_be_visible()
    expect(page.get_by_text("Largest contributions:")).to_be_visible()
    assert page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollHeight") < 1400

    page.get_by_text("Precision and recall", exact=True).click()
    page.get_by_role("slider", name="Threshold").focus()
    tried = page.get_by_test_id("stTable").locator("th").nth(2)
    before = tried.inner_text()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(tried).not_to_have_text(before)

    page.get_by_text("Two weightings", exact=True).click()
    expect(page.get_by_text("McNemar").first).to_be_visible()

    # somebody else finds the cells, on a phone with the key to their colours whole
    other = reader(390)
    other.goto(f"{address}/classifiers?{LINK}")
    expect(other.get_by_role("button", name="All 6 F1 scores known")).to_be_visible()
    key = other.get_by_text("F1 against the best of the column")
    expect(key).to_be_visible()
    assert key.evaluate("node => node.scrollWidth <= node.clientWidth && node.getBoundingClientRect().right <= 390")
    settle(other)
    # chosen low in the window, what it shows is scrolled into sight
    other.evaluate("() => document.querySelector('.st-key-look').scrollIntoView({ block: 'end' })")
    other.get_by_text("Two weightings", exact=True).click()
    other.wait_for_function("() => document.querySelector('.st-key-look').getBoundingClientRect().top < 120")


@pytest.mark.parametrize("width", [1440, 390])
def test_a_cell_of_the_confusion_of_all_classes_opens_its_documents(reader, address, width):
    page = reader(width)
    page.goto(f"{address}/classifiers?dataset=pydocs&scope=all&all_weightings=TFRF&all_map=all")
    known = page.get_by_role("button", name="All 1 combination known")
    asked = page.get_by_role("button", name="Compute TFRF with SVM on all classes")
    expect(known.or_(asked)).to_be_visible()
    if asked.is_visible():
        asked.click()
    expect(known).to_be_visible()
    page.wait_for_function(f"() => {HEATMAP}")
    settle(page)
    title = page.evaluate(f"() => {HEATMAP}._fullData[0].customdata[4][4][1]")
    name = re.match("true <b>(.*?)</b>", title)[1]
    click_cell(page, 4, 4)
    expect(page.get_by_role("heading", name=f"{name}, predicted {name}", exact=True)).to_be_visible()
    expect(page.get_by_role("combobox", name="True class", exact=True)).to_have_value(name)
    expect(page.get_by_role("combobox", name="Decision", exact=True)).to_have_value(name)
    expect(page.get_by_text("Test document", exact=False).first).to_be_visible()
    expect(page.get_by_text("Largest contributions:")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    if width == 1440:  # what is chosen stands in one line
        line = [page.get_by_role("button", name=name) for name in ("Weightings", "Classifiers", "All 1 combination")]
        assert len({round(button.bounding_box()["y"]) for button in line}) == 1
    classes = page.evaluate(f"() => {HEATMAP}._fullData[0].z.length")
    for button, lines in (("Confusion (CSV)", classes + 1), ("Classes (CSV)", classes + 1), ("Results (CSV)", 2)):
        with page.expect_download() as saved:
            page.get_by_role("button", name=button).click()
        assert len(Path(saved.value.path()).read_text("utf-8").splitlines()) == lines
    # of a text that is seen whole nothing says that it begins further down, which would cover its only line
    page.add_style_tag(content=".ltw-reading.text { white-space: nowrap !important; max-height: none !important; }")
    text = page.locator(".ltw-reading.text").first
    page.wait_for_function("node => node.clientHeight < 70", arg=text.element_handle())
    page.wait_for_timeout(200)
    assert "later" not in text.get_attribute("class").split()
