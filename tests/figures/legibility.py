"""Every word and every mark of a figure with its colour and what it lies on, read from the figure as plotly has it.

Left out: what the browser alone decides, such as which labels of a contour find room, and scenes in 3D apart from their
words: a surface shows the same in its colours, its lines and its heights.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from plotly.colors import sample_colorscale

from ltw_core.figures import contrast, palette

SPAN = re.compile(r"""style=["'][^"']*?color:\s*([^;"']+)[^"']*["'][^>]*>([^<]*)<""")
KEY = "■"
HOLLOW = "rgba(0,0,0,0)"
LARGE, LARGE_BOLD = 24, 18.67  # pixels: 18 points, or 14 of bold


@dataclass(frozen=True)
class Seen:
    """Something in a figure: where, its colour, what it lies on (hex or rgb()), and the contrast it needs."""

    what: str
    colour: str
    on: str
    least: float

    @property
    def contrast(self) -> float:
        paper = over(self.on, "#ffffff")
        return float(contrast.ratio(over(self.colour, paper), paper))


def over(colour, paper) -> np.ndarray:
    """A colour as it looks on an opaque one."""
    paper = palette.rgb([paper])[0] if isinstance(paper, str) else paper
    if not isinstance(colour, str):
        return colour
    if colour.startswith("#"):
        return palette.rgb([colour])[0]
    parts = [float(part) for part in re.findall(r"[\d.]+", colour)]
    alpha = parts[3] if len(parts) == 4 else 1.0
    return alpha * np.array(parts[:3]) + (1 - alpha) * paper


def merged(*parts: dict) -> dict:
    """Nested dictionaries, the last one's values first."""
    found: dict = {}
    for part in parts:
        for name, value in part.items():
            both = isinstance(value, dict) and isinstance(found.get(name), dict)
            found[name] = merged(found[name], value) if both else value
    return found


def layout_of(figure) -> dict:
    """A figure's layout with what its template says."""
    template = figure.layout.template.layout.to_plotly_json()
    given = figure.layout.to_plotly_json()
    given.pop("template", None)
    whole = merged(template, given)
    for name in given:
        kind = re.sub(r"\d+$", "", name)
        if kind in ("xaxis", "yaxis", "scene"):
            whole[name] = merged(template.get(kind, {}), given[name])
    return whole


def words(figure) -> Iterator[Seen]:
    """All text but that of corpora's own: axes, titles, legend, colour bars, labels of points, words in cells."""
    layout = layout_of(figure)
    paper, font = layout["paper_bgcolor"], layout["font"]

    def text(what: str, content, of: dict, on: str = paper) -> Iterator[Seen]:
        style = {**font, **(of or {})}
        bold = "<b>" in str(content)
        least = contrast.LARGE_TEXT if style["size"] >= (LARGE_BOLD if bold else LARGE) else contrast.TEXT
        yield Seen(f"{what}: {content}", style["color"], on, least)
        for colour, inside in SPAN.findall(str(content)):
            yield Seen(f"{what}: {inside}", colour, on, contrast.MARK if inside.strip() == KEY else least)

    def axis(name: str, of: dict) -> Iterator[Seen]:
        if of.get("visible", True):
            if of.get("showticklabels", True):
                for tick in of.get("ticktext") or ["ticks"]:
                    yield from text(name, tick, of.get("tickfont"))
            yield from text(name, (of.get("title") or {}).get("text", ""), (of.get("title") or {}).get("font"))

    def bar(name: str, of: dict) -> Iterator[Seen]:
        of = merged(layout["coloraxis"]["colorbar"], of or {}) if name.startswith("coloraxis") else of or {}
        yield from text(f"{name} bar", "ticks", of.get("tickfont"))
        yield from text(f"{name} bar", (of.get("title") or {}).get("text", ""), (of.get("title") or {}).get("font"))

    yield from text("title", layout["title"].get("text", ""), layout["title"].get("font"))
    yield from text("legend", "names", layout["legend"]["font"])
    label = layout["hoverlabel"]
    yield from text("hover", "label", label["font"], label["bgcolor"])
    for name, of in layout.items():
        if re.match(r"[xy]axis\d*$", name):
            yield from axis(name, of)
        elif re.match(r"scene\d*$", name):
            for one in ("xaxis", "yaxis", "zaxis"):
                yield from axis(f"{name} {one}", of[one])
            for each in of.get("annotations", ()):
                yield from text(f"{name} label", each["text"], each.get("font"), _behind(each, paper))
        elif re.match(r"coloraxis\d*$", name):
            yield from bar(name, of.get("colorbar"))
    for each in layout.get("annotations", ()):
        on = _behind(each, paper) if "bgcolor" in each else _cell(figure, each) or _behind(each, paper)
        yield from text("words", each["text"], each.get("font"), on)
    for trace in figure.data:
        of, name = trace.to_plotly_json(), str(trace.name)
        if "text" in str(of.get("mode", "")):
            for each in _each_font(of["textfont"]):
                yield from text(name, "labels", each, _halo(each) or paper)
        if of["type"] in ("heatmap", "contour") and of.get("showscale", True) and "coloraxis" not in of:
            yield from bar(name, of.get("colorbar"))


def marks(figure) -> Iterator[Seen]:
    """Lines, points and bars, and the lines among the shapes, that are of one colour each; areas and scales are not."""
    layout = layout_of(figure)
    paper = layout["paper_bgcolor"]
    maps = {(trace.xaxis, trace.yaxis) for trace in figure.data if trace.type == "heatmap"}
    for trace in figure.data:
        of, name = trace.to_plotly_json(), str(trace.name)
        if trace.type != "heatmap" and (of.get("xaxis"), of.get("yaxis")) in maps:
            continue  # what lies on a map has an ink or a halo by the colours there
        strength = of.get("opacity", 1)
        if of["type"] in ("scatter", "scattergl", "bar"):
            mode, marker = of.get("mode", "markers" if of["type"] == "bar" else "lines"), of.get("marker", {})
            if "lines" in mode and of["line"].get("width", 2):
                yield Seen(f"line {name}", _faint(of["line"]["color"], strength), paper, contrast.MARK)
            if "markers" in mode and marker.get("opacity", 1) and np.max(marker.get("size", 6)) > 1:
                yield from _points(name, marker, strength * marker.get("opacity", 1), paper)
        elif of["type"] == "contour" and of["contours"].get("coloring") == "none" and not name.endswith(" levels"):
            yield Seen(f"line {name}", _faint(of["line"]["color"], strength), paper, contrast.MARK)
    for k, shape in enumerate(layout.get("shapes", ())):
        if shape["line"].get("width", 2):
            yield Seen(f"shape {k}", shape["line"]["color"], paper, contrast.MARK)


def _points(name: str, marker: dict, strength: float, paper: str) -> Iterator[Seen]:
    """Points by what is seen of them: of a ring and of a stroke their line, of what is filled the filling."""
    colours, edge = marker.get("color"), marker.get("line", {})
    if str(marker.get("symbol", "")).startswith("line-") or (isinstance(colours, str) and colours in (HOLLOW, paper)):
        colours = edge["color"]
    colours = [colours] if isinstance(colours, str) else list(colours)
    if "colorscale" in marker or "coloraxis" in marker:  # a scale, whose points lie on a map or have an edge
        return
    for colour in dict.fromkeys(map(str, colours)):
        yield Seen(f"points {name}", _faint(colour, strength), paper, contrast.MARK)


def _faint(colour: str, strength: float) -> str:
    r, g, b, *alpha = (
        palette.rgb([colour])[0].tolist() if colour.startswith("#") else map(float, re.findall(r"[\d.]+", colour))
    )
    return f"rgba({r:.0f},{g:.0f},{b:.0f},{strength * (alpha[0] if alpha else 1):g})"


def _each_font(font: dict) -> list[dict]:
    """A font whose colour and halo may be those of each point."""
    several = {name: list(value) for name, value in font.items() if not isinstance(value, str | int | float)}
    count = min(map(len, several.values()), default=1)
    return [font | {name: values[k] for name, values in several.items()} for k in range(count)]


def _behind(each: dict, paper: str) -> str:
    """What an annotation lies on: its own background as it looks on the page, its halo, or the page."""
    if each.get("bgcolor"):
        return "#" + bytes(np.rint(over(each["bgcolor"], paper)).astype(int).tolist()).hex()
    return _halo(each.get("font", {})) or paper


def _halo(font: dict) -> str | None:
    found = re.findall(r"#[0-9a-f]{6}", font.get("shadow") or "")
    return found[0] if found else None


def _cell(figure, each: dict) -> str | None:
    """The colour of the heat map's cell that an annotation stands in; None where it stands in none."""
    for trace in figure.data:
        if trace.type != "heatmap" or each.get("xref") == "paper" or each.get("yref") == "paper":
            continue
        x, y, z = list(trace.x), list(trace.y), np.array(trace.z, dtype=float)
        value = z[y.index(each["y"]), x.index(each["x"])]
        share = (value - trace.zmin) / ((trace.zmax - trace.zmin) or 1)
        return sample_colorscale([list(stop) for stop in trace.colorscale], [float(np.clip(share, 0, 1))])[0]
    return None
