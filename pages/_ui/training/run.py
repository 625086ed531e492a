"""A training run as pages see it: one that goes on, one that has ended in this process, or one from the history."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from ltw_core.service.history_writer import HistoryWriter
from ltw_core.service.job import Job
from ltw_core.service.training_history import History
from ltw_core.service.training_record import ProblemInfo, TrainingRecord
from ltw_core.service.weighting_file import notes_for, to_bytes
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import display
from ltw_core.weighting.learned import VARIANTS, Event
from ltw_core.weighting.learned.settings import seen_by
from ltw_core.weighting.learned.snapshots import Snapshot
from ltw_core.weighting.methods import learned_name
from pages._ui import words
from pages._ui.weightings.learned import Learned, learned_form
from pages._ui.weightings.reference import RUN, Reference

KIND = "train"
PARTS_BYTES = 16 << 20  # of past runs, for all readers together: some seventy, or the snapshots of four
TERM_BYTES, POINT_BYTES = 200, 200  # about what a term takes with its counts and rates, and a point of a curve

_terms: WeakValueDictionary[str, TermStatistics] = WeakValueDictionary()
_parts = BoundedCache(PARTS_BYTES)


def shared_terms(fingerprint: str, terms: TermStatistics) -> TermStatistics:
    """The terms that other runs on the same problem hold already, if one does: they are most of what a run holds."""
    held = _terms.setdefault(fingerprint, terms)
    same = np.array_equal(held.tp, terms.tp) and np.array_equal(held.fp, terms.fp)
    return held if same else terms  # another version of the program may have selected others


@dataclass(eq=False)
class Run:
    """One training run, as the job's ``meta["run"]``. The job's thread writes ``history`` and ``latest``, pages read.

    Attributes
    ----------
    parameters, changed : all of the estimator's, and what differs from the paper's
    history : list of (step, loss, validation F1)
    latest : the last ``Event``, None before the first
    token : names it in addresses and in the history
    job, writer : what does the work in this process, and what writes it into the history; None for a ``PastRun``
    fitting_seconds : time that it took to learn the formula it starts from; None where that is not known
    """

    problem: ProblemInfo
    parameters: dict[str, Any]
    changed: dict[str, Any]
    terms: TermStatistics
    token: str = ""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    latest: Event | None = None
    messages: list[str] = field(default_factory=list)
    job: Job | None = None
    writer: HistoryWriter | None = None
    fitting_seconds: float | None = 0.0

    @property
    def variant(self) -> str:
        return self.parameters["variant"]

    @property
    def seed(self) -> int:
        return self.parameters["random_state"]

    @property
    def status(self) -> str:
        """One of "queued", "running", "done", "stopped", "failed" and "died"."""
        return self.job.status if self.job else "queued"

    @property
    def error(self) -> str:
        """A sentence, where it failed or died."""
        return self.job.error if self.job else ""

    @property
    def active(self) -> bool:
        """Whether it waits, trains or is paused in this process."""
        return self.job is not None and self.job.active

    @property
    def paused(self) -> bool:
        return self.job is not None and self.job.paused

    @property
    def pausing(self) -> bool:
        """Whether it is paused, or will be at its next validation."""
        return self.job is not None and (self.job.paused or self.job.stepping)

    @property
    def weighting(self) -> Any:
        """The fitted ``LearnedWeighting``, None as long as there is none."""
        return self.job.result if self.job else None

    @property
    def finished(self) -> bool:
        """Whether there is a weighting; does not load it."""
        return self.weighting is not None

    @property
    def steps_per_second(self) -> float | None:
        """Validations included; None before the first and where it is not known."""
        event, fitting = self.latest, self.fitting_seconds
        if event is None or fitting is None or not event.step or event.seconds <= fitting:
            return None
        return event.step / (event.seconds - fitting)

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """What it had learned along its way, by step; grows while it runs."""
        return self.writer.snapshots.kept if self.writer else ()

    @property
    def others_waiting(self) -> int:
        """How many others wait for the same training run."""
        return max(0, len(self.job.owners) - 1) if self.active else 0

    @property
    def label(self) -> str:
        return f"{display(learned_name(self.parameters))} · seed {self.seed}"

    def settings(self) -> str:
        """Settings in words: what differs from the paper's."""
        return "the paper’s settings" + (f" but {words.settings(self.changed)}" if self.changed else "")

    def origin(self) -> str:
        """How its numbers came about, as the beginning of a sentence."""
        return "Computed now"

    def origin_in_short(self) -> str:
        """The same in a list, behind the run's name."""
        return "Now"

    def provenance(self) -> str:
        """Where the numbers come from."""
        fitted, problem = self.weighting, self.problem
        took = f" in {words.seconds(self.latest.seconds)}" if self.latest else ""
        steps = f", {self.latest.step:,} steps{took}" if self.latest else ""
        engine = f", engine {fitted.engine_} on {fitted.device_}" if fitted is not None else ""
        return (
            f"{self.origin()}: {display(self.variant)} for {problem.title}, seed "
            f"{self.seed}, {self.settings()}, {len(self.terms):,} terms of {problem.n_documents:,} documents"
            f"{steps}{engine}."
        )

    @property
    def reference(self) -> str:
        """What it is called in lists of weightings."""
        return str(Reference(RUN, self.token))

    @property
    def file_name(self) -> str:
        """How the names of its files begin."""
        return f"{self.problem.corpus}-{self.problem.class_name}-{self.variant}-seed{self.seed}"

    def learned(self) -> Learned | None:
        """What has been learned so far, at the best step once it has ended; None before the first validation."""
        fitted, event, problem = self.weighting, self.latest, self.problem  # once: its thread may end meanwhile
        if fitted is None and event is None:
            return None
        step, cd = (event.step, event.cd) if fitted is None else (fitted.best_step_, fitted.cd_)
        return Learned(
            key=f"run-{self.token}-{step}",
            variant=self.variant,
            title=problem.title,
            terms=self.terms,
            form=learned_form(self.variant, cd, self.terms, (fitted or event).surface),
            provenance=self.provenance(),
            weighting=fitted,
            dataset=problem.corpus,
            class_name=problem.class_name,
            source=self.reference,
            ratio=problem.ratio or Learned.ratio,
            parameters=self.parameters,
            step=step,
        )

    def at_once(self) -> "Run":
        """What it is at this moment, and stays: its thread writes what it learns into the other."""
        event = self.latest
        points = [point for point in self.history if event is not None and point[0] <= event.step]
        return replace(self, latest=event, history=points)

    def weights_file(self) -> bytes:
        """The weighting as the file that ``LearnedWeighting.load`` reads."""
        return to_bytes(self.weighting, notes_for(self.problem, self.parameters, self.terms))

    def curve_csv(self) -> str:
        """The training curve as CSV."""
        rows = ["step,training_loss,validation_f1"]
        rows += [f"{step},{loss:.6g},{f1:.6g}" for step, loss, f1 in self.history]
        return "\n".join(rows) + "\n"


class PastRun(Run):
    """A training run of the history that has ended. All but its record is read when it is wanted, once for all readers.

    Attributes
    ----------
    record : TrainingRecord
    """

    def __init__(self, record: TrainingRecord, store: History):  # not Run's, which wants all of it
        self.problem, self.parameters, self.changed = record.problem, record.parameters, record.changed
        self.token, self.messages, self.job, self.writer = record.token, [], None, None
        self.record, self.store = record, store
        self.fitting_seconds = 0.0 if record.parameters.get("pretrain") is None else None
        self._parts = _parts if record.finished else BoundedCache(PARTS_BYTES)  # another server may still change it

    def _part(self, name: str, read: Callable[[str], Any], size: Callable[[Any], int]) -> Any:
        """Something of it from the history, or as it was read before."""
        return self._parts.get_or_make(f"{self.store.path}/{name}", lambda: read(self.token), size)

    @property
    def terms(self) -> TermStatistics:
        fingerprint = self.problem.fingerprint
        read = lambda token: shared_terms(fingerprint, self.store.terms(token))  # noqa: E731
        return self._part(f"terms/{fingerprint}", read, lambda terms: len(terms) * TERM_BYTES)

    @property
    def history(self) -> list[tuple[int, float, float]]:
        return self._part(f"curve/{self.token}", self.store.curve, lambda points: len(points) * POINT_BYTES)

    @cached_property
    def latest(self) -> Event | None:
        """Its last validation, with what it had learned at its best one where there is no weighting."""
        if not (self.record.has_weighting or self.record.snapshots):
            return None
        step, loss, f1 = self.history[-1] if self.history else (self.record.steps, float("nan"), float("nan"))
        best = self.record.best_step or 0
        snapshot = None
        if not self.record.has_weighting:  # else they are left on the disk until they are wanted
            snapshot = next((each for each in self.snapshots if each.step == best), self.snapshots[-1])
        waited = sum(point[0] > best for point in self.history)
        return Event(
            step=step,
            loss=loss,
            validation_f1=f1,
            parameters=snapshot.parameters if snapshot else {},
            squash=VARIANTS[self.variant].sigmoid,
            seen=seen_by(self.parameters, self.terms),
            weights=snapshot.weights if snapshot else None,
            tpr=self.terms.tpr,
            fpr=self.terms.fpr,
            best_f1=self.record.best_f1 or 0.0,
            best_step=best,
            waited=waited,
            seconds=self.record.seconds,
            engine=self.record.engine,
            device=self.record.device,
        )

    @property
    def status(self) -> str:
        return "failed" if self.record.status in ("queued", "running") else self.record.status

    @property
    def error(self) -> str:
        return self.record.error or ("It is learned by another server." if self.record.finished is None else "")

    @property
    def weighting(self) -> Any:
        if not self.record.has_weighting:
            return None
        return self._part(f"weighting/{self.token}", self.store.weighting, _bytes_of)

    @property
    def finished(self) -> bool:
        return self.record.has_weighting

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        read = lambda token: tuple(self.store.snapshots(token))  # noqa: E731
        return self._part(f"snapshots/{self.token}", read, lambda found: sum(each.nbytes for each in found))

    def origin(self) -> str:
        when = words.day(self.record.finished or self.record.asked)
        return (
            f"Learned elsewhere, brought here on {when}" if self.record.origin == "imported" else f"Computed on {when}"
        )

    def origin_in_short(self) -> str:
        return (
            self.origin()
            if self.record.origin == "imported"
            else words.short_day(self.record.finished or self.record.asked)
        )


def _bytes_of(weighting: Any) -> int:
    """About what a fitted weighting holds."""
    arrays = [*vars(weighting).values(), *weighting.parameters_.values()]
    held = sum(value.nbytes for value in arrays if isinstance(value, np.ndarray))
    return held + POINT_BYTES * len(weighting.history_)
