"""A training as pages see it: one that goes on, one that has ended in this process, or one read from the history."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ltw_core.service.history_writer import HistoryWriter
from ltw_core.service.job import Job
from ltw_core.service.training_history import History, Past, Problem
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import display
from ltw_core.weighting.learned import VARIANTS, Event
from ltw_core.weighting.learned.snapshots import Snapshot
from pages._ui import words
from pages._ui.weightings.learned import Learned, in_canonical_form, is_local

KIND = "train"

_terms: WeakValueDictionary[str, TermStatistics] = WeakValueDictionary()


def one_for_all(fingerprint: str, terms: TermStatistics) -> TermStatistics:
    """The terms that other runs on the same problem hold already, if one does: they are most of what a run holds."""
    held = _terms.setdefault(fingerprint, terms)
    same = np.array_equal(held.tp, terms.tp) and np.array_equal(held.fp, terms.fp)
    return held if same else terms  # another version of the program may have selected others


@dataclass(eq=False)
class Run:
    """One training, as the job's ``meta["run"]``. The job's thread writes ``history`` and ``latest``, pages read.

    Attributes
    ----------
    history : list of (step, loss, validation F1)
    latest : the last ``Event``, None before the first
    token : names it in addresses and in the history
    fitting : seconds that it took to learn the formula it starts from; None where that is not known
    """

    problem: Problem
    parameters: dict[str, Any]
    changed: dict[str, Any]  # what differs from the paper's settings
    terms: TermStatistics
    token: str = ""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    latest: Any = None
    messages: list[str] = field(default_factory=list)
    job: Job | None = None
    writer: HistoryWriter | None = None
    fitting: float | None = 0.0

    @property
    def dataset(self) -> str:
        return self.problem.corpus

    @property
    def corpus_title(self) -> str:
        return self.problem.corpus_title

    @property
    def class_name(self) -> str:
        return self.problem.class_name

    @property
    def class_title(self) -> str:
        return self.problem.class_title

    @property
    def ratio(self) -> float | None:
        return self.problem.ratio

    @property
    def p(self) -> float:
        return self.problem.prevalence

    @property
    def n(self) -> int:
        return self.problem.n_documents

    @property
    def variant(self) -> str:
        return self.parameters["variant"]

    @property
    def seed(self) -> int:
        return self.parameters["random_state"]

    @property
    def weighting(self) -> Any:
        """The fitted ``LearnedWeighting``, None as long as there is none."""
        return self.job.result if self.job else None

    @property
    def finished(self) -> bool:
        """Whether there is a weighting; does not load it."""
        return self.weighting is not None

    @property
    def rate(self) -> float | None:
        """Steps a second, validations included; None before the first and where it is not known."""
        event = self.latest
        if event is None or self.fitting is None or not event.step or event.seconds <= self.fitting:
            return None
        return event.step / (event.seconds - self.fitting)

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """What it had learned along its way, by step; grows while it runs."""
        return self.writer.snapshots.kept if self.writer else ()

    @property
    def shared(self) -> int:
        """How many others wait for the same training."""
        return max(0, len(self.job.owners) - 1) if self.job and self.job.active else 0

    @property
    def label(self) -> str:
        return f"{display(self.variant)} · seed {self.seed}"

    def settings(self) -> str:
        """Settings in words: what differs from the paper's."""
        if not self.changed:
            return "the paper's settings"
        return "the paper's settings but " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in self.changed.items())

    def origin(self) -> str:
        """How its numbers came about, as the beginning of a sentence."""
        return "Computed now"

    def provenance(self) -> str:
        """Where the numbers come from."""
        fitted = self.weighting
        took = f" in {words.seconds(self.latest.seconds)}" if self.latest else ""
        steps = f", {self.latest.step:,} steps{took}" if self.latest else ""
        engine = f", engine {fitted.engine_} on {fitted.device_}" if fitted is not None else ""
        return (
            f"{self.origin()}: {display(self.variant)} for {self.class_title} in {self.corpus_title}, "
            f"seed {self.seed}, {self.settings()}, {len(self.terms):,} terms of {self.n:,} documents{steps}{engine}."
        )

    def learned(self) -> Learned | None:
        """What has been learned so far, at the best step once it has ended; None before the first validation."""
        fitted = self.weighting
        source = fitted if fitted is not None else self.latest
        if source is None:
            return None
        raw = fitted.cd_ if fitted is not None else self.latest.cd
        step = fitted.best_step_ if fitted is not None else self.latest.step
        return self._learned(source, raw, step, fitted)

    def _learned(self, source: Any, raw: Any, step: int, fitted: Any) -> Learned:
        surface = source.surface if is_local(self.variant) else None
        cd, factor, surface = in_canonical_form(self.variant, raw, self.terms, surface)
        return Learned(
            key=f"run-{self.token}-{step}",
            variant=self.variant,
            title=f"{self.class_title} in {self.corpus_title}",
            terms=self.terms,
            p=self.p,
            n=self.n,
            cd=cd,
            factor=factor,
            surface=surface,
            provenance=self.provenance(),
            weighting=fitted,
            parameters=self.parameters,
        )


class PastRun(Run):
    """A training of the history that has ended. Its weighting and snapshots are read when they are wanted.

    Attributes
    ----------
    past : Past
        Its row as it was when this was read, without anybody's name for it.
    """

    def __init__(self, past: Past, store: History):
        terms = one_for_all(past.problem.fingerprint, store.terms(past.token))
        super().__init__(past.problem, past.parameters, past.changed, terms, past.token)
        self.past, self.store = past, store
        self.fitting = 0.0 if past.parameters.get("pretrain") is None else None
        self.history = store.curve(past.token)
        self.job = Job("", KIND, past.token, None, {"run": self}, name=past.token)
        self.job.status = "failed" if past.status in ("queued", "running") else past.status
        self.job.error = past.error or ("It is learned by another server." if past.finished is None else "")
        self.job.started, self.job.finished = past.started, past.finished
        self.latest = self._last() if past.has_weighting or past.snapshots else None

    def _last(self) -> Event:
        """Its last validation, with what it had learned at its best one where there is no weighting."""
        step, loss, f1 = self.history[-1] if self.history else (self.past.steps, float("nan"), float("nan"))
        best = self.past.best_step or 0
        snapshot = None
        if not self.past.has_weighting:  # else they are left on the disk until they are wanted
            snapshot = next((each for each in self.snapshots if each.step == best), self.snapshots[-1])
        waited = sum(point[0] > best for point in self.history)
        return Event(
            step=step,
            loss=loss,
            validation_f1=f1,
            parameters=snapshot.parameters if snapshot else {},
            squash=VARIANTS[self.variant].sigmoid,
            weights=snapshot.weights if snapshot else None,
            tpr=self.terms.tpr,
            fpr=self.terms.fpr,
            best_f1=self.past.best_f1 or 0.0,
            best_step=best,
            waited=waited,
            seconds=self.past.seconds,
            engine=self.past.engine,
            device=self.past.device,
        )

    @cached_property
    def weighting(self) -> Any:
        return self.store.weighting(self.token) if self.past.has_weighting else None

    @property
    def finished(self) -> bool:
        return self.past.has_weighting

    @cached_property
    def snapshots(self) -> tuple[Snapshot, ...]:
        return tuple(self.store.snapshots(self.token))

    def origin(self) -> str:
        when = words.day(self.past.finished or self.past.asked)
        return f"Learned elsewhere, brought here on {when}" if self.past.origin == "imported" else f"Computed on {when}"
