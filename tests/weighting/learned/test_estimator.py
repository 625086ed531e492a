"""LearnedWeighting: scikit-learn's contract, what it stores, what it says when something is wrong, its file."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.weighting.learned import VARIANTS, LearnedWeighting

TINY = dict(hidden=4, max_steps=6, check_every=3, batch_size=8)


@parametrize_with_checks([LearnedWeighting(variant=name, **TINY) for name in VARIANTS])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
