"""The main path in Chromium: open, choose a class, train, see the surface change, look at its shape, compare F1.

On the way nothing may be logged as an error by the browser, and no request may leave the machine.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader "
    "--ignore-gpu-blocklist"
)
SURFACE = "[...document.querySelectorAll('.ltw-plot')].find(node => node._fullLayout && node._fullLayout.scene)"
IDLE = f"() => {{ const node = {SURFACE}; return node && !node.ltw.drawing; }}"
HEIGHTS = "Array.from(node._fullData[0].z).slice(0, 400).join(' ')"
CAMERA = "node._fullLayout.scene._scene.getCamera().eye.x"

pytestmark = pytest.mark.browser
try:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
except ImportError:
    sync_playwright = None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server of its own with fresh state; its address."""
    if CHROMIUM is None or sync_playwright is None:
        reason = "Chromium is not installed" if CHROMIUM is None else "playwright is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI is set")
        pytest.skip(reason)
    port = _free_port()
    log = tmp_path_factory.mktemp("server") / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with log.open("w") as out:
        server = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT)
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
                break
            except OSError:
                time.sleep(0.1)
        else:
            pytest.fail(f"the server did not start: {log.read_text()[-2000:]}")
        yield url
    finally:
        server.terminate()
        server.wait(10)
    assert "Traceback" not in log.read_text()


@pytest.fixture
def page(address):
    """A browser page that notes errors and requests to elsewhere, and fails the test for them."""
    errors, outside = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        own = (address, address.replace("http", "ws"), "data:", "blob:")

        def note(message):
            # Streamlit probes /<page>/_stcore/… when a page is opened by its address, and gets 404s that harm nobody
            if message.type == "error" and "_stcore" not in message.location.get("url", ""):
                errors.append(message.text)

        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(own) else outside.append(request.url))
        yield page
        browser.close()
    assert not errors
    assert not outside


def go(page, name):
    page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()


def surface(page, expression):
    return page.evaluate(f"() => {{ const node = {SURFACE}; return node ? {expression} : null; }}")


def wait_for_surface(page):
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return node && node._fullData.length > 0; }}")


def test_main_path(page, address):
    page.goto(f"{address}/?dataset=synthetic")
    wait_for_surface(page)  # something beautiful, without a click
    expect(page.get_by_text("Shipped with LTW Lab").first).to_be_visible()

    # choose a class: that of the made-up corpus comes by the link, pydocs by the list
    go(page, "Train")
    train = page.get_by_role("button", name="Train", exact=True)
    expect(train).to_be_visible()
    box = page.get_by_test_id("stSelectbox").filter(has_text="Class").locator("input")
    box.click()
    option = page.get_by_role("option").last
    chosen = option.inner_text().split(" · ")[0]
    option.click()
    page.wait_for_url(f"**class={chosen}*")

    # train, turn the surface, train with another seed: it changes in place and the camera stays
    train.click()
    ended = page.get_by_text("Computed now").first
    expect(ended).to_be_visible()
    wait_for_surface(page)
    page.wait_for_function(IDLE)
    surface(page, "node.mark = 'same node'")
    heights = surface(page, HEIGHTS)
    frame = page.locator(".ltw-plot").first.bounding_box()
    page.mouse.move(frame["x"] + 200, frame["y"] + 250)
    page.mouse.down()
    page.mouse.move(frame["x"] + 300, frame["y"] + 250, steps=5)
    page.mouse.up()
    page.wait_for_timeout(500)
    camera = surface(page, CAMERA)
    page.get_by_test_id("stNumberInputStepUp").first.click()
    page.wait_for_url("**seed=1*")
    train.click()
    page.wait_for_function(f"before => {{ const node = {SURFACE}; return node && {HEIGHTS} !== before; }}", arg=heights)
    expect(page.get_by_text("seed 1").first).to_be_visible()
    expect(ended).to_be_visible()
    page.wait_for_function(IDLE)
    assert surface(page, "node.mark") == "same node"
    assert surface(page, CAMERA) == pytest.approx(camera, abs=1e-6)

    # a reload finds the run by its address
    page.reload()
    expect(page.get_by_text("Computed now").first).to_be_visible()

    go(page, "Shapes")
    expect(page.get_by_text("Which formula is it like?")).to_be_visible()
    wait_for_surface(page)
    assert surface(page, "Object.keys(node._fullLayout).filter(name => /^scene\\d*$/.test(name)).length") == 5

    go(page, "Classifiers")
    page.get_by_role("button", name="Evaluate").click()
    expect(page.get_by_text("has the class").first).to_be_visible()
    expect(page.get_by_text("Computed now on this server")).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    assert page.locator('[data-testid="stException"]').count() == 0


def test_a_link_to_a_page_opens_it_with_its_selection(page, address):
    page.goto(f"{address}/functions?dataset=synthetic&power=3")
    wait_for_surface(page)
    expect(page.get_by_role("heading", name="What the formulas do")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "power=3" in page.url and "dataset=synthetic" in page.url
