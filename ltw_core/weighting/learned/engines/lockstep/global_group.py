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
from ltw_core.weighting.learned.engines.lockstep.device import to_host
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.operators import adam, adam_outer, adam_through
from ltw_core.weighting.learned.engines.lockstep.stretches import Stretches
from ltw_core.weighting.learned.network import sigmoid

IDLE_UNITS = 0.25  # share of units that never move again at which they are let go


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

    def matrices(self):
        return self.weights, self.first_weights, self.second_weights

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
    """See ``Group``. Each problem has room for its own hidden units and no more; what it no longer needs is 0.

    Parameters
    ----------
    arrays : list of ProblemArrays
    states : list of GlobalState
        Where each begins.
    settings, device, block_memory, graphs
        As for ``Group``.

    Attributes
    ----------
    rooms : Stretches
        Where each problem's units lie.
    weights, first_weights, second_weights : tensors
        W2 of all problems, one after the other, and its moments.
    matrices : list of tuple of tensors, shape (room, F)
        Each problem's part of these.
    """

    def __init__(self, arrays, states, settings, device, block_memory, graphs):
        super().__init__(arrays, settings, device, block_memory, graphs)
        self.units = [state.units for state in states]
        self.tables = self._tensor(np.stack([each.reach for each in arrays]))
        self._place_units(self._needed())
        self._load_all(states)
        for row, state in enumerate(states):
            self._load_matrices(row, state)

    def _needed(self):
        return [max(1, len(own)) for own in self.units]

    def _place_units(self, sizes):
        """Make arrays with room for so many units of each problem, all 0. Memory may run out on the way: what is there
        stays until all is made."""
        rooms = Stretches(sizes, self.device)
        terms = [each.n_terms for each in self.arrays]
        starts = np.append(0, np.cumsum(rooms.sizes * terms))
        sizes = np.diff(starts).tolist()
        flats = [self._zeros(sum(sizes)) for _ in range(3)]
        items = torch.zeros(rooms.total, dtype=torch.int64, device=self.device)
        self._make_spare(rooms, starts)
        self._make_rows(torch.cat((rooms.of, self.terms.of)))
        self.rooms, self.starts, (self.weights, self.first_weights, self.second_weights) = rooms, starts, flats
        self.batches.items, self.batches.of_items = items, rooms.of
        parts = zip(*(flat.split(sizes) for flat in flats), strict=True)
        self.matrices = [tuple(part.view(-1, f) for part in own) for own, f in zip(parts, terms, strict=True)]

    def _make_spare(self, rooms, starts):
        self.spare = self._zeros(int(np.diff(starts).max()))

    def _network_places(self, row):
        z, terms = self.rooms.starts[row], self.terms.own(row)
        return np.r_[z : z + len(self.units[row]), self.rooms.total + np.arange(terms.start, terms.stop)]

    def _have(self, row, units):
        self.units[row] = units
        self._places_of.pop(row, None)

    # ---- in and out

    def load(self, row, state):
        if len(state.units) > self.rooms.sizes[row]:
            sizes = self.rooms.sizes.copy()
            sizes[row] = len(state.units)
            self._resize(sizes)
        self._have(row, state.units)
        for held in (*map(self._z, (self.theta, self.first, self.second)), self.batches.items):
            held[self.rooms.own(row)] = 0
        super().load(row, state)
        self._load_matrices(row, state)

    def _load_matrices(self, row, state):
        u, begin = len(state.units), int(self.rooms.starts[row])
        self.batches.items[begin : begin + u] = self._tensor(state.units)
        for held, own in zip(self.matrices[row], state.matrices(), strict=True):
            held.zero_()
            if own is state.weights or state.moment_steps:  # new moments are 0
                held[:u] = self._tensor(own, self.type)

    def forget(self, row):
        super().forget(row)
        for moments in self.matrices[row][1:]:
            moments.zero_()

    def _state(self, row, flat, matrices):
        theta, first, second, moment_steps = flat
        places, f, begin = self._places(row), self.arrays[row].n_terms, int(self.starts[row])
        own = [each[begin : begin + len(self.units[row]) * f].view(-1, f) for each in matrices]
        weights, *moments = to_host(*own)
        return GlobalState(
            self.units[row], theta[places], weights, [first[places], second[places], *moments], int(moment_steps[row])
        )

    def _moved(self):
        return *super()._moved(), self.weights, self.first_weights, self.second_weights

    @torch.no_grad()
    def compact(self, ready):
        """Let go of the units of a problem that never move again, once these are a quarter of its own; and of room that
        nobody needs, once it is a quarter of all."""
        live, going = to_host(self._live())[0], {}
        for row, units in enumerate(self.units):
            own = live[self.rooms.starts[row] :][: len(units)]
            if ready[row] and len(units) and np.count_nonzero(own) <= (1 - IDLE_UNITS) * len(units):
                going[row] = np.flatnonzero(own)
        if going:
            self._keep(going)
        if sum(self._needed()) <= (1 - IDLE_UNITS) * self.rooms.total:
            self._resize(self._needed())

    def _live(self):
        """Which places have a unit that may still move."""
        of_weights = torch.cat([torch.maximum(first.amax(1), -first.amin(1)) for _, first, _ in self.matrices])
        momentum = of_weights.maximum(self._z(self.first).abs())
        return (self._z(self.theta) > 0) | (momentum > _least(np.dtype(self.settings.dtype)))

    def _keep(self, going):
        """Keep these units of some problems, in their order, and put 0 in place of the others. All is made before any
        is put in place: memory may run out on the way."""
        moved = []
        for row, kept in going.items():
            at, own = self._tensor(kept), self.rooms.own(row)
            flats = (self.theta, self.first, self.second, self.batches.items)
            held = *self.matrices[row], *(flat[own] for flat in flats)
            moved += [(each, each.index_select(0, at)) for each in held]
        for each, kept in moved:
            each[: len(kept)] = kept
            each[len(kept) :] = 0
        for row, kept in going.items():
            self._have(row, self.units[row][kept])

    def _resize(self, sizes):
        """Make the arrays again with room for so many units of each problem, at least those that it keeps."""
        self.replay.forget()
        self.spare = self.backup = None
        before, matrices, items = self.rooms, self.matrices, self.batches.items
        flats = self.theta, self.first, self.second
        self._place_units(sizes)
        pairs = list(zip((self.theta, self.first, self.second), flats, strict=True))
        for new, old in pairs:
            new[self.rooms.total :] = old[before.total :]
        pairs.append((self.batches.items, items))
        for row, units in enumerate(self.units):
            u, to, at = (
                int(each) for each in (min(len(units), sizes[row]), self.rooms.starts[row], before.starts[row])
            )
            for new, old in pairs:
                new[to : to + u] = old[at : at + u]
            for new, old in zip(self.matrices[row], matrices[row], strict=True):
                new[:u] = old[:u]

    # ---- steps

    def _z(self, flat):
        return flat[: self.rooms.total]

    def _bias(self, flat):
        return flat[self.rooms.total : self.n_network]

    def _own(self):
        """(row, its units, its terms) of each problem."""
        return [(row, self.rooms.own(row), self.terms.own(row)) for row in range(self.size)]

    def _cd(self, batch):
        self.hidden = self._z(self.theta).clamp_min(0) * batch.noise
        return self._raw(self.hidden)

    def _raw(self, hidden):
        """cd before σ of a hidden layer."""
        bias = self._bias(self.theta)
        out = torch.zeros_like(bias)
        for row, units, terms in self._own():
            torch.addmv(bias[terms], self.matrices[row][0].mT, hidden[units], out=out[terms])
        return out

    def _backward(self, batch, values, found, g_cd):
        self._bias(self.gradient).copy_(g_cd)
        pull = torch.empty_like(self.hidden)
        for row, units, terms in self._own():
            torch.mv(self.matrices[row][0], g_cd[terms], out=pull[units])
        self._z(self.gradient).copy_(torch.where(self.hidden > 0, pull * batch.noise, 0))

    def _move(self, sizes):
        optimiser, g_cd, of = self.settings.adam(), self._bias(self.gradient), self.rooms.of
        left, right = (torch.stack((each, each * each)) for each in (self.hidden, g_cd))
        parts = zip(*((left[:, units], right[:, terms]) for _, units, terms in self._own()), strict=True)
        adam_outer(self.matrices, *parts, sizes, optimiser, self.spare)
        flats = self.theta, self.first, self.second, self.gradient
        adam_through(*map(self._z, flats), [part[of] for part in sizes], optimiser, self.tables, of)
        begin = self.rooms.total
        adam(*(flat[begin:] for flat in flats), self._sizes_of(sizes, self.of[begin:]), optimiser)

    # ---- looking at it

    def _mean_cd(self):
        return self._raw(self._z(self.theta).clamp_min(0))


def _least(dtype):
    """Momentum under which the compiled engine takes it for none (``kernels.adam``)."""
    return float(FLUSH_FIRST * np.finfo(dtype).tiny)
