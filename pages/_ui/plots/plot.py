"""Plotly figures that change in place, without a flicker and without losing the camera.

``st.plotly_chart`` mounts a new chart whenever its data change. Here one node is kept and plotly's ``react`` is called
on it; of a live figure only what changed is sent. Left out: selection by box or lasso.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import orjson
import streamlit as st

from ltw_core.figures.plain_figure import PlainFigure
from pages._ui import words
from pages._ui.plots import library

FOLDER = Path(__file__).parent
CSS = """
.ltw-plot { position: relative; width: 100%; overflow: hidden; border-radius: .5rem; }
.ltw-sketch { position: absolute; inset: 0; width: 100%; height: 100%; z-index: 5; cursor: grab; touch-action: none; }
.ltw-plot:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
"""

_plot = st.components.v2.component(
    "ltw_plot",
    html='<div class="ltw-plot" role="img" tabindex="0"></div>',
    css=CSS,
    js=library.LOADER
    + "".join((FOLDER / f"{name}.js").read_text("utf-8") for name in ("levels", "raster", "sketch", "plot")),
    isolate_styles=False,
)
_patch = st.components.v2.component("ltw_patch", js=(FOLDER / "patch.js").read_text("utf-8"), isolate_styles=False)


@dataclass(frozen=True)
class Ready:
    """A figure as it is sent, to be kept for everybody; for ``plot``. ``narrow`` is the layout for a narrow page."""

    text: bytes
    narrow: bytes
    alt: str


def ready(figure: PlainFigure, key: str, narrow: PlainFigure | None = None) -> Ready:
    """Make a figure ready to be sent; parameters as for ``plot``."""
    return Ready(
        _complete(figure, key).to_json(),
        narrow_layout(narrow, key) if narrow is not None else b"",
        figure.layout.get("meta", {}).get("alt", ""),
    )


def narrow_layout(figure: PlainFigure, key: str) -> bytes:
    """What ``plot`` takes of a figure for a narrow page."""
    return _complete(figure, key).layout_json()


def _complete(figure: PlainFigure, key: str) -> PlainFigure:
    layout = figure.layout
    figure.update_layout(height=layout.get("height") or 420, uirevision=layout.get("uirevision") or key)
    return figure


def plot(
    figure: PlainFigure | Ready,
    key: str,
    *,
    narrow: bytes = b"",
    live: bool = False,
    often: bool = False,
    sketch: bool = False,
    on_pick: Callable[[dict], None] | None = None,
) -> None:
    """Show `figure`; the node named `key` is kept as long as it is on the page.

    Parameters
    ----------
    narrow : the figure's layout for a narrow page, from ``narrow_layout`` or ``CachedFigure.layout``.
    live : the figure changes: send what changed since the first time, apart from what did not.
    often : it changes by itself, several times a second: a slow machine may leave some of it out.
    sketch : surfaces that are there to be turned before plotly is (see ``sketch.js``); for the first thing on a page.
    on_pick : called with ``{"id": …, "text": …, "trace": …}`` when a point is clicked.
    """
    sent = figure if isinstance(figure, Ready) else ready(figure, key)
    text, patch = _split(key, sent.text) if live else (sent.text, None)

    def picked() -> None:
        value = st.session_state[key].get("picked")
        if value and on_pick:
            on_pick(dict(value))

    def themed() -> None:
        seen = st.session_state[key].get("theme")
        if seen in ("light", "dark"):
            st.session_state["_theme"] = seen

    about = {
        "name": key,
        "library": library.address(),
        "alt": sent.alt,
        "base": words.base(),
        "often": often,
        "sketch": sketch,
    }
    _plot(
        key=key,
        # bytes, because of anything else Streamlit makes JSON, twice: half of the time that a page of figures takes
        data=b"\0".join((orjson.dumps(about), text, narrow or sent.narrow)),
        on_picked_change=picked,
        on_theme_change=themed,
    )
    if live:
        _patch(key=f"{key}-patch", data=orjson.dumps({"name": key, **(patch or {"traces": {}, "layout": None})}))


def _split(key: str, text: bytes) -> tuple[bytes, dict | None]:
    """The figure as first sent, and what differs from it; the first part is the same message every time."""
    store: dict[str, bytes] = st.session_state.setdefault("_plots", {})
    sent = store.get(key)
    if sent == text:
        return sent, None
    if sent is not None:
        first, content = orjson.loads(sent), orjson.loads(text)
        if [t["type"] for t in first["data"]] == [t["type"] for t in content["data"]]:
            traces = {
                str(i): {name: value for name, value in new.items() if old.get(name) != value}
                for i, (old, new) in enumerate(zip(first["data"], content["data"], strict=True))
            }
            layout = {name: value for name, value in content["layout"].items() if first["layout"].get(name) != value}
            gone = any(old.keys() - new.keys() for old, new in zip(first["data"], content["data"], strict=True))
            if not gone and not first["layout"].keys() - content["layout"].keys():
                return sent, {"traces": {i: t for i, t in traces.items() if t}, "layout": layout}
    store[key] = text
    return text, None
