"""What steps of B problems side by side are made of: the hidden layer at the points that each problem has, sums of
stretches, and Adam, each problem with its own count of steps.

The layer is that of cd_L at the distinct (tpr, fpr), and of LTW-TF's dd at the distinct counts, taken as points (f, 0).
For a point x, y and a hidden unit of weights A = (a, b, c) and w, mean and variance of what the layer gives under
Gaussian dropout are sums over units of gate · w·(A·[x, y, 1]) and of gate · w²·(A·[x, y, 1])², so that all of forward
and backward are two products of the (points × units) matrix of gates 0/1 with nine columns each: only that matrix is
ever as large. Nothing is read back to the host, and every sum has a fixed order.

Leaves out how points become terms or entries, and their random numbers (``local_group.py``).
"""

import numpy as np
import torch

from ltw_core.weighting.learned.engines.compiled.kernels.adam import MAX_LOG, MIN_LOG, TABLE
from ltw_core.weighting.learned.engines.lockstep.stretches import Stretches

TINY_VARIANCE = 1e-24
POINTS = 128  # of a tile
SLICE_POINTS = 64  # that one program of a fused layer adds up: always so many, or companions would change sums


def tile_of_points(sizes):
    """Points of a tile of a layer."""
    return max(1, min(POINTS, max(sizes)))


class Layer:
    """ReLU([x, y, 1]·A)·w at the points of each of B problems, which lie in tiles: none are filled up to the most.

    Parameters
    ----------
    points : list of ndarray, shape (points of the problem, 2)
    hidden : int
    dropout : float
    dtype : torch.dtype
    device : torch.device

    Attributes
    ----------
    places : Stretches
        Where each problem's points lie.
    """

    def __init__(self, points, hidden, dropout, dtype, device):
        ratio = dropout / (1 - dropout)
        sizes = [len(own) for own in points]
        self.places = Stretches(sizes, device, tile_of_points(sizes))
        # places that fill up a tile are 0, where no gate is open
        filled = self.places.placed([np.column_stack([own, np.ones(len(own))]) for own in points])
        filled = filled.reshape(-1, self.places.tile, 3)
        x, y, one = np.moveaxis(filled, -1, 0)
        nine = np.stack([x, y, one, x * x, x * y, y * y, x, y, one], axis=-1)

        def tensor(values, kind=dtype):
            return torch.as_tensor(np.asarray(values), dtype=kind, device=device)

        self.points, self.nine = tensor(filled), tensor(nine)
        index = [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2], [0, 1, 3, 1, 2, 4, 3, 4, 5], [0] * 3 + [1] * 6]
        self.left, self.right, self.symmetric, self.which = (tensor(row, torch.int64) for row in index)
        self.times = tensor([[1.0], [2.0], [1.0], [2.0], [2.0], [1.0]]) * ratio
        self.half_ratio = ratio / 2
        self.gate = torch.zeros(*filled.shape[:2], hidden, dtype=dtype, device=device)

    def _gated(self, a, *others):
        """The others (B, rows, H), one after the other, summed over a point's open gates (kept in ``gate``)."""
        rows = self.places.spread(torch.cat((a, *others), dim=1))
        torch.bmm(self.points, rows[:, :3], out=self.gate)
        self.gate.gt_(0)
        return torch.bmm(self.gate, rows[:, 3:].mT)

    def forward(self, a, w):
        """Mean and deviation at every point, flat, for A (B, 3, H) and w (B, 1, H)."""
        squares = a.index_select(1, self.left) * a.index_select(1, self.right) * self.times
        both = self._gated(a, a * w, squares * (w * w)) * self.nine
        mean, self.variance = both[..., :3].sum(-1), both[..., 3:].sum(-1)
        self.deviation = self.variance.clamp_min(TINY_VARIANCE).sqrt()
        return mean.view(-1), self.deviation.view(-1)

    def mean(self, a, w):
        """Without dropout."""
        return (self._gated(a, a * w) * self.points).sum(-1).view(-1)

    def backward(self, a, w, g_mean, g_deviation, g_a, g_w):
        """Write the gradients of A and w, given those of `forward`'s two."""
        g_mean, g_deviation = self.places.in_tiles(g_mean), self.places.in_tiles(g_deviation)
        g_variance = torch.where(self.variance > TINY_VARIANCE, g_deviation * self.half_ratio / self.deviation, 0)
        columns = torch.stack((g_mean, g_variance), dim=-1).index_select(-1, self.which) * self.nine
        sums = self.places.folded(torch.bmm(columns.mT, self.gate))
        moments = sums[:, 3:].index_select(1, self.symmetric).unflatten(1, (3, 3))
        each = sums[:, :3] + 2 * w * (moments * a.unsqueeze(1)).sum(2)
        torch.mul(w, each, out=g_a)
        torch.sum(a * each, 1, keepdim=True, out=g_w)


def segments(one, other, bounds):
    """Sums of the stretches of two flat tensors between bounds, each in its order: (stretches, 2)."""
    if len(bounds) == 1:
        return one.new_zeros(0, 2)
    # Two columns, as torch gives a flat tensor's stretches a block of threads each, and these have a few numbers
    values = torch.stack((one, other), dim=-1)
    return torch.segment_reduce(values, "sum", offsets=bounds, axis=0, initial=0, unsafe=True)


def step_sizes(moment_steps, optimiser):
    """Count a step in `moment_steps` (float64, (B,)); its step size rate / (1 - β1^t) and correction √(1 - β2^t)."""
    moment_steps += 1
    size = optimiser.rate / (1 - torch.pow(optimiser.beta1, moment_steps))
    return size, (1 - torch.pow(optimiser.beta2, moment_steps)).sqrt()


def adam(theta, first, second, gradient, sizes, optimiser, moving=None):
    """One step, in place.

    Parameters
    ----------
    theta, first, second, gradient : tensors of parameters
    sizes : two tensors, of each parameter or of several
        Of ``step_sizes``, in the type of the parameters.
    optimiser : Adam
        Of the settings.
    moving : tensor of parameters or None
        0 for those that stay.
    """
    size, correction = sizes
    _moments(first, second, gradient, optimiser)
    bottom = (second.sqrt() / correction).add_(optimiser.epsilon)
    change = size * first / bottom
    theta -= change if moving is None else change * moving


def _moments(first, second, gradient, optimiser):
    first.lerp_(gradient, 1 - optimiser.beta1)
    second.mul_(optimiser.beta2).addcmul_(gradient, gradient, value=1 - optimiser.beta2)


def adam_outer(matrices, left, right, sizes, optimiser, room):
    """One step, in place, on a matrix of each problem, whose gradients are outer products left ⊗ right; these are never
    made.

    Parameters
    ----------
    matrices : list of (weights, first, second), tensors of shape (U, F) each
    left, right : lists of tensors of shapes (2, U) and (2, F), with their squares
    sizes : two tensors of float64, shape (B,)
    room : tensor of as many numbers as the largest has
        For what is divided by; overwritten.
    """
    size, correction = sizes
    # size · m / (√v / correction + ε), with the size in the denominator: one pass less over the matrices
    slopes, least = ((part / size).to(room.dtype) for part in (1 / correction, optimiser.epsilon))
    for problem, (weights, first, second) in enumerate(matrices):
        (one, square), (other, other_square) = left[problem], right[problem]
        first.addr_(one, other, beta=optimiser.beta1, alpha=1 - optimiser.beta1)
        second.addr_(square, other_square, beta=optimiser.beta2, alpha=1 - optimiser.beta2)
        bottom = room[: weights.numel()].view_as(weights)
        torch.sqrt(second, out=bottom)
        torch.addcmul(least[problem], bottom, slopes[problem], out=bottom)
        weights.addcdiv_(first, bottom, value=-1)


def adam_through(z, first, second, gradient, sizes, optimiser, tables, of):
    """One step, in place, on a layer that acts through z alone: see ``kernels.adam.adam_through``.

    Parameters
    ----------
    z, first, second, gradient : tensors of shape (units,)
    sizes : two tensors of float64, of each unit
    tables : tensor of float64, shape (B, entries)
        ``reach_table`` of each problem.
    of : tensor of int64, shape (units,)
        The problem of each unit.
    """
    size, correction = sizes
    _moments(first, second, gradient, optimiser)
    z -= (size * first * reach(tables, of, second.double().sqrt() / correction)).to(z.dtype)


def reach(tables, of, root):
    """Σ s² / (s·root + ε) of every root (units,), from its problem's table by cubic interpolation: see
    ``kernels.adam.reach``."""
    place = (root.clamp_min(1e-16).log() - MIN_LOG) * ((TABLE - 1) / (MAX_LOG - MIN_LOG))
    at = place.long().clamp(1, TABLE - 3)
    f = place - at
    a, b, c, d = tables.unfold(1, 4, 1)[of, at - 1].unbind(-1)
    inside = b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)))
    return torch.where(place < TABLE - 2, inside.exp(), (tables[:, -1][of] + MAX_LOG).exp() / root)
