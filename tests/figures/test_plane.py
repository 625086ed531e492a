import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from ltw_core.figures import PlaneView, SurfacePanel, slices, term_map
from ltw_core.figures.label_places import LabelArea, label_sides, spread_labels
from ltw_core.figures.plane import Axis, _axis, nice_step, percent, surface_grid, term_grid
from ltw_core.figures.points import marked_labels, place_labels, places
from ltw_core.figures.terms import _ranked
from ltw_core.tasks import TermStatistics

WHOLE = {scale: Axis("tpr", scale, 0.001, 0.0, 1.0) for scale in ("linear", "log", "logit")}
ODDS = np.log10(0.999 / 0.001)  # of the highest rate below 1 that a floor of .001 leaves


@pytest.mark.parametrize(
    ("scale", "rates", "coordinates"),
    [
        ("linear", [-1, 0, 0.25, 1, 2], [-1, 0, 0.25, 1, 2]),
        ("log", [-1, 0, 0.001, 0.01, 1, 2], [-3, -3, -3, -2, 0, 0]),
        ("logit", [0, 0.001, 0.1, 0.5, 0.9, 0.999, 1, 2], [-ODDS, -ODDS, -np.log10(9), 0, np.log10(9), *[ODDS] * 3]),
    ],
)
def test_coordinates_of_rates(scale, rates, coordinates):
    assert WHOLE[scale].forward(rates).tolist() == pytest.approx(coordinates)
    assert WHOLE[scale].forward(rates[0]) == pytest.approx(coordinates[0])


@pytest.mark.parametrize(
    ("scale", "coordinates", "rates"),
    [
        ("linear", [-1, 0, 0.25, 1, 2], [0, 0, 0.25, 1, 1]),
        ("log", [-4, -3, -3 + 4e-10, -2.99, 0, 1], [0, 0, 0, 10**-2.99, 1, 1]),
        ("logit", [-4, -ODDS, -2, 0, 2, ODDS, 4], [0, 0, 1 / 101, 0.5, 100 / 101, 1, 1]),
    ],
)
def test_rates_at_coordinates(scale, coordinates, rates):
    """The floor stands for 0, and the rate as far from 1 for 1; up to rounding alone."""
    assert WHOLE[scale].inverse(coordinates).tolist() == pytest.approx(rates, abs=1e-15)
    assert WHOLE[scale].inverse(-3.0 + 5e-9 if scale == "log" else 0.4) > 0
    assert WHOLE["logit"].inverse(np.log10(0.999 / 0.001) - 1e-5) < 1


@pytest.mark.parametrize("scale", ["linear", "log", "logit"])
def test_rates_for_lines_run_on_to_nothing_without_a_leap(scale):
    axis = WHOLE[scale]
    at = np.linspace(*axis.limits, 4001)
    rate = axis.running(at)
    assert (np.diff(rate) >= 0).all() and (rate[0], rate[-1]) == pytest.approx((0, 1))
    assert np.diff(rate).max() < 0.003
    whole = (rate >= 0.002) & (rate <= 0.998)  # from one document on, where terms lie
    assert rate[whole] == pytest.approx(axis.inverse(at[whole]))


@pytest.mark.parametrize("scale", ["log", "logit"])
def test_lines_of_equal_weight_begin_where_rates_of_nothing_lie_and_do_not_come_to_rest_there(scale):
    tpr, fpr = np.array([0, 0.2, 1]), np.array([0, 0.05, 1])
    grid = surface_grid(tpr, fpr, 0.2, 100, scale=scale, lines=True)
    assert grid.grid_x[0] == grid.x.forward(0) > grid.x.limits[0] and grid.fpr[0, 0] == grid.tpr[0, 0] == 0
    step, surface = (grid.x.running(grid.x.forward(0) + np.array([0, 0.01]), lines)[1] for lines in (True, False))
    assert step > 5 * surface > 0
    assert (np.diff(grid.fpr[0]) > 0).all()


@pytest.mark.parametrize(
    ("scale", "low", "high", "limits"),
    [  # a margin of a fortieth, where a log or logit axis reaches 0 or 1
        ("linear", 0, 1, (0, 1)),
        ("log", 0, 1, (-3.075, 0.075)),
        ("log", 0.01, 1, (-2, 0.05)),
        ("log", 0, 0.1, (-3.05, -1)),
        ("log", 0.01, 0.1, (-2, -1)),
        ("logit", 0, 1, (-1.05 * ODDS, 1.05 * ODDS)),
        ("logit", 0.1, 0.9, (-np.log10(9), np.log10(9))),
        ("logit", 0.5, 1, (0, 1.025 * ODDS)),
    ],
)
def test_where_an_axis_ends(scale, low, high, limits):
    axis = Axis("tpr", scale, 0.001, low, high)
    assert axis.limits == pytest.approx(limits) and {type(end) for end in axis.limits} == {float}
    room = 0.012 if scale == "linear" else 0
    assert axis.range() == pytest.approx([limits[0] - room, limits[1] + room])
    assert axis.inside([low, high, (low + high) / 2]).all()
    slack = 1e-9 + 1e-6 * (limits[1] - limits[0])
    if low > 0 and high < 1:
        at = np.array(
            [limits[0] - 1.05 * slack, limits[0] - 0.95 * slack, limits[1] + 0.95 * slack, limits[1] + 1.05 * slack]
        )
        assert axis.inside(10**at if scale == "log" else 1 / (1 + 10**-at)).tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("scale", "floor", "low", "high", "texts"),
    [
        ("linear", 0.001, 0, 1, "0 25% 50% 75% 100%"),
        ("linear", 0.001, 0, 0.3, "0 10% 20% 30%"),
        ("linear", 0.001, 0.1, 0.3, "10% 15% 20% 25% 30%"),
        ("linear", 0.001, 0, 0.0007, "0 0.02% 0.04% 0.06%"),
        ("log", 1e-7, 0, 1, "0 0.0001% 0.001% 0.01% 0.1% 1% 10% 100%"),
        ("log", 1e-6, 0, 1, "0 0.001% 0.01% 0.1% 1% 10% 100%"),
        ("log", 0.001, 0.01, 0.6, "1% 2% 5% 10% 20% 50%"),  # of two powers of ten too few
        ("log", 0.001, 0.01, 1, "1% 10% 100%"),  # and three enough
        ("log", 0.001, 0.03, 0.2, "5% 10% 20%"),
        ("log", 0.1, 0.5, 1, "50% 100%"),
        ("log", 0.001, 0.001, 1, "0 1% 10% 100%"),  # the floor is the place of 0
        ("log", 0.008, 0, 0.6, "0 2% 5% 10% 20% 50%"),  # 1% is too near to 0
        ("logit", 1e-9, 0, 1, "0 0.0001% 0.001% 0.01% 0.1% 1% 10% 50% 90% 99% 99.9% 99.99% 100%"),
        ("logit", 0.001, 0, 1, "0 1% 10% 50% 90% 99% 100%"),
        ("logit", 0.001, 0.01, 0.6, "1% 10% 50%"),
        ("logit", 0.001, 0.15, 0.85, "20% 50% 80%"),
        ("logit", 0.001, 0.9, 1, "90% 99% 100%"),
        ("logit", 0.001, 0.9, 0.9985, "90% 95% 98% 99% 99.5% 99.8%"),
    ],
)
def test_numbers_of_an_axis(scale, floor, low, high, texts):
    axis = Axis("tpr", scale, floor, low, high)
    values, found = axis.ticks()
    assert " ".join(found) == texts and {type(value) for value in values} == {float}
    expected = [float(text.rstrip("%")) / 100 for text in found]
    np.testing.assert_allclose(values, axis.forward(expected), atol=1e-9)
    shown = axis.layout("tpr", 0.0)
    assert shown == {"range": axis.range(), "tickvals": values, "ticktext": found, "title": {"text": "tpr"}}


def test_a_rate_as_a_percentage():
    assert [percent(rate) for rate in (0, 1e-6, 0.001, 0.12345, 0.123456, 1)] == [
        *("0", "0.0001%", "0.1%", "12.35%", "12.35%", "100%")
    ]


@pytest.mark.parametrize(
    ("step", "nice"),
    [(1, 1), (1.41, 1), (1.42, 2), (2.23, 2), (2.24, 2.5), (3.53, 2.5), (3.54, 5), (7.07, 5), (7.08, 10)],
)
def test_steps_are_the_nearest_by_their_ratio(step, nice):
    for power in (1, 1e-5, 100):
        assert nice_step(step * power) == pytest.approx(nice * power) and type(nice_step(step * power)) is float


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
    assert texts == axis.layout("", 0.2)["ticktext"] == ["0", "1%", "10%", "50%"]
    assert np.diff(values).min() >= 0.2 * np.ptp(axis.limits)
    assert axis.ticks(0.12)[1] == ["0", "1%", "2%", "5%", "10%", "20%", "50%"]
    assert WHOLE["log"].ticks(1 / 3.15)[1] == ["0", "1%", "10%", "100%"]  # a step of just so much stays


@pytest.mark.parametrize(
    ("rates", "floor", "scale", "expected"),
    [
        ([0.3, 0.5], 0.001, "linear", (0.001, 0, 0.52)),  # a twenty-fifth more than the highest
        ([0.3, 0.97], 0.001, "linear", (0.001, 0, 1)),
        ([0.0001], 0.001, "linear", (0.001, 0, 0.008)),  # at least eight floors
        ([0.0001], 0.5, "linear", (0.02, 0, 0.16)),  # no floor is higher
        ([*np.linspace(0, 0.05, 98), 0.9], 0.001, "linear", (0.001, 0, 0.936)),
        ([*np.linspace(0, 0.05, 99), 0.9], 0.001, "linear", (0.001, 0, 1.04 * 0.05 * (0.985 * 99) / 98)),
        ([*np.linspace(0.01, 0.05, 99), 0.5], 1e-4, "log", (1e-4, 0.01 / 50**0.03, 0.5 * 50**0.03)),
        ([0.1], 0.001, "log", (0.001, 10**-1.5, 10**-0.5)),  # a decade at least
        ([0.5], 0.001, "logit", (0.001, 1 / (1 + 10**0.5), 1 / (1 + 10**-0.5))),
        ([0.01, 0.16], 1e-4, "log", (1e-4, 10**-2.05, 0.16 * 10**0.05)),
        ([0.001, 0.5], 1e-4, "log", (1e-4, 0.001 / 500**0.03, 0.5 * 500**0.03)),
        ([0, 0.3], 0.001, "log", (0.001, 0, 0.3 * 300 ** (0.03 * 1.025))),
        ([0.001, 0.3], 0.001, "log", (0.001, 0, 0.3 * 300**0.03)),
        ([0.5, 1], 0.001, "log", (0.001, None, 1)),
        ([0, 1], 0.001, "logit", (0.001, 0, 1)),
    ],
)
def test_the_region_of_the_terms_is_theirs_with_a_little_room(rates, floor, scale, expected):
    axis = _axis("fpr", np.array(rates), floor, "terms", scale)
    found = [axis.floor, axis.low, axis.high]
    assert found == pytest.approx(
        [value if want is None else want for value, want in zip(found, expected, strict=True)]
    )
    assert (axis.name, axis.scale) == ("fpr", scale) and type(axis.low) is type(axis.high) is float
    square = _axis("fpr", np.array(rates), floor, "square", scale)
    assert square == _axis("fpr", None, floor, "terms", scale) == Axis("fpr", scale, expected[0], 0.0, 1.0)


def test_a_grid_is_of_the_terms_or_of_the_square():
    tpr, fpr = [1, 0.2], [0, 0.05]
    grid = surface_grid(tpr, fpr, 0.2, 100)
    assert (grid.region, grid.scale, grid.x.floor, grid.y.floor) == ("terms", "log", 0.5 / 80, 0.02)
    assert grid.fpr.shape == grid.tpr.shape == grid.support.shape == (48, 48)
    assert (grid.grid_x[[0, -1]] == grid.x.limits).all() and (grid.grid_y[[0, -1]] == grid.y.limits).all()
    assert (grid.fpr == grid.x.running(grid.grid_x)).all() and (grid.y.running(grid.grid_y) == grid.tpr.T).all()
    assert grid.support.max() > 0.9 > 0.1 > grid.support.min()
    assert surface_grid(np.array(tpr), tuple(fpr), 0.2, 100) is grid  # kept
    assert surface_grid([0, 1], [1, 0]) is surface_grid([0.0, 1.0], [1.0, 0.0])
    for array in (grid.grid_x, grid.grid_y, grid.fpr, grid.tpr, grid.support):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    for nothing in ((), (None, fpr), (tpr, None), ([], [])):
        square = surface_grid(*nothing, size=2)
        assert (square.x.low, square.x.high, square.y.high) == (0, 1, 1) and (square.support == 1).all()
        assert (square.x.floor, square.y.floor) == (0.5 / 9_000, 0.5 / 1_000)
    assert (square.x.name, square.y.name) == ("fpr", "tpr")
    for wrong, told in (
        ({"scale": "ln"}, r"^scale must be one of linear, log, logit, got 'ln'$"),
        ({"region": "all"}, r"^region must be one of terms, square, got 'all'$"),
        ({"size": 1}, r"^size must be at least 2, got 1$"),
    ):
        with pytest.raises(ValueError, match=told):
            surface_grid(**wrong)


def test_terms_are_inside_where_both_rates_are():
    grid = surface_grid([0.1, 0.2], [0.01, 0.02], 0.1, 10_000)
    assert grid.inside([0.1, 0.9, 0.1, 0.9], [0.01, 0.01, 0.9, 0.9]).tolist() == [True, False, False, False]


@pytest.mark.parametrize("scale", ["linear", "log", "logit"])
def test_the_diagonal_is_where_both_rates_are_equal(scale):
    grid = surface_grid([0.03, 0.4], [0, 0.2], 0.1, 1_000, scale=scale)
    x, y = grid.diagonal()
    rate = grid.x.inverse(x)
    np.testing.assert_allclose(rate, grid.y.inverse(y), atol=1e-9)
    reach = grid.x.inverse(np.linspace(*grid.x.limits, 64))
    kept = reach[grid.y.inside(reach)] if scale == "linear" else reach[grid.y.inside(reach) & (reach > 0.005)]
    assert rate.tolist() == pytest.approx(kept.tolist()) and 20 < rate.size < 65
    assert (rate[0] == 0) == (scale == "linear")
    for rates in (([0, 0.4], [0, 0.2], 0.1), ([0, 0.4], [0, 0.2], 0.9)):  # below the higher floor one of them is 0
        grid = surface_grid(*rates, 1_000, scale=scale)
        rate = grid.x.inverse(grid.diagonal()[0])
        assert rate[0] == 0 if scale == "linear" else 0.005 < rate[0] < 0.006


def test_a_surface_is_read_between_its_points():
    grid = surface_grid([0.03, 0.4], [0, 0.2], 0.1, 1_000, size=7)
    surface = np.random.default_rng(0).random((7, 7))
    x, y = np.random.default_rng(1).uniform(0, 1, (2, 50))
    u, v = (grid.x.limits[0] + x * np.ptp(grid.x.limits)), (grid.y.limits[0] + y * np.ptp(grid.y.limits))
    inside = u > np.log10(grid.x.floor)  # below it all rates are 0
    tpr, fpr = 10.0**v, 10.0**u
    expected = RegularGridInterpolator((grid.grid_y, grid.grid_x), surface)(np.c_[v, u])
    np.testing.assert_allclose(grid.at(surface, tpr, fpr)[inside], expected[inside], rtol=1e-9)
    corners = grid.at(surface, [0, 0, 1, 1], [1e-9, 1, 1e-9, 1])
    low = RegularGridInterpolator((grid.grid_y, grid.grid_x), surface)(
        [[v, np.log10(grid.x.floor)] for v in grid.y.limits]
    )
    assert corners.tolist() == pytest.approx([low[0], surface[0, -1], low[1], surface[-1, -1]])


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


@pytest.mark.parametrize(("tp", "fp"), [(95, 2), (95, 0), (88, 0), (99, 6), (90, 30), (20, 0)])
def test_words_in_a_corner_lie_on_no_selected_term(tp, fp):
    """Neither on its point nor on its name, which runs to the right of it, on a phone or a wide page."""
    terms = few([tp, 60, 1], [fp, 300, 100], ["maize", "sorghum", "millet"])
    figure = term_map(terms, term_grid(terms, region="terms", scale="log"), PlaneView(selected=["maize"]))
    above = next(note for note in figure.layout.annotations if note.text.startswith("<i>speaks for"))
    point = next(trace for trace in figure.data if trace.name == "selected")
    across, up = (
        float((at[0] - axis.range[0]) / (axis.range[1] - axis.range[0]))
        for at, axis in ((point.x, figure.layout.xaxis), (point.y, figure.layout.yaxis))
    )
    lines = above.text.split("<br>")
    letters = max(len(line) for line in lines) - len("<i>") - 2 * (len(lines) == 1)
    for width in (270, 620):
        left, right = width * above.x, width * above.x + 5 * letters
        beside = right < width * across - 5 or left > width * across + 40
        assert beside or up * 460 + 6 < above.y * 460 - 15 * len(lines)


def test_words_in_the_corners_make_room_for_the_strongest_term_above_the_diagonal():
    terms = few([95, 60, 40], [20, 1, 200], ["maize", "sorghum", "millet"])
    grid = term_grid(terms, region="terms", scale="log")
    across = np.broadcast_to(np.linspace(0, 1, grid.fpr.shape[1]), grid.fpr.shape)
    figure = term_map(terms, grid, iso=[SurfacePanel("RF", across)])  # lines in the lower right corner
    above = next(note for note in figure.layout.annotations if note.text.startswith("<i>speaks for"))
    (drawn,) = (trace for trace in figure.data if trace.name == "strongest")
    below = next(note for note in figure.layout.annotations if note.text == "<i>speaks against it</i>")
    assert above.x < 0.05 and "maize" in drawn.text and below.x < 0.9


def test_dashed_lines_of_equal_weight_lie_above_solid_ones():
    terms = few([95, 60, 1], [2, 300, 100])
    grid = term_grid(terms, region="square", scale="linear")
    across = np.broadcast_to(np.linspace(0, 1, grid.fpr.shape[1]), grid.fpr.shape)
    figure = term_map(
        terms, grid, iso=[SurfacePanel(name, across) for name in ("IDF (BM25)", "IDF")]
    )  # of equal weight
    lines = [trace.line.dash for trace in figure.data if trace.type == "contour"]
    assert lines[0] == "solid" != lines[1]


def test_words_in_the_corners_keep_off_lines_of_equal_weight():
    """A function that grows to the right alone: its lines stand at 80, 95 and 99% of the width."""
    terms = few([95, 60, 1], [2, 300, 100])
    grid = term_grid(terms, region="square", scale="linear")
    across = np.broadcast_to(np.linspace(0, 1, grid.fpr.shape[1]), grid.fpr.shape)
    figure = term_map(terms, grid, iso=[SurfacePanel("RF", across)])
    below = next(note for note in figure.layout.annotations if note.text == "<i>speaks against it</i>")
    assert below.x + 0.012 <= 0.8 and below.font.shadow  # it ends left of all three


def test_a_label_of_long_names_has_one():
    terms = few([30] * 3, [5] * 3, ["internationalisation", "institutionalised", "oats"])
    assert place_labels(terms, places(terms))[0] == "internationalisation +2"


def test_selected_terms_of_a_slice_are_named_beside_each_other():
    running = np.linspace(0, 1, 50)
    marked = {"maize": 0.3, "sorghum": 0.3, "millet": 0.31, "oats": 0.8, "internationalisation": 1.0, "rye": 0.0}
    figure = slices(running, {"RF": running}, marked=marked)
    (drawn,) = (trace for trace in figure.data if trace.name == "selected")
    heights = dict(zip(drawn.text, drawn.y.tolist(), strict=True))
    together, near, far = (heights[f"<b>{name}</b>"] for name in ("maize, sorghum", "millet", "oats"))
    assert far == together < near
    assert [*drawn.textposition] == ["top center"] * 3 + ["top left", "top right"]  # within the plot


def test_between_points_of_the_grid_lines_of_equal_weight_lie_where_the_weight_has_their_level():
    """plotly.js interpolates what is sent; near the diagonal χ² on a log axis would make it miss by pixels."""
    levels, p, n = [25.0, 75.0, 260.0], 0.0188, 9603
    chi2 = lambda tpr, fpr: n * p * (1 - p) * (tpr - fpr) ** 2 / ((m := p * tpr + (1 - p) * fpr) * (1 - m))  # noqa: E731
    x = np.linspace(-2, -0.03, 120)  # of the axis of fpr, at one tpr
    for tpr in (0.005, 0.05, 0.5):
        sent = _ranked(chi2(tpr, 10**x), levels)
        for number, level in enumerate(levels, 1):
            for k in np.flatnonzero((sent[:-1] < number) != (sent[1:] < number)):
                at = x[k] + (number - sent[k]) / (sent[k + 1] - sent[k]) * (x[k + 1] - x[k])
                fine = np.linspace(x[k], x[k + 1], 2001)
                exact = fine[np.abs(chi2(tpr, 10**fine) - level).argmin()]
                assert abs(at - exact) < 0.001  # of two decades: half a pixel
