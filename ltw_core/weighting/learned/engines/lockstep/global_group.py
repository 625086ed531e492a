"""LTW-G (σ and I) in lockstep, with the first layer collapsed to z as in ``compiled/global_engine.py``.

A problem has a second layer W2 (H × F) of its own, with two moments as large: reading and writing these is nearly all
of a step. So the gradient of W2, the outer product of the hidden layer and of that of cd, is never made: it goes into
the moments as it is. Of the hidden units only those are here that may move: one that is not positive and has no
momentum never does again, and adds nothing to cd. Half are so from the start, and half of the rest soon after.

Leaves out ``pretrain`` and steps of W3 and b3 alone: the global variants have neither.
"""

import numpy as np
import torch

from ltw_core.weighting.learned.engines.compiled.kernels.adam import FLUSH_FIRST
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.operators import adam, adam_outer, adam_through
from ltw_core.weighting.learned.network import sigmoid

IDLE_UNITS = 0.25  # share of rows whose units never move again at which the arrays are made anew


class GlobalState:
    """Parameters and moments of a problem of a global variant on the host, while it has no place in a group.

    Without the hidden units that never move again: they add nothing to cd.

    Attributes
    ----------
    units : ndarray of int64, shape (U,)
        The units that are left, of all H.
    theta, first, second : ndarray, shape (U + 2·F + 1,)
        z of these units, b2, W3, b3, one after the other, and their moments.
    weights, first_weights, second_weights : ndarray, shape (U, F)
        The units' rows of W2, and their moments.
    """

    def __init__(self, units, theta, weights, moments=None, moment_steps=0):
        self.units, self.theta, self.weights, self.moment_steps = units, theta, weights, moment_steps
        if moments is None:
            moments = [np.zeros(like.shape, like.dtype) for like in (theta, theta, weights, weights)]  # no memory yet
        self.first, self.second, self.first_weights, self.second_weights = moments

    @classmethod
    def of(cls, parameters, arrays):
        """New moments for parameters by the names of ``network.py``. A unit that is not positive at rest has no
        gradient, and stays as it is for ever: half of new ones are so."""
        units = np.flatnonzero(parameters["z"] > 0)
        parts = [parameters["z"][units], *(parameters[name] for name in ("b2", "W3", "b3"))]
        return cls(units, np.concatenate(parts).astype(arrays.dtype), parameters["W2"][units].astype(arrays.dtype))

    def parameters(self, arrays):
        """The parameters by name, of z and W2 what `units` names."""
        u, f = len(self.units), arrays.n_terms
        z, bias, head, last = np.split(self.theta, [u, u + f, u + 2 * f])
        return {"z": z, "W2": self.weights, "b2": bias, "W3": head, "b3": last}

    def cd(self, settings, arrays):
        """cd of every term, without dropout."""
        p = self.parameters(arrays)
        raw = (np.maximum(p["z"], 0) @ p["W2"] + p["b2"]).astype(np.float64)
        return sigmoid(raw) if settings.network.sigmoid else raw


class GlobalGroup(Group):
    """See ``Group``. A problem's hidden units have the first places, filled up by ones that are never positive.

    Parameters
    ----------
    arrays : list of ProblemArrays
    states : list of GlobalState
        Where each begins; the one with most units decides for how many there is room.
    settings, device, block_memory, graphs
        As for ``Group``.
    """

    def __init__(self, arrays, states, settings, device, block_memory, graphs):
        self.units = [state.units for state in states]
        self.room = max(1, *map(len, self.units))
        n_terms = max(p.n_terms for p in arrays)
        items = np.zeros((len(arrays), self.room), dtype=np.int64)
        super().__init__(arrays, settings, device, block_memory, graphs, self.room + n_terms, items)
        self.tables = self._tensor(np.stack([each.reach for each in arrays]))
        shape = self.size, self.room, self.n_terms
        self.weights, self.first_weights, self.second_weights, self.spare = (self._zeros(*shape) for _ in range(4))
        for row, state in enumerate(states):
            self.load(row, state)

    def _places(self, row):
        u, f = len(self.units[row]), self.arrays[row].n_terms
        return np.r_[0:u, self.room : self.room + f, self.inner : self.inner + f, self.theta.shape[1] - 1]

    # ---- in and out

    def fits(self, state):
        return len(state.units) <= self.room

    def load(self, row, state):
        self.units[row] = state.units
        super().load(row, state)
        u, f = state.weights.shape
        self.batches.items[row, :u] = self._tensor(state.units)
        for held, own in (
            (self.weights, state.weights),
            (self.first_weights, state.first_weights),
            (self.second_weights, state.second_weights),
        ):
            held[row] = 0
            held[row, :u, :f] = self._tensor(own, self.type)

    def forget(self, row):
        super().forget(row)
        self.first_weights[row] = self.second_weights[row] = 0

    def state(self, row, backup=False):
        theta, first, second, moment_steps, *matrices = self._held(row, backup)
        u, f = len(self.units[row]), self.arrays[row].n_terms
        weights, first_weights, second_weights = (own[:u, :f] for own in matrices)
        live = (theta[:u] > 0) | _moves(first[:u]) | _moves(first_weights).any(axis=1)
        places = self._places(row)
        places = np.r_[places[:u][live], places[u:]]
        moments = first[places], second[places], first_weights[live], second_weights[live]
        return GlobalState(self.units[row][live], theta[places], weights[live], moments, int(moment_steps[0]))

    def _moved(self):
        return *super()._moved(), self.weights, self.first_weights, self.second_weights

    @torch.no_grad()
    def compact(self):
        """Let go of units that never move again, once that spares a quarter of the rows."""
        momentum = torch.abs(self.first_weights, out=self.spare).amax(2).maximum(self._z(self.first).abs())
        live = (self._z(self.theta) > 0) | (momentum > _least(np.dtype(self.settings.dtype)))
        room = max(1, int(live.sum(1).max()))
        if room > (1 - IDLE_UNITS) * self.room:
            return
        self.replay.forget()
        self.spare = self.backup = None
        order = live.logical_not().int().sort(stable=True).indices[:, :room]
        which = torch.arange(self.size, device=self.device)[:, None]
        matrices = [held[which, order] for held in (self.weights, self.first_weights, self.second_weights)]
        flats = [
            torch.cat((self._z(flat).gather(1, order), flat[:, self.room :]), dim=1)
            for flat in (self.theta, self.first, self.second, self.gradient)
        ]
        # All is made before any is put in place: memory may run out on the way
        spare = torch.empty_like(matrices[0])
        self.batches.items = self.batches.items.gather(1, order)
        self.weights, self.first_weights, self.second_weights = matrices
        self.theta, self.first, self.second, self.gradient = flats
        self.spare, self.room, self.inner = spare, room, room + self.n_terms
        self.units = [own[left[: len(own)]] for own, left in zip(self.units, live.cpu().numpy(), strict=True)]

    # ---- steps

    def _z(self, flat):
        return flat[:, : self.room]

    def _bias(self, flat):
        return flat[:, self.room : self.inner]

    def _cd(self, batch):
        self.hidden = self._z(self.theta).clamp_min(0) * batch.noise
        return torch.baddbmm(self._bias(self.theta).unsqueeze(1), self.hidden.unsqueeze(1), self.weights).squeeze(1)

    def _backward(self, batch, values, found, g_cd):
        self._bias(self.gradient).copy_(g_cd)
        pull = torch.bmm(self.weights, g_cd.unsqueeze(2)).squeeze(2)
        self._z(self.gradient).copy_(torch.where(self.hidden > 0, pull * batch.noise, 0))

    def _move(self, sizes):
        optimiser = self.settings.adam()
        flats = self.theta, self.first, self.second, self.gradient
        matrices = self.weights, self.first_weights, self.second_weights
        adam_outer(*matrices, self.hidden, self._bias(self.gradient), sizes, optimiser, self.spare)
        adam_through(*map(self._z, flats), sizes, optimiser, self.tables)
        adam(*(flat[:, self.room :] for flat in flats), sizes, optimiser)

    # ---- looking at it

    def _mean_cd(self):
        hidden = self._z(self.theta).clamp_min(0).unsqueeze(1)
        return torch.baddbmm(self._bias(self.theta).unsqueeze(1), hidden, self.weights).squeeze(1)


def _moves(first):
    """Where there is momentum."""
    return np.abs(first) > _least(first.dtype)


def _least(dtype):
    """Momentum under which the compiled engine takes it for none (``kernels.adam``)."""
    return float(FLUSH_FIRST * np.finfo(dtype).tiny)
