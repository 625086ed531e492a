"""The protocol over a scripted engine: early stopping, restarts, divergence, phases; checkpoints over real ones."""

import numpy as np
import pytest

from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import Settings, Training, make_engine, persistence
from tests.weighting.learned.conftest import small_corpus


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


RESULT_0 = " A lower learning rate may help. The result is step 0."
SEEN = ("step", "loss", "best_step", "waited", "attempt", "phase", "improved", "message", "pretrain_steps")


def seen(events):
    return [tuple(getattr(event, name) for name in SEEN) for event in events]


def test_an_event_says_all_there_is_to_see(problem):
    """Pre-training, the classifier alone, both in one round, a restart that begins anew, and the end."""
    training, events, engine = run(
        problem,
        [0, 0, 0.5, 0],
        pretrain="RF",
        head_steps=150,
        patience=2,
        restart_before=201,
        max_steps=390,
        error=2.5e-4,
    )
    fitted = "Fitted to RF in 1000 steps, mean squared error 0.00025."
    assert seen(events) == [
        (0, 2.5e-4, 0, 0, 0, "pretraining", False, fitted, 1000),
        (100, 0.5, 0, 1, 0, "classifier", False, "", 1000),
        (200, 0.5, 0, 0, 1, "training", False, "No true positive by step 200: starting again from new weights.", 0),
        (200, 2.5e-4, 0, 0, 1, "pretraining", False, fitted, 1000),
        (300, 0.5, 300, 0, 1, "classifier", True, "", 1000),
        (390, 0.5, 300, 1, 1, "training", False, "Stopped at step 390, the most steps allowed.", 1000),
    ]
    pretrain, first, second = (
        (1000, "pretrain"),
        [(100, True), (50, True), (50, False)],
        [(100, True), (50, True), (40, False)],
    )
    assert engine.calls == [pretrain, *first, pretrain, *second]
    assert (engine.resets, engine.optimisers) == (1, 4)
    assert [np.isnan(event.validation_f1) for event in events] == [True, False, False, True, False, False]
    assert training.history == [(100, 0.5, 0), (200, 0.5, 0), (300, 0.5, events[4].validation_f1), (390, 0.5, 0)]
    assert [event.best_f1 for event in events] == [0] * 4 + [events[4].validation_f1] * 2
    last = events[-1]
    assert (last.engine, last.device, last.squash, last.weights[0]) == ("scripted", "cpu", False, 4)
    assert last._training is training and last.detached()._training is None
    assert last.seen == Settings().seen(problem.prevalence, problem.n_documents)
    seconds = [event.seconds for event in events]
    assert seconds[0] > 0 and seconds == sorted(seconds) and training.seconds == seconds[-1] < 100
    _, (event, *_), _ = run(problem, [0.5], variant="LTW-L-sigma")
    assert event.squash


@pytest.mark.parametrize(
    ("shares", "settings", "code", "sentence", "best"),
    [
        ([0.5], {"max_steps": 100}, "max_steps", "Stopped at step 100, the most steps allowed.", 100),
        (
            [0],
            {"max_steps": 100},
            "max_steps",
            "Stopped at step 100, the most steps allowed. Its best validation F1 is 0.",
            100,
        ),
        ([0.5, 1], {}, "perfect", "Stopped at step 200: validation F1 is 1.", 200),
        ([0.5, 1], {"max_steps": 200}, "perfect", "Stopped at step 200: validation F1 is 1.", 200),
        ([0.5], {"patience": 1}, "patience", "Stopped at step 200: no better validation F1 in 1 validations.", 100),
        (
            [0],
            {"patience": 1, "restart_before": 100},  # the limit itself is too late
            "patience",
            "Stopped at step 100: no better validation F1 in 1 validations. Its best validation F1 is 0.",
            100,
        ),
        (
            [0.5],
            {"loss": 1001.0},
            "diverged",
            "Stopped at step 100: the training diverged (the loss is 1e+03)." + RESULT_0,
            0,
        ),
        ([0.5], {"loss": 1000.0, "max_steps": 100}, "max_steps", "Stopped at step 100, the most steps allowed.", 100),
        (
            [0.5],
            {"loss": np.nan},
            "diverged",
            "Stopped at step 100: the training diverged (a value is not finite)." + RESULT_0,
            0,
        ),
        (
            [0.5],
            {"pretrain": "RF", "error": np.inf},
            "diverged",
            "Stopped at step 0: the training diverged (while pre-training)." + RESULT_0,
            0,
        ),
    ],
)
def test_how_it_ended_in_a_sentence(problem, shares, settings, code, sentence, best):
    training, events, _ = run(problem, shares, **settings)
    assert (training.stop_code, training.stop_reason, events[-1].message) == (code, sentence, sentence)
    assert (training.best.step, training.best.cd[0]) == (best, best / 100)
    training.stop()  # what has ended has ended
    assert training.stop_code == code and list(training.events()) == []


def test_without_validation_positives_any_step_that_predicts_none_is_perfect():
    counts, y = small_corpus()
    y[120:] = False
    training, _, _ = run(LearnedWeighting().problem(counts, y, np.arange(160) >= 120), [0])
    assert training.stop_reason == (
        "Stopped at step 100: validation F1 is 1. There are no validation positives, so any step that predicts none is "
        "perfect."
    )


def test_values_that_are_not_finite_end_it_wherever_they_are(problem):
    nan = np.full(len(problem.validation), np.nan)
    for name, value in (("finite", lambda: False), ("validation_logits", lambda: nan)):
        engine = Scripted(problem, [0.5])
        setattr(engine, name, value)
        assert Training(problem, Settings(), engine).run().stop_code == "diverged"


def test_it_can_be_stopped_between_pieces_and_its_loss_is_their_mean(problem):
    """Pieces of 30 steps, of losses 1, 2, 3 and, of the ten steps that are left, 4; asked at each but the first."""
    asked, losses = [], iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])

    def should_stop():
        asked.append(training.step)
        return len(asked) == 7

    engine = Scripted(problem, [0.5])
    engine.piece = 30
    plain = engine.advance
    engine.advance = lambda steps, **options: plain(steps, **options) * 2 * next(losses)
    training = Training(problem, Settings(), engine, should_stop)
    (event,) = training.events()
    assert event.loss == pytest.approx((30 * (1 + 2 + 3) + 10 * 4) / 100)
    assert [steps for steps, _ in engine.calls] == [30, 30, 30, 10, 30, 30]
    assert asked == [0, 30, 60, 90, 100, 130, 160]
    assert (training.stop_code, training.step, training.stop_reason) == (
        "stopped",
        160,
        "Stopped on request at step 160.",
    )
    assert (training.best.step, training.best.cd[0]) == (100, 1)
    for checks in (0, 1):  # asked before each round
        answers = iter([False] * checks + [True])
        training = Training(problem, Settings(), Scripted(problem, [0]), lambda answers=answers: next(answers))
        events = list(training.events())
        assert len(events) == checks and training.step == training.best.step == 100 * checks
        assert training.stop_code == "stopped"


def test_a_listener_that_returns_true_ends_it(problem):
    heard = []
    training = Training(problem, Settings(), Scripted(problem, [0.2, 0.1]))
    assert training.run(lambda event: heard.append(event.step) or event.step == 200) is training
    assert (heard, training.stop_code, training.step) == ([100, 200], "stopped", 200)


def test_pretraining_goes_on_until_its_error_is_below_the_limit(problem):
    engine = Scripted(problem, [1.0])
    errors = iter([0.2, 0.1, 0.09])
    engine.pretrain = lambda target, steps, should_stop: engine.calls.append((steps, should_stop())) or next(errors)
    training = Training(problem, Settings(pretrain="RF", pretrain_error=0.1, head_steps=0), engine)
    events = list(training.events())
    assert engine.calls[:3] == [(1000, False)] * 3 and engine.optimisers == 1
    assert [event.message for event in events[:3]] == ["", "", "Fitted to RF in 3000 steps, mean squared error 0.09."]
    assert engine.calls[3] == (100, False)  # no steps of the classifier alone
    assert training.target is not None and Training(problem, Settings(), engine).target is None
    engine.pretrain = lambda *_: None
    told = Training(problem, Settings(pretrain="RF"), engine)
    assert list(told.events()) == [] and told.stop_code == "stopped" and told.pretrain_steps == 0


def test_a_checkpoint_holds_all_that_goes_on(problem):
    settings = Settings(hidden=6, batch_size=16, check_every=5, stop_by="loss", max_steps=20)
    training = Training(problem, settings, make_engine(problem, settings))
    arrays, values = training.checkpoint()
    assert arrays["history"].shape == (0, 3) and values["best_score"] is None and values["best_f1"] == 0
    fresh = Training(problem, settings, make_engine(problem, settings))
    fresh.resume((arrays, values))
    assert fresh.best.score == -np.inf and fresh.history == [] and fresh.best.step == 0
    training.run()
    arrays, values = training.checkpoint()
    assert values == {
        **{"step": 20, "attempt": 0, "attempt_start": 0, "waited": training.waited, "pretraining": False},
        **{
            "pretrain_steps": 0,
            "seconds": training.seconds,
            "best_f1": training.best.f1,
            "best_step": training.best.step,
        },
        **{"best_score": training.best.score, "engine": "compiled", "settings": settings.as_dict()},
    }
    fresh.resume((arrays, values))
    assert fresh.history == training.history and type(fresh.history[0][0]) is int
    best = training.best
    assert (fresh.best.score, fresh.best.f1, fresh.best.step) == (best.score, best.f1, best.step)
    assert fresh.best.parameters.keys() == best.parameters.keys() and fresh.seconds == training.seconds
    shorter = arrays | {"best_cd": arrays["best_cd"][:29]}
    with pytest.raises(ValueError, match=r"^the checkpoint has 29 terms, the problem 30$"):
        fresh.resume((shorter, values))
    changed = values | {"settings": values["settings"] | {"seed": 9, "dropout": 0.5, "patience": 1}}
    with pytest.raises(ValueError, match=r"^the checkpoint was made with other settings: dropout, seed$"):
        fresh.resume((arrays, changed))
    by_f1 = Settings(hidden=6, batch_size=16)
    old = Training(problem, by_f1, make_engine(problem, by_f1))
    arrays, values = old.checkpoint()
    del values["best_score"]  # as earlier versions wrote them
    old.resume((arrays, values | {"best_f1": 0.25}))
    assert (old.best.score, old.best.f1) == (0.25, 0.25)


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
