import pytest

from ltw_core.figures import critical_difference, f1_by_prevalence, f1_by_seconds, palette, theme


@pytest.mark.parametrize("base", ["light", "dark"])
def test_critical_difference(base):
    names, average = ["TFRF", "LTW-L-I", "TF"], [2.0, 1.25, 2.75]
    figure = critical_difference(names, average, 1.0, [(1.25, 2.0), (2.0, 2.75)], base=base)
    assert [t.name for t in figure.data] == ["LTW-L-I", "TFRF", "TF"]  # best first
    assert [t.x[0] for t in figure.data] == sorted(average)
    # the better half ends on the left of the axis, the others on its right
    assert [t.x[-1] < 1.25 for t in figure.data] == [True, True, False]
    assert figure.data[0].line.color == palette.colour("LTW-L-I", base)
    bars = [s for s in figure.layout.shapes if s.line.width == 3]
    assert [(s.x0 < 1.25, s.x1 > 2.0) for s in bars] == [(True, True), (False, True)]
    assert "best is LTW-L-I with 1.25" in theme.alt(figure)
    with pytest.raises(ValueError, match="one a method"):
        critical_difference(names, [1.0], 1.0, [])


def test_f1_by_prevalence_puts_classes_without_documents_at_half_of_one():
    points = {"TFRF": ([0, 10, 11, 100], [1.0, 0.2, 0.4, 0.9], ["a", "b<", "c", "d"])}
    figure = f1_by_prevalence(points, 1000)
    dots, line = figure.data
    assert list(dots.x) == pytest.approx([0.05, 1.0, 1.1, 10.0])  # per cent
    assert list(line.y) == pytest.approx([1.0, 0.3, 0.9])  # 10 and 11 documents are alike
    assert dots.customdata[1][0] == "b&lt;"


def test_f1_by_seconds_has_a_shape_a_learner():
    figure = f1_by_seconds([("TF", "SVM", 0.1, 0.5), ("TF", "MNB", 0.01, 0.4), ("LTW-L-I", "SVM", 1.0, 0.6)])
    assert [t.name for t in figure.data] == ["TF", "LTW-L-I"]
    assert list(figure.data[0].marker.symbol) == ["circle", "diamond"]
    assert "highest is LTW-L-I with SVM, 0.600 in 1 s" in theme.alt(figure)
    assert f1_by_seconds([]).data == ()
