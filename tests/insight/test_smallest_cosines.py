"""How alike weightings see a document, by hand."""

import numpy as np
import pytest
from scipy import sparse

from ltw_core.insight.smallest_cosines import smallest_cosines


def test_the_smallest_cosine_of_any_two_counts():
    # document 0: alike but for length; 1: at right angles in one pair; 2: at 45 degrees; 3: empty under one weighting
    one = sparse.csr_array(np.array([[1.0, 0], [1, 0], [1, 0], [1, 0]]))
    two = sparse.csr_array(np.array([[3.0, 0], [0, 2], [1, 1], [0, 0]]))
    three = sparse.csr_array(np.array([[5.0, 0], [1, 0], [1, 0], [1, 0]]))
    np.testing.assert_allclose(smallest_cosines([one, two, three]), [1, 0, np.sqrt(0.5), 1], atol=1e-12)
    assert smallest_cosines([one, -1 * one])[0] == pytest.approx(-1)
