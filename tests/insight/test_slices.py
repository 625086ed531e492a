import numpy as np
import pytest

from ltw_core.insight import slice_points


def test_the_running_rate_runs_and_the_other_stands():
    running, tpr, fpr = slice_points("tpr", 0.2, size=5)
    np.testing.assert_allclose(running, [0, 0.25, 0.5, 0.75, 1])
    np.testing.assert_allclose(tpr, running)
    np.testing.assert_allclose(fpr, 0.2)
    running, tpr, fpr = slice_points("fpr", 0.2, size=5)
    np.testing.assert_allclose(fpr, running)
    np.testing.assert_allclose(tpr, 0.2)


def test_diagonals():
    _, tpr, fpr = slice_points("diagonal", size=3)
    np.testing.assert_allclose(tpr, fpr)
    _, tpr, fpr = slice_points("antidiagonal", size=3)
    np.testing.assert_allclose(tpr + fpr, 1)


def test_log_spacing_starts_at_the_floor():
    running, _, _ = slice_points("tpr", scale="log", floor=1e-3, size=4)
    np.testing.assert_allclose(running, [1e-3, 1e-2, 1e-1, 1])


def test_what_is_refused():
    for arguments, words in (
        (("up",), "along must be"),
        (("tpr", 2), "at must lie"),
        (("tpr", 0.1, 5, "logit"), "scale"),
    ):
        with pytest.raises(ValueError, match=words):
            slice_points(*arguments)


def test_it_can_end_where_the_terms_end():
    running, tpr, _ = slice_points("tpr", scale="log", floor=1e-3, top=0.1, size=3)
    np.testing.assert_allclose(running, [1e-3, 1e-2, 1e-1])
    np.testing.assert_allclose(tpr, running)
    with pytest.raises(ValueError, match="upwards"):
        slice_points("tpr", scale="log", floor=0.5, top=0.1)
