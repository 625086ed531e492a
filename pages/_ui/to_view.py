"""On a phone a view that is chosen low in the window is scrolled into sight; else nothing seen would change."""

import streamlit as st

JS = """
export default function () {
  if (window.__ltwToView) return;
  window.__ltwToView = true;
  document.addEventListener("click", ({ target }) => {
    const row = target.closest?.(".st-key-look");
    if (!row || innerWidth > 640 || row.getBoundingClientRect().bottom < innerHeight / 2) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    setTimeout(() => document.querySelector(".st-key-look")?.scrollIntoView({ behavior }), 300); // the view is there
  }, true);
}
"""
_scroll = st.components.v2.component("ltw_to_view", js=JS, isolate_styles=False)


def scrolled_to() -> None:
    """Have the browser do so for the row of views ``look``. Once a run of the script."""
    _scroll(key="to_view")
