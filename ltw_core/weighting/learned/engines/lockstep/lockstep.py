"""Many training runs side by side on one device: all classes of a corpus, or all seeds of a class.

Every problem keeps the protocol of ``protocol.py``, with random numbers of its own: a training alone and in lockstep
are the same but for rounding. All advance together from one validation to the next; those that have ended are dropped
from the arrays once a quarter of the places is idle, and waiting problems take their places. Where memory runs out the
lockstep is split in two, which take their turns, and says so. One that is paused rests in its place; the others go on.
Leaves out who has a place (``places.py``), the device (``device.py``), the numerics (``group.py``), Bernoulli dropout
of the local variants, and checkpoints.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
import torch

from ltw_core.weighting.learned.engines.engine_choice import why_not_lockstep
from ltw_core.weighting.learned.engines.gpus import at_work
from ltw_core.weighting.learned.engines.lockstep.device import KernelsFailed, find_device, is_out_of_memory, working_on
from ltw_core.weighting.learned.engines.lockstep.places import Places
from ltw_core.weighting.learned.settings import Settings

WAIT = 0.2  # seconds between two looks at whether one goes on, when all are paused
AHEAD = None  # whether a round is launched before the one before is taken in; None for yes on CUDA


class Round(NamedTuple):
    """Steps that were launched, and what is to be taken in after them."""

    steps: int
    whole: bool  # whether all the steps that were wanted
    at_work: dict  # by place (engine, its attempt) of those who made them
    values: Callable  # waits for the group's ``Values``

    def made_by(self, place, each):
        """Steps that are to be noted of who has this place."""
        return self.steps if self.at_work.get(place) == (each, each.attempt) else 0


class Lockstep(Places):
    """Problems side by side, round after round. See ``learn_lockstep``."""

    def __init__(
        self, problems, settings, device, width, on_event, memory, graphs, on_end=None, should_stop=None, is_paused=None
    ):
        super().__init__(problems, settings, device, width, memory, graphs)
        self.ahead = (device.type == "cuda" if AHEAD is None else AHEAD) and self.settings.network.local
        self.under_way, self.taken_at = None, 0.0
        self.on_event, self.on_end, self.should_stop, self.is_paused = on_event, on_end, should_stop, is_paused

    def run(self):
        """Train all to their ends; returns their trainings, which hold nothing on the device."""
        while self.queue or self.going() or self.paused:
            self._let_go_on()
            if not self.queue and not self.going():
                time.sleep(WAIT)
                continue
            self.taken_at = time.perf_counter()
            try:
                self.fill()
                if any(each.pretraining for each in self.going()):
                    self._pretrain()
                    self._report()
                else:
                    self._rounds()
                failed = None
            except KernelsFailed as error:
                failed = partial(self.go_on_without_fused, str(error))
            except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
                if not is_out_of_memory(error):
                    raise
                failed = self.split
            if failed is not None:  # outside the handler, whose traceback holds on to tensors
                if self.under_way is not None:  # it was the round after it that failed
                    self._take(self.under_way)  # still there: so that nobody is paused amid what failed
                    self.under_way = None
                failed()
        self.group = None
        self.release()
        for each in self.engines:
            each.training.notes = tuple(self.notes)
        return [each.training for each in self.engines]

    def _let_go_on(self):
        """Give those a place that were paused and are no longer, and end those that were told to stop meanwhile."""
        for each in [each for each in self.paused if self._must_stop(each)]:
            self.paused.remove(each)
            each.training.stop()
            self._report_end(each)
        self.resume([each for each in self.paused if not self.is_paused(each.index)])

    def _pretrain(self):
        """A thousand steps of pre-training for those that are at it; the others wait."""
        rows = [place for place, each in self.at_work() if each.pretraining]
        engines = [self.places[row] for row in rows]
        points, wanted = zip(*(each.pretraining_points() for each in engines), strict=True)
        stop = self.should_stop and (lambda: all(map(self._must_stop, engines)))  # one that goes on needs all its steps
        errors = self.group.pretrain(rows, np.stack(points, axis=1), np.stack(wanted, axis=1), stop)
        if errors is None:
            return
        values = self.group.read()
        for row, each, error in zip(rows, engines, errors, strict=True):
            each.pending = None
            each.read(values, row)
            each.record_pretraining(error)
        self.group.backup = None

    def _rounds(self):
        """A round; and further ones, each launched before the last is taken in, as long as nothing else is to be done:
        the device is at work while the host looks at what it found. Whoever ends or starts again at a round has then
        made the next one for nothing."""
        self.under_way = self._advance()
        while self.under_way is not None:
            self._take(self._advance(self.under_way) if self._goes_on() else None)

    def _goes_on(self):
        """Whether the round after the one under way may begin now: nobody is to be stopped, paused or let go on, or to
        have a place, and no moments are to be forgotten."""
        asked = [question for question in (self.should_stop, self.is_paused) if question is not None]
        return (
            self.ahead
            and self.under_way.whole
            and self.settings.pretrain is None
            and not self.paused
            and not self.many_idle()
            and any(self._due(self.under_way).values())
            and not any(question(each.index) for question in asked for each in self.going())
        )

    def _due(self, after):
        """By place, steps to the next validation of those at work; 0 where the round that is under way is the last."""
        return {place: each.due_after(after.made_by(place, each) if after else 0) for place, each in self.at_work()}

    def _advance(self, after=None):
        """Launch the steps to the next validation of anyone; `after` a round that is not taken in yet."""
        due = self._due(after)
        wanted = min(steps for steps in due.values() if steps)
        at_work = {place: (self.places[place], self.places[place].attempt) for place, steps in due.items() if steps}
        made = [each.step + (after.made_by(place, each) if after else 0) for place, each in enumerate(self.places)]
        random = [each.random if place in at_work else None for place, each in enumerate(self.places)]
        head_only = [place in at_work and each.head_left > 0 for place, each in enumerate(self.places)]
        stop = self.should_stop and (lambda: any(self._must_stop(each) for each, _ in at_work.values()))
        steps = self.group.advance(random, made, wanted, head_only, stop)
        values = self.group.leave()
        self.group.backup = None
        return Round(steps, steps == wanted, at_work, values)

    def _take(self, following=None):
        """Take in the round under way: wait for what left the device, note it, and report it."""
        taken, self.under_way = self.under_way, following
        values = taken.values()
        for place, (each, _) in taken.at_work.items():
            if each.ended or not taken.made_by(place, each):  # so since the round before this one
                continue
            each.pending = None
            each.read(values, place)
            if each.record(taken.steps, values.loss[place]):
                self.group.forget(place)
        self._report()

    def _report(self):
        """Let every training run whose validation is due take it in, and call the listeners."""
        now = time.perf_counter()
        seconds, self.taken_at = now - self.taken_at, now
        for message in self.group.replay.messages:
            self.notes.append(message)
            self.graphs = False
        self.group.replay.messages.clear()
        paused, anew = [], []
        for each in self.going():
            training, attempt = each.training, each.attempt
            each.elapsed += seconds
            if not each.ready:
                if self._must_stop(each):
                    training.step += each.made
                    training.stop()
                    self._report_end(each)
                continue
            training.seconds, each.elapsed = training.seconds + each.elapsed, 0.0
            event = next(each.events)
            if each.attempt != attempt:
                anew.append(each)
            if self.message:
                event = replace(event, message=f"{self.message} {event.message}".strip())
            if self.on_event is not None and self.on_event(each.index, event):
                training.stop()
            if each.ended:
                self._report_end(each)
            elif self.under_way is None and self.is_paused is not None and self.is_paused(each.index):
                paused.append(each)
        self.message = ""
        self.load_pending(anew)
        self.pause(paused)

    def _must_stop(self, each):
        """Whether a training run that goes on shall end now."""
        return not each.ended and self.should_stop is not None and bool(self.should_stop(each.index))

    def _report_end(self, each):
        if self.on_end is not None:
            each.training.notes = tuple(self.notes)
            self.on_end(each.index, each.training)


def learn_lockstep(
    problems,
    settings,
    device="auto",
    width=None,
    on_event=None,
    on_end=None,
    *,
    memory=None,
    graphs=None,
    should_stop=None,
    is_paused=None,
):
    """Train many problems side by side.

    Parameters
    ----------
    problems : list of Problem
    settings : Settings, or one for each problem
        Equal but for the seed. The same problem several times with several seeds is a class's seeds.
    device : "auto", "cpu", or a device of torch such as "cuda"
        "auto" is the first GPU that works.
    width : int or None
        Problems side by side; None for as many as fit into memory.
    on_event : callable or None
        Called with (index of the problem, ``Event``) at every validation; returning True ends that problem's training.
    on_end : callable or None
        Called with (index of the problem, its ``Training``) as soon as its training has ended.
    memory : int or None
        Bytes to plan for; None for four fifths of what is free on a GPU, and what its caches hold on a CPU.
    graphs : bool or None
        Whether to replay steps as a CUDA graph; None for yes on a GPU. Where it fails the steps are launched plainly.
    should_stop : callable or None
        Asked with the index of a problem between validations; returning True ends its training there. While problems
        are pre-trained those that go on finish their block of 1,000 steps first.
    is_paused : callable or None
        Asked with the index of a problem at its validations; as long as it returns True, its training waits there.

    Returns
    -------
    list of Training, in the order of the problems
        ``seconds`` of each is all that it had a place, in which the others advanced as well.

    Raises
    ------
    ValueError
        A setting is not one that the lockstep can do, the settings differ, or a problem has too many terms for a global
        variant.
    MemoryError
        One problem alone is too large for the device.
    UnusableDevice
        The device does not work.
    """
    problems = list(problems)
    settings = [settings] * len(problems) if isinstance(settings, Settings) else list(settings)
    if len(settings) != len(problems):
        raise ValueError(f"there are {len(problems)} problems and {len(settings)} settings")
    if width is not None and width < 1:
        raise ValueError(f"width must be at least 1, not {width}")
    if not problems:
        return []
    _check(settings)
    listeners = {"on_end": on_end, "should_stop": should_stop, "is_paused": is_paused}
    device = find_device(device)
    with working_on(device), at_work(device, len(problems)):
        return Lockstep(problems, settings, device, width, on_event, memory, graphs, **listeners).run()


def _check(settings):
    first = settings[0]
    for other in settings:
        different = sorted(
            name
            for name, value in other.as_dict().items()
            if name != "seed" and value != first.as_dict()[name]
        )  # fmt: skip
        if different:
            raise ValueError(f"problems in lockstep may differ in their seed alone, not in {', '.join(different)}")
    if why_not_lockstep(first):
        raise ValueError(why_not_lockstep(first))
