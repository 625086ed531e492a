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
        self.shape = kernels.Network(h, d, settings.network.sigmoid, learned)
        pairs, pair_of = problem.pairs
        x, y, counts = pairs[:, 0], pairs[:, 1], problem.frequencies if learned else np.zeros(1)
        kind = settings.dtype
        self.inputs = kernels.Inputs(pair_of, *(np.ascontiguousarray(part, dtype=kind) for part in (x, y, counts)))
        sizes = {"W1": 2 * h, "b1": h, "W2": h, "b2": 1}
        sizes |= {"W4": d, "b4": d, "W5": d, "b5": 1} if learned else {}
        super().__init__(problem, settings, sizes | {"W3": problem.n_terms, "b3": 1})

    def parameters(self):
        found = super().parameters()
        return found | {"W1": found["W1"].reshape(2, self.hidden)}

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
        wx, wy = np.split(self._part("W1"), 2)
        units, bias = kernels.Units(wx, wy, self._part("b1"), self._part("W2")), self._part("b2")[0]
        pair_of, x, y, _ = self.inputs
        return kernels.local_weights(x, y, units, bias, self.network.sigmoid)[pair_of]

    def _validation_dd(self):
        if not self.network.learned_dd:
            return self.validation.dd
        w4, b4, w5 = (self._part(name) for name in ("W4", "b4", "W5"))
        counts, units = self.inputs.counts, kernels.Units(w4, np.zeros_like(w4), b4, w5)
        weights = kernels.local_weights(counts, np.zeros_like(counts), units, self._part("b5")[0], False)
        return np.maximum(weights, 0)[self.validation.count_of]
