"""Many trainings side by side on one device: all classes of a corpus, or all seeds of a class.

Every problem keeps the protocol of ``protocol.py``, with random numbers of its own: a training alone and in lockstep
are the same but for rounding. All advance together from one validation to the next; those that have ended are dropped
from the arrays once a quarter of the places is idle, and waiting problems take their places. Where memory runs out the
lockstep is split in two, which take their turns, and says so. Leaves out the numerics (``group.py``), Bernoulli dropout
of the local variants, and checkpoints.
"""

import logging
import time
from collections import deque
from dataclasses import replace

import numpy as np
import torch

from ltw_core.weighting.learned.engines.choose import why_not_lockstep
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays, RecordedEngine, SharedWeights
from ltw_core.weighting.learned.protocol import Training
from ltw_core.weighting.learned.settings import Settings

IDLE = 0.25  # share of places without a training at which the arrays are made anew
CPU_MEMORY = 2**24  # there more side by side is slower once the arrays of all leave the caches
BLOCK_SHARE, MOST_BLOCK = 0.25, 2**31  # of memory, and of bytes, for the batches prepared at once

_log = logging.getLogger(__name__)


class Lockstep:
    """Problems side by side. See ``learn_lockstep``.

    Attributes
    ----------
    engines : list of RecordedEngine
        One a problem, in their order; each has its training.
    queue : deque of RecordedEngine
        Those that wait for a place.
    places : list of RecordedEngine
        Those whose problems are in the group, by their places there; some may have ended.
    widths : list of int
        Places of each group that was made.
    """

    def __init__(self, problems, settings, device, width, on_event, memory, graphs, on_end=None, should_stop=None):
        self.settings, self.device, self.on_event, self.on_end = settings[0], device, on_event, on_end
        self.should_stop = should_stop
        self.graphs = device.type == "cuda" if graphs is None else graphs
        self.memory = _memory(device) if memory is None else memory
        for problem in problems:
            self.settings.check_size(problem.n_terms)
        arrays = {id(problem): ProblemArrays(problem, self.settings) for problem in problems}  # seeds share a problem's
        shared = SharedWeights()
        self.engines = [
            RecordedEngine(i, arrays[id(problem)], settings[i], device, shared) for i, problem in enumerate(problems)
        ]
        # Problems of like size side by side: the arrays are as large as the largest
        self.queue = deque(sorted(self.engines, key=lambda each: (-each.arrays.extent, each.settings.seed)))
        self.width = min(width or self._fitting(), len(self.engines))
        self.places, self.group, self.notes, self.message = [], None, [], ""
        self.widths = []

    def _fitting(self):
        """Problems that fit into memory together, by an estimate; it may be wrong, then the lockstep is split."""
        most = max(each.arrays.device_bytes(self.settings) for each in self.engines)
        return max(1, int((1 - BLOCK_SHARE) * self.memory // most))

    def run(self):
        """Train all to their ends; returns their trainings."""
        while self.queue or self._going():
            began = time.perf_counter()
            try:
                self._fill_places()
                if any(each.pretraining for each in self.places):
                    self._pretrain()
                else:
                    self._advance(min(each.due for each in self._going()))
                memory_left = True
            except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
                if not _out_of_memory(error):
                    raise
                memory_left = False
            if not memory_left:  # outside the handler, whose traceback holds on to tensors
                self._split()
                continue
            self._report(time.perf_counter() - began)
        for each in self.engines:
            each.training.notes = tuple(self.notes)
        return [each.training for each in self.engines]

    # ---- which problems are in the group

    def _going(self):
        return [each for each in self.places if not each.ended]

    def _fill_places(self):
        """Make a group of those who go on and of those who wait, if enough places are idle or one became too small."""
        going = self._going()
        if self.group is not None and len(going) > (1 - IDLE) * len(self.places) and all(map(self._fits, going)):
            self.group.compact()
            return
        if self.group is not None:
            self._release_group()
        self.places = going + [self.queue.popleft() for _ in range(min(self.width - len(going), len(self.queue)))]
        if len({id(each) for each in self.places}) < len(self.places):
            raise RuntimeError("a problem has two places in the lockstep")
        self._make_group()

    def _make_group(self):
        block = int(min(BLOCK_SHARE * self.memory, MOST_BLOCK))
        for each in self.places:
            each.begin()
        arrays, states = ([getattr(each, name) for each in self.places] for name in ("arrays", "pending"))
        kind = LocalGroup if self.settings.network.local else GlobalGroup
        self.group = kind(arrays, states, self.settings, self.device, block, self.graphs)
        self.widths.append(len(arrays))
        self._forget_moments()
        if any(each.training is None for each in self.places):
            values = self.group.read()
            for place, each in enumerate(self.places):
                if each.training is None:
                    each.read(values, place)
                    each.training = Training(each.problem, each.settings, each)
                    each.events = each.training.events()

    def _fits(self, each):
        return each.pending is None or self.group.fits(each.pending)

    def _load_pending(self):
        """Put new weights in their places; those that do not fit get them with the next group."""
        for place, each in enumerate(self.places):
            if each.pending is not None and self._fits(each):
                self.group.load(place, each.pending)
        self._forget_moments()

    def _forget_moments(self):
        for place, each in enumerate(self.places):
            if each.forget_moments:
                self.group.forget(place)
                each.forget_moments = False

    def _release_group(self, backup=False):
        """Take parameters and moments back to the host, and let the group go."""
        for place, each in enumerate(self.places):
            if each.ended:
                each.pending = None
                each.arrays.release()
            elif each.pending is None:
                each.pending = self.group.state(place, backup)
        self.group = None

    def _split(self):
        """Go on with half as many side by side after memory ran out."""
        if self.group is not None:
            self._release_group(backup=self.group.backup is not None)
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        going = self._going()
        if len(going) == 1:
            raise MemoryError(f"{self.device} has too little memory for a problem of {going[0].arrays.n_terms} terms")
        self.width = len(going) // 2
        for each in going:
            each.arrays.release()
        self.queue.extendleft(reversed(going))
        sentence = f"Out of memory with {len(going)} problems side by side: going on with {self.width}."
        self.places, self.message = [], sentence
        self.notes.append(sentence)
        _log.warning(sentence)

    # ---- a round

    def _pretrain(self):
        """A thousand steps of pre-training for those that are at it; the others wait."""
        rows = [place for place, each in enumerate(self.places) if each.pretraining]
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

    def _advance(self, steps):
        random = [None if each.ended else each.random for each in self.places]
        head_only = [not each.ended and each.head_left > 0 for each in self.places]
        stop = self.should_stop and (lambda: any(map(self._must_stop, self.places)))
        steps = self.group.advance(random, [each.step for each in self.places], steps, head_only, stop)
        values = self.group.read()
        for place, each in enumerate(self.places):
            each.pending = None
            each.read(values, place)
            if not each.ended and each.record(steps, values.loss[place]):
                self.group.forget(place)
        self.group.backup = None

    def _report(self, seconds):
        """Let every training whose validation is due take it in, and call the listeners."""
        for message in self.group.replay.messages:
            self.notes.append(message)
            self.graphs = False
        self.group.replay.messages.clear()
        for each in self._going():
            training = each.training
            each.elapsed += seconds
            if not each.ready:
                if self._must_stop(each):
                    training.step += each.made
                    training.stop()
                    self._report_end(each)
                continue
            training.seconds, each.elapsed = training.seconds + each.elapsed, 0.0
            event = next(each.events)
            if self.message:
                event = replace(event, message=f"{self.message} {event.message}".strip())
            if self.on_event is not None and self.on_event(each.index, event):
                training.stop()
            if each.ended:
                self._report_end(each)
        self.message = ""
        self._load_pending()

    def _must_stop(self, each):
        """Whether a training that goes on shall end now."""
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
):
    """Train many problems side by side.

    Parameters
    ----------
    problems : list of Problem
    settings : Settings, or one for each problem
        Equal but for the seed. The same problem several times with several seeds is a class's seeds.
    device : "auto", "cpu", or a device of torch such as "cuda"
        "auto" is a GPU where there is one.
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
    return Lockstep(problems, settings, _device(device), width, on_event, memory, graphs, on_end, should_stop).run()


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


def _device(name):
    if str(name) == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device must be 'auto', 'cpu' or a device of torch, not {name!r}") from error


def _memory(device):
    return int(0.8 * torch.cuda.mem_get_info(device)[0]) if device.type == "cuda" else CPU_MEMORY


def _out_of_memory(error):
    """Whether an error says that memory ran out: torch has a class for it on GPUs, a plain RuntimeError on CPUs."""
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or "can't allocate memory" in str(error)
