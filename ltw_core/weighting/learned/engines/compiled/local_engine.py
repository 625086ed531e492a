"""The CPU engine of the local variants: flat arrays for the compiled loops of ``kernels.py``. No numerics of its
own."""

import numpy as np

from ltw_core.weighting.learned.engines.compiled import kernels
from ltw_core.weighting.learned.engines.random_numbers import ENTRIES, TERMS, RandomNumbers, threshold
from ltw_core.weighting.learned.network import PRETRAIN_POINTS, initial_parameters, weighting_part


class CompiledLocalEngine:
    """See ``engine.Engine``."""

    name, device, piece = "compiled", "cpu", 100

    def __init__(self, problem, settings):
        self.problem, self.settings, self.network = problem, settings, settings.network
        self.dtype = np.dtype(settings.dtype)
        self.hidden = settings.hidden_units(problem.n_terms)
        self.hidden_dd = settings.hidden_dd if self.network.learned_dd else 0
        pairs, self.pair_of = problem.pairs
        self.pair_x, self.pair_y = self._array(pairs[:, 0]), self._array(pairs[:, 1])
        self.train, self.validation = self._documents(problem.train), self._documents(problem.validation)
        self.frequencies = self._array(problem.frequencies if self.network.learned_dd else np.zeros(1))
        self.slices = self._layout()
        size = self.slices["b3"].stop
        self.theta, self.gradient = np.zeros(size, self.dtype), np.zeros(size, self.dtype)
        self.first, self.second = np.zeros(size, self.dtype), np.zeros(size, self.dtype)
        self.reset(0)

    def _array(self, values):
        return np.ascontiguousarray(values, dtype=self.dtype)

    def _documents(self, documents):
        if self.network.learned_dd:
            frequency_of = np.searchsorted(self.problem.frequencies, documents.counts).astype(np.int32)
        else:
            frequency_of = np.zeros(1, np.int32)
        return documents.starts, documents.terms, self._array(documents.dd), frequency_of, self._array(documents.y)

    def _layout(self):
        sizes = {"W1": 2 * self.hidden, "b1": self.hidden, "W2": self.hidden, "b2": 1}
        if self.network.learned_dd:
            sizes |= {"W4": self.hidden_dd, "b4": self.hidden_dd, "W5": self.hidden_dd, "b5": 1}
        sizes |= {"W3": self.problem.n_terms, "b3": 1}
        ends = np.cumsum(list(sizes.values())).tolist()
        return {name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)}

    # ---- parameters

    def reset(self, attempt):
        self.attempt, self.step, self.pretrained = attempt, 0, 0
        problem, settings = self.problem, self.settings
        self.draws = RandomNumbers(settings.seed, attempt, len(problem.train), settings.batch_size)
        generator = self.draws.initial()
        self.load_parameters(
            initial_parameters(self.network, problem.tpr, problem.fpr, self.hidden, settings.hidden_dd, generator)
        )

    def restart_optimiser(self):
        self.first[:] = self.second[:] = 0
        self.moment_steps = 0

    def load_parameters(self, parameters):
        for name, place in self.slices.items():
            self.theta[place] = np.ravel(parameters[name])
        self.restart_optimiser()

    def _part(self, name):
        return self.theta[self.slices[name]]

    def parameters(self):
        found = {name: self._part(name).copy() for name in self.slices}
        found["W1"] = found["W1"].reshape(2, self.hidden)
        return found

    def weighting_parameters(self):
        return weighting_part(self.network, self.parameters())

    # ---- steps

    def advance(self, steps, head_only=False):
        rows, row_starts = self.draws.rows(self.step, steps)
        settings, (starts, terms, dd, frequency_of, y) = self.settings, self.train
        total = kernels.advance_local(
            starts, terms, dd, frequency_of, y, rows, row_starts, self.step,
            self.pair_of, self.pair_x, self.pair_y, self.frequencies,
            self.theta, self.first, self.second, self.gradient, self.hidden, self.hidden_dd, self.moment_steps,
            settings.adam(), bool(head_only), self.network.sigmoid, self.network.learned_dd,
            float(settings.dropout), settings.dropout_form == "bernoulli",
            self.draws.key(TERMS), self.draws.key(ENTRIES), threshold(settings.dropout),
        )  # fmt: skip
        self.step += steps
        self.moment_steps += steps
        return total / steps

    def pretrain(self, target, steps, should_stop=None):
        points = self.draws.points(self.pretrained, steps * PRETRAIN_POINTS)
        x, y, wanted = map(self._array, (points[:, 0], points[:, 1], target(points[:, 0], points[:, 1])))
        total, each, by = 0.0, self.piece * PRETRAIN_POINTS, self.settings.adam(self.settings.pretrain_rate)
        for begin in range(0, len(points), each):
            if should_stop is not None and should_stop():
                return None
            some = slice(begin, begin + each)
            total += kernels.fit_surface(
                x[some], y[some], wanted[some], PRETRAIN_POINTS, self.theta, self.first, self.second, self.gradient,
                self.hidden, self.moment_steps, by, self.network.sigmoid,
            )  # fmt: skip
            made = len(x[some]) // PRETRAIN_POINTS
            self.pretrained += made
            self.moment_steps += made
        return total / steps

    # ---- looking at it

    def _cd(self):
        wx, wy = self._part("W1")[: self.hidden], self._part("W1")[self.hidden :]
        b, w, bias = self._part("b1"), self._part("W2"), self._part("b2")[0]
        return kernels.local_weights(self.pair_x, self.pair_y, wx, wy, b, w, bias, self.network.sigmoid)[self.pair_of]

    def finite(self):
        return bool(np.isfinite(self.theta).all())

    def cd(self):
        return self._cd().astype(np.float64)

    def validation_logits(self):
        starts, terms, value, frequency_of, y = self.validation
        if self.network.learned_dd:
            w4, b4, w5 = (self._part(name) for name in ("W4", "b4", "W5"))
            x, bias, none = self.frequencies, self._part("b5")[0], np.zeros_like(self.frequencies)
            weights = kernels.local_weights(x, none, w4, np.zeros_like(w4), b4, w5, bias, False)
            value = np.maximum(weights, 0)[frequency_of]
        out = np.empty(len(y), self.dtype)
        kernels.logits(starts, terms, value, self._cd(), self._part("W3"), self._part("b3")[0], out)
        return out

    def state(self):
        return {
            "theta": self.theta.copy(), "first": self.first.copy(), "second": self.second.copy(),
            "counters": np.array([self.attempt, self.step, self.pretrained, self.moment_steps]),
        }  # fmt: skip

    def restore_state(self, state):
        self.reset(int(state["counters"][0]))
        _, self.step, self.pretrained, self.moment_steps = (int(value) for value in state["counters"])
        for name in ("theta", "first", "second"):
            getattr(self, name)[:] = state[name]
