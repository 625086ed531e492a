"""How a classifier does on the test documents: its counts, what follows from them, and how they came about."""

from dataclasses import dataclass, field

from ltw_core.evaluation.decisions import Decisions
from ltw_core.metrics import f1, precision, recall


@dataclass(frozen=True, repr=False)
class Result:
    """How a classifier does on the test documents.

    Attributes
    ----------
    tp, fp, fn, tn : int
        Test documents.
    f1, precision, recall : float
        Of these counts.
    validation_f1 : float
        Of the setting that was chosen, before refitting.
    parameters : dict
        That setting.
    seconds : float
        Weighting, tuning, refitting and testing; ``weighting_seconds`` of it went into the weighting.
    weighting, learner, grid : str
    seed : int
    warnings : tuple of str
        What to know about these figures, in sentences; mostly empty.
    decisions : Decisions or None
        What was decided of each test document, if it was asked for.
    """

    tp: int
    fp: int
    fn: int
    tn: int
    validation_f1: float
    parameters: dict
    seconds: float
    weighting_seconds: float
    weighting: str
    learner: str
    grid: str
    seed: int
    warnings: tuple[str, ...]
    decisions: Decisions | None = field(default=None, compare=False)

    @property
    def f1(self) -> float:
        return f1(self.tp, self.fp, self.fn)

    @property
    def precision(self) -> float:
        return precision(self.tp, self.fp, self.fn)

    @property
    def recall(self) -> float:
        return recall(self.tp, self.fp, self.fn)

    def __repr__(self):
        return (
            f"{self.weighting} with {self.learner} ({describe(self.parameters)}; {self.grid} grid, seed {self.seed}): "
            f"F1 {self.f1:.3f}, precision {self.precision:.3f}, recall {self.recall:.3f}\n"
            f"tp {self.tp:,}, fp {self.fp:,}, fn {self.fn:,}, tn {self.tn:,}; validation F1 {self.validation_f1:.3f}; "
            f"{self.seconds:.2g} s"
        )


def describe(parameters: dict) -> str:
    """A setting in words: "C = 10, loss = hinge, dual = yes"."""
    if not parameters:
        return "nothing to set"
    return ", ".join(f"{name} = {_shown(value)}" for name, value in parameters.items())


def _shown(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format(value, "g") if isinstance(value, float) else value
