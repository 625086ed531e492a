"""Figures of what changes: a bump chart, curves over steps, and the frames of a surface."""

import base64
import re
import zlib

import numpy as np
import pytest

from ltw_core.figures import PlaneView, SurfacePanel, bump_chart, curves_over_steps, palette, surface_grid, theme
from ltw_core.figures.bump_chart import MOVERS, movers
from ltw_core.figures.frames import STEPS, surface_frames
from ltw_core.figures.sweep import sweep
from ltw_core.figures.turntable import LEVELS, turntable
from ltw_core.tasks import TermStatistics

TERMS = TermStatistics(np.array(["for", "both", "against"]), np.array([9, 5, 1]), np.array([1, 5, 9]), 10, 100)
GRID = surface_grid(TERMS.tpr, TERMS.fpr, 0.1, 100, size=8)


def panel(factor):
    return SurfacePanel("LTW-L-I", factor * GRID.tpr, factor * TERMS.tpr)


def test_what_moves_in_a_bump_chart_is_bold_and_dashed_where_it_falls():
    first, other = [1, 2, 3, 4, 5, 6], [5, 2, 1, 3, 4, 6]
    assert movers([first, other]).tolist() == [1, 0, 0, 0, 0, 0]  # the third differs by two
    assert movers([other, first]).tolist() == [-1, 0, 0, 0, 0, 0]
    many = [np.arange(1, 21), np.arange(20, 0, -1)]
    assert np.abs(movers(many)).sum() == MOVERS and movers([first]).tolist() == [0] * 6
    figure = bump_chart(["A", "B"], list("abcdef"), [first, other], [first, other], total=9)
    lines = {trace.name: trace.line.color for trace in figure.data[:-1]}
    assert lines["a"] == theme.ink("light").text and len({lines[name] for name in "bcdef"}) == 1
    assert [trace.name for trace in figure.data[:-1]][-1] == "a"  # above the others
    between = bump_chart(["A", "B", "C"], list("abcdef"), [first, other, other], [first, other, other], total=9)
    named = {note.text for note in between.layout.annotations if note.x == 1}
    assert named == {term for term, moves in zip("abcdef", movers([first, other, other]), strict=True) if moves}
    three = ["A", "B", "C"], list("abcdef"), [first, other, other], [first, other, other]
    narrow = bump_chart(*three, total=9, narrow=True)
    assert narrow.layout.margin.l < figure.layout.margin.l and 1 not in [n.x for n in narrow.layout.annotations]


def test_a_name_between_columns_stands_beside_its_point_and_interrupts_its_own_line_alone():
    same, far = [1, 2, 3, 4], [1, 2, 93, 94]
    figure = bump_chart(["A", "B", "C"], list("abcd"), [same, same, [2, 3, 4, 1]], [same, far, far], total=99)
    notes = {note.text[0]: note for note in figure.layout.annotations if note.x == 1}
    assert {name: (note.xanchor, note.y) for name, note in notes.items()} == {"c": ("left", 3), "d": ("left", 4)}
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    for line, place in zip(sorted(lines, key=lambda line: line.name), same, strict=True):
        np.testing.assert_allclose(line.y[(line.x >= 1) & (line.x <= 1.3)], place)  # level where names stand


def test_a_bump_chart_goes_through_every_position():
    figure = bump_chart(["A", "B"], ["x", "y"], [[1, 2], [2, 1]], [[1, 7], [9, 3]], total=10, selected=["y"])
    lines = {t.name: t for t in figure.data if t.mode == "lines"}
    assert (lines["x"].y[0], lines["x"].y[-1]) == (1, 2) and (lines["y"].y[0], lines["y"].y[-1]) == (2, 1)
    assert lines["x"].y.min() >= 1 and lines["x"].y.max() <= 2  # and never overshoots
    assert lines["y"].line.color == theme.ink().selected != lines["x"].line.color
    (points,) = [t for t in figure.data if t.mode == "markers"]
    assert list(points.text) == ["x", "y", "x", "y"]
    assert [tuple(c) for c in points.customdata] == [("A", 1), ("A", 7), ("B", 9), ("B", 3)]
    # a rank among all terms that is not the place among these stands beside the name
    told = [re.sub("<.*?>", "", note.text) for note in figure.layout.annotations]
    assert told == ["x", "x 9", "7 y", "y 3"]
    with pytest.raises(ValueError, match="shape"):
        bump_chart(["A"], ["x"], [[1, 2]], [[1, 2]], total=2)


def test_a_course_marks_the_step_that_was_kept():
    figure = curves_over_steps([100, 200], {"χ²": [0.1, 0.9]}, best_step=100, title="Nearness", unit="R²")
    np.testing.assert_allclose(figure.data[0].y, [0.1, 0.9], rtol=1e-6)
    assert any(s.x0 == 100 for s in figure.layout.shapes)
    assert "200 steps" in theme.alt(figure)


def unpacked(text, frames):
    return np.frombuffer(base64.b64decode(text), "<u2").reshape(frames, -1).astype(float)


def test_frames_hold_every_moment_at_one_scale():
    frames = surface_frames([panel(1.0), panel(2.0), panel(4.0)], GRID, TERMS, PlaneView(selected=["for"]), start=1)
    data = frames.data
    span = (data["high"] - data["low"]) / STEPS
    heights = data["low"] + span * unpacked(data["z"], 3)
    for k, factor in enumerate((1.0, 2.0, 4.0)):
        truth = np.clip(factor * GRID.tpr, data["low"], data["high"]).ravel()
        np.testing.assert_allclose(heights[k], truth, atol=span)
    marked = data["low"] + span * unpacked(data["labels"], 3)  # the selected term's dot, and its name
    np.testing.assert_allclose(marked, np.outer([0.9, 1.8, 3.6], [1, 1]), atol=span)
    assert frames.alts[1] == frames.figure.alt and len(frames.alts) == 3
    # the figure is the moment it starts with: the same heights, at the same scale
    shown = frames.figure.figure()
    mesh = shown.data[data["traces"]["LTW-L-I"]]
    np.testing.assert_allclose(mesh.z, heights[1], atol=span)
    assert tuple(shown.layout.meta["z_range"]) == (data["low"], data["high"])
    points = shown.data[data["traces"]["terms"]]
    assert unpacked(data["points"], 3).shape[1] == len(points.z)
    np.testing.assert_allclose(
        points.z, data["low"] + span * unpacked(data["points"], 3)[1] + data["lift"], atol=2 * span
    )


def test_names_move_with_their_terms():
    frames = surface_frames([panel(1.0), panel(2.0), panel(4.0)], GRID, TERMS, PlaneView(labels=2), start=1)
    notes, data = frames.figure.layout["scene"]["annotations"], frames.data
    assert notes and not set(map(str, TERMS.terms)).isdisjoint(note["text"] for note in notes)
    heights = data["low"] + (data["high"] - data["low"]) / STEPS * unpacked(data["labels"], 3)
    named = [int(note["name"]) for note in notes]
    assert [note["text"] for note in notes] == [TERMS.terms[k] for k in named]
    np.testing.assert_allclose([note["z"] for note in notes], heights[1] + data["lift"], atol=1e-3)
    np.testing.assert_allclose(heights, np.outer([1, 2, 4], TERMS.tpr[named]), atol=1e-3)


def test_what_lies_beyond_the_limits_is_cut_and_told_as_it_is():
    view, moments = PlaneView(limits=(0.0, 0.6)), [panel(1.0), panel(0.5)]
    frames = surface_frames(moments, GRID, TERMS, view, start=1)
    assert (frames.data["low"], frames.data["high"]) == (0.0, 0.6)
    assert unpacked(frames.data["z"], 2)[0].max() == STEPS  # 0.9 and more
    uncut = surface_frames(moments, GRID, TERMS, PlaneView(), start=1)
    assert frames.alts == uncut.alts


def test_frames_without_a_surface_move_points_alone():
    moments = [SurfacePanel("LTW-G-I", None, f * TERMS.tpr) for f in (1.0, 2.0)]
    data = surface_frames(moments, GRID, TERMS, PlaneView(), start=0).data
    assert "z" not in data and unpacked(data["points"], 2).shape[1] == 3


def test_ink_is_light_on_dark_and_dark_on_light():
    scale = ["#000000", "#ffffff"]
    np.testing.assert_array_equal(palette.on_dark([0.0, 1.0], scale, 0, 1), [True, False])
    inks, halos = palette.ink_on([0.0, 1.0], scale, 0, 1)
    assert inks == ["#ffffff", "#000000"] and halos == ["#12151a", "#ffffff"]
    assert palette.dots_on([0.0, 1.0], scale, 0, 1)["color"].tolist() == [1, 0]


def test_panels_with_support_of_their_own_fade_by_it():
    from ltw_core.figures import surfaces

    nowhere, everywhere = (np.full(GRID.tpr.shape, v) for v in (0.0, 1.0))
    square = surface_grid(region="square", scale="linear", size=8)
    panels = [SurfacePanel(n, square.tpr, None, "", s) for n, s in (("a", nowhere), ("b", everywhere))]
    first, second = (t for t in surfaces(panels, square).data if t.type == "mesh3d")
    spread = [np.ptp(palette.rgb(mesh.vertexcolor), axis=0).max() for mesh in (first, second)]
    assert spread[0] < 25 < 150 < spread[1]  # greys where nothing supports it, the whole scale where all does


def test_a_word_has_the_colour_of_the_surface_at_its_term():
    two = [panel(1.0), SurfacePanel("RF", -0.5 * GRID.tpr, -0.5 * TERMS.tpr)]
    frames, words = turntable(two, GRID, TERMS, PlaneView(labels=1), start=0)
    told = words.told(["for", "against", "unknown"])
    assert set(told) == {"for", "against"} and told["for"]["tp"] == 9 and told["for"]["fn"] == 1
    # each is scaled to its strongest term, "for" with tpr .9; "against" has a ninth of it
    np.testing.assert_allclose(told["for"]["z"], [1, -1], atol=1e-3)
    np.testing.assert_allclose(told["against"]["z"], [1 / 9, -1 / 9], atol=1e-3)
    for base in ("light", "dark"):
        colours, inks = words.shades(base)
        assert len(colours) == len(inks) == LEVELS
        scale = palette.scale_for(frames.data["low"], frames.data["high"], base)
        for word in told.values():
            for height, shade in zip(word["z"], word["shade"], strict=True):
                assert np.abs(palette.rgb([colours[shade]]) - palette.paint([height], *scale)).max() < 4
    (named,) = frames.data["named"]
    assert named["text"] == "for" and named["z"] == told["for"]["z"]
    assert not any("hovertemplate" in trace for trace in frames.figure.data)


def test_a_sweep_holds_the_figure_at_every_place_of_a_slider():
    # two panels at three places; each panel is scaled to its largest, and the second grows with the place
    moments = [[panel(1.0), SurfacePanel("RF", GRID.tpr**k, TERMS.tpr**k)] for k in (1, 2, 3)]
    found = sweep(moments, moments[0], GRID, TERMS, PlaneView(heights="peak"))
    packed = np.frombuffer(zlib.decompress(base64.b64decode(found["packed"])), np.uint8).astype(float)
    unit = (found["high"] - found["low"]) / 255
    size = GRID.tpr.size
    sheets = found["low"] + unit * packed[: 3 * 2 * size].reshape(3, 2, size)
    points = found["low"] + unit * packed[3 * 2 * size :].reshape(3, 2, 3)
    assert found["points"] == [3, 3] and (found["panels"], found["places"]) == (2, 3)
    np.testing.assert_allclose(sheets[:, 0] - sheets[0, 0], 0, atol=unit)
    for place, k in enumerate((1, 2, 3)):
        truth = np.clip((GRID.tpr / 0.9) ** k, found["low"], found["high"]).ravel()  # the strongest term has tpr .9
        np.testing.assert_allclose(sheets[place, 1], truth, atol=unit)
        np.testing.assert_allclose(np.sort(points[place, 1]), (np.array([1, 5, 9]) / 9) ** k, atol=unit)
