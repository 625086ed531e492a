"""Trainings of this session: started in the background, found again on every page and, by the address, after a reload.

A run's key in the address shows it to whoever has the link; only the session that started it can stop it.
"""

import hashlib
import json
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ltw_core.experiments.jobs import Job, manager
from ltw_core.figures import Terms
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.learned import Learned, in_canonical_form, is_local

KIND = "train"
GRACE = 60.0  # seconds between two looks at who is still there; a reload takes less


@dataclass(eq=False)
class Run:
    """One training, as the job's ``meta["run"]``. The job's thread writes ``history`` and ``latest``, pages read."""

    dataset: str
    corpus_title: str
    class_name: str
    class_title: str
    variant: str
    parameters: dict[str, Any]
    changed: dict[str, Any]  # what differs from the paper's settings
    ratio: float
    terms: Terms
    p: float
    n: int
    history: list[tuple[int, float, float]] = field(default_factory=list)
    latest: Any = None
    best: Any = None
    messages: list[str] = field(default_factory=list)
    job: Job | None = None

    @property
    def seed(self) -> int:
        return self.parameters["random_state"]

    @property
    def weighting(self) -> Any:
        return self.job.result if self.job else None

    @property
    def label(self) -> str:
        return f"{display(self.variant)} · seed {self.seed}"

    def settings(self) -> str:
        """Settings in words: what differs from the paper's."""
        if not self.changed:
            return "the paper's settings"
        return "the paper's settings but " + ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in self.changed.items())

    def provenance(self) -> str:
        """Where the numbers come from."""
        fitted = self.weighting
        took = f" in {words.seconds(self.latest.seconds)}" if self.latest else ""
        steps = f", {self.latest.step:,} steps{took}" if self.latest else ""
        engine = f", engine {fitted.engine_} on {fitted.device_}" if fitted is not None else ""
        return (
            f"Computed now: {display(self.variant)} for {self.class_title} in {self.corpus_title}, seed {self.seed}, "
            f"{self.settings()}, {len(self.terms):,} terms of {self.n:,} documents{steps}{engine}."
        )

    def learned(self) -> Learned | None:
        """What has been learned so far, at the best step once it has ended; None before the first validation."""
        fitted = self.weighting
        source = fitted if fitted is not None else self.latest
        if source is None:
            return None
        raw = fitted.cd_ if fitted is not None else self.latest.cd
        surface = source.surface if is_local(self.variant) else None
        cd, factor, surface = in_canonical_form(self.variant, raw, self.terms, surface)
        step = fitted.best_step_ if fitted is not None else self.latest.step
        return Learned(
            key=f"run-{self.job.id}-{step}",
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
        )


def owner() -> str:
    """Who a job belongs to: this browser session."""
    context = get_script_run_ctx()
    return context.session_id if context else "nobody"


def mine(job: Job) -> bool:
    return job.owner == owner()


def start(dataset: str, task: Any, parameters: dict[str, Any], changed: dict[str, Any], *, step: bool = False) -> Job:
    """Train in the background; the same training is not started twice. With `step` it pauses at its first event."""
    run = Run(
        dataset=dataset,
        corpus_title=task.vectorized.corpus.title,
        class_name=task.class_name,
        class_title=task.class_title,
        variant=parameters["variant"],
        parameters=parameters,
        changed=changed,
        ratio=task.ratio,
        terms=Terms.of(task),
        p=task.prevalence,
        n=task.n_documents,
    )

    def work(job: Job) -> Any:
        if step:
            job.step()
        from ltw_core.weighting import LearnedWeighting

        def on_event(event: Any) -> bool:
            if event.phase != "pretraining":
                run.history.append((event.step, event.loss, event.validation_f1))
            if event.message:
                run.messages.append(event.message)
            run.latest = event
            job.emit((event.step, event.loss, event.validation_f1))
            return job.cancelled

        weighting = LearnedWeighting(**parameters)
        weighting.fit(task.counts_train, task.y_train, validation=task.validation, on_event=on_event)
        return weighting

    key = hashlib.sha256(json.dumps([task.fingerprint, parameters], sort_keys=True).encode()).hexdigest()[:16]
    job = manager().submit(owner(), KIND, key, work, {"run": run})
    if job.meta["run"] is run:
        run.job = job
    return job


def all_runs() -> list[Run]:
    """This session's runs, newest first."""
    return [job.meta["run"] for job in reversed(manager().of(owner(), KIND))]


def current(dataset: str, class_name: str) -> Run | None:
    """The run to show for a class: the one in the address, else this session's latest."""
    token = st.query_params.get("run")
    job = manager().get(token) if token else None
    if job is not None and job.kind == KIND:
        _adopt(job)
        run = job.meta["run"]
        if (run.dataset, run.class_name) == (dataset, class_name):
            return run
    return latest(dataset, class_name)


def latest(dataset: str, class_name: str, finished: bool = False) -> Run | None:
    """This session's latest run for a class."""
    for run in all_runs():
        if (run.dataset, run.class_name) == (dataset, class_name) and (run.weighting is not None or not finished):
            return run
    return None


def siblings(run: Run | None) -> list[Run]:
    """A training, and this session's others for the same class that differ from it in their seed alone."""
    if run is None:
        return []
    alike = {other.seed: other for other in reversed(all_runs()) if _but_seed(other) == _but_seed(run)}  # the latest
    return list({**alike, run.seed: run}.values())


def _but_seed(run: Run) -> tuple:
    return run.dataset, run.class_name, run.ratio, {**run.parameters, "random_state": None}


def before(run: Run) -> Run | None:
    """This session's run for the same class that was seen last before this one."""
    for other in all_runs():
        same = (other.dataset, other.class_name) == (run.dataset, run.class_name)
        if same and other is not run and other.latest is not None:
            return other
    return None


def _adopt(job: Job) -> None:
    """After a reload the old session is gone: its run belongs to the one that comes with the run's address."""
    if job.owner != owner() and Runtime.exists() and not Runtime.instance().is_active_session(job.owner):
        job.owner = owner()


def reap() -> None:
    """Stop and forget the work of sessions that are gone: looks every half minute, twice before it acts."""
    gone: set[str] = set()
    while True:
        time.sleep(GRACE)
        if not Runtime.exists():
            continue
        now = {o for o in manager().owners() if Runtime.instance().is_active_session(o) is False}
        for absent in now & gone:
            manager().release(absent)
        gone = now - gone


def weights_file(weighting: Any, notes: dict[str, Any]) -> bytes:
    """A learned weighting as the file that ``LearnedWeighting.load`` reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weighting.safetensors"
        weighting.save(path, notes=notes)
        return path.read_bytes()


def curve_csv(run: Run) -> str:
    """Training curve as CSV."""
    rows = ["step,training_loss,validation_f1"]
    rows += [f"{step},{loss:.6g},{f1:.6g}" for step, loss, f1 in run.history]
    return "\n".join(rows) + "\n"
