"""What an evaluation reports while it runs, and how it is cancelled."""

from dataclasses import dataclass


class Cancelled(Exception):
    """An evaluation ended because its ``on_event`` returned True."""


@dataclass(frozen=True)
class Progress:
    """One report.

    Attributes
    ----------
    stage : {"weighting", "grid", "refit"}
    done : int
        Settings tried; while a weighting is learned, its steps.
    total : int or None
        Settings to try; None while a weighting is learned, which ends when it ends.
    parameters : dict
        The setting that was tried last (grid) or chosen (refit).
    validation_f1 : float
        Its F1 on the validation part; NaN where the setting failed.
    message : str
        The same in words.
    """

    stage: str
    done: int
    total: int | None
    parameters: dict
    validation_f1: float
    message: str
