"""The fused kernels under Triton's interpreter, on a CPU, against torch's operators: whole steps, companions, failures.

Run by ``test_fused.py`` in a process whose TRITON_INTERPRET is 1: Triton reads it when it is imported.

Tolerances: in float64 a parameter after a few steps to 1e-9 of it, in float32 to 2e-4 (Adam divides by the root of a
second moment, which turns roundings of small gradients into ones of the step's size).
"""

import numpy as np
import pytest

from ltw_core.weighting.learned.engines.lockstep import (
    fused_global_group,
    fused_group,
    fused_local_group,
    places,
    spans,
)
from ltw_core.weighting.learned.engines.lockstep.fused_global_group import FusedGlobalGroup
from ltw_core.weighting.learned.engines.lockstep.fused_local_group import FusedLocalGroup
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from tests.weighting.learned.conftest import small_problem
from tests.weighting.learned.engines.lockstep.lockstep_cases import (
    Replayed,
    advanced,
    assert_same,
    group_of,
    settings_of,
    three_problems,
)

MODULES = fused_group, fused_local_group, fused_global_group, spans
BLOCKS = (
    "SLICE_POINTS", "PAIRS", "UNITS", "BACKWARD_UNITS", "UNROLLED", "ROWS_BACKWARD", "ENTRIES_BACKWARD",
    "ENTRIES", "PAIRS_SUMMED", "TERMS_SUMMED", "SCALARS", "COUNTS", "ENTRIES_COUNTED", "ROWS_COUNTED", "SLICE_UNITS",
    "FORWARD_UNITS", "STEP_UNITS", "STEP_TERMS", "SPAN_TERMS",
)  # fmt: skip


def small_blocks(monkeypatch):
    """So that every loop goes round more than once."""
    for module in MODULES:
        for name in set(BLOCKS) & set(vars(module)):
            size = 8 if "PAIRS" in name or "SLICE" in name or name == "STEP_TERMS" else 2 if "_UNITS" in name else 4
            monkeypatch.setattr(module, name, size)
    monkeypatch.setattr(spans, "SPAN_ENTRIES", 100.0)  # spans end where they are full
    monkeypatch.setattr(spans, "CUTS_AN_ENTRY", 0.1)  # several share a cut
    monkeypatch.setattr(spans, "CUTS_AT_ONCE", 100)


def kinds(variant):
    """The fused group, and torch's."""
    return (FusedGlobalGroup, GlobalGroup) if "G" in variant else (FusedLocalGroup, LocalGroup)


@pytest.mark.parametrize(
    ("variant", "more"),
    [
        ("LTW-L-I", {"batch_size": 7}),
        ("LTW-L-sigma", {"dropout": 0.0}),
        ("LTW-L-I", {"dtype": "float32"}),
        ("LTW-L-I", {"hidden": 70, "batch_size": 5, "beta1": 0.0}),
        ("LTW-TF", {"blocks": "small", "batch_size": 7}),
        ("LTW-G-I", {"blocks": "small", "hidden": 40}),
        ("LTW-G-sigma", {"dropout": 0.0, "beta1": 0.0, "batch_size": 5}),
        ("LTW-G-I", {"dtype": "float32", "hidden": 40}),
    ],
)
def test_steps_are_those_of_torch(variant, more, monkeypatch):
    more, problems = dict(more), three_problems()[:2]
    if more.pop("blocks", ""):
        small_blocks(monkeypatch)
        # more than a block of terms, pairs, distinct counts, and entries of a document
        problems = [small_problem(*size, inside=1.5) for size in ((80, 18, 0), (60, 12, 1))]
    settings = settings_of(variant, 2, **more)
    fused, plain = (advanced(group_of(kind, problems, settings), problems, settings, 2) for kind in kinds(variant))
    exact = settings[0].dtype == "float64"
    close = {"rtol": 1e-9, "atol": 1e-10} if exact else {"rtol": 2e-4, "atol": 2e-5}
    np.testing.assert_allclose(fused.loss, plain.loss, rtol=1e-11 if exact else 1e-5)
    np.testing.assert_array_equal(fused.moment_steps, plain.moment_steps)
    matrices = ("weights", "first_weights", "second_weights") if "G" in variant else ()
    for row in range(2):
        states = fused.state(row), plain.state(row)
        for name in ("first", "second", "theta", *matrices):
            found, wanted = (getattr(state, name) for state in states)
            np.testing.assert_allclose(found, wanted, **close, err_msg=name)
            assert np.abs(wanted).max() > 0
    (cd, logits), (wanted_cd, wanted_logits) = fused.look(), plain.look()
    np.testing.assert_allclose(logits, wanted_logits, **close)
    for row in range(2):
        np.testing.assert_allclose(cd[fused.terms.own(row)], wanted_cd[plain.terms.own(row)], **close)
    assert fused.read().counted == plain.read().counted


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_what_is_learned_beside_it_changes_no_bit(variant, monkeypatch):
    """Nor do units that are let go, here a half of them: others in another slice would be added up otherwise."""
    monkeypatch.setattr(fused_global_group, "SLICE_UNITS", 4)
    monkeypatch.setattr(fused_global_group, "FORWARD_UNITS", 4)
    more = {"hidden": 40} if "G" in variant else {"batch_size": 7}
    problems, settings = three_problems(), settings_of(variant, dtype="float32", **more)
    single = problems[1:2], settings[1:2]  # fewer terms, pairs and documents than the others
    together, alone = (group_of(kinds(variant)[0], *own) for own in ((problems, settings), single))
    for begin in (0, 1):
        for group, own in ((together, (problems, settings)), (alone, single)):
            advanced(group, *own, 1, begin)
            if begin == 0 and "G" in variant:
                row = group.size // 2
                units, first = len(group.units[row]), group.rooms.starts[row]
                some = slice(first, first + units, 2)
                group.theta[some] = -1.0
                group.first[some] = 0
                group.matrices[row][1][:units:2] = 0
                group.compact([True] * group.size)
                assert len(group.units[row]) == units // 2 < units
    for found, wanted in zip(vars(together.state(1)).items(), vars(alone.state(0)).items(), strict=True):
        np.testing.assert_array_equal(found[1], wanted[1], err_msg=found[0])
    (cd, logits), (cd_alone, logits_alone) = together.look(), alone.look()
    np.testing.assert_array_equal(cd[together.terms.own(1)], cd_alone)
    np.testing.assert_array_equal(np.split(logits, together.validation.ends)[1], logits_alone)


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-G-I"])
def test_a_whole_lockstep_with_graphs(variant, monkeypatch):
    """Two rounds, the second in one graph with the first, into a second epoch; then W3 and b3 alone."""
    monkeypatch.setattr(places, "FUSED", True)
    monkeypatch.setattr(Replay, "capture", lambda *each: Replayed(*each))
    problems, settings = three_problems()[:2], settings_of(variant, 2, check_every=3, max_steps=6, batch_size=32)
    fused = learn_lockstep(problems, settings, "cpu", graphs=True)
    monkeypatch.setattr(places, "FUSED", False)
    for found, wanted in zip(fused, learn_lockstep(problems, settings, "cpu"), strict=True):
        assert found.notes == ()
        assert_same(found, wanted)


@pytest.mark.parametrize(
    ("variant", "kind"), [("LTW-L-I", "float64"), ("LTW-L-sigma", "float64"), ("LTW-L-I", "float32")]
)
def test_pretraining_is_that_of_torch_and_of_each_alone(variant, kind):
    problems, settings = three_problems()[:2], settings_of(variant, 2, pretrain="tpr - fpr", dtype=kind)
    points = np.random.default_rng(0).random((2, 2, 100, 2))  # steps, problems, points
    wanted = points[..., 0] - points[..., 1]
    fused, plain = (group_of(kind, problems, settings) for kind in (FusedLocalGroup, LocalGroup))
    errors = [group.pretrain([0, 1], points, wanted) for group in (fused, plain)]
    np.testing.assert_allclose(*errors, rtol=1e-10 if kind == "float64" else 1e-5)
    close = {"rtol": 1e-9, "atol": 1e-11} if kind == "float64" else {"rtol": 2e-4, "atol": 2e-5}
    for row in range(2):
        for name in ("first", "second", "theta", "moment_steps"):
            found, expected = (getattr(group.state(row), name) for group in (fused, plain))
            np.testing.assert_allclose(found, expected, **close, err_msg=name)
    alone = group_of(FusedLocalGroup, problems, settings)
    assert alone.pretrain([1], points[:, 1:], wanted[:, 1:]) == errors[0][1:]
    np.testing.assert_array_equal(alone.state(1).theta, fused.state(1).theta)


def test_w3_alone_moves_nothing_else():
    problems, settings = three_problems()[:1], settings_of("LTW-L-I", 1, pretrain="RF")
    group = group_of(FusedLocalGroup, problems, settings)
    before = group.theta.clone()
    random = RandomNumbers(0, 0, len(problems[0].train), 16)
    group.advance([random], [0], 2, [True])
    changed = group.theta != before
    assert not changed[: group.n_network].any() and changed[group.n_network :].sum() > 5


def test_where_kernels_fail_torch_makes_the_steps(monkeypatch):
    def failing(*_):
        raise ValueError("no compiler was found\nmore of it")

    monkeypatch.setattr(places, "FUSED", True)
    monkeypatch.setattr(FusedLocalGroup, "_launch", failing)
    problems, settings = three_problems(), settings_of("LTW-L-I", max_steps=20)
    results = learn_lockstep(problems, settings, "cpu")
    said = "The fused kernels do not work here (no compiler was found); torch's operators make the steps."
    assert results[0].notes == (said,)
    monkeypatch.setattr(places, "FUSED", False)
    for found, wanted in zip(results, learn_lockstep(problems, settings, "cpu"), strict=True):
        assert_same(found, wanted)
