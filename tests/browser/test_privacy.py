"""What a figure's mode bar offers: nothing that sends a reader's data out, and a link to what is seen."""

import re

from tests.browser.conftest import RESTS, go, settle

BUTTONS = "[...document.querySelectorAll('.modebar-btn')]"
DRAWN = "() => [...document.querySelectorAll('.ltw-plot')].some(node => node._fullLayout)"


STEP = "dataset=synthetic&class=relevant&lesson=tpr-and-fpr&step=4"  # with a figure
SCORES = "dataset=synthetic&class=other&learners=KNN"  # that no other test computes


def test_no_button_sends_a_chart_away(reader, address):
    page = reader()
    opened = []
    page.context.on("page", lambda other: opened.append(other.url))
    page.goto(address)
    for name in ("Start", "Data", "Workbench", "Studies", "Classifiers", "Classroom", "Lessons"):
        if name == "Classifiers":
            page.goto(f"{address}/classifiers?{SCORES}")
        elif name == "Lessons":
            page.goto(f"{address}/lessons?{STEP}")
        elif name != "Start":
            go(page, name)
        settle(page)
        if name == "Classifiers":  # its figure is empty before the first score
            page.get_by_role("button", name=re.compile("^Compute .* F1 scores")).click()
        if name == "Studies":  # its tables are no figures
            for view in ("Tables", "Ranks"):
                page.get_by_role("radio", name=view, exact=True).first.click()
        if name in ("Start", "Classroom"):  # nothing is drawn, or nothing by plotly, before one acts
            assert not page.evaluate(f"() => {BUTTONS}.length")
            continue
        page.wait_for_function(DRAWN)
        titles = page.evaluate(f"() => {BUTTONS}.map(button => button.dataset.title)")
        assert "Copy link to this view" in titles
        assert not [title for title in titles if "share" in title.lower() or "cloud" in title.lower()]
        # the fixture fails for requests outside; of pictures plotly makes one at a time
        page.evaluate(f"() => {BUTTONS}.filter(each => !/download/i.test(each.dataset.title)).forEach(e => e.click())")
        for kind, shift in (("png", "false"), ("svg", "true")):
            click = f"dispatchEvent(new MouseEvent('click', {{ bubbles: true, shiftKey: {shift} }}))"
            with page.expect_download() as download:
                page.evaluate(f"() => {BUTTONS}.find(each => each.dataset.title.includes('PNG')).{click}")
            assert download.value.suggested_filename.endswith(kind)
        page.wait_for_function(RESTS)
    assert not opened


def test_the_link_of_a_view_can_be_copied(reader, address):
    page = reader()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{address}/workbench?dataset=synthetic")
    settle(page)
    page.wait_for_function(DRAWN)
    copy = "document.querySelector('.modebar-btn[data-title=\"Copy link to this view\"]')"
    page.evaluate(f"() => {copy}.click()")
    page.wait_for_function("() => document.querySelector('.modebar-btn[data-title=\"Link copied\"]')")
    assert page.evaluate("() => navigator.clipboard.readText()") == page.url
