"""The CPU engine of the local variants and LTW-TF."""

import numpy as np

from ltw_core.weighting.learned.engines.compiled import kernels
from ltw_core.weighting.learned.engines.compiled.compiled_engine import CompiledEngine
from ltw_core.weighting.learned.engines.random_numbers import ENTRIES, TERMS
from ltw_core.weighting.learned.network import PRETRAIN_POINTS, weighting_part


class CompiledLocalEngine(CompiledEngine):
    """See ``engine.Engine``."""

    piece = 100

    def __init__(self, problem, settings):
        learned = settings.network.learned_dd
        h, d = settings.hidden_units(problem.n_terms), settings.hidden_dd if learned else 0
        pairs, pair_of = problem.pairs
        n_inputs, counts = pairs.shape[1], problem.frequencies if learned else np.zeros(1)
        self.shape = kernels.Network(n_inputs, h, d, settings.network.sigmoid, learned)
        self.inputs = kernels.Inputs(pair_of, points(pairs, settings.dtype), points(counts[:, None], settings.dtype))
        sizes = {"W1": n_inputs * h, "b1": h, "W2": h, "b2": 1}
        sizes |= {"W4": d, "b4": d, "W5": d, "b5": 1} if learned else {}
        super().__init__(problem, settings, sizes | {"W3": problem.n_terms, "b3": 1})

    def parameters(self):
        found = super().parameters()
        return found | {"W1": found["W1"].reshape(-1, self.hidden)}

    def weighting_parameters(self):
        return weighting_part(self.network, self.parameters())

    # ---- steps

    def advance(self, steps, head_only=False):
        total = kernels.advance_local(
            self.train, self._batches(steps), self.inputs, self.flat, self.shape, self.moment_steps,
            self.settings.adam(), bool(head_only), self._dropout(TERMS), self._dropout(ENTRIES),
        )  # fmt: skip
        self._count(steps)
        return total / steps

    def pretrain(self, target, steps, should_stop=None):
        points = self.random.points(self.pretrained, steps * PRETRAIN_POINTS)
        x, y, wanted = map(self._array, (points[:, 0], points[:, 1], target(points[:, 0], points[:, 1])))
        total, each, adam = 0.0, self.piece * PRETRAIN_POINTS, self.settings.adam(self.settings.pretrain_rate)
        for begin in range(0, len(points), each):
            if should_stop is not None and should_stop():
                return None
            some = slice(begin, begin + each)
            total += kernels.fit_surface(
                x[some], y[some], wanted[some], PRETRAIN_POINTS, self.flat, self.hidden, self.network.sigmoid,
                self.moment_steps, adam,
            )  # fmt: skip
            made = len(x[some]) // PRETRAIN_POINTS
            self.pretrained += made
            self.moment_steps += made
        return total / steps

    # ---- looking at it

    def _cd(self):
        at = self.slices["W1"].start, self.hidden, self.shape.inputs, self.network.sigmoid
        return kernels.local_weights(self.inputs.pairs, self.theta, *at)[self.inputs.pair_of]

    def _validation_dd(self):
        if not self.network.learned_dd:
            return self.validation.dd
        at = self.slices["W4"].start, self.shape.hidden_dd, 1, False
        return np.maximum(kernels.local_weights(self.inputs.counts, self.theta, *at), 0)[self.validation.count_of]


def points(rows, kind):
    """Rows of one coordinate or more as the kernels take them."""
    x, *others = (np.ascontiguousarray(column, dtype=kind) for column in rows.T)
    y = others[0] if others else np.zeros_like(x)
    return kernels.Points(x, y, np.array(others[1:]) if others[1:] else None)
