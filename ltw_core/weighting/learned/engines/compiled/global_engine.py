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
"""Most steps, and weights of W2 if batches held all terms, between two looks at whether to stop; at least one step."""
BEHIND = ("seen", "owed", "hidden")  # what the layer holds of rows that are not up to date
FEWEST_GONE = 1 / 16  # share of the units that must have come to rest before the others are copied together


class CompiledGlobalEngine(CompiledEngine):
    """See ``engine.Engine``.

    Attributes
    ----------
    layer : kernels.SecondLayer
        W2 of the units that still move, one row a term. A unit that is not positive has no gradient, and once its
        momentum is gone it stays as it is for ever; of new weights half are so from the start.
    resting : ndarray, shape (other units, F)
        The rows of W2 of those units.
    """

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
        self.layer, self.resting = None, np.asarray(parameters["W2"], dtype=self.dtype)  # until units are told apart
        super().load_parameters(parameters)

    def restart_optimiser(self):
        weights = self.weights
        super().restart_optimiser()
        units = np.flatnonzero(self._part("z") > 0)
        by_terms = np.ascontiguousarray(weights[units].T)
        self._begin(units, by_terms, np.zeros_like(by_terms), np.zeros_like(by_terms))
        self.resting = np.delete(weights, units, axis=0)

    def _begin(self, units, by_terms, first, root):
        """Go on with these units, of which all are up to date; see ``kernels.SecondLayer``."""
        seen, owed = np.full(self.problem.n_terms, self.moment_steps), np.zeros(self.problem.n_terms, self.dtype)
        hidden = np.zeros((kernels.BLOCK, len(units)), self.dtype)
        self.layer, self._copy = kernels.SecondLayer(units, by_terms, first, root, seen, owed, hidden), None

    @property
    def weights(self):
        """W2, ndarray of shape (H, F)."""
        return self.resting if self.layer is None else self._of_all_units(self._settled())

    def _of_all_units(self, layer):
        found, others = np.empty((self.hidden, self.problem.n_terms), self.dtype), np.ones(self.hidden, bool)
        others[layer.units] = False
        found[layer.units], found[others] = layer.weights.T, self.resting
        return found

    def _settled(self):
        """The layer with all rows up to date. Within a block it is a copy: to settle the layer itself would change how
        its later steps are rounded. The copy serves until the next step."""
        if (self.layer.seen == self.moment_steps).all():
            return self.layer
        if self._copy is None:
            self._copy = kernels.SecondLayer(*(each.copy() for each in self.layer))
            self._steps(0, settle=True, layer=self._copy)
        return self._copy

    def parameters(self):
        return super().parameters() | {"W2": self.weights}

    def weighting_parameters(self):
        return {}

    # ---- steps

    def advance(self, steps, head_only=False):
        if head_only:
            raise ValueError("the global variants are not pre-trained, so there is no phase of W3 and b3 alone")
        total, left, self._copy = 0.0, steps, None
        while left:
            to_the_end = kernels.BLOCK - self.moment_steps % kernels.BLOCK
            some = min(left, to_the_end)
            total += self._steps(some, settle=some == to_the_end)
            left -= some
            if some == to_the_end:
                self._leave_out_what_rests()
        return total / steps

    def _steps(self, steps, settle, layer=None):
        """Make steps of one block; with `settle`, bring all rows of the layer up to date."""
        batches = self._batches(steps) if steps else kernels.Batches(np.zeros(0, int), np.zeros(1, int), self.step)
        total = kernels.advance_global(
            self.train, batches, layer or self.layer, self.flat, self.hidden, self.network.sigmoid,
            kernels.Span(self.moment_steps, settle), self.settings.adam(), self.table, self._dropout(HIDDEN),
        )  # fmt: skip
        self._count(steps)
        return total

    def _leave_out_what_rests(self):
        """Keep only the units that still move in the layer, where enough others have come to rest."""
        units, by_terms, first, root, *_ = self.layer
        at_rest = (self._part("z")[units] <= 0) & (self.first[self.slices["z"]][units] == 0)
        at_rest[at_rest] = ~first[:, at_rest].any(axis=0)
        if at_rest.sum() > FEWEST_GONE * at_rest.size:
            weights = self.weights
            self._begin(units[~at_rest], *(np.compress(~at_rest, each, axis=1) for each in (by_terms, first, root)))
            self.resting = np.delete(weights, self.layer.units, axis=0)

    def pretrain(self, target, steps, should_stop=None):
        raise ValueError("the global variants have no cd of (tpr, fpr) to fit")

    # ---- looking at it

    def _cd(self):
        units, by_terms, *_ = self._settled()
        hidden, out = np.empty(len(units), self.dtype), np.empty(self.problem.n_terms, self.dtype)
        kernels.hidden_now(self._part("z"), units, self._dropout(HIDDEN), 0, False, hidden)
        kernels.outputs(by_terms, hidden, self._part("b2"), out)
        return sigmoid(out) if self.network.sigmoid else out

    def finite(self):
        return super().finite() and bool(np.isfinite(self._cd()).all())

    def state(self):
        units, _, first, root, *behind = self.layer
        held = {"weights": self._of_all_units(self.layer), "units": units}
        held |= {"first_weights": first.T, "second_weights": np.square(root.T)}
        held |= dict(zip(BEHIND, behind, strict=True))
        return super().state() | {name: np.array(value, order="C") for name, value in held.items()}

    def restore_state(self, state):
        super().restore_state(state)
        weights, units = state["weights"], state["units"].copy()
        first, second = (np.ascontiguousarray(state[name].T) for name in ("first_weights", "second_weights"))
        self._begin(units, np.ascontiguousarray(weights[units].T), first, np.sqrt(second))
        self.resting = np.delete(weights, units, axis=0)
        for name in BEHIND:
            if name in state:  # before there were any, all rows were up to date
                getattr(self.layer, name)[:] = state[name]
