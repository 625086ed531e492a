"""On a phone a view that is chosen low in the window is scrolled into sight; else nothing seen would change."""

import streamlit as st

JS = """
export default function () {
  if (window.__ltwToView) return;
  window.__ltwToView = true;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  let waiting; // a reader who scrolls or chooses again meanwhile is left alone
  const leave = () => clearInterval(waiting);
  for (const name of ["wheel", "touchmove", "keydown"]) document.addEventListener(name, leave, { passive: true });
  document.addEventListener("click", ({ target }) => {
    leave();
    const row = target.closest?.(".st-key-look");
    if (!row || innerWidth > 640 || row.getBoundingClientRect().bottom < innerHeight / 2) return;
    const from = performance.now();
    waiting = setInterval(() => { // until the view is there: before, the page may be too short to scroll
      const rests = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
      const waited = performance.now() - from;
      if (waited < 300 || (!rests && waited < 30_000)) return;
      leave();
      document.querySelector(".st-key-look")?.scrollIntoView({ behavior });
    }, 100);
  }, true);
}
"""
_scroll = st.components.v2.component("ltw_to_view", js=JS, isolate_styles=False)


def scrolled_to() -> None:
    """Have the browser do so for the row of views ``look``. Once a run of the script."""
    _scroll(key="to_view")
