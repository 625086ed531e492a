import numpy as np
import pytest

from ltw_core.figures import slices, term_map
from ltw_core.figures.plane import Axis, surface_grid, term_grid
from ltw_core.figures.points import LabelArea, label_sides, marked_labels, place_labels, places, spread_labels
from ltw_core.tasks import TermStatistics


@pytest.mark.parametrize("scale", ["linear", "log", "logit"])
def test_axis_goes_there_and_back(scale):
    axis = Axis("tpr", scale, 0.001, 0.0, 1.0)
    rates = np.array([0.002, 0.1, 0.5, 0.9])
    np.testing.assert_allclose(axis.inverse(axis.forward(rates)), rates)
    values, texts = axis.ticks()
    assert len(values) == len(texts) >= 3
    assert values == sorted(values)
    assert texts[0] == "0"
    assert texts[-1] == "100%"


def test_a_rate_of_zero_has_a_place_on_a_log_axis_and_reads_as_zero():
    axis = Axis("fpr", "log", 0.001, 0.0, 1.0)
    assert axis.forward(0) == pytest.approx(-3)
    assert axis.inverse(-3.0) == 0
    assert axis.inside([0.0, 1.0]).all()


def test_the_region_of_the_terms_holds_them_all_on_a_log_axis():
    tpr, fpr = np.array([0.01, 0.2, 0.6]), np.array([0.0, 0.001, 0.03])
    grid = surface_grid(tpr, fpr, 0.1, 1000, size=20)
    assert grid.inside(tpr, fpr).all()
    assert grid.y.high < 1
    assert grid.tpr.shape == (20, 20)
    assert (np.diff(grid.tpr[:, 0]) >= 0).all()
    assert (np.diff(grid.fpr[0]) >= 0).all()


def test_ticks_of_a_small_picture_stand_apart():
    axis = Axis("tpr", "log", 0.003, 0.0, 0.6)
    assert axis.ticks()[1] == ["0", "0.5%", "1%", "2%", "5%", "10%", "20%", "50%"]
    values, texts = axis.ticks(0.2)
    assert texts == ["0", "1%", "10%", "50%"]
    assert np.diff(values).min() >= 0.2 * np.ptp(axis.limits)


def test_a_linear_region_is_not_stretched_by_one_outlier():
    rng = np.random.default_rng(0)
    rates = np.r_[rng.uniform(0, 0.05, 999), 0.97]
    assert surface_grid(rates, rates, 0.1, 1000, scale="linear").x.high < 0.1


def test_reading_a_surface_at_terms():
    grid = surface_grid(region="square", scale="linear", size=11)
    np.testing.assert_allclose(grid.at(2 * grid.tpr + grid.fpr, [0.25, 0.9], [0.5, 0.05]), [1.0, 1.85], atol=1e-6)


def area(size=(330, 300), narrow=None, corners=0):
    """The unit square on so many pixels."""
    return LabelArea((0, 1), (0, 1), size, narrow, corners)


def test_labels_keep_their_distance_and_the_strongest_comes_first():
    # points at the left edge, 3 pixels apart, and one in the middle of a panel of 300 pixels
    place = ([0, 0.01, 0.5], [0, 0.01, 0.5], [1, 3, 2])
    chosen = spread_labels(*place, ["one", "two", "three"], area((300, 300)), count=5)
    assert chosen.tolist() == [1, 2]


def test_a_long_label_needs_more_room():
    # on one line, 100 pixels apart: a short name leaves room for the second, a name of 30 letters does not
    place = ([0.1, 0.4], [0.5, 0.5], [2, 1], ["x", "y"])
    assert len(spread_labels(*place, area())) == 2
    long = (*place[:3], ["x" * 30, "y"])
    assert spread_labels(*long, area()).tolist() == [0]
    # and one that would leave the panel is not written, unless it stands above its point
    assert spread_labels([0.45], [0.5], [1], ["x" * 40], area()).size == 0
    assert spread_labels([0.45], [0.5], [1], ["x" * 40], area(), above=True).size == 1


def test_labels_keep_their_distance_on_a_narrow_page_too():
    # on one line, 80 pixels apart on a panel of 400 pixels, 40 apart on one of 200
    place = ([0.1, 0.3], [0.5, 0.5], [2, 1], ["wheat", "corn"])
    assert len(spread_labels(*place, area((400, 300)))) == 2
    assert spread_labels(*place, area((400, 300), 200)).tolist() == [0]


def test_labels_leave_the_words_in_two_corners_alone():
    # upper left and lower right, where words stand, and the two other corners
    place = ([0.05, 0.95, 0.95, 0.05], [0.97, 0.03, 0.97, 0.03], [4, 3, 2, 1], list("abcd"))
    assert spread_labels(*place, area((400, 300))).tolist() == [0, 1, 2, 3]
    assert spread_labels(*place, area((400, 300), corners=100)).tolist() == [2, 3]


def test_labels_are_written_towards_the_middle():
    assert label_sides([0.1, 0.9], (0, 1)) == ["middle right", "middle left"]


def test_a_label_does_not_lie_on_many_other_points():
    # the strongest at the left, with three points under its name; the next stands alone, further up
    x, y = [0.1, 0.14, 0.16, 0.18, 0.1], [0.2, 0.2, 0.2, 0.2, 0.8]
    place = (x, y, [5, 1, 1, 1, 2], ["crowded", "a", "b", "c", "alone"])
    assert 0 in spread_labels(*place, area())
    assert spread_labels(*place, area(), 2, covers=2)[0] == 4
    assert 0 in spread_labels(*place, area(), covers=3)
    named = (x, y, [np.inf, 1, 1, 1, 2], *place[3:])  # as a selected term is
    assert spread_labels(*named, area(), covers=2)[0] == 0


# Few terms ------------------------------------------------------------------------------------------------------------
FEW = {  # documents of the class and of the others that hold each term, of 100 and 300
    "one": ([30], [5]),
    "two": ([30, 10], [5, 60]),
    "five": ([30, 30, 30, 10, 2], [5, 5, 5, 60, 9]),
    "twenty at one place": ([30] * 20, [5] * 20),
    "one that tells all": ([100], [0]),
    "three everywhere": ([100] * 3, [300] * 3),
    "one outside": ([0], [1]),
}
NAMES = ["maize", "sorghum", "millet", "barley", "oats", *(f"cereal{k}" for k in range(15))]


def few(tp, fp, names=NAMES):
    names = np.array(names[: len(tp)], dtype=object)
    return TermStatistics(terms=names, tp=np.array(tp), fp=np.array(fp), n_positives=100, n_documents=400)


@pytest.mark.parametrize("scale", ["linear", "log", "logit"])
@pytest.mark.parametrize("counts", FEW.values(), ids=FEW)
def test_axes_of_few_terms_have_numbers(counts, scale):
    terms = few(*counts)
    grid = term_grid(terms, scale=scale)
    assert grid.inside(terms.tpr, terms.fpr).all()
    for axis in (grid.x, grid.y):
        values, texts = axis.ticks()
        assert len(set(texts)) == len(texts) >= 2 and values == sorted(values)
        assert axis.limits[0] <= values[0] and values[-1] <= axis.limits[1] + 1e-9


def test_terms_of_one_place_share_a_label():
    terms = few([30, 30, 30, 10, 10, 2], [5, 5, 5, 60, 60, 9], ["maize", "sorghum", "millet", "steel", "zinc", "tin"])
    group = places(terms)
    assert sorted(place_labels(terms, group)[group.first]) == ["maize, sorghum +1", "steel, zinc", "tin"]
    first, labels = marked_labels(terms, np.array([1, 2, 4]))
    assert (first.tolist(), labels[first].tolist()) == ([1, 4], ["sorghum<br>millet", "zinc"])
    assert terms.terms[0] == "maize"  # the terms keep their names


def test_the_map_of_few_terms_names_those_in_the_corners():
    figure = term_map(few([100, 100, 0], [0, 0, 300]), term_grid(few([100, 100, 0], [0, 0, 300])))
    (drawn,) = (trace for trace in figure.data if trace.name == "strongest")
    assert sorted(drawn.text) == ["maize, sorghum", "millet"]
    assert all(0.4 < words.x < 0.6 for words in figure.layout.annotations)  # and not over their points


def test_a_label_of_long_names_has_one():
    terms = few([30] * 3, [5] * 3, ["internationalisation", "institutionalised", "oats"])
    assert place_labels(terms, places(terms))[0] == "internationalisation +2"


def test_selected_terms_of_a_slice_are_named_beside_each_other():
    running = np.linspace(0, 1, 50)
    marked = {"maize": 0.3, "sorghum": 0.3, "millet": 0.31, "oats": 0.9}
    figure = slices(running, {"RF": running}, marked=marked)
    (drawn,) = (trace for trace in figure.data if trace.name == "selected")
    heights = dict(zip(drawn.text, drawn.y.tolist(), strict=True))
    together, near, far = (heights[f"<b>{name}</b>"] for name in ("maize, sorghum", "millet", "oats"))
    assert far == together < near
