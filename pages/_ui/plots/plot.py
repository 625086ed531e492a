"""Plotly figures that change in place, without a flicker and without losing the camera.

``st.plotly_chart`` mounts a new chart whenever its data change. Here one node is kept and plotly's ``react`` is called
on it; of a live figure only what changed is sent. Left out: selection by box or lasso.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import orjson
import streamlit as st

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure, WrittenFigure
from pages._ui.plots import library
from pages._ui.streamlit_fixes.kept_messages import kept_message

FOLDER = Path(__file__).parent
MOVES = ("camera", "axes", "glide", "link", "scroll", "turning")
SCRIPTS = ("shared", "levels", "raster", "ranges", *MOVES, "aside", "plot")
TURN = (
    "Let a swipe turn the figure and the wheel come nearer, until you tap elsewhere. A mouse’s drag always turns it; a "
    "double click puts it back."
)
CSS = """
.ltw-figure { margin: 0; position: relative; display: flow-root; }  /* a lifted plot moves within it */
.ltw-turn[hidden] { display: none; }
.ltw-figure figcaption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.ltw-plot { position: relative; width: 100%; overflow: clip; overflow-clip-margin: 8px; border-radius: .5rem; }
.ltw-plot .main-svg:has(> .hoverlayer) { overflow: visible; }  /* what is told at the edge has its border and shadow */
/* until it is drawn its place is kept, and after a moment says so */
.ltw-plot:not(.js-plotly-plot) { display: grid; place-items: center; }
.ltw-plot:not(.js-plotly-plot)::after { content: "Drawing …"; grid-area: 1 / 1; font-size: .85rem; opacity: .75;
  animation: ltw-waits .2s .1s both; }
.ltw-plot:not(.js-plotly-plot)::before { content: ""; position: absolute; inset: 0; border-radius: inherit;
  border: 1px solid var(--st-border-color); animation: ltw-waits .2s .1s both; }
.ltw-plot.lifted { overflow: visible; margin-top: var(--lifted, 30px); }
.ltw-plot.lifted .modebar-container { top: calc(-1 * var(--toolbar, 30px)) !important; }
.ltw-glide { position: absolute; inset: 0; width: 100%; height: 100%; z-index: 5; pointer-events: none; }
/* names over a surface, or over lines (in the ink of either theme): the sharp halo of an outline behind the letters */
.ltw-plot :is([class^="annotation-scene"] .annotation-text, .textpoint text:is(INKS)) { paint-order: stroke;
  stroke: var(--st-background-color); stroke-width: 3.5px; stroke-linejoin: round; }
/* on a filled map the ink is that of its colours, and so is the outline */
.ltw-plot .textpoint text:is([style*="fill: rgb(0, 0, 0)"], [style*="fill: rgb(255, 255, 255)"]) { paint-order: stroke;
  stroke: #ffffff; stroke-width: 2.5px; stroke-linejoin: round; }
.ltw-plot .textpoint text[style*="fill: rgb(255, 255, 255)"] { stroke: #12151a; }
.ltw-plot:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
.ltw-plot:focus-visible::after { content: attr(aria-label); position: absolute; right: .6rem; bottom: .5rem; z-index: 6;
  padding: .15rem .5rem; border-radius: .3rem; font-size: .8rem; color: var(--st-text-color);
  background: var(--st-secondary-background-color); }
/* a swipe over a figure scrolls the page */
.ltw-plot, .ltw-plot * { touch-action: pan-x pan-y pinch-zoom !important; }
.ltw-plot.free, .ltw-plot.free * { touch-action: none !important; }
.ltw-plot:not(.turned) ~ .ltw-reset { display: none; }
.ltw-turn, .ltw-reset { position: absolute; top: 2.2rem; right: .2rem; z-index: 6; font: inherit; font-size: .8rem;
  line-height: 1; cursor: pointer; min-height: 1.9rem; padding: 0 .7rem; border-radius: 1rem;
  border: 1px solid var(--st-border-color); color: var(--st-text-color); background: var(--st-background-color); }
.ltw-reset { top: 4.4rem; }  /* below the other */
@media (hover: none) { .ltw-turn, .ltw-reset { min-height: 40px; padding: 0 1rem; border-radius: 20px;
  &::after { content: ""; position: absolute; inset: -3px 0; } } }
.ltw-turn[aria-pressed="true"] { color: var(--st-background-color); background: var(--st-text-color); }
:is(.ltw-turn, .ltw-reset):focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
@media (hover: hover) { .ltw-figure:not(:hover) .ltw-turn:not(:focus-visible, [aria-pressed="true"]) { opacity: 0; } }
.ltw-plot.js-plotly-plot .plotly .modebar-btn { min-width: 24px; height: 24px; }
/* what the pointer is told: round by its thick line, around which a shadow is the border */
.ltw-plot .hoverlayer .hovertext path { fill: var(--st-secondary-background-color) !important;
  stroke: var(--st-secondary-background-color) !important; stroke-width: 6px !important; stroke-linejoin: round;
  filter: drop-shadow(0 0 .8px var(--st-text-color)) drop-shadow(0 2px 5px rgb(0 0 0 / .2)); }
/* a touch screen has no pointer that comes near and leaves: a figure has no toolbar there, but one that turns what puts
   it back while it is turned */
@media (hover: none) {
  .ltw-plot .modebar-container { display: none; }
  .ltw-plot.lifted { margin-top: 0; }
}
@media (hover: none) and (max-width: 640px) {
  .ltw-turn, .ltw-reset { top: -.3rem; }  /* in the line of the heading, above what surfaces name */
  .ltw-plot.turned ~ .ltw-reset { right: 7.9rem; }
  .ltw-plot:is(.free, .turned) ~ :is(.ltw-reset, .ltw-turn) { min-width: 6.2rem; }
}
.ltw-plot.js-plotly-plot .plotly .modebar-btn:focus-visible { outline: 2px solid var(--st-primary-color); }
"""

# names are written in the ink of a theme, which is how they are told from those on a filled map
_INKS = (palette.rgb([ink.text])[0].astype(int).tolist() for ink in theme.INKS.values())
CSS = CSS.replace("INKS", ", ".join(f'[style*="fill: rgb({r}, {g}, {b})"]' for r, g, b in _INKS))

_plot = st.components.v2.component(
    "ltw_plot",
    html='<figure class="ltw-figure"><div class="ltw-plot"></div><figcaption></figcaption><button type="button" '
    f'class="ltw-turn" aria-label="Turn the surface" aria-pressed="false" title="{TURN}" hidden>'
    'Turn the surface</button><button type="button" class="ltw-reset">reset view</button></figure>',
    css=CSS,
    js=library.LOADER + "".join((FOLDER / f"{name}.js").read_text("utf-8") for name in SCRIPTS),
    isolate_styles=False,
)
_patch = st.components.v2.component(
    "ltw_patch", js=library.SHARED + (FOLDER / "patch.js").read_text("utf-8"), isolate_styles=False
)


@dataclass(frozen=True)
class Ready:
    """A figure as it is sent, to be kept for everybody; for ``plot``.

    Attributes
    ----------
    written : the figure.
    narrow : its layout for a narrow page; or what makes that, of a figure that changes often, where only the first is
        sent with one.
    alt : what it says to those who do not see it.
    """

    written: WrittenFigure
    narrow: bytes | Callable[[], bytes]
    alt: str

    @property
    def text(self) -> bytes:
        return self.written.text()

    @cached_property
    def digest(self) -> bytes:
        """Names its content."""
        return hashlib.blake2b(b"\0".join((self.text, self.whole().narrow)), digest_size=20).digest()

    def whole(self) -> "Ready":
        """With its layout for a narrow page made."""
        return replace(self, narrow=self.narrow()) if callable(self.narrow) else self


def ready(figure: PlainFigure, key: str, narrow: PlainFigure | Callable[[], PlainFigure] | None = None) -> Ready:
    """Make a figure ready to be sent; ``key`` as for ``plot``, ``narrow`` as it is on a narrow page."""
    written = _complete(figure, key).written()
    if narrow is None:
        return Ready(written, b"", figure.alt)
    layout = (lambda: narrow_layout(narrow(), key)) if callable(narrow) else narrow_layout(narrow, key)
    return Ready(written, layout, figure.alt)


def narrow_layout(figure: PlainFigure, key: str) -> bytes:
    """What ``plot`` takes of a figure for a narrow page."""
    for part in ("annotations", "shapes"):  # of what it lacks the wide one's would stay
        figure.layout.setdefault(part, [])
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
    on_pick: Callable[[dict], None] | None = None,
    told: Sequence[str] = (),
) -> None:
    """Show `figure`; the node named `key` is kept as long as it is on the page.

    Parameters
    ----------
    narrow : the figure's layout for a narrow page, from ``narrow_layout`` or ``CachedFigure.layout``.
    live : the figure changes: send what changed since the first time, apart from what did not.
    often : it changes by itself, several times a second: a slow machine may leave some of it out.
    on_pick : called with ``{"id": …, "text": …, "trace": …}`` when a point is clicked.
    told : of a live figure, texts for the page's elements ``ltw-told`` whose ``data-of`` is its key, which get them
        when it is drawn: words beside a figure are never of another moment than the figure.
    """
    sent = figure if isinstance(figure, Ready) else ready(figure, key)
    first, patch = _split(key, sent) if live else (sent.whole(), None)

    def picked() -> None:
        value = st.session_state.get(key, {}).get("picked")  # of a figure that has gone: nothing
        if value and on_pick:
            on_pick(dict(value))

    about = {
        "name": key,
        "library": library.address(),
        "alt": first.alt,
        "often": often,
        "picks": on_pick is not None,
    }
    message = orjson.dumps(about)
    narrow = narrow or (first if often else sent.whole()).narrow  # of one that moves the browser takes what moves
    with kept_message(key, message, first.digest, narrow) as there:
        _plot(
            key=key,
            # bytes, because of anything else Streamlit makes JSON, twice: half of the time that a page of figures takes
            data=b"" if there else b"\0".join((message, first.text, narrow)),
            on_picked_change=picked,
        )
    if live:
        about = {"name": key, "of": first.digest.hex(), "told": told}  # of another figure it is sent again
        _patch(key=f"{key}-patch", data=orjson.dumps(about | patch))


def _split(key: str, latest: Ready) -> tuple[Ready, dict]:
    """The figure as first sent, and what differs from it; the first part is the same message every time."""
    store: dict[str, Ready] = st.session_state.setdefault("_plots", {})
    sent, same = store.get(key), {"alt": latest.alt, "traces": {}, "layout": None}
    if sent is not None and sent.written == latest.written:
        return sent, same
    if sent is not None and _alike(sent.written, latest.written):
        pairs = zip(sent.written.traces, latest.written.traces, strict=True)
        traces = {str(i): _changed(old, new) for i, (old, new) in enumerate(pairs)}
        layout = _changed(sent.written.layout, latest.written.layout)
        layout.pop("meta", None)  # of it the browser needs what the figure says, which goes by itself
        return sent, same | {"traces": {i: trace for i, trace in traces.items() if trace}, "layout": layout}
    store[key] = latest.whole()
    return store[key], same


def _alike(old: WrittenFigure, new: WrittenFigure) -> bool:
    """Whether one can be changed into the other property by property."""
    if [trace["type"] for trace in old.traces] != [trace["type"] for trace in new.traces]:
        return False
    pairs = [*zip(old.traces, new.traces, strict=True), (old.layout, new.layout)]
    return not any(before.keys() - after.keys() for before, after in pairs)


def _changed(old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, orjson.Fragment]:
    return {name: orjson.Fragment(value) for name, value in new.items() if old.get(name) != value}
