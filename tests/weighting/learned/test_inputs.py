"""A network that is told more than tpr and fpr: its inputs by hand, its surface, files, another class, engines."""

import numpy as np
import pytest

from ltw_core.insight import input_plane, middle, seen_of_terms
from ltw_core.weighting import LearnedWeighting, transplanted
from ltw_core.weighting.canonical import canonical
from ltw_core.weighting.learned import Settings, choose, make_engine
from ltw_core.weighting.learned.inputs import INPUTS, PAPER, Seen, input_names
from ltw_core.weighting.learned.network import cd_of_inputs
from ltw_core.weighting.methods import learned_name
from tests.weighting.learned.conftest import small_corpus

SMALL = dict(hidden=6, max_steps=40, check_every=20, batch_size=16)
RICH = "tpr,fpr,idf,kl"


def of(name, *at):
    return float(INPUTS[name].compute(*(np.asarray(value, dtype=float) for value in at)))


def test_inputs_by_hand():
    """8 of 10 documents of the class hold the term and 10 of the other 90: 18 of 100."""
    at = 0.8, 1 / 9, 0.1, 100
    assert of("tpr", *at) == 0.8 and of("prevalence", *at) == 0.1
    assert of("log_fpr", *at) == pytest.approx(np.log(1 + 100 / 9) / np.log(101))
    assert of("idf", *at) == pytest.approx(np.log(100 / 18) / np.log(100))
    divergence = 0.8 * np.log(0.8 / 0.18) + 0.2 * np.log(0.2 / 0.82)
    assert of("kl", *at) == pytest.approx(divergence / np.log(10))
    between, within = (0.8 - 1 / 9) ** 2, 0.1 * 0.16 + 0.9 * 8 / 81
    assert of("fisher", *at) == pytest.approx(between / (between + within))
    assert of("rf", *at) == pytest.approx(np.log2(2 + 8 / 10) / np.log2(12))
    assert of("phi", *at) == pytest.approx((8 * 80 - 10 * 2) / np.sqrt(10 * 90 * 18 * 82))
    assert of("phi", 0.1, 0.8, 0.5, 100) < 0


@pytest.mark.parametrize("name", INPUTS)
def test_inputs_stay_within_bounds_everywhere(name):
    axis = np.array([0, 1e-4, 0.3, 1])
    for p, n in ((0.001, 10_000), (0.5, 2), (1.0, 5), (0.0, 5)):
        with np.errstate(all="raise"):
            found = INPUTS[name].compute(axis[:, None], axis[None, :], p, n)
        assert np.isfinite(found).all() and np.all(found <= 1 + 1e-12) and np.all(found >= (-1 if name == "phi" else 0))


def test_names():
    assert input_names(" tpr, idf") == input_names(["tpr", "idf"]) == ("tpr", "idf")
    for wrong in ("", "tpr,tpr", "tpr,magic", []):
        with pytest.raises(ValueError, match="inputs must be of tpr, fpr, "):
            input_names(wrong)
    assert learned_name({"inputs": ("tpr", "log_fpr"), "stop_by": "loss"}) == "LTW-L-I (of tpr, log fpr; by loss)"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"variant": "LTW-G-I"}, "inputs are for the local variants"),
        ({"coordinates": "log"}, "take log_tpr and log_fpr"),
        ({"pretrain": "RF"}, "pretrain is for networks that see tpr and fpr"),
    ],
)
def test_what_does_not_go_together(changed, said):
    with pytest.raises(ValueError, match=said):
        Settings(inputs=RICH, **changed)


@pytest.fixture(scope="module")
def learned(corpus):
    return LearnedWeighting(inputs=RICH.split(","), **SMALL).fit(*corpus)


def test_its_surface_is_over_the_rates_and_gives_the_terms_their_weights(learned, tmp_path):
    assert learned.engine_ == "compiled" and learned.parameters_["W1"].shape == (4, 6)
    told = seen_of_terms(learned)
    by_hand = cd_of_inputs(learned.parameters_, list(told.values()), False)
    np.testing.assert_allclose(learned.cd_, by_hand, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(learned.surface(learned.tpr_, learned.fpr_), by_hand)
    learned.save(tmp_path / "w")
    again = LearnedWeighting.load(tmp_path / "w")
    assert again.inputs == RICH and again.seen == learned.seen
    np.testing.assert_allclose(again.surface(0.3, [0.1, 0.2]), learned.surface(0.3, [0.1, 0.2]))


def test_another_class_wears_it_at_its_own_prevalence_and_documents(learned):
    counts, y = small_corpus(documents=90, seed=3)
    there = transplanted(learned).fit(counts, y)
    seen = learned.seen.at(y.mean(), 90)
    expected = cd_of_inputs(learned.parameters_, seen.of(there.weighting_.tpr_, there.weighting_.fpr_), False)
    ratio = there.cd_ / expected
    np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)


def test_the_plane_over_two_inputs(learned):
    told = seen_of_terms(learned)
    fixed = {"tpr": 0.2, "kl": middle(told["kl"], learned.document_frequency_)}
    plane = input_plane(learned, "idf", "fpr", fixed, points=5)
    assert (plane.x[0], plane.x[-1]) == (told["idf"].min(), told["idf"].max()) and plane.z.shape == (5, 5)
    factor = canonical(learned.cd_, learned.tpr_, learned.fpr_, learned.document_frequency_)
    one = cd_of_inputs(learned.parameters_, [[0.2], [plane.y[3]], [plane.x[1]], [fixed["kl"]]], False)
    assert plane.z[3, 1] == pytest.approx(factor * one[0])
    assert middle([3.0, 1.0, 2.0], [1, 1, 5]) == 2 and middle([3.0, 1.0], [5, 1]) == 3
    with pytest.raises(ValueError, match="its inputs are tpr, fpr, idf, kl"):
        input_plane(learned, "idf", "fpr", {"tpr": 0.2})


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-L-sigma", "LTW-TF"])
@pytest.mark.parametrize("inputs", ["idf", "idf,log_tpr", RICH])
def test_inputs_of_any_kind_and_number_are_for_both_engines_of_a_processor(corpus, inputs, variant):
    settings = Settings(variant=variant, inputs=inputs, dtype="float64", hidden=6, hidden_dd=5, batch_size=16)
    problem = LearnedWeighting(variant=variant, inputs=inputs).problem(*corpus)
    engines = [make_engine(problem, settings, name) for name in ("compiled", "reference")]
    ours, theirs = ((engine.advance(20), engine.parameters(), engine.cd()) for engine in engines)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
    for name, part in theirs[1].items():
        np.testing.assert_allclose(ours[1][name], part, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours[2], theirs[2], rtol=1e-7)


def test_more_than_two_inputs_and_what_cannot_be_done_with_them():
    assert choose(Settings(inputs=RICH)).engine == "compiled"
    masks = Settings(inputs=RICH, dropout_form="bernoulli")
    assert choose(masks).engine == "reference"
    with pytest.raises(ValueError, match="masks of dropout for two inputs only"):
        choose(masks, engine="compiled")
    with pytest.raises(ValueError, match="a lockstep takes networks of two inputs, not of 4"):
        choose(Settings(inputs=RICH), engine="lockstep")


def test_the_papers_network_sees_what_it_saw():
    assert Settings().network.inputs == PAPER and Seen().of(0.2, 0.3) == (0.2, 0.3)
    mean = LearnedWeighting(inputs=RICH, n_members=2, **SMALL).fit(*small_corpus())
    np.testing.assert_allclose(mean.surface(mean.tpr_, mean.fpr_), mean.cd_, rtol=1e-4, atol=1e-5)
