"""How long a training run will take, before it begins: from its sizes, corrected by what earlier runs took here.

The formulas are fits to a few runs of the compiled engine on one core of a two-core Xeon: a local variant's step costs
in proportion to distinct (tpr, fpr) pairs times hidden units, a global one's to terms times hidden units. They are
within a factor of about two elsewhere; measured runs of the same kind correct them. When a run stops is not known
beforehand: most are stopped early, after up to four times their patience. Leaves out studies
(``ltw_core.studies.estimate``).
"""

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from ltw_core.weighting.learned.settings import Settings

BASE, A_PAIR, LEARNED_DD, MASKS = 85e-6, 1.5e-10, 1.7, 6.0
WIDE = 2.0  # a pair's, for each input and once more, where there are more than two
GLOBAL_BASE, A_WEIGHT = 30e-6, 2.5e-10
REFERENCE, LOCKSTEP, LOCKSTEP_GLOBAL = 80.0, 30.0, 9.0  # torch operators: term by term; side by side, on a CPU
PRETRAINING, PRETRAIN_STEPS = 60e-6, 20_000
USUAL = (1.2, 4.0)  # patience's worth of steps


class Duration(NamedTuple):
    """How long one training will take, in seconds.

    step : a step.
    low, high : usually.
    most : if it goes on to its most steps.
    measured : earlier runs that were taken into account.
    """

    step: float
    low: float
    high: float
    most: float
    measured: int


def step_seconds(settings: Settings, n_terms: int, n_pairs: int, engine: str = "compiled") -> float:
    """Seconds of one step, from sizes alone.

    Parameters
    ----------
    n_terms, n_pairs : int
        Terms, and distinct (tpr, fpr) among them.
    engine : "auto", "compiled", "lockstep" or "reference"
    """
    hidden = settings.hidden_units(n_terms)
    if settings.network.local:
        seconds = BASE + A_PAIR * n_pairs * hidden * (MASKS if settings.dropout_form == "bernoulli" else 1)
        if (inputs := len(settings.network.inputs)) > 2 and engine != "reference":
            seconds += A_PAIR * n_pairs * hidden * (WIDE * (1 + inputs) - 1)
        seconds *= LEARNED_DD if settings.network.learned_dd else 1
    else:
        seconds = GLOBAL_BASE + A_WEIGHT * n_terms * hidden
    lockstep = LOCKSTEP if settings.network.local else LOCKSTEP_GLOBAL
    return seconds * {"reference": REFERENCE, "lockstep": lockstep}.get(engine, 1)


def training_duration(
    settings: Settings,
    n_terms: int,
    n_pairs: int,
    engine: str = "compiled",
    earlier: Iterable[tuple[float, float]] = (),
) -> Duration:
    """How long a training run will take.

    Parameters
    ----------
    earlier : iterable of (measured, predicted)
        Seconds a step of earlier runs of the same kind on the same device, and what ``step_seconds`` says of them.
    """
    ratios = [measured / predicted for measured, predicted in earlier if measured > 0 and predicted > 0]
    step = step_seconds(settings, n_terms, n_pairs, engine) * (median(ratios) if ratios else 1.0)
    before = PRETRAINING * PRETRAIN_STEPS if settings.pretrain is not None else 0.0
    patience = settings.patience * settings.check_every
    low, high = (min(settings.max_steps, part * patience) * step + before for part in USUAL)
    return Duration(step, low, high, settings.max_steps * step + before, len(ratios))
