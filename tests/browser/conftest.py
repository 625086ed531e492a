"""The real app in Chromium: one server and one Chromium for all tests; what either logs as an error fails a test.

Nothing may be logged as an error by a browser, no traceback by the server, and no request may leave the machine. A test
module that wants a server set up otherwise says so in ``ENVIRONMENT``. A test's readers share nothing with
each other nor with those of other tests; what all readers of a server share (cells that are computed) tests must not
ask for twice.
"""

import contextlib
import functools
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.waiting import PATIENCE, wait_for

ROOT = Path(__file__).resolve().parents[2]
# the shell draws the same pages without a browser's own windows around them, which take a third of the processor's time
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader "
    "--ignore-gpu-blocklist --process-per-site"
)
GRACE = 20  # seconds that a server waits for readers who are gone: more than a slow machine's browser takes to reload
USUAL = {"LTW_SHARE_UPLOADS": "", "LTW_GRACE": str(GRACE)}
SURFACE = "[...document.querySelectorAll('.ltw-plot')].find(node => node._fullLayout && node._fullLayout.scene)"
IDLE = f"() => {{ const node = {SURFACE}; return node && !node.ltw.drawing; }}"
RESTS = "() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'"
# its timers have been on time for a tenth of a second; in a browser that is never idle, ten seconds have gone by
IDLE_BROWSER = """() => new Promise(done => {
    let last = performance.now(), onTime = 0;
    const end = last + 10000;
    const look = () => {
        const now = performance.now();
        onTime = now - last < 60 ? onTime + 1 : 0;
        last = now;
        if (onTime >= 5 || now > end) done(); else setTimeout(look, 20);
    };
    setTimeout(look, 20);
})"""
HEIGHTS = "Array.from(node._fullData[0].z).slice(0, 400).join(' ')"
CAMERA = "node._fullLayout.scene._scene.getCamera().eye.x"


def _when_it_rests(click):
    """Click once the page has come to rest, as a person would: a click on what is being put up anew is lost. One that
    trains is never long at rest, and is clicked all the same."""

    @functools.wraps(click)
    def patient(locator, **options):
        with contextlib.suppress(PlaywrightTimeout):
            locator.page.wait_for_function(RESTS, timeout=10_000)
        return click(locator, **options)

    return patient


def _asking_seldom(wait_for_function):
    """Twenty times a second is often enough; at every frame it keeps the browser drawing frames for nothing else."""

    @functools.wraps(wait_for_function)
    def patient(page, expression, **options):
        return wait_for_function(page, expression, **{"polling": 50} | options)

    return patient


try:
    from playwright.sync_api import Locator, Page, expect, sync_playwright
    from playwright.sync_api import TimeoutError as PlaywrightTimeout

    expect.set_options(timeout=1000 * PATIENCE)
    Locator.click = _when_it_rests(Locator.click)
    Page.wait_for_function = _asking_seldom(Page.wait_for_function)
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


@pytest.fixture(scope="package")
def chromium():
    """One for all tests here: what it keeps is the compiled scripts, which take longer than most tests."""
    if CHROMIUM is None or sync_playwright is None:
        reason = "Chromium is not installed" if CHROMIUM is None else "playwright is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI is set")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield Browsers(browser)
        browser.close()


class Browsers:
    """Contexts of one Chromium, each a browser that has nothing of another's, used again by later tests: a new one
    would fetch and compile every script anew. So would a new process: the first page of each, which shows nothing,
    stays, and keeps the one in which all its pages are."""

    def __init__(self, browser):
        self.browser, self.idle = browser, {False: [], True: []}

    def take(self, address, touch=False):
        if idle := self.idle[touch]:
            return idle.pop()
        context = self.browser.new_context(has_touch=touch, is_mobile=touch)
        context.new_page().goto(f"{address}/_stcore/health")
        return context

    def give_back(self, context, address, touch=False):
        """Make it one that has never been at the address; what it has fetched stays."""
        if context.browser.is_connected() and context in self.browser.contexts:
            first, *others = context.pages or [context.new_page()]
            for page in others:
                page.close()
            kept = {"origin": address, "storageTypes": "cookies,local_storage,indexeddb,cache_storage"}
            session = context.new_cdp_session(first)
            session.send("Storage.clearDataForOrigin", kept)
            session.detach()
            context.clear_permissions()
            self.idle[touch].append(context)


@contextmanager
def visited(chromium, folder, **environment):
    """Address of a server with fresh state that has been visited: links lead to every page. And its log."""
    log = folder / "log.txt"
    with server(log, LTW_STATE=str(folder), **environment) as url:
        context = chromium.take(url)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(url)  # the very first visitor's link to another page is answered with a message
        expect(page.get_by_text("What should a word weigh?")).to_be_visible()
        chromium.give_back(context, url)
        yield url, log


@pytest.fixture(scope="package")
def servers(chromium, state_folder):
    """Makes servers, one for each environment, whichever modules ask for it; gives address and log."""
    with contextlib.ExitStack() as running:

        @functools.cache
        def serve(settings):
            return running.enter_context(visited(chromium, state_folder("server"), **dict(settings)))

        yield lambda environment: serve(tuple(sorted(environment.items())))


@pytest.fixture(scope="module")
def served(request, servers):
    """Address and log of the module's server."""
    return servers(USUAL | getattr(request.module, "ENVIRONMENT", {}))


@pytest.fixture
def address(served):
    """Address of the server, whose log gets no traceback in a test."""
    url, log = served
    before = log.stat().st_size
    yield url
    assert "Traceback" not in log.read_bytes()[before:].decode("utf-8", "replace")


@pytest.fixture
def reader(chromium, address):
    """Makes browsers that share nothing, each called for a page; checks them all at the end."""
    errors, outside, contexts = [], [], []
    own = (address, address.replace("http", "ws"), "data:", "blob:", "about:blank")

    def note(message):
        # Streamlit probes /<page>/_stcore/… when a page is opened by its address, and gets 404s that harm nobody
        if message.type == "error" and "_stcore" not in message.location.get("url", ""):
            errors.append(message.text)

    def open_browser(width=1440, height=900, touch=False):
        context = chromium.take(address, touch)
        contexts.append((context, touch))
        context.add_cookies([{"name": "ltw_mode", "value": "full", "url": address}])  # all controls are there
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: None if request.url.startswith(own) else outside.append(request.url))
        return page

    yield open_browser
    for context, touch in contexts:
        chromium.give_back(context, address, touch)
    assert not errors
    assert not outside


@pytest.fixture
def page(reader):
    """A page of one browser."""
    return reader()


def settle(page):
    """Wait until the first run and the browser's introduction after it are over: before, a click can be overtaken, and
    a dropped file be lost; and until the browser has laid out what it got, which takes a slow machine seconds."""
    page.wait_for_function(RESTS)
    page.wait_for_timeout(600)
    page.evaluate(IDLE_BROWSER)
    page.wait_for_function(RESTS)


def go(page, name):
    """To another page by the navigation, up to where the address is its own; a click while a page is put up is lost."""
    settle(page)
    link = page.get_by_test_id("stSidebarNavLink").filter(has_text=name)
    path = urlsplit(link.get_attribute("href")).path or "/"
    menu = page.get_by_test_id("stExpandSidebarButton")  # there while the menu is folded
    for _ in range(6):
        if page.viewport_size["width"] <= 1000 and menu.is_visible():
            menu.click()
        link.click()
        with contextlib.suppress(PlaywrightTimeout):
            page.wait_for_url(lambda url: (urlsplit(url).path or "/") == path, wait_until="commit", timeout=20_000)
            return
    pytest.fail(f"{name} is not opened")


def press(page, name, then):
    """Press a button, up to where `then` is seen; a click while the page is still put up is lost."""
    button = page.get_by_role("button", name=name)
    for _ in range(6):
        button.or_(then).locator("visible=true").first.wait_for()
        if button.is_visible():
            button.click()
        with contextlib.suppress(PlaywrightTimeout):
            then.wait_for(timeout=20_000)
            return
    pytest.fail(f"{name} does nothing")


def unfold(page, label, inside):
    """Open a folded part of a page, up to where `inside` is seen; a click while the page is still put up is lost."""
    for _ in range(6):
        page.get_by_text(label).click()
        with contextlib.suppress(PlaywrightTimeout):
            inside.wait_for(timeout=10_000)
            return
    pytest.fail(f"{label} does not open")


def hyper_parameters(page):
    """Open the drawer of settings, and in it the hyper-parameters; Escape closes it."""
    inside = page.locator('input[aria-label^="Patience"]')
    settle(page)  # what is still put up closes it again
    for _ in range(6):
        page.get_by_role("button", name="Settings").click()
        with contextlib.suppress(PlaywrightTimeout):
            page.get_by_text("Hyper-parameters").click(timeout=5_000)
            inside.wait_for(timeout=10_000)
            return
        page.keyboard.press("Escape")
    pytest.fail("the hyper-parameters do not open")


def open_view(page, name):
    """Another view of what stands on the Workbench."""
    page.get_by_role("radio", name=name, exact=True).click()


def surface(page, expression):
    return page.evaluate(f"() => {{ const node = {SURFACE}; return node ? {expression} : null; }}")


def wait_for_surface(page):
    page.wait_for_function(f"() => {{ const node = {SURFACE}; return node && node._fullData.length > 0; }}")
