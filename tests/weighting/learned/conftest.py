"""A small problem with something to learn, for all tests of the learned weightings."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.weighting.learned import Problem


def small_corpus(documents=160, terms=30, seed=0, inside=0.8, outside=0.8):
    """Counts and labels: terms 0–4 are frequent in the class, 5–9 outside it, others everywhere; one empty document."""
    rng = np.random.default_rng(seed)
    y = rng.random(documents) < 0.3
    rate = np.full((documents, terms), 0.15)
    rate[np.ix_(y, range(5))], rate[np.ix_(~y, range(5, 10))] = inside, outside
    counts = rng.poisson(rate)
    counts[7] = 0
    return csr_array(counts), y


def small_problem(documents=160, terms=30, seed=0, **rates):
    counts, y = small_corpus(documents, terms, seed, **rates)
    validation = np.zeros(documents, dtype=bool)
    validation[-documents // 4 :] = True
    return Problem.of(counts, y, validation)


@pytest.fixture(scope="session")
def corpus():
    return small_corpus()


@pytest.fixture(scope="session")
def problem():
    return small_problem()
