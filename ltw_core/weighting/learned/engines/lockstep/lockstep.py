"""Many trainings side by side on one device: all classes of a corpus, or all seeds of a class.

Every problem keeps the protocol of ``protocol.py``, on its own draws: a training alone and in lockstep are the same but
for rounding. All advance together from one validation to the next; those that have ended are dropped from the arrays
once a quarter of the places is idle, and waiting problems take their places. Where memory runs out the lockstep is
split in two, which take their turns, and says so. Leaves out the numerics (``lockstep_local.py``,
``lockstep_global.py``), Bernoulli dropout of the local variants, and checkpoints.
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
from ltw_core.weighting.learned.engines.lockstep.seat import Packed, Seat, SharedWeights
from ltw_core.weighting.learned.protocol import Training
from ltw_core.weighting.learned.settings import Settings

IDLE = 0.25  # share of places without a training at which the arrays are made anew
CPU_MEMORY = 2**24  # there more side by side is slower once the arrays of all leave the caches
BLOCK_SHARE, MOST_BLOCK = 0.25, 2**31  # of memory, and of bytes, for the batches prepared at once

_log = logging.getLogger(__name__)


class Lockstep:
    """Problems side by side. See ``learn_lockstep``."""

    def __init__(self, problems, settings, device, width, on_event, memory, graphs, on_end=None, should_stop=None):
        self.settings, self.device, self.on_event, self.on_end = settings[0], device, on_event, on_end
        self.should_stop = should_stop
        self.graphs = device.type == "cuda" if graphs is None else graphs
        self.memory = _memory(device) if memory is None else memory
        packed = {id(problem): self._packed(problem) for problem in problems}  # seeds share a problem's
        shared = SharedWeights()
        self.seats = [Seat(i, packed[id(problem)], settings[i], device, shared) for i, problem in enumerate(problems)]
        # Problems of like size side by side: the arrays are as large as the largest
        self.waiting = deque(sorted(self.seats, key=lambda seat: (-seat.packed.extent, seat.settings.seed)))
        self.width = min(width or self._fitting(), len(self.seats))
        self.places, self.group, self.notes, self.news = [], None, [], ""
        self.widths = []  # places of each group that was made

    def _packed(self, problem):
        self.settings.check_size(problem.n_terms)
        return Packed(problem, self.settings)

    def _fitting(self):
        """Problems that fit into memory together, by an estimate; it may be wrong, then the lockstep is split."""
        most = max(_bytes(seat.packed, self.settings) for seat in self.seats)
        return max(1, int((1 - BLOCK_SHARE) * self.memory // most))

    def run(self):
        while self.waiting or any(not seat.ended for seat in self.places):
            began = time.perf_counter()
            try:
                self._seat()
                if any(seat.pretraining for seat in self.places):
                    self._pretrain()
                else:
                    self._advance(min(seat.due for seat in self.places if not seat.ended))
                memory_left = True
            except (torch.OutOfMemoryError, MemoryError, RuntimeError) as error:
                if not _out_of_memory(error):
                    raise
                memory_left = False
            if not memory_left:  # outside the handler, whose traceback holds on to tensors
                self._split()
                continue
            self._tell(time.perf_counter() - began)
        for seat in self.seats:
            seat.training.notes = tuple(self.notes)
        return [seat.training for seat in self.seats]

    # ---- who sits where

    def _seat(self):
        """Make a group of those who go on and of those who wait, if enough places are idle or one became too small."""
        going = [seat for seat in self.places if not seat.ended]
        if self.group is not None and len(going) > (1 - IDLE) * len(self.places) and all(map(self._fits, going)):
            self.group.compact()
            return
        if self.group is not None:
            self._stand_up()
        self.places = going + [self.waiting.popleft() for _ in range(min(self.width - len(going), len(self.waiting)))]
        if len({id(seat) for seat in self.places}) < len(self.places):
            raise RuntimeError("a problem has two places in the lockstep")
        self._gather()

    def _gather(self):
        block = int(min(BLOCK_SHARE * self.memory, MOST_BLOCK))
        for seat in self.places:
            seat.begin()
        packed, states = ([getattr(seat, name) for seat in self.places] for name in ("packed", "waiting"))
        kind = LocalGroup if self.settings.network.local else GlobalGroup
        self.group = kind(packed, states, self.settings, self.device, block, self.graphs)
        self.widths.append(len(packed))
        self._forget()
        if any(seat.training is None for seat in self.places):
            look = self.group.look()
            for place, seat in enumerate(self.places):
                if seat.training is None:
                    seat.see(look, place)
                    seat.training = Training(seat.problem, seat.settings, seat)
                    seat.events = seat.training.events()

    def _fits(self, seat):
        return seat.waiting is None or self.group.fits(seat.waiting)

    def _load(self):
        """Put new weights in their places; those that do not fit get them with the next group."""
        for place, seat in enumerate(self.places):
            if seat.waiting is not None and self._fits(seat):
                self.group.load(place, seat.waiting)
        self._forget()

    def _forget(self):
        for place, seat in enumerate(self.places):
            if seat.forget:
                self.group.forget(place)
                seat.forget = False

    def _stand_up(self, backup=False):
        """Take parameters and moments back to the host, and let the group go."""
        for place, seat in enumerate(self.places):
            if seat.ended:
                seat.waiting = None
                seat.packed.forget()
            elif seat.waiting is None:
                seat.waiting = self.group.state(place, backup)
        self.group = None

    def _split(self):
        """Go on with half as many side by side after memory ran out."""
        if self.group is not None:
            self._stand_up(backup=self.group.backup is not None)
        if self.device.type == "cuda":
            torch.cuda.empty_cache()
        going = [seat for seat in self.places if not seat.ended]
        if len(going) == 1:
            raise MemoryError(f"{self.device} has too little memory for a problem of {going[0].packed.n_terms} terms")
        self.width = len(going) // 2
        for seat in going:
            seat.packed.forget()
        self.waiting.extendleft(reversed(going))
        sentence = f"Out of memory with {len(going)} problems side by side: going on with {self.width}."
        self.places, self.news = [], sentence
        self.notes.append(sentence)
        _log.warning(sentence)

    # ---- a round

    def _pretrain(self):
        """A thousand steps of pre-training for those that are at it; the others wait."""
        rows = [place for place, seat in enumerate(self.places) if seat.pretraining]
        seats = [self.places[row] for row in rows]
        points, wanted = zip(*(seat.next_points() for seat in seats), strict=True)
        stop = self.should_stop and (lambda: all(map(self._told, seats)))  # one that goes on needs all of its steps
        errors = self.group.pretrain(rows, np.stack(points, axis=1), np.stack(wanted, axis=1), stop)
        if errors is None:
            return
        look = self.group.look()
        for row, seat, error in zip(rows, seats, errors, strict=True):
            seat.waiting = None
            seat.see(look, row)
            seat.fitted(error)
        self.group.backup = None

    def _advance(self, steps):
        draws = [None if seat.ended else seat.draws for seat in self.places]
        head_only = [not seat.ended and seat.head_left > 0 for seat in self.places]
        stop = self.should_stop and (lambda: any(map(self._told, self.places)))
        steps = self.group.advance(draws, [seat.step for seat in self.places], steps, head_only, stop)
        look = self.group.look()
        for place, seat in enumerate(self.places):
            seat.waiting = None
            seat.see(look, place)
            if not seat.ended and seat.took(steps, look.loss[place]):
                self.group.forget(place)
        self.group.backup = None

    def _tell(self, seconds):
        """Let every training whose validation is due take it in, and tell who listens."""
        for message in self.group.replay.messages:
            self.notes.append(message)
            self.graphs = False
        self.group.replay.messages.clear()
        for seat in self.places:
            training = seat.training
            if seat.ended:
                continue
            seat.elapsed += seconds
            if not seat.ready:
                if self._told(seat):
                    training.step += seat.made
                    training.stop()
                    self._let_go(seat)
                continue
            training.seconds, seat.elapsed = training.seconds + seat.elapsed, 0.0
            event = next(seat.events)
            if self.news:
                event = replace(event, message=f"{self.news} {event.message}".strip())
            if self.on_event is not None and self.on_event(seat.index, event):
                training.stop()
            if seat.ended:
                self._let_go(seat)
        self.news = ""
        self._load()

    def _told(self, seat):
        """Whether a training that goes on shall end now."""
        return not seat.ended and self.should_stop is not None and bool(self.should_stop(seat.index))

    def _let_go(self, seat):
        if self.on_end is not None:
            seat.training.notes = tuple(self.notes)
            self.on_end(seat.index, seat.training)


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


def _bytes(packed, settings):
    """Estimate of what a problem takes on the device."""
    size, h, f = packed.dtype.itemsize, settings.hidden_units(packed.n_terms), packed.n_terms
    problem = packed.problem
    rows = min(settings.batch_size, len(problem.train))
    # Of LTW-G, W2 of the half of all units that is positive at first, its moments, a backup of all three, and room
    large = packed.n_pairs * (h + 80) if settings.network.local else 7 * (h / 2 + 2 * h**0.5) * f
    floats = large + 2 * rows * f + 10 * (4 * h + f) + 60 * h
    if settings.network.learned_dd:  # the gates of counts, and which entry of a batch has which count
        entries = 2 * rows * len(problem.train.terms) / max(1, len(problem.train))
        floats += len(packed.frequencies) * (settings.hidden_dd + 80 + 2 * entries) + 20 * entries
    return size * floats + 24 * len(problem.train.terms) + 60 * len(problem.validation.terms) + 32 * f


def _out_of_memory(error):
    """Whether an error says that memory ran out: torch has a class for it on GPUs, a plain RuntimeError on CPUs."""
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or "can't allocate memory" in str(error)
