"""The CPU engine of the global variants, with the first layer collapsed.

The input of LTW-G is one constant vector s, so W1 only ever acts through z = s·W1 + b1. The gradient of W1's row i is
s_i times that of z, so its moments follow from z's, and what Adam's step of all rows together does to z is a sum over
s (``kernels.adam.adam_through``): training z is training W1 and b1, Adam's ε included, with H of their 2F·H + H
parameters. (Without ε it would be training z at the learning rate times 1 + Σ s. But s_i·g is often no larger than
ε.) A test compares with the uncollapsed network. The variant is thereby seen to be one free weight a term, behind a
dropout that all terms share.
"""

import numpy as np

from ltw_core.weighting.learned.engines.compiled import kernels
from ltw_core.weighting.learned.engines.compiled.compiled_engine import CompiledEngine
from ltw_core.weighting.learned.engines.random_numbers import HIDDEN
from ltw_core.weighting.learned.network import sigmoid

PIECE, WEIGHTS = 50, 2e7
"""Most steps, and entries of W2 passed over, between two looks at whether to stop; at least one step."""
MOMENTS = ("weights", "units", "first_weights", "second_weights")


class CompiledGlobalEngine(CompiledEngine):
    """See ``engine.Engine``."""

    COUNTERS = ("attempt", "step", "moment_steps")

    def __init__(self, problem, settings, should_stop=None):
        settings.check_size(problem.n_terms)
        h, f = settings.hidden_units(problem.n_terms), problem.n_terms
        self.piece = max(1, min(PIECE, int(WEIGHTS / (h * f))))
        inputs = np.append(problem.inputs, 1.0)  # 1 is that of b1
        self.table = kernels.reach_table(inputs, settings.epsilon)
        super().__init__(problem, settings, {"z": h, "b2": f, "W3": f, "b3": 1}, should_stop)

    # ---- parameters

    def load_parameters(self, parameters):
        self.weights = np.asarray(parameters["W2"], dtype=self.dtype, order="C").copy()
        super().load_parameters(parameters)

    def restart_optimiser(self):
        super().restart_optimiser()
        self.units = np.flatnonzero(self._part("z") > 0)
        shape = (len(self.units), self.problem.n_terms)
        self.first_weights, self.second_weights = np.zeros(shape, self.dtype), np.zeros(shape, self.dtype)
        self.gone = np.zeros(len(self.units), dtype=bool)

    def _live(self):
        """Units that still move: their place among `units`, the units with moments, and their rows of W2.

        One that is not positive has no gradient, and once its momentum is gone it stays as it is for ever. Of new
        weights half are so from the start: `units` are the others.
        """
        z = self._part("z")[self.units]
        still = (z <= 0) & (self.first[self.slices["z"]][self.units] == 0) & ~self.gone
        self.gone[still] = [not self.first_weights[row].any() for row in np.flatnonzero(still)]
        place = np.flatnonzero(~self.gone)
        return place, self.units[place]

    def parameters(self):
        return super().parameters() | {"W2": self.weights.copy()}

    def weighting_parameters(self):
        return {}

    # ---- steps

    def advance(self, steps, head_only=False):
        if head_only:
            raise ValueError("the global variants are not pre-trained, so there is no phase of W3 and b3 alone")
        place, live = self._live()
        layer = kernels.SecondLayer(live, place, self.weights, self.first_weights, self.second_weights)
        total = kernels.advance_global(
            self.train, self._batches(steps), layer, self.flat, self.hidden, self.network.sigmoid, self.moment_steps,
            self.settings.adam(), self.table, self._dropout(HIDDEN),
        )  # fmt: skip
        self._count(steps)
        return total / steps

    def pretrain(self, target, steps, should_stop=None):
        raise ValueError("the global variants have no cd of (tpr, fpr) to fit")

    # ---- looking at it

    def _cd(self):
        live = self._live()[1]
        hidden, out = np.empty(len(live), self.dtype), np.empty(self.problem.n_terms, self.dtype)
        kernels.hidden_now(self._part("z"), live, self._dropout(HIDDEN), 0, False, hidden)
        kernels.outputs(self.weights, live, hidden, self._part("b2"), out)
        return sigmoid(out) if self.network.sigmoid else out

    def finite(self):
        return super().finite() and bool(np.isfinite(self._cd()).all())

    def state(self):
        return super().state() | {name: getattr(self, name).copy() for name in MOMENTS}

    def restore_state(self, state):
        super().restore_state(state)
        for name in MOMENTS:
            setattr(self, name, state[name].copy())
        self.gone = np.zeros(len(self.units), dtype=bool)  # found again
