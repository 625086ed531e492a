import numpy as np
import pytest

from ltw_core.weighting.learned.engines.engine_choice import make_engine
from ltw_core.weighting.learned.settings import Settings
from ltw_core.weighting.learned.untrained_network import UntrainedNetwork


@pytest.mark.parametrize("engine", ["reference", "compiled"])
@pytest.mark.parametrize("variant", ["LTW-L-sigma", "LTW-L-I", "LTW-TF"])
def test_the_surface_before_the_first_step_is_the_engines(problem, variant, engine):
    settings = Settings(variant=variant, hidden=30, seed=5)
    cd = make_engine(problem, settings, engine, "cpu").cd()
    first = UntrainedNetwork(settings, problem.n_terms)
    np.testing.assert_allclose(first.surface(problem.tpr, problem.fpr), cd, rtol=1e-5, atol=1e-6)
    other = UntrainedNetwork(Settings(variant=variant, hidden=30, seed=6), problem.n_terms)
    assert np.abs(other.surface(problem.tpr, problem.fpr) - cd).max() > 1e-3


def test_a_global_variant_has_no_surface():
    with pytest.raises(ValueError, match="LTW-G-I has one weight a term"):
        UntrainedNetwork(Settings(variant="LTW-G-I"), 10)
