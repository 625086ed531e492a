"""The numerics of a lockstep: steps of LTW-L (σ and I) and LTW-TF for B problems at once, as torch operators on one
device.

A step reads nothing back: batches and draws lie ready (``lockstep_batches.py``), losses add up on the device, and on
CUDA it is captured once as a graph (``lockstep_replay.py``). Every sum has a fixed order (no atomic additions), so that
the same seed gives the same numbers.

What makes it small: terms share coordinates, so cd_L's hidden layer is computed for a problem's distinct pairs, and
LTW-TF's for its distinct counts (``lockstep_layer.py``). A batch is a dense (N, F) block for the length of a step,
filled from sparse rows; the corpus stays sparse.

Leaves out pre-training's own steps (``lockstep_pretrain.py``), Bernoulli dropout, and LTW-G: its second layer and the
moments of it are 3·F²/2 numbers a problem (50 MB on Reuters), which would have to be moved whenever places change, and
a step is bound by reading and writing them, on a GPU as on a CPU: there is nothing for problems to share.
"""

import numpy as np
import torch

from ltw_core.weighting.learned.lockstep_adam import adam
from ltw_core.weighting.learned.lockstep_batches import Batch, Batches, keys_of
from ltw_core.weighting.learned.lockstep_layer import Layer, segments
from ltw_core.weighting.learned.lockstep_pretrain import Pretraining
from ltw_core.weighting.learned.lockstep_replay import Replay
from ltw_core.weighting.learned.lockstep_seat import State, layer_sizes

TINY_LENGTH = 1e-12
ROUND_ENTRIES = 512  # batches are filled up to a multiple of it, so that a captured graph's shapes seldom change


class Look:
    """What the host learns at a validation: of problem b its loss since the last look, cd, logits and parameters."""

    def __init__(self, loss, cd, logits, theta):
        self.loss, self.cd, self.logits, self.theta = loss, cd, logits, theta


class Group:
    """B problems that advance together. See the module.

    Parameters
    ----------
    packed : list of Packed
    settings : Settings
        Of all of them; the seed is not read here.
    device : torch.device
    block_memory : int
        Bytes for the batches prepared at once.
    graphs : bool
        Whether to try CUDA graphs.
    """

    def __init__(self, packed, settings, device, block_memory, graphs):
        self.packed, self.settings, self.network, self.device = packed, settings, settings.network, device
        self.block_memory, self.graphs = block_memory, graphs
        self.type = getattr(torch, settings.dtype)
        self.size, self.sizes = len(packed), layer_sizes(settings, packed[0].n_terms)
        self.n_terms = max(p.n_terms for p in packed)
        self.batches = Batches(packed, settings, device, self.n_terms)
        self._place_pairs()
        self._place_validation()
        self.inner = sum(4 * units + 1 for units in self.sizes)  # parameters before W3 and b3
        width = self.inner + self.n_terms + 1
        self.theta, self.first, self.second, self.gradient = (self._zeros(self.size, width) for _ in range(4))
        self.moving = self._zeros(self.size, width) + 1 if settings.pretrain is not None else None
        self.moment_steps = torch.zeros(self.size, 1, dtype=torch.float64, device=device)
        self.loss = torch.zeros(self.size, dtype=torch.float64, device=device)
        self.dense = self._zeros(2, self.size, self.batches.batch_size, self.n_terms)  # a batch, and its squares
        self.p, self.g = self._parts(self.theta), self._parts(self.gradient)
        self.replay = Replay(device, graphs)
        self.backup = None

    def _zeros(self, *shape):
        return torch.zeros(shape, dtype=self.type, device=self.device)

    def _tensor(self, array, dtype=None):
        return torch.as_tensor(array, dtype=dtype, device=self.device)

    def _parts(self, flat):
        """Views: of each layer (A = W1 with b1 under it (B, 3, H), W2 (B, 1, H), b2 (B, 1)), then W3 (B, F), b3."""
        parts, at = [], 0
        for units in self.sizes:
            a, w, bias = flat[:, at : at + 4 * units + 1].split([3 * units, units, 1], dim=1)
            parts.append((a.unflatten(1, (3, units)), w.unsqueeze(1), bias))
            at += 4 * units + 1
        return [*parts, flat[:, at:-1], flat[:, -1:]]

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

    def _place_validation(self):
        documents = [each.documents("validation", self.device) for each in self.packed]
        self.seen_columns = torch.cat([c.long() + i * self.n_terms for i, (c, *_) in enumerate(documents)])
        self.seen_dd = torch.cat([dd for _, dd, *_ in documents])
        if self.network.learned_dd:
            most = self.dd_layer.points.shape[1]
            self.seen_frequency = torch.cat([q.long() + i * most for i, (*_, q) in enumerate(documents)])
        lengths = np.concatenate([np.diff(each.problem.validation.starts) for each in self.packed])
        self.row_bounds = self._tensor(np.append(0, np.cumsum(lengths)).astype(np.int64))
        self.rows_of = [len(each.problem.validation) for each in self.packed]
        self.problem_of_row = self._tensor(np.repeat(np.arange(self.size), self.rows_of))

    # ---- in and out

    def load(self, row, state):
        """Put a problem's parameters and moments in a row."""
        cut = len(state.theta) - 1
        for flat, own in ((self.theta, state.theta), (self.first, state.first), (self.second, state.second)):
            values = self._tensor(own, self.type)
            flat[row] = 0
            flat[row, :cut], flat[row, -1] = values[:cut], values[cut]
        self.moment_steps[row] = state.moment_steps

    def forget(self, row):
        """Put a problem's moments to 0."""
        self.first[row] = self.second[row] = self.moment_steps[row] = 0

    def states(self, backup=False):
        """Parameters and moments of all problems on the host; of before the last `advance`, if `backup`."""
        held = self.backup if backup else (self.theta, self.first, self.second, self.moment_steps)
        theta, first, second, moment_steps = (tensor.cpu().numpy() for tensor in held)
        states = []
        for b, each in enumerate(self.packed):
            places = np.r_[0 : self.inner + each.n_terms, theta.shape[1] - 1]
            parts = (flat[b, places] for flat in (theta, first, second))
            states.append(State(*parts, moment_steps=int(moment_steps[b, 0])))
        return states

    # ---- steps

    def _back_up(self):
        self.backup = tuple(t.clone() for t in (self.theta, self.first, self.second, self.moment_steps))

    @torch.no_grad()
    def pretrain(self, rows, points, wanted):
        """Fit cd of the problems `rows` to their functions; see ``Pretraining.run``, also for what it returns."""
        self._back_up()
        each = points[0].nbytes + wanted[0].nbytes
        return Pretraining(self, rows).run(points, wanted, max(1, int(self.block_memory // each)))

    @torch.no_grad()
    def advance(self, draws, first_steps, steps, head_only=None):
        """Make `steps` steps of all problems; those whose draws are None stay where they are but for momentum.

        Parameters
        ----------
        draws : list of Draws or None
        first_steps : list of int
            Steps that each made since its `draws` began.
        head_only : list of bool or None
            Whose W3 and b3 alone are trained; with pre-training only.
        """
        self._back_up()
        if self.moving is not None:
            stays = self._tensor([not head for head in head_only or [False] * self.size])
            self.moving[:, : self.inner] = stays[:, None].to(self.type)
        self.loss.zero_()
        rows, entries = self.batches.rows(draws, first_steps, steps)
        entries = -(-entries // ROUND_ENTRIES) * ROUND_ENTRIES
        if self.replay.held is not None:
            entries = max(entries, Batch(*self.replay.held).positions.shape[-1])
        rows = self._tensor(rows)  # all at once: a copy from the host waits for the steps before it
        keys = self._tensor([[0, 0] if draw is None else keys_of(draw) for draw in draws], torch.int64)
        first_steps = self._tensor(first_steps, torch.int64)
        at_once = min(self.batches.steps_at_once(entries, self.block_memory), steps)
        for begin in range(0, steps, at_once):
            part = rows[begin : begin + at_once]
            block = self.batches.block(part, entries, keys, first_steps + begin)
            self.replay.run(self._step, block, at_once)

    def _step(self, parts):
        batch = Batch(*parts)
        (a, w, b2), *_, w3, b3 = self.p
        (g_a, g_w, g_b2), *_, g_w3, g_b3 = self.g
        b, f = self.size, self.n_terms
        # cd of every term: the mean of its pair and, times its own draw, the deviation
        mean, deviation = self.cd_layer.forward(a, w)
        cd = mean.gather(1, self.pair_of) + b2 + deviation.gather(1, self.pair_of) * batch.noise
        if self.network.sigmoid:
            cd = cd.sigmoid()
        values = self._learned_dd(batch) if self.network.learned_dd else batch.values
        # the batch: dot products and squared lengths of its rows in one product
        self.dense.zero_()
        squares = torch.stack((values, values * values)).view(2, -1)
        self.dense.view(2, -1).scatter_(1, batch.positions.reshape(1, -1).expand(2, -1), squares)
        dense = self.dense.view(2 * b, -1, f)
        of_terms = torch.stack((cd * w3, cd * cd))
        sums = torch.bmm(dense, of_terms.view(2 * b, f, 1)).view(2, b, -1)
        inverse = sums[1].clamp_min(TINY_LENGTH**2).rsqrt()
        z = sums[0] * inverse
        logit = z + b3
        loss = logit.clamp_min(0) - logit * batch.y + (-logit.abs()).exp().log1p()
        self.loss += (loss * batch.weight).sum(1)
        # backward
        g = (logit.sigmoid() - batch.y) * batch.weight
        pull = torch.where(sums[1] > TINY_LENGTH**2, g * z * inverse * inverse, 0)
        of_rows = torch.stack((g * inverse, pull))
        if self.network.learned_dd:
            self._learned_dd_backward(batch, values, of_terms, of_rows)
        sums = torch.bmm(of_rows.view(2 * b, 1, -1), dense).view(2, b, f)
        g_w3.copy_(cd * sums[0])
        g_b3.copy_(g.sum(1, keepdim=True))
        g_cd = w3 * sums[0] - cd * sums[1]
        if self.network.sigmoid:
            g_cd *= cd * (1 - cd)
        g_b2.copy_(g_cd.sum(1, keepdim=True))
        of_pair = segments(g_cd.view(-1), (g_cd * batch.noise).view(-1), self.pair_bounds).view(b, -1, 2)
        self.cd_layer.backward(a, w, of_pair[..., 0], of_pair[..., 1], g_a, g_w)
        adam(
            self.theta, self.first, self.second, self.gradient, self.moment_steps, self.settings.adam(),
            self.moving,
        )  # fmt: skip

    def _learned_dd(self, batch):
        """dd of every entry: the mean of its count and, times its own draw, the deviation."""
        a, w, bias = self.p[1]
        mean, deviation = self.dd_layer.forward(a, w)
        out = mean.gather(1, batch.frequency) + bias + deviation.gather(1, batch.frequency) * batch.entry_noise
        return out.clamp_min(0) * batch.values

    def _learned_dd_backward(self, batch, values, of_terms, of_rows):
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
        sums = torch.bmm(which, torch.stack((g, g * batch.entry_noise), dim=-1))
        self.dd_layer.backward(a, w, sums[..., 0], sums[..., 1], g_a, g_w)

    # ---- looking at it

    @torch.no_grad()
    def look(self):
        """Everything that the protocol asks for, in one go."""
        (a, w, b2), *_, w3, b3 = self.p
        cd = self.cd_layer.mean(a, w).gather(1, self.pair_of) + b2
        if self.network.sigmoid:
            cd = cd.sigmoid()
        weight = self._seen_dd() * cd.view(-1)[self.seen_columns]
        dot = weight * w3.reshape(-1)[self.seen_columns]
        dot, square = segments(dot, weight * weight, self.row_bounds).T
        logits = dot * square.clamp_min(TINY_LENGTH**2).rsqrt() + b3.view(-1)[self.problem_of_row]
        logits, cd = logits.cpu().numpy(), cd.double().cpu().numpy()
        logits = np.split(logits, np.cumsum(self.rows_of)[:-1])
        theta = self.theta.cpu().numpy()
        last = theta.shape[1] - 1
        ends = [self.inner + each.n_terms for each in self.packed]
        own = [np.append(row[:end], row[last]) for row, end in zip(theta, ends, strict=True)]
        weights = [row[each.place] for row, each in zip(cd, self.packed, strict=True)]
        return Look(self.loss.tolist(), weights, logits, own)

    def _seen_dd(self):
        """dd of the validation's entries."""
        if not self.network.learned_dd:
            return self.seen_dd
        a, w, bias = self.p[1]
        return (self.dd_layer.mean(a, w) + bias).clamp_min(0).view(-1)[self.seen_frequency]
