"""Why figures of ours differ from the paper's: findings written by hand, in a file of the shipped results."""

from dataclasses import dataclass

from ltw_core.studies.findings import findings
from ltw_core.studies.tables import Place, family_of


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
    """

    title: str
    text: str
    evidence: str
    where: dict[str, list]
    within: float | None = None

    def applies(self, place: Place, full: Place | None = None) -> bool:
        """Whether it explains a difference; several reasons may apply to a place. The quick grid explains none that is
        as large with the full one, ``full``: the same place with that, where there is one."""
        found, of_full = facts(place), None if full is None else full.difference
        if self.where.get("grid") == ["quick"] and of_full is not None and abs(of_full) >= abs(place.difference):
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


def reasons() -> list[Reason]:
    """All that ``data/results/reasons.json`` has."""
    return [Reason(**entry | {"text": " ".join(entry["text"])}) for entry in findings()["reasons"]]
