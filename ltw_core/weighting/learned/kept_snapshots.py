"""The snapshots that are kept of a training run while it goes on: of a bounded number of steps, and of bounded size.

They are evenly spaced over the logarithm of steps, since most happens early. Steps are not known beforehand: all are
kept until there are too many, then always the one goes whose neighbours are nearest to each other.
"""

import numpy as np

from ltw_core.weighting.learned.snapshots import Snapshot

MAX_SNAPSHOTS, MIN_SNAPSHOTS, MAX_BYTES = 64, 8, 4 << 20


class KeptSnapshots:
    """A bounded number of snapshots, evenly spaced over log steps. One thread adds, others read ``kept``.

    Attributes
    ----------
    kept : tuple of Snapshot
        By step.
    """

    def __init__(self):
        self.kept: tuple[Snapshot, ...] = ()

    def add(self, snapshot: Snapshot) -> None:
        """Take one in; the latest one at a step counts. The first, the last and the best by F1 always stay."""
        kept = [s for s in self.kept if s.step < snapshot.step] + [snapshot]
        while len(kept) > max(MIN_SNAPSHOTS, min(MAX_SNAPSHOTS, MAX_BYTES // max(1, snapshot.nbytes))):
            del kept[_densest(kept)]
        self.kept = tuple(kept)


def _densest(kept: list[Snapshot]) -> int:
    """The one to leave out: between the nearest neighbours, by the ratio of their steps."""
    f1 = np.nan_to_num([s.validation_f1 for s in kept], nan=-1)
    best = int(np.argmax(f1))
    inner = [i for i in range(1, len(kept) - 1) if i != best]
    return min(inner, key=lambda i: (kept[i + 1].step + 1) / (kept[i - 1].step + 1))
