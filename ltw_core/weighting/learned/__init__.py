"""Learning to Weight: the networks, their training protocol, the engines that do the numerics, and the estimator."""

from ltw_core.weighting.learned.engines.choice import Choice, choose, gpus
from ltw_core.weighting.learned.engines.compiled.warming import warm, warm_torch
from ltw_core.weighting.learned.engines.engine import ENGINES, make_engine
from ltw_core.weighting.learned.estimator import LearnedWeighting
from ltw_core.weighting.learned.network import VARIANTS, Variant
from ltw_core.weighting.learned.problem import Problem
from ltw_core.weighting.learned.protocol import Event, Training
from ltw_core.weighting.learned.settings import Settings
from ltw_core.weighting.learned.untrained import Untrained

__all__ = [
    "ENGINES",
    "VARIANTS",
    "Choice",
    "Event",
    "LearnedWeighting",
    "Problem",
    "Settings",
    "Training",
    "Untrained",
    "Variant",
    "choose",
    "gpus",
    "make_engine",
    "warm",
    "warm_torch",
]
