"""A weighting with a classifier over its seeds: mean F1 and its standard deviation, and the same as rows of a table."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev

import pandas as pd

from ltw_core.evaluation import (
    Difference,
    F1Estimate,
    Result,
    behind_best,
    compared,
    describe,
    estimate,
    interval_text,
    short_learner,
)
from ltw_core.evaluation.paired import PAIRED
from ltw_core.metrics import Counts
from ltw_core.service.cells_on_demand import Item
from ltw_core.tasks import without_terms
from pages._ui import words
from pages._ui.evaluate.evaluations import ORIGINS, FoundResult
from pages._ui.weightings import estimators

COUNTS = (
    "Of {} only the counts (true positives and so on) are stored, and not what was decided of each document. Which "
    "documents two of them decide alike is then not known, which makes these intervals wider."
)


@dataclass(frozen=True)
class Summary:
    """The known seeds of a weighting with a classifier, the first seed first."""

    weighting: str
    learner: str
    seeds: tuple[tuple[Item, FoundResult], ...]

    def of(self, measure: str) -> float:
        """Mean of "f1", "precision", "recall" or "validation_f1"."""
        return fmean(getattr(found.result, measure) for _, found in self.seeds)

    @property
    def spread(self) -> float:
        """Standard deviation of F1 over the seeds; NaN of one."""
        return stdev(found.result.f1 for _, found in self.seeds) if len(self.seeds) > 1 else float("nan")

    @cached_property
    def estimate(self) -> F1Estimate:
        """F1 with its interval."""
        return estimate(self.results)

    @property
    def results(self) -> list[Result]:
        return [found.result for _, found in self.seeds]

    @property
    def setting(self) -> str:
        """The parameters that were chosen; of several seeds those of the first."""
        return self.setting_without(())

    def setting_without(self, some: Collection[str]) -> str:
        """The same without some of the parameters."""
        chosen = ({k: v for k, v in found.result.parameters.items() if k not in some} for _, found in self.seeds)
        first, *others = dict.fromkeys(map(describe, chosen))
        return first + (", other seeds otherwise" if others else "")

    @property
    def origin(self) -> str:
        """Where the results come from, in words."""
        return ", ".join(dict.fromkeys(ORIGINS[found.origin] for _, found in self.seeds))


def summarise(found: dict[Item, FoundResult]) -> dict[tuple[str, str], Summary]:
    """Known cells by weighting and learner, in their order."""
    groups: dict[tuple[str, str], list] = {}
    for item, entry in found.items():
        groups.setdefault((item.weighting, item.learner), []).append((item, entry))
    return {pair: Summary(*pair, tuple(sorted(some, key=lambda entry: entry[0].seed))) for pair, some in groups.items()}


def best(summaries: dict[tuple[str, str], Summary]) -> tuple[str, str]:
    """Weighting and learner with the highest mean F1, the first of several."""
    return max(summaries, key=lambda pair: summaries[pair].of("f1"))


def asked(summaries: dict[tuple[str, str], Summary]) -> tuple[str, str]:
    """The pair that the page is about: with the first of several classifiers that are compared, and not that with which
    it does best, the reader's own learned weighting, or else another learned one, or the best of all."""
    beside = Counter(learner for _, learner in summaries)
    others = {pair: s for pair, s in summaries.items() if beside[pair[1]] > 1}
    of = (
        {pair: s for pair, s in others.items() if estimators.is_fitted(pair[0])}
        or {pair: s for pair, s in others.items() if estimators.is_learned(pair[0])}
        or others
        or summaries
    )
    first = next(iter(of))[1]
    return best({pair: s for pair, s in of.items() if pair[1] == first})


def behind(summaries: dict[tuple[str, str], Summary], y) -> dict[tuple[str, str], Difference]:
    """How far each weighting is behind the best one with the same classifier; ``y``: labels of the test documents."""
    by_learner: dict[str, dict[str, list[Result]]] = {}
    for (weighting, learner), summary in summaries.items():
        by_learner.setdefault(learner, {})[weighting] = summary.results
    found = {learner: behind_best(results, y) for learner, results in by_learner.items()}
    return {(name, learner): less for learner, of in found.items() for name, less in of.items()}


def more_than(summaries: dict[tuple[str, str], Summary], pair: tuple[str, str], y) -> dict[str, Difference]:
    """How much more one has than each of the others with its classifier, by weighting; ``y`` as of ``behind``."""
    own = summaries[pair].results
    alike = {name: s.results for (name, learner), s in summaries.items() if learner == pair[1] and name != pair[0]}
    return {name: compared(own, results, y) for name, results in alike.items()}


def table(summaries: dict[tuple[str, str], Summary], label: Callable[[str], str]) -> pd.DataFrame:
    """One row per weighting and classifier, best first."""
    same = _same(summaries)
    rows = [
        {
            "weighting": label(s.weighting),
            "classifier": short_learner(s.learner),
            "F1": s.of("f1"),
            "interval": interval_text(s.estimate.both),
            "sd": s.spread,
            "seeds": len(s.seeds),
            "precision": s.of("precision"),
            "recall": s.of("recall"),
            "validation F1": s.of("validation_f1"),
            "chosen setting": s.setting_without(same[s.learner]),
            "seconds": fmean(found.result.seconds + found.result.weighting_seconds for _, found in s.seeds),
            "from": ", ".join(dict.fromkeys(found.origin for _, found in s.seeds)),
            "id": f"{s.weighting}|{s.learner}",
        }
        for s in summaries.values()
    ]
    return pd.DataFrame(rows).sort_values("F1", ascending=False, kind="stable", ignore_index=True)


def _same(summaries: dict[tuple[str, str], Summary]) -> dict[str, set[str]]:
    """By classifier: parameters, beside its first, that were chosen alike everywhere."""
    chosen: dict[str, list[dict]] = {}
    for s in summaries.values():
        chosen.setdefault(s.learner, []).extend(result.parameters for result in s.results)
    return {
        learner: {name for name in list(of[0])[1:] if all(name in p and p[name] == of[0][name] for p in of)}
        for learner, of in chosen.items()
    }


def _without_terms(result: Result) -> dict[str, object]:
    """Which test documents count, and how many hold no known term; figures of earlier versions dropped these."""
    empty = result.without_terms
    counted = "all" if empty is not None and empty.scored else "with a known term"
    return {"test documents": counted} | without_terms.columns(empty)


def every_seed(found: dict[Item, FoundResult], label: Callable[[str], str]) -> pd.DataFrame:
    """One row per cell, for the CSV: counts and provenance too."""
    return pd.DataFrame(
        {
            "weighting": label(item.weighting),
            "classifier": short_learner(item.learner),
            "seed": item.seed,
            "grid": r.grid,
            "F1": r.f1,
            **dict(zip(("F1 low", "F1 high"), r.estimate.both, strict=True)),
            "precision": r.precision,
            "recall": r.recall,
            **{name: getattr(r, name) for name in Counts._fields},
            "validation F1": r.validation_f1,
            "chosen setting": describe(r.parameters),
            "seconds": r.seconds,
            "weighting seconds": r.weighting_seconds,
            "from": ORIGINS[origin],
            "warnings": " ".join(r.warnings),
            **_without_terms(r),
        }
        for item, (r, origin) in found.items()
    )


def counts_alone(compared: Iterable[Difference]) -> str:
    """What differences rest on, where decisions are not known of each document; "" where they are."""
    apart = sum(found.rests_on != PAIRED for found in compared)
    return COUNTS.format(words.count(apart, "score")) if apart else ""
