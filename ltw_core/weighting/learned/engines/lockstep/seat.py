"""One problem as a lockstep holds it: its arrays, its parameters on the host, and its place among the others, which its
training takes for an engine of its own. Leaves out numerics (``lockstep_group.py``) and who has a place
(``lockstep.py``).
"""

from functools import cached_property

import numpy as np
import torch

from ltw_core.weighting.learned import protocol
from ltw_core.weighting.learned.engines.compiled.kernels import reach_table
from ltw_core.weighting.learned.engines.lockstep.state import LocalState, layer_sizes, state_of
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.network import PRETRAIN_POINTS, initial_parameters, weighting_part


class Packed:
    """One problem as flat arrays. For a local variant its terms are in the order of their (tpr, fpr) pairs: a pair's
    terms are neighbours.

    Attributes
    ----------
    order : ndarray, shape (F,)
        The term in each place.
    pairs : ndarray, shape (P, 2)
        Of a local variant; of a global one there are none.
    pair_of : ndarray, shape (F,)
        The pair of the term in each place, increasing.
    frequencies : ndarray, shape (Q,)
        Distinct counts, for a learned dd; else one that says nothing.
    """

    def __init__(self, problem, settings):
        self.problem, self.dtype, self.epsilon = problem, np.dtype(settings.dtype), settings.epsilon
        self.learned_dd = settings.network.learned_dd
        self.frequencies = problem.frequencies if self.learned_dd else np.zeros(1)
        if settings.network.local:
            self.pairs, pair_of = problem.pairs
        else:
            self.pairs, pair_of = np.zeros((0, 2)), np.arange(problem.n_terms)
        self.order = np.argsort(pair_of, kind="stable")
        self.place = np.empty_like(self.order)
        self.place[self.order] = np.arange(len(self.order))
        self.pair_of = pair_of[self.order].astype(np.int64)
        self.row_lengths = np.diff(problem.train.starts)
        self._on_device = {}

    n_terms = property(lambda self: len(self.order))
    n_pairs = property(lambda self: len(self.pairs))
    extent = property(lambda self: self.n_pairs or self.n_terms, doc="What the size of its arrays depends on.")

    @cached_property
    def reach(self):
        """``reach_table`` of the problem, for LTW-G's first layer."""
        problem = self.problem
        return reach_table(np.concatenate([problem.tpr, problem.fpr, [1.0]]), self.epsilon)  # 1 is that of b1

    def documents(self, part, device):
        """(columns, dd, y, place of the count among the distinct ones) of ``part``, "train" or "validation", as tensors
        on the device."""
        if part not in self._on_device:
            documents = getattr(self.problem, part)
            arrays = (
                self.place[documents.terms].astype(np.int32),
                documents.dd.astype(self.dtype),
                documents.y.astype(self.dtype),
                np.searchsorted(self.frequencies, documents.counts if self.learned_dd else []).astype(np.int32),
            )
            self._on_device[part] = tuple(torch.as_tensor(array, device=device) for array in arrays)
        return self._on_device[part]

    def forget(self):
        """Give the device's memory back."""
        self._on_device.clear()


class SharedWeights:
    """Initial parameters of LTW-G: but for the length of z they are the same for all problems of as many terms under
    one seed, and W2 takes a tenth of a second to draw (Reuters). Keeps those that were asked for last."""

    def __init__(self):
        self._key, self._parameters = None, None

    def of(self, settings, problem, draws, dtype):
        """What ``initial_parameters`` gives, but for rounding of z; not to be changed."""
        key = draws.seed, draws.attempt, problem.n_terms
        if self._key != key:
            unit = np.zeros(problem.n_terms)
            unit[0] = 1.0
            hidden = settings.hidden_units(problem.n_terms)
            self._parameters = initial_parameters(
                settings.network, unit, np.zeros_like(unit), hidden, 0, draws.initial(), dtype
            )
            self._key = key
        length = np.sqrt(np.sum(problem.tpr**2) + np.sum(problem.fpr**2))
        return self._parameters | {"z": length * self._parameters["z"]}


class Seat:
    """One problem's place in the lockstep, which its ``Training`` takes for an engine: see ``engine.Engine``."""

    name = "lockstep"

    def __init__(self, index, packed, settings, device, shared=None):
        self.index, self.packed, self.problem = index, packed, packed.problem
        self.shared = shared or SharedWeights()
        self.settings, self.network, self.device = settings, settings.network, str(device)
        self.sizes = layer_sizes(settings, packed.n_terms)
        self.training, self.events, self.elapsed = None, None, 0.0
        self.waiting = None  # a state that the group has to load

    def begin(self):
        """Draw initial weights, unless that is done; not before there is a place, as LTW-G's are many."""
        if self.training is None and self.waiting is None:
            self.reset(0)

    def reset(self, attempt):
        settings, problem = self.settings, self.problem
        self.attempt, self.step, self.pretrained = attempt, 0, 0
        self.parts, self.error = [], None  # what was made and the training has not taken in: [steps, head only?, loss]
        self.forget = self.forgot = False  # moments are to be forgotten; were, before the training asked for it
        self.draws = RandomNumbers(settings.seed, attempt, len(problem.train), settings.batch_size)
        if self.network.local:
            parameters = initial_parameters(
                self.network, problem.tpr, problem.fpr, self.sizes[0], settings.hidden_dd, self.draws.initial()
            )
        else:
            parameters = self.shared.of(settings, problem, self.draws, self.packed.dtype)
        self.waiting = state_of(parameters, self.packed)
        self.theta, self._cd, self.logits = self.waiting.theta, None, None

    def see(self, look, place):
        """Take what a look at the group says of this place."""
        self.theta, self._cd, self.logits = look.theta[place], look.cd[place], look.logits[place]

    # ---- where it is in its training

    @property
    def ended(self):
        return bool(self.training is not None and self.training.stop_code)

    @property
    def pretraining(self):
        """Whether its next steps fit cd to a function."""
        return not self.ended and self.training.pretraining

    @property
    def made(self):
        return sum(steps for steps, _, _ in self.parts)

    @property
    def head_left(self):
        """Steps of W3 and b3 alone that are still to be made."""
        return self.training.head_steps_left() - self.made

    @property
    def due(self):
        """Steps to this problem's next validation, or to the end of those of W3 and b3 alone if that comes before."""
        settings = self.settings
        left = min(settings.check_every, settings.max_steps - self.training.step) - self.made
        return min(left, self.head_left) if self.head_left > 0 else left

    @property
    def ready(self):
        """Whether its training can take in what was made."""
        return self.error is not None if self.pretraining else self.due == 0

    def took(self, steps, loss):
        """Note steps that were made, and the sum of their losses. Returns whether they ended those of W3 and b3 alone
        and others follow before the next validation: then the moments are to be forgotten now."""
        head = self.head_left > 0
        if not self.parts or self.parts[-1][1] != head:
            self.parts.append([0, head, 0.0])
        self.parts[-1][0] += steps
        self.parts[-1][2] += loss
        self.step += steps
        forgets = head and self.head_left == 0 and self.due > 0
        self.forgot = self.forgot or forgets
        return forgets

    # ---- pre-training

    def next_points(self):
        """Points of the next block of steps of pre-training, (steps, points, 2), and the target there."""
        shape = protocol.PRETRAIN_BLOCK, PRETRAIN_POINTS
        points = self.draws.points(self.pretrained, shape[0] * shape[1])
        return points.reshape(*shape, 2), self.training.target(points[:, 0], points[:, 1]).reshape(shape)

    def fitted(self, error):
        """Note that those steps were made, with this mean error."""
        self.pretrained, self.error = self.pretrained + protocol.PRETRAIN_BLOCK, error

    # ---- what the training asks for: the steps are made already

    def advance(self, steps, head_only=False):
        made, head, loss = self.parts.pop(0) if self.parts else (0, False, 0.0)
        if (made, head) != (steps, head_only):
            raise RuntimeError(f"a lockstep made {made} steps where its training asks for {steps}")
        return loss / steps

    def pretrain(self, target, steps, should_stop=None):
        error, self.error = self.error, None
        return error

    def restart_optimiser(self):
        self.forget, self.forgot = not self.forgot, False

    def validation_logits(self):
        return self.logits

    def finite(self):
        return bool(np.isfinite(self.theta).all() and np.isfinite(self.cd()).all())

    def cd(self):
        if self._cd is None:  # after new weights, before any look
            self._cd = self.waiting.cd(self.settings, self.packed)
        return self._cd.copy()

    def parameters(self):
        if not self.network.local:
            raise ValueError(f"{self.settings.variant} in lockstep keeps its network on the device; cd is all of it")
        found = LocalState(self.theta).parameters(self.sizes, self.packed)
        return {name: value.copy() for name, value in found.items()}

    def weighting_parameters(self):
        return weighting_part(self.network, self.parameters()) if self.network.local else {}

    def state(self):
        raise ValueError("a training in lockstep makes no checkpoints; learn the class alone for that")
