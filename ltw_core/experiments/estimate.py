"""How long what remains of a study will take, from the cells of the store that are done.

The mean over the same ⟨corpus, weighting, learner, grid⟩ where there is one, else over the same corpus, learner and
grid, else over the same learner and grid anywhere. Cells without any such measure are counted apart and not guessed.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ltw_core.experiments.store import Store


class Estimate(NamedTuple):
    """``seconds`` of one core for ``cells`` cells, besides ``unknown`` ones of which nothing alike was measured."""

    seconds: float
    cells: int
    unknown: int


def estimate(store: Store) -> Estimate:
    """What remains of the store's wanted cells."""
    measured = [row for row in store.overview() if row["state"] == "done"]
    learning = _Means(
        (
            [(r["corpus"], r["weighting"], r["learner"], r["grid"]), (r["corpus"], r["learner"], r["grid"])]
            + [(r["learner"], r["grid"])],
            r["seconds"],
            r["cells"],
        )
        for r in measured
    )
    weighting = _Means(
        ([(r["corpus"], r["weighting"]), (r["weighting"],)], r["weighting_seconds"], r["cells"]) for r in measured
    )
    cells, vectors = store.remaining()
    seconds, known, unknown = 0.0, 0, 0
    for row in cells:
        each = learning.of(
            (row["corpus"], row["weighting"], row["learner"], row["grid"]),
            (row["corpus"], row["learner"], row["grid"]),
            (row["learner"], row["grid"]),
        )
        made = weighting.of((row["corpus"], row["weighting"]), (row["weighting"],))
        if each is None or made is None:
            unknown += row["cells"]
        else:
            known += row["cells"]
            seconds += row["cells"] * each
    for row in vectors:
        made = weighting.of((row["corpus"], row["weighting"]), (row["weighting"],))
        seconds += row["vectors"] * (made or 0.0)
    return Estimate(seconds, known, unknown)


class _Means:
    """Weighted means under several keys."""

    def __init__(self, measures: Iterable[tuple[list[tuple], float, int]]):
        self._sums: dict[tuple, tuple[float, int]] = {}
        for keys, value, count in measures:
            for key in keys:
                total, n = self._sums.get(key, (0.0, 0))
                self._sums[key] = total + value * count, n + count

    def of(self, *keys: tuple) -> float | None:
        """The mean under the first key that has one."""
        for key in keys:
            if key in self._sums:
                total, n = self._sums[key]
                return total / n
        return None


def duration(seconds: float) -> str:
    """Seconds in words: "45 s", "12 min", "3.4 h"."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
