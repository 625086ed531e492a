"""Symbolic regression: it finds known formulas again, measures as it says, and writes what can be read."""

import ast
import random

import numpy as np
import pytest
from deap import gp
from scipy import sparse

from ltw_core.insight.alignment import alignment
from ltw_core.insight.symbolic import Budget, Front, FrontPoint, SharedTarget, Target, discover, readable, trees
from ltw_core.insight.symbolic.polish import polished
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.weighting import CD, Composed, formula
from ltw_core.weighting.genetic.search import drawing_from

SMALL = Budget(population=20, generations=6)
POSITIVES, DOCUMENTS = 100, 1000
SEEDS = (1, 2, 4, 5)


@pytest.fixture(scope="module")
def terms():
    """300 terms as in a corpus: most are rare, some of the class, some common."""
    rng = np.random.default_rng(0)
    tp = np.rint(POSITIVES * rng.beta(0.35, 3, 300)).astype(int)
    fp = np.rint((DOCUMENTS - POSITIVES) * rng.beta(0.35, 8, 300)).astype(int)
    tp[(tp == 0) & (fp == 0)] = 1
    return TermStatistics(np.array([f"t{k}" for k in range(300)]), tp, fp, POSITIVES, DOCUMENTS)


@pytest.fixture(scope="module")
def documents(terms):
    rng = np.random.default_rng(1)
    inside = rng.random((40, 300)) < terms.tpr
    outside = rng.random((60, 300)) < terms.fpr
    return sparse.csr_array(np.vstack([inside, outside]).astype(np.int32) * rng.integers(1, 4, (100, 300)))


def sampled(name, terms):
    return CD[name](terms.tpr, terms.fpr, terms.prevalence, terms.n_documents)


@pytest.mark.parametrize(("name", "most"), [("GSS", 3), ("CHI2", 15), ("RF", 12)])
def test_known_formulas_are_found_again(name, most, terms, documents):
    """By one of a few searches: how each one goes depends on the last bits of what a processor computes."""
    fronts = (discover(Target(sampled(name, terms), terms, documents), seed=seed) for seed in SEEDS)
    found_in = ((front, point) for front in fronts for point in front.points if point.likeness > 0.999)
    front, found = next((front, point) for front, point in found_in if point.length <= most)
    assert [point.length for point in front.points] == sorted({point.length for point in front.points})
    assert np.all(np.diff([point.likeness for point in front.points]) > 0)
    composed = Composed("found", cd=found.formula)  # a formula of the project's own language
    function = composed.function
    values = function(terms.tpr, terms.fpr, terms.prevalence, terms.n_documents)
    assert np.corrcoef(values, sampled(name, terms))[0, 1] > 0.99  # not upside down either


def test_the_same_seed_finds_the_same_and_it_can_be_ended(terms):
    target, seen = Target(sampled("OR", terms), terms), []
    fronts = [discover(target, seed=4, budget=SMALL) for _ in range(2)]
    assert fronts[0].points == fronts[1].points
    short = discover(target, seed=4, budget=SMALL, on_progress=lambda event: seen.append(event) or event.done == 2)
    assert (short.generations, len(seen), seen[-1].total) == (2, 2, 6)
    assert short.points and seen[-1].message.startswith("Generation 2 of 6, ")


def test_nothing_to_tell_apart_is_said(terms):
    with pytest.raises(ValueError, match="the formula is 1"):
        discover(Target(np.ones(300), terms), budget=SMALL)


def test_the_fit_by_hand():
    # two places; tpr + fpr of the terms is .5 + .25, .5 + .25 (one place with two terms), and 1 + 0
    terms = TermStatistics(np.array(list("abc")), np.array([2, 2, 4]), np.array([1, 1, 0]), 4, 8)
    target = Target(np.array([1.0, 3.0, 4.0]), terms)  # the two at one place have 2 on average
    weight = np.array([1.5, 1.0]) / (1.5 * 2**2 + 1.0 * 4**2)
    values = np.array([3.0, 1.0])
    cosine = (weight @ (values * [2, 4])) ** 2 / ((weight @ values**2) * (weight @ np.array([2.0, 4]) ** 2))
    assert target.fit(values) == pytest.approx(cosine)
    assert target.fit(-5 * values) == pytest.approx(cosine)
    assert np.square(target.residual(values)).sum() == pytest.approx(1 - cosine)
    assert (target.sign(values), target.sign(-values)) == (1, -1)
    assert target.fit(np.zeros(2)) == target.fit(np.full(2, np.inf)) == 0


def test_likeness_is_the_alignment_of_the_documents(terms, documents):
    target = Target(sampled("RF", terms), terms, documents)
    dd = documents.astype(float)
    dd.data = np.log1p(documents.data / np.repeat(documents.sum(axis=1), np.diff(documents.indptr)))
    vectors = []
    for name in ("RF", "CHI2"):
        weighted = dd.multiply(sampled(name, terms)).toarray()
        vectors.append(weighted / np.linalg.norm(weighted, axis=1, keepdims=True))
    assert target.likeness(CD["CHI2"]) == pytest.approx(alignment(*vectors), abs=1e-5)
    assert target.likeness(CD["RF"]) == pytest.approx(1, abs=1e-5)
    assert target.likeness(formula("-3 * log2(2 + tp / max(1, fp))")) == pytest.approx(1, abs=1e-5)


def test_constants_are_fitted():
    x = np.linspace(0, 1, 30)
    found = polished([1.0, 1.0], lambda c: c[0] * x + np.exp(-c[1] * x) - (3 * x + np.exp(-0.5 * x)))
    np.testing.assert_allclose(found, [3, 0.5], rtol=1e-3)
    assert polished([2.0], lambda c: np.full(3, np.nan)) == [2.0]


@pytest.mark.parametrize(
    ("bred", "read", "length"),
    [
        ("(3 * (tpr - fpr))", "tpr - fpr", 3),
        ("(((tpr - fpr) / N) / 0.5)", "tpr - fpr", 3),
        ("((tpr + (2 * 3)) - (1 - 1))", "tpr + 6", 3),
        ("(((fpr - tpr)) ** 2)", "(tpr - fpr)**2", 5),
        ("-(fpr - tpr)", "tpr - fpr", 3),
        ("(tp / (600 / df))", "tp * df", 3),
        ("sqrt((4 * df))", "sqrt(df)", 2),
        ("log(1 + (tp / max(1, fp)))", "log(1 + tp / max(1, fp))", 8),
        ("(7 * N)", "1", 1),
    ],
)
def test_formulas_are_made_readable(bred, read, length):
    found = readable.simplified(bred)
    assert (found.formula, readable.length(found)) == (read, length)


def test_numbers_are_rounded_as_far_as_it_stays_good():
    start = readable.simplified("log(2.03251 + tp / 0.5123)")
    assert readable.rounded(start, lambda tried: True).formula == "log(2 + tp / 0.5)"
    close = lambda tried: "2.03" in tried.formula  # noqa: E731
    assert readable.rounded(start, close).formula == "log(2.03 + tp / 0.5)"


def test_a_tree_has_the_value_of_what_is_written(terms):
    """Every operator, the odd places too: a division by 0, the root of what is negative, the logarithm of nothing."""
    columns = Target(sampled("GSS", terms), terms).columns
    at = columns["tpr"], columns["fpr"], terms.prevalence, terms.n_documents
    for made_of in trees.SETS:
        for seed in range(8):
            with drawing_from(random.Random(seed)):
                tree = gp.PrimitiveTree(gp.genFull(made_of, 3, 3))
            np.testing.assert_allclose(
                trees.values(tree, columns),
                formula(trees.text(tree))(*at),
                rtol=1e-6,
                atol=1e-9,
                err_msg=trees.text(tree),
            )
            numbers = trees.constants(tree)
            assert trees.text(trees.with_constants(tree, numbers)) == trees.text(tree)
            ast.parse(trees.text(tree), mode="eval")


def test_one_operator_more():
    tree = gp.PrimitiveTree.from_string("sub(tpr, fpr)", trees.SETS[0])
    texts = {trees.text(one) for one in trees.grown(tree, trees.SETS[0])}
    assert {"(((tpr - fpr)) ** 2)", "((tpr - fpr) / df)", "(df / (tpr - fpr))", "(tpr - log(1 + fpr))"} <= texts
    assert "((tpr - fpr) + 1)" in texts


@pytest.fixture(scope="module")
def two_classes(terms, documents):
    """The same terms in a class of one tenth and in one of a third of the documents."""
    fewer = TermStatistics(terms.terms, terms.tp // 2, terms.fp // 3, 300, 900)
    surface = lambda tpr, fpr: tpr - fpr  # noqa: E731
    return [Target(surface(found.tpr, found.fpr), found, documents) for found in (terms, fewer)]


def test_a_surface_that_classes_share_is_measured_in_each_and_averaged(two_classes):
    shared = SharedTarget(two_classes)
    values = shared.values(CD["RF"])
    each = [np.asarray(part.values(CD["RF"])) for part in two_classes]
    np.testing.assert_array_equal(values, np.concatenate(each))  # each with its own prevalence
    fits = [part.fit(of) for part, of in zip(two_classes, each, strict=True)]
    assert shared.fit(values) == pytest.approx(np.mean(fits)) and 0 < fits[0] != pytest.approx(fits[1])
    assert np.square(shared.residual(values)).sum() == pytest.approx(1 - shared.fit(values))
    assert (shared.sign(values), shared.sign(-values)) == (1, -1)
    likeness = [part.likeness(CD["RF"]) for part in two_classes]
    assert shared.likeness(CD["RF"]) == pytest.approx(np.mean(likeness))
    other_scale = np.concatenate([each[0], 7 * each[1]])  # means nothing within a class
    assert shared.fit(other_scale) == pytest.approx(shared.fit(values))


def test_one_formula_is_found_for_a_surface_that_classes_share(two_classes):
    fronts = (discover(SharedTarget(two_classes), seed=seed, budget=Budget(40, 20)) for seed in SEEDS)
    front = next(front for front in fronts if front.points[-1].likeness > 0.999)
    assert front.points[-1].formula == "tpr - fpr"


def test_the_knee_is_the_shortest_with_nine_tenths_of_the_gain():
    points = tuple(
        FrontPoint("", length, likeness, 0) for length, likeness in ((1, 0.5), (3, 0.94), (5, 0.96), (9, 1.0))
    )
    assert Front(points, 0, 0, 0.0, 0).knee == 2 and Front(points[:1], 0, 0, 0.0, 0).knee == 0
