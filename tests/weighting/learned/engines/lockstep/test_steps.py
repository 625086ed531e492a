"""Steps of trainings side by side against the torch reference, on a CPU: gradients, trajectories, random numbers."""

import numpy as np
import pytest
import torch

from ltw_core.metrics import contingency
from ltw_core.weighting.learned.engines.lockstep import group as group_module
from ltw_core.weighting.learned.engines.lockstep import operators
from ltw_core.weighting.learned.engines.lockstep.batches import keep, keys_of, normal
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup, LocalState
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays
from ltw_core.weighting.learned.engines.random_numbers import ENTRIES, HIDDEN, TERMS, RandomNumbers
from ltw_core.weighting.learned.engines.reference import ReferenceEngine
from tests.weighting.learned.engines.lockstep.lockstep_cases import settings_of, three_problems

CPU = torch.device("cpu")
VARIANTS = ["LTW-L-I", "LTW-L-sigma", "LTW-TF"]


def group_of(problems, settings, block_memory=2**20, graphs=False):
    """A group, and reference engines of the same parameters and random numbers."""
    references = [ReferenceEngine(problem, each) for problem, each in zip(problems, settings, strict=True)]
    arrays = [ProblemArrays(problem, each) for problem, each in zip(problems, settings, strict=True)]
    states = [LocalState.of(own.parameters(), each) for own, each in zip(references, arrays, strict=True)]
    return LocalGroup(arrays, states, settings[0], CPU, block_memory, graphs), references


def named(group):
    return [group.state(row).parameters(group.sizes, arrays) for row, arrays in enumerate(group.arrays)]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dropout", [0.0, 0.2])
def test_gradients_are_those_of_autograd(variant, dropout):
    group, references = group_of(three_problems(), settings_of(variant, dropout=dropout))
    group.advance([r.random for r in references], [0, 0, 0], 1)
    for b, reference in enumerate(references):
        loss = reference.loss(torch.as_tensor(reference.random.rows(0)[0]))
        assert group.loss[b].item() == pytest.approx(loss.item(), rel=1e-12)
        arrays = group.arrays[b]
        found = LocalState(group.state(b).first / 0.1).parameters(group.sizes, arrays)  # the first moment from rest
        for name, value in reference.p.items():
            np.testing.assert_allclose(
                np.ravel(found[name]), value.grad.numpy().ravel(), rtol=1e-9, atol=1e-13, err_msg=name
            )
        assert np.abs(found["W2"]).max() > 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_trajectories_of_200_steps(variant, monkeypatch):
    monkeypatch.setattr(group_module, "TERMS", 8)
    monkeypatch.setattr(operators, "POINTS", 8)
    group, references = group_of(three_problems(), settings_of(variant))
    assert group.terms.starts.tolist() == [0, 36, 54, 108]  # 30, 18 and 41 terms in tiles of 18
    assert group.dense.shape == (2, 6, 16, 18) and (np.diff(group.cd_layer.places.starts) > 8).all()
    made = 0
    for steps in (1, 19, 80, 100):
        group.advance([r.random for r in references], [made] * 3, steps)
        expected = [reference.advance(steps) for reference in references]
        np.testing.assert_allclose(group.loss.numpy() / steps, expected, rtol=1e-11)
        made += steps
    values, logits = group.read(), np.split(group.look()[1].numpy(), group.validation.ends)
    for b, (reference, parameters) in enumerate(zip(references, named(group), strict=True)):
        wanted = reference.parameters()
        assert sorted(parameters) == sorted(wanted)
        for name, value in wanted.items():
            np.testing.assert_allclose(parameters[name], value, atol=1e-10, err_msg=name)
        np.testing.assert_allclose(values.cd[b], reference.cd(), atol=1e-10)
        expected = reference.validation_logits()
        np.testing.assert_allclose(logits[b], expected, atol=1e-9)
        found = contingency(reference.problem.validation.y, expected > 0)
        assert values.counted[b] == [found.tp, found.tp + found.fp, 0]


def test_random_numbers_on_the_device_are_those_of_numpy():
    random, items = RandomNumbers(7, 1, 100, 10), np.array([0, 1, 5, 2**31 + 3])
    keys = keys_of(random)
    for stream in (TERMS, ENTRIES):
        found = normal(torch.tensor(keys[stream]), torch.tensor(12), torch.as_tensor(items))
        np.testing.assert_allclose(found.numpy(), random.normal(stream, 12, items), rtol=1e-12, atol=1e-14)
    found = keep(torch.tensor(keys[HIDDEN]), torch.tensor(12), torch.arange(1000), 0.2)
    np.testing.assert_array_equal(found.numpy(), random.keep(HIDDEN, 12, np.zeros(1, int), 1000, 0.2)[0])


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF"])
def test_how_steps_are_prepared_does_not_matter(variant):
    settings = settings_of(variant)
    whole, references = group_of(three_problems(), settings)
    parts, _ = group_of(three_problems(), settings, block_memory=1)  # a block of one step
    for group in (whole, parts):
        group.advance([r.random for r in references], [0, 0, 0], 30)
    for a, b in zip(named(whole), named(parts), strict=True):
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])


@pytest.mark.parametrize("variant", ["LTW-L-sigma", "LTW-TF"])
def test_steps_ask_nothing_of_the_host(variant):
    # The meta device knows shapes only: reading a value there, or mixing in a tensor of the host, is an error
    problems, settings = three_problems(), settings_of(variant)
    arrays = [ProblemArrays(problem, settings[0]) for problem in problems]
    states = [
        LocalState.of(ReferenceEngine(*each).parameters(), own)
        for each, own in zip(zip(problems, settings, strict=True), arrays, strict=True)
    ]
    group = LocalGroup(arrays, states, settings[0], torch.device("meta"), 2**20, False)
    group.advance([RandomNumbers(0, 0, len(problem.train), 16) for problem in problems], [0, 0, 0], 40)
    with pytest.raises(RuntimeError, match="meta"):
        group.loss.sum().item()
