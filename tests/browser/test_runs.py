"""Whose a training is: found after a reload, ended when its reader has gone, not seen by others; and stopping it."""

import time

import pytest

from tests.browser.conftest import expect, unfold

ENVIRONMENT = {"LTW_GRACE": "3"}
LONG = "dataset=synthetic&method=LTW-L-I&seed={}"


@pytest.fixture
def train(address):
    """Start a training that goes on until it is stopped; gives the address of the page then."""

    def train(page, seed):
        page.goto(address)  # the very first request to a server is answered with a message if it is for another page
        expect(page.get_by_text("What should a word weigh?")).to_be_visible()
        page.goto(f"{address}/train?{LONG.format(seed)}")
        unfold(page, "Hyper-parameters", page.get_by_role("spinbutton", name="Patience"))
        for label, value in (("Patience", "1000"), ("Most steps", "1000000"), ("Learning rate", "0.00001")):
            field = page.get_by_role("spinbutton", name=label)
            field.fill(value)
            field.press("Enter")
        train = page.get_by_role("button", name="Train", exact=True)
        expect(train).to_be_enabled()
        train.click()
        expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
        page.wait_for_url("**run=*")
        return page.url

    return train


def step(page):
    return int(page.get_by_test_id("stMetricValue").first.inner_text().replace(",", ""))


def learning(page):
    """Whether the training on the page goes on: its step rises."""
    before = step(page)
    page.wait_for_function(
        "before => Number(document.querySelector('[data-testid=stMetricValue]').innerText.replace(/,/g, '')) > before",
        arg=before,
    )
    return True


def test_a_reload_finds_the_running_job_and_may_stop_it(page, train):
    train(page, 1)
    assert learning(page)
    page.reload()
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_enabled()
    assert learning(page)
    time.sleep(4)  # longer than the server waits for readers who are gone: it knows that this one is not
    assert learning(page)
    began = time.monotonic()
    stop.click()
    expect(page.get_by_text("Stopped on request").first).to_be_visible()
    assert time.monotonic() - began < 20  # drawing in software included; the training itself stops within a second
    page.reload()
    expect(page.get_by_text("Stopped on request").first).to_be_visible()


def test_two_browsers_do_not_see_each_others_runs_and_a_link_gives_no_control(reader, train, address):
    one, other = reader(), reader()
    link = train(one, 2)
    other.goto(f"{address}/train?{LONG.format(2)}")
    expect(other.get_by_text("before its first step")).to_be_visible()
    other.goto(link)
    assert learning(other)  # a link shows it
    expect(other.get_by_role("button", name="Stop", exact=True)).to_be_disabled()
    expect(one.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    one.get_by_role("button", name="Stop", exact=True).click()
    expect(one.get_by_text("Stopped on request").first).to_be_visible()
    expect(other.get_by_text("Stopped on request").first).to_be_visible()


def test_closing_the_tab_ends_the_training(reader, train):
    one, other = reader(), reader()
    link = train(one, 3)
    assert learning(one)
    other.goto(link)
    assert learning(other)
    one.context.close()
    expect(other.get_by_text("the browser that asked for it had gone").first).to_be_visible()


def test_it_goes_on_while_its_reader_reloads_a_page_that_shows_no_training(page, train, address):
    """Every page tells the server that its browser is there: the start page is one with nothing of its own to say."""
    url = train(page, 7)
    page.goto(address)
    page.reload()
    expect(page.get_by_text("What should a word weigh?")).to_be_visible()
    time.sleep(9)  # the grace of three seconds, and two looks at who is gone
    page.goto(url)
    assert learning(page)
    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped on request").first).to_be_visible()
