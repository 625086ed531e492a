"""One problem as a lockstep holds it: its arrays, its parameters on the host, and its place among the others, which its
training takes for an engine of its own. Leaves out numerics (``lockstep_group.py``) and who has a place
(``lockstep.py``).
"""

import numpy as np
import torch

from ltw_core.weighting.learned.draws import Draws
from ltw_core.weighting.learned.engine import weighting_part
from ltw_core.weighting.learned.network import initial_parameters, local_cd


class Packed:
    """One problem as flat arrays, its terms in the order of their (tpr, fpr) pairs: a pair's terms are neighbours.

    Attributes
    ----------
    order : ndarray, shape (F,)
        The term in each place.
    pairs : ndarray, shape (P, 2)
    pair_of : ndarray, shape (F,)
        The pair of the term in each place, increasing.
    """

    def __init__(self, problem, dtype):
        self.problem, self.dtype = problem, np.dtype(dtype)
        self.pairs, pair_of = problem.pairs
        self.order = np.argsort(pair_of, kind="stable")
        self.place = np.empty_like(self.order)
        self.place[self.order] = np.arange(len(self.order))
        self.pair_of = pair_of[self.order].astype(np.int64)
        self.row_lengths = np.diff(problem.train.starts)
        self._on_device = {}

    n_terms = property(lambda self: len(self.order))
    n_pairs = property(lambda self: len(self.pairs))

    def documents(self, part, device):
        """(columns, dd, y) of ``part``, "train" or "validation", as tensors on the device."""
        if part not in self._on_device:
            documents = getattr(self.problem, part)
            arrays = (
                self.place[documents.terms].astype(np.int32),
                documents.dd.astype(self.dtype),
                documents.y.astype(self.dtype),
            )
            self._on_device[part] = tuple(torch.as_tensor(array, device=device) for array in arrays)
        return self._on_device[part]

    def forget(self):
        """Give the device's memory back."""
        self._on_device.clear()


class State:
    """Parameters and moments of one problem on the host: flat arrays W1, b1, W2, b2, W3 (by place), b3."""

    def __init__(self, theta, first=None, second=None, moment_steps=0):
        self.theta = theta
        self.first = np.zeros_like(theta) if first is None else first
        self.second = np.zeros_like(theta) if second is None else second
        self.moment_steps = moment_steps

    @classmethod
    def of(cls, parameters, packed):
        """New moments for parameters by the names of ``network.py``."""
        parts = [np.ravel(parameters[name]) for name in ("W1", "b1", "W2", "b2")]
        parts += [parameters["W3"][packed.order], parameters["b3"]]
        return cls(np.concatenate(parts).astype(packed.dtype))

    def parameters(self, hidden, packed):
        """The parameters by name."""
        w1, b1, w2, b2, w3, b3 = np.split(self.theta, np.cumsum([2 * hidden, hidden, hidden, 1, packed.n_terms]))
        return {"W1": w1.reshape(2, hidden), "b1": b1, "W2": w2, "b2": b2, "W3": w3[packed.place], "b3": b3}


class Seat:
    """One problem's place in the lockstep, which its ``Training`` takes for an engine: see ``engine.Engine``."""

    name = "lockstep"

    def __init__(self, index, packed, settings, device):
        self.index, self.packed, self.problem = index, packed, packed.problem
        self.settings, self.network, self.device = settings, settings.network, str(device)
        self.hidden = settings.hidden_units(packed.n_terms)
        self.training, self.events = None, None
        self.elapsed, self.loss, self.made = 0.0, 0.0, 0
        self.reset(0)

    def reset(self, attempt):
        settings, problem = self.settings, self.problem
        self.attempt, self.step = attempt, 0
        self.draws = Draws(settings.seed, attempt, len(problem.train), settings.batch_size)
        parameters = initial_parameters(
            self.network, problem.tpr, problem.fpr, self.hidden, settings.hidden_dd, self.draws.initial()
        )
        self.waiting = State.of(parameters, self.packed)  # what the group has to load
        self.theta, self._cd, self.logits = self.waiting.theta, None, None

    def see(self, look, place):
        """Take what a look at the group says of this place."""
        self.theta, self._cd, self.logits = look.theta[place], look.cd[place], look.logits[place]

    @property
    def due(self):
        """Steps to this problem's next validation."""
        settings = self.settings
        return min(settings.check_every, settings.max_steps - self.training.step) - self.made

    # ---- what the training asks for: the steps are made already

    def advance(self, steps, head_only=False):
        if head_only or steps != self.made:
            raise RuntimeError(f"a lockstep made {self.made} steps where its training asks for {steps}")
        loss, self.loss, self.made = self.loss / steps, 0.0, 0
        return loss

    def validation_logits(self):
        return self.logits

    def finite(self):
        return bool(np.isfinite(self.theta).all())

    def cd(self):
        if self._cd is None:  # after new weights, before any look
            pairs, pair_of = self.problem.pairs
            self._cd = local_cd(self.parameters(), pairs[:, 0], pairs[:, 1], self.network.sigmoid)[pair_of]
        return self._cd.copy()

    def parameters(self):
        found = State(self.theta).parameters(self.hidden, self.packed)
        return {name: value.copy() for name, value in found.items()}

    def weighting_parameters(self):
        return weighting_part(self.network, self.parameters())

    def restart_optimiser(self):
        raise ValueError("a lockstep has no pre-training, after which moments would be forgotten")

    def state(self):
        raise ValueError("a training in lockstep makes no checkpoints; learn the class alone for that")
