"""The classifiers page in Chromium: cells are computed, a click in the heat map opens one, others find them."""

from tests.browser.conftest import expect

HEATMAP = "[...document.querySelectorAll('.ltw-plot')].find(n => n._fullData && n._fullData[0].type === 'heatmap')"
LINK = (
    "dataset=synthetic&utw=LogTFIDF&stw=TFRF&ltw=LTW-L-I&learners=Support+vector+machine&learners=Logistic+regression"
)


def test_a_cell_is_computed_opened_and_compared(reader, address):
    page = reader()
    page.goto(f"{address}/classifiers?{LINK}")
    page.get_by_role("button", name="Evaluate 6 cells").click()
    expect(page.get_by_role("button", name="All 6 cells known")).to_be_visible()
    page.wait_for_function(
        f"() => {{ const n = {HEATMAP}; return n && n._fullData[0].z.flat().every(Number.isFinite); }}"
    )

    # a click in the heat map: second row, second column
    box = page.evaluate(
        f"""() => {{ const n = {HEATMAP}, {{ xaxis, yaxis }} = n._fullLayout, at = n.getBoundingClientRect();
        return {{ x: at.x + xaxis._offset + xaxis.d2p(1), y: at.y + yaxis._offset + yaxis.d2p(1) }}; }}"""
    )
    page.mouse.move(box["x"], box["y"])
    page.mouse.click(box["x"], box["y"])
    shown = page.get_by_test_id("stSelectbox")
    expect(shown.filter(has_text="Weighting").locator("input")).to_have_value("TFRF")
    expect(shown.filter(has_text="Classifier").locator("input")).to_have_value("Logistic regression")

    page.get_by_role("button", name="true positives").click()
    expect(page.get_by_text("the surest decision first")).to_be_visible()
    expect(page.get_by_text("What adds most:")).to_be_visible()

    page.get_by_text("Precision and recall", exact=True).click()
    page.get_by_role("slider", name="Threshold").focus()
    tried = page.get_by_test_id("stTable").locator("th").nth(2)
    before = tried.inner_text()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(tried).not_to_have_text(before)

    page.get_by_text("Two weightings", exact=True).click()
    expect(page.get_by_text("McNemar")).to_be_visible()

    # somebody else finds the cells
    other = reader()
    other.goto(f"{address}/classifiers?{LINK}")
    expect(other.get_by_role("button", name="All 6 cells known")).to_be_visible()
