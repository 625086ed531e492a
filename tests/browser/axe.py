"""axe-core on a page: what it finds against WCAG 2.2, A and AA, in both themes, apart from Streamlit's own faults."""

import contextlib

import pytest
import streamlit

from tests.browser.conftest import RESTS, PlaywrightTimeout

base = pytest.importorskip("axe_playwright_python.base")

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FOUND = """async ([tags, rules]) => {
  const ours = (target) => !document.querySelector(target)?.closest('[data-testid="stSidebarNav"]');
  const options = { runOnly: tags ? { type: "tag", values: tags } : { type: "rule", values: rules }, preload: false };
  if (tags) options.rules = Object.fromEntries(rules.map((rule) => [rule, { enabled: true }]));
  const { violations } = await axe.run({ ...options, resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, html, any, all, none }) => [
    id,
    ours(target[0]) ? html.slice(0, 90) : "Streamlit's navigation",
    [...any, ...all, ...none][0].message,
  ]));
}"""
# what Streamlit 1.67 itself does wrong: its navigation is one list whose headed groups are <div>s with items in them
KNOWN = {
    ("list", "List element has direct children that are not allowed: div"): "() => 1",
    ("listitem", "List item does not have a <ul>, <ol> parent element"): """() =>
      document.querySelectorAll('[data-testid=stSidebarNav] div > li').length""",
}
# figures that say nothing to a reader who does not see them
MUTE = """() => [...document.querySelectorAll('.ltw-figure')]
  .filter((figure) => !/[.!?]$/.test(figure.querySelector('figcaption').textContent.trim()))
  .map((figure) => figure.outerHTML.slice(0, 90))"""
# no colour is looked at on its way to another; what waits for the server fades as slowly as ever
AT_ONCE = "*, *::before, *::after { transition-property: opacity !important; }"
# a switch runs the page again, and what waits for that is faded
CLEAR = f"""() => ({RESTS})() && [...document.querySelectorAll('[data-testid=stElementContainer]')]
  .every((element) => getComputedStyle(element).opacity === "1")"""

WATCH = """() => {
  window.ltwRuns?.disconnect();
  window.ltwBegan = false;
  window.ltwRuns = new MutationObserver(() => { window.ltwBegan = true; });
  const app = document.querySelector("[data-testid=stApp]");
  window.ltwRuns.observe(app, { attributes: true, attributeFilter: ["data-test-script-state"] });
}"""
RESTED = f"() => !window.ltwBegan && ({CLEAR})()"


class Checked:
    """A page that is looked at in both themes."""

    def __init__(self, page):
        self.page, self.problems = page, []
        page.set_viewport_size({"width": 1100, "height": 720})  # two fifths less to draw
        page.emulate_media(reduced_motion="reduce")
        self.theme("light")

    def look(self, view, navigation=True):
        """What axe-core finds here in one theme, and of the rules what differs in the other, contrast. The page stays
        in that one for the next view: every switch draws all figures anew."""
        self.page.wait_for_function(RESTS)
        self.page.wait_for_timeout(250)
        self.page.wait_for_function(RESTS)
        self.page.add_style_tag(content=AT_ONCE)
        if not self.page.evaluate("() => Boolean(window.axe)"):
            self.page.evaluate(base.AXE_SCRIPT)
        self.wait_for_theme()
        found = self.at_rest(WCAG, ["heading-order"])
        known = [(rule, message) for rule, where, message in found if where == "Streamlit's navigation"]
        allowed = {each: self.page.evaluate(how_many) for each, how_many in KNOWN.items()}
        assert not navigation or {each: known.count(each) for each in known} == allowed, streamlit.__version__
        self.note(f"{view}, {self.name}", found)
        with contextlib.suppress(PlaywrightTimeout):  # one that is just put up has its sentence with its picture
            self.page.wait_for_function(f"() => !({MUTE})().length", timeout=60_000)
        self.problems += [(view, "a figure without a sentence", html) for html in self.page.evaluate(MUTE)]
        self.theme("light" if self.name == "dark" else "dark")
        self.wait_for_theme()
        self.note(f"{view}, {self.name}", self.at_rest(None, ["color-contrast"]))

    def at_rest(self, *what):
        """What axe-core finds; once more where that was while the script ran: what a run replaces is faded."""
        for _ in range(10):
            self.page.wait_for_function(CLEAR)
            self.page.evaluate(WATCH)
            found = self.page.evaluate(FOUND, what)
            if self.page.evaluate(RESTED) or all(where == "Streamlit's navigation" for _, where, _ in found):
                break
        return found

    def note(self, view, found):
        self.problems += [(view, *problem) for problem in found if problem[1] != "Streamlit's navigation"]

    def theme(self, name):
        self.name = name
        self.page.emulate_media(color_scheme=name)

    def wait_for_theme(self):
        paper = {"light": "rgb(255, 255, 255)", "dark": "rgb(18, 21, 26)"}[self.name]
        app = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
        self.page.wait_for_function(f"paper => {app} === paper", arg=paper)
        self.page.wait_for_function(CLEAR)
