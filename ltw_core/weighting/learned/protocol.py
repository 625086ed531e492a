"""The paper's training protocol over any engine: validation every 100 steps, early stopping, the best step kept, new
weights when nothing was found, an end with a sentence, and checkpoints. Leaves out all numerics.

Where the paper is silent this follows its authors' code: steps go on counting over a restart, so that restarts end at
``restart_before``; after pre-training, validation already runs while W3 and b3 alone are trained.
"""

import time
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from ltw_core.metrics import contingency, f1
from ltw_core.weighting.learned.coordinates import COORDINATES
from ltw_core.weighting.learned.persistence import under
from ltw_core.weighting.learned.pretraining_target import pretraining_target
from ltw_core.weighting.learned.settings import DIVERGED, STOP_BY, Settings
from ltw_core.weighting.learned.snapshots import Snapshot
from ltw_core.weighting.learned.stopping import AlignmentWithClass, cross_entropy
from ltw_core.weighting.progress import Cancelled

PRETRAIN_BLOCK = 1000  # steps to an event


@dataclass(frozen=True, eq=False, kw_only=True)
class Event(Snapshot):
    """What there is to see at a validation: what has been learned, and how the training goes.

    Attributes
    ----------
    best_f1 : float
        The F1 on the validation rows at the best step so far; 0 while pre-training.
    best_step, waited : int
        The best step, and validations since then.
    seconds : float
        Since the training began, earlier sittings included.
    attempt : int
        How often training has started again from new weights.
    phase : "pretraining", "classifier" (W3 and b3 alone) or "training"
    improved : bool
    message : str
        A sentence where something happened (a restart, the end), else "".
    pretrain_steps : int
        Steps of pre-training so far.
    engine, device : str
        Which engine does the work, and where.
    """

    best_f1: float
    best_step: int
    waited: int
    seconds: float
    attempt: int = 0
    phase: str = "training"
    improved: bool = False
    message: str = ""
    pretrain_steps: int = 0
    engine: str = ""
    device: str = ""
    _training: object = field(repr=False, default=None)

    def checkpoint(self):
        """All that is needed to go on from here, as (arrays, values). Only while the event is the latest one."""
        return self._training.checkpoint()

    def detached(self):
        """The same without its checkpoint: it no longer holds the engine in memory."""
        return replace(self, _training=None)


@dataclass
class Best:
    """The best step so far and what the weighting is there; ``score`` is what ``Settings.stop_by`` names, more is
    better, and of F1 must be above 0."""

    score: float
    f1: float = 0.0
    step: int = 0
    cd: np.ndarray | None = None
    parameters: dict = field(default_factory=dict)


class Training:
    """One training: ``run`` it, or iterate over ``events()``, where leaving the loop stops it. The result is ``best``.

    Attributes
    ----------
    problem, settings, engine : what it was made with
    target : callable or None
        What cd is pre-trained to, of tpr and fpr in the network's coordinates.
    best : Best
    history : list of (step, loss, validation F1)
    stop_code : "" while running, then "patience", "perfect", "max_steps", "diverged" or "stopped"
    stop_reason : str
        The same as a sentence.
    notes : tuple of str
        What happened on the way, as sentences: in a lockstep, memory that ran out or graphs that did not work.
    """

    SENTENCES: ClassVar = {
        "patience": "Stopped at step {step:,}: no better {score} in {patience} validations.",
        "perfect": "Stopped at step {step:,}: validation F1 is 1.",
        "max_steps": "Stopped at step {step:,}, the most steps allowed.",
        "diverged": "Stopped at step {step:,}: the training diverged ({what}). A lower learning rate may help.",
        "stopped": "Stopped on request at step {step:,}.",
    }

    def __init__(self, problem, settings, engine, should_stop=None):
        self.problem, self.settings, self.engine = problem, settings, engine
        self.target = None
        if settings.pretrain is not None:
            self.target = pretraining_target(
                settings.pretrain, problem.prevalence, problem.n_documents, COORDINATES[settings.coordinates].back
            )
        self._should_stop = should_stop or (lambda: False)
        self.step, self.attempt, self.attempt_start, self.waited = 0, 0, 0, 0
        self.pretraining = settings.pretrain is not None
        self.pretrain_steps = 0
        self.history, self.seconds = [], 0.0
        self.stop_code, self.stop_reason, self.notes = "", "", ()
        self.best = Best(self._worst)
        self._align = AlignmentWithClass(problem) if settings.stop_by == "alignment" else None
        self._keep()

    @property
    def _worst(self) -> float:
        return 0.0 if self.settings.stop_by == "f1" else -np.inf

    def _keep(self):
        self.best.cd, self.best.parameters = self.engine.cd(), self.engine.weighting_parameters()

    def events(self):
        """Train, and yield an `Event` at every validation."""
        while not self.stop_code:
            began = time.perf_counter()
            event = self._next()
            self.seconds += time.perf_counter() - began
            if event is None:
                self.stop()
                return
            yield self._event(**event)

    def run(self, on_event=None):
        """Train to the end; `on_event` is called with every event, and returning True ends it. Returns itself."""
        for event in self.events():
            if on_event is not None and on_event(event):
                self.stop()
        return self

    def stop(self):
        """End a training run from outside: the best step so far stays."""
        if not self.stop_code:
            self._end("stopped")

    def _end(self, code, what=""):
        self.stop_code = code
        known = {"step": self.step, "patience": self.settings.patience, "score": STOP_BY[self.settings.stop_by]}
        self.stop_reason = self.SENTENCES[code].format(**known, what=what)
        if code != "diverged" and self.best.score == self._worst and self.step:
            self._keep()  # no step was better than another: the last one stands
            self.best.step = self.step
        if self.best.f1 == 0 and code in ("patience", "max_steps"):
            self.stop_reason += " Its best validation F1 is 0."
        if code == "perfect" and not self.problem.validation.y.any():
            self.stop_reason += " There are no validation positives, so any step that predicts none is perfect."
        if code == "diverged":
            self.stop_reason += f" The result is step {self.best.step}."

    # ---- one event's worth of work; None where it was told to stop in the middle of it

    def _next(self):
        if self._should_stop():
            return None
        try:
            return self._pretrain() if self.pretraining else self._round()
        except Cancelled:  # while it drew new weights to start again from
            return None

    def _advance(self, steps, **options):
        """Mean loss of `steps` steps, in pieces after which it can be stopped; None when it was."""
        total, made = 0.0, 0
        while made < steps:
            if made and self._should_stop():
                return None
            piece = min(getattr(self.engine, "piece", steps), steps - made)
            total += self.engine.advance(piece, **options) * piece
            self.step += piece
            made += piece
        return total / steps

    def _pretrain(self):
        error = self.engine.pretrain(self.target, PRETRAIN_BLOCK, self._should_stop)
        if error is None:
            return None
        self.pretrain_steps += PRETRAIN_BLOCK
        message = ""
        if not np.isfinite(error):
            self._end("diverged", "while pre-training")
            message = self.stop_reason
        elif error < self.settings.pretrain_error or self.pretrain_steps >= self.settings.pretrain_steps:
            self.pretraining = False
            self.engine.restart_optimiser()
            name, steps = self.settings.pretrain, self.pretrain_steps
            message = f"Fitted to {name} in {steps} steps, mean squared error {error:.2g}."
        return dict(loss=error, score=float("nan"), phase="pretraining", improved=False, message=message)

    def head_steps_left(self):
        """Steps of W3 and b3 alone that are still to be made, after pre-training."""
        if self.settings.pretrain is None:
            return 0
        return max(0, self.settings.head_steps - (self.step - self.attempt_start))

    def _round(self):
        settings, message = self.settings, ""
        steps = min(settings.check_every, settings.max_steps - self.step)
        head = min(steps, self.head_steps_left())
        loss = 0.0
        for part, options in ((head, {"head_only": True}), (steps - head, {})):
            if not part:
                continue
            mean = self._advance(part, **options)
            if mean is None:
                return None
            loss += mean * part
            if options and not self.head_steps_left():
                self.engine.restart_optimiser()
        loss /= steps
        f1_now, score, finite = self._validate()
        self.history.append((self.step, loss, f1_now))
        improved = False
        if not np.isfinite(loss) or not finite:
            self._end("diverged", "a value is not finite")
        elif loss > DIVERGED:
            self._end("diverged", f"the loss is {loss:.3g}")
        else:
            improved = score > self.best.score
            self.waited = 0 if improved else self.waited + 1
            if improved:
                self.best.score, self.best.f1, self.best.step = score, f1_now, self.step
                self._keep()
            if self.best.score == 1 and self.settings.stop_by == "f1":
                self._end("perfect")
            elif self.step >= settings.max_steps:
                self._end("max_steps")
            elif self.waited >= settings.patience:
                if self.best.score == 0 and self._worst == 0 and self.step < settings.restart_before:
                    message = f"No true positive by step {self.step}: starting again from new weights."
                    self._restart()
                else:
                    self._end("patience")
        phase = "classifier" if head == steps else "training"
        return dict(loss=loss, score=f1_now, phase=phase, improved=improved, message=message or self.stop_reason)

    def _restart(self):
        self.attempt += 1
        self.attempt_start, self.waited = self.step, 0
        self.pretraining, self.pretrain_steps = self.settings.pretrain is not None, 0
        self.engine.reset(self.attempt)

    def _validate(self):
        """F1 on the validation rows, what steps are compared by, and whether logits and parameters are finite."""
        if hasattr(self.engine, "counted"):  # of a lockstep, which compares by F1 alone
            *counts, finite = self.engine.counted()
            return f1(*counts), f1(*counts), finite
        logits, y = self.engine.validation_logits(), self.problem.validation.y
        score = f1_now = contingency(y, logits > 0).f1
        finite = bool(np.isfinite(logits).all()) and self.engine.finite()
        if self.settings.stop_by == "loss" and finite and y.size:
            score = -cross_entropy(logits, y)
        elif self._align is not None and finite:
            learned = self.settings.network.learned_dd
            parameters = self.engine.weighting_parameters() if learned else {}
            score = self._align(self.engine.cd(), parameters, learned)
        return f1_now, score, finite

    def _event(self, loss, score, phase, improved, message):
        return Event(
            step=self.step, loss=loss, validation_f1=score, best_f1=self.best.f1, best_step=self.best.step,
            waited=self.waited, weights=self.engine.cd(), parameters=self.engine.weighting_parameters(),
            squash=self.settings.network.sigmoid, seconds=self.seconds, attempt=self.attempt, phase=phase,
            improved=improved, message=message, pretrain_steps=self.pretrain_steps, engine=self.engine.name,
            device=self.engine.device, _training=self,
            seen=self.settings.seen(self.problem.prevalence, self.problem.n_documents),
        )  # fmt: skip

    # ---- checkpoints

    COUNTERS = ("step", "attempt", "attempt_start", "waited", "pretraining", "pretrain_steps", "seconds")

    def checkpoint(self):
        """All that is needed to continue identically, as (arrays, values): see ``persistence.write``."""
        arrays = {f"engine.{name}": value for name, value in self.engine.state().items()}
        arrays |= {f"best.{name}": value for name, value in self.best.parameters.items()}
        arrays["best_cd"] = self.best.cd
        arrays["history"] = np.array(self.history, dtype=float).reshape(-1, 3)
        values = {name: getattr(self, name) for name in self.COUNTERS}
        values |= {"best_f1": self.best.f1, "best_step": self.best.step}
        values["best_score"] = self.best.score if np.isfinite(self.best.score) else None  # before any validation
        values |= {"engine": self.engine.name, "settings": self.settings.as_dict()}
        return arrays, values

    def resume(self, checkpoint):
        """Take up a checkpoint of the same problem, settings and engine."""
        arrays, values = checkpoint
        if values["engine"] != self.engine.name:
            raise ValueError(f"the checkpoint is of the {values['engine']} engine, not of the {self.engine.name} one")
        own, saved = self.settings.as_dict(), Settings().as_dict() | values["settings"]
        free = ("max_steps", "patience", "check_every")  # when to look and when to end may change
        changed = [name for name, value in own.items() if name not in free and saved[name] != value]
        if changed:
            raise ValueError(f"the checkpoint was made with other settings: {', '.join(sorted(changed))}")
        if len(arrays["best_cd"]) != self.problem.n_terms:
            raise ValueError(f"the checkpoint has {len(arrays['best_cd'])} terms, the problem {self.problem.n_terms}")
        self.engine.restore_state(under("engine.", arrays))
        for name in self.COUNTERS:
            setattr(self, name, values[name])
        self.history = [(int(step), loss, score) for step, loss, score in arrays["history"].tolist()]
        score = values.get("best_score", values["best_f1"])  # those that earlier versions wrote compare by F1
        score = self._worst if score is None else score
        self.best = Best(score, values["best_f1"], values["best_step"], arrays["best_cd"], under("best.", arrays))
