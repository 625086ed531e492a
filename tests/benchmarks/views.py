"""How soon each view of what stands on the Workbench is there after the click on its name, in a browser without a GPU.

``python -m tests.benchmarks.views [--rounds 5] [--beside CHECKOUT] [--json FILE]``

Chromium on the real app with a shipped weighting and the paper's four formulas: each view once to warm up, then each
once a round, in another order each time. With ``--beside``, the page of shapes of a checkout from before the
Workbench is asked in turn, where its tabs have the same content. Seconds are the page's own, from its click event to
the moment since which, for .6 s, the script rests, all figures are drawn and nothing is built any more (a table may be
built .4 s after the script has ended): a fault of .02 s at most, and the server has the same cores. Leaves out views
that a formula or a training run alone has.
"""

import argparse
import contextlib
import json
import random
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.benchmarks.first_point import PATIENCE
from tests.benchmarks.load import ROOT, server
from tests.benchmarks.measure import machine
from tests.browser.conftest import CHROMIUM, FLAGS, RESTS

DATASET, CLASS = "reuters21578", "earn"  # a weighting of it is shipped, and so the same in both
# of the Workbench, and the tab that had its content before; Map had none on that page
VIEWS = {
    "Surface": "Surfaces",
    "Map": None,
    "Slice": "Slices",
    "Ranks": "Ranks",
    "Film": "Time machine",
    "Likeness": "Which formula?",
    "Properties": "Properties",
}
TARGET = 1.0
SEEN = '[...document.querySelectorAll(".ltw-plot")].filter((node) => node.offsetParent)'
DRAWN = f"""() => ({RESTS})() && {SEEN}.every((node) =>
  node.ltw && node.ltw.draws && !node.ltw.drawing && !node.ltw.stale)"""
NAMED = """(name) => [...document.querySelectorAll("[role=radio], [role=tab]")].find((one) =>
  one.innerText.trim() === name)"""
TIMED = f"""([name, figures]) => {{
  const named = ({NAMED})(name);
  named.addEventListener("click", () => {{
    const began = performance.now();
    let [ran, since, before, built] = [false, 0, window.location.search, began];
    const builds = new MutationObserver((changes) => {{
      const adds = ({{ addedNodes }}) => [...addedNodes].some((one) => one.children?.length);
      if (changes.some(adds)) built = performance.now();
    }});
    builds.observe(document.querySelector("[data-testid=stMain]"), {{ childList: true, subtree: true }});
    window.took = null;
    const look = () => {{
      const now = performance.now();
      ran ||= window.location.search !== before; // a short run begins and ends within one frame
      since = ran && {SEEN}.length >= figures && ({DRAWN})() ? Math.max(since || now, built) : 0; // tables, too
      if (!since || now - since <= 600) return void setTimeout(look, 10);
      window.took = (since - began) / 1000;
      builds.disconnect();
    }};
    look();
  }}, {{ once: true }});
  named.click();
}}"""


class Reader:
    """A page of one checkout's server with a weighting on it."""

    def __init__(self, browser, address: str, names: dict[str, str]):
        self.page, self.address, self.names = browser.new_page(viewport={"width": 1440, "height": 900}), address, names
        self.figures: dict[str, int] = {}
        self.page.set_default_timeout(PATIENCE)
        self.page.goto(f"http://{address}")  # the very first visitor's link to another page is answered with a message
        self.page.get_by_text("What should a word weigh?").wait_for()

    def open(self) -> None:
        """The class's shipped weighting, and every view once."""
        self.page.goto(f"http://{self.address}/shapes?dataset={DATASET}&class={CLASS}")
        self.page.wait_for_function(NAMED, arg=self.names["Slice"], polling=50)
        for view in [*self.names, "Surface"]:
            self.page.evaluate(f"name => ({NAMED})(name).click()", self.names[view])
            self.page.wait_for_timeout(6000)
            self.figures[view] = self.page.evaluate(f"{SEEN}.length")  # a place that is still empty is not drawn

    def seconds(self, view: str) -> float | None:
        """Seconds from the click on a view's name to its last figure; None where it is open already."""
        name = self.names[view]
        self.page.wait_for_function(f"() => ({DRAWN})()", polling=50)
        self.page.wait_for_timeout(700)  # a reader looks at what is there before the next click
        chosen = f"name => ['ariaChecked', 'ariaSelected'].some(is => ({NAMED})(name)[is] === 'true')"
        if self.page.evaluate(chosen, name):
            return None
        self.page.evaluate(TIMED, [name, self.figures[view]])
        self.page.wait_for_function("() => window.took", polling=50)
        return self.page.evaluate("window.took")


def told(name: str, seconds: dict[str, list[float]]) -> str:
    every = np.concatenate([each for each in seconds.values() if each])
    views = ", ".join(f"{view} {np.median(each):.2f} ({max(each):.2f})" for view, each in seconds.items() if each)
    return (
        f"{name}: median {np.median(every):.2f} s, most {every.max():.2f}, {(every > TARGET).sum()} of {len(every)} "
        f"over {TARGET:.0f} s; median (most) by view: {views}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="of clicks on every view (default: 5)")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT")
    parser.add_argument("--seed", type=int, default=0, help="of the order")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    checkouts = {"this": (ROOT, {view: view for view in VIEWS})}
    if arguments.beside:
        checkouts["beside"] = (arguments.beside.resolve(), {view: tab for view, tab in VIEWS.items() if tab})
    found = {name: {view: [] for view in names} for name, (_, names) in checkouts.items()}
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        stack.callback(browser.close)
        readers = {}
        for name, (root, names) in checkouts.items():
            state = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            readers[name] = Reader(browser, stack.enter_context(server(state, root))[1], names)
        for reader in readers.values():
            reader.open()
        for _ in range(arguments.rounds):
            for view in dice.sample(list(VIEWS), len(VIEWS)):
                for name, reader in readers.items():
                    if view in reader.names and (took := reader.seconds(view)):
                        found[name][view].append(took)
    for name, seconds in found.items():
        print(told(name, seconds))
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine(1), "seconds": found}, indent=1))


if __name__ == "__main__":
    main()
