"""By what the best step is known: validation loss and alignment by hand, and how a training stops by them."""

import numpy as np
import pytest

from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.gram import centred_gram, target_alignments
from ltw_core.weighting.learned import Settings, Training, choose, make_engine, persistence
from ltw_core.weighting.learned.stopping import AlignmentWithClass, cross_entropy
from tests.weighting.learned.conftest import small_corpus, small_problem
from tests.weighting.learned.test_protocol import Scripted


def test_cross_entropy_by_hand():
    expected = -(np.log(0.75) + np.log(0.9)) / 2  # σ(ln 3) = .75 of the class, σ(-ln 9) = .1 of the others
    assert cross_entropy(np.array([np.log(3), -np.log(9)]), np.array([True, False])) == pytest.approx(expected)


def test_the_lowest_loss_is_kept_whatever_f1_says(problem):
    """F1 rises to the end; sure of its mistakes the network has its lowest cross-entropy at the second validation."""
    engine = Scripted(problem, [0.2, 0.4, 0.6, 0.8])
    plain, sure = engine.validation_logits, iter([3.0, 1.0, 20.0, 30.0])
    engine.validation_logits = lambda: plain() * next(sure)
    training = Training(problem, Settings(stop_by="loss", patience=2), engine).run()
    assert (training.best.step, training.step, training.stop_code) == (200, 400, "patience")
    assert training.stop_reason == "Stopped at step 400: no better validation loss in 2 validations."
    f1 = dict((step, score) for step, _, score in training.history)
    assert training.best.f1 == f1[200] < f1[400]


def test_alignment_is_that_of_the_documents_that_validate():
    problem = small_problem()
    held = problem.validation
    assert held.y.sum() >= 10
    counts, y = small_corpus()
    weights = np.linspace(0, 1, 30)
    made = LearnedWeighting()
    made.cd_, made.variant = weights, "LTW-L-I"
    vectors = made.weigh(counts[120:].astype(float))
    expected = target_alignments([centred_gram(vectors)], y[120:])[0]
    assert AlignmentWithClass(problem)(weights, {}, False) == pytest.approx(expected, abs=1e-6)


def test_with_few_positives_all_training_documents_take_part():
    counts, y = small_corpus()
    y[120 + np.flatnonzero(y[120:])[2:]] = False  # two are left among those that validate
    made = LearnedWeighting(stop_by="alignment")
    problem = made.problem(counts, y, np.arange(160) >= 120)
    made.cd_ = np.linspace(0, 1, 30)
    expected = target_alignments([centred_gram(made.weigh(counts.astype(float)))], y)[0]
    assert AlignmentWithClass(problem)(made.cd_, {}, False) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_a_training_by_alignment_goes_on_from_its_checkpoint(problem, variant, tmp_path):
    settings = Settings(variant=variant, stop_by="alignment", hidden=6, hidden_dd=4, batch_size=16, check_every=20)
    training = Training(problem, settings, make_engine(problem, settings))
    events = training.events()
    next(events), next(events)
    persistence.write(tmp_path / "c", "checkpoint", *training.checkpoint())
    later = Training(problem, settings, make_engine(problem, settings))
    later.resume(persistence.read(tmp_path / "c", "checkpoint"))
    assert (later.best.score, later.best.step) == (training.best.score, training.best.step)
    assert -1 <= training.best.score <= 1 and np.array_equal(later.best.cd, training.best.cd)
    old = training.checkpoint()
    del old[1]["best_score"]  # as earlier versions wrote them
    old[1]["settings"].pop("stop_by")
    with pytest.raises(ValueError, match="other settings: stop_by"):
        later.resume(old)


def test_what_it_takes():
    with pytest.raises(ValueError, match="stop_by must be one of f1, loss, alignment, not 'luck'"):
        Settings(stop_by="luck")
    with pytest.raises(ValueError, match="stop_by must be 'f1' in a lockstep"):
        choose(Settings(stop_by="loss"), engine="lockstep")
    assert choose(Settings(stop_by="loss"), found=["cuda:0"]).engine == "compiled"
