"""A document and its doubled copy: who gives them one vector."""

import numpy as np
import pytest

from ltw_core.weighting.doubled_document import doubled_document

F = [1, 2, 8]


@pytest.mark.parametrize("dd", ["raw", "binary", "log(1+f/dl)"])
def test_length_cancels(dd):
    assert doubled_document(F, dd).cosine == pytest.approx(1) and doubled_document(F, dd).distance == pytest.approx(
        0, abs=1e-12
    )


@pytest.mark.parametrize("dd", ["1+log", "log1p", "bm25"])
def test_length_does_not_cancel(dd):
    found = doubled_document(F, dd)
    assert found.cosine < 0.9999 and found.distance > 0.01


def test_by_hand():
    found = doubled_document([1, 2], "1+log")
    once, twice = np.array([1, 1 + np.log(2)]), np.array([1 + np.log(2), 1 + np.log(4)])
    np.testing.assert_allclose(found.once, once / np.linalg.norm(once))
    np.testing.assert_allclose(found.twice, twice / np.linalg.norm(twice))


def test_bm25_takes_the_mean_length():
    assert doubled_document(F, "bm25", mean_length=1000).distance != doubled_document(F, "bm25", mean_length=5).distance
    assert doubled_document(F, "bm25", b=1.0, k1=1.2).cosine == pytest.approx(1)  # f and dl double alike
    assert doubled_document(F, "raw", k1=3).cosine == pytest.approx(1)


@pytest.mark.parametrize("frequencies", [[], [0, 1], [[1]]])
def test_no_document_is_a_sentence(frequencies):
    with pytest.raises(ValueError, match="counts above 0"):
        doubled_document(frequencies, "raw")
