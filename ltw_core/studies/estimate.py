"""How long what remains of a study will take, from the cells of the store that are done.

For a learner the mean over the same ⟨corpus, weighting, learner, grid⟩ where there is one, else over the same corpus,
learner and grid, else over the same learner and grid anywhere; for the vectors that learners share the mean over the
same corpus and weighting, else over the same corpus and kind of weighting, else over the weighting. Where the store has
no measure, the figures that ship with the project give that of the same corpus: of another machine, but better than
nothing. Cells without any measure are counted apart and not guessed.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from statistics import fmean
from typing import NamedTuple

from ltw_core.studies import results
from ltw_core.studies.cell import Cell
from ltw_core.studies.store import Store
from ltw_core.weighting.methods import METHODS, family, method, seeded

KEYS = ("corpus", "weighting", "learner", "grid")


class Remaining(NamedTuple):
    """``seconds`` of one core for the ``measured`` cells; for the ``not_measured`` ones nothing alike was computed."""

    seconds: float
    measured: int
    not_measured: int

    @property
    def known_seconds(self) -> float | None:
        """None where there is something to compute, and nothing alike was measured."""
        return self.seconds if self.measured or not self.not_measured else None


class Forecast(NamedTuple):
    """What a study would take: cells in each state, those with and without a measure, ``seconds`` of one core."""

    cells: int
    new: int
    done: int
    failed: int
    to_compute: int
    measured: int
    not_measured: int
    seconds: float


def forecast(cells: Sequence[Cell], path) -> Forecast:
    """Count and estimate in a copy in memory: the store of a path stays as it is, and none is made."""
    with Store.copy_in_memory(path) as store:
        new = store.add(cells)
        store.want(cell.key for cell in cells)
        counts, rest = store.counts(wanted=True), remaining(store)
    to_compute = counts["waiting"] + counts["claimed"]
    return Forecast(
        *(len(cells), new, counts["done"], counts["failed"], to_compute, rest.measured, rest.not_measured, rest.seconds)
    )


def remaining(store: Store) -> Remaining:
    """What remains of the store's wanted cells."""
    here = [row for row in store.overview() if row["state"] == "done"]
    learning = _Means((_learner_keys(row), row["seconds"], row["cells"]) for row in here)
    weighting = _Means((_weighting_keys(row), row["weighting_seconds"], row["cells"]) for row in here)
    shipped = _shipped_means(results.shipped(), 2)
    learning.add_rest(shipped[0])
    weighting.add_rest(shipped[1])
    cells, vectors = store.remaining()
    seconds, with_measure, without = 0.0, 0, 0
    for row in cells:
        each = learning.of(_learner_keys(row))
        if each is None or weighting.of(_weighting_keys(row)) is None:
            without += row["cells"]
        else:
            with_measure += row["cells"]
            seconds += row["cells"] * each
    for row in vectors:
        seconds += row["vectors"] * (weighting.of(_weighting_keys(row)) or 0.0)
    return Remaining(seconds, with_measure, without)


def usual_seconds(
    corpus: str, n_test: int, weighting: str, learner: str, grid: str
) -> tuple[float | None, float | None]:
    """What a class takes to learn, and its vectors to be made, by the figures that ship with the project: of the corpus
    where it has any, else of all, in proportion to its test documents. None where nothing alike was computed."""
    row = dict(zip(KEYS, (corpus, weighting, learner, grid), strict=True))
    learning, vectors = _shipped_means(results.shipped(), None)
    usual = learning.of(_learner_keys(row)), vectors.of(_weighting_keys(row)) if weighting in METHODS else None
    if usual == (None, None):
        return usual
    size = 1.0 if corpus in (sizes := _shipped_sizes(results.shipped())) else n_test / sizes[None]
    return tuple(None if seconds is None else seconds * size for seconds in usual)


def prepare() -> None:
    """Take the means of the figures that ship, half a second in which nothing else goes on, before anybody waits.

    Raises
    ------
    ValueError
        The shipped figures cannot be read.
    """
    for like in (2, None):
        _shipped_means(results.shipped(), like)
    _shipped_sizes(results.shipped())


@lru_cache(maxsize=4)
def _shipped_means(shipped: results.Results, like: int | None) -> "tuple[_Means, _Means]":
    """Of the shipped cells, for a learner and for the vectors; of another machine, so of the same corpus only, unless
    ``like``, how many keys count, says otherwise."""
    rows = [({name: getattr(r.cell, name) for name in KEYS}, r.seconds, r.weighting_seconds) for r in shipped.records()]
    return (
        _Means((_learner_keys(row)[:like], seconds, 1) for row, seconds, _ in rows),
        _Means((_weighting_keys(row)[:like], seconds, 1) for row, _, seconds in rows),
    )


@lru_cache(maxsize=1)
def _shipped_sizes(shipped: results.Results) -> dict[str | None, float]:
    """Mean number of test documents of the cells of each corpus, and (None) of all."""
    sizes = [(r.cell.corpus, r.tp + r.fp + r.fn + r.tn) for r in shipped.records()]
    return {name: fmean(n for corpus, n in sizes if name in (corpus, None)) for name in {None, *(c for c, _ in sizes)}}


def _learner_keys(row) -> list[tuple]:
    corpus, weighting, learner, grid = (row[name] for name in KEYS)
    return [(corpus, weighting, learner, grid), (corpus, learner, grid), (learner, grid)]


def _weighting_keys(row) -> list[tuple]:
    corpus, weighting = row["corpus"], row["weighting"]
    alike = (
        "LTW"
        if family(weighting) == "LTW" and not method(weighting).beyond
        else weighting
        if seeded(weighting)
        else "formula"
    )
    return [(corpus, weighting), (corpus, alike), (weighting,)]


class _Means:
    """Weighted means under several keys."""

    def __init__(self, measures: Iterable[tuple[list[tuple], float, int]]):
        self._sums: dict[tuple, tuple[float, int]] = {}
        for keys, value, count in measures:
            for key in keys:
                total, n = self._sums.get(key, (0.0, 0))
                self._sums[key] = total + value * count, n + count

    def add_rest(self, others: "_Means") -> None:
        """Take in what there is no mean of yet."""
        self._sums = others._sums | self._sums

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
