"""Learning to Weight: the networks, their training protocol, the engines that do the numerics, and the estimator."""

from ltw_core.weighting.learned.engines.engine_choice import ENGINES, Choice, choose, gpus, make_engine
from ltw_core.weighting.learned.engines.gpus import all_gpus, use_of, working_gpus
from ltw_core.weighting.learned.engines.preload import preload, preload_torch
from ltw_core.weighting.learned.fit_many import fit_many
from ltw_core.weighting.learned.network import VARIANTS, Variant
from ltw_core.weighting.learned.problem import Problem
from ltw_core.weighting.learned.protocol import Event, Training
from ltw_core.weighting.learned.settings import HYPERPARAMETERS, Settings
from ltw_core.weighting.learned.untrained_network import UntrainedNetwork


def __getattr__(name):
    if name == "LearnedWeighting":  # imported on first use: scikit-learn takes a second
        from ltw_core.weighting.learned.learned_weighting import LearnedWeighting

        return LearnedWeighting
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
