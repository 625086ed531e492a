"""LTW-L (σ and I) and LTW-TF in lockstep: cd, and LTW-TF's dd, from the coordinates that terms and counts share.

What makes it small: terms share coordinates, so cd_L's hidden layer is computed for a problem's distinct pairs, and
LTW-TF's for its distinct counts (``lockstep_layer.py``). Leaves out pre-training's own steps
(``lockstep_pretrain.py``), and Bernoulli dropout.
"""

import numpy as np
import torch

from ltw_core.weighting.learned.engines.lockstep.adam import adam
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.layer import Layer, segments
from ltw_core.weighting.learned.engines.lockstep.pretrain import Pretraining
from ltw_core.weighting.learned.engines.lockstep.state import LocalState, layer_sizes


class LocalGroup(Group):
    """See ``Group``.

    Parameters
    ----------
    packed : list of Packed
    states : list of LocalState
        Where each begins.
    settings, device, block_memory, graphs
        As for ``Group``.
    """

    def __init__(self, packed, states, settings, device, block_memory, graphs):
        self.sizes = layer_sizes(settings, packed[0].n_terms)
        inner = sum(4 * units + 1 for units in self.sizes)
        items = np.zeros((len(packed), max(p.n_terms for p in packed)), dtype=np.int64)
        for own, each in zip(items, packed, strict=True):
            own[: each.n_terms] = each.order
        super().__init__(packed, settings, device, block_memory, graphs, inner, items)
        self._place_pairs()
        self.moving = torch.ones_like(self.theta) if settings.pretrain is not None else None
        self.p, self.g = self._parts(self.theta), self._parts(self.gradient)
        for row, state in enumerate(states):
            self.load(row, state)

    def _parts(self, flat):
        """Views of each layer: A = W1 with b1 under it (B, 3, H), W2 (B, 1, H), b2 (B, 1)."""
        parts, at = [], 0
        for units in self.sizes:
            a, w, bias = flat[:, at : at + 4 * units + 1].split([3 * units, units, 1], dim=1)
            parts.append((a.unflatten(1, (3, units)), w.unsqueeze(1), bias))
            at += 4 * units + 1
        return parts

    def _place_pairs(self):
        b, f = self.size, self.n_terms
        dropout = self.settings.dropout
        self.cd_layer = Layer([each.pairs for each in self.packed], self.sizes[0], dropout, self.type, self.device)
        pair_of, pairs = np.zeros((b, f), dtype=np.int64), self.cd_layer.points.shape[1]
        starts = np.zeros((b, pairs), dtype=np.int64)
        for i, each in enumerate(self.packed):
            pair_of[i, : each.n_terms] = each.pair_of
            starts[i] = np.searchsorted(each.pair_of, np.arange(pairs)) + f * i  # pairs that fill up have no terms
        self.pair_of = self._tensor(pair_of)
        # Places past a problem's last term fall to its last pair; their gradient is 0
        self.pair_bounds = self._tensor(np.append(starts.ravel(), b * f))
        if self.network.learned_dd:
            counts = [np.column_stack([each.frequencies, np.zeros_like(each.frequencies)]) for each in self.packed]
            self.dd_layer = Layer(counts, self.sizes[1], dropout, self.type, self.device)
            most = self.dd_layer.points.shape[1]
            seen = [own.long() + i * most for i, own in enumerate(self.validation.frequency)]
            self.seen_frequency = torch.cat(seen)

    def state(self, row, backup=False):
        theta, first, second, moment_steps = self._held(row, backup)
        places = self._places(row)
        return LocalState(theta[places], first[places], second[places], int(moment_steps[0]))

    # ---- steps

    @torch.no_grad()
    def pretrain(self, rows, points, wanted, stop=None):
        """Fit cd of the problems `rows` to their functions; see ``Pretraining.run``, also for what it returns."""
        self._back_up()
        each = points[0].nbytes + wanted[0].nbytes
        at_once = self.together(len(points), max(1, int(self.block_memory // each)), stop)
        return Pretraining(self, rows).run(points, wanted, at_once, stop)

    def _hold(self, head_only):
        if self.moving is not None:
            stays = self._tensor([not head for head in head_only])
            self.moving[:, : self.inner] = stays[:, None].to(self.type)

    def _cd(self, batch):
        """The mean of a term's pair and, times its own draw, the deviation."""
        a, w, bias = self.p[0]
        mean, deviation = self.cd_layer.forward(a, w)
        return mean.gather(1, self.pair_of) + bias + deviation.gather(1, self.pair_of) * batch.draws

    def _dd(self, batch):
        """Of LTW-TF, the mean of an entry's count and, times its own draw, the deviation."""
        if not self.network.learned_dd:
            return batch.values
        a, w, bias = self.p[1]
        mean, deviation = self.dd_layer.forward(a, w)
        out = mean.gather(1, batch.frequency) + bias + deviation.gather(1, batch.frequency) * batch.entry_draws
        return out.clamp_min(0) * batch.values

    def _backward(self, batch, values, found, g_cd):
        if self.network.learned_dd:
            self._dd_backward(batch, values, found.of_terms, found.of_rows)
        (a, w, _), (g_a, g_w, g_bias) = self.p[0], self.g[0]
        g_bias.copy_(g_cd.sum(1, keepdim=True))
        of_pair = segments(g_cd.view(-1), (g_cd * batch.draws).view(-1), self.pair_bounds).view(self.size, -1, 2)
        self.cd_layer.backward(a, w, of_pair[..., 0], of_pair[..., 1], g_a, g_w)

    def _dd_backward(self, batch, values, of_terms, of_rows):
        """Gradients of dd's layer, from what each entry is multiplied with: by term, and by row."""
        (a, w, _), (g_a, g_w, g_bias) = self.p[1], self.g[1]
        row, of_row = batch.positions // self.n_terms, of_rows.view(2, -1)
        term = row // self.batches.batch_size * self.n_terms + batch.positions % self.n_terms
        by_term = of_terms.view(2, -1)
        g = of_row[0, row] * by_term[0, term] - of_row[1, row] * values * by_term[1, term]
        g = torch.where(values > 0, g * batch.own, 0)
        g_bias.copy_(g.sum(1, keepdim=True))
        # sums by count as a product, whose order is fixed
        counts = torch.arange(self.dd_layer.points.shape[1], device=self.device)[:, None]
        which = (batch.frequency.unsqueeze(1) == counts).to(self.type)
        sums = torch.bmm(which, torch.stack((g, g * batch.entry_draws), dim=-1))
        self.dd_layer.backward(a, w, sums[..., 0], sums[..., 1], g_a, g_w)

    def _move(self, sizes):
        adam(self.theta, self.first, self.second, self.gradient, sizes, self.settings.adam(), self.moving)

    # ---- looking at it

    def _mean_cd(self):
        a, w, bias = self.p[0]
        return self.cd_layer.mean(a, w).gather(1, self.pair_of) + bias

    def _validation_dd(self):
        if not self.network.learned_dd:
            return self.validation.dd
        a, w, bias = self.p[1]
        return (self.dd_layer.mean(a, w) + bias).clamp_min(0).view(-1)[self.seen_frequency]
