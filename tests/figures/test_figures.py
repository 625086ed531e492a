"""Structure of every figure: it is JSON without NaN, small, described, themed; surfaces are alike in all but shape."""

import base64
import itertools
import json
import re
import tracemalloc

import numpy as np
import pytest

from ltw_core.figures import (
    CANONICAL,
    PlaneView,
    SurfacePanel,
    TrainingCurve,
    asked,
    confusion_matrix,
    contours,
    contrast,
    dd_curves,
    f1_comparison,
    f1_differences,
    f1_drawn,
    f1_heatmap,
    formula_front,
    html,
    likeness_map,
    likeness_matrix,
    likeness_scale,
    overlay,
    palette,
    prevalence,
    score_parts,
    slices,
    surface_grid,
    surfaces,
    term_map,
    terms_of,
    theme,
    top_terms,
    training,
)
from ltw_core.figures.curves import smooth
from ltw_core.figures.f1_heatmap import HeatmapCell
from ltw_core.figures.likeness import ROW, _named
from ltw_core.figures.lines import name_above
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.points import MOST_IN_SVG, flat_kind, places
from ltw_core.figures.theme import FAR_BEHIND
from ltw_core.insight import slice_points
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.functions import CD

P, N = 0.02, 9603


def some_terms(count=400, seed=0) -> TermStatistics:
    rng = np.random.default_rng(seed)
    positives, negatives = round(P * N), N - round(P * N)
    tp = rng.binomial(positives, np.exp(rng.uniform(np.log(0.004), np.log(0.6), count)))
    fp = rng.binomial(negatives, np.exp(rng.uniform(np.log(0.0001), np.log(0.2), count)))
    names = np.array([f"term{k}" for k in range(count)])
    return TermStatistics(names, tp, fp, positives, N)


def weights_of(terms) -> dict:
    return {"LTW-L-I": terms.tpr - 0.5 * terms.fpr, "χ²": (terms.tpr - terms.fpr) ** 2}


def drawn(kind, terms=None, region="terms", scale="log", **options):
    terms = some_terms() if terms is None else terms
    grid = surface_grid(terms.tpr, terms.fpr, P, N, region=region, scale=scale, size=30)
    t, f, weights = grid.tpr, grid.fpr, weights_of(terms)
    panels = [
        SurfacePanel("LTW-L-I", t - 0.5 * f, weights["LTW-L-I"], "learned"),
        SurfacePanel("χ²", (t - f) ** 2, weights["χ²"]),
        SurfacePanel("RF", t / (f + 0.01)),
    ]
    return kind(panels, grid, terms, PlaneView(P, "Reuters · corn", hover=weights, **options))


def every_figure(base):
    history = [(100 * k, 1 / (k + 1), min(0.1 * k, 0.7)) for k in range(12)]
    curve = TrainingCurve("<b>", history)
    return {
        "surfaces": drawn(surfaces, base=base),
        "surfaces from above": drawn(surfaces, diagonal=True, from_above=True, base=base),
        "contours": drawn(contours, base=base),
        "training": training(history, best_step=700, stop_reason="It stopped.", smoothing=0.5, base=base),
        "training before anything": training([], base=base),
        "training without validation": training([(100, 0.5, None), (200, 0.4, float("nan"))], base=base),
        "overlay": overlay([curve, TrainingCurve("seed 1", history[:5], "LTW-L-sigma")], base=base),
        "overlay with mean": overlay([curve], mean=history, smoothing=0.6, log_loss=True, base=base),
        "overlay of nothing": overlay([], log_step=True, base=base),
        "prevalence": prevalence(["a", "b", "c"], [5, 50, 1], 100, selected="b", base=base),
        "f1": f1_comparison({"LogTFIDF": 0.8, "LTW-L-I": 0.9}, error={"LTW-L-I": 0.01}, base=base),
        "parts": score_parts({"a<b": 0.3, "": -0.1}, before={"a<b": 0.2, "": 0.0}, base=base),
        "parts alone": score_parts({"a<b": 0.3, "c": -0.1}, about="score", row=40, base=base),
        "asked": asked(["a<b", "c"], "F1", (0, 1), base=base),
        "differences of F1": f1_differences({"a<b": (0.1, -0.1, 0.2), "c": (0.2, 0.1, 0.3)}, base=base),
        "drawn": f1_drawn(np.linspace(0.7, 0.9, 200), 0.8, (0.6, 1.0), base=base),
        "drawn once": f1_drawn(np.array([0.7]), 0.8, (0.6, 1.0), base=base),
        "drawn never": f1_drawn(np.array([]), 0.9, (0.0, 1.0), base=base),
        "top": top_terms(["a", "b", "c"], [1.0, -2.0, 0.5], base=base),
        "top that moved": top_terms(["a", "b", "c"], [1.0, -2.0, 0.5], before=[1.0, 0.1, 3.0], base=base),
        "map": mapped(base=base),
        "likeness": likeness_scale(["CHI2", "a<b"], [0.86, 0.7], zero=0.74, ceiling=(0.93, 0.95), base=base),
        "likeness map": likeness_map(
            ["a<b", "RF", "mine"], [[0, 0], [1, 0], [0.2, 0.5]], scores={"RF": 0.9}, kinds={"mine": "this"}, base=base
        ),
        "likeness map of nothing": likeness_map([], np.zeros((0, 2)), base=base),
        "likeness matrix": likeness_matrix(["a<b", "RF"], [[1, 0.3], [0.3, 1]], base=base),
        "slices": slices(*some_slice(), along="tpr", at=0.01, scale="log", rug=[0.01, 0.02], p=P, base=base),
        "dd": dd_curves(range(20), {"f": np.arange(20), "1 + log f": np.log1p(np.arange(20))}, base=base),
        "confusion": confusion_matrix([[3, 1], [0, 2]], ["a<b", "c"], chosen=(0, 1), base=base),
        "heat map": f1_heatmap([[0.5, np.nan], [0.7, 1.0]], ["TFIDF", "LTW-L-sigma"], ["SVM", "LR"], base=base),
    }


def test_points_of_the_likeness_map_that_hide_each_other_have_one_label():
    points = ["mine", "GR", "RF", "IG"], [[0, 0], [1, 0], [2, 1], [1, 0]]
    for kind, named in (("formula", "GR, IG"), ("alike", "IG, GR")):  # what is said beside it is named first
        figure = likeness_map(*points, kinds={"mine": "this", "IG": kind})
        assert [note.text for note in figure.layout.annotations] == ["<b>mine</b>", named, "RF", "Near means alike"]


def test_points_of_the_likeness_map_show_how_far_they_lie_behind_and_none_looks_as_if_it_had_no_score():
    scores = {"best": 0.9, "near": 0.87, "far": 0.3}
    places = np.arange(8).reshape(4, 2)
    known, unknown = likeness_map([*scores, "none"], places, scores=scores, far=FAR_BEHIND).data
    assert known.marker.color == pytest.approx((0, 0.03, 0.6)) and known.marker.cmax == FAR_BEHIND
    near = likeness_map(["best", "near"], places[:2], scores=scores, far=FAR_BEHIND).data[0].marker  # the range in view
    assert near.cmax == pytest.approx(0.03)
    page = palette.PAPER["light"]
    assert page not in [colour for _, colour in known.marker.colorscale] and unknown.marker.symbol[0].endswith("-open")
    plain = likeness_map([*scores, "none"], places, scores=scores).data[0]  # of another kind than F1
    assert plain.marker.color == pytest.approx(tuple(scores.values())) and plain.marker.cmax > 0.9


def mapped(**options):
    terms = some_terms()
    grid = surface_grid(terms.tpr, terms.fpr, P, N, size=30)
    weights = weights_of(terms)
    chi2 = SurfacePanel("χ²", (grid.tpr - grid.fpr) ** 2, weights["χ²"])
    view = PlaneView(P, "Reuters · corn", hover=weights, **options)
    return term_map(terms, grid, view, iso=[chi2])


def some_slice():
    running, tpr, fpr = slice_points("tpr", 0.01, scale="log")
    return running, {"χ²": (tpr - fpr) ** 2, "learned": np.where(tpr > 0.5, np.inf, tpr), "mine": tpr}


def arrays_of(node):
    """Every packed array in a figure's JSON."""
    if isinstance(node, dict):
        if "bdata" in node:
            kind = {"f4": np.float32, "f8": np.float64, "u1": np.uint8, "u2": np.uint16}
            kind |= {"i1": np.int8, "i2": np.int16, "i4": np.int32, "u4": np.uint32}
            yield np.frombuffer(base64.b64decode(node["bdata"]), kind[node["dtype"]])
        else:
            for value in node.values():
                yield from arrays_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from arrays_of(value)


@pytest.mark.parametrize("base", ["light", "dark"])
def test_every_figure_is_clean_small_themed_and_described(base):
    for name, figure in every_figure(base).items():
        text = figure.to_json()
        assert not re.search(r"\b(NaN|Infinity)\b", text), name
        for array in arrays_of(json.loads(text)["data"]):
            assert np.isfinite(array).all(), name
        assert len(text) < 500_000, (name, len(text))
        assert theme.alt(figure).endswith("."), name
        assert len(theme.alt(figure)) > 20, name
        assert figure.layout.uirevision, name
        assert figure.layout.template.layout.paper_bgcolor == theme.ink(base).paper, name
        assert "$" not in (figure.layout.title.text or ""), name
        assert "select" not in (figure.layout.clickmode or ""), name  # plotly would fade all that was not clicked


def test_scenes_share_axes_camera_and_colours():
    layout = drawn(surfaces).layout
    scenes = [layout[k] for k in ("scene", "scene2", "scene3")]
    for scene in scenes[1:]:
        assert scene.camera == scenes[0].camera
        assert scene.aspectratio == scenes[0].aspectratio
        for axis in ("xaxis", "yaxis", "zaxis"):
            assert scene[axis].range == scenes[0][axis].range
            assert scene[axis].tickvals == scenes[0][axis].tickvals
    assert scenes[0].domain.x[1] <= scenes[1].domain.x[0]
    assert layout.coloraxis.cmin < layout.coloraxis.cmax


def test_the_floor_lies_below_the_surfaces():
    layout = drawn(surfaces).layout
    assert layout.scene.zaxis.range[0] < layout.meta["z_range"][0]  # else its grid comes through them


def test_classes_are_points_on_a_log_axis_and_bars_on_a_linear_one():
    log, linear = (prevalence(["a", "b", "c"], [5, 50, 1], 100, selected="b", log=kind) for kind in (True, False))
    targets, points = log.data
    assert (targets.type, points.type, log.layout.showlegend) == ("bar", "scatter", False)
    assert targets.marker.opacity == 0 and list(targets.x) == [50, 5, 1]
    assert dict(zip(points.y, points.x, strict=True)) == {0: 50, 1: 5, 2: 1} and points.y[-1] == 0  # selected: on top
    assert points.marker.size[-1] > points.marker.size[0] and points.customdata[-1][0] == "b"
    (bars,) = linear.data
    assert bars.type == "bar" and bars.marker.opacity == 1
    assert len(set(bars.marker.color)) == 2 and list(bars.x) == [50, 5, 1]


def test_few_classes_are_rows_with_names_and_many_stand_side_by_side():
    few, many = (prevalence([f"class {k}" for k in range(n)], range(1, n + 1), 100).layout for n in (3, 60))
    assert few.yaxis.ticktext[0] == "class 2" and few.yaxis.range[0] > few.yaxis.range[1]  # the largest first, above
    assert few.xaxis.type == "log" and many.yaxis.type == "log" and not many.xaxis.ticktext
    assert [a.text for a in many.annotations] == ["class 59", "class 0"]  # of many the first and the last are named
    assert {"2%", "5%"} <= {*many.yaxis.ticktext}


def test_prevalence_and_panel_names_are_shown():
    for kind in (surfaces, contours):
        layout = drawn(kind).layout
        assert "Pr(c) = 2%" in layout.title.text
        captions = " ".join(a.text for a in layout.annotations)
        assert all(name in captions for name in ("LTW-L-I", "χ²", "RF"))


def test_hover_tells_counts_and_each_weight():
    terms = some_terms()
    trace = next(t for t in drawn(surfaces, terms).data if t.name == "terms")
    for part in (
        "in %{customdata[0]:,} of the class’s documents, not in %{customdata[2]:,}",
        "in %{customdata[1]:,} of the others, not in %{customdata[3]:,}",
        "LTW-L-I",
        "χ²",
    ):
        assert part in trace.hovertemplate
    first = terms_of(trace.text[0])[0]
    index = list(terms.terms).index(first)
    row = trace.customdata[0]
    assert (row[0], row[1], row[2], row[3]) == (terms.tp[index], terms.fp[index], terms.fn[index], terms.tn[index])
    assert row[4] == terms.document_frequency[index]
    own = weights_of(terms)["LTW-L-I"]  # told in the unit of the axes: several panels are each drawn by their peak
    assert "<i>weight (largest in view = 1)</i>" in trace.hovertemplate
    inside = surface_grid(terms.tpr, terms.fpr, P, N, scale="log", size=30).inside(terms.tpr, terms.fpr)
    assert row[7] == pytest.approx(own[index] / np.abs(own[inside]).max(), rel=1e-5)
    plainly = next(t for t in drawn(surfaces, terms, heights="rms").data if t.name == "terms")
    assert plainly.customdata[0][7] == pytest.approx(own[index]) and "largest in view" not in plainly.hovertemplate


def test_large_weights_are_told_without_exponents_and_what_rounding_left_of_zero_as_zero():
    terms = some_terms()
    weights = np.where(np.arange(len(terms)) % 2, 5830.0, 1e-13)
    found = places(terms, None, 1000, hover={"χ²": weights})
    assert ".3~r" in places(terms, hover={"χ²": weights / 100}).hover  # decimals where the largest is below 100
    assert (
        "mean square" not in found.hover
        and "(mean square = 1)" in places(terms, hover={"χ²": weights}, unit=CANONICAL).hover
    )
    assert found.hover.count(":,.0f") == 1 and set(found.numbers[:, 7].tolist()) == {0.0, 5830.0}


def test_terms_at_one_place_are_one_point_that_names_them():
    same = np.ones(6, dtype=int)
    terms = TermStatistics(np.array(list("abcdef")), same * 10, same * 20, 100, 200)
    grid = surface_grid(terms.tpr, terms.fpr, 0.5, 200, region="square", scale="linear", size=8)
    figure = contours([SurfacePanel("IG", np.abs(grid.tpr - grid.fpr))], grid, terms)
    (trace,) = [t for t in figure.data if t.name == "terms"]
    assert len(trace.x) == 1
    assert trace.text[0] == "a, b, c, d, +2 more"
    assert terms_of(trace.text[0]) == ["a", "b", "c", "d"]
    assert "no terms: extrapolated" in [note.text for note in figure.layout.annotations]


def test_few_points_of_a_map_are_drawn_below_the_names_of_terms():
    kinds = [trace.type for trace in drawn(contours).data if trace.name in ("terms", "strongest")]
    assert kinds[:2] == ["scatter", "scatter"]  # of one layer, the points first
    assert flat_kind(MOST_IN_SVG) == "scatter" and flat_kind(MOST_IN_SVG + 1) == "scattergl"


def test_numbers_at_a_small_maps_axes_keep_apart():
    axes = drawn(contours, columns=3, width=380, height=200).layout
    for axis, least in ((axes.xaxis, 0.35), (axes.yaxis, 0.15)):
        assert len(axis.tickvals) > 1 and np.diff(axis.tickvals).min() > least * np.ptp(axis.range)


def test_f1_of_weightings_fills_its_axis():
    axis = f1_comparison({"TFRF": 0.90, "LTW-L-I": 0.92}, intervals={"TFRF": (0.88, 0.93)}).layout.xaxis
    assert 0.8 < axis.range[0] < 0.88 and axis.range[1] > 0.93
    assert all(0.86 <= tick <= 0.96 for tick in axis.tickvals) and len(axis.tickvals) > 2


def test_where_no_terms_lie_the_colour_is_gone():
    figure, plain = (
        drawn(surfaces, region="square", scale="linear"),
        drawn(surfaces, region="square", scale="linear", faded=False),
    )
    faded = palette.rgb(figure.data[0].vertexcolor)[-1]  # the corner (1, 1)
    towards = palette.rgb([theme.ink("light").faded])[0]
    assert np.abs(faded - towards).max() < 25
    assert np.abs(palette.rgb(plain.data[0].vertexcolor)[-1] - towards).max() > 25
    assert "extrapolate" in " ".join(a.text for a in figure.layout.annotations)


def test_a_net_and_the_diagonal_lie_on_the_surface_and_the_camera_can_stand_higher():
    figure = drawn(surfaces, region="square", scale="linear", diagonal=True, from_above=True)
    lines = [t for t in figure.data if t.name == "tpr = fpr" and t.scene == "scene2"]  # of (tpr - fpr)², which is 0
    assert len(lines) == 1 and np.allclose(lines[0].x, lines[0].y)
    low, high = figure.layout.meta["z_range"]
    assert np.abs(lines[0].z).max() < 0.02 * (high - low)
    net = next(t for t in figure.data if t.type == "surface").contours
    for axis in (net.x, net.y):  # from edge to edge, or a pale surface would have none
        at = np.arange(axis.start, axis.end, axis.size)
        assert (
            axis.show and at.size == 9 and at[0] == pytest.approx(0, abs=2e-3) and at[-1] == pytest.approx(1, abs=2e-3)
        )
    usual = drawn(surfaces).layout.scene.camera.eye
    eye = figure.layout.scene.camera.eye
    assert eye.z > 1.4 * usual.z and np.hypot(eye.x, eye.y) < np.hypot(usual.x, usual.y)
    assert not [t for t in drawn(surfaces).data if t.name == "tpr = fpr"]


def test_heights_compare_shapes_or_sizes():
    by_peak = drawn(surfaces, heights="peak", region="square", scale="linear")
    tops = [np.max(t.z) for t in by_peak.data if t.type == "mesh3d"]
    assert tops == pytest.approx([1, 1, 1])
    as_given = drawn(surfaces, heights="rms", region="square", scale="linear")
    tops = [np.max(t.z) for t in as_given.data if t.type == "mesh3d"]
    assert tops[2] > 50 * tops[1]


@pytest.mark.parametrize("base", ["light", "dark"])
@pytest.mark.parametrize("low, high", [(-1, 4), (0, 4), (-0.05, 4), (-3, 0), (-3, 1e-6), (-1e-6, 1), (0.5, 2), (0, 0)])
def test_weights_have_one_ramp_whose_zero_is_the_page(low, high, base):
    colours, cmin, cmax = palette.scale_for(low, high, base)
    assert cmin <= min(low, 0)
    assert cmax >= max(high, 0)
    at = lambda value: palette.hex_colours(palette.paint([value], colours, cmin, cmax))[0]  # noqa: E731
    assert at(0.0) == theme.ink(base).paper
    reach = max(-cmin, cmax)
    whole = palette.DIVERGING[base]
    end = high if -low < high else low  # the further end of the ramp
    assert np.abs(palette.paint(end, colours, cmin, cmax) - palette.paint(end, whole, -reach, reach)).max() < 3


def test_the_ramp_is_the_same_before_and_after_a_first_negative_weight():
    before, after = (palette.scale_for(low, 4) for low in (0, -0.3))
    for value in (0.5, 1, 2, 4):
        assert np.abs(palette.paint(value, *before) - palette.paint(value, *after)).max() < 2


def test_what_is_not_computed_yet_is_a_dash_in_its_column():
    empty = f1_heatmap([[np.nan, np.nan]], ["TFRF"], ["SVM", "LR"])
    assert len(empty.layout.shapes) == 2 and [note.text for note in empty.layout.annotations] == ["–", "–"]
    assert len({note.x for note in empty.layout.annotations}) == 2
    going = f1_heatmap([[np.nan, np.nan]], ["TFRF"], ["SVM", "LR"], cells=[[HeatmapCell(now=True), HeatmapCell()]])
    assert [note.text for note in going.layout.annotations] == ["…", "–"]
    some = f1_heatmap([[0.5, np.nan]], ["TFRF"], ["SVM", "LR"])
    assert [note.x for note in some.layout.annotations if note.text == "–"] == [empty.layout.annotations[1].x]
    assert some.layout.annotations[0].text == ".500" and some.data[0].z[0][0] == 0  # best so far, not bold
    assert empty.layout.xaxis.categoryarray == ("SVM", "LR") and empty.layout.xaxis.range == (-0.5, 1.5)


def test_a_rule_stands_between_formulas_and_what_is_learned():
    for names, rules in ((["TFRF", "TF", "LTW-U", "LTW-L-I"], {1.5}), (["TFRF", "TF"], set()), (["LTW-U"], set())):
        figure = f1_heatmap([[0.5]] * len(names), names, ["SVM"])
        assert {shape.y0 for shape in figure.layout.shapes if shape.type == "line"} == rules


def test_a_distance_from_the_best_of_its_column_has_one_colour_in_every_table():
    low, high = (f1_heatmap([[v, 0.9], [v - 0.1, 0.9]], ["TFRF", "TF"], ["SVM", "LR"]).data[0] for v in (0.377, 0.927))
    assert [list(row) for row in low.z] == [list(row) for row in high.z] == [
        [0, 0],
        [0.1, 0],
    ] and low.colorscale == high.colorscale
    assert (low.zmin, low.zmax) == (high.zmin, high.zmax) == (0, FAR_BEHIND)
    assert high.showscale is not False and "below the column" in high.colorbar.title.text


def test_the_height_axis_holds_what_it_held_before():
    alone = drawn(surfaces).layout.meta["z_range"]
    low, high = alone[0] - 1, alone[1] + 3
    assert drawn(surfaces, at_least=(low, high)).layout.meta["z_range"] == [low, high]
    assert drawn(surfaces, at_least=(0, alone[1] / 2)).layout.meta["z_range"] == alone


def test_a_scene_has_a_frame_and_upright_ticks():
    axes = theme.pio.templates["ltw-light"].layout.scene
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        assert axis.showline and axis.mirror and axis.tickangle == 0


def test_panels_one_below_the_other_keep_their_size():
    for kind in (surfaces, contours):
        layout = drawn(kind, columns=1).layout
        heights = [layout[f"{'scene' if kind is surfaces else 'yaxis'}{n}"].domain for n in ("", 2, 3)]
        heights = [d.y if kind is surfaces else d for d in heights]
        pixels = [(top - bottom) * (layout.height - layout.margin.t - layout.margin.b) for bottom, top in heights]
        assert len(pixels) == 3
        assert min(pixels) > 220
        ordered = sorted(heights)
        assert all(a[1] < b[0] for a, b in itertools.pairwise(ordered))


def test_selected_terms_are_marked_everywhere():
    figure = drawn(contours, selected=["term3"])
    assert sum(t.name == "selected" for t in figure.data) == 3
    layout = drawn(surfaces, selected=["term3"]).layout
    for scene in (layout.scene, layout.scene2, layout.scene3):  # above the surface, which would swallow a point
        texts = [note.text for note in scene.annotations]
        assert texts[:2] == ["●", "term3"] and texts.count("term3") == 1
        assert len(texts) in (5, 6)  # and the strongest are, but for one whose leader would cross another's name


def test_a_weighting_without_a_surface_is_its_points():
    terms = some_terms()
    grid = surface_grid(terms.tpr, terms.fpr, P, N, size=10)
    for kind in (surfaces, contours):
        figure = kind([SurfacePanel("LTW-G-I", None, weights_of(terms)["χ²"])], grid, terms)
        trace = next(t for t in figure.data if t.name == "terms")
        assert trace.marker.coloraxis == "coloraxis"
        assert not any("extrapolate" in (a.text or "") for a in figure.layout.annotations)


@pytest.mark.parametrize("options", [{}, {"columns": 1, "width": 350}])
def test_surface_and_map_tell_grey_alike_beside_the_colour_bar_whose_title_is_above_it(options):
    told = []
    for kind in (surfaces, contours):
        layout = drawn(kind, **options).layout
        bar, (swatch,) = layout.coloraxis.colorbar, layout.shapes
        note = next(each for each in layout.annotations if each.text.startswith("no terms: extrapolated"))
        assert swatch.fillcolor == theme.ink("light").faded and swatch.xanchor == note.x == bar.x and note.y == bar.y
        assert swatch.x1 < note.xshift
        told.append((bar.orientation, bar.title.side, swatch.x0 - bar.len, swatch.y0))
    assert told[0][:2] == told[1][:2] == ("h", "top") and told[0][2:] == pytest.approx(told[1][2:])


@pytest.mark.parametrize("columns", [1, 2])
def test_what_is_said_of_a_cut_surface_fits_the_narrowest_phone(columns):
    layout = drawn(surfaces, heights="peak", columns=columns, width=390).layout
    note = next(each for each in layout.annotations if each.text.startswith("no terms: extrapolated"))
    lines = note.text.split("<br>")
    assert lines[-1] == "cut at the strongest term"
    assert note.xshift + 5.2 * max(map(len, lines)) < 338  # pixels of a figure in 360; a letter has 5.1


def test_points_without_a_surface_are_seen_in_the_dark():
    terms = some_terms()
    grid = surface_grid(terms.tpr, terms.fpr, P, N)
    for kind in (surfaces, contours):
        figure = kind([SurfacePanel("LTW-G-I", None, weights_of(terms)["χ²"])], grid, terms, PlaneView(base="dark"))
        edge = next(t for t in figure.data if t.name == "terms").marker.line
        assert edge.width >= 1
        assert contrast.ratio(palette.rgb([edge.color]), palette.rgb([theme.ink("dark").paper])) >= contrast.MARK


def test_functions_alone_need_no_terms():
    grid = surface_grid(p=0.05, n=1000, region="square", scale="linear", size=12)
    figure = surfaces([SurfacePanel("IG", np.abs(grid.tpr - grid.fpr))], grid, None, PlaneView(0.05))
    assert not any("extrapolate" in a.text for a in figure.layout.annotations)


def test_what_is_refused():
    grid = surface_grid(size=5)
    with pytest.raises(ValueError, match="at least one panel"):
        surfaces([], grid)
    with pytest.raises(ValueError, match="shape"):
        surfaces([SurfacePanel("IG", np.zeros((3, 3)))], grid)
    with pytest.raises(ValueError, match="heights must be one of"):
        surfaces([SurfacePanel("IG", np.zeros((5, 5)))], grid, None, PlaneView(heights="tall"))
    with pytest.raises(ValueError, match="scale must be one of"):
        surface_grid(scale="cubic")
    with pytest.raises(ValueError, match="base must be one of"):
        theme.ink("sepia")


def test_a_flat_surface_and_infinite_weights_are_drawn():
    grid = surface_grid(size=6)
    flat = np.zeros((6, 6))
    wild = flat.copy()
    wild[0, 0], wild[1, 1] = np.inf, np.nan
    figure = surfaces([SurfacePanel("1", flat), SurfacePanel("OR", wild)], grid)
    assert not {"Infinity", "NaN"} & set(re.findall(r"\w+", figure.to_json()))  # which are no JSON


def test_the_term_map_shows_all_terms_and_lines_of_equal_weight():
    figure = mapped(selected=["term7"])
    (lines,) = (t for t in figure.data if t.type == "contour")
    levels = lines.contours.end - lines.contours.start + 1
    assert 1 <= levels <= 3
    assert "χ²" in figure.layout.title.text and not figure.layout.showlegend
    numbers = [note for note in figure.layout.annotations if note.text[0].isdigit()]
    assert len({note.text for note in numbers}) == levels  # each has its number, once on a side of the diagonal
    sides = [(note.text, note.y > note.x) for note in numbers]
    assert len(set(sides)) == len(sides) <= 2 * levels
    assert any(t.name == "selected" for t in figure.data)


def test_a_term_map_of_a_whole_vocabulary_stays_light():
    terms = some_terms(count=28_761)
    grid = surface_grid(terms.tpr, terms.fpr, P, N)
    assert len(term_map(terms, grid, PlaneView(P)).to_json()) < 1_500_000


def test_lines_are_named_at_their_ends_inside_the_axis():
    figure = slices(*some_slice())
    low, high = figure.layout.yaxis.range
    heights = [a.y for a in figure.layout.annotations]
    assert len(heights) == 3
    assert all(low <= y <= high for y in heights)
    assert min(np.diff(sorted(heights))) > 0.05 * (high - low)
    assert max(np.max(t.y) for t in figure.data) == pytest.approx(1)


def test_what_is_alike_has_its_sign_beside_a_number_that_stays_where_it_is():
    cells = [[HeatmapCell(alike=True)], [HeatmapCell()]]
    like, number, best = f1_heatmap([[0.5], [0.7]], ["TFIDF", "TFRF"], ["SVM"], cells=cells).layout.annotations
    assert (like.text, number.text, best.text) == ("≈", ".500", "<b>.700</b>")
    assert like.font.size == number.font.size == best.font.size and like.y == number.y
    assert like.xanchor == "left" and like.xshift > 10
    assert (number.xanchor, number.xshift) == (best.xanchor, best.xshift)


def test_the_heat_map_marks_the_best_of_each_learner():
    figure = f1_heatmap([[0.5, 0.9], [0.7, 0.8]], ["TFIDF", "LTW-L-sigma"], ["SVM", "LR"])
    assert [a.text for a in figure.layout.annotations] == [".500", "<b>.900</b>", "<b>.700</b>", ".800"]
    assert "LTW-L-σ" in figure.layout.yaxis.ticktext[1]
    with pytest.raises(ValueError, match="shape"):
        f1_heatmap([[0.5]], ["TFIDF"], ["SVM", "LR"])


def test_confusion_says_shares_of_rows_and_where_errors_are():
    counts = [[30, 10, 0], [0, 0, 0], [2, 1, 97]]
    figure = confusion_matrix(counts, ["a", "b", "c"])
    (heat,) = figure.data
    np.testing.assert_allclose(np.array(heat.z[0][:2], float), np.sqrt([0.75, 0.25]))
    assert heat.z[0][2] is None and list(heat.z[1]) == [None] * 3  # no document, no colour
    assert heat.customdata[2][0] == ["2|0", "true <b>c</b><br>predicted <b>a</b><br>2 of 100 documents (2%)"]
    assert sorted(a.text for a in figure.layout.annotations) == ["1", "10", "2", "30", "97"]
    assert theme.alt(figure) == (
        "127 of 140 documents of 3 classes are classified correctly; most errors: a taken for b (10), c taken for a "
        "(2) and c taken for b (1)."
    )
    part = confusion_matrix(np.array(counts)[:2, :2], ["a", "b"], totals=[40, 100])
    assert part.data[0].customdata[0][1][1].endswith("10 of 40 documents (25%)")
    assert theme.alt(part).startswith("30 of 140 documents of 2 classes are classified correctly")
    many = confusion_matrix(np.eye(90, dtype=int), [f"class {k}" for k in range(90)])
    assert not many.layout.annotations and many.layout.height < 1700
    sides = confusion_matrix([[5, 2, 1]], ["a"], ["true positives", "false negatives", "false positives"])
    assert "true positives (5), false negatives (2) and false positives (1)." in theme.alt(sides)
    with pytest.raises(ValueError, match="expected"):
        confusion_matrix([[1]], ["a", "b"])


def test_confusion_of_many_classes_has_numbers_for_the_names_of_columns_and_none_is_slanted():
    names = [f"class with a long name {k}" for k in range(51)]
    layout = confusion_matrix(np.eye(51, dtype=int), names, narrow=True).layout
    assert layout.xaxis.ticktext == ("1", "7", "13", "19", "25", "31", "37", "43", "49")
    assert layout.yaxis.ticktext[18] == "class wit…ng name 18  19" and len(layout.yaxis.ticktext) == 51
    assert layout.xaxis.title.text == "predicted, by the number of its row" and layout.xaxis.tickangle == 0
    wide = confusion_matrix(np.eye(20, dtype=int), names[:20], marked=4).layout
    assert wide.xaxis.ticktext == tuple(f"<b>{k}</b>" if k == 5 else str(k) for k in range(1, 21))
    assert wide.yaxis.ticktext[4] == "<b>class with a long name 4  5</b>" and wide.xaxis.tickangle == 0
    assert len(confusion_matrix(np.eye(8, dtype=int), names[:8], narrow=True).layout.annotations) == 8
    few = confusion_matrix(np.eye(3, dtype=int), ["corn", "wheat", "grain"], narrow=True).layout
    assert few.xaxis.ticktext == ("corn", "wheat", "grain") and few.xaxis.title.text == "predicted"
    assert not confusion_matrix(np.eye(11, dtype=int), names[:11], narrow=True).layout.annotations


def test_names_of_classes_that_begin_alike_are_told_apart():
    names = ["talk.politics.guns", "talk.politics.mideast", "a<b", "soc.religion.christian", "talk.politics.guns, too"]
    cut = theme.told_apart(names, 14)
    assert cut == ["talk.p…cs.guns", "talk.p…mideast", "a&lt;b", "soc.religion.…", "talk.p…ns, too"]
    assert theme.told_apart(["the same name"] * 2, 8) == ["the…name"] * 2


def test_on_a_phone_names_above_curves_stand_in_the_order_chosen_with_their_lines_and_like_ones_are_told_apart():
    curves = {name: np.array([1.0, 0.5]) for name in ("IDF (BM25)", "LTW-L-I", "IDF", "CHI2", "IG", "OR")}
    narrow = slices.plain(np.array([0.1, 1.0]), curves)
    name_above(narrow)
    placed = {note["text"][3:-4]: (-note["yshift"], note["xshift"]) for note in narrow.layout["annotations"]}
    assert sorted(placed, key=placed.get) == list(curves)
    drawn = [trace["line"] for trace in narrow.data]
    assert [shape["line"] for shape in narrow.layout["shapes"]] == drawn
    alike, other = narrow.data[0], narrow.data[2]  # of the same weights: the dashed one lies on the other
    assert alike["line"]["dash"] != other["line"]["dash"] == "solid" and alike["zorder"] > other["zorder"]
    assert alike["line"]["color"] != other["line"]["color"]


def test_the_name_of_a_curve_that_leaves_the_picture_has_an_arrow_on_a_phone_too():
    running = np.linspace(0.05, 1, 20)
    wide = slices.plain(running, {"IDF": 1 - running, "CHI2": running**4}, rug=np.linspace(0.1, 0.5, 9))
    assert [note["text"] for note in wide.layout["annotations"]] == ["<b>IDF</b>", "<b>CHI2 ↑</b>"]
    name_above(wide)
    assert all(note["yref"] == "paper" for note in wide.layout["annotations"])


def test_names_at_the_ends_of_curves_stand_in_their_order_and_on_the_axis():
    curves = {"late": [0, 0.2, 1], "low": [1, 0, 0], "early": [0, 0.8, 1], "straight": [0, 0.5, 1]}
    figure = slices(np.linspace(0, 1, 3), {name: np.array(values, dtype=float) for name, values in curves.items()})
    at = {note.text.strip("</b>"): note.y for note in figure.layout.annotations}
    assert sorted(at, key=at.get) == ["low", "late", "straight", "early"] and at["low"] == 0
    assert max(at.values()) < figure.layout.yaxis.range[1]
    led = {(line.y0, line.y1) for line in figure.layout.shapes}  # names that moved apart are led to from their curves
    assert led == {(1, at["late"]), (1, at["straight"]), (1, at["early"]), (0, at["low"])}
    flat = np.linspace(0, 1, 3), {"low": np.zeros(3), "high": np.ones(3)}
    assert not slices(*flat).layout.shapes
    # grey where no terms are: before the first and after the last, or all of it
    for rug, grey in (([0.25, 0.5], [(0, 0.25), (0.5, 1)]), ([], [(0, 1)]), ([0, 1], [])):
        assert [(each.x0, each.x1) for each in slices(*flat, rug=rug).layout.shapes] == grey


def test_every_known_formula_is_named_at_its_line():
    known = {"RF": 0.9, "PMI": 0.895, "OR": 0.6}
    notes = [note.text for note in formula_front([1], [0.8], ["tpr"], known=known).layout.annotations]
    assert notes == ["RF, PMI", "OR"]
    narrow = formula_front([1], [0.8], ["tpr"], known=known, narrow=True).layout  # where there is less room beside them
    assert [note.text for note in narrow.annotations] == ["RF<br>PMI", "OR"]
    assert narrow.margin.r < formula_front([1], [0.8], ["tpr"], known=known).layout.margin.r


def test_no_name_above_the_matrix_is_left_out_and_neighbours_are_alike():
    names = [f"weighting of class {k}" for k in range(15)]
    layout = likeness_matrix(names, np.eye(15)).layout
    assert sorted(layout.xaxis.ticktext) == sorted(names) and layout.xaxis.ticklabeloverflow == "allow"
    assert layout.height > 15 * 16 + 6 * len(names[-1]) and layout.yaxis.scaleanchor == "x"
    alike = np.array([[1, 0.5, 0.9, 0.6], [0.5, 1, 0.6, 0.8], [0.9, 0.6, 1, 0.7], [0.6, 0.8, 0.7, 1]])
    figure = likeness_matrix("abcd", alike)
    assert "".join(figure.layout.xaxis.ticktext) in ("acdb", "bdca") and figure.data[0].zmin == 0.5


def test_what_is_far_from_all_others_stands_at_the_edge_of_the_map_with_an_arrow():
    places = [[0, 0], [1, 0.1], [2, 0], [3, 0.2], [1.5, 9]]
    figure = likeness_map("abcde", places)
    assert max(figure.data[0].y) < 2 and "e ↑" in [note.text for note in figure.layout.annotations]
    assert figure.layout.height < likeness_map("abcd", [[0, 0], [0, 3], [3, 0], [3, 3]]).layout.height
    scale, map_ = likeness_scale("abcdefghijk", range(11), zero=0), likeness_map("abcde", places, size=(388, 11 * ROW))
    high = [one.layout.height - one.layout.margin.t - one.layout.margin.b for one in (scale, map_)]
    assert high[0] == high[1] and scale.layout.margin.t == map_.layout.margin.t  # they stand beside each other


def test_points_of_the_map_that_lie_on_each_other_have_one_name_and_one_not_beside_its_point_has_a_leader():
    names = ["RF", "IDF", "IDF (BM25)", "equal weights", "PMI"]
    places = [[1.3, 0.9], [5.1, 0.4], [5.16, 0.4], [2.6, 1.5], [4.4, 0.0]]
    written = lambda at: likeness_map(names, at, kinds={"RF": "this"}).layout.annotations[:-1]  # noqa: E731
    assert {note.text for note in written(places)} == {"<b>RF</b>", "IDF, BM25", *names[3:]}
    apart = written([places[0], [5.1, 0.4], [5.34, 0.4], *places[3:]])
    assert {note.text for note in apart} == {"<b>RF</b>", *names[1:]}
    assert all(bool(note.showarrow) is (note.xshift is None) for note in apart)
    assert any(note.showarrow for note in apart)


def test_points_of_the_map_that_touch_have_one_name_where_there_is_no_room_for_two():
    row, size = np.array([72.0, 84.0]), (140, 20)
    shown, found = _named(row, np.full(2, 10.0), ["IDF", "IDF (BM25)"], size, [0, 1])
    assert shown[0] == "IDF, BM25" and [*found] == [0]


def test_smoothing_starts_unbiased_and_keeps_gaps():
    np.testing.assert_allclose(smooth([1, 1, 1], 0.9), 1)
    assert np.isnan(smooth([1, np.nan, 2], 0.5)[1])
    with pytest.raises(ValueError, match="smoothing"):
        training([(1, 1, 1)], smoothing=1)


def test_colours_are_fixed_and_families_differ():
    assert palette.colour("LTW-L-σ") == palette.colour("LTW-L-sigma")
    assert palette.colour("χ²") == palette.colour("CHI2") == palette.colour("TFCHI")
    for function in CD.values():  # curves are called by the symbol
        assert palette.distinct_styles([function.symbol])[function.symbol] == (
            palette.colour(function.name),
            palette.dash(function.name),
        )
    assert len({palette.colour(m) for m in palette.METHOD_COLOURS}) == len(palette.METHOD_COLOURS)
    assert palette.colour("my own", "dark").startswith("#")


def test_html_stands_alone():
    page = html(drawn(surfaces, base="dark"))
    assert '"showSendToCloud": false' in page  # no button that uploads the chart
    assert "cdn" not in page.split("<body", 1)[1][:2000]
    assert 'style="margin:16px;background:#12151a"' in page
    assert "plotly_relayout" in page
    assert "{plot_id}" not in page


def test_top_terms_say_how_many_ranks_they_moved():
    # magnitudes now: b a c; before: c a b
    figure = top_terms(["a", "b", "c"], [1.0, -2.0, 0.5], before=[1.0, 0.1, 3.0])
    shown = [re.sub("<[^>]*>", "", name) for name in figure.data[0].y]
    assert shown == ["c ▼2", "a", "b ▲2"]  # bars are drawn from below
    # a training run's earlier weights are raw, the present ones in canonical form: neither sign nor scale may matter
    assert top_terms(["a", "b", "c"], [1.0, -2.0, 0.5], before=[-3.0, -0.3, -9.0]).data[0].y == figure.data[0].y
    many = [f"t{k}" for k in range(200)]
    assert ">▲100+<" in top_terms(many, range(200), before=range(200, 0, -1)).data[0].y[-1]


def test_ticks_of_a_logarithmic_axis_are_powers_of_ten_with_some_between_where_they_are_few():
    assert theme.decades(0.05, 400) == {"tickvals": [0.1, 1, 10, 100], "ticktext": [".1", "1", "10", "100"]}
    assert theme.decades(0.28, 0.35)["ticktext"] == [".2"] and theme.decades(3.0, 3.1)["ticktext"] == ["3"]
    assert theme.decades(900, 30_000)["ticktext"] == ["1k", "2k", "5k", "10k", "20k"]
    assert theme.decades(100, 1_000)["ticktext"] == ["100", "200", "500", "1,000"]


def test_an_overlay_has_two_lines_a_training_and_smooths_both():
    history = [(100, 1.0, 0.0), (200, 0.0, 1.0)]
    figure = overlay([TrainingCurve("one", history), TrainingCurve("two", history)], mean=history, smoothing=0.5)
    assert [trace.yaxis for trace in figure.data] == ["y", "y2"] * 3
    assert figure.data[4].line.width > figure.data[0].line.width
    assert figure.data[1].y[1] == pytest.approx(1 * 0.5 / 0.75, abs=1e-5)
    with pytest.raises(ValueError, match="smoothing"):
        overlay([], smoothing=1)


@pytest.mark.parametrize(
    ("f1", "levels", "low"), [([0.95, 0.97], [], 0.9), ([0.95], [0.8], 0.7), ([0.1, 0.9], [], 0), ([], [0.8], 0)]
)
def test_the_axis_of_f1_shows_what_is_drawn(f1, levels, low):
    history = [(100 * k, 0.5, value) for k, value in enumerate(f1, 1)]
    assert training(history, levels=levels).layout.yaxis2.tickvals == (0, 0.25, 0.5, 0.75, 1)
    figure = training(history, levels=levels, zoom_f1=True)
    ticks = figure.layout.yaxis2.tickvals
    assert len({round(up - down, 9) for down, up in itertools.pairwise(ticks)}) == 1
    assert figure.layout.yaxis2.tickvals[0] == low
    assert figure.layout.yaxis2.range[0] <= min([*f1, *levels]) and figure.layout.yaxis2.range[1] > 1


def test_a_close_look_at_the_f1_of_a_training_that_has_ended_begins_where_its_curve_has_risen():
    history = [(100 * k, 0.5, value) for k, value in enumerate([0.05, 0.6, 0.82, 0.85, 0.9, 0.88], 1)]
    going_on, ended = (training(history, best_step=step, zoom_f1=True).layout.yaxis2.range[0] for step in (None, 500))
    assert going_on <= 0.05 and 0.68 < ended <= 0.82  # of its steps 100 and 200 come before half of the best one


def test_maps_below_each_other_have_their_heading_as_words_on_the_page():
    across, below = (drawn(contours, columns=columns).layout for columns in (2, 1))
    assert "Pr(c)" in across.title.text and not below.title.text
    (heading,) = [note for note in below.annotations if "Pr(c)" in note.text]
    assert heading.xref == heading.yref == "paper" and 0 < heading.yshift < below.margin.t


def test_a_long_curve_is_thinned_and_keeps_its_best_and_last_point():
    history = [(k, 1.0, 0.9 if k == 54_321 else 0.1) for k in range(1, 100_001)]
    figure = training(history)
    f1 = next(trace for trace in figure.data if trace.name == "validation F1")
    assert len(f1.x) < 1300 and f1.x[-1] == 100_000 and 54_321 in f1.x
    assert next(trace for trace in figure.data if trace.name == "best").x[0] == 54_321
    assert len(overlay([TrainingCurve("long", history)]).data[0].x) < 1300


def test_a_figure_that_is_kept_takes_the_memory_of_its_text():
    figure = training([(k, 1.0, 0.5) for k in range(1, 1000)])
    plain = PlainFigure()
    plain.data, plain.layout = json.loads(figure.to_json())["data"], json.loads(figure.to_json())["layout"]
    plain.written()
    tracemalloc.start()
    try:
        written = plain.written()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    parts = [value for trace in written.traces for value in trace.values()] + [*written.layout.values()]
    assert held < sum(map(len, parts)) + 250 * len(parts) + 5_000  # objects, and the dictionaries that name them
