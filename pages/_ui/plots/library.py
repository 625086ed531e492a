"""plotly.js from this server: published once, and asked for by the browser before the first figure is computed."""

import functools
import importlib.util
from pathlib import Path

import streamlit as st
from streamlit.runtime import Runtime

from pages._ui.streamlit_fixes.lasting_media_file import lasting_media_file

LOADER = Path(__file__).with_name("library.js").read_text("utf-8")
SHARED = Path(__file__).with_name("shared.js").read_text("utf-8")  # what the scripts of figures know in common
PRELOAD = """
export default function (component) {
  const { library, run } = component.data;
  if (run) return void window.__ltwLibrary(library).catch(() => {});
  if (window.Plotly || window.__ltwLoading || document.querySelector("link[data-ltw]")) return;
  const link = Object.assign(document.createElement("link"), { rel: "preload", as: "script", href: library });
  link.dataset.ltw = "";
  document.head.append(link);
}
"""
_preload = st.components.v2.component("ltw_library", js=LOADER + PRELOAD, isolate_styles=False)


@functools.cache
def _publish(runtime: Runtime) -> str:
    """Path of plotly.js on this server."""
    spec = importlib.util.find_spec("plotly")
    content = (Path(spec.origin).parent / "package_data" / "plotly.min.js").read_bytes()
    return lasting_media_file(runtime, content, "text/javascript", "plotly.min.js")


def address() -> str:
    """Where the browser finds plotly.js."""
    base = st.get_option("server.baseUrlPath").strip("/")
    path = _publish(Runtime.instance()) if Runtime.exists() else "/plotly.min.js"
    return f"/{base}{path}" if base else path


def preload(*, run: bool) -> None:
    """Have the browser load plotly.js while the server computes, and run it, which holds a page up for a moment.

    Once in a session: what the browser has loaded stays, so it need not be sent on every run.
    """
    done = st.session_state.setdefault("_preloaded", set())
    if run not in done:
        done.add(run)
        _preload(key="library", data={"library": address(), "run": run})
