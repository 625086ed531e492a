"""Everything random in a training, as functions of (seed, attempt, step): nothing to store in a checkpoint, and the
same numbers for every engine.

Batches are permutations by NumPy's generator, one an epoch. Dropout's draws come from a counter-based hash, so that a
compiled loop computes the draw of one term at one step where it needs it, and again in the backward pass, without
storing it. The hash is the finaliser of splitmix64 (Steele, Lea, Flood 2014) for a key a term, and for the hidden
units under it a 32-bit mixer (Wellons 2018, "lowbias32"). ``kernels/bits.py`` holds the same arithmetic compiled; a
test holds them equal.
"""

from functools import lru_cache

import numpy as np

TERMS, ENTRIES, HIDDEN = 0, 1, 2  # streams of dropout: a draw a term (cd), a draw an entry (LTW-TF's dd), one for LTW-G
PRETRAINING = 3  # a draw a point, where pre-training has dropout
_INITIAL, _ORDER, _NOISE, _POINTS = range(4)


class RandomNumbers:
    """The draws of one attempt of one training.

    Parameters
    ----------
    seed, attempt : int
    n_rows, batch_size : int
        Training documents, and documents a batch (the last batch of an epoch may be smaller).
    """

    def __init__(self, seed, attempt, n_rows, batch_size):
        self.seed, self.attempt, self.n_rows, self.batch_size = int(seed), int(attempt), int(n_rows), int(batch_size)
        self.batches_per_epoch = -(-self.n_rows // self.batch_size)
        self._epoch, self._order = None, None

    def _generator(self, *purpose):
        return np.random.default_rng([self.seed, self.attempt, *purpose])

    def initial(self):
        """Generator for the initial weights."""
        return self._generator(_INITIAL)

    def rows(self, step, steps=1):
        """Rows of the batches of `steps` steps from `step` (counted from 0), reshuffled when an epoch is completed.

        Returns
        -------
        rows : ndarray of int64, the batches one after the other
        starts : ndarray of int64, shape (steps + 1,)
        """
        parts, at = [], step
        while at < step + steps:
            epoch, batch = divmod(at, self.batches_per_epoch)
            if epoch != self._epoch:
                self._epoch, self._order = epoch, self._generator(_ORDER, epoch).permutation(self.n_rows)
            count = min(step + steps - at, self.batches_per_epoch - batch)
            parts.append(self._order[batch * self.batch_size : (batch + count) * self.batch_size])
            at += count
        batches = np.arange(step, step + steps) % self.batches_per_epoch
        sizes = np.minimum(self.batch_size, self.n_rows - batches * self.batch_size)
        return np.concatenate(parts), np.concatenate([[0], np.cumsum(sizes)])

    def key(self, stream) -> np.uint64:
        """Key of a stream of dropout draws."""
        return _key(self.seed, self.attempt, stream)

    def normal(self, stream, step, items):
        """Standard normal draws of `items` (indices below 2^32) at a step."""
        bits = item_keys(self.key(stream), step, items)
        first = ((bits >> np.uint64(32)).astype(float) + 0.5) * 2.0**-32
        second = (bits & np.uint64(0xFFFFFFFF)).astype(float) * 2.0**-32
        return np.sqrt(-2 * np.log(first)) * np.cos(2 * np.pi * second)

    def keep(self, stream, step, items, hidden, dropout):
        """Mask of the hidden units that each of `items` keeps at a step, bool of shape (items, hidden)."""
        low = (item_keys(self.key(stream), step, items) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        return unit_bits(low[:, None], np.arange(hidden, dtype=np.uint32)[None, :]) >= threshold(dropout)

    def points(self, step, n_points):
        """Uniform (tpr, fpr) points for pre-training, shape (n_points, 2)."""
        return self._generator(_POINTS, step).random((n_points, 2))


@lru_cache(1024)
def _key(seed, attempt, stream):
    """Kept: every round asks for the same ones, and NumPy takes its time."""
    return np.random.SeedSequence([seed, attempt, _NOISE, stream]).generate_state(1, np.uint64)[0]


def threshold(dropout) -> np.uint32:
    """A unit is dropped where its 32 bits lie under this."""
    return np.uint32(round(dropout * 2**32))


def item_keys(key, step, items):
    """splitmix64's finaliser of (key, step, item)."""
    with np.errstate(over="ignore"):
        x = np.asarray(items).astype(np.uint64) + (np.uint64(step) << np.uint64(32))
        x = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + key
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))


def unit_bits(low, unit):
    """32 bits for each hidden unit under an item's key."""
    with np.errstate(over="ignore"):
        x = low + unit * np.uint32(0x9E3779B9)
        x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
        x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
        return x ^ (x >> np.uint32(16))
