"""Figures as they are sent, against ``drawn.json``: every size, place and word of some that show all there is.

What is meant to change is drawn anew by ``python -m tests.figures.test_drawn``; the change of ``drawn.json`` shows what
became of it. Long arrays stand there as their length, sum, first moment, lowest and highest value, long lists of words
as a few of them and a digest. Numbers may differ by rounding. Which colours there are is left to the palette, and what
becomes of them where nothing is known to the last test here.
"""

import hashlib
import json
import math
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from ltw_core.figures import (
    PlaneView,
    SurfacePanel,
    confusion_matrix,
    contours,
    f1_heatmap,
    label_places,
    palette,
    surface_grid,
    surfaces,
    theme,
)
from ltw_core.figures.f1_heatmap import HeatmapCell
from ltw_core.figures.panel_figure import fade
from ltw_core.figures.points import label_strength, marked_labels, marked_terms, place_labels, places, together
from ltw_core.figures.surfaces import _net, _Surfaces
from ltw_core.tasks import TermStatistics

OPAQUE, TRANSLUCENT = re.compile(r"#[0-9a-fA-F]{6}\b"), re.compile(r"rgba\(\d+,\d+,\d+,([\d.]+)\)")
DRAWN = Path(__file__).with_name("drawn.json")
LONG = 12
P, N = 0.05, 1000
POSITIVES = 50


def some_terms() -> TermStatistics:
    """Forty, of which some share a place."""
    k = np.arange(40)
    tp, fp = 1 + (k * k * 7) % 37, (k * 29) % 61
    tp[30:36], fp[30:36] = tp[3], fp[3]
    tp[36:38], fp[36:38] = tp[5], fp[5]
    return TermStatistics(np.array([f"term<{n}" if n % 9 == 0 else f"word{n}" for n in k]), tp, fp, POSITIVES, N)


TERMS = some_terms()
WEIGHTS = {"LTW-L-I": TERMS.tpr - 0.5 * TERMS.fpr, "χ²": (TERMS.tpr - TERMS.fpr) ** 2}


def panels_of(grid) -> list[SurfacePanel]:
    t, f = grid.tpr, grid.fpr
    apart, lies = np.linspace(0, 0.4, t.size).reshape(t.shape), np.where(t > 0.3, 1.0, 0.2)
    return [
        SurfacePanel("LTW-L-I", t - 0.5 * f, WEIGHTS["LTW-L-I"], "learned <1>", lies, apart),
        SurfacePanel("χ²", (t - f) ** 2, WEIGHTS["χ²"]),
        SurfacePanel("LTW-G-I", None, 0.5 - TERMS.fpr),
        SurfacePanel("RF", t / (f + 0.01)),
        SurfacePanel("IDF", 1 - f, subtitle="idf"),
    ]


SELECTED = ("word5", "word37", "word20")
VIEWS = {  # how many panels, whether there are terms, and the view
    "one": (1, True, {}),
    "large and small, in the dark": (
        *(5, True),
        {"hero": True, "base": "dark", "selected": SELECTED, "hover": WEIGHTS, "unit": "weights", "wires": True}
        | {"from_above": True, "labels": 3, "p": P, "title": "A <class>", "at_least": (-1.0, 2.0)},
    ),
    "in a column": (3, True, {"columns": 1, "width": 390, "uirevision": "mine", "heights": "peak", "title": "A"}),
    "two abreast": (3, True, {"columns": 2, "width": 690, "points": False, "labels": 0, "height": 640}),
    "without terms": (2, False, {"wires": True, "camera": {"eye": {"x": 1, "y": 2, "z": 3}}}),
    "small and pale": (2, True, {"height": 300, "faded": False, "width": 650, "selected": SELECTED[:1]}),
    "broad": (1, True, {"width": 1400, "height": 500, "limits": (-0.5, 0.75), "heights": "raw", "labels": 2}),
}


def panel_figures():
    for name, (count, with_terms, options) in VIEWS.items():
        for scale in ("linear", "log") if name == "one" else ("log",):
            terms = TERMS if with_terms else None
            rates = (TERMS.tpr, TERMS.fpr) if with_terms else (None, None)
            grid = surface_grid(*rates, P, N, size=9, scale=scale)
            for draw in (surfaces, contours):
                panels = panels_of(grid)[:count]
                if not with_terms:
                    panels = [SurfacePanel(panel.name, panel.z) for panel in panels]
                figure = draw.plain(panels, grid, terms, PlaneView(**options))
                yield f"{draw.__name__}, {name}, {scale}", {"data": figure.data, "layout": figure.layout}


def limits():
    """Scenes at the widths at which something changes: the layout alone."""
    grid = surface_grid(TERMS.tpr, TERMS.fpr, P, N, size=9)
    for size in ({"width": 699}, {"width": 700}, {"width": 400}, {"width": 401}, {"width": 600, "height": 550}):
        yield f"scene {size}", surfaces.plain(panels_of(grid)[:1], grid, TERMS, PlaneView(**size, labels=9)).layout


def tables():
    scores = [[0.5, np.nan, 0.9], [0.7, np.nan, 0.9], [0.45, np.nan, 0.65], [0.7, np.nan, np.nan]]
    methods, learners = ["TFIDF", "LTW-L-sigma", "own", "<b>"], ["SVM", "L<R", "KNN"]
    cells = [
        [HeatmapCell(0.01 * (r + 1), f"<br>{r} runs", f"{r}.{c}", [None, True, False][c - r]) for c in range(3)]
        for r in range(4)
    ]
    more = {"cells": cells, "chosen": (1, 2), "labels": {"own": "My <own>"}, "colours": {"own": "TFRF"}}
    yield "heat map", f1_heatmap.plain(scores, methods, learners)
    yield "heat map of means", f1_heatmap.plain(scores, methods, learners, base="dark", **more)
    yield "heat map of nothing", f1_heatmap.plain(np.zeros((0, 2)), [], ["SVM", "LR"])
    names = [f"class {k} of <many>" if k % 3 else f"c{k}" for k in range(61)]
    for size, options in (
        *((3, {"chosen": (0, 1)}), (6, {"narrow": True}), (7, {}), (8, {"narrow": True}), (9, {"narrow": True})),
        *((12, {"base": "dark"}), (13, {}), (24, {}), (25, {}), (60, {}), (61, {}), (61, {"narrow": True})),
    ):
        counts = np.arange(size * size).reshape(size, size) * 7 % 23 * (np.arange(size) % 5 > 0)[:, None]
        yield f"confusion of {size} {options}", confusion_matrix.plain(counts, names[:size], **options)
    sides, counts = ["true positives", "false negatives", "false positives"], [[5, 2, 1], [0, 1_200, 3]]
    for options in ({}, {"totals": [10, 5_000], "narrow": True}):
        yield f"sides {options}", confusion_matrix.plain(counts, names[:2], sides, **options)
    yield "no errors", confusion_matrix.plain([[2, 0], [0, 3]], ["a", "b"])
    yield "many columns", confusion_matrix.plain(np.ones((2, 13), int), names[:2], names[:13])


def points():
    for name, options in {
        "all": {},
        "some": {"keep": TERMS.tp > 9, "strength": WEIGHTS["χ²"] - 0.2},
        "none": {"keep": np.zeros(40, dtype=bool), "hover": WEIGHTS},
        "few": {"limit": 10, "hover": WEIGHTS, "unit": "weights"},
        "few strong": {"limit": 7, "strength": -TERMS.fp, "hover": {"tiny": 1e-12 * WEIGHTS["χ²"] + (TERMS.tp == 8)}},
    }.items():
        group = places(TERMS, **options)
        labels = {length: place_labels(TERMS, group, length).tolist() for length in (5, 12, 24)}
        yield name, {**group.__dict__, "labels": list(labels.values())}
    for count in (3_000, 3_001):  # the most that there are, and half of one more
        at = np.arange(count)
        many = TermStatistics(np.array([f"t{k}" for k in at]), at % 61, at // 61, 61, 200)
        yield f"of {count}", places(many).first
    yield "selected", marked_terms(TERMS, TERMS.tp > 9, {"word5", "word8", "nothing"})
    yield "as long as there is room for", [together(["a" * 11, "b" * n], 3) for n in (11, 12)]
    marked, labels = marked_labels(TERMS, np.array([37, 5, 20]))
    yield "marked", {"marked": marked, "labels": labels[[37, 5, 20]].tolist()}
    names = ["maize", "sorghum", "corn"]
    yield (
        "together",
        [together(names[:n], count, length) for n, count in ((1, 1), (2, 2), (3, 2_003)) for length in (13, 14)],
    )
    yield "strength", label_strength(WEIGHTS["LTW-L-I"] - 0.2, TERMS)


def every_figure() -> dict:
    found = dict(panel_figures())
    found |= dict(limits())
    found |= {name: {"data": figure.data, "layout": figure.layout} for name, figure in tables()}
    return {name: told(figure) for name, figure in (found | {f"points, {n}": p for n, p in points()}).items()}


# told, and compared ---------------------------------------------------------------------------------------------------


def told(value):
    """As JSON, and briefly."""
    if isinstance(value, dict):
        on_surface = value.get("colorscale") == [
            [0, "#000000"],
            [1, "#ffffff"],
        ]  # the ink of points: the palette's choice
        return {str(name): told(part) for name, part in value.items() if not (on_surface and name == "color")}
    if isinstance(value, str):
        return OPAQUE.sub("#", TRANSLUCENT.sub(r"rgba(\1)", value))
    if isinstance(value, np.ndarray):
        flat = value.ravel().tolist()
        return {"dtype": f"{value.dtype} {value.shape}"} | (
            _summary(flat) if len(flat) > LONG else {"values": told(value.tolist())}
        )
    if isinstance(value, tuple | list):
        many = 40 if value and isinstance(value[0], dict) else LONG  # traces and annotations
        return _summary(value) if len(value) > many else [told(part) for part in value]
    if isinstance(value, np.generic):
        value = value.item()
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _summary(values) -> dict:
    if all(isinstance(value, int | float | None) for value in values):
        numbers = [0.0 if value is None or value != value else float(value) for value in values]
        moment = sum(at * number for at, number in enumerate(numbers)) / len(numbers)
        gaps = len(values) - sum(value is not None and value == value for value in values)
        return {"n": len(values), "gaps": gaps, "numbers": told([sum(numbers), moment, min(numbers), max(numbers)])}
    if all(isinstance(value, str) and value.startswith("#") and len(value) == 7 for value in values):
        return {"n": len(values), "colours": "all"}
    brief = {"n": len(values), "some": [told(value) for value in values[:: -(-len(values) // 4)]]}
    if all(isinstance(value, str) for value in values):
        brief["digest"] = hashlib.sha256("\n".join(map(told, values)).encode()).hexdigest()[:8]
    return brief


def differences(found, kept, where=""):
    """Where one of ``told`` differs from another."""
    if isinstance(found, dict) and isinstance(kept, dict):
        for name in {**found, **kept}:
            yield from differences(found.get(name, "nothing"), kept.get(name, "nothing"), f"{where}.{name}")
    elif isinstance(found, list) and isinstance(kept, list) and len(found) == len(kept):
        for at, parts in enumerate(zip(found, kept, strict=True)):
            yield from differences(*parts, f"{where}[{at}]")
    elif isinstance(found, float) and isinstance(kept, float | int) and not isinstance(kept, bool):
        if not math.isclose(found, kept, rel_tol=1e-4, abs_tol=1e-5):
            yield f"{where}: {found} and not {kept}"
    elif found != kept or isinstance(found, bool) != isinstance(kept, bool):
        yield f"{where}: {found!r} and not {kept!r}"


@pytest.fixture(scope="module")
def kept():
    return json.loads(DRAWN.read_text(encoding="utf-8"))


def test_figures_are_drawn_as_they_were(kept):
    found = json.loads(json.dumps(every_figure()))
    changed = list(differences(found, kept))
    assert not changed, "\n".join(["if that is meant: python -m tests.figures.test_drawn", *changed[:20]])


def test_a_difference_is_seen(kept):
    name = next(iter(kept))
    for change, told_of in (
        (lambda figure: figure["layout"].update(height=1.0), f".{name}.layout.height: "),
        (lambda figure: figure["data"].pop(), f".{name}.data: "),
        (lambda figure: figure["data"][0].update(flatshading=0), f".{name}.data[0].flatshading: 0 and not False"),
    ):
        other = json.loads(json.dumps(kept))
        change(other[name])
        (found,) = differences(other, kept)
        assert found.startswith(told_of)


def test_a_surface_loses_its_colour_where_nothing_is_known():
    grid = surface_grid(TERMS.tpr, TERMS.fpr, P, N, size=9)
    sure, unsure = SurfacePanel("χ²", grid.tpr - grid.fpr, WEIGHTS["χ²"]), panels_of(grid)[0]
    for panel, view, veil in (
        (sure, PlaneView(faded=False), np.zeros((9, 9))),
        (sure, PlaneView(), fade(grid, 0.92)),
        (unsure, PlaneView(faded=False), 0.92 * unsure.uncertain),
        (unsure, PlaneView(base="dark"), np.maximum(fade(unsure.grid(grid), 0.92), 0.92 * unsure.uncertain)),
    ):
        made = _Surfaces([panel], grid, TERMS, view)
        common, z = made.common, made.common.z[0]
        whole = palette.paint(z, common.colours, common.cmin, common.cmax).reshape(-1, 3)
        left = 1 - veil.reshape(-1, 1)
        painted = palette.hex_colours(whole * left + palette.rgb([theme.ink(view.base).faded]) * (1 - left))
        assert made._vertex_colours(panel, panel.grid(grid), z) == painted


@pytest.mark.parametrize("shape", [(9, 9), (8, 8), (30, 12), (4, 30)])
def test_the_wires_of_a_surface_are_one_line_without_a_gap(shape):
    path = np.stack(_net(*shape), axis=1)
    steps = np.abs(np.diff(path, axis=0)).sum(axis=1)
    assert path.min(axis=0).tolist() == [0, 0] and path.max(axis=0).tolist() == [shape[0] - 1, shape[1] - 1]
    assert steps.max() == 1 and (steps == 0).sum() == 1  # where the lines across begin
    for axis in (0, 1):
        lines = np.unique(np.linspace(0, shape[axis] - 1, 9).round())
        whole = [
            line for line in range(shape[axis]) if len(set(path[path[:, axis] == line, 1 - axis])) == shape[1 - axis]
        ]
        assert set(lines) <= set(whole) and (min(shape) < 9 or whole == lines.tolist())


def test_names_have_the_room_that_the_page_leaves_them(monkeypatch):
    asked = []

    def area(across, up, size, **more):
        asked.append((across, up, size))
        return label_places.LabelArea(across, up, size, **more)

    grid = surface_grid(TERMS.tpr, TERMS.fpr, P, N, size=9)
    monkeypatch.setattr(sys.modules["ltw_core.figures.contours"], "LabelArea", area)
    contours.plain(panels_of(grid)[:1], grid, TERMS, PlaneView(width=700, height=500))
    contours.plain(panels_of(grid)[:2], grid, TERMS, PlaneView(width=700, height=500))
    sizes = [(700 - 64, 0.985 * 376), *[(0.485 * (700 - 64), 0.985 * 376)] * 2]
    assert [size for *_, size in asked] == [pytest.approx(size) for size in sizes]
    assert {about[:2] for about in asked} == {(grid.x.limits, grid.y.limits)}


if __name__ == "__main__":
    figures = []
    for name, figure in every_figure().items():
        parts = figure if isinstance(figure, dict) else {"": figure}
        traces = ",\n   ".join(json.dumps(trace, ensure_ascii=False) for trace in parts.get("data", []))
        rest = {part: value for part, value in parts.items() if part != "data"}
        figures.append((name, traces, rest, figure))
    with DRAWN.open("w", encoding="utf-8") as file:  # a trace a line, so that a change is seen
        for at, (name, traces, rest, figure) in enumerate(figures):
            whole = json.dumps(rest, ensure_ascii=False) if isinstance(figure, dict) else json.dumps(figure)
            file.write(f"{'{' if not at else ','}{json.dumps(name, ensure_ascii=False)}: ")
            file.write(f'{{"data": [\n   {traces}],\n {whole[1:]}\n' if traces else f"{whole}\n")
        file.write("}\n")
