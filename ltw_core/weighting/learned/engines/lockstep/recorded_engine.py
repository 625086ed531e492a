"""One problem of a lockstep: its arrays, and the engine that its training sees, whose steps the group has made before.

Leaves out numerics (``group.py``) and which problems have a place in the group (``lockstep.py``).
"""

from functools import cached_property

import numpy as np
import torch

from ltw_core.weighting.learned import protocol
from ltw_core.weighting.learned.engines.compiled.kernels import reach_table
from ltw_core.weighting.learned.engines.lockstep.device import from_host
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalState
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalState, layer_sizes
from ltw_core.weighting.learned.engines.lockstep.operators import POINTS, SLICE_POINTS
from ltw_core.weighting.learned.engines.lockstep.spans import Spans
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.network import PRETRAIN_POINTS, initial_parameters, input_length, weighting_part


class ProblemArrays:
    """One problem as flat arrays. For a local variant its terms are in the order of their (tpr, fpr) pairs: a pair's
    terms are neighbours.

    Attributes
    ----------
    order : ndarray, shape (F,)
        The term in each place.
    place : ndarray, shape (F,)
        The place of each term.
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
        self.place = np.empty(len(self.order), dtype=np.int32)
        self.place[self.order] = np.arange(len(self.order))
        self.pair_of = pair_of[self.order].astype(np.int64)
        self.row_lengths = np.diff(problem.train.starts)
        self.n_positives = int(np.count_nonzero(problem.validation.y))
        self._on_device = {}

    n_terms = property(lambda self: len(self.order))
    n_pairs = property(lambda self: len(self.pairs))
    extent = property(lambda self: self.n_pairs or self.n_terms, doc="What the size of its arrays depends on.")

    @cached_property
    def reach(self):
        """``reach_table`` of the problem, for LTW-G's first layer."""
        problem = self.problem
        return reach_table(np.append(problem.inputs, 1.0), self.epsilon)  # 1 is that of b1

    def documents(self, part, device):
        """(columns, dd, y, place of the count among the distinct ones) of ``part``, "train" or "validation", as tensors
        on the device."""
        if part not in self._on_device:
            documents = getattr(self.problem, part)
            arrays = (
                self.place[documents.terms],
                documents.dd.astype(self.dtype),
                documents.y.astype(self.dtype),
                np.searchsorted(self.frequencies, documents.counts if self.learned_dd else []).astype(np.int32),
            )
            self._on_device[part] = tuple(from_host(array, device) for array in arrays)
        return self._on_device[part]

    @cached_property
    def spans(self):
        """The spans of its terms, for fused kernels."""
        train = self.problem.train
        return Spans(self.place[train.terms], len(train), int(self.row_lengths.max(initial=0)), self.n_terms)

    def training(self, device, by_place=False):
        """(columns, dd, y, frequency, numbers, cuts) of the training part. `by_place`: each document's entries in the
        order of their terms' places; for a learned dd the number that each had before; and the documents'
        ``Spans.cuts``. Else numbers and cuts are empty."""
        found = self.documents("train", device)
        if len(found) == 4:
            columns, dd, y, frequency = found
            numbers = cuts = columns[:0]
            if by_place:
                lengths = torch.as_tensor(self.row_lengths, device=device)
                row = torch.arange(len(lengths), device=device)
                row = torch.repeat_interleave(row, lengths, output_size=len(columns))
                keys, order = torch.sort(row * self.n_terms + columns)
                columns, dd, cuts = columns[order], dd[order], self.spans.cuts(keys, lengths)
                if self.learned_dd:
                    frequency, numbers = frequency[order], order.int()
            self.keep((columns, dd, y, frequency, numbers, cuts))
        return self._on_device["train"]

    def keep(self, training):
        """Hold these from now on as what `training` gives: parts of a larger store, so that they are there once."""
        self._on_device["train"] = training

    def let_go(self):
        """Of what `training` gives; the next time it is made anew."""
        self._on_device.pop("train", None)

    def release(self):
        """Give the device's memory back."""
        self._on_device.clear()

    def device_bytes(self, settings, fused=False):
        """Estimate of what a training takes on the device beside the problem's documents; `fused`, where no gates and
        no dense batches are kept."""
        size, h, f, problem = self.dtype.itemsize, settings.hidden_units(self.n_terms), self.n_terms, self.problem
        rows = min(settings.batch_size, len(problem.train))
        # Parameters, their moments, a backup, and what a step makes of them on the way; whose each is
        floats, integers = (8 + 6 * (not fused)) * (4 * h + f), 6 * f + 4 * h
        if settings.network.local:
            floats += _layer_floats(self.n_pairs, h, fused)
            integers += 2 * self.n_pairs
        else:  # W2 of the half of all units that is positive at first, its moments, a backup of all three
            floats += 6 * (h / 2 + 2 * h**0.5) * f
        if not fused:  # a batch and its squares, and room for one W2
            floats += 2 * rows * f + (0 if settings.network.local else h / 2 * f)
        if settings.network.learned_dd:
            q, hidden = len(self.frequencies), settings.hidden_dd
            entries = rows * len(problem.train.terms) / max(1, len(problem.train))
            floats += _layer_floats(q, hidden, fused) + 14 * 4 * hidden + (2 * rows * q if fused else 20 * entries)
        return size * floats + 8 * integers

    def document_bytes(self, fused=False):
        """Estimate of what the problem's documents take on the device, however many seeds learn from them."""
        train, validation = self.problem.train, self.problem.validation
        each = 4 + self.dtype.itemsize + 4 * self.learned_dd * (1 + fused)
        flat = each * len(train.terms) + (self.spans.cut_type.itemsize * len(train) * self.spans.n_cuts if fused else 0)
        # Twice: the largest array while it is joined, and one problem's numbers while they are sorted
        return 2 * flat + 20 * len(train) + 28 * len(validation.terms) + 40 * len(validation)


def _layer_floats(points, hidden, fused):
    """Numbers that a hidden layer at so many points takes, what its gradients are added up from included."""
    if fused:
        return 8 * points + (points // SLICE_POINTS + 1) * 4 * hidden
    tiles = -(-points // POINTS)
    return tiles * (POINTS * (hidden + 40) + 21 * hidden) + 60 * hidden


class SharedWeights:
    """Initial parameters of LTW-G: but for the length of z they are the same for all problems of as many terms under
    one seed, and W2 takes a tenth of a second to draw (Reuters). Keeps those that were asked for last."""

    def __init__(self):
        self._key, self._parameters = None, None

    def of(self, settings, problem, random, dtype):
        """What ``initial_parameters`` gives, but for rounding of z; not to be changed."""
        key = random.seed, random.attempt, problem.n_terms
        if self._key != key:
            unit = np.zeros_like(problem.inputs)
            unit[0, 0] = 1.0
            hidden = settings.hidden_units(problem.n_terms)
            self._parameters = initial_parameters(settings.network, unit, hidden, 0, random.initial(), dtype)
            self._key = key
        return self._parameters | {"z": input_length(problem.inputs) * self._parameters["z"]}


class RecordedEngine:
    """An ``Engine`` for one problem's training, whose steps are made before the training asks for them.

    The group makes steps of all problems at once, as many as the next validation that is `due` needs, and `record`
    notes them here. When the training is `ready`, it asks for its steps with `advance` as of any engine, and is given
    the loss of those that were made; asking for others than these is a RuntimeError. What it sees between two
    validations is what `read` took from the group. Parameters are on the device: there are no checkpoints.

    Attributes
    ----------
    index : int
        The problem's place among all of the lockstep.
    pending : LocalState, GlobalState or None
        A state that the group has to load: new weights, or what was taken from a group that is gone.
    forget_moments : bool
        Whether the group has to put Adam's moments to 0.
    training : Training
        Once the problem has had a place.
    elapsed : float
        Seconds since its last event.
    """

    name = "lockstep"

    def __init__(self, index, arrays, settings, device, shared):
        self.index, self.arrays, self.problem, self.shared = index, arrays, arrays.problem, shared
        self.settings, self.network, self.device = settings, settings.network, str(device)
        self.sizes = layer_sizes(settings, arrays.n_terms)
        self.training, self.events, self.elapsed, self.pending = None, None, 0.0, None

    def begin(self):
        """Draw initial weights, unless that is done; not before there is a place, as LTW-G's are many."""
        if self.training is None and self.pending is None:
            self.reset(0)

    def reset(self, attempt):
        settings, problem = self.settings, self.problem
        self.attempt, self.step, self.pretrained = attempt, 0, 0
        self.parts, self.error = [], None  # what was made and the training has not taken in: [steps, head only?, loss]
        self.forget_moments = self._forgotten = False  # `_forgotten`: they were, before the training asked for it
        self.random = RandomNumbers(settings.seed, attempt, len(problem.train), settings.batch_size)
        if self.network.local:
            hidden, generator = self.sizes[0], self.random.initial()
            parameters = initial_parameters(self.network, problem.inputs, hidden, settings.hidden_dd, generator)
            self.pending = LocalState.of(parameters, self.arrays)
        else:
            parameters = self.shared.of(settings, problem, self.random, self.arrays.dtype)
            self.pending = GlobalState.of(parameters, self.arrays)
        self.theta, self._cd, self._counted = self.pending.theta, None, None

    def read(self, values, place):
        """Take what the group's `read` says of the problem in this place."""
        self.theta, self._cd, self._counted = values.theta[place], values.cd[place], values.counted[place]

    # ---- where the training is

    @property
    def ended(self):
        return bool(self.training is not None and self.training.stop_code)

    @property
    def pretraining(self):
        """Whether its next steps fit cd to a function."""
        return not self.ended and self.training.pretraining

    @property
    def made(self):
        """Steps that were made and the training has not taken in."""
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

    def due_after(self, steps):
        """`due` once so many steps more are made, if it goes on as it is; 0 if it ends there."""
        if steps < self.due:
            return self.due - steps
        return min(self.settings.check_every, self.settings.max_steps - self.training.step - self.made - steps)

    @property
    def ready(self):
        """Whether its training can take in what was made."""
        return self.error is not None if self.pretraining else self.due == 0

    # ---- what the group has made

    def record(self, steps, loss):
        """Note steps that were made, and the sum of their losses. Returns whether they ended those of W3 and b3 alone
        and others follow before the next validation: then the moments are to be forgotten now."""
        head = self.head_left > 0
        if not self.parts or self.parts[-1][1] != head:
            self.parts.append([0, head, 0.0])
        self.parts[-1][0] += steps
        self.parts[-1][2] += loss
        self.step += steps
        forget = head and self.head_left == 0 and self.due > 0
        self._forgotten = self._forgotten or forget
        return forget

    def pretraining_points(self):
        """Points of the next block of steps of pre-training, (steps, points, 2), and the target there."""
        shape = protocol.PRETRAIN_BLOCK, PRETRAIN_POINTS
        points = self.random.points(self.pretrained, shape[0] * shape[1])
        return points.reshape(*shape, 2), self.training.target(points[:, 0], points[:, 1]).reshape(shape)

    def record_pretraining(self, error):
        """Note that those steps were made, with this mean error."""
        self.pretrained, self.error = self.pretrained + protocol.PRETRAIN_BLOCK, error

    # ---- what the training asks for

    def advance(self, steps, head_only=False):
        made, head, loss = self.parts.pop(0) if self.parts else (0, False, 0.0)
        if (made, head) != (steps, head_only):
            raise RuntimeError(f"a lockstep made {made} steps where its training asks for {steps}")
        return loss / steps

    def pretrain(self, target, steps, should_stop=None):
        error, self.error = self.error, None
        return error

    def restart_optimiser(self):
        self.forget_moments, self._forgotten = not self._forgotten, False

    def counted(self):
        """True positives, false positives and false negatives of the validation, and whether all is finite, by what the
        device counted."""
        tp, found, strange = map(int, self._counted)
        return tp, found - tp, self.arrays.n_positives - tp, not strange

    def cd(self):
        if self._cd is None:  # after new weights, before the group has read any
            self._cd = self.pending.cd(self.settings, self.arrays)
        return self._cd.copy()

    def parameters(self):
        if not self.network.local:
            raise ValueError(f"{self.settings.variant} in lockstep keeps its network on the device; cd is all of it")
        found = LocalState(self.theta).parameters(self.sizes, self.arrays)
        return {name: value.copy() for name, value in found.items()}

    def weighting_parameters(self):
        return weighting_part(self.network, self.parameters()) if self.network.kept else {}

    def state(self):
        raise ValueError("a training run in lockstep makes no checkpoints; learn the class alone for that")
