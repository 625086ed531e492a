"""Trainings side by side: small problems for the tests of the lockstep engine."""

from ltw_core.weighting.learned import Settings, Training
from ltw_core.weighting.learned.reference import ReferenceEngine
from tests.weighting.learned.conftest import small_problem

SMALL = dict(hidden=12, batch_size=16, dtype="float64", check_every=20, patience=4, restart_before=0, max_steps=400)
HARDER = {"inside": 0.5, "outside": 0.4}  # so that trainings end at steps of their own


def three_problems():
    """Of different sizes in terms, pairs and documents; the last batch of an epoch is smaller in each."""
    return [small_problem(*size, **HARDER) for size in ((160, 30, 0), (120, 18, 1), (140, 41, 2))]


def settings_of(variant, count=3, **more):
    return [Settings(variant=variant, seed=seed + 3, **(SMALL | more)) for seed in range(count)]


def alone(problem, settings):
    training = Training(problem, settings, ReferenceEngine(problem, settings))
    for _ in training.events():
        pass
    return training
