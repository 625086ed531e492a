"""Fitting cd_L of some problems of a group to their functions of (tpr, fpr), side by side: mean squared error on
uniform points, a hundred a step, without dropout. Leaves out when it ends (``protocol.py``)."""

import torch

from ltw_core.weighting.learned.engines.lockstep.adam import adam, step_sizes
from ltw_core.weighting.learned.engines.lockstep.replay import Replay


class Pretraining:
    """Steps on copies of some rows of a group's cd layer.

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
            flat[self.rows, : self.width] for flat in (group.theta, group.first, group.second)
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
            flat[self.rows, : self.width] = own
        self.group.moment_steps[self.rows] = self.moment_steps
        return (self.error / len(points)).tolist()

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
        by = self.group.settings.adam(self.group.settings.pretrain_rate)
        adam(self.theta, self.first, self.second, gradient, step_sizes(self.moment_steps, by), by)
