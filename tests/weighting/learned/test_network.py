"""The networks in NumPy: which variants there are, how weights are drawn, and the forward passes by hand."""

import numpy as np
import pytest

from ltw_core.weighting.learned import network as module
from ltw_core.weighting.learned.network import (
    VARIANTS,
    Variant,
    initial_parameters,
    input_length,
    learned_dd,
    local_cd,
    normal_rows,
    sigmoid,
    weighting_part,
)
from ltw_core.weighting.progress import Cancelled

SURFACE, DD = ("W1", "b1", "W2", "b2"), ("W4", "b4", "W5", "b5")


@pytest.mark.parametrize(
    ("name", "local", "squashed", "kept", "free"),
    [
        ("LTW-L-sigma", True, True, SURFACE, False),
        ("LTW-L-I", True, False, SURFACE, False),
        ("LTW-G-sigma", False, True, (), False),
        ("LTW-G-I", False, False, (), True),
        ("LTW-TF", True, False, SURFACE + DD, False),
    ],
)
def test_the_variants_of_the_paper(name, local, squashed, kept, free):
    variant = VARIANTS[name]
    assert (variant.local, variant.sigmoid, variant.kept, variant.free_signs) == (local, squashed, kept, free)
    assert variant.has_surface == local and variant.inputs == ("tpr", "fpr")
    assert variant.learned_dd == (name == "LTW-TF")
    drawn = initial_parameters(variant, np.ones((2, 3)), 4, 5, np.random.default_rng(0))
    assert weighting_part(variant, drawn) == {name: drawn[name] for name in kept}


def test_a_network_of_inputs_that_do_not_follow_from_the_rates_has_no_surface():
    assert not Variant("X", local=True, sigmoid=False, inputs=("tpr", "fpr", "df")).has_surface
    assert Variant("X", local=True, sigmoid=False, inputs=("tpr", "fpr", "idf")).has_surface  # which follows from both
    assert Variant("X", local=True, sigmoid=False, inputs=("df", "n"), learned_dd=True).kept == DD


def test_weights_are_drawn_as_the_authors_do():
    """Normal with standard deviation 1/√(fan-out), biases 0, in this order: files and figures follow from the seed."""
    ones = np.ones((3, 7))
    drawn = initial_parameters(VARIANTS["LTW-TF"], ones, 4, 9, np.random.default_rng(5))
    draw = np.random.default_rng(5).standard_normal
    expected = {"W1": draw((3, 4)) / 2, "b1": np.zeros(4), "W2": draw(4), "b2": np.zeros(1), "W3": draw(7)}
    expected |= {"b3": np.zeros(1), "W4": draw(9) / 3, "b4": np.zeros(9), "W5": draw(9), "b5": np.zeros(1)}
    assert list(drawn) == list(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(drawn[name], values, rtol=1e-15)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_weights_of_a_global_network(kind):
    inputs = np.array([[3.0, 0.0, 4.0, 0.0], [0.0, 12.0, 0.0, 0.0]])
    drawn = initial_parameters(VARIANTS["LTW-G-I"], inputs, 16, 9, np.random.default_rng(5), kind)
    draw = np.random.default_rng(5).standard_normal
    np.testing.assert_allclose(drawn["z"], draw(16) * 13 / 4)
    np.testing.assert_allclose(drawn["W2"], (draw((16, 4)) / 2).astype(kind))
    np.testing.assert_allclose(drawn["W3"], draw(4))
    assert (drawn["W2"].dtype, drawn["z"].dtype, drawn["b2"].tolist()) == (kind, np.float64, [0] * 4)
    assert list(drawn) == ["z", "W2", "b2", "W3", "b3"]
    assert initial_parameters(VARIANTS["LTW-G-I"], inputs, 2, 9, np.random.default_rng(5))["W2"].dtype == np.float64


def test_drawing_many_rows_can_be_stopped_before_each():
    asked = []

    def stop():
        asked.append(True)
        return len(asked) == 3

    with pytest.raises(Cancelled, match=r"^stopped while the initial weights were drawn$"):
        normal_rows(np.random.default_rng(0), 1.0, (5, 2), should_stop=stop)
    assert len(asked) == 3
    asked.clear()
    with pytest.raises(Cancelled):
        initial_parameters(VARIANTS["LTW-G-I"], np.ones((2, 3)), 5, 0, np.random.default_rng(0), should_stop=stop)
    rows = normal_rows(np.random.default_rng(0), 0.5, (3, 2), np.float32, lambda: False)
    np.testing.assert_allclose(rows, np.random.default_rng(0).standard_normal((3, 2)) / 2, rtol=1e-6)
    assert rows.dtype == np.float32 and normal_rows(np.random.default_rng(0), 1, (1, 1)).dtype == np.float64


def test_the_length_of_all_inputs():
    assert input_length(np.array([[3.0, 4.0], [0.0, 12.0]])) == 13


def test_sigmoid_is_exact_and_does_not_overflow():
    np.testing.assert_allclose(sigmoid([0, np.log(3), -np.log(3)]), [0.5, 0.75, 0.25])
    assert sigmoid([-1e4, 1e4]).tolist() == [0, 1]
    assert sigmoid(0) == 0.5


# the first hidden unit counts above tpr = .5, the second where fpr is larger than tpr
PARAMETERS = {"W1": [[2.0, -1.0], [0.0, 1.0]], "b1": [-1.0, 0.0], "W2": [3.0, -10.0], "b2": [0.25]}


def by_hand(tpr, fpr):
    return 3 * max(2 * tpr - 1, 0) - 10 * max(fpr - tpr, 0) + 0.25


@pytest.mark.parametrize("chunk", [1, 2, 3, 6, 1 << 16])
@pytest.mark.parametrize("kind", [np.float64, np.float32, list])
def test_local_cd_by_hand_in_pieces_of_any_size(monkeypatch, chunk, kind):
    monkeypatch.setattr(module, "CHUNK", chunk)
    tpr, fpr = [[0.0], [0.25], [0.75], [1.0]], [0.0, 0.5, 0.25]
    expected = np.array([[by_hand(t, f) for f in fpr] for (t,) in tpr])
    convert = kind if kind is list else lambda values: np.array(values, dtype=kind)
    parameters = {name: convert(values) for name, values in PARAMETERS.items()}
    found = local_cd(parameters, convert(tpr), convert(fpr), squash=False)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    np.testing.assert_allclose(
        local_cd(parameters, convert(tpr), convert(fpr), squash=True), 1 / (1 + np.exp(-expected))
    )
    assert local_cd(parameters, [], [], squash=False).shape == (0,)
    assert np.shape(local_cd(parameters, 1, 0, squash=False)) == ()


def test_local_cd_computes_each_place_once(monkeypatch):
    rows, matmul = [], np.matmul
    monkeypatch.setattr(module.np, "matmul", lambda a, b, **options: rows.append(len(a)) or matmul(a, b, **options))
    local_cd(PARAMETERS, [0.5] * 100, [0.25] * 100, squash=False)
    assert rows == [1, 1]
    rows.clear()
    monkeypatch.setattr(module, "CHUNK", 6)  # three points at two hidden units each
    local_cd(PARAMETERS, np.linspace(0, 1, 7), np.zeros(7), squash=False)
    assert rows == [3, 3, 3, 3, 1, 1]


@pytest.mark.parametrize("convert", [list, np.float32, np.array])
def test_learned_dd_by_hand(convert):
    given = {"W4": [1.0, -1.0], "b4": [0.0, 2.5], "W5": [2.0, -4.0], "b5": [1.0]}
    parameters = {name: convert(values) for name, values in given.items()}
    # 2·ReLU(f) - 4·ReLU(2.5 - f) + 1, cut at 0: -3, 3, 7 and 9, and 0 where there is no occurrence
    found = learned_dd(parameters, convert([[0, 1, 2], [3, 4, 1]]))
    assert found.tolist() == [[0, 0, 3], [7, 9, 0]] and found.dtype == np.float64
    assert learned_dd(parameters | {"b5": convert([9.0])}, convert([0, 0.5])).tolist() == [0, 2]
    assert learned_dd(parameters, convert([])).shape == (0,)
