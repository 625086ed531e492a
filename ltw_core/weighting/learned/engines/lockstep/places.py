"""Which problems of a lockstep have a place on the device: who waits, who goes on, who is paused, and what happens when
memory runs out. Leaves out the rounds (``lockstep.py``) and the numerics (``group.py``).
"""

import logging
from collections import deque

from ltw_core.weighting.learned.engines.lockstep.device import give_back, memory_to_plan_for, said_by
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays, RecordedEngine, SharedWeights
from ltw_core.weighting.learned.protocol import Training

IDLE = 0.25  # share of places without a training run at which the arrays are made again
BLOCK_SHARE, MAX_BLOCK_BYTES = 0.25, 2**31  # of memory, and of bytes, for the batches prepared at once

FUSED = None  # whether to take fused kernels; None for yes on CUDA, where there is Triton

_log = logging.getLogger(__name__)


class Places:
    """The places of a lockstep's group, and those without one.

    Parameters
    ----------
    problems : list of Problem
    settings : list of Settings
    device, width, memory, graphs
        As for ``learn_lockstep``.

    Attributes
    ----------
    engines : list of RecordedEngine
        One a problem, in their order; each has its training.
    queue : deque of RecordedEngine
        Those that wait for a place.
    places : list of RecordedEngine
        Those whose problems are in the group, by their places there; some may have ended.
    paused : list of RecordedEngine
        Those that wait until they are told to go on. Their state is on the host; as long as the group stands and nobody
        waits for a place they keep theirs, so that neither leaving nor coming back costs the others anything.
    widths : list of int
        Places of each group that was made.
    notes : list of str
        What happened on the way; `message`, the latest of it, goes to the next events.
    """

    def __init__(self, problems, settings, device, width, memory, graphs):
        self.settings, self.device = settings[0], device
        self.graphs = device.type == "cuda" if graphs is None else graphs
        self.fused = device.type == "cuda" if FUSED is None else FUSED
        for problem in problems:
            self.settings.check_size(problem.n_terms)
        arrays = {id(problem): ProblemArrays(problem, self.settings) for problem in problems}  # seeds share a problem's
        shared = SharedWeights()
        self.engines = [
            RecordedEngine(i, arrays[id(problem)], settings[i], device, shared) for i, problem in enumerate(problems)
        ]
        if memory is None:
            needed = list(self._needed(self.engines))[-1]
            memory = memory_to_plan_for(device, needed / (1 - BLOCK_SHARE) + MAX_BLOCK_BYTES)
        self.memory = memory
        # The largest first: they take longest, and at last few go on
        self.queue = deque(sorted(self.engines, key=lambda each: (-each.arrays.extent, each.settings.seed)))
        self.width = min(width or len(self.engines), len(self.engines))
        self.places, self.paused, self.group, self.notes, self.message = [], [], None, [], ""
        self.widths = []

    def at_work(self):
        """(place, engine) of those that make steps: they have not ended and are not paused."""
        places = enumerate(self.places)
        return [(place, each) for place, each in places if not each.ended and each not in self.paused]

    def going(self):
        """Those engines alone."""
        return [each for _, each in self.at_work()]

    def fill(self):
        """Make a group of those who go on and of those who wait, if enough places are idle."""
        going = self.going()
        if self.group is None or self.many_idle():
            if self.group is not None:
                self._release_group()
            self.places = going + [self.queue.popleft() for _ in range(self._fitting())]
            if len({id(each) for each in self.places}) < len(self.places):
                raise RuntimeError("a problem has two places in the lockstep")
            self._make_group()
        # Of each at its own validations, whatever group it is in by then: its sums do not depend on the others
        self.group.compact([not each.made for each in self.places])

    def many_idle(self):
        """Whether so many places are idle that a group of those who go on is worth its making."""
        kept = len(self.going()) if self.queue else sum(not each.ended for each in self.places)
        return kept <= (1 - IDLE) * len(self.places)

    def _needed(self, engines):
        """Estimate of the bytes for the first of some trainings, the first two, …: each by its own size, and documents
        once for all seeds of a problem."""
        total, known = 0, set()
        for each in engines:
            arrays = each.arrays
            total += arrays.device_bytes(self.settings, self.fused)
            total += 0 if id(arrays) in known else arrays.document_bytes(self.fused)
            known.add(id(arrays))
            yield total

    def _fitting(self):
        """How many of those that wait fit into memory beside those who go on; the estimate may be wrong, then the
        lockstep is split."""
        going = len(self.going())
        needed = list(self._needed([*self.going(), *self.queue]))
        room = (1 - BLOCK_SHARE) * self.memory
        return sum(
            number < self.width and (number == 0 or bytes_ <= room)
            for number, bytes_ in enumerate(needed)
            if number >= going
        )

    def pause(self, engines):
        """Take what trainings have learned to the host; where none goes on, memory is given back until one does."""
        if not engines:
            return
        for each in engines:
            if each.pending is None:
                each.pending = self.group.state(self.places.index(each))
        self.paused += engines
        if not self.going():
            self._leave()
            if not self.queue:
                self.release()

    def resume(self, engines):
        """Let paused training runs go on in their places; those without one wait for one before all others."""
        if not engines:
            return
        self.paused = [each for each in self.paused if each not in engines]
        if self.group is not None:
            self.load_pending(engines)
        without = [each for each in engines if each not in self.places]
        self.queue.extendleft(reversed(without))
        if without and self._fitting():
            self._leave()

    def release(self):
        """Let go of everything on the device but what a group holds, and give its memory back."""
        for each in self.engines:
            each.arrays.release()
        give_back(self.device)

    def _leave(self):
        """Let the group go, for another to be made of those who go on."""
        if self.group is not None:
            self._release_group()
        self.places = self.going()

    def _make_group(self):
        block = int(min(BLOCK_SHARE * self.memory, MAX_BLOCK_BYTES))
        for each in self.places:
            each.begin()
        arrays, states = ([getattr(each, name) for each in self.places] for name in ("arrays", "pending"))
        self.group = self._kind()(arrays, states, self.settings, self.device, block, self.graphs)
        self.widths.append(len(arrays))
        self._forget_moments()
        if any(each.training is None for each in self.places):
            values = self.group.read()
            for place, each in enumerate(self.places):
                if each.training is None:
                    each.read(values, place)
                    each.training = Training(each.problem, each.settings, each)
                    each.events = each.training.events()

    def _kind(self):
        local = self.settings.network.local
        if self.fused:
            try:  # these import Triton
                from ltw_core.weighting.learned.engines.lockstep.fused_global_group import FusedGlobalGroup
                from ltw_core.weighting.learned.engines.lockstep.fused_local_group import FusedLocalGroup

                return FusedLocalGroup if local else FusedGlobalGroup
            except ImportError as error:
                self.fused = False
                self._say(f"Without fused kernels, which need Triton ({said_by(error)}); steps take longer.")
        return LocalGroup if local else GlobalGroup

    def load_pending(self, engines):
        """Put new weights of some in their places."""
        for place, each in enumerate(self.places):
            if each in engines:
                self.group.load(place, each.pending)
        self._forget_moments()

    def _forget_moments(self):
        for place, each in enumerate(self.places):
            if each.forget_moments:
                self.group.forget(place)
                each.forget_moments = False

    def _release_group(self, backup=False):
        """Take parameters and moments back to the host, and let the group go."""
        states = self.group.states([not each.ended and each.pending is None for each in self.places], backup)
        for each, state in zip(self.places, states, strict=True):
            if each.ended:
                each.pending = None
                each.arrays.release()
            elif each.pending is None:
                each.pending = state
        self.group = None

    def split(self):
        """Go on with half as many side by side after memory ran out."""
        going = self._begin_round_again()
        if len(going) == 1:
            raise MemoryError(f"{self.device} has too little memory for a problem of {going[0].arrays.n_terms} terms")
        self.width = len(going) // 2
        self._say(f"Out of memory with {len(going)} problems side by side: going on with {self.width}.")

    def go_on_without_fused(self, error):
        """After kernels failed: the round is made again by torch's operators."""
        self._begin_round_again()
        self.fused = False
        self._say(f"The fused kernels do not work here ({error}); torch's operators make the steps.")

    def _begin_round_again(self):
        """Give all places up, with what was there before the round that failed; returns who had them."""
        if self.group is not None:
            self._release_group(backup=self.group.backup is not None)
        going = self.going()
        self.places = []
        self.queue.extendleft(reversed(going))
        self.release()
        return going

    def _say(self, sentence):
        self.message = sentence
        self.notes.append(sentence)
        _log.warning(sentence)
