import numpy as np

from ltw_core.figures import LearningLine, learning_curves, theme

NONE = float("nan")
SIZES = (50, 100, 200, 400, 800, 1000)


def line(method, mean, half=0.05):
    mean = np.array(mean)
    low, high = mean - half, mean + half
    low[-1] = high[-1] = NONE  # all documents: nothing is drawn
    return LearningLine(method, method, mean, low, high)


def drawn(*lines, **options):
    held = [f"{n // 10} of the class" for n in SIZES]
    return learning_curves(lines, SIZES, held, n_train=1000, said="It rises.", **options)


LINES = (line("TFRF", [0.2, 0.3, 0.5, 0.6, 0.7, 0.72]), line("LTW-L-I", [0.1, 0.3, 0.5, 0.65, 0.7, 0.721]))


def test_lines_lie_in_their_bands_which_close_in_the_score_of_all_documents():
    figure = drawn(*LINES)
    band = figure.data[0]
    assert (band.fill, band.line.width, len(band.x), max(band.x)) == ("toself", 0, 12, 1000)  # no line but of data
    np.testing.assert_allclose(sorted(band.y), sorted([*LINES[0].low[:5], *LINES[0].high[:5], 0.72, 0.72]))
    (course,) = [trace for trace in figure.data if trace.mode == "lines+markers" and trace.name == "TFRF"]
    assert list(course.y) == list(LINES[0].mean)
    assert [told[0] for told in course.customdata][3:] == [".600 (.550 to .650)", ".700 (.650 to .750)", ".720"]
    (held,) = [trace for trace in figure.data if trace.name == "positives"]
    assert [told[0] for told in held.customdata][:2] == ["5 of the class", "10 of the class"]
    assert figure.layout.xaxis.type == "log" and theme.alt(figure) == "It rises."


def test_names_at_the_ends_do_not_overlap_and_stay_on_the_page():
    four = [line(name, [0.5] * 5 + [0.98 + k / 1000]) for k, name in enumerate(("TFRF", "TFIDF", "TFCHI", "LTW-L-I"))]
    figure = drawn(*four)
    low, high = figure.layout.yaxis.range
    heights = sorted(note.y for note in figure.layout.annotations)
    assert len(heights) == 4 and min(np.diff(heights)) >= 0.05 * (high - low)
    assert low < heights[0] and heights[-1] < high
    assert sorted(shape.y1 for shape in figure.layout.shapes) == heights  # a line leads to each from its curve's end
    order = [note.text for note in sorted(figure.layout.annotations, key=lambda note: -note.y)]
    assert order == ["<b>LTW-L-I</b>", "<b>TFCHI</b>", "<b>TFIDF</b>", "<b>TFRF</b>"]


def test_the_axis_names_as_many_sizes_as_have_room_and_all():
    axis, narrow = (drawn(*LINES, narrow=narrow).layout.xaxis for narrow in (False, True))
    assert list(axis.ticktext) == ["50<br>5", "100<br>10", "200<br>20", "400<br>40", "800<br>80", "all 1,000<br>100"]
    assert [text for text in axis.ticktext if text not in narrow.ticktext] == ["800<br>80"]
    assert axis.title.text == "labelled documents; below, how many are of the class"


def test_single_points_before_there_is_a_curve_say_where_they_are():
    points = [line(name, [NONE] * 5 + [at]) for name, at in (("TFRF", 0.934), ("LogTF", 0.927))]
    figure = drawn(*points, nothing="Press Compute.")
    named = [note.text for note in figure.layout.annotations]
    assert named[1:] == ["<b>LogTF</b> .927", "<b>TFRF</b> .934"]


def test_what_is_not_known_yet_leaves_no_point():
    figure = drawn(line("TFRF", [0.2, NONE, NONE, NONE, NONE, NONE]), line("TFIDF", [NONE] * 6), base="dark")
    courses = {trace.name: list(trace.x) for trace in figure.data if trace.mode == "lines+markers"}
    assert courses == {"TFRF": [50], "TFIDF": []} and len(figure.layout.annotations) == 1
    assert learning_curves([], (), (), n_train=10).layout.meta["alt"] == (
        "F1 by number of labelled documents: nothing is known yet."
    )
    assert tuple(drawn(line("TFRF", [NONE] * 6)).layout.yaxis.range) == (-0.02, 1.02)
