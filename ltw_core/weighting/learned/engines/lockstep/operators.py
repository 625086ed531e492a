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

from ltw_core.weighting.learned.engines.compiled.kernels.adam import LEAST_LOG, MOST_LOG, TABLE

TINY_VARIANCE = 1e-24


class Layer:
    """ReLU([x, y, 1]·A)·w at P points of each of B problems.

    Parameters
    ----------
    points : list of ndarray, shape (points of the problem, 2)
    hidden : int
    dropout : float
    dtype : torch.dtype
    device : torch.device
    """

    def __init__(self, points, hidden, dropout, dtype, device):
        self.ratio = dropout / (1 - dropout)
        most = max(len(own) for own in points)
        filled = np.zeros((len(points), most, 3))  # places that fill up are 0, where no gate is open
        for row, own in zip(filled, points, strict=True):
            row[: len(own)] = np.column_stack([own, np.ones(len(own))])
        x, y, one = np.moveaxis(filled, -1, 0)
        nine = np.stack([x, y, one, x * x, x * y, y * y, x, y, one], axis=-1)

        def tensor(values, kind=dtype):
            return torch.as_tensor(np.asarray(values), dtype=kind, device=device)

        self.points, self.nine = tensor(filled), tensor(nine)
        index = [[0, 0, 1, 0, 1, 2], [0, 1, 1, 2, 2, 2], [0, 1, 3, 1, 2, 4, 3, 4, 5], [0] * 3 + [1] * 6]
        self.left, self.right, self.symmetric, self.which = (tensor(row, torch.int64) for row in index)
        self.times = tensor([[1.0], [2.0], [1.0], [2.0], [2.0], [1.0]])
        self.gate = torch.zeros(len(points), most, hidden, dtype=dtype, device=device)

    def _units(self, a, w):
        """The gates of points and units (kept in ``gate``), and what they are multiplied with: (B, 9, H)."""
        torch.bmm(self.points, a, out=self.gate)
        self.gate.gt_(0)
        squares = a.index_select(1, self.left) * a.index_select(1, self.right) * self.times
        return torch.cat((a * w, squares * (w * w)), dim=1)

    def forward(self, a, w):
        """Mean and deviation at every point, (B, P) each, for A (B, 3, H) and w (B, 1, H)."""
        units = self._units(a, w)
        both = torch.bmm(self.gate, units.mT) * self.nine
        mean, self.variance = both[..., :3].sum(-1), both[..., 3:].sum(-1) * self.ratio
        self.deviation = self.variance.clamp_min(TINY_VARIANCE).sqrt()
        return mean, self.deviation

    def mean(self, a, w):
        """Without dropout."""
        units = self._units(a, w)
        return (torch.bmm(self.gate, units[:, :3].mT) * self.points).sum(-1)

    def backward(self, a, w, g_mean, g_deviation, g_a, g_w):
        """Write the gradients of A and w, given those of `forward`'s two, (B, P) each."""
        g_variance = torch.where(self.variance > TINY_VARIANCE, g_deviation * (0.5 * self.ratio) / self.deviation, 0)
        columns = torch.stack((g_mean, g_variance), dim=-1).index_select(-1, self.which) * self.nine
        sums = torch.bmm(columns.mT, self.gate)
        moments = sums[:, 3:].index_select(1, self.symmetric).unflatten(1, (3, 3))
        each = sums[:, :3] + 2 * w * (moments * a.unsqueeze(1)).sum(2)
        g_a.copy_(w * each)
        g_w.copy_((a * each).sum(1, keepdim=True))


def segments(one, other, bounds):
    """Sums of the stretches of two flat tensors between bounds, each in its order: (stretches, 2)."""
    if len(bounds) == 1:
        return one.new_zeros(0, 2)
    # Two columns, as torch gives a flat tensor's stretches a block of threads each, and these have a few numbers
    values = torch.stack((one, other), dim=-1)
    return torch.segment_reduce(values, "sum", offsets=bounds, axis=0, initial=0, unsafe=True)


def step_sizes(moment_steps, optimiser):
    """Count a step in `moment_steps` (float64, (B, 1)); its step size rate / (1 - β1^t) and correction √(1 - β2^t)."""
    moment_steps += 1
    size = optimiser.rate / (1 - torch.pow(optimiser.beta1, moment_steps))
    return size, (1 - torch.pow(optimiser.beta2, moment_steps)).sqrt()


def adam(theta, first, second, gradient, sizes, optimiser, moving=None):
    """One step, in place.

    Parameters
    ----------
    theta, first, second, gradient : tensors of shape (B, parameters)
    sizes : tensors of shape (B, 1)
        Of ``step_sizes``.
    optimiser : Adam
        Of the settings.
    moving : tensor of shape (B, parameters) or None
        0 for parameters that stay.
    """
    size, correction = (part.to(theta.dtype) for part in sizes)
    _moments(first, second, gradient, optimiser)
    bottom = (second.sqrt() / correction).add_(optimiser.epsilon)
    change = size * first / bottom
    theta -= change if moving is None else change * moving


def _moments(first, second, gradient, optimiser):
    first.lerp_(gradient, 1 - optimiser.beta1)
    second.mul_(optimiser.beta2).addcmul_(gradient, gradient, value=1 - optimiser.beta2)


def adam_outer(weights, first, second, left, right, sizes, optimiser, room):
    """One step, in place, on matrices whose gradients are outer products left ⊗ right; these are never made.

    Parameters
    ----------
    weights, first, second : tensors of shape (B, U, F)
    left, right : tensors of shape (B, U) and (B, F)
    room : tensor of shape (B, U, F)
        For what is divided by; overwritten.
    """
    size, correction = (part.unsqueeze(-1) for part in sizes)
    left, right = left.unsqueeze(2), right.unsqueeze(1)
    first.baddbmm_(left, right, beta=optimiser.beta1, alpha=1 - optimiser.beta1)
    second.baddbmm_(left * left, right * right, beta=optimiser.beta2, alpha=1 - optimiser.beta2)
    # size · m / (√v / correction + ε), with the size in the denominator: one pass less over the matrices
    slope, least = ((part / size).to(room.dtype) for part in (1 / correction, optimiser.epsilon))
    torch.sqrt(second, out=room)
    torch.addcmul(least, room, slope, out=room)
    weights.addcdiv_(first, room, value=-1)


def adam_through(z, first, second, gradient, sizes, optimiser, tables):
    """One step, in place, on a layer that acts through z alone: see ``kernels.adam.adam_through``.

    Parameters
    ----------
    z, first, second, gradient : tensors of shape (B, U)
    tables : tensor of float64, shape (B, entries)
        ``reach_table`` of each problem.
    """
    size, correction = sizes
    _moments(first, second, gradient, optimiser)
    z -= (size * first * reach(tables, second.double().sqrt() / correction)).to(z.dtype)


def reach(tables, root):
    """Σ s² / (s·root + ε) of every root (B, U), from the tables by cubic interpolation: see ``kernels.adam.reach``."""
    place = (root.clamp_min(1e-16).log() - LEAST_LOG) * ((TABLE - 1) / (MOST_LOG - LEAST_LOG))
    at = place.long().clamp(1, TABLE - 3)
    f = place - at
    a, b, c, d = (tables.gather(1, at + near) for near in (-1, 0, 1, 2))
    inside = b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)))
    return torch.where(place < TABLE - 2, inside.exp(), (tables[:, -1:] + MOST_LOG).exp() / root)
