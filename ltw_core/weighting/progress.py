"""How far work that takes a while has come, and how it is cancelled.

fastText's passes, the generations of CCA and the settings of a grid report a ``Progress``. Leaves out the events of
Learning to Weight, which hold more (``learned.protocol``).
"""

from dataclasses import dataclass, field


class Cancelled(Exception):
    """Work ended because whoever it reported to asked for that."""


@dataclass(frozen=True, kw_only=True)
class Progress:
    """One report.

    Attributes
    ----------
    stage : {"weighting", "grid", "refit"}
        What is worked on: learning a weighting, trying the settings of a classifier, or fitting it with the best.
    done : int
        Steps, passes or formulas made; settings tried.
    total : int or None
        Those to make; None where it ends when it ends.
    parameters : dict
        The setting that was tried last (grid) or chosen (refit).
    validation_f1 : float
        Its F1 on the validation part; of a weighting the best so far; NaN where nothing is validated.
    message : str
        The same in words.
    """

    stage: str = "weighting"
    done: int
    total: int | None = None
    parameters: dict = field(default_factory=dict)
    validation_f1: float = float("nan")
    message: str
