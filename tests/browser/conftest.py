"""The real app in Chromium: a server of a test module's own, and browsers that fail a test for errors they log.

Where several processes share the tests, one module at a time: two that draw in software keep each other waiting.

Nothing may be logged as an error by a browser, and no request may leave the machine. A test module that wants its
server set up otherwise says so in ``ENVIRONMENT``.
"""

import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
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
RESTS = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
HEIGHTS = "Array.from(node._fullData[0].z).slice(0, 400).join(' ')"
CAMERA = "node._fullLayout.scene._scene.getCamera().eye.x"

try:
    from playwright.sync_api import TimeoutError as PlaywrightTimeout
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
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


@contextmanager
def server(log: Path, **environment):
    """A server with its log in a file; gives its address. Its log may hold no traceback."""
    port = _free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    with log.open("w") as out:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **environment}
        )
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
        process.terminate()
        process.wait(60)
    assert "Traceback" not in log.read_text()


@pytest.fixture(scope="module")
def address(request, tmp_path_factory):
    """Address of a server of the module's own, with fresh state."""
    if CHROMIUM is None or sync_playwright is None:
        reason = "Chromium is not installed" if CHROMIUM is None else "playwright is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI is set")
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("server")
    environment = {"LTW_STATE": str(folder), **getattr(request.module, "ENVIRONMENT", {})}
    with (tmp_path_factory.getbasetemp().parent / "browser.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with server(folder / "log.txt", **environment) as url:
            yield url


@pytest.fixture
def reader(address):
    """Makes browsers that share nothing, each called for a page; checks them all at the end."""
    errors, outside = [], []
    own = (address, address.replace("http", "ws"), "data:", "blob:")

    def note(message):
        # Streamlit probes /<page>/_stcore/… when a page is opened by its address, and gets 404s that harm nobody
        if message.type == "error" and "_stcore" not in message.location.get("url", ""):
            errors.append(message.text)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())

        def open_browser(width=1440, height=900):
            page = browser.new_context(viewport={"width": width, "height": height}).new_page()
            page.set_default_timeout(60_000)
            page.on("console", note)
            page.on("pageerror", lambda error: errors.append(str(error)))
            page.on("request", lambda request: None if request.url.startswith(own) else outside.append(request.url))
            return page

        yield open_browser
        browser.close()
    assert not errors
    assert not outside


@pytest.fixture
def page(reader):
    """A page of one browser."""
    return reader()


def go(page, name):
    """To another page by the navigation, when the first run and the browser's introduction after it are over: before, a
    click can still be overtaken."""
    page.wait_for_function(RESTS)
    page.wait_for_timeout(700)
    page.wait_for_function(RESTS)
    page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()


def unfold(page, label, inside):
    """Open a folded part of a page, up to where `inside` is seen; a click while the page is still put up is lost."""
    for _ in range(6):
        page.get_by_text(label).click(timeout=240_000)  # a busy machine imports for minutes
        with contextlib.suppress(PlaywrightTimeout):
            inside.wait_for(timeout=10_000)
            return
    pytest.fail(f"{label} does not open")


def surface(page, expression):
    return page.evaluate(f"() => {{ const node = {SURFACE}; return node ? {expression} : null; }}")


def wait_for_surface(page):
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return node && node._fullData.length > 0; }}")
