"""Random numbers: the compiled bits are NumPy's, distributions are what they should be, epochs are permutations."""

import numpy as np
import pytest

from ltw_core.weighting.learned.engines.compiled.kernels import bits
from ltw_core.weighting.learned.engines.random_numbers import (
    ENTRIES,
    TERMS,
    RandomNumbers,
    item_keys,
    threshold,
    unit_bits,
)


def draws(seed=0, attempt=0):
    return RandomNumbers(seed, attempt, n_rows=23, batch_size=10)


def test_compiled_bits_are_the_same():
    key = draws().key(TERMS)
    items = np.array([0, 1, 2, 77, 2**31])
    keys = item_keys(key, 12345, items)
    assert [bits.item_key(key, 12345, int(item)) for item in items] == keys.tolist()
    normal = draws().normal(TERMS, 12345, items)
    np.testing.assert_allclose([bits.normal(value) for value in keys], normal, rtol=1e-12)
    low = (keys & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    units = np.arange(50, dtype=np.uint32)
    assert [[bits.unit_bits(a, b) for b in units] for a in low] == unit_bits(low[:, None], units[None, :]).tolist()


def test_masks_and_normals_are_distributed_as_they_should():
    keep = draws().keep(TERMS, 3, np.arange(2000), 500, 0.2)
    assert keep.mean() == pytest.approx(0.8, abs=0.002)
    by_unit, by_item = keep.mean(axis=0), keep.mean(axis=1)
    assert by_unit.std() == pytest.approx(np.sqrt(0.16 / 2000), rel=0.15)  # as if independent
    assert by_item.std() == pytest.approx(np.sqrt(0.16 / 500), rel=0.1)
    normal = np.concatenate([draws().normal(TERMS, step, np.arange(2000)) for step in range(50)])
    assert normal.mean() == pytest.approx(0, abs=0.02)
    assert normal.std() == pytest.approx(1, abs=0.01)
    assert (np.abs(normal) > 3).mean() == pytest.approx(0.0027, rel=0.3)
    neighbours = np.corrcoef(draws().normal(TERMS, 0, np.arange(5000)), draws().normal(TERMS, 1, np.arange(5000)))
    assert abs(neighbours[0, 1]) < 0.06


def test_streams_steps_seeds_and_attempts_differ():
    items = np.arange(20)
    base = draws().normal(TERMS, 0, items)
    others = [
        draws().normal(ENTRIES, 0, items),
        draws().normal(TERMS, 1, items),
        draws(seed=1).normal(TERMS, 0, items),
        draws(attempt=1).normal(TERMS, 0, items),
    ]
    assert all(not np.isclose(base, other).any() for other in others)


def test_an_epoch_is_a_permutation_in_batches():
    # 23 rows in batches of 10: 10, 10, 3, then another order
    rows, starts = draws().rows(0, 6)
    assert starts.tolist() == [0, 10, 20, 23, 33, 43, 46]
    assert sorted(rows[:23]) == sorted(rows[23:]) == list(range(23))
    assert rows[:23].tolist() != rows[23:].tolist()
    later, _ = draws().rows(4, 1)  # any step, without those before it
    assert later.tolist() == rows[33:43].tolist()


@pytest.mark.parametrize(("dropout", "limit"), [(0.0, 0), (0.5, 2**31), (0.2, 858993459)])
def test_threshold(dropout, limit):
    assert threshold(dropout) == limit
