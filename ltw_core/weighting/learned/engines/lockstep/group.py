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
from ltw_core.weighting.learned.engines.lockstep.operators import step_sizes
from ltw_core.weighting.learned.engines.lockstep.replay import Replay

STEPS_BETWEEN = 20  # steps of one problem on a CPU between two looks at whether to stop
ROUND_ENTRIES = 512  # batches are filled up to a multiple of it, so that a captured graph's shapes seldom change


class Values(NamedTuple):
    """What the host reads at a validation; an entry a problem."""

    loss: list  # summed over the steps since the last `advance` began
    cd: list  # (F,), raw
    logits: list  # of the validation's rows
    theta: list  # the parameters, but for those of other shapes


class Group(ABC):
    """B problems that advance side by side. See the module; made as a ``LocalGroup`` or a ``GlobalGroup``.

    In a row of ``theta``, ``first`` and ``second`` lie a problem's parameters, or their moments: ``inner`` of cd's
    network, then W3 (F) and b3. What has other shapes is the variants' own.

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
    inner : int
    items : ndarray of int64, shape (B, D)
        What has a random number of dropout at every step, of each problem: the numbers of its terms, or of LTW-G's
        hidden units.
    """

    def __init__(self, arrays, settings, device, block_memory, graphs, inner, items):
        self.arrays, self.settings, self.network, self.device = arrays, settings, settings.network, device
        self.block_memory, self.graphs = block_memory, graphs
        self.type = getattr(torch, settings.dtype)
        self.size, self.n_terms, self.inner = len(arrays), max(p.n_terms for p in arrays), inner
        self.batches = Batches(arrays, settings, device, self.n_terms, items)
        self.validation = Validation(arrays, device, self.n_terms)
        self._make_rows()
        self.moment_steps = torch.zeros(self.size, 1, dtype=torch.float64, device=device)
        self.loss = torch.zeros(self.size, dtype=torch.float64, device=device)
        self.dense = self._zeros(2, self.size, self.batches.batch_size, self.n_terms)  # a batch, and its squares
        self.replay = Replay(device, graphs)
        self.backup = None

    def _make_rows(self):
        width = self.inner + self.n_terms + 1
        self.theta, self.first, self.second, self.gradient = (self._zeros(self.size, width) for _ in range(4))

    def _zeros(self, *shape):
        return torch.zeros(shape, dtype=self.type, device=self.device)

    def _tensor(self, array, dtype=None):
        return torch.as_tensor(array, dtype=dtype, device=self.device)

    # ---- in and out

    def _places(self, row):
        """Where a problem's own parameters lie in its row."""
        return np.r_[0 : self.inner + self.arrays[row].n_terms, self.theta.shape[1] - 1]

    def fits(self, state):
        """Whether there is room for a state in place of another."""
        return True

    def load(self, row, state):
        """Put a problem's parameters and moments in a row."""
        places = self._tensor(self._places(row))
        for flat, own in ((self.theta, state.theta), (self.first, state.first), (self.second, state.second)):
            flat[row] = 0
            flat[row, places] = self._tensor(own, self.type)
        self.moment_steps[row] = state.moment_steps

    def forget(self, row):
        """Put a problem's moments to 0."""
        self.first[row] = self.second[row] = self.moment_steps[row] = 0

    @abstractmethod
    def state(self, row, backup=False):
        """Parameters and moments of a problem on the host; of before the last `advance`, if `backup`."""

    def _held(self, row, backup):
        """Of what `_moved` names, a problem's on the host."""
        return [tensor[row].cpu().numpy() for tensor in (self.backup if backup else self._moved())]

    def _moved(self):
        """All that steps change and that goes on."""
        return self.theta, self.first, self.second, self.moment_steps

    def compact(self):  # noqa: B027 - of a local variant everything may move
        """Let go of what never moves again."""

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
        rows, entries = self.batches.rows(random, first_steps, steps)
        entries = -(-entries // ROUND_ENTRIES) * ROUND_ENTRIES
        if self.replay.held is not None:
            entries = max(entries, Batch(*self.replay.held).positions.shape[-1])
        rows = self._tensor(rows)  # all at once: a copy from the host waits for the steps before it
        keys = self._tensor([keys_of(own) for own in random], torch.int64)
        first_steps = self._tensor(first_steps, torch.int64)
        at_once = self._steps_at_once(steps, self.batches.steps_at_once(entries, self.block_memory), stop)
        for begin in range(0, steps, at_once):
            if begin and stop is not None and stop():
                return begin
            part = rows[begin : begin + at_once]
            block = self.batches.block(part, entries, keys, first_steps + begin)
            self.replay.run(self._step, block, at_once)
        return steps

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
        found = classify(self.dense, batch, values, cd, self.theta[:, self.inner : -1], self.theta[:, -1:])
        self.loss += found.loss
        self.gradient[:, self.inner : -1] = found.g_head
        self.gradient[:, -1:] = found.g_bias
        g_cd = found.g_cd * (cd * (1 - cd)) if self.network.sigmoid else found.g_cd
        self._backward(batch, values, found, g_cd)
        self._move(step_sizes(self.moment_steps, self.settings.adam()))

    @abstractmethod
    def _cd(self, batch):
        """cd of every term before σ, with the step's dropout: (B, F)."""

    def _dd(self, batch):
        """dd of every entry: (B, E)."""
        return batch.values

    @abstractmethod
    def _backward(self, batch, values, found, g_cd):
        """Gradients of cd's network, given those of cd before σ."""

    @abstractmethod
    def _move(self, sizes):
        """A step of Adam on all that is moved."""

    # ---- looking at it

    @torch.no_grad()
    def read(self):
        """Everything that the protocol asks for, in one go."""
        cd = self._mean_cd()
        if self.network.sigmoid:
            cd = cd.sigmoid()
        logits = self.validation.logits(self._validation_dd(), cd, self.theta[:, self.inner : -1], self.theta[:, -1:])
        cd, theta = cd.double().cpu().numpy(), self.theta.cpu().numpy()
        own = [values[self._places(row)] for row, values in enumerate(theta)]
        weights = [values[each.place] for values, each in zip(cd, self.arrays, strict=True)]
        return Values(self.loss.tolist(), weights, logits, own)

    @abstractmethod
    def _mean_cd(self):
        """cd of every term before σ, without dropout: (B, F)."""

    def _validation_dd(self):
        """dd of the validation's entries."""
        return self.validation.dd
