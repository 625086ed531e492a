"""Trainings side by side: small problems for the tests of the lockstep engine."""

from ltw_core.weighting.learned import Settings, Training
from ltw_core.weighting.learned.reference import ReferenceEngine
from ltw_core.weighting.learned.target import unit_target
from tests.weighting.learned.conftest import small_problem

SMALL = dict(
    hidden=12, hidden_dd=10, batch_size=16, dtype="float64", check_every=20, patience=4, restart_before=0, max_steps=400
)
ALIVE = [4, 4, 9, 14, 5, 15, 16, 8, 16]  # of LTW-TF: seeds whose last ReLU is not dead, for `three_problems` in turn
HARDER = {"inside": 0.5, "outside": 0.4}  # so that trainings end at steps of their own


def three_problems():
    """Of different sizes in terms, pairs and documents; the last batch of an epoch is smaller in each."""
    return [small_problem(*size, **HARDER) for size in ((160, 30, 0), (120, 18, 1), (140, 41, 2))]


def settings_of(variant, count=3, **more):
    seeds = ALIVE if variant == "LTW-TF" else range(3, 3 + count)
    return [Settings(variant=variant, seed=seed, **(SMALL | more)) for seed in seeds[:count]]


def alone(problem, settings, said=None):
    """The training by itself, with the reference engine; its events go to `said` as a list."""
    target = None
    if settings.pretrain is not None:
        target = unit_target(settings.pretrain, problem.prevalence, problem.n_documents)
    training = Training(problem, settings, ReferenceEngine(problem, settings), target)
    events = list(training.events())
    if said is not None:
        said.append(events)
    return training
