"""Sharing of uploads between real browsers, on a server whose owner allows it."""

from tests.browser.conftest import expect, go, settle
from tests.browser.test_explore import bring, corpus_page, hostile_table

ENVIRONMENT = {"LTW_SHARE_UPLOADS": "1"}
TABLE = hostile_table().replace(b"\r\n", b"\n")


def datasets(page):
    """What the sidebar's list offers."""
    page.get_by_test_id("stSidebar").get_by_role("combobox").first.click()
    page.get_by_role("option").first.wait_for()
    offered = page.get_by_role("option").all_inner_texts()
    page.keyboard.press("Escape")
    return offered


def mine(offered):
    return [name for name in offered if "Table.csv" in name]


def test_what_one_browser_shares_another_sees_until_it_is_taken_back(reader, address):
    one, other = reader(), reader()
    corpus_page(one, address)
    bring(one, "Table.csv", TABLE)
    one.get_by_role("button", name="Read it").wait_for()
    one.get_by_role("button", name="Read it").click()  # for itself, first
    one.wait_for_url("**dataset=own-*")
    corpus_page(other, address)
    assert not mine(datasets(other))
    assert mine(datasets(one)) == ["Table.csv (yours)"]

    bring(one, "Table.csv", TABLE)
    settle(one)
    one.get_by_text("Show it to everyone on this server").click()
    expect(one.get_by_role("checkbox", name="Show it to everyone on this server")).to_be_checked()
    settle(one)  # the tick has run the page; a click while it is drawn anew may be lost
    one.get_by_role("button", name="Read it").click()
    expect(one.get_by_role("button", name="Stop sharing it")).to_be_visible()
    go(other, "Workbench")
    go(other, "Data")
    expect(other.get_by_role("heading", name="Data: ")).to_be_visible()
    assert mine(datasets(other)) == ["Table.csv (shared by a visitor)"]
    other.get_by_test_id("stSidebar").get_by_role("combobox").first.click()
    other.get_by_role("option").filter(has_text="Table.csv").click()
    other.wait_for_url("**dataset=own-*")
    expect(other.get_by_text("Read 120 documents").first).to_be_visible()
    assert other.get_by_role("button", name="Stop sharing it").count() == 0  # it is not the other's to take back
    assert other.evaluate("() => window.hit === undefined && !document.querySelector('img[src=x]')")

    one.get_by_role("button", name="Stop sharing it").click()
    expect(one.get_by_role("button", name="Stop sharing it")).to_have_count(0)
    go(other, "Workbench")
    expect(other.get_by_role("heading", name="Workbench: ")).to_be_visible()
    assert not mine(datasets(other))
    assert other.locator('[data-testid="stException"]').count() == 0
