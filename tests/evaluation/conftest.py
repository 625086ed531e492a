"""A small binary problem with all that evaluation asks of a task, made of Poisson counts."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse

from ltw_core.tasks import validation_mask


def make_task(positives=40, negatives=120, terms=30, seed=0, fraction=0.2):
    """Terms 0–9 speak for the class, 10–19 against it, the rest say nothing. Train and test are alike."""
    rng = np.random.default_rng(seed)
    y = np.zeros(positives + negatives, bool)
    y[rng.permutation(y.size)[:positives]] = True
    means = np.full((2, terms), 0.3)
    means[1, :10] = means[0, 10:20] = 0.9

    def counts():
        return sparse.csr_array(rng.poisson(means[y.astype(int)]).astype(np.int32))

    return SimpleNamespace(
        counts_train=counts(), counts_test=counts(), y_train=y, y_test=y, validation=validation_mask(y, fraction)
    )


@pytest.fixture
def task():
    return make_task()


@pytest.fixture(scope="session")
def task_maker():
    return make_task
