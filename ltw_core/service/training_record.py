"""A training run as the history knows it: what was learned on, what was asked for, and what came of it."""

import functools
import json
import sqlite3
import sys
from dataclasses import dataclass
from typing import Any

from ltw_core.studies.cell import current_versions, digest
from ltw_core.tasks import BinaryTask


@dataclass(frozen=True)
class ProblemInfo:
    """What was learned on: a class of a corpus. ``ratio``: share of the vocabulary; None where it is not known."""

    fingerprint: str
    corpus: str
    corpus_title: str
    class_name: str
    class_title: str
    ratio: float | None
    prevalence: float
    n_documents: int
    n_terms: int

    @property
    def title(self) -> str:
        """Class and corpus, for headings."""
        return f"{self.class_title} in {self.corpus_title}"

    @classmethod
    def of(cls, corpus: str, task: BinaryTask) -> "ProblemInfo":
        """What the history knows of a task; ``corpus``: its corpus as the catalogue names it."""
        return cls(
            fingerprint=task.training_fingerprint,
            corpus=corpus,
            corpus_title=task.vectorized.corpus.title,
            class_name=task.class_name,
            class_title=task.class_title,
            ratio=task.ratio,
            prevalence=float(task.prevalence),
            n_documents=int(task.n_documents),
            n_terms=len(task.terms),
        )

    def identify(self, parameters: dict) -> str:
        """Digest of all that determines the result of a training run: content, settings, seed, versions."""
        return digest({"problem": self.fingerprint, "parameters": parameters, "versions": dict(current_versions())})


@dataclass(frozen=True)
class TrainingRecord:
    """A training run of the history, as its owner sees it.

    Attributes
    ----------
    token : str
        Names it; cannot be guessed.
    origin : "computed" or "imported"
    status : "queued", "running", "done", "stopped", "failed" or "died"
    parameters, changed : dict
        All of ``LearnedWeighting``'s, and those that are not the paper's.
    versions : dict
    asked, started, finished : float or None
        Seconds since 1970.
    seconds : float
        Of training, without waiting and pauses.
    best_step, best_f1 : None as long as there is none
    has_weighting : bool
    snapshots : int
        How many there are.
    name, pinned, deleted : what the owner made of it; ``deleted`` is a time or None.
    added : float
        When this owner asked for it.
    n_owners : int
        How many have asked for it.
    """

    token: str
    problem: ProblemInfo
    origin: str
    status: str
    variant: str
    parameters: dict
    changed: dict
    seed: int
    versions: dict
    asked: float
    started: float | None
    finished: float | None
    seconds: float
    steps: int
    best_step: int | None
    best_f1: float | None
    stop_code: str
    stop_reason: str
    error: str
    engine: str
    device: str
    has_weighting: bool
    snapshots: int
    name: str
    pinned: bool
    deleted: float | None
    added: float
    n_owners: int

    @classmethod
    def of_row(cls, row: sqlite3.Row) -> "TrainingRecord":
        """A row that ``training_history.RECORD`` selects."""
        values = {name: row[name] for name in cls.__dataclass_fields__ if name != "problem"}
        values["parameters"] = json.loads(values["parameters"], object_pairs_hook=_with_shared_names)
        for name in ("changed", "versions"):
            values[name] = _parsed(values[name])
        for name in ("has_weighting", "pinned"):
            values[name] = bool(values[name])
        return cls(problem=_problem(*(row[name] for name in ProblemInfo.__dataclass_fields__)), **values)


# a thousand records are kept; most of what they say is the same, and is there once, for nobody to change


def _with_shared_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {sys.intern(name): value for name, value in pairs}


@functools.lru_cache(256)
def _parsed(text: str) -> dict:
    return json.loads(text)


@functools.lru_cache(256)
def _problem(*values: Any) -> ProblemInfo:
    return ProblemInfo(*values)
