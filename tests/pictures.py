"""The README's pictures: its snippets are run in turn, what one ends with is drawn for the picture below it; the app is
opened as a newcomer opens it for ``start.png``.

    python -m tests.pictures            # all of them
    python -m tests.pictures terms      # those whose file's name holds the word

It needs Chromium.
"""

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, server
from tests.snippets import ROOT, cheaper, run, snippets

WIDTH, SCALE, SETTLED = 860, 2, 3_000  # pixels of the page, of the picture for each of them; milliseconds
START, WINDOW, COMES = ".github/start.png", {"width": 1440, "height": 880}, 120_000
DOCUMENT = ".ltw-turntable .text span"  # it comes last


def main(word: str = "") -> None:
    variables, wanted = {}, [each for each in snippets() if each.picture and word in each.picture]
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        page = browser.new_page(viewport={"width": WIDTH, "height": 600}, device_scale_factor=SCALE)
        for snippet in snippets() if wanted else ():
            figure = run(snippet._replace(code=cheaper(snippet.code)), variables)
            if snippet not in wanted:
                continue
            path = Path(folder) / "figure.html"
            figure.write_html(path)
            page.set_viewport_size({"width": WIDTH, "height": figure.layout.height})
            page.goto(path.as_uri())
            page.wait_for_timeout(SETTLED)
            _keep(page.locator(".plotly-graph-div").screenshot(), snippet.picture, colours=256)
        if word in START:
            _keep(_start_page(browser, Path(folder)), START)
        browser.close()


def _start_page(browser: Browser, folder: Path) -> bytes:
    """The first page at rest, in a server of its own."""
    with server(folder / "log", LTW_STATE=str(folder / "state")) as address:
        page = browser.new_page(viewport=WINDOW, reduced_motion="reduce")
        page.goto(address)
        page.wait_for_selector(DOCUMENT, timeout=COMES)
        page.wait_for_timeout(SETTLED)
        return page.screenshot()


def _keep(picture: bytes, path: str, colours: int = 0) -> None:
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    if colours:  # a third of the bytes; small marks keep theirs
        image = image.quantize(colours, method=Image.Quantize.MAXCOVERAGE)
    image.save(ROOT / path, optimize=True)
    sys.stdout.write(f"{path}: {(ROOT / path).stat().st_size:,} bytes\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
