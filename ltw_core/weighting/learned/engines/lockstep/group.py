"""The numerics of a lockstep that all variants share: steps of B problems at once, as torch operators on one device.

A step reads nothing back: batches and random numbers lie ready (``batches.py``), losses add up on the device, and on
CUDA it is captured once as a graph (``replay.py``). Every sum has a fixed order (no atomic additions), so that
the same seed gives the same numbers.

Leaves out where cd comes from and how its parameters are moved: ``local_group.py`` and ``global_group.py``.
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np
import torch

from ltw_core.weighting.learned.engines.lockstep.batches import Batch, Batches, Validation, classify, keys_of
from ltw_core.weighting.learned.engines.lockstep.device import from_host, leaving, to_host
from ltw_core.weighting.learned.engines.lockstep.operators import step_sizes, tile_of_points
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from ltw_core.weighting.learned.engines.lockstep.stretches import Stretches, tile_of

STEPS_BETWEEN = 20  # steps of one problem on a CPU between two looks at whether to stop
TERMS = 256  # of a tile, at least
ROUND_ENTRIES = 512  # batches are filled up to a multiple of it, so that a captured graph's shapes seldom change


class Values(NamedTuple):
    """What the host reads at a validation; an entry a problem."""

    loss: list  # summed over the steps since the last `advance` began
    counted: list  # of the validation true positives and all that was found; and how much is not a finite number
    cd: list  # (F,)
    theta: list  # what the weighting keeps is among them; None where it keeps none of the network


class Group(ABC):
    """B problems that advance side by side; made as a ``LocalGroup`` or a ``GlobalGroup``.

    In ``theta``, ``first`` and ``second`` lie the parameters of all problems, or their moments: those of cd's
    networks, then W3 of all terms, then b3 of each problem. Nobody's part is filled up to the longest
    (``stretches.py``). What has other shapes is the variants' own.

    Parameters
    ----------
    arrays : list of ProblemArrays
    settings : Settings
        Of all of them; the seed is not read here.
    device : torch.device
    block_memory : int
        Bytes for the batches prepared at once.
    graphs : bool
        Whether to try CUDA graphs.

    Attributes
    ----------
    terms : Stretches
        Where each problem's terms lie.
    n_network : int
        Parameters of all networks.
    of : tensor of int64
        The problem of each parameter.
    """

    exact = False  # whether nothing is filled up to tiles, and a step finds its part of a block itself: see ``Replay``

    def __init__(self, arrays, settings, device, block_memory, graphs):
        self.arrays, self.settings, self.network, self.device = arrays, settings, settings.network, device
        self.block_memory, self.graphs, self.size = block_memory, graphs, len(arrays)
        self.type = getattr(torch, settings.dtype)
        sizes = [each.n_terms for each in arrays]
        self.terms = Stretches(sizes, device, 1 if self.exact else tile_of(sizes, TERMS))
        self.counts = None
        if self.network.learned_dd:
            counts = [len(each.frequencies) for each in arrays]
            self.counts = Stretches(counts, device, 1 if self.exact else tile_of_points(counts))
        self.batches = Batches(arrays, settings, device, self.terms, self.counts, by_place=self.exact)
        self.validation = Validation(arrays, device, self.terms)
        self.moment_steps = torch.zeros(self.size, dtype=torch.float64, device=device)
        self.loss = torch.zeros(self.size, dtype=torch.float64, device=device)
        self.replay = Replay(device, graphs, self.exact)
        self.backup = None
        self._make_room()

    def _make_room(self):
        terms = self.terms
        self.dense = self._zeros(2, terms.total // terms.tile, self.batches.batch_size, terms.tile)  # and its squares

    def _make_rows(self, of_network):
        """Room for parameters; `of_network` is the problem of each of the networks'."""
        of = torch.cat((of_network, self.terms.of, torch.arange(self.size, device=self.device)))
        self.theta, self.first, self.second, self.gradient = [self._zeros(len(of)) for _ in range(4)]
        self.n_network, self._places_of, self.of = len(of_network), {}, of

    def _zeros(self, *shape):
        return torch.zeros(shape, dtype=self.type, device=self.device)

    def _tensor(self, array, dtype=None):
        held = from_host(np.asarray(array), self.device)
        return held if dtype is None else held.to(dtype)

    # ---- in and out

    def _head(self, flat):
        return flat[self.n_network : -self.size]

    @abstractmethod
    def _network_places(self, row):
        """Where the parameters of a problem's network lie."""

    def _places(self, row):
        """Where a problem's own parameters lie."""
        if row not in self._places_of:
            own = self.terms.own(row)
            head = np.arange(own.start, own.stop) + self.n_network
            self._places_of[row] = np.r_[self._network_places(row), head, len(self.of) - self.size + row]
        return self._places_of[row]

    def load(self, row, state):
        """Put a problem's parameters and moments in its places."""
        places = self._tensor(self._places(row))
        for flat, own in ((self.theta, state.theta), (self.first, state.first), (self.second, state.second)):
            flat[places] = self._tensor(own, self.type)
        self.moment_steps[row] = state.moment_steps

    def _load_all(self, states):
        """`load` of every problem's flat arrays, in four copies."""
        theta, first, second = (np.zeros(len(self.of), dtype=self.settings.dtype) for _ in range(3))
        for row, state in enumerate(states):
            places = self._places(row)
            theta[places], first[places], second[places] = state.theta, state.first, state.second
        for flat, held in ((self.theta, theta), (self.first, first), (self.second, second)):
            flat.copy_(from_host(held, self.device))
        steps = np.array([state.moment_steps for state in states], dtype=np.float64)
        self.moment_steps.copy_(from_host(steps, self.device))

    def forget(self, row):
        """Put a problem's moments to 0."""
        places = self._tensor(self._places(row))
        self.first[places] = self.second[places] = 0
        self.moment_steps[row] = 0

    def state(self, row, backup=False):
        """Parameters and moments of a problem on the host; of before the last `advance`, if `backup`."""
        return self.states([other == row for other in range(self.size)], backup)[row]

    def states(self, wanted, backup=False):
        """`state` of every problem, None for those that are not wanted; in four copies, not four each, and what else
        a variant has."""
        moved = self.backup if backup else self._moved()
        flat = to_host(*moved[:4])
        return [self._state(row, flat, moved[4:]) if own else None for row, own in enumerate(wanted)]

    @abstractmethod
    def _state(self, row, flat, others):
        """The state of a problem, of what `_moved` names: the first four on the host, the others on the device."""

    def _moved(self):
        """All that steps change and that goes on."""
        return self.theta, self.first, self.second, self.moment_steps

    def compact(self, ready):  # noqa: B027 - of a local variant everything may move
        """Let go of what never moves again of the problems that are at a validation: `ready`, a bool each."""

    # ---- steps

    def _back_up(self):
        self.backup = tuple(tensor.clone() for tensor in self._moved())

    @torch.no_grad()
    def advance(self, random, first_steps, steps, head_only=None, stop=None):
        """Make `steps` steps of all problems; those whose `random` is None stay where they are but for momentum.

        Returns how many were made: fewer than `steps` where `stop` ended them.

        Parameters
        ----------
        random : list of RandomNumbers or None
        first_steps : list of int
            Steps that each made since its `random` began.
        head_only : list of bool or None
            Whose W3 and b3 alone are trained; with pre-training only.
        stop : callable or None
            Asked several times a second.
        """
        self._back_up()
        self._hold(head_only or [False] * self.size)
        self.loss.zero_()
        block, at_once = self._prepare(random, first_steps, steps, stop)
        for begin in range(0, steps, at_once):
            if begin and stop is not None and stop():
                return begin
            self.replay.run(self._step, block(begin, at_once), at_once)
        return steps

    def _prepare(self, random, first_steps, steps, stop):
        """What makes the block of some steps from one on, and how many are made at a time."""
        rows, entries = self.batches.rows(random, first_steps, steps)
        entries = -(-entries // ROUND_ENTRIES) * ROUND_ENTRIES
        if self.replay.held is not None:
            entries = max(entries, Batch(*self.replay.held).positions.shape[-1])
        rows = self._tensor(rows)  # all at once: a copy from the host waits for the steps before it
        keys = self._tensor([keys_of(own) for own in random], torch.int64)
        first_steps = self._tensor(first_steps, torch.int64)

        def block(begin, at_once):
            return self.batches.block(rows[begin : begin + at_once], entries, keys, first_steps + begin)

        return block, self._steps_at_once(steps, self.batches.steps_at_once(entries, self.block_memory), stop)

    def _steps_at_once(self, steps, most, stop):
        """Steps between two looks at whether to stop: on a CPU few, where each takes milliseconds of every problem."""
        few = max(1, STEPS_BETWEEN // self.size) if stop is not None and self.device.type == "cpu" else steps
        return min(steps, most, few)

    def _hold(self, head_only):  # noqa: B027 - a global variant has no such steps
        """Note whose W3 and b3 alone are trained."""

    def _step(self, parts):
        batch = Batch(*parts)
        cd, values = self._cd(batch), self._dd(batch)
        if self.network.sigmoid:
            cd = cd.sigmoid()
        found = classify(
            self.dense, self.terms, batch, values, cd, self._head(self.theta), self.theta[-self.size :]
        )  # fmt: skip
        self.loss += found.loss
        self._head(self.gradient).copy_(found.g_head)
        self.gradient[-self.size :] = found.g_bias
        g_cd = found.g_cd * (cd * (1 - cd)) if self.network.sigmoid else found.g_cd
        self._backward(batch, values, found, g_cd)
        self._move(step_sizes(self.moment_steps, self.settings.adam()))

    def _sizes_of(self, sizes, of):
        """``step_sizes`` of parameters, in their type."""
        return torch.stack(sizes).to(self.type).index_select(1, of)

    @abstractmethod
    def _cd(self, batch):
        """cd of every term before σ, with the step's dropout."""

    def _dd(self, batch):
        """dd of every entry."""
        return batch.values

    @abstractmethod
    def _backward(self, batch, values, found, g_cd):
        """Gradients of cd's network, given those of cd before σ."""

    @abstractmethod
    def _move(self, sizes):
        """A step of Adam on all that is moved."""

    # ---- looking at it

    @torch.no_grad()
    def look(self):
        """cd of every term, without dropout, and the logits of all validation rows, problem by problem."""
        cd = self._mean_cd()
        if self.network.sigmoid:
            cd = cd.sigmoid()
        head, bias = self._head(self.theta), self.theta[-self.size :]
        return cd, self.validation.logits(self._validation_dd(), cd, head, bias)

    def read(self):
        """Everything that the protocol asks for, in one go."""
        return self.leave()()

    @torch.no_grad()
    def leave(self):
        """Begin to `read`: validation is counted on the device, and what it found leaves it while more steps may be
        launched. Returns a function that waits for it."""
        cd, logits = self.look()
        counted = self.validation.counted(logits)
        for values, of in ((cd, self.terms.of), (self.theta, self.of)):
            counted[2].index_add_(0, of, values.isfinite().logical_not().long())
        scores = torch.cat((self.loss[None], counted.double()))
        copies = leaving(scores, cd.double(), *[self.theta] * bool(self.network.kept))

        def arrived():
            scores, cd, *theta = copies()
            weights = [cd[self.terms.own(row)][each.place] for row, each in enumerate(self.arrays)]
            own = [theta[0][self._places(row)] if theta else None for row in range(self.size)]
            return Values(scores[0].tolist(), scores[1:].T.tolist(), weights, own)

        return arrived

    @abstractmethod
    def _mean_cd(self):
        """cd of every term before σ, without dropout."""

    def _validation_dd(self):
        """dd of the validation's entries."""
        return self.validation.dd
