"""What many guessed: counts and means, worked out by hand."""

import pytest

from ltw_core.lessons import checked, tally
from ltw_core.lessons.lesson import Option, Question, Text


def question(kind, n=0, **settings):
    options = tuple(Option(Text(str(place), 1), False) for place in range(n))
    return Question("q", kind, Text("", 1), 1, options=options, settings=settings)


CHOICE, ORDER = question("choice", 3), question("order", 3)
NUMBER, POINT = question("number", low=0.0, high=10.0), question("point", scale="log")
SKETCH = question("sketch", low=-1.0)


def test_counts_and_means():
    assert tally(CHOICE, [0, 2, 2]) == ((0, 2, 2), (1, 0, 2), None, 0)
    assert tally(NUMBER, [1, 2, 6]).mean == 3.0
    assert tally(POINT, [[0.01, 1.0], [0.0001, 0.01]]).mean == pytest.approx([0.001, 0.1])  # on four decades
    assert tally(question("point", scale="linear"), [[0.2, 1.0], [0.4, 0.5]]).mean == pytest.approx([0.3, 0.75])
    assert tally(SKETCH, [[-1, 0, 1], [0, 0.5, 1]]).mean == [-0.5, 0.25, 1.0]
    hills = [[0.0] * 841, [0.5] * 841, [0.5]]  # the last one is none
    assert tally(question("surface"), hills).mean == [0.25] * 841 and tally(question("surface"), hills).n_left_out == 1
    found = tally(ORDER, [[2, 0, 1], [2, 1, 0]])  # option 2 is first twice, options 0 and 1 second and third in turn
    assert found.mean == [2.5, 2.5, 1.0] and found.counts == (0, 0, 2)
    for kind in (CHOICE, ORDER, NUMBER, POINT, SKETCH):
        assert tally(kind, []).mean is None and tally(kind, []).guesses == ()


def test_what_does_not_fit_the_question_is_counted_as_left_out():
    assert tally(CHOICE, [0, 7, "x"]) == ((0,), (1, 0, 0), None, 2)
    assert tally(SKETCH, [[0, 0, 0], [1, 1]]).n_left_out == 1


@pytest.mark.parametrize(
    ("kind", "guess"),
    [
        *((CHOICE, wrong) for wrong in (3, -1, True, 0.5, None, [0], "0", {})),
        *((ORDER, wrong) for wrong in ([0, 1], [0, 1, 1], [0, 1, 3], 1, [0, 1, 2, 2])),
        *((NUMBER, wrong) for wrong in (11, -0.1, float("nan"), float("inf"), "3", [3])),
        *((POINT, wrong) for wrong in ([0.5], [0.5, 1.1], [0.5, None], 0.5, [True, 0.5])),
        *((SKETCH, wrong) for wrong in ([0], [0, 1.1], [0, -1.1], [0] * 202, [0, float("nan")], "00")),
    ],
)
def test_a_guess_that_cannot_have_been_made_is_refused(kind, guess):
    with pytest.raises(ValueError, match="no guess"):
        checked(kind, guess)
