"""How soon a training is seen: from the click on Train to the first point of its curve, and to its first surface.

``python -m tests.benchmarks.first_point [--trainings 24] [--beside CHECKOUT] [--json FILE]``

Chromium on the real app, one training after the other, each of another class or corpus and with a seed of its own, on a
page opened anew. With ``--beside``, another checkout's server is asked in turn. Seconds are the page's own, from its
click event to the moment when plotly holds the point; the browser draws without a GPU, on the server's own cores.
"""

import argparse
import contextlib
import json
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.benchmarks.load import ROOT, server
from tests.benchmarks.measure import machine
from tests.browser.conftest import CHROMIUM, FLAGS, HEIGHTS, IDLE, RESTS, SURFACE
from tests.browser.test_train import CURVE, button

CLASSES = (
    ("reuters21578", "corn"), ("20newsgroups", "misc.forsale"), ("reuters21578", "earn"), ("20newsgroups", "sci.space"),
    ("reuters21578", "crude"), ("20newsgroups", "rec.autos"),
)  # fmt: skip
TARGET = 0.5
PATIENCE = 120_000  # milliseconds
ENDED = "() => [...document.querySelectorAll('button')].every(one => one.disabled || !one.innerText.includes('Stop'))"
TIMED = f"""() => {{
  const now = () => {{ const node = {SURFACE}; return node ? {HEIGHTS} : ''; }};
  const [before, train] = [now(), [...document.querySelectorAll('button')].find(b => b.innerText.includes('Train'))];
  train.addEventListener('click', () => {{
    const began = performance.now();
    window.seen = {{}};
    const look = () => {{
      const [seen, took] = [window.seen, (performance.now() - began) / 1000];
      if (!seen.point && ({CURVE})() > 0) seen.point = took;
      if (!seen.surface && now() !== before) seen.surface = took;
      if (!seen.point || !seen.surface) setTimeout(look, 10);
    }};
    look();
  }}, {{ once: true }});
}}"""


def seen(browser, address: str, dataset: str, class_name: str, seed: int) -> dict[str, float]:
    """Seconds from the click to the first point and the first surface of one training."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(PATIENCE)
    try:
        page.goto(f"http://{address}/train?dataset={dataset}&class={class_name}&seed={seed}")
        page.wait_for_function(f"() => ({IDLE})() && ({RESTS})()")
        page.wait_for_timeout(1500)  # a reader looks at the page before the click
        page.evaluate(TIMED)
        button(page, "Train").click()
        page.wait_for_function("() => window.seen.point && window.seen.surface")
        found = page.evaluate("window.seen")
        page.wait_for_function(ENDED)  # the next training has the machine for itself
        return found
    finally:
        page.close()


def warm(browser, address: str) -> None:
    """The first visit, and a training of each corpus: what they read and compile is not what is measured."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"http://{address}")
    page.get_by_text("What should a word weigh?").wait_for()
    page.close()
    for dataset, class_name in CLASSES[:2]:
        seen(browser, address, dataset, class_name, 0)


def told(name: str, rows: list[dict]) -> str:
    points, surfaces = (np.array([row[what] for row in rows]) for what in ("point", "surface"))
    return (
        f"{name}: first point median {np.median(points):.2f} s, {points.min():.2f} to {points.max():.2f}, "
        f"{(points > TARGET).sum()} of {len(points)} over {TARGET}; surface median {np.median(surfaces):.2f}, most "
        f"{surfaces.max():.2f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainings", type=int, default=24)
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT")
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    checkouts = {"this": ROOT} | ({"beside": arguments.beside.resolve()} if arguments.beside else {})
    rows = {name: [] for name in checkouts}
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        stack.callback(browser.close)
        servers = {}
        for name, root in checkouts.items():
            state = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            servers[name] = stack.enter_context(server(state, root))[1]
            warm(browser, servers[name])
        for number in range(arguments.trainings):
            dataset, class_name = CLASSES[number % len(CLASSES)]
            for name, address in servers.items():
                took = seen(browser, address, dataset, class_name, arguments.first_seed + number)
                rows[name].append({"dataset": dataset, "class": class_name, **took})
                print(f"{name} {dataset} {class_name}: point {took['point']:.2f}, surface {took['surface']:.2f}")
    for name, found in rows.items():
        print(told(name, found))
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine(1), "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
