"""LTW-L (σ and I) and LTW-TF in lockstep: cd, and LTW-TF's dd, from the coordinates that terms and counts share.

What makes it small: terms share coordinates, so cd_L's hidden layer is computed for a problem's distinct pairs, and
LTW-TF's for its distinct counts (``operators.Layer``). Leaves out Bernoulli dropout.
"""

import numpy as np
import torch

from ltw_core.weighting.learned.engines.lockstep.device import to_host
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.operators import Layer, adam, segments, step_sizes
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from ltw_core.weighting.learned.network import local_cd


def layer_sizes(settings, n_terms):
    """Hidden units of cd's layer, and of dd's in LTW-TF."""
    hidden = settings.hidden_units(n_terms)
    return (hidden, settings.hidden_dd) if settings.network.learned_dd else (hidden,)


class LocalState:
    """Parameters and moments of a problem of a local variant on the host, while it has no place in a group.

    Flat arrays of A = W1 over b1, W2, b2, then of LTW-TF the same for W4 over zeros over b4, W5, b5 (its points have no
    second coordinate), then W3 (by place) and b3.
    """

    def __init__(self, theta, first=None, second=None, moment_steps=0):
        self.theta = theta
        self.first = np.zeros_like(theta) if first is None else first
        self.second = np.zeros_like(theta) if second is None else second
        self.moment_steps = moment_steps

    @classmethod
    def of(cls, parameters, arrays):
        """New moments for parameters by the names of ``network.py``."""
        parts = [np.ravel(parameters[name]) for name in ("W1", "b1", "W2", "b2")]
        if "W4" in parameters:
            w4, b4, w5, b5 = (parameters[name] for name in ("W4", "b4", "W5", "b5"))
            parts += [w4, np.zeros_like(w4), b4, w5, b5]
        parts += [parameters["W3"][arrays.order], parameters["b3"]]
        return cls(np.concatenate(parts).astype(arrays.dtype))

    def parameters(self, sizes, arrays):
        """The parameters by name; `sizes` as of ``layer_sizes``."""
        found, begin = {}, 0
        for names, units in zip((("W1", "b1", "W2", "b2"), ("W4", "b4", "W5", "b5")), sizes, strict=False):
            values = self.theta[begin : begin + 4 * units + 1]
            rows, w, bias = values[: 3 * units].reshape(3, units), values[3 * units : -1], values[-1:]
            found |= zip(names, (rows[:2] if names[0] == "W1" else rows[0], rows[2], w, bias), strict=True)
            begin += len(values)
        return found | {"W3": self.theta[begin:-1][arrays.place], "b3": self.theta[-1:]}

    def cd(self, settings, arrays):
        """cd of every term, without dropout."""
        parameters = self.parameters(layer_sizes(settings, arrays.n_terms), arrays)
        pairs, pair_of = arrays.problem.pairs
        return local_cd(parameters, pairs[:, 0], pairs[:, 1], settings.network.sigmoid)[pair_of]


class LocalGroup(Group):
    """See ``Group``.

    Parameters
    ----------
    arrays : list of ProblemArrays
    states : list of LocalState
        Where each begins.
    settings, device, block_memory, graphs
        As for ``Group``.
    """

    def __init__(self, arrays, states, settings, device, block_memory, graphs):
        super().__init__(arrays, settings, device, block_memory, graphs)
        self.sizes = layer_sizes(settings, arrays[0].n_terms)
        self.inner = sum(4 * units + 1 for units in self.sizes)
        self._make_rows(torch.arange(self.size, device=device).repeat_interleave(self.inner))
        self._place_points()
        self.moving = torch.ones_like(self.theta) if settings.pretrain is not None else None
        self.p, self.g = self._parts(self.theta), self._parts(self.gradient)
        self._load_all(states)

    def _networks(self, flat):
        """(B, parameters of a network)."""
        return flat[: self.n_network].view(self.size, -1)

    def _network_places(self, row):
        return np.arange(self.inner) + row * self.inner

    def _parts(self, flat):
        """Views of each layer: A = W1 with b1 under it (B, 3, H), W2 (B, 1, H), b2 (B, 1)."""
        parts, at = [], 0
        for units in self.sizes:
            a, w, bias = self._networks(flat)[:, at : at + 4 * units + 1].split([3 * units, units, 1], dim=1)
            parts.append((a.unflatten(1, (3, units)), w.unsqueeze(1), bias))
            at += 4 * units + 1
        return parts

    def _layer(self, points, which):
        return Layer(points, self.sizes[which], self.settings.dropout, self.type, self.device)

    def _place_points(self):
        self.cd_layer = self._layer([each.pairs for each in self.arrays], 0)
        pairs, terms = self.cd_layer.places, self.terms
        of_terms = [each.pair_of + pairs.starts[row] for row, each in enumerate(self.arrays)]
        self.pair_of = self._tensor(terms.placed(of_terms, np.int64))
        begins = [
            terms.starts[row] + np.searchsorted(each.pair_of, np.arange(pairs.starts[row + 1] - pairs.starts[row]))
            for row, each in enumerate(self.arrays)
        ]  # places that fill up have no terms, but for the last of a problem, which has those that fill up: gradients 0
        self.pair_bounds = self._tensor(np.append(np.concatenate(begins), terms.total))
        if self.network.learned_dd:
            counts = [np.column_stack([each.frequencies, np.zeros_like(each.frequencies)]) for each in self.arrays]
            self.dd_layer = self._layer(counts, 1)
            seen = [own.long() + int(self.counts.starts[row]) for row, own in enumerate(self.validation.frequency)]
            self.seen_frequency = torch.cat(seen)

    def _state(self, row, flat, _):
        theta, first, second, moment_steps = flat
        places = self._places(row)
        return LocalState(theta[places], first[places], second[places], int(moment_steps[row]))

    # ---- steps

    @torch.no_grad()
    def pretrain(self, rows, points, wanted, stop=None):
        """Fit cd of the problems `rows` to their functions; see ``Pretraining.run``, also for what it returns."""
        self._back_up()
        each = points[0].nbytes + wanted[0].nbytes
        at_once = self._steps_at_once(len(points), max(1, int(self.block_memory // each)), stop)
        return self._pretraining(rows).run(points, wanted, at_once, stop)

    def _pretraining(self, rows):
        return Pretraining(self, rows)

    def _hold(self, head_only):
        if self.moving is not None:
            stays = self._tensor([not head for head in head_only])
            self._networks(self.moving).copy_(stays[:, None])

    def _at(self, layer, bias, which, of, noise):
        """What a layer (mean and deviation of its points, and bias) gives at these points, `of` these problems."""
        mean, deviation = layer
        mean = mean.index_select(0, which) + bias[:, 0].index_select(0, of)
        return mean.addcmul_(deviation.index_select(0, which), noise)

    def _cd(self, batch):
        """The mean of a term's pair and, times a random number, the deviation."""
        a, w, bias = self.p[0]
        return self._at(self.cd_layer.forward(a, w), bias, self.pair_of, self.terms.of, batch.noise)

    def _dd(self, batch):
        """Of LTW-TF, the mean of an entry's count and, times a random number, the deviation."""
        if not self.network.learned_dd:
            return batch.values
        a, w, bias = self.p[1]
        of = self.counts.of.index_select(0, batch.frequency)
        out = self._at(self.dd_layer.forward(a, w), bias, batch.frequency, of, batch.entry_noise)
        return out.clamp_min(0) * batch.values

    def _backward(self, batch, values, found, g_cd):
        if self.network.learned_dd:
            self._dd_backward(batch, values, found.of_terms, found.of_rows)
        (a, w, _), (g_a, g_w, g_bias) = self.p[0], self.g[0]
        g_bias.copy_(self.terms.sums(g_cd)[:, None])
        of_pair = segments(g_cd, g_cd * batch.noise, self.pair_bounds)
        self.cd_layer.backward(a, w, of_pair[:, 0], of_pair[:, 1], g_a, g_w)

    def _dd_backward(self, batch, values, of_terms, of_rows):
        """Gradients of dd's layer, from what each entry is multiplied with: by term, and by row."""
        (a, w, _), (g_a, g_w, g_bias) = self.p[1], self.g[1]
        n, tile = self.batches.batch_size, self.terms.tile
        which, term = batch.positions // (n * tile), batch.positions % tile
        row = self.terms.of_tile.index_select(0, which) * n + batch.positions // tile % n
        of_row, of_term = of_rows.view(2, -1)[:, row], of_terms[:, which * tile + term]
        g = of_row[0] * of_term[0] - of_row[1] * values * of_term[1]
        g = torch.where(values > 0, g * batch.own, 0)[batch.by_count]
        sums = segments(g, g * batch.entry_noise[batch.by_count], batch.counted)
        g_bias.copy_(self.counts.sums(sums[:, 0])[:, None])
        self.dd_layer.backward(a, w, sums[:, 0], sums[:, 1], g_a, g_w)

    def _move(self, sizes):
        sizes = self._sizes_of(sizes, self.of)
        adam(self.theta, self.first, self.second, self.gradient, sizes, self.settings.adam(), self.moving)

    # ---- looking at it

    def _mean_cd(self):
        a, w, bias = self.p[0]
        return self.cd_layer.mean(a, w)[self.pair_of] + bias[:, 0][self.terms.of]

    def _validation_dd(self):
        if not self.network.learned_dd:
            return self.validation.dd
        a, w, bias = self.p[1]
        return (self.dd_layer.mean(a, w) + bias[:, 0][self.counts.of]).clamp_min(0)[self.seen_frequency]


class Pretraining:
    """Fitting cd_L of some problems of a group to their functions of (tpr, fpr), side by side: mean squared error on
    uniform points, a hundred a step, without dropout. Leaves out when it ends (``protocol.py``).

    Steps are made on copies of some rows of the group.

    Parameters
    ----------
    group : LocalGroup
    rows : list of int
        The problems at work.
    """

    def __init__(self, group, rows):
        self.group, self.hidden = group, group.sizes[0]
        self.rows = torch.as_tensor(rows, device=group.device)
        self.width = 4 * self.hidden + 1
        self.theta, self.first, self.second = (
            group._networks(flat)[self.rows, : self.width] for flat in (group.theta, group.first, group.second)
        )
        self.moment_steps = group.moment_steps[self.rows]
        self.error = torch.zeros(len(rows), dtype=torch.float64, device=group.device)
        self.replay = Replay(group.device, group.graphs)

    def run(self, points, wanted, at_once, stop=None):
        """Make a step for each of the blocks of points.

        Parameters
        ----------
        points : ndarray of shape (steps, problems, points, 2)
        wanted : ndarray of shape (steps, problems, points)
        at_once : int
            Steps whose points are on the device at a time.
        stop : callable or None
            Asked before each such block; where it is true the rest is left out.

        Returns
        -------
        list of float, the mean error of each problem over the steps; None if they were ended by `stop`
        """
        kind, device = self.theta.dtype, self.theta.device
        at_once = min(at_once, len(points))
        for begin in range(0, len(points), at_once):
            if stop is not None and stop():
                return None
            some = slice(begin, begin + at_once)
            block = tuple(torch.as_tensor(part[some], dtype=kind, device=device) for part in (points, wanted))
            self.replay.run(self._step, block, at_once)
        for flat, own in (
            (self.group.theta, self.theta),
            (self.group.first, self.first),
            (self.group.second, self.second),
        ):
            self.group._networks(flat)[self.rows, : self.width] = own
        self.group.moment_steps[self.rows] = self.moment_steps
        self.group.replay.messages += self.replay.messages
        return to_host(self.error / len(points))[0].tolist()

    def _step(self, parts):
        points, wanted = parts
        h = self.hidden
        a, w = self.theta[:, : 3 * h].unflatten(1, (3, h)), self.theta[:, 3 * h : 4 * h, None]
        hidden = torch.baddbmm(a[:, 2:], points, a[:, :2]).clamp_min_(0)
        out = torch.bmm(hidden, w).squeeze(2) + self.theta[:, -1:]
        if self.group.settings.network.sigmoid:
            out = out.sigmoid()
        miss = out - wanted
        self.error += miss.double().square().mean(1)
        g = miss * (2 / points.shape[1])
        if self.group.settings.network.sigmoid:
            g = g * out * (1 - out)
        g_w = torch.bmm(g[:, None], hidden)[:, 0]
        g_hidden = g[:, :, None] * w.mT * (hidden > 0)
        g_a = torch.cat((torch.bmm(points.mT, g_hidden), g_hidden.sum(1, keepdim=True)), dim=1)
        gradient = torch.cat((g_a.flatten(1), g_w, g.sum(1, keepdim=True)), dim=1)
        optimiser = self.group.settings.adam(self.group.settings.pretrain_rate)
        sizes = [part.to(gradient.dtype)[:, None] for part in step_sizes(self.moment_steps, optimiser)]
        adam(self.theta, self.first, self.second, gradient, sizes, optimiser)
