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
    upwards = r"the rate must run upwards within \(0, 1\], not from {} to {}"
    for arguments, words in (
        (("up",), r"along must be one of tpr, fpr, diagonal, antidiagonal, got 'up'"),
        (("tpr", 2), r"at must lie in \[0, 1\], got 2"),
        (("tpr", -0.1), r"at must lie in \[0, 1\], got -0\.1"),
        (("tpr", 0.1, 5, "logit"), "scale must be linear or log, got 'logit'"),
        (("tpr", 0.1, 5, "linear", 0.1, 0), upwards.format("0.1", "0")),
        (("tpr", 0.1, 5, "linear", 0.1, 1.1), upwards.format("0.1", "1.1")),
        (("tpr", 0.1, 5, "log", 0, 1), upwards.format("0", "1")),
        (("tpr", 0.1, 5, "log", 0.1, 0.1), upwards.format("0.1", "0.1")),
    ):
        with pytest.raises(ValueError, match=f"^{words}$"):
            slice_points(*arguments)
    for at in (0, 1):
        assert set(slice_points("tpr", at)[2]) == {at}
    running, tpr, fpr = slice_points("fpr")
    assert len(running) == 200 and set(tpr) == {0.01} and (running[0], fpr[-1]) == (0, 1)
    assert slice_points("tpr", scale="log")[0][0] == 1e-4
    assert slice_points("tpr", floor=0.5, top=0.1)[0][-1] == 0.1  # where the floor is not asked for


def test_it_can_end_where_the_terms_end():
    running, tpr, _ = slice_points("tpr", scale="log", floor=1e-3, top=0.1, size=3)
    np.testing.assert_allclose(running, [1e-3, 1e-2, 1e-1])
    np.testing.assert_allclose(tpr, running)
    with pytest.raises(ValueError, match="upwards"):
        slice_points("tpr", scale="log", floor=0.5, top=0.1)
