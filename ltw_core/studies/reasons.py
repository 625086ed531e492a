"""Why figures of ours differ from the paper's: findings written by hand, in a file of the shipped results, and for
which of them a second run of ours shows that they are so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ltw_core.protocol import AUTHORS, DECEMBER, ONE, PAPER, protocol
from ltw_core.studies.averages import COUNTING, MACRO, AveragedCells, one_a_corpus
from ltw_core.studies.findings import findings
from ltw_core.studies.tables import Place, family_of
from ltw_core.weighting.methods import RF_BEFORE

NOT_EXPLAINED = "not explained"
SHARE = 0.5  # of a difference that a second run may leave, where it is to explain it
Scores = Mapping[tuple[str, str, str], float]  # by weighting, corpus and learner


@dataclass(frozen=True)
class Reason:
    """Why the figures of some places differ.

    Attributes
    ----------
    title, text : str
    evidence : str
        How it is known: "by construction", "measured", "likely, not measured by itself" or "not explained".
    where : dict of str to list
        The values of ``facts`` that it applies to; facts that are not named may have any.
    within : float or None
        It explains differences up to this size only.
    shown_by : str
        The second run of ours that shows it, a key of ``second_runs``: it explains a difference only where that run's
        score lies at most half as far from the paper's. "": it is not known from a second run.
    """

    title: str
    text: str
    evidence: str
    where: dict[str, list]
    within: float | None = None
    shown_by: str = ""

    @property
    def explains(self) -> bool:
        """Whether it is one: what was tried in vain is on file, too."""
        return self.evidence != NOT_EXPLAINED

    def applies(self, place: Place, full: Place | None = None, second: Mapping[str, Scores] | None = None) -> bool:
        """Whether it explains a difference; several reasons may apply to a place. The quick grid explains none that is
        as large with the full one, ``full``: the same place with that, where there is one. ``second``: the scores of
        ``second_runs``; without, none is asked."""
        found, of_full = facts(place), None if full is None else full.difference
        if self.where.get("grid") == ["quick"] and of_full is not None and abs(of_full) >= abs(place.difference):
            return False
        if self.shown_by and second is not None:
            other = second.get(self.shown_by, {}).get((place.weighting, place.corpus, place.learner))
            left = None if other is None else abs(round(round(other, 3) - place.paper, 3))
            if left is None or left > SHARE * abs(place.difference):
                return False
        small_enough = self.within is None or abs(place.difference) <= self.within
        return small_enough and all(found[name] in values for name, values in self.where.items())


def facts(place: Place) -> dict:
    """What reasons may depend on, of a place with both figures."""
    return {
        "corpus": place.corpus,
        "weighting": place.weighting,
        "family": family_of(place.weighting),
        "learner": place.learner,
        "grid": place.averaged.example.grid,
        "protocol": place.averaged.example.how.name,
        "seeds": place.averaged.seeds,
        "comparable": place.comparable,
        "ours": "lower" if place.difference < 0 else "higher",
    }


def second_runs(found: Sequence[AveragedCells], measure: str) -> dict[str, dict[tuple[str, str, str], float]]:
    """Scores of ours in a measure, with full grids, as they come out in other ways: ``"text"``, ``"code"``,
    ``"code of 2016"``, ``"rf before"`` (by the code, with RF as it ran before 23 January 2017), ``"unsigned"`` (by the
    code, but for weights that naive Bayes takes without their sign) and ``"untested"`` (by the text, where F1 is 1 in
    every class without test documents)."""
    names = PAPER, AUTHORS, DECEMBER, protocol(f"{AUTHORS},negatives=absolute").name
    text, code, former, unsigned = (one_a_corpus(found, "full", name) for name in names)
    one = MACRO[ONE] if measure in COUNTING else measure
    ways = {
        "text": (text, measure),
        "code": (code, measure),
        "code of 2016": (former, one),
        "unsigned": (unsigned, measure),
        "untested": (text if measure in COUNTING else [], one),
    }
    scores = {
        way: {(f.weighting, f.example.corpus, f.learner): value for f in of if (value := f.value(counted)) is not None}
        for way, (of, counted) in ways.items()
    }
    before = {("TFRF", *place): value for (name, *place), value in scores["code"].items() if name == RF_BEFORE}
    return scores | {"rf before": before}


def reasons() -> list[Reason]:
    """All that ``data/results/reasons.json`` has."""
    return [Reason(**entry | {"text": " ".join(entry["text"])}) for entry in findings()["reasons"]]
