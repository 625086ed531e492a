"""The look of every figure: type, ink, the mode bar and the configuration of plotly.

The colours agree with ``[theme.light]`` and ``[theme.dark]`` of ``.streamlit/config.toml``, so that a figure drawn with
its own theme (``theme=None``) sits on the page without a seam and an exported picture looks like the screen. Colours of
data lie in ``palette.py``.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
import plotly.io as pio

from ltw_core.figures import contrast, palette
from ltw_core.figures.plain_figure import PlainFigure, checked
from ltw_core.metrics import decimals
from ltw_core.weighting import display

FONT = '"Source Sans", "Source Sans Pro", "Source Sans 3", system-ui, sans-serif'
SIZE = {"title": 17, "panel": 15, "body": 13, "tick": 12, "note": 12}
FAR_BEHIND = 0.1  # an F1 so far behind the best, or further, has the last colour
# what is written at an axis for its numbers below 1: as in tables, .8 (plots/plot.js has the same for the app)
BELOW_ONE = {
    f"{sign}0{text}": f"{sign}{text}"
    for sign in ("", "−")
    for text in (f"{k / 1000:.{digits}f}"[1:] for digits in (1, 2, 3) for k in range(5, 1000, 5))
    if float(text)
}


@dataclass(frozen=True)
class Ink:
    """Colours of everything that is not data, for one theme."""

    paper: str
    text: str
    muted: str
    grid: str
    line: str
    faded: str  # a surface where no terms lie
    selected: str


INKS = {
    "light": Ink(
        paper=palette.PAPER["light"],
        text="#1f2328",
        muted="#636b74",
        grid="#ebe8e3",
        line="#c9c5be",
        faded="#cbc8c3",
        selected="#d6006c",
    ),
    "dark": Ink(
        paper=palette.PAPER["dark"],
        text="#e9e6e1",
        muted="#9aa2ad",
        grid="#262b33",
        line="#434a55",
        faded="#3a4049",  # turntable.css has it, too
        selected="#ff5fa8",
    ),
}

CONFIG = {
    "displaylogo": False,
    "showSendToCloud": False,  # plotly's "Share chart…" would send a reader's data to a server of plotly's
    "displayModeBar": "hover",
    "responsive": True,
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "resetCameraLastSave3d", "tableRotation"],
    "plotGlPixelRatio": 2,
    "scrollZoom": False,
}


def config(filename: str = "ltw-lab") -> dict:
    """Plotly configuration: a mode bar on hover without logo or upload, whose camera button exports PNG (×3)."""
    return {**CONFIG, "toImageButtonOptions": {"format": "png", "scale": 3, "filename": filename}}


def ink(base: str = "light") -> Ink:
    """Ink colours of the theme ``base``, "light" or "dark"."""
    if base not in INKS:
        raise ValueError(f"base must be one of {', '.join(INKS)}, got {base!r}")
    return INKS[base]


def legible(colour: str, base: str = "light") -> str:
    """A colour of data for words on the page: itself, or the nearest one that can be read there (4.5 : 1)."""
    return contrast.enough(colour, ink(base).paper)


def _template(base: str) -> go.layout.Template:
    i = ink(base)
    axis = {
        "gridcolor": i.grid,
        "gridwidth": 1,
        "linecolor": i.line,
        "zerolinecolor": i.line,
        "zerolinewidth": 1,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "tickfont": {"size": SIZE["tick"], "color": i.muted},
        "title": {"font": {"size": SIZE["body"], "color": i.muted}, "standoff": 8},
        "automargin": True,
        "labelalias": BELOW_ONE,
    }
    scene_axis = {
        "showbackground": False,
        "showline": True,
        "mirror": True,
        "tickangle": 0,
        "gridcolor": i.grid,
        "gridwidth": 1,
        "linecolor": i.line,
        "linewidth": 2,
        "zeroline": False,
        "showspikes": False,
        "tickfont": {"size": 12, "color": i.text},  # WebGL draws one of 10 as one of 8
        "title": {"font": {"size": 12, "color": i.muted}},
        "labelalias": BELOW_ONE,
    }
    hover = {"family": FONT, "size": 13, "color": i.text}
    bar = {
        "outlinewidth": 1,  # or the end that is the page's colour would not be seen
        "outlinecolor": i.line,
        "thickness": 8,
        "ticks": "",
        "tickfont": {"size": SIZE["tick"], "color": i.muted},
        "title": {"font": {"size": SIZE["note"], "color": i.muted}},
        "labelalias": BELOW_ONE,
    }
    layout = go.Layout(
        font={"family": FONT, "size": SIZE["body"], "color": i.text},
        title={
            "font": {"size": SIZE["title"], "color": i.text},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "pad": {"l": 4},
        },
        paper_bgcolor=i.paper,
        plot_bgcolor=i.paper,
        colorway=palette.series(base),
        xaxis=axis,
        yaxis=axis,
        scene={"xaxis": scene_axis, "yaxis": scene_axis, "zaxis": scene_axis, "bgcolor": "rgba(0,0,0,0)"},
        coloraxis={"colorbar": bar},
        legend={
            "font": {"size": SIZE["note"], "color": i.text},
            "bgcolor": "rgba(0,0,0,0)",
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1.02,
            "yanchor": "bottom",
        },
        hoverlabel={"bgcolor": i.paper, "bordercolor": i.line, "font": hover, "align": "left", "namelength": -1},
        margin={"l": 8, "r": 8, "t": 48, "b": 8},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": i.muted, "activecolor": i.text},
        hovermode="closest",
        separators=".,",  # decimal point, thousands comma, as everywhere in the app
    )
    other_bar = {"colorbar": {"labelalias": BELOW_ONE}}
    data = {"scatter": [{"marker": other_bar}], "heatmap": [other_bar]}
    return go.layout.Template(layout=layout, data=data)


for _base in INKS:
    pio.templates[f"ltw-{_base}"] = _template(_base)


def template(base: str = "light") -> str:
    """Name of the registered plotly template of a theme."""
    ink(base)
    return f"ltw-{base}"


def as_figure(*, height: int | None = None, uirevision: str = "") -> Callable:
    """The public form of a function that takes a theme as ``base``: with the theme's template, and two options more.

    Parameters
    ----------
    height : int, optional
        Pixels, where neither the caller nor the function itself says.
    uirevision : str
        Unless the caller says; keep it and what a reader has zoomed is kept. The function may add to it.
    """

    def decorate(make: Callable[..., PlainFigure]) -> Callable[..., go.Figure]:
        usual_height, usual_revision = height, uirevision

        @functools.wraps(make)
        def plain(
            *content, base: str = "light", height: int | None = None, uirevision: str = usual_revision, **options
        ) -> PlainFigure:
            figure = make(*content, base=base, **options)
            figure.layout["template"] = template(base)
            figure.layout["height"] = height or figure.layout.get("height", usual_height)
            figure.layout["uirevision"] = uirevision + figure.layout.get("uirevision", "")
            return figure

        return checked(plain)

    return decorate


def decades(low: float, high: float) -> dict:
    """Ticks of a logarithmic axis at powers of ten, at 2 and 5 as well where they are few."""
    steps = (1, 2, 5) if high / max(low, 1e-9) < 200 else (1,)
    ticks = [float(f"{m}e{e}") for e in range(-3, 8) for m in steps]
    ticks = [t for t in ticks if 0.7 * low <= t <= 1.4 * high] or [float(f"{low:.1g}")]
    whole = 10_000 if ticks[-1] < 10_000 else 1_000  # thousands are written in one way
    said = lambda t: f"{t:g}".removeprefix("0") if t < 1 else f"{t:,.0f}" if t < whole else f"{t / 1000:,.0f}k"  # noqa: E731
    return {"tickvals": ticks, "ticktext": [said(t) for t in ticks]}


def bar_below(title: str, y: float, base: str) -> dict:
    """A colour bar that lies below a figure, at its right, where no words are; ``y`` as a share of what is drawn."""
    i = ink(base)
    small = {"size": SIZE["tick"], "color": i.muted}
    return {
        "orientation": "h",
        "len": 0.42,
        "x": 1,
        "xanchor": "right",
        "y": y,
        "yanchor": "top",
        "thickness": 8,
        "outlinewidth": 1,
        "outlinecolor": i.line,
        "ticks": "",
        "tickfont": small,
        "title": {"text": title, "side": "top", "font": small},
    }


def shortfall(less: float, base: str = "light") -> str:
    """Background of a score so far below the best of its column, in every table and heat map; the palest from
    ``FAR_BEHIND`` on."""
    return palette.hex_colours(palette.paint([less], palette.NEAR[base][::-1], 0, FAR_BEHIND))[0]


def bar_of_shortfall(title: str, y: float, base: str, far: float = FAR_BEHIND, more: bool = True) -> dict:
    """The bar of how far an F1 lies behind the best, as ``bar_below`` has it: to ``far``; ``more``: and further."""
    ends = ["0", decimals(far / 2, 2 + (far < 0.06)), decimals(far, 1 + (far < FAR_BEHIND)) + "+" * more]
    return bar_below(title, y, base) | {"tickvals": [0, far / 2, far], "ticktext": ends, "tickangle": 0}


def describe(figure: PlainFigure, alt: str) -> PlainFigure:
    """Put a sentence of alternative text into the layout's ``meta["alt"]``."""
    figure.update_layout(meta={"alt": alt})
    return figure


def shortened(text: str, length: int) -> str:
    """A text cut to a number of characters and escaped; a cut is marked by an ellipsis."""
    text = str(text)
    return escape(text if len(text) <= length else text[: length - 1].rstrip() + "…")


def told_apart(names: Sequence[str], length: int) -> list[str]:
    """Names cut to a number of characters as by ``shortened``, but those that would then be the same in their middle.

    "talk.politics.guns" and "talk.politics.misc" are "talk.po…cs.guns" and "talk.po…cs.misc" with 15 characters. Names
    whose beginnings and ends are both the same stay the same.
    """
    cut = [shortened(name, length) for name in names]
    end = length // 2
    return [
        f"{escape(name[: length - 1 - end])}…{escape(name[-end:])}"
        if len(name) > length and cut.count(short) > 1
        else short
        for name, short in zip(map(str, names), cut, strict=True)
    ]


def escape(text: str) -> str:
    """Text from a corpus for a title, a tick or a hover label: plotly reads a little HTML in them."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def title(text: str) -> dict:
    """Title of a small figure."""
    return {"text": text, "font": {"size": 14}}


def label(name: str, labels: Mapping[str, str] | None = None) -> str:
    """A method's name as it is shown: that of ``labels``, or its own."""
    return (labels or {}).get(name, display(name))


def note(text: str, base: str, size: float = SIZE["note"]) -> str:
    """Muted words within a title."""
    return f'<span style="color:{ink(base).muted};font-size:{size}px">{text}</span>'


def whiskers(
    values: Sequence[float], lows: Sequence[float], highs: Sequence[float], *, color: str, thickness: float = 2
) -> dict:
    """``error_x`` of points whose intervals end at ``lows`` and ``highs``, without strokes across their ends."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - value for high, value in zip(highs, values, strict=True)],
        "arrayminus": [value - low for low, value in zip(lows, values, strict=True)],
        "color": color,
        "thickness": thickness,
        "width": 0,
    }


def alt(figure: go.Figure) -> str:
    """The alternative text of a figure made here."""
    return (figure.layout.meta or {}).get("alt", "")
