"""What the CPU engines of local and global variants share: flat parameters with their moments, and documents in the
engine's type, for the compiled loops of ``kernels``. No numerics of its own."""

from abc import ABC, abstractmethod

import numpy as np

from ltw_core.weighting.learned.engines.compiled import kernels
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers, threshold
from ltw_core.weighting.learned.network import initial_parameters


class CompiledEngine(ABC):
    """See ``engine.Engine``.

    Parameters
    ----------
    problem, settings : Problem, Settings
    sizes : dict of int
        Of each parameter in the flat vector, in their order.
    should_stop : callable, optional
        Asked while the weights of a global variant are drawn.
    """

    name, device = "compiled", "cpu"
    COUNTERS = ("attempt", "step", "pretrained", "moment_steps")

    def __init__(self, problem, settings, sizes, should_stop=None):
        self.problem, self.settings, self.network, self.should_stop = problem, settings, settings.network, should_stop
        self.dtype = np.dtype(settings.dtype)
        self.hidden = settings.hidden_units(problem.n_terms)
        self.train, self.validation = self._documents(problem.train), self._documents(problem.validation)
        ends = np.cumsum(list(sizes.values())).tolist()
        self.slices = {name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)}
        self.flat = kernels.Parameters(*(np.zeros(ends[-1], self.dtype) for _ in kernels.Parameters._fields))
        self.theta, self.first, self.second, self.gradient = self.flat
        self.reset(0)

    def _array(self, values):
        return np.ascontiguousarray(values, dtype=self.dtype)

    def _documents(self, documents):
        if self.network.learned_dd:
            count_of = np.searchsorted(self.problem.frequencies, documents.counts).astype(np.int32)
        else:
            count_of = np.zeros(1, np.int32)
        dd, y = self._array(documents.dd), self._array(documents.y)
        return kernels.Documents(documents.starts, documents.terms, dd, count_of, y)

    # ---- parameters

    def reset(self, attempt):
        self.attempt, self.step, self.pretrained = attempt, 0, 0
        problem, settings = self.problem, self.settings
        self.random = RandomNumbers(settings.seed, attempt, len(problem.train), settings.batch_size)
        self.load_parameters(
            initial_parameters(
                self.network, problem.inputs, self.hidden, settings.hidden_dd, self.random.initial(),
                self.dtype, self.should_stop,
            )
        )  # fmt: skip

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
        return {name: self._part(name).copy() for name in self.slices}

    # ---- steps

    def _batches(self, steps):
        return kernels.Batches(*self.random.rows(self.step, steps), self.step)

    def _dropout(self, stream):
        share, masks = float(self.settings.dropout), self.settings.dropout_form == "bernoulli"
        return kernels.Dropout(share, masks, threshold(share), self.random.key(stream))

    def _count(self, steps):
        self.step += steps
        self.moment_steps += steps

    # ---- looking at it

    @abstractmethod
    def _cd(self):
        """cd of every term in the engine's type."""

    def _validation_dd(self):
        return self.validation.dd

    def finite(self):
        return bool(np.isfinite(self.theta).all())

    def cd(self):
        return self._cd().astype(np.float64)

    def validation_logits(self):
        starts, terms, *_, y = self.validation
        out = np.empty(len(y), self.dtype)
        kernels.logits(starts, terms, self._validation_dd(), self._cd(), self._part("W3"), self._part("b3")[0], out)
        return out

    def state(self):
        found = {name: getattr(self, name).copy() for name in ("theta", "first", "second")}
        return found | {"counters": np.array([getattr(self, name) for name in self.COUNTERS])}

    def restore_state(self, state):
        self.reset(int(state["counters"][0]))
        for name, value in zip(self.COUNTERS, state["counters"], strict=True):
            setattr(self, name, int(value))
        for name in ("theta", "first", "second"):
            getattr(self, name)[:] = state[name]  # the kernels' parameters are these arrays
