"""The README's pictures of figures: its snippets are run in turn; what one ends with is drawn for the picture below it.

    python -m tests.pictures            # all of them
    python -m tests.pictures terms      # those whose file's name holds the word

It needs Chromium. ``start.png`` is a picture of the app and is not made here.
"""

import contextlib
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS
from tests.snippets import ROOT, cheaper, run, snippets

WIDTH, SCALE, SETTLED = 860, 2, 3_000  # pixels of the page, of the picture for each of them; milliseconds


def main(word: str = "") -> None:
    variables = {}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        page = browser.new_page(viewport={"width": WIDTH, "height": 600}, device_scale_factor=SCALE)
        for snippet in snippets():
            figure = run(snippet._replace(code=cheaper(snippet.code)), variables)
            if not snippet.picture or word not in snippet.picture:
                continue
            path = Path(folder) / "figure.html"
            figure.write_html(path)
            page.set_viewport_size({"width": WIDTH, "height": figure.layout.height})
            page.goto(path.as_uri())
            page.wait_for_timeout(SETTLED)
            picture = Image.open(io.BytesIO(page.locator(".plotly-graph-div").screenshot())).convert("RGB")
            few = picture.quantize(
                256, method=Image.Quantize.MAXCOVERAGE
            )  # a third of the bytes; small marks keep theirs
            few.save(ROOT / snippet.picture, optimize=True)
            sys.stdout.write(f"{snippet.picture}: {(ROOT / snippet.picture).stat().st_size:,} bytes\n")
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
