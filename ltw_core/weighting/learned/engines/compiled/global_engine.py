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
from ltw_core.weighting.learned.engines.random_numbers import HIDDEN, RandomNumbers, threshold
from ltw_core.weighting.learned.network import initial_parameters, sigmoid

PIECE, WEIGHTS = 50, 2e7
"""Most steps, and entries of W2 passed over, between two looks at whether to stop; at least one step."""


class CompiledGlobalEngine:
    """See ``engine.Engine``."""

    name, device = "compiled", "cpu"

    def __init__(self, problem, settings, should_stop=None):
        self.problem, self.settings, self.network = problem, settings, settings.network
        self.should_stop = should_stop
        self.dtype = np.dtype(settings.dtype)
        self.hidden = settings.hidden_units(problem.n_terms)
        settings.check_size(problem.n_terms)
        self.piece = max(1, min(PIECE, int(WEIGHTS / (self.hidden * problem.n_terms))))
        self.train, self.validation = self._documents(problem.train), self._documents(problem.validation)
        ends = np.cumsum([0, self.hidden, problem.n_terms, problem.n_terms, 1]).tolist()
        self.slices = {name: slice(*ends[i : i + 2]) for i, name in enumerate(("z", "b2", "W3", "b3"))}
        self.theta, self.first, self.second, self.gradient = np.zeros((4, ends[-1]), self.dtype)
        inputs = np.concatenate([problem.tpr, problem.fpr, [1.0]])  # 1 is that of b1
        self.table = kernels.reach_table(inputs, self.settings.epsilon)
        self.reset(0)

    def _documents(self, documents):
        kind = self.dtype
        return documents.starts, documents.terms, documents.dd.astype(kind), documents.y.astype(kind)

    # ---- parameters

    def reset(self, attempt):
        self.attempt, self.step = attempt, 0
        problem, settings = self.problem, self.settings
        self.draws = RandomNumbers(settings.seed, attempt, len(problem.train), settings.batch_size)
        self.load_parameters(
            initial_parameters(
                self.network, problem.tpr, problem.fpr, self.hidden, 0, self.draws.initial(), self.dtype,
                self.should_stop,
            )
        )  # fmt: skip

    def load_parameters(self, parameters):
        for name, place in self.slices.items():
            self.theta[place] = parameters[name]
        self.weights = np.asarray(parameters["W2"], dtype=self.dtype, order="C").copy()
        self.restart_optimiser()

    def restart_optimiser(self):
        self.first[:] = self.second[:] = 0
        self.units = np.flatnonzero(self.theta[self.slices["z"]] > 0)
        shape = (len(self.units), self.problem.n_terms)
        self.first_weights, self.second_weights = np.zeros(shape, self.dtype), np.zeros(shape, self.dtype)
        self.gone = np.zeros(len(self.units), dtype=bool)
        self.moment_steps = 0

    def _live(self):
        """Units that still move: their place among `units`, the units with moments, and their rows of W2.

        One that is not positive has no gradient, and once its momentum is gone it stays as it is for ever. Of new
        weights half are so from the start: `units` are the others.
        """
        z = self.theta[self.slices["z"]][self.units]
        still = (z <= 0) & (self.first[self.slices["z"]][self.units] == 0) & ~self.gone
        self.gone[still] = [not self.first_weights[row].any() for row in np.flatnonzero(still)]
        place = np.flatnonzero(~self.gone)
        return place, self.units[place]

    def parameters(self):
        return {name: self.theta[place].copy() for name, place in self.slices.items()} | {"W2": self.weights.copy()}

    def weighting_parameters(self):
        return {}

    # ---- steps

    def advance(self, steps, head_only=False):
        if head_only:
            raise ValueError("the global variants are not pre-trained, so there is no phase of W3 and b3 alone")
        place, live = self._live()
        rows, row_starts = self.draws.rows(self.step, steps)
        settings, (starts, terms, dd, y) = self.settings, self.train
        total = kernels.advance_global(
            starts, terms, dd, y, rows, row_starts, self.step, live, place, self.weights, self.first_weights,
            self.second_weights, self.theta, self.first, self.second, self.gradient, self.hidden, self.moment_steps,
            settings.adam(), self.table, self.network.sigmoid, float(settings.dropout),
            self.draws.key(HIDDEN), threshold(settings.dropout),
        )  # fmt: skip
        self.step += steps
        self.moment_steps += steps
        return total / steps

    def pretrain(self, target, steps, should_stop=None):
        raise ValueError("the global variants have no cd of (tpr, fpr) to fit")

    # ---- looking at it

    def _cd(self):
        live = self._live()[1]
        hidden, out = np.empty(len(live), self.dtype), np.empty(self.problem.n_terms, self.dtype)
        key, limit = self.draws.key(HIDDEN), threshold(0.0)
        z, bias = self.theta[self.slices["z"]], self.theta[self.slices["b2"]]
        kernels.hidden_now(z, live, key, 0, limit, 0.0, False, hidden)
        kernels.outputs(self.weights, live, hidden, bias, out)
        return sigmoid(out) if self.network.sigmoid else out

    def finite(self):
        return bool(np.isfinite(self.theta).all() and np.isfinite(self._cd()).all())

    def cd(self):
        return self._cd().astype(np.float64)

    def validation_logits(self):
        starts, terms, dd, y = self.validation
        head, bias = self.theta[self.slices["W3"]], self.theta[self.slices["b3"]][0]
        out = np.empty(len(y), self.dtype)
        kernels.logits(starts, terms, dd, self._cd(), head, bias, out)
        return out

    def state(self):
        names = ("theta", "first", "second", "weights", "units", "first_weights", "second_weights")
        counters = np.array([self.attempt, self.step, self.moment_steps])
        return {name: getattr(self, name).copy() for name in names} | {"counters": counters}

    def restore_state(self, state):
        self.reset(int(state["counters"][0]))
        _, self.step, self.moment_steps = (int(value) for value in state["counters"])
        for name in ("theta", "first", "second"):
            getattr(self, name)[:] = state[name]  # theta's parts are views of it
        for name in ("weights", "units", "first_weights", "second_weights"):
            setattr(self, name, state[name].copy())
        self.gone = np.zeros(len(self.units), dtype=bool)  # found anew
