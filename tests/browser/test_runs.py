"""Whose a training is: found after a reload, ended when its reader has gone, not seen by others; and stopping it."""

import pytest

from tests.browser.conftest import expect, hyper_parameters
from tests.browser.test_train import STEP

LONG = "dataset=synthetic&method=LTW-L-I&seed={}"
ENDLESS = (  # minutes on a fast machine, which makes 10,000 steps a second with the paper's hidden units
    ("Hidden units", "4000"),
    ("Validate every", "1000"),
    ("Patience", "1000"),
    ("Maximum steps", "1000000"),
)


@pytest.fixture
def train(address):
    """Start a training that goes on until it is stopped; gives the address of the page then."""

    def train(page, seed):
        page.goto(f"{address}/train?{LONG.format(seed)}")
        hyper_parameters(page)
        for label, value in ENDLESS:
            field = page.get_by_role("spinbutton", name=label)
            field.fill(value)
            field.press("Enter")
        page.keyboard.press("Escape")
        train = page.get_by_role("button", name="Train", exact=True)
        expect(train).to_be_enabled()
        train.click()
        expect(page.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
        page.wait_for_url("**run=*")
        return page.url

    return train


def learning(page):
    """Whether the training on the page goes on: its step rises."""
    page.locator(".st-key-numbers").wait_for()
    page.wait_for_function(f"before => ({STEP})() > before", arg=page.evaluate(STEP))
    return True


def test_a_reload_finds_the_running_job_and_may_stop_it_and_closing_the_tab_ends_it(reader, train, address):
    page, one, other = reader(), reader(), reader()
    link = train(one, 3)
    assert learning(one)
    url = train(page, 1)
    assert learning(page)
    page.reload()
    stop = page.get_by_role("button", name="Stop", exact=True)
    expect(stop).to_be_enabled()
    assert learning(page)
    # meanwhile on the start page, which has nothing of its own to tell the server about trainings, and reloaded there
    page.goto(address)
    page.reload()
    expect(page.get_by_text("What should a word weigh?")).to_be_visible()
    other.goto(link)
    assert learning(other)
    one.context.close()
    # longer than the server waits for who is gone: it knows that the first reader is not, and takes neither reload for
    # an end
    expect(other.get_by_text("the browser that asked for it had gone").first).to_be_visible()
    page.goto(url)
    assert learning(page)
    stop.click()
    expect(page.get_by_text("Stopped on request").first).to_be_visible()
    page.reload()
    expect(page.get_by_text("Stopped on request").first).to_be_visible()


def test_two_browsers_do_not_see_each_others_runs_and_a_link_gives_no_control(reader, train, address):
    one, other = reader(), reader()
    link = train(one, 2)
    other.goto(f"{address}/train?{LONG.format(2)}")
    expect(other.get_by_text("begins from a network with random weights").first).to_be_visible()
    other.goto(link)
    assert learning(other)  # a link shows it
    expect(other.get_by_role("button", name="Stop", exact=True)).to_be_disabled()
    expect(one.get_by_role("button", name="Stop", exact=True)).to_be_enabled()
    one.get_by_role("button", name="Stop", exact=True).click()
    expect(one.get_by_text("Stopped on request").first).to_be_visible()
    expect(other.get_by_text("Stopped on request").first).to_be_visible()
