"""What is said of a comparison, whole sentences, from made-up differences."""

import pytest

from ltw_core.evaluation import in_documents, verdict, verdicts
from ltw_core.evaluation.paired import APART, CLASSES, PAIRED, Difference
from ltw_core.evaluation.uncertainty import Interval
from ltw_core.evaluation.verdicts import interval_text
from ltw_core.metrics import power_of_ten


def made(low, high, rests_on=PAIRED, n=900, positives=56, right=None, wrong=None, p=None, seeds=1):
    both = Interval(low, high)
    return Difference((low + high) / 2, both, None, both, rests_on, n, positives, right, wrong, p, seeds)


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.01, 0.02, "is not distinguishable from B"),
        (0.0104, 0.2, "is better than B by .01 to .20"),
        (-0.2, -0.0104, "is worse than B by .01 to .20"),
        (0.005, 0.02, "is better than B by .01 to .02"),
        (0.0049, 0.02, "is better than B by .005 to .020"),  # two digits would make nothing of it
        (0.011, 0.013, "is better than B by .011 to .013"),  # or one of both
        (0.0112, 0.0113, "is better than B by .011"),
        (0.9, 1.0, "is better than B by .90 to 1.00"),
    ],
)
def test_one_against_another(low, high, said):
    rests = "difference −.010 to +.020; " * (low < 0 < high) + "56 test documents of the class"
    assert verdict("A", "B", made(low, high), "corn") == f"A {said} on corn ({rests})"
    assert verdict("A", "B", made(low, high)) == f"A {said} ({rests})"


@pytest.mark.parametrize(
    ("about", "basis"),
    [
        ({"positives": 1}, "1 test document of the class"),
        ({"positives": 0}, "0 test documents of the class"),
        ({"positives": 1_234}, "1,234 test documents of the class"),
        (
            {"positives": 1_000, "rests_on": APART},
            "1,000 test documents of the class; only the counts of their decisions are known",
        ),
        ({"seeds": 2}, "56 test documents of the class, 2 seeds"),
        (
            {"seeds": 3, "rests_on": APART},
            "56 test documents of the class, 3 seeds; only the counts of their decisions are known",
        ),
        ({"n": 1, "rests_on": CLASSES}, "over 1 class"),
        ({"n": 115, "rests_on": CLASSES, "seeds": 3}, "over 115 classes"),
    ],
)
def test_what_a_verdict_rests_on(about, basis):
    assert verdict("A", "B", made(-0.1, 0.1, **about)) == (
        f"A is not distinguishable from B (difference −.100 to +.100; {basis})"
    )


def test_small_probabilities_have_a_power_of_ten():
    assert [power_of_ten(p) for p in (1, 0.031, 3.14e-17)] == ["1", ".031", "3.1·10⁻¹⁷"]


def test_one_against_several():
    alike, better, worse = made(-0.1, 0.1), made(0.01, 0.2), made(-0.3, -0.1)
    basis = "(56 test documents of the class)"
    for others, said in (
        ({"B": alike}, f"A {basis} is not distinguishable from B (−.100 to +.100)"),
        (
            {"B": alike, "C": alike},
            f"A {basis} is not distinguishable from B (−.100 to +.100) and C (−.100 to +.100)",
        ),
        ({"B": better}, f"A {basis} is better than B by .01 to .20"),
        ({"B": worse, "C": better}, f"A {basis} is better than C by .01 to .20; worse than B by .10 to .30"),
        ({"B": worse}, f"A {basis} is worse than B by .10 to .30"),
        (
            {"B": worse, "C": better, "D": alike, "E": better, "F": better},
            f"A {basis} is not distinguishable from D (−.100 to +.100); better than C by .01 to .20, E by .01 to .20 "
            "and F by .01 to .20; worse than B by .10 to .30",
        ),
    ):
        assert verdicts("A", others) == said
        assert verdicts("A", others, "corn") == said.replace("A (", "A on corn (", 1)
    short = "A is not distinguishable from D; better than C; worse than B"
    assert verdicts("A", {"B": worse, "C": better, "D": alike}, brief=True) == short
    assert verdicts("A", {}) == verdicts("A", {}, "corn") == ""


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({}, "What was decided of each document is not known here, so that only counts are compared."),
        ({"right": 0, "wrong": 0, "p": 1.0}, "They decide every test document alike."),
        (
            {"right": 1, "wrong": 0, "p": 1.0},
            "They differ on 1 test document; the first is right there; McNemar’s exact test: p = 1.",
        ),
        (
            {"right": 2, "wrong": 5, "p": 0.4531},
            "They differ on 7 test documents; the second is right on 3 more of them; McNemar’s exact test: p = .45.",
        ),
        (
            {"right": 2, "wrong": 2, "p": 1.0},
            "They differ on 4 test documents; each is right on half of them; McNemar’s exact test: p = 1.",
        ),
        (
            {"right": 2.25, "wrong": 0.5, "seeds": 3},
            "They differ on 2.75 test documents on average over pairs of seeds; the first is right on 1.75 more of "
            "them.",
        ),
        (
            {"right": 1_234, "wrong": 1, "seeds": 2},
            "They differ on 1,235 test documents on average over pairs of seeds; the first is right on 1,233 more of "
            "them.",
        ),
        (
            {"right": 7, "wrong": 2, "rests_on": CLASSES, "n": 10, "p": 0.1},
            "It has the higher F1 in 7 and the lower in 2 of 10 classes.",
        ),
        (
            {"right": 0, "wrong": 0, "rests_on": CLASSES, "n": 1},
            "It has the higher F1 in 0 and the lower in 0 of 1 class.",
        ),
    ],
)
def test_how_many_documents_it_is_about(about, said):
    assert in_documents(made(-0.1, 0.1, **about)) == said


def test_an_interval_in_words():
    assert interval_text(Interval(0.86, 0.9712)) == ".860 to .971"
    assert interval_text(Interval(-0.04, 1), 2) == "−.04 to 1.00"
    # an end that rounding would make 0 says on which side of it it lies
    assert interval_text(Interval(-0.0101, -0.00042), plus=True) == "−.010 to just below 0"
    assert interval_text(Interval(-0.00007, 0.012), plus=True) == "just below 0 to +.012"
    assert interval_text(Interval(0.00049, 0.5)) == "just above 0 to .500"
    assert interval_text(Interval(-0.0042, 0.5), 2) == "−.004 to .50"
    assert interval_text(Interval(0.0, 1e-17), plus=True) == ".000 to .000"
