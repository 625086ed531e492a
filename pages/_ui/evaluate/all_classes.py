"""Classifiers of all classes at once: what a reader asks for, what of it is known, the rest computed in the background.

Results of catalogue corpora stay on this server, those of a reader's own weighting in memory, known by its
content; those of an uploaded corpus stay in the session.
What was decided of each document is kept in memory as far as it fits, and found out again without a search. Leaves out
showing them (``all_classes_view``).
"""

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from ltw_core.evaluation import (
    MulticlassDecisions,
    MulticlassResult,
    decide_multiclass,
    evaluate_multiclass,
    is_native,
    learner,
    short_learner,
)
from ltw_core.service.cells_on_demand import step_told
from ltw_core.service.curve_on_demand import TELLING
from ltw_core.service.job import Job
from ltw_core.service.job_manager import JobManager, manager
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.studies.all_classes import WEIGHTINGS
from ltw_core.studies.estimate import usual_seconds
from ltw_core.studies.multiclass_cells import MulticlassCell, find, keep, ships
from ltw_core.weighting import SCHEMES, display, methods
from pages._ui import jobs, loading
from pages._ui.evaluate import decisions_kept
from pages._ui.reader import own_weightings, owners, selection, table_results, uploads
from pages._ui.result_cache import kept
from pages._ui.weightings import estimators
from pages._ui.weightings.reference import METHOD, RUN, Reference

KIND = "evaluate all classes"
RESULT_BYTES = 16 * 2**20
LONG = 20.0  # seconds that deciding again may take among short work
FIRST, FIRST_LEARNER = WEIGHTINGS, "SVM"  # chosen before the reader chooses
POLICY_TOLD = {  # a term has a weight for each class
    "max": "A term’s largest weight of all classes.",
    "mean": "The mean of a term’s weights over the classes.",
    "weighted": "The mean of a term’s weights, each class counting by its size.",
    "local": "Each class has its own weights.",
}
POLICIES = {"max": "Max", "mean": "Mean", "weighted": "By size", "local": "Local"}

_results = BoundedCache(RESULT_BYTES)  # of those on disk, what was asked for last


class Wanted(NamedTuple):
    """One classifier of all classes."""

    weighting: str
    policy: str
    learner: str
    grid: str


@dataclass
class AllProgress:
    """How far a job is; written by its thread. ``takes``: the usual seconds of each that is to be computed."""

    total: int
    takes: list[float | None]
    done: int = 0
    now: str = ""
    part: float = 0.0
    errors: dict[str, str] = field(default_factory=dict)

    def left(self, seconds: float) -> float | None:
        """How many are left, where in ``seconds`` enough was done to tell."""
        if None in self.takes or not sum(self.takes):
            return None
        ended = len(self.takes) - (self.total - self.done)
        now = self.part * sum(self.takes[ended : ended + 1])
        share = (sum(self.takes[:ended]) + now) / sum(self.takes)
        return seconds * (1 - share) / share if share >= TELLING else None


@dataclass(frozen=True, eq=False)
class AllClasses:
    """What to compute for all classes of a dataset."""

    dataset: str
    task: Any
    wanted: tuple[Wanted, ...]
    label: Callable[[str], str] = display

    @cached_property
    def _own(self) -> MutableMapping[str, MulticlassResult] | None:
        """Where results of an uploaded corpus lie; None for those of a corpus that everybody has."""
        if not self.dataset.startswith(uploads.PREFIX):
            return None
        return table_results.of(self.task.vectorized, "results of all classes", (), dict)

    def results(self) -> dict[Wanted, MulticlassResult]:
        """What is known of it."""
        found = {wanted: self._known(wanted) for wanted in self.wanted}
        return {wanted: result for wanted, result in found.items() if result is not None}

    def lacks_learned(self, found: Iterable[Wanted]) -> bool:
        """Whether learned weightings are asked for, and nothing is known of any."""
        learned = {wanted for wanted in self.wanted if estimators.is_learned(wanted.weighting)}
        return bool(learned) and learned.isdisjoint(found)

    def going(self, first: Job | None) -> set[Wanted]:
        """What is being computed now, by the job that was asked for or by the ``first``, which was not."""
        active = [job for job in (self.job(), first) if job is not None and job.active]
        return {wanted for job in active for wanted in job.meta["wanted"]}

    def _known(self, wanted: Wanted) -> MulticlassResult | None:
        cell = self._cell(wanted)
        if self._own is not None:
            return self._own.get(cell.key)
        result = _results.get(cell.key)
        if result is None and (result := find(cell)) is not None:
            _results.put(cell.key, result, _size(result))
        return result

    def _cell(self, wanted: Wanted) -> MulticlassCell:
        return MulticlassCell(self.task.fingerprint, *wanted._replace(weighting=estimators.content(wanted.weighting)))

    def origin(self, wanted: Wanted) -> str:
        """Where a known result comes from, a key of ``ORIGINS``."""
        if self._own is not None or Reference.parse(wanted.weighting).kind != METHOD:
            return "yours"
        return "shipped" if ships(self._cell(wanted)) else "here"

    def decisions(
        self, wanted: Wanted, result: MulticlassResult, patient: bool = True
    ) -> MulticlassDecisions | Job | None:
        """What was decided in a known result, or the job that finds it out again; None where that would take long and
        nobody has asked for it (``patient``)."""
        if not patient and slow_to_decide(result) and not decisions_kept.known(self._cell(wanted).key):
            return None
        task, parameters, weighting = self.task, result.parameters, estimators.for_all_classes(wanted.weighting)

        def make(job: Job, on_event: Callable) -> MulticlassDecisions:
            return decide_multiclass(task, weighting, wanted.learner, parameters, 0, on_event, policy=wanted.policy)

        options = {"manager": manager()} if slow_to_decide(result) else {"patience": decisions_kept.PATIENCE}
        return decisions_kept.kept_or_made(self._cell(wanted).key, make, **options)

    def begin(self) -> Job | None:
        """Compute without being asked what is not known yet of what is chosen at first, where all of it is short. The
        job as long as it is active."""
        chosen = [Wanted(name, "max", FIRST_LEARNER, "quick") for name in FIRST]
        untouched = sorted(self.wanted) == sorted(chosen) and not self.dataset.startswith(uploads.PREFIX)

        def short() -> bool:
            found = self.results()
            missing = [one for one in self.wanted if one not in found]
            return untouched and bool(missing) and jobs.is_short(self.seconds(missing))

        return jobs.unasked(KIND, self._key(self.wanted), short, partial(self.start, self.wanted, shared=True))

    def _key(self, wanted: Iterable[Wanted]) -> str:
        return estimators.digest(*sorted(self._cell(one).key for one in wanted))

    def start(self, wanted: Sequence[Wanted], where: JobManager | None = None, **options: Any) -> Job:
        """Compute some of it in the background, but for what is known."""
        known = self.results()
        missing = [one for one in wanted if one not in known]
        progress = AllProgress(len(wanted), [self.seconds([one]) for one in missing], len(wanted) - len(missing))
        cells = {one: self._cell(one) for one in missing}
        own = self._own  # the job's thread knows no session
        lasting = {one for one in missing if Reference.parse(one.weighting).kind == METHOD}
        names = {one: f"{self.label(one.weighting)} with {short_learner(one.learner)}" for one in missing}
        weightings = {one: estimators.for_all_classes(one.weighting) for one in missing}

        def work(job: Job) -> int:
            for one, name in names.items():

                def on_event(event: Any, name: str = name) -> bool:
                    progress.now = f"{name}: {step_told(event)}"
                    progress.part = event.done / event.total if event.total else 0.0
                    return job.wait_while_paused()

                progress.now, progress.part = f"{name}: weighting the documents", 0.0
                job.raise_if_stopped()
                try:
                    options = {"policy": one.policy, "keep_decisions": True}
                    result = evaluate_multiclass(
                        self.task, weightings[one], one.learner, one.grid, 0, on_event, **options
                    )
                except ValueError as error:
                    progress.errors[name] = str(error)
                else:
                    _keep(own, cells[one], result, one in lasting)
                progress.done += 1
            return progress.done

        meta = {"dataset": self.dataset, "progress": progress, "wanted": tuple(missing)}
        meta["seconds"] = self.seconds(missing)
        return (where or manager()).submit(owners.current_owner(), KIND, self._key(wanted), work, meta, **options)

    def seconds(self, wanted: list[Wanted]) -> float | None:
        """About how long some of it takes, by what one class took in the shipped studies; None where that says
        nothing."""
        total, (n_test, classes) = 0.0, self.task.labels_test.shape
        for one in wanted:
            learning, vectors = usual_seconds(self.dataset, n_test, one.weighting, one.learner, one.grid)
            learned = one.weighting in methods("LTW")
            if learning is None or (learned and vectors is None):
                return None
            total += learning * (1 if is_native(learner(one.learner), self.task, one.policy == "local") else classes)
            total += vectors * classes if learned else 0.0
        return total

    def job(self) -> Job | None:
        """This reader's latest job of the dataset."""
        return jobs.latest(KIND, lambda job: job.meta["dataset"] == self.dataset)


def _keep(own: MutableMapping | None, cell: MulticlassCell, result: MulticlassResult, lasting: bool) -> None:
    decisions_kept.put(cell.key, result.decisions)
    result = replace(result, decisions=None)
    if own is not None:
        own[cell.key] = result
    else:
        _results.put(cell.key, result, _size(result))
        if lasting:
            keep(cell, result)


def _size(result: MulticlassResult) -> int:
    return result.confusion.nbytes + 64 * len(result.class_names)


def seconds_to_decide(result: MulticlassResult) -> float:
    """About how long it takes to find out again what was decided of each document: one fit, and not a grid."""
    return result.weighting_seconds + (result.seconds - result.weighting_seconds) / 2


def slow_to_decide(result: MulticlassResult) -> bool:
    """Whether finding it out again is no short work."""
    return seconds_to_decide(result) > LONG


def needs_policy(weighting: str) -> bool:
    """Whether it has a weight for each class, of which a policy makes one."""
    kind = Reference.parse(weighting).kind
    if kind != METHOD:
        return kind == RUN or own_weightings.find(weighting).function.supervised
    scheme = SCHEMES.get(weighting)
    return scheme.each_class if scheme else weighting not in methods("UTW")


@kept(8, "Selecting terms for all classes…")
def _task(fingerprint: str, ratio: float, _source: Any) -> Any:
    return _source.multiclass_task(ratio)


def task(dataset: str, documents: str) -> Any:
    """The problem of all classes of a dataset, over the share of its terms that the reader keeps."""
    source = loading.vectorized(dataset).counting(documents)
    ratio = selection.ratio(source)
    if not dataset.startswith(uploads.PREFIX):
        return _task(source.fingerprint, ratio, source)
    key = (source.fingerprint, ratio)
    return table_results.of(source, "task of all classes", key, lambda: source.multiclass_task(ratio), 1)
