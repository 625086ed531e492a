"""The mean of several training runs, with a formula or without: by hand, against its members, in files."""

import numpy as np
import pytest

from ltw_core.weighting import LearnedWeighting, cd_function, make, method
from ltw_core.weighting.canonical import canonical, canonical_weights
from ltw_core.weighting.learned import Settings, fit_many, make_engine
from ltw_core.weighting.learned.coordinates import COORDINATES
from ltw_core.weighting.learned.ensemble import Ensemble, coefficients, share_of
from ltw_core.weighting.learned.network import local_cd
from ltw_core.weighting.methods import display, learned_name
from ltw_core.weighting.progress import Cancelled

SMALL = dict(hidden=8, max_steps=60, check_every=20, batch_size=16)
AXIS = np.linspace(0, 1, 7)


@pytest.fixture(scope="module")
def split():
    mask = np.zeros(160, dtype=bool)
    mask[120:] = True
    return mask


@pytest.fixture(scope="module")
def three(corpus, split):
    return LearnedWeighting(n_members=3, random_state=2, **SMALL).fit(*corpus, validation=split)


@pytest.fixture(scope="module")
def alone(corpus, split):
    """The same training runs one by one."""
    return [LearnedWeighting(random_state=seed, **SMALL).fit(*corpus, validation=split) for seed in (6, 7, 8)]


def statistics(weighting):
    return weighting.tpr_, weighting.fpr_, weighting.document_frequency_


def test_it_is_the_mean_of_the_canonical_surfaces_of_the_seeds_alone(three, alone):
    factors = [canonical(one.cd_, *statistics(one)) for one in alone]
    each = [f * one.surface(AXIS[:, None], AXIS) for f, one in zip(factors, alone, strict=True)]
    np.testing.assert_allclose(three.surface(AXIS[:, None], AXIS), np.mean(each, axis=0), rtol=1e-6, atol=1e-9)
    weights = [canonical_weights(one.cd_, *statistics(one)) for one in alone]
    np.testing.assert_allclose(three.cd_, np.mean(weights, axis=0))
    np.testing.assert_allclose(three.cd_spread_, np.std(weights, axis=0, ddof=1))
    np.testing.assert_allclose(three.mean_surface.members(AXIS[:, None], AXIS), each, rtol=1e-6, atol=1e-9)
    spread = three.mean_surface.spread(AXIS[:, None], AXIS)
    np.testing.assert_allclose(spread, np.std(each, axis=0, ddof=1), rtol=1e-6, atol=1e-9)


def test_logarithmic_coordinates_are_those_of_the_network_alone(corpus, split):
    """log(1 + 100 x) / log 101 of both rates goes in; the surface is asked at the rates themselves, in files too."""
    g = lambda x: np.log(1 + 100 * np.asarray(x)) / np.log(101)  # noqa: E731
    made = LearnedWeighting(coordinates="log", pretrain="tpr", pretrain_steps=1000, **SMALL).fit(
        *corpus, validation=split
    )
    by_hand = local_cd(made.parameters_, g(made.tpr_), g(made.fpr_), False)
    np.testing.assert_allclose(made.surface(made.tpr_, made.fpr_), by_hand)
    np.testing.assert_allclose(made.cd_, by_hand, rtol=1e-4, atol=1e-5)
    assert (made.name, made.get_params()["coordinates"]) == ("LTW-L-I (log)", "log")
    assert COORDINATES["log"].back(g(AXIS)) == pytest.approx(AXIS)
    with pytest.raises(ValueError, match="coordinates are those of a cd"):
        LearnedWeighting(variant="LTW-G-I", coordinates="log", **SMALL).fit(*corpus)


def test_both_engines_see_the_same_coordinates(corpus, split):
    options = dict(coordinates="log", dropout=0.0, dtype="float64") | SMALL
    settings = Settings(variant="LTW-L-I", **options)
    problem = LearnedWeighting(coordinates="log").problem(*corpus, split)
    losses = [make_engine(problem, settings, name).advance(5) for name in ("compiled", "reference")]
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


def test_what_it_says_of_its_members(three, alone):
    np.testing.assert_array_equal(three.member_f1_, [one.best_f1_ for one in alone])
    assert three.best_f1_ == pytest.approx(np.mean([one.best_f1_ for one in alone]))
    assert (three.steps_, three.seed_, three.history_) == (sum(one.steps_ for one in alone), 2, [])
    assert three.stop_reason_.startswith("3 training runs, stopped after ")


def test_coefficients_by_hand():
    # two terms in 4 and 4 documents, tpr > fpr for the first alone: canonical form is sign by it, root mean square 1
    rates = np.array([0.5, 0.0]), np.array([0.1, 0.2]), np.array([4, 4])
    cds = [[3.0, 1.0], [-2.0, 4.0]]  # root mean squares √5 and √10; the second one is upside down
    np.testing.assert_allclose(coefficients(cds, rates), [0.5 / 5**0.5, -0.5 / 10**0.5, 0])
    mean = 0.5 * np.array([3, 1]) / 5**0.5 + 0.5 * np.array([2, -4]) / 10**0.5
    again = 1 / np.sqrt(np.mean(mean**2))
    found = coefficients(cds, rates, formula_cd=[1.0, 7.0], share=0.25)  # √25 = 5
    np.testing.assert_allclose(found, [0.75 * again * 0.5 / 5**0.5, -0.75 * again * 0.5 / 10**0.5, 0.25 / 5])


def test_a_formula_takes_its_share(corpus, split, alone):
    mixed = LearnedWeighting(n_members=3, random_state=2, mixed="RF", share=0.3, **SMALL).fit(*corpus, validation=split)
    own = canonical_weights(
        np.mean([canonical_weights(o.cd_, *statistics(o)) for o in alone], axis=0), *statistics(mixed)
    )
    formula = cd_function("RF")(mixed.tpr_, mixed.fpr_, mixed.prevalence_, mixed.n_documents_)
    by_hand = 0.7 * own + 0.3 * canonical_weights(formula, *statistics(mixed))
    np.testing.assert_allclose(mixed.cd_, by_hand)
    np.testing.assert_allclose(mixed.surface(mixed.tpr_, mixed.fpr_), by_hand, rtol=1e-4, atol=1e-5)


def test_all_of_it_can_be_the_formula(corpus, split):
    mixed = LearnedWeighting(mixed="CHI2", share=1, **SMALL).fit(*corpus, validation=split)
    formula = cd_function("CHI2")(mixed.tpr_, mixed.fpr_, mixed.prevalence_, mixed.n_documents_)
    np.testing.assert_allclose(mixed.weights_, canonical_weights(formula, *statistics(mixed)))


def test_by_documents_a_formula_has_the_more_the_fewer_there_are():
    assert [share_of("documents", n) for n in (0, 20, 60, 380)] == [1, 0.5, 0.25, 0.05]
    assert share_of(0.3, 5) == 0.3


@pytest.mark.parametrize(
    "parameters", [{"n_members": 3}, {"mixed": "tpr - fpr"}, {"variant": "LTW-L-sigma", "n_members": 2}]
)
def test_it_is_read_as_it_was_written(corpus, split, tmp_path, parameters):
    made = LearnedWeighting(**SMALL, **parameters).fit(*corpus, validation=split)
    made.save(tmp_path / "mean.ltw", notes={"class": "corn"})
    found = LearnedWeighting.load(tmp_path / "mean.ltw")
    for name in ("cd_", "cd_spread_", "coefficients_", "member_f1_", "member_steps_"):
        np.testing.assert_array_equal(getattr(found, name), getattr(made, name))
    np.testing.assert_array_equal(found.surface(AXIS, AXIS[::-1]), made.surface(AXIS, AXIS[::-1]))
    assert (found.name, found.best_f1_, found.notes_) == (made.name, made.best_f1_, {"class": "corn"})


def test_a_file_whose_mean_is_not_that_of_its_networks_is_refused(three, tmp_path):
    damaged = LearnedWeighting(n_members=3, random_state=2, **SMALL)
    vars(damaged).update(vars(three))
    damaged.coefficients_ = three.coefficients_ * np.array([2, 1, 1, 1])
    damaged.save(tmp_path / "mean.ltw")
    with pytest.raises(ValueError, match="cd_ is not what the network"):
        LearnedWeighting.load(tmp_path / "mean.ltw")
    damaged.coefficients_ = three.coefficients_[1:]
    damaged.save(tmp_path / "mean.ltw")
    with pytest.raises(ValueError, match="coefficients_ is an array of shape"):
        LearnedWeighting.load(tmp_path / "mean.ltw")


def test_means_and_single_ones_are_learned_together(corpus, split, three):
    ended = []
    made = [LearnedWeighting(n_members=3, random_state=2, **SMALL) for _ in range(2)]
    fit_many(made, [(*corpus, split)], on_end=lambda index, weighting: ended.append((index, weighting.name)))
    assert ended == [(0, "LTW-L-I x3"), (1, "LTW-L-I x3")]
    np.testing.assert_array_equal(made[1].cd_, three.cd_)


def test_one_that_is_stopped_is_not_half_a_mean(corpus, split):
    with pytest.raises(Cancelled, match="Not all"):
        LearnedWeighting(n_members=2, **SMALL).fit(*corpus, validation=split, on_event=lambda event: True)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_members": 0}, "n_members must be a whole number from 1 to 10,000, not 0"),
        ({"n_members": 2, "variant": "LTW-G-I"}, "are for LTW-L-sigma and LTW-L-I, not for LTW-G-I"),
        ({"mixed": "RF", "variant": "LTW-TF"}, "not for LTW-TF"),
        ({"mixed": "TFX"}, "cd is 'TFX'; it must be one of"),
        ({"mixed": "RF", "share": 1.5}, "share must lie in"),
    ],
)  # fmt: skip
def test_what_cannot_be_averaged_is_said(corpus, parameters, sentence):
    with pytest.raises(ValueError, match=sentence):
        LearnedWeighting(**SMALL | parameters).fit(*corpus)


def test_the_methods_of_the_table():
    five, mixture = make("LTW-L-I x5", random_state=3), make("LTW-RF")
    assert (five.n_members, five.random_state, five.mixed, five.pretrain) == (5, 3, None, None)
    assert (mixture.n_members, mixture.mixed, mixture.pretrain, mixture.share) == (5, "RF", "RF", 0.5)
    assert mixture.coordinates == "linear"
    assert method("LTW-RF").by_name and not method("LTW-L-I").by_name
    assert [one.random_state for one in five.members()] == [15, 16, 17, 18, 19]
    assert display("LTW-L-I x5") == "LTW-L-I×5"


def test_names():
    named = lambda **parameters: learned_name(LearnedWeighting(**parameters).get_params())  # noqa: E731
    assert named(n_members=5) == "LTW-L-I x5"
    assert named(n_members=5, pretrain="RF", mixed="RF", max_steps=100) == "LTW-RF"
    assert named(variant="LTW-L-sigma", pretrain="RF") == "LTW-L-sigma"
    assert named(n_members=3, mixed="CHI2", coordinates="log") == "LTW-L-I x3 + CHI2 (log)"


def test_the_mean_of_networks_by_hand():
    # H = 1, cd = max(0, w·tpr)·v + b: at tpr .5 the members have .5·2·1 + 0 = 1 and .5·4·(-1) + 1 = -1
    parameters = {
        "W1": np.array([[[2.0], [0]], [[4.0], [0]]]),
        "b1": np.zeros((2, 1)),
        "W2": np.array([[1.0], [-1]]),
        "b2": np.array([[0.0], [1]]),
    }
    mean = Ensemble(parameters, np.array([0.25, 0.5, 2.0]), False, formula=lambda tpr, fpr: tpr + fpr)
    assert mean.surface(0.5, 0.25) == pytest.approx(0.25 * 1 + 0.5 * -1 + 2 * 0.75)
    np.testing.assert_allclose(mean.members(0.5, 0.25), [2 * 0.25 + 1.5, -2 * 0.5 + 1.5])
