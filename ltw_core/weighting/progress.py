"""What a weighting that takes a while reports while it is fitted: fastText's passes, the generations of CCA.

Leaves out the events of Learning to Weight, which hold more (``learned.protocol``).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One report.

    Attributes
    ----------
    step, total : int
        Passes or evaluations made, and to make.
    validation_f1 : float
        The best so far; NaN where nothing is validated.
    message : str
        The same in words.
    """

    step: int
    total: int
    validation_f1: float
    message: str
