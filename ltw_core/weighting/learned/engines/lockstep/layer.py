"""The hidden layer of B problems at the points that each of them has: of cd_L at its distinct (tpr, fpr), and of
LTW-TF's dd at its distinct counts, taken as points (f, 0).

For a point x, y and a hidden unit of weights A = (a, b, c) and w, mean and variance of what the layer gives under
Gaussian dropout are sums over units of gate · w·(A·[x, y, 1]) and of gate · w²·(A·[x, y, 1])², so that all of forward
and backward are two products of the (points × units) matrix of gates 0/1 with nine columns each: only that matrix is
ever as large. Nothing is read back to the host, and every sum has a fixed order.

Leaves out how points become terms or entries, and their draws (``lockstep_group.py``).
"""

import numpy as np
import torch

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
