import time

import pytest

from ltw_core.corpora import load
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import Settings, preload
from ltw_core.weighting.learned.duration import step_seconds, training_duration

FOUR = "tpr,fpr,idf,kl"


def test_a_global_training_of_many_terms_takes_minutes_and_a_local_one_seconds():
    """20 Newsgroups: 10,132 terms at 1,641 places. Measured: .36 and 24 ms a step, on a busy machine."""
    local = training_duration(Settings(), 10_132, 1641)
    assert 0.15e-3 < local.step < 0.8e-3 and local.low < local.high < 10
    many = training_duration(Settings(variant="LTW-G-I"), 10_132, 1641)
    assert 5e-3 < many.step < 50e-3 and many.high > 60


def test_a_limit_of_steps_limits_the_estimate():
    short = training_duration(Settings(max_steps=500), 100, 100)
    assert short.low == short.high == short.most == pytest.approx(500 * short.step)


def test_earlier_trainings_set_it_right():
    settings = Settings()
    plain, right = (
        training_duration(settings, 100, 100),
        training_duration(settings, 100, 100, earlier=[(3.0, 1.0), (1.0, 1.0), (9, 3)]),
    )
    assert right.step == pytest.approx(3 * plain.step) and (plain.measured, right.measured) == (0, 3)
    assert training_duration(settings, 100, 100, earlier=[(0.0, 1.0)]).measured == 0  # one that never made a step


def test_pretraining_and_the_reference_engine_take_longer():
    assert training_duration(Settings(pretrain="RF"), 100, 100).low > training_duration(Settings(), 100, 100).low
    assert step_seconds(Settings(), 100, 100, "reference") > 10 * step_seconds(Settings(), 100, 100)


def test_more_inputs_take_longer_where_steps_are_compiled():
    seconds = [step_seconds(Settings(inputs=names), 2_900, 800) for names in ("tpr,fpr", FOUR[:11], FOUR)]
    assert seconds[0] * 3 < seconds[1] < seconds[2] < seconds[0] * 15
    of = lambda names: step_seconds(Settings(inputs=names), 2_900, 800, "reference")  # noqa: E731
    assert of(FOUR) == of("tpr,fpr")


def test_it_is_of_the_right_order():
    """Against a real training; a busy machine may be several times slower than the one it was fitted on."""
    preload()
    task = vectorize(load("synthetic")).task("relevant")
    weighting = LearnedWeighting(max_steps=400, patience=1000)
    began = time.perf_counter()
    weighting.fit(task.counts_train, task.y_train, validation=task.validation)
    took = (time.perf_counter() - began) / weighting.steps_
    pairs = len(set(zip(task.tpr, task.fpr, strict=True)))
    assert 0.1 < took / step_seconds(Settings(), len(task.terms), pairs) < 30
