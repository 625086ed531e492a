"""The numerics of a lockstep: steps of LTW-L (σ and I) for B problems at once, as torch operators on one device.

A step reads nothing back: batches and draws lie ready (``lockstep_batches.py``), losses add up on the device. On CUDA
the step is captured once as a graph and replayed; where that fails it goes on plainly and says so. Every sum has a
fixed order (no atomic additions), so that the same seed gives the same numbers.

What makes it small: terms share coordinates, so mean and variance of cd_L are computed for a problem's distinct pairs;
and for a pair x, y and a hidden unit of weights A = (a, b, c) and w both are sums over units of gate · w·(A·[x, y, 1])
and of gate · w²·(A·[x, y, 1])², so that all of forward and backward are two products of the (pairs × units) matrix of
gates 0/1 with nine columns each: only that matrix is ever as large. A batch is a dense (N, F) block for the length of a
step, filled from sparse rows; the corpus stays sparse.

Leaves out LTW-G (its second layer of F/2 × F weights a problem is another layout), LTW-TF, pre-training and Bernoulli
dropout: the engines for one problem have them.
"""

import logging

import numpy as np
import torch

from ltw_core.weighting.learned.lockstep_batches import Batch, Batches, key_of
from ltw_core.weighting.learned.lockstep_seat import State

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8
TINY_VARIANCE, TINY_LENGTH = 1e-24, 1e-12
ROUND_ENTRIES = 512  # batches are filled up to a multiple of it, so that a captured graph's shapes seldom change
WARMING_STEPS = 3  # before a graph is captured

_log = logging.getLogger(__name__)


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
        self.packed, self.settings, self.device = packed, settings, device
        self.block_memory, self.graphs, self.messages = block_memory, graphs, []
        self.type = getattr(torch, settings.dtype)
        self.size, self.hidden = len(packed), settings.hidden_units(packed[0].n_terms)
        self.n_terms, self.n_pairs = max(p.n_terms for p in packed), max(p.n_pairs for p in packed)
        self.batches = Batches(packed, settings, device, self.n_terms)
        self._place_pairs()
        self._place_validation()
        b, f, h = self.size, self.n_terms, self.hidden
        width = 4 * h + 2 + f
        self.theta, self.first, self.second, self.gradient = (self._zeros(b, width) for _ in range(4))
        self.moment_steps = torch.zeros(b, 1, dtype=torch.float64, device=device)
        self.loss = torch.zeros(b, dtype=torch.float64, device=device)
        self.gate = self._zeros(b, self.n_pairs, h)
        self.dense = self._zeros(2, b, self.batches.batch_size, f)  # a batch, and its squares
        self.p, self.g = self._parts(self.theta), self._parts(self.gradient)
        self.held, self.graph, self.backup = None, None, None

    def _zeros(self, *shape):
        return torch.zeros(shape, dtype=self.type, device=self.device)

    def _tensor(self, array, dtype=None):
        return torch.as_tensor(array, dtype=dtype, device=self.device)

    def _parts(self, flat):
        """Views of A = W1 with b1 under it (B, 3, H), W2 (B, 1, H), b2 (B, 1), W3 (B, F) and b3 (B, 1)."""
        h, f = self.hidden, self.n_terms
        a, w, b2, w3, b3 = flat.split([3 * h, h, 1, f, 1], dim=1)
        return a.unflatten(1, (3, h)), w.unsqueeze(1), b2, w3, b3

    def _place_pairs(self):
        b, f, p = self.size, self.n_terms, self.n_pairs
        points, pair_of = np.zeros((b, p, 3)), np.zeros((b, f), dtype=np.int64)
        starts = np.zeros((b, p), dtype=np.int64)
        for i, each in enumerate(self.packed):
            points[i, : each.n_pairs] = np.column_stack([each.pairs, np.ones(each.n_pairs)])
            pair_of[i, : each.n_terms] = each.pair_of
            starts[i] = np.searchsorted(each.pair_of, np.arange(p)) + f * i  # pairs that fill up have no terms
        x, y, one = np.moveaxis(points, -1, 0)
        nine = np.stack([x, y, one, x * x, x * y, y * y, x, y, one], axis=-1)
        self.points, self.nine = self._tensor(points, self.type), self._tensor(nine, self.type)
        self.pair_of = self._tensor(pair_of)
        # Places past a problem's last term fall to its last pair; their gradient is 0
        self.pair_bounds = self._tensor(np.append(starts.ravel(), b * f))
        index = [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2], [0, 1, 3, 1, 2, 4, 3, 4, 5], [0] * 3 + [1] * 6]
        self.left, self.right, self.symmetric, self.which = (self._tensor(row) for row in index)
        self.times = self._tensor([[1.0], [2.0], [1.0], [2.0], [2.0], [1.0]], self.type)

    def _place_validation(self):
        documents = [each.documents("validation", self.device) for each in self.packed]
        self.seen_columns = torch.cat([c.long() + i * self.n_terms for i, (c, _, _) in enumerate(documents)])
        self.seen_dd = torch.cat([dd for _, dd, _ in documents])
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

    def states(self, backup=False):
        """Parameters and moments of all problems on the host; of before the last `advance`, if `backup`."""
        held = self.backup if backup else (self.theta, self.first, self.second, self.moment_steps)
        theta, first, second, moment_steps = (tensor.cpu().numpy() for tensor in held)
        states = []
        for b, each in enumerate(self.packed):
            places = np.r_[0 : 4 * self.hidden + 1 + each.n_terms, theta.shape[1] - 1]
            parts = (flat[b, places] for flat in (theta, first, second))
            states.append(State(*parts, moment_steps=int(moment_steps[b, 0])))
        return states

    # ---- steps

    @torch.no_grad()
    def advance(self, draws, first_steps, steps):
        """Make `steps` steps of all problems; those whose draws are None stay where they are but for momentum.

        Parameters
        ----------
        draws : list of Draws or None
        first_steps : list of int
            Steps that each made since its `draws` began.
        """
        self.backup = tuple(t.clone() for t in (self.theta, self.first, self.second, self.moment_steps))
        self.loss.zero_()
        rows, entries = self.batches.rows(draws, first_steps, steps)
        entries = -(-entries // ROUND_ENTRIES) * ROUND_ENTRIES
        if self.held is not None:
            entries = max(entries, self.held.positions.shape[-1])
        rows = self._tensor(rows)  # all at once: a copy from the host waits for the steps before it
        keys = self._tensor([0 if draw is None else key_of(draw) for draw in draws], torch.int64)
        first_steps = self._tensor(first_steps, torch.int64)
        at_once = min(self.batches.steps_at_once(entries, self.block_memory), steps)
        for begin in range(0, steps, at_once):
            part = rows[begin : begin + at_once]
            block = self.batches.block(part, entries, keys, first_steps + begin)
            self._run(block, len(part), at_once)

    def _run(self, block, steps, at_once):
        done = 0
        if self.graphs:
            room = (0, 0) if self.held is None else (len(self.held.y), self.held.positions.shape[-1])
            if room[0] < at_once or room[1] < block.positions.shape[-1]:
                self._hold(block, max(at_once, room[0]))
            for held, new in zip(self.held, block, strict=True):
                held[:steps] = new
            self.at.zero_()
            block = self.held
            if self.graph is None and steps > WARMING_STEPS:
                for _ in range(WARMING_STEPS):
                    self._step_of_graph()
                done = WARMING_STEPS
                self._try_capture()
            if self.graph is not None:
                for _ in range(done, steps):
                    self.graph.replay()
                return
        for step in range(done, steps):
            self._step(Batch(*(part[step] for part in block)))

    def _hold(self, block, steps):
        """Places in memory that a graph always reads from."""
        self.graph = None
        self.held = Batch(*(part.new_zeros(steps, *part.shape[1:]) for part in block))
        self.at = torch.zeros(1, dtype=torch.int64, device=self.device)

    def _step_of_graph(self):
        self._step(Batch(*(part.index_select(0, self.at)[0] for part in self.held)))
        self.at += 1

    def _try_capture(self):
        try:
            self.graph = self._capture()
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            self.graphs = False
            self.messages.append("CUDA graphs do not work here; every step is launched operator by operator.")
            _log.warning("no CUDA graph: %s", error)

    def _capture(self):
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            self._step_of_graph()
        return graph

    def _units(self):
        """The gates of pairs and units (kept in ``gate``), and what they are multiplied with: (B, 9, H)."""
        a, w = self.p[:2]
        torch.bmm(self.points, a, out=self.gate)
        self.gate.gt_(0)
        squares = a.index_select(1, self.left) * a.index_select(1, self.right) * self.times
        return torch.cat((a * w, squares * (w * w)), dim=1)

    def _step(self, batch):
        (a, w, b2, w3, b3), (g_a, g_w, g_b2, g_w3, g_b3) = self.p, self.g
        b, f = self.size, self.n_terms
        q = self.settings.dropout
        # cd of every term: the mean of its pair and, times its own draw, the deviation
        units = self._units()
        both = torch.bmm(self.gate, units.mT) * self.nine
        mean, variance = both[..., :3].sum(-1), both[..., 3:].sum(-1) * (q / (1 - q))
        deviation = variance.clamp_min(TINY_VARIANCE).sqrt()
        cd = mean.gather(1, self.pair_of) + b2 + deviation.gather(1, self.pair_of) * batch.noise
        if self.settings.network.sigmoid:
            cd = cd.sigmoid()
        # the batch: dot products and squared lengths of its rows in one product
        self.dense.zero_()
        values = torch.stack((batch.values, batch.values * batch.values)).view(2, -1)
        self.dense.view(2, -1).scatter_(1, batch.positions.reshape(1, -1).expand(2, -1), values)
        dense = self.dense.view(2 * b, -1, f)
        sums = torch.bmm(dense, torch.stack((cd * w3, cd * cd)).view(2 * b, f, 1)).view(2, b, -1)
        inverse = sums[1].clamp_min(TINY_LENGTH**2).rsqrt()
        z = sums[0] * inverse
        logit = z + b3
        loss = logit.clamp_min(0) - logit * batch.y + (-logit.abs()).exp().log1p()
        self.loss += (loss * batch.weight).sum(1)
        # backward
        g = (logit.sigmoid() - batch.y) * batch.weight
        pull = torch.where(sums[1] > TINY_LENGTH**2, g * z * inverse * inverse, 0)
        sums = torch.bmm(torch.stack((g * inverse, pull)).view(2 * b, 1, -1), dense).view(2, b, f)
        g_w3.copy_(cd * sums[0])
        g_b3.copy_(g.sum(1, keepdim=True))
        g_cd = w3 * sums[0] - cd * sums[1]
        if self.settings.network.sigmoid:
            g_cd *= cd * (1 - cd)
        g_b2.copy_(g_cd.sum(1, keepdim=True))
        of_pair = _segments(g_cd.view(-1), (g_cd * batch.noise).view(-1), self.pair_bounds).view(b, -1, 2)
        g_variance = torch.where(variance > TINY_VARIANCE, of_pair[..., 1] * (0.5 * q / (1 - q)) / deviation, 0)
        columns = torch.stack((of_pair[..., 0], g_variance), dim=-1).index_select(-1, self.which) * self.nine
        sums = torch.bmm(columns.mT, self.gate)
        moments = sums[:, 3:].index_select(1, self.symmetric).unflatten(1, (3, 3))
        each = sums[:, :3] + 2 * w * (moments * a.unsqueeze(1)).sum(2)
        g_a.copy_(w * each)
        g_w.copy_((a * each).sum(1, keepdim=True))
        self._adam()

    def _adam(self):
        self.moment_steps += 1
        self.first.lerp_(self.gradient, 1 - BETA1)
        self.second.mul_(BETA2).addcmul_(self.gradient, self.gradient, value=1 - BETA2)
        size = self.settings.learning_rate / (1 - torch.pow(BETA1, self.moment_steps))
        correction = (1 - torch.pow(BETA2, self.moment_steps)).sqrt()
        bottom = (self.second.sqrt() / correction.to(self.type)).add_(EPSILON)
        self.theta -= size.to(self.type) * self.first / bottom

    # ---- looking at it

    @torch.no_grad()
    def look(self):
        """Everything that the protocol asks for, in one go."""
        b2, w3, b3 = self.p[2:]
        units = self._units()
        mean = (torch.bmm(self.gate, units[:, :3].mT) * self.points).sum(-1)
        cd = mean.gather(1, self.pair_of) + b2
        if self.settings.network.sigmoid:
            cd = cd.sigmoid()
        weight = self.seen_dd * cd.view(-1)[self.seen_columns]
        dot = weight * w3.reshape(-1)[self.seen_columns]
        dot, square = _segments(dot, weight * weight, self.row_bounds).T
        logits = dot * square.clamp_min(TINY_LENGTH**2).rsqrt() + b3.view(-1)[self.problem_of_row]
        logits, cd = logits.cpu().numpy(), cd.double().cpu().numpy()
        logits = np.split(logits, np.cumsum(self.rows_of)[:-1])
        theta = self.theta.cpu().numpy()
        last = theta.shape[1] - 1
        ends = [4 * self.hidden + 1 + each.n_terms for each in self.packed]
        own = [np.append(row[:end], row[last]) for row, end in zip(theta, ends, strict=True)]
        weights = [row[each.place] for row, each in zip(cd, self.packed, strict=True)]
        return Look(self.loss.tolist(), weights, logits, own)


def _segments(one, other, bounds):
    """Sums of the stretches of two flat tensors between bounds, each in its order: (stretches, 2)."""
    if len(bounds) == 1:
        return one.new_zeros(0, 2)
    # Two columns, as torch gives a flat tensor's stretches a block of threads each, and these have a few numbers
    values = torch.stack((one, other), dim=-1)
    return torch.segment_reduce(values, "sum", offsets=bounds, axis=0, initial=0, unsafe=True)
