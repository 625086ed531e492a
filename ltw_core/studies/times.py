"""What weighting takes: the paper's seconds, and ours beside them.

References
----------
A. Moreo, A. Esuli, F. Sebastiani: *Learning to Weight for Text Classification*, section "A Note on Convergence and
Efficiency": on average less than a second for any unsupervised weighting, 23 seconds for supervised ones and 62 for
learned ones on Reuters-21578, on a 12-core i7-4930K with a GeForce GTX 1080; fastText 10, 31 and 79 seconds on the
three corpora; CCA at least 1,005, 3,235 and 3,075 seconds for each class.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ltw_core.studies.averages import AveragedCells
from ltw_core.studies.tables import family_of
from ltw_core.weighting.methods import is_beyond

DENSE, CCA = "Dense", "CCA"
PAPER: dict[str, dict[str, str]] = {
    "reuters21578": {"UTW": "< 1", "STW": "23", "LTW": "62", DENSE: "10", CCA: "≥ 1,005 a class"},
    "20newsgroups": {DENSE: "79", CCA: "≥ 3,235 a class"},
    "ohsumed": {DENSE: "31", CCA: "≥ 3,075 a class"},
}
"""The paper's seconds by corpus and kind. CCA's are for each class; of the others the sentence says "to compute term
weights for the collection", and it is not said whether for all classes or for one."""


@dataclass(frozen=True)
class WeightingTime:
    """Seconds of a kind of weightings on a corpus.

    Attributes
    ----------
    kind : str
        A family, "Dense" or "CCA".
    paper : str
        As printed; "" for nothing.
    a_class, all_classes : float or None
        Ours: mean over weightings, and that times the number of classes; None where nothing is known.
    weightings : tuple of str
        That ours is a mean over.
    """

    kind: str
    paper: str
    a_class: float | None
    all_classes: float | None
    weightings: tuple[str, ...]


def kind_of(weighting: str) -> str:
    """What the paper gives a time of."""
    return weighting if weighting in (DENSE, CCA) else family_of(weighting)


def times(found: Sequence[AveragedCells], corpus: str) -> list[WeightingTime]:
    """The paper's and ours on a corpus, by kind.

    Parameters
    ----------
    found : list of AveragedCells
        Of one group of settings a corpus; of each weighting those learners' mean seconds count that weighed themselves.
        Weightings that the paper has not are left out.
    corpus : str
    """
    seconds: dict[str, dict[str, list[float]]] = {}
    classes = 0
    for f in found:
        of_paper = not is_beyond(f.example.weighting)
        if f.example.corpus == corpus and of_paper and f.done and f.weighting_seconds > 0:
            of = seconds.setdefault(kind_of(f.example.weighting), {})
            of.setdefault(f.weighting, []).append(f.weighting_seconds)
            classes = max(classes, f.classes)
    rows = []
    for kind in ("UTW", "STW", DENSE, CCA, "LTW"):
        of, papers = seconds.get(kind, {}), PAPER.get(corpus, {}).get(kind, "")
        if of or papers:
            mean = fmean(fmean(values) for values in of.values()) if of else None
            rows.append(WeightingTime(kind, papers, mean, None if mean is None else mean * classes, tuple(of)))
    return rows
