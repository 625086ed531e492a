"""Figures in the making, as plain dictionaries: what plotly.js is sent, and what plotly's ``Figure`` is made of.

Plotly for Python checks every property as it is set, which takes several times as long as all else that a figure
costs. So figures are put together here, unchecked; ``checked`` gives a function that makes one its public form, which
returns a checked ``go.Figure``, and keeps the unchecked one as its ``plain``, for whoever sends it to a browser.
"""

import base64
import functools
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import orjson
import plotly.graph_objects as go
import plotly.io as pio


class WrittenFigure(NamedTuple):
    """A figure as plotly.js reads it, in parts: each property of each trace and of the layout as JSON."""

    traces: list[dict[str, bytes]]
    layout: dict[str, bytes]

    def text(self) -> bytes:
        """The whole of it."""
        return b'{"data":[%b],"layout":%b}' % (b",".join(map(_joined, self.traces)), _joined(self.layout))


def _joined(parts: dict[str, bytes]) -> bytes:
    return b"{%b}" % b",".join(b'"%b":%b' % (name.encode(), value) for name, value in parts.items())


class PlainFigure:
    """``data``, a list of traces, and ``layout``: dictionaries in plotly.js's own words, arrays as numpy's."""

    def __init__(self):
        self.data: list[dict] = []
        self.layout: dict[str, Any] = {}

    @property
    def alt(self) -> str:
        """The sentences of alternative text that ``theme.describe`` has put in."""
        return self.layout.get("meta", {}).get("alt", "")

    def add(self, kind: str, **properties: Any) -> None:
        """Add a trace of plotly.js: "scatter", "mesh3d", ..."""
        self.data.append({"type": kind, **properties})

    def write(
        self, text: str, x: Any, y: float, colour: str, *, size: float = 12, on_page: bool = False, **more: Any
    ) -> None:
        """Write words at a point of the axes, or of the page, whose corners are 0 and 1."""
        where = {"xref": "paper", "yref": "paper"} if on_page else {}
        font = {"size": size, "color": colour}
        words = {"text": text, "x": x, "y": y, "showarrow": False, "font": font, **where, **more}
        self.layout.setdefault("annotations", []).append(words)

    def add_shape(self, **shape: Any) -> None:
        self.layout.setdefault("shapes", []).append(shape)

    def frame_cell(self, row: int, column: int, colour: str) -> None:
        """A frame around a cell of a heat map."""
        frame = {"x0": column - 0.5, "x1": column + 0.5, "y0": row - 0.5, "y1": row + 0.5}
        self.add_shape(type="rect", **frame, line={"color": colour, "width": 3}, fillcolor="rgba(0,0,0,0)")

    def add_vline(self, x: float, yref: str = "y domain", **shape: Any) -> None:
        """A line from bottom to top."""
        self.add_shape(type="line", x0=x, x1=x, xref="x", y0=0, y1=1, yref=yref, **shape)

    def update_layout(self, **changes: Any) -> None:
        """Set parts of the layout; what an axis or a legend already has stays unless it is given again."""
        _merge(self.layout, changes)

    def figure(self) -> go.Figure:
        """As plotly's, checked."""
        return go.Figure(self.data, self.layout)

    def to_json(self) -> bytes:
        """What plotly.js reads, as plotly would write it, but with numbers of 32 bits: a screen has less."""
        return self.written().text()

    def written(self) -> WrittenFigure:
        """The same in parts, of which those that have changed can be told from others."""
        return WrittenFigure([_parts(trace) for trace in self.data], _parts(self._whole_layout()))

    def layout_json(self) -> bytes:
        """The layout alone."""
        return json_of(self._whole_layout())

    def _whole_layout(self) -> dict:
        layout = dict(self.layout)
        if isinstance(layout.get("template"), str):
            layout["template"] = _template(layout["template"])
        return layout


def checked(make: Callable[..., PlainFigure]) -> Callable[..., go.Figure]:
    """The public form of a function that makes a figure; ``plain`` is the function itself."""

    @functools.wraps(make)
    def public(*content: Any, **options: Any) -> go.Figure:
        return make(*content, **options).figure()

    public.plain = make
    return public


def colour_scale(colours: list[str]) -> list[list]:
    """Colours at equal distances, in plotly.js's words."""
    return [[k / (len(colours) - 1), colour] for k, colour in enumerate(colours)]


@functools.cache
def _template(name: str) -> orjson.Fragment:
    """Without what is long and the same in all: the app's script adds it (``withoutZeros`` in plots/plot.js)."""
    layout = json.loads(pio.templates[name].layout.to_json())
    for axis in (layout["xaxis"], layout["yaxis"], *_axes(layout["scene"]), layout["coloraxis"]["colorbar"]):
        del axis["labelalias"]
    return orjson.Fragment(json.dumps({"layout": layout}))


def _axes(scene: dict) -> list[dict]:
    return [scene[f"{name}axis"] for name in "xyz"]


def _parts(properties: dict[str, Any]) -> dict[str, bytes]:
    return {name: json_of(value) for name, value in properties.items()}


def _merge(old: dict, new: dict) -> None:
    for name, value in new.items():
        if isinstance(value, dict) and isinstance(old.get(name), dict):
            old[name] = {**old[name]}  # it may be shared
            _merge(old[name], value)
        else:
            old[name] = value


def json_of(value: Any) -> bytes:
    """Traces, or anything that holds arrays, as plotly.js reads them; 32 bits, for a screen has less."""
    return exact(orjson.dumps(value, default=_plain))


def exact(written: bytes) -> bytes:
    """What orjson has written, to be kept: its own result holds up to twenty times as much memory as it has bytes, and
    4 kB where it has ten (seen in 3.13.0)."""
    return bytes(memoryview(written))


def _plain(value: Any) -> Any:
    """Arrays of numbers as plotly.js's typed arrays, everything else of numpy as Python's."""
    if not isinstance(value, np.ndarray):
        return value.item() if isinstance(value, np.generic) else _unknown(value)
    if not value.size or not value.ndim or value.dtype.kind not in "iuf":
        return value.tolist()
    if value.dtype.kind == "f":
        value = value.astype("<f4", copy=False)
    else:
        value = value.astype(
            np.result_type(np.min_scalar_type(value.min()), np.min_scalar_type(value.max())), copy=False
        )
        if value.dtype.itemsize == 8:  # browsers have no typed array for these
            return value.tolist()
    spec = {"dtype": value.dtype.str[1:], "bdata": base64.b64encode(np.ascontiguousarray(value)).decode("ascii")}
    return spec if value.ndim == 1 else spec | {"shape": ", ".join(map(str, value.shape))}


def _unknown(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} has no place in a figure")
