"""How long what remains of a study will take, from the cells of the store that are done.

For a learner the mean over the same ⟨corpus, weighting, learner, grid⟩ where there is one, else over the same corpus,
learner and grid, else over the same learner and grid anywhere; for the vectors that learners share the mean over the
same corpus and weighting, else over the same corpus and kind of weighting, else over the weighting. Cells without any
such measure are counted apart and not guessed.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ltw_core.experiments.cell import seeded
from ltw_core.experiments.store import Store
from ltw_core.weighting import family


class Estimate(NamedTuple):
    """``seconds`` of one core for ``cells`` cells, besides ``unknown`` ones of which nothing alike was measured."""

    seconds: float
    cells: int
    unknown: int


def estimate(store: Store) -> Estimate:
    """What remains of the store's wanted cells."""
    measured = [row for row in store.overview() if row["state"] == "done"]
    learning = _Means((_learner_keys(row), row["seconds"], row["cells"]) for row in measured)
    weighting = _Means((_weighting_keys(row), row["weighting_seconds"], row["cells"]) for row in measured)
    cells, vectors = store.remaining()
    seconds, known, unknown = 0.0, 0, 0
    for row in cells:
        each = learning.of(_learner_keys(row))
        if each is None or weighting.of(_weighting_keys(row)) is None:
            unknown += row["cells"]
        else:
            known += row["cells"]
            seconds += row["cells"] * each
    for row in vectors:
        seconds += row["vectors"] * (weighting.of(_weighting_keys(row)) or 0.0)
    return Estimate(seconds, known, unknown)


def _learner_keys(row) -> list[tuple]:
    corpus, weighting, learner, grid = (row[name] for name in ("corpus", "weighting", "learner", "grid"))
    return [(corpus, weighting, learner, grid), (corpus, learner, grid), (learner, grid)]


def _weighting_keys(row) -> list[tuple]:
    corpus, weighting = row["corpus"], row["weighting"]
    kind = family(weighting) if seeded(weighting) else "formula"  # formulas take about the same time
    return [(corpus, weighting), (corpus, kind), (weighting,)]


class _Means:
    """Weighted means under several keys."""

    def __init__(self, measures: Iterable[tuple[list[tuple], float, int]]):
        self._sums: dict[tuple, tuple[float, int]] = {}
        for keys, value, count in measures:
            for key in keys:
                total, n = self._sums.get(key, (0.0, 0))
                self._sums[key] = total + value * count, n + count

    def of(self, keys: list[tuple]) -> float | None:
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
