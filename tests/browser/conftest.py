"""The real app in Chromium: a server of a test module's own, and browsers that fail a test for errors they log.

Nothing may be logged as an error by a browser, and no request may leave the machine. A test module that wants its
server set up otherwise says so in ``ENVIRONMENT``.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import PATIENCE, wait_for

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader "
    "--ignore-gpu-blocklist"
)
SURFACE = "[...document.querySelectorAll('.ltw-plot')].find(node => node._fullLayout && node._fullLayout.scene)"
IDLE = f"() => {{ const node = {SURFACE}; return node && !node.ltw.drawing; }}"
RESTS = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
HEIGHTS = "Array.from(node._fullData[0].z).slice(0, 400).join(' ')"
CAMERA = "node._fullLayout.scene._scene.getCamera().eye.x"

try:
    from playwright.sync_api import TimeoutError as PlaywrightTimeout
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE)
except ImportError:
    expect = sync_playwright = PlaywrightTimeout = None  # ``address`` skips, or fails in CI


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _healthy(url: str) -> bool:
    try:
        return urllib.request.urlopen(f"{url}/_stcore/health", timeout=1).status == 200
    except OSError:
        return False


@contextmanager
def server(log: Path, script: str | Path = "app.py", **environment):
    """A server with its log in a file; gives its address. Its log may hold no traceback."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **environment}
        )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(lambda: process.poll() is not None or _healthy(url), every=0.1)
        assert process.poll() is None, f"the server did not start: {log.read_text()[-2000:]}"
        yield url
    finally:
        process.terminate()
        process.wait(PATIENCE)
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def chromium():
    """One for the tests of a module: each has contexts of its own in it, which share nothing."""
    if CHROMIUM is None or sync_playwright is None:
        reason = "Chromium is not installed" if CHROMIUM is None else "playwright is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI is set")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address(request, chromium, state_folder):
    """Address of a server of the module's own, with fresh state, that has been visited: links lead to every page."""
    folder = state_folder("server")
    environment = {"LTW_STATE": str(folder), **getattr(request.module, "ENVIRONMENT", {})}
    with server(folder / "log.txt", **environment) as url:
        page = chromium.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(url)  # the very first visitor's link to another page is answered with a message
        expect(page.get_by_text("What should a word weigh?")).to_be_visible()
        page.close()
        yield url


@pytest.fixture
def reader(chromium, address):
    """Makes browsers that share nothing, each called for a page; checks them all at the end."""
    errors, outside, contexts = [], [], []
    own = (address, address.replace("http", "ws"), "data:", "blob:")

    def note(message):
        # Streamlit probes /<page>/_stcore/… when a page is opened by its address, and gets 404s that harm nobody
        if message.type == "error" and "_stcore" not in message.location.get("url", ""):
            errors.append(message.text)

    def open_browser(width=1440, height=900):
        contexts.append(chromium.new_context(viewport={"width": width, "height": height}))
        page = contexts[-1].new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(own) else outside.append(request.url))
        return page

    yield open_browser
    for context in contexts:
        context.close()
    assert not errors
    assert not outside


@pytest.fixture
def page(reader):
    """A page of one browser."""
    return reader()


def settle(page):
    """Wait until the first run and the browser's introduction after it are over: before, a click can be overtaken, and
    a dropped file be lost."""
    page.wait_for_function(RESTS)
    page.wait_for_timeout(700)
    page.wait_for_function(RESTS)


def go(page, name):
    """To another page by the navigation."""
    settle(page)
    page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()


def unfold(page, label, inside):
    """Open a folded part of a page, up to where `inside` is seen; a click while the page is still put up is lost."""
    for _ in range(6):
        page.get_by_text(label).click()
        with contextlib.suppress(PlaywrightTimeout):
            inside.wait_for(timeout=10_000)
            return
    pytest.fail(f"{label} does not open")


def surface(page, expression):
    return page.evaluate(f"() => {{ const node = {SURFACE}; return node ? {expression} : null; }}")


def wait_for_surface(page):
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return node && node._fullData.length > 0; }}")
