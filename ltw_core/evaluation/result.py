"""How a classifier does on the test documents: its counts, what follows from them, and how they came about."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

import numpy as np

from ltw_core.evaluation.decisions import Decisions
from ltw_core.evaluation.uncertainty import Measured
from ltw_core.tasks import WithoutTerms
from ltw_core.weighting import display


@dataclass(frozen=True, repr=False)
class Result(Measured):
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
        Of a classifier of one's own the learner is its class, and the grid "own" or "no".
    seed : int
    warnings : tuple of str
        What to know about these figures, in sentences; mostly empty.
    decisions : Decisions or None
        What was decided of each test document, if it was asked for.
    without_terms : WithoutTerms or None
        How many documents hold no known term, and whether those of the test part are among these figures; None where
        that was not written down (by earlier versions, which dropped them).
    protocol : str
        How the experiment was run: a name of ``ltw_core.protocol.PROTOCOLS``, or the options that differ from the
        paper's text.
    grid_sample : int or None
        Training documents on which the setting was chosen, where these were a sample; a sentence of ``warnings`` says
        so too. None where all of them chose.
    predicted : ndarray of int or None
        Rows of the test documents that were predicted positive, ascending: what two results are compared by. None where
        that was not written down.
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
    without_terms: WithoutTerms | None = None
    grid_sample: int | None = None
    predicted: np.ndarray | None = field(default=None, compare=False)
    protocol: str = "paper"

    @property
    def chosen(self) -> str:
        """The parameters in words."""
        return "its defaults" if self.grid == "no" and not self.parameters else describe(self.parameters)

    @property
    def setting(self) -> str:
        """Parameters, grid and seed in words."""
        sample = f" on {self.grid_sample:,} training documents" if self.grid_sample else ""
        protocol = f", protocol {self.protocol}" if self.protocol != "paper" else ""
        return f"{self.chosen}; {self.grid} grid{sample}, seed {self.seed}{protocol}"

    def _repr_html_(self) -> str:
        """A small table, for notebooks."""
        names = {"f1": "F1", "precision": "precision", "recall": "recall", "validation_f1": "validation F1"}
        shown = {name: f"{getattr(self, attribute):.3f}" for attribute, name in names.items()}
        low, high = self.estimate.both
        shown = {"F1": shown.pop("F1"), "95% interval": f"{low:.3f} – {high:.3f}"} | shown
        shown |= {name: f"{getattr(self, name):,}" for name in ("tp", "fp", "fn", "tn")}
        shown["seconds"] = f"{self.seconds:.2g}"
        empty = self.without_terms.sentences() if self.without_terms else ()
        return small_table(display(self.weighting), self.learner, self.setting, shown, (*self.warnings, *empty))

    def __repr__(self):
        empty = " ".join(self.without_terms.sentences()) if self.without_terms else ""
        low, high = self.estimate.both
        return (
            f"{self.weighting} with {self.learner} ({self.setting}): "
            f"F1 {self.f1:.3f} [{low:.3f}, {high:.3f}], precision {self.precision:.3f}, recall {self.recall:.3f}\n"
            f"tp {self.tp:,}, fp {self.fp:,}, fn {self.fn:,}, tn {self.tn:,}; validation F1 {self.validation_f1:.3f}; "
            f"{self.seconds:.2g} s"
        ) + (f"\n{empty}" if empty else "")


def small_table(weighting: str, learner: str, setting: str, shown: dict[str, str], sentences: Iterable[str]) -> str:
    """A result as HTML for notebooks: who and how, a table of one row, and sentences below it."""
    style = ' style="text-align:right;font-variant-numeric:tabular-nums"'
    below = "<br>".join(map(escape, sentences))
    return (
        f"<div><b>{escape(weighting)}</b> with <b>{escape(learner)}</b> ({escape(setting)})</div>"
        f"<table><tr>{''.join(f'<th{style}>{name}</th>' for name in shown)}</tr>"
        f"<tr>{''.join(f'<td{style}>{value}</td>' for value in shown.values())}</tr></table>"
    ) + (f"<small>{below}</small>" if below else "")


def results_frame(results: Iterable):
    """Results as a pandas DataFrame, a row each: weighting, learner, parameters in words, F1 with its 95% interval,
    which is of the test documents alone, and counts; the protocol where it is not always the paper's; and, where there
    are any, the documents of both parts that hold no known term.

    Results of all classes have accuracy, macro and micro F1 and documents in their place.

    Parameters
    ----------
    results : Result objects, or MulticlassResult objects

    Raises
    ------
    ValueError
        There are some of each.
    """
    import pandas as pd

    results = list(results)
    of_one = [isinstance(result, Result) for result in results]
    if any(of_one) and not all(of_one):
        raise ValueError("results of one class and of all classes have no columns in common; make a frame of each")
    if results and not any(of_one):
        return pd.DataFrame([result.row() for result in results]).assign(**_without_terms(results))
    names = ("weighting", "learner", "grid", "seed", "f1", "precision", "recall", "validation_f1")
    if any(result.protocol != "paper" for result in results):
        names = ("protocol", *names)
    counts, ends = ("tp", "fp", "fn", "tn", "seconds"), ("f1_low", "f1_high")
    rows = [
        {name: getattr(result, name) for name in names}
        | dict(zip(ends, result.estimate.both, strict=True))
        | {"parameters": result.chosen}
        | {name: getattr(result, name) for name in counts}
        for result in results
    ]
    return pd.DataFrame(rows, columns=[*names, *ends, "parameters", *counts]).assign(**_without_terms(results))


def _without_terms(results: list) -> dict[str, list]:
    """Columns of the documents that hold no known term; none where each holds one, or none was counted."""
    found = [result.without_terms for result in results]
    if not any(empty and (empty.train or empty.test) for empty in found):
        return {}
    parts = ("train", "test")
    return {
        f"without_terms_{part}": [None if empty is None else getattr(empty, part) for empty in found] for part in parts
    }


def describe(parameters: dict) -> str:
    """A setting in words: "C = 10, loss = hinge, dual = yes"."""
    if not parameters:
        return "nothing to set"
    return ", ".join(f"{name} = {_shown(value)}" for name, value in parameters.items())


def _shown(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format(value, "g") if isinstance(value, float) else value
