"""The protocol over a scripted engine: early stopping, restarts, divergence, phases; checkpoints over real ones."""

import numpy as np
import pytest

from ltw_core.weighting.learned import Settings, Training, make_engine, persistence


class Scripted:
    """An engine that says at each validation which share of the positives it finds, without false positives."""

    name, device = "scripted", "cpu"

    def __init__(self, problem, shares, loss=0.5, error=1e-5):
        self.problem, self.shares, self.loss, self.error = problem, list(shares), loss, error
        self.calls, self.checks, self.resets, self.optimisers = [], 0, 0, 0

    def reset(self, attempt):
        self.resets += 1

    def restart_optimiser(self):
        self.optimisers += 1

    def advance(self, steps, head_only=False):
        self.calls.append((steps, head_only))
        return self.loss

    def pretrain(self, target, steps, should_stop=None):
        self.calls.append((steps, "pretrain"))
        return self.error

    def validation_logits(self):
        share = self.shares[min(self.checks, len(self.shares) - 1)]
        self.checks += 1
        positives = np.flatnonzero(self.problem.validation.y)
        logits = np.full(len(self.problem.validation), -1.0)
        logits[positives[: round(share * len(positives))]] = 1.0
        return logits

    def finite(self):
        return True

    def cd(self):
        return np.full(self.problem.n_terms, float(self.checks))

    def weighting_parameters(self):
        return {}


def run(problem, shares, **settings):
    engine = Scripted(problem, shares, **{k: settings.pop(k) for k in ("loss", "error") if k in settings})
    training = Training(problem, Settings(**settings), engine)
    return training, list(training.events()), engine


def test_patience_and_the_best_step(problem):
    # Better at checks 1 and 3; check 5 equals the best, which is not strictly better
    training, events, _ = run(problem, [0.2, 0.1, 0.6, 0.3, 0.6, 0.3], patience=3)
    assert [event.step for event in events] == [100, 200, 300, 400, 500, 600]
    assert [event.improved for event in events] == [True, False, True, False, False, False]
    assert [event.waited for event in events] == [0, 1, 0, 1, 2, 3]
    assert training.stop_code == "patience"
    assert training.stop_reason == "Stopped at step 600: no better validation F1 in 3 validations."
    assert training.best.step == 300
    assert training.best.cd[0] == 3  # what cd was at the third check
    assert training.best.f1 == max(score for _, _, score in training.history)
    assert events[-1].message == training.stop_reason


def test_perfect_stops_at_once(problem):
    training, events, _ = run(problem, [0.5, 1.0, 0.0])
    assert (training.stop_code, len(events), training.best.step) == ("perfect", 2, 200)


def test_most_steps(problem):
    training, events, engine = run(problem, [0.5], max_steps=250)
    assert [event.step for event in events] == [100, 200, 250]
    assert engine.calls[-1] == (50, False)
    assert training.stop_code == "max_steps"


def test_starts_again_when_nothing_was_found(problem):
    # Nothing in two patiences of 2 checks, then something
    training, events, engine = run(problem, [0, 0, 0, 0, 0.5, 0.4, 0.4], patience=2)
    assert engine.resets == 2
    assert [event.attempt for event in events] == [0, 1, 1, 2, 2, 2, 2]
    assert "starting again from new weights" in events[1].message
    assert (training.best.step, training.stop_code) == (500, "patience")


def test_does_not_start_again_after_the_limit(problem):
    training, events, engine = run(problem, [0], patience=2, restart_before=500)
    assert engine.resets == 2  # at 200 and at 400; 600 is too late
    assert [event.step for event in events][-1] == 600
    assert training.stop_reason.endswith("Its best validation F1 is 0.")
    assert training.best.step == 600  # no step was better than another: the last


@pytest.mark.parametrize("loss", [float("nan"), float("inf"), 1e6])
def test_divergence_ends_with_a_sentence(problem, loss):
    training, events, _ = run(problem, [0.5], loss=loss)
    assert (len(events), training.stop_code) == (1, "diverged")
    assert "the training diverged" in training.stop_reason
    assert training.stop_reason.endswith("The result is step 0.")
    assert training.best.cd[0] == 0  # the initial weights


def test_a_real_divergence_is_seen(problem):
    settings = Settings(learning_rate=1e30, batch_size=16, hidden=8)
    training = Training(problem, settings, make_engine(problem, settings))
    events = list(training.events())
    assert training.stop_code == "diverged"
    assert np.all(np.isfinite(training.best.cd))
    assert len(events) == 1


def test_stop_at_any_event(problem):
    engine = Scripted(problem, [0.2, 0.1])
    training = Training(problem, Settings(), engine)
    for event in training.events():
        if event.step == 300:
            training.stop()
    assert (training.stop_code, training.step, training.best.step) == ("stopped", 300, 100)


def test_pretraining_then_classifier_then_all(problem):
    training, events, engine = run(problem, [0.5, 1.0], pretrain="CHI2", head_steps=130, check_every=100)
    assert engine.calls == [(1000, "pretrain"), (100, True), (30, True), (70, False)]
    assert [event.phase for event in events] == ["pretraining", "classifier", "training"]
    assert events[0].message.startswith("Fitted to CHI2 in 1000 steps")
    assert engine.optimisers == 2
    assert training.history[0][0] == 100  # pre-training has no validation


def test_pretraining_ends_at_its_most_steps(problem):
    for steps in (40_000, 3000):
        _, events, _ = run(problem, [1.0], pretrain="RF", error=1.0, pretrain_steps=steps)
        assert sum(event.phase == "pretraining" for event in events) == steps // 1000


@pytest.mark.parametrize("every", [7, 25])
def test_events_every_n_steps(problem, every):
    settings = Settings(hidden=5, check_every=every, max_steps=100, patience=100, batch_size=16)
    training = Training(problem, settings, make_engine(problem, settings))
    steps = [event.step for event in training.events()]
    assert steps[:-1] == list(range(every, steps[-1], every))


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_goes_on_identically_from_a_checkpoint(problem, tmp_path, engine, variant):
    settings = Settings(variant=variant, hidden=6, check_every=5, max_steps=40, batch_size=16, seed=3)

    def fresh():
        return Training(problem, settings, make_engine(problem, settings, engine=engine))

    whole = fresh()
    for event in whole.events():
        if event.step == 15:
            persistence.write(tmp_path / "c.safetensors", "checkpoint", *event.checkpoint())
    later = fresh()
    later.resume(persistence.read(tmp_path / "c.safetensors", "checkpoint"))
    assert later.step == 15
    list(later.events())
    assert later.history == whole.history
    assert (later.best.step, later.best.f1, later.stop_code) == (whole.best.step, whole.best.f1, whole.stop_code)
    np.testing.assert_array_equal(later.best.cd, whole.best.cd)
    np.testing.assert_array_equal(later.engine.cd(), whole.engine.cd())


def test_goes_on_identically_from_within_pretraining(problem):
    settings = Settings(hidden=6, pretrain="CHI2", head_steps=20, check_every=10, max_steps=40, batch_size=16)

    def fresh():
        return Training(problem, settings, make_engine(problem, settings))

    whole, checkpoints = fresh(), []
    for event in whole.events():
        checkpoints.append(event.checkpoint())
    for checkpoint in (checkpoints[0], checkpoints[-3]):
        later = fresh()
        later.resume(checkpoint)
        list(later.events())
        assert later.history == whole.history


def test_a_checkpoint_of_something_else_is_refused(problem):
    def training(engine="compiled", **more):
        settings = Settings(hidden=6, **more)
        return Training(problem, settings, make_engine(problem, settings, engine=engine))

    checkpoint = training().checkpoint()
    with pytest.raises(ValueError, match="other settings: seed"):
        training(seed=1).resume(checkpoint)
    with pytest.raises(ValueError, match="of the compiled engine, not of the reference one"):
        training("reference").resume(checkpoint)
    training(max_steps=7, patience=3).resume(checkpoint)  # when to end may change
