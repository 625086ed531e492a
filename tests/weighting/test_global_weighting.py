"""GlobalWeighting: hand-made tables, policies, any labels, and scikit-learn's contract."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.weighting import GlobalWeighting, LearnedWeighting, TermWeighting
from ltw_core.weighting.progress import Cancelled

TINY = dict(hidden=4, max_steps=6, check_every=3, batch_size=8)
# terms: 0 in all of a, 1 everywhere, 2 in one of b and both of c, 3 in one of a, 4 in none
X = sparse.csr_array(
    [[2, 1, 0, 0, 0], [1, 1, 0, 1, 0], [0, 1, 1, 0, 0], [0, 1, 0, 0, 0], [0, 2, 1, 0, 0], [0, 1, 3, 0, 0]]
)
Y = np.array(["a", "a", "b", "b", "c", "c"])
INDICATOR = (Y[:, None] == ["a", "b", "c"]).astype(int)
# RF = log2(2 + TP / max(1, FP)) of each class, by hand
RF = np.log2(
    [
        [2 + 2, 2 + 2 / 4, 2 + 0 / 3, 2 + 1, 2],
        [2 + 0 / 2, 2 + 2 / 4, 2 + 1 / 2, 2 + 0, 2],
        [2 + 0 / 2, 2 + 2 / 4, 2 + 2 / 1, 2 + 0, 2],
    ]
)


@parametrize_with_checks(
    [
        GlobalWeighting(),
        GlobalWeighting("IDF", norm=None),
        GlobalWeighting("TFIGM"),
        GlobalWeighting(LearnedWeighting(**TINY), policy="mean"),
    ]
)
def test_sklearn_compatible(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("max", RF.max(axis=0)), ("mean", RF.mean(axis=0)), ("sum", RF.sum(axis=0)), ("weighted", RF.mean(axis=0))],
)
def test_policies_by_hand(policy, expected):
    weighting = GlobalWeighting("RF", policy=policy).fit(X, Y)
    np.testing.assert_allclose(weighting.cd_, expected)
    np.testing.assert_allclose(weighting.class_cd_, RF)
    assert weighting.classes_.tolist() == ["a", "b", "c"] and weighting.left_out_.size == 0


def test_weighted_by_the_classes_share():
    y = np.array(["a", "a", "b", "b", "b", "b"])
    weighting = GlobalWeighting("tp", policy="weighted").fit(X, y)
    # term 1 is in 2 of the 2 documents of a and in the 4 of b: 2/6 · 2 + 4/6 · 4
    assert weighting.cd_[1] == pytest.approx(2 / 6 * 2 + 4 / 6 * 4)


@pytest.mark.parametrize("y", [INDICATOR, INDICATOR.astype(bool), sparse.csr_matrix(INDICATOR), Y.astype(object)])
def test_labels_of_any_form(y):
    np.testing.assert_allclose(GlobalWeighting("RF").fit(X, y).cd_, RF.max(axis=0))


def test_one_column_is_a_binary_problem():
    one = GlobalWeighting("CHI2", norm=None).fit(X, INDICATOR[:, :1])
    binary = TermWeighting(cd="CHI2", norm=None).fit(X, Y == "a")
    np.testing.assert_allclose(one.cd_, binary.cd_)
    np.testing.assert_allclose(one.transform(X).toarray(), binary.transform(X).toarray())


def test_two_labels_are_two_classes():
    y = Y == "a"
    weighting = GlobalWeighting("RF").fit(X, y)
    sides = [TermWeighting(cd="RF").fit(X, side).cd_ for side in (y, ~y)]
    np.testing.assert_allclose(weighting.cd_, np.max(sides, axis=0))


def test_documents_of_several_classes_and_of_none():
    labels = INDICATOR.copy()
    labels[0] = 1, 1, 0
    labels[5] = 0
    weighting = GlobalWeighting("tp + 0 * fp", policy="sum").fit(X, labels)
    np.testing.assert_allclose(weighting.class_cd_, labels.T @ (X.toarray() > 0))
    assert weighting.n_documents_ == 6


def test_a_class_that_says_nothing_is_left_out_and_named():
    labels = np.hstack([INDICATOR, np.zeros((6, 1), int), np.ones((6, 1), int)])
    weighting = GlobalWeighting("RF", policy="mean").fit(X, labels)
    assert weighting.left_out_.tolist() == [3, 4]
    np.testing.assert_allclose(weighting.cd_, RF.mean(axis=0))
    assert np.isnan(weighting.class_cd_[3:]).all()


def test_a_base_brings_its_own_factors():
    for name in ("LogTFIDF", "BM25", "TF", "Binary"):
        from ltw_core.weighting import make

        theirs = make(name).fit(X).transform(X)
        np.testing.assert_allclose(GlobalWeighting(name).fit(X, Y).transform(X).toarray(), theirs.toarray())
    other = GlobalWeighting("TFRF", dd="raw", norm=None).fit(X, Y).transform(X)
    np.testing.assert_allclose(other.toarray(), X.toarray() * RF.max(axis=0))
    assert GlobalWeighting("IDF").fit(X).cd_[1] == 0  # no class is looked at


def test_cancelled_terms_keep_the_floor_of_their_function():
    assert GlobalWeighting("ConfWeight").fit(X, Y).cd_.min() == 1e-20


def test_a_learned_base_is_learned_for_each_class():
    seen = set()
    base = LearnedWeighting(**TINY, random_state=3)
    validation = np.array([False, False, False, True, False, True])
    weighting = GlobalWeighting(base, policy="max").fit(
        X, Y, validation=validation, on_event=lambda j, event: seen.add(j)
    )
    each = [LearnedWeighting(**TINY, random_state=3).fit(X, c == Y, validation=validation).weights_ for c in "abc"]
    np.testing.assert_allclose(weighting.class_cd_, each, rtol=1e-6)
    np.testing.assert_allclose(weighting.cd_, np.max(each, axis=0), rtol=1e-6)
    assert seen == {0, 1, 2} and not hasattr(base, "cd_")
    with pytest.raises(Cancelled):
        GlobalWeighting(base).fit(X, Y, on_event=lambda j, event: True)


def test_a_class_that_only_validates_is_left_out():
    validation = np.array([False, False, False, False, True, True])
    weighting = GlobalWeighting(LearnedWeighting(**TINY)).fit(X, Y, validation=validation)
    assert weighting.left_out_.tolist() == ["c"] and weighting.weightings_[2] is None


@pytest.mark.parametrize(
    ("arguments", "y", "message"),
    [
        ({"policy": "min"}, Y, "policy is 'min'; it must be one of max, mean, sum, weighted"),
        ({"policy": np.False_}, Y, "policy is False; it must be one of"),
        ({"base": "nothing"}, Y, "base is no weighting"),
        ({"base": "Dense"}, Y, "base is 'Dense', which has no weight for each term"),
        ({"base": "LTW-TF"}, Y, "give a dd"),
        ({"norm": "l3"}, Y, "norm is 'l3'"),
        ({}, ["a"] * 6, "one class only"),
        ({}, 2 * INDICATOR, "other than 0 and 1"),
        ({}, INDICATOR[:4], "inconsistent numbers"),
        ({}, np.zeros((6, 2), int), "nothing to tell apart"),
        ({}, None, "requires y to be passed"),
    ],
)
def test_what_is_refused(arguments, y, message):
    with pytest.raises(ValueError, match=message):
        GlobalWeighting(**arguments).fit(X, y)


@pytest.mark.parametrize("base", ["LogTF-ICFRF", "LogTF-ICF", "TFIGM"])
def test_schemes_count_only_classes_that_have_documents(base):
    more = np.hstack([INDICATOR, np.zeros((6, 3), int)])
    there, padded = GlobalWeighting(base).fit(X, INDICATOR), GlobalWeighting(base).fit(X, more)
    np.testing.assert_allclose(padded.cd_, there.cd_)
    assert padded.left_out_.tolist() == [3, 4, 5]
    if len(there.class_cd_) == 3:
        np.testing.assert_allclose(padded.class_cd_[:3], there.class_cd_)
        assert np.isnan(padded.class_cd_[3:]).all()


def test_the_weights_of_one_class():
    weighting = GlobalWeighting("RF").fit(X, np.hstack([INDICATOR, np.zeros((6, 1), int)]))
    np.testing.assert_allclose(weighting.of_class(1).cd_, RF[1])
    for j, message in ((3, "it is one of left_out_"), (4, "numbered from 0 to 3"), (-1, "numbered from 0 to 3")):
        with pytest.raises(ValueError, match=message):
            weighting.of_class(j)
    for base in ("TFIGM", "IDF"):
        shared = GlobalWeighting(base).fit(X, Y)
        for j in (0, 1):
            with pytest.raises(ValueError, match=f"under base '{base}' all classes share theirs"):
                shared.of_class(j)
