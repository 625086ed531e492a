"""Wilcoxon's tests of learned weightings against all others, over the ⟨corpus, learner⟩ pairs of a table."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from ltw_core.evaluation import dagger, p_value
from ltw_core.studies.averages import AveragedCells
from ltw_core.studies.tables import family_of, table

LEAST_PAIRS = 6  # with fewer no p lies below .05, whatever the differences: 2 / 2^5 is .06


class Comparison(NamedTuple):
    """Two weightings over the ⟨corpus, learner⟩ pairs that both have."""

    one: str
    other: str
    mark: str  # "††", "†" or "": where ``one`` is better
    worse: str  # "▼▼", "▼" or "": where it is worse, at the same levels
    p: float | None  # None without pairs
    pairs: int
    difference: float | None  # mean over the pairs of ``one`` minus ``other``, None without


def significance(found: Sequence[AveragedCells], measure: str) -> list[Comparison]:
    """Wilcoxon's signed-rank test of each learned weighting against every other one, as in the paper's table."""
    return compare(table(found, measure).scores())


def compare(values: Mapping[str, Mapping[tuple, float]]) -> list[Comparison]:
    """The tests of ``significance`` from values by weighting and ⟨corpus, learner⟩, such as the paper's own."""
    comparisons = []
    for one in (name for name in values if family_of(name) == "LTW"):
        for other in (name for name in values if name != one):
            shared = [column for column in values[one] if column in values[other]]
            pairs = [[values[name][column] for column in shared] for name in (one, other)]
            mark, p = (dagger(*pairs), p_value(*pairs)) if shared else ("", None)
            worse = "▼" * len(dagger(*reversed(pairs))) if shared else ""
            less = fmean(pairs[0]) - fmean(pairs[1]) if shared else None
            comparisons.append(Comparison(one, other, mark, worse, p, len(shared), less))
    return comparisons


def complete(values: Mapping[str, Mapping[tuple, float]], names: Sequence[str]) -> list[tuple]:
    """⟨Corpus, learner⟩ pairs for which all of some weightings have a value."""
    first = values.get(names[0], {}) if names else {}
    return [pair for pair in first if all(pair in values.get(name, ()) for name in names)]
