import numpy as np
import pytest

from ltw_core.figures import (
    DrawnDifference,
    critical_difference,
    difference_by_prevalence,
    differences_by_reason,
    differences_from,
    f1_by_prevalence,
    f1_by_seconds,
    palette,
    theme,
)


@pytest.mark.parametrize("base", ["light", "dark"])
def test_critical_difference(base):
    names, average = ["TFRF", "LTW-L-I", "TF"], [2.0, 1.25, 2.75]
    figure = critical_difference(names, average, 1.0, [(1.25, 2.0), (2.0, 2.75)], base=base)
    assert [t.name for t in figure.data] == ["LTW-L-I", "TFRF", "TF"]  # best first
    assert [t.x[0] for t in figure.data] == sorted(average)
    # the better half ends on the left of the axis, the others on its right
    assert [t.x[2] < 1.25 for t in figure.data] == [True, True, False]
    assert figure.data[0].line.color == palette.colour("LTW-L-I", base)
    bars = [s for s in figure.layout.shapes if s.line.width == 3]
    assert [(s.x0 < 1.25, s.x1 > 2.0) for s in bars] == [(True, True), (False, True)]
    assert theme.alt(figure) == (
        "Average ranks of 3 weightings, 1 is best: LTW-L-I 1.25, TFRF 2.00 and TF 2.75. "
        "Ranks further apart than 1.00 differ significantly."
    )
    narrow = critical_difference(names, average, 1.0, [(1.25, 2.0), (2.0, 2.75)], narrow=True, base=base)
    dots = [(t.x[-1], t.y[-1]) for t in narrow.data]
    assert dots == sorted(dots)  # a list by rank, in the part of the plane that a phone shows
    shown, wide = narrow.layout.yaxis.range, figure.layout.yaxis.range
    assert all(shown[1] < y < shown[0] and not wide[1] < y < wide[0] for _, y in dots)
    upright = [s for s in narrow.layout.shapes if s.line.width == 3]
    assert [(s.x0 == s.x1, s.y0 < dots[k][1], s.y1 > dots[k + 1][1]) for k, s in enumerate(upright)] == [
        (True,) * 3
    ] * 2
    longer = critical_difference(names, average, 1.0, [], last=5, base=base)  # as one that it is compared with
    assert longer.layout.xaxis.range[1] > 5 > figure.layout.xaxis.range[1]
    with pytest.raises(ValueError, match="one a method"):
        critical_difference(names, [1.0], 1.0, [])


def test_f1_by_prevalence_leaves_out_classes_without_documents():
    points = {"TFRF": ([0, 10, 11, 100], [1.0, 0.2, 0.4, 0.9], ["a", "b<", "c", "d"])}
    figure = f1_by_prevalence(points, 1000)
    dots, line = figure.data
    assert list(dots.x) == pytest.approx([1.0, 1.1, 10.0])  # per cent
    assert list(line.y) == pytest.approx([0.3, 0.9])  # 10 and 11 documents are alike
    assert dots.customdata[0][0] == "b&lt;"
    assert theme.alt(figure) == (
        "F1 of every class with test documents over its share of them. "
        "TFRF: mean .500; .650 over the 2 most frequent classes, .200 over the others."
    )


def test_f1_by_prevalence_has_a_panel_a_method_in_its_colour():
    points = {name: ([10, 100], [0.2, f1], ["a", "b"]) for name, f1 in {"TFRF": 0.8, "LTW-G-I": 0.9}.items()}
    figure = f1_by_prevalence(points, 1000, selected="b")
    others, _, line, ring = figure.data[4:]  # after those of the first panel
    assert [t.xaxis for t in figure.data[3:]] == ["x", *["x2"] * 4] and list(others.y) == [0.2, 0.8]
    assert line.line.color == palette.colour("LTW-G-I") and ring.y == (0.9,)
    wide, narrow = (figure.layout, f1_by_prevalence(points | {"TF": points["TFRF"]}, 1000, narrow=True).layout)
    assert wide.yaxis.domain == wide.yaxis2.domain and narrow.yaxis3.domain[1] < narrow.yaxis.domain[0]


def test_f1_by_seconds_has_a_shape_a_learner():
    rows = [("TF", "SVM", 0.1, 0.5), ("TF", "MNB", 0.01, 0.4), ("LTW-L-I (dropout = 0)", "SVM", 1.0, 0.6)]
    figure = f1_by_seconds(rows, {"TF": "UTW", "LTW-L-I (dropout = 0)": "LTW"})
    points = [t for t in figure.data if t.showlegend is False]
    key = [t for t in figure.data if t not in points]
    full, shapes = ([t for t in key if (t.marker.color == "#ffffff") == hollow] for hollow in (False, True))
    assert [t.name for t in full] == ["unsupervised", "learned"]
    assert [words.text for words in figure.layout.annotations] == [
        "<b>TF .500</b>",
        "<b>LTW-L-I (dropout = 0) .600</b>",
    ]
    assert [t.marker.line.width for t in points] == [1, 1, 2, 2]  # the best of each kind is seen, above all others
    assert [symbol for t in points for symbol in t.marker.symbol] == ["diamond", "circle", "circle"]
    assert "highest is LTW-L-I (dropout = 0) with SVM, .600 in 1 s" in theme.alt(figure)
    assert [(t.name, t.marker.symbol, t.x[0]) for t in shapes] == [("SVM", "circle", None), ("MNB", "diamond", None)]
    assert list(points[-1].customdata[0]) == ["LTW-L-I (dropout = 0)", "SVM", ".600"]
    assert f1_by_seconds([], {}).data == ()


@pytest.mark.parametrize("base", ["light", "dark"])
def test_differences_by_prevalence(base):
    marked = difference_by_prevalence([0, 5, 20], [0.5, -0.25, 0.0], ["a", "b<", "c"], 1000, selected="b<", base=base)
    assert marked.data[-1].y == (-0.25,) and marked.layout.annotations[0].text == "<b>b&lt;</b>"
    top = difference_by_prevalence([0, 5, 20], [0.5, -0.25, 0.0], ["a", "b<", "c"], 1000, selected="a", base=base)
    assert [figure.layout.annotations[0].yanchor for figure in (marked, top)] == ["bottom", "top"]  # within the figure
    figure = difference_by_prevalence([0, 5, 20], [0.5, -0.25, 0.0], ["a", "b<", "c"], 1000, base=base)
    higher, lower, equal = figure.data
    assert (list(higher.x), list(higher.y)) == ([pytest.approx(0.05)], [0.5])
    assert lower.customdata[0][0] == "b&lt;" and list(equal.y) == [0]
    assert "higher in 1, lower in 1. The largest difference is +.500, a." in theme.alt(figure)
    assert difference_by_prevalence([], [], [], 10, base=base).data[0].x.size == 0


def test_what_lies_far_out_is_an_arrow_with_its_number():
    figure = difference_by_prevalence([1, 5], [-1.0, 0.1], ["a", "b"], 1000)
    assert list(figure.data[1].y) == [-0.5] and figure.data[1].marker.symbol == ("triangle-down",)
    assert [words.text for words in figure.layout.annotations] == ["−1.000"]
    near = {f"w{k}": DrawnDifference(0.01 * k, 0.01 * k - 0.02, 0.01 * k + 0.02, "") for k in range(6)}
    figure = differences_from("TFRF", near | {"far": DrawnDifference(-0.3, -0.4, -0.2, "−.400 to −.200")})
    below = figure.data[1]
    assert list(below.x) == [-0.02] and below.marker.symbol == ("triangle-left",) and below.error_x.array[0] == 0
    assert [words.text for words in figure.layout.annotations] == ["−.300 (−.400 to −.200)"]
    long = {"Formula from 20 Newsgroups": DrawnDifference(-0.3, -0.4, -0.2, "")}
    narrow = differences_from("TFRF", near | long, narrow=True).layout
    assert [words.text for words in narrow.annotations] == ["−.300"] and narrow.annotations[0].bgcolor
    assert narrow.yaxis.ticktext[0] == "Formula from 20<br>Newsgroups"


@pytest.mark.parametrize("base", ["light", "dark"])
def test_differences_from_one(base):
    found = {
        "worse<": DrawnDifference(-0.04, -0.06, -0.02, "−.060 to −.020"),
        "better": DrawnDifference(0.03, 0.01, 0.05, "+.010 to +.050"),
        "level": DrawnDifference(0.0, -0.01, 0.01, "−.010 to +.010"),
    }
    figure = differences_from("TFRF", found, base=base)
    assert [(t.name, list(t.x)) for t in figure.data] == [
        ("above 0", [0.03]),
        ("below 0", [-0.04]),
        ("not distinguishable from 0", [0.0]),
    ]
    better, worse, _ = figure.data
    assert (better.error_x.array[0], better.error_x.arrayminus[0]) == (pytest.approx(0.02), pytest.approx(0.02))
    assert list(figure.layout.yaxis.categoryarray) == ["worse&lt;", "level", "better"]  # from below
    assert len({t.marker.color for t in figure.data}) == 3 and worse.y[0] == "worse&lt;"
    aside = differences_from("TFRF", found, aside=["better"], base=base)
    assert [list(t.y) for t in aside.data] == [[], ["worse&lt;"], ["level"], ["better"], [], []]
    assert list(aside.layout.yaxis.categoryarray) == ["better", "For comparison", "worse&lt;", "level"]
    plain = differences_from("TFRF", found, called={"better": "Mean of five"}, base=base).layout.yaxis.ticktext
    assert plain[2].startswith("Mean of five  <span") and "better</span>" in plain[2] and plain[1] == "level"
    ring = aside.data[3].marker  # hollow, and of the same colour as the others that lie above 0
    assert ring.color == palette.PAPER[base] and ring.line.color == better.marker.color
    assert list(figure.layout.xaxis.ticktext) == ["−.06", "−.04", "−.02", "0", "+.02", "+.04"]
    low, high = figure.layout.xaxis.range
    assert low < -0.06 and high > 0.05 and "minus that of TFRF" in figure.layout.xaxis.title.text
    assert "better +.030 (+.010 to +.050)" in theme.alt(figure)
    assert "there is none" in theme.alt(differences_from("TFRF", {}, base=base))
    unknown = differences_from(
        "", {"a": DrawnDifference(0.1, np.nan, np.nan, "")}, measure="rank correlation", base=base
    )
    assert theme.alt(unknown) == "rank correlation, with 95% intervals: there is none."


@pytest.mark.parametrize("narrow", [False, True])
def test_differences_by_reason_keep_their_order(narrow):
    figure = differences_by_reason([("worse<", -0.2, 41), ("better", 0.1, 1)], narrow=narrow)
    (bars,) = figure.data
    assert list(bars.x) == [-0.2, 0.1] and figure.layout.yaxis.autorange == "reversed"
    assert list(figure.layout.yaxis.ticktext) == ["worse&lt;", "better"]
    *_, last, lower, higher = [note.text for note in figure.layout.annotations]
    assert last == "+.100 · 1 score" and lower.startswith("ours lower ") and higher.endswith(" ours higher")
    assert bars.marker.color[0] in lower and bars.marker.color[1] in higher
    beyond = {note.text: (note.x, note.xanchor) for note in figure.layout.annotations if "score" in note.text}
    assert beyond == {"−.200 · 41 scores": (-0.2, "right"), "+.100 · 1 score": (0.1, "left")}  # of bars on both sides
    assert (figure.layout.margin.l if narrow else figure.layout.yaxis.ticklabelstandoff) > 100  # they have room there
    assert "worse< −.200 · 41 scores and better +.100 · 1 score" in theme.alt(figure)
    hollow = differences_by_reason([("worse<", -0.2, 41), ("better", 0.1, 1)], hollow=["better"], narrow=narrow)
    outlined, colours = hollow.data[0].marker, list(bars.marker.color)
    assert list(outlined.color) == [colours[0], theme.ink("light").paper]
    assert list(outlined.line.color) == colours and list(outlined.line.width) == [0, 1.5]
    assert ("+.100 · 1 score" + ", not explained" * (not narrow)) in [note.text for note in hollow.layout.annotations]
