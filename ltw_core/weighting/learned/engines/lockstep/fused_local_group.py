"""The local variants (LTW-L and LTW-TF) on a GPU as few Triton kernels: the same steps as ``local_group.py``, which
stays for devices without Triton, and to compare with.

A step launches seven kernels (eleven for LTW-TF), where torch's operators are 108 (177): the hidden layer at all pairs,
cd of the terms, the documents of the batch, gradients by term, by pair, of the layer, and Adam. The hidden layer is
never written, and what has no pair there returns at once. A problem's numbers do not depend on those beside it, to the
bit; nor those of its pre-training, a step of which launches four kernels, and three of torch's that fetch its points.
"""

import numpy as np
import torch
import triton

from ltw_core.weighting.learned.engines.lockstep.device import from_host
from ltw_core.weighting.learned.engines.lockstep.fused_group import (
    SCALARS,
    FusedGroup,
    constants_of,
    failing_by_name,
    launch_adam,
)
from ltw_core.weighting.learned.engines.lockstep.kernels import documents, layer, sums
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup, Pretraining
from ltw_core.weighting.learned.engines.lockstep.operators import SLICE_POINTS
from ltw_core.weighting.learned.engines.lockstep.stretches import Stretches
from ltw_core.weighting.learned.network import PRETRAIN_POINTS

PAIRS, UNITS = 32, 64  # a program's part of a layer
BACKWARD_UNITS, UNROLLED = 256, 8  # a program's part of a layer's gradients, and points in one turn of its loop
TERMS = 256
PAIRS_SUMMED, TERMS_SUMMED = 16, 8
COUNTS, ENTRIES_COUNTED, ROWS_COUNTED = 32, 32, 32


class FusedLayer:
    """A problem's hidden layer at its points; see ``operators.Layer``.

    Parameters
    ----------
    points : list of ndarray, shape (points of the problem, 2)
    begin, hidden : int
        Where the layer's parameters begin among those of its network, and its units.
    kind : torch.dtype
    device : torch.device
    """

    def __init__(self, points, begin, hidden, kind, device):
        self.begin, self.hidden, self.size = begin, hidden, len(points)
        self.places = Stretches([len(own) for own in points], device)
        self.slices = Stretches(-(-self.places.sizes // SLICE_POINTS), device)
        self.points = torch.as_tensor(self.places.placed(points), dtype=kind, device=device)
        self.mean, self.deviation, self.g_mean, self.g_variance = (
            torch.zeros(self.places.total, dtype=kind, device=device) for _ in range(4)
        )
        self.parts = torch.zeros(self.slices.total, 4 * hidden, dtype=kind, device=device)

    bias = property(lambda self: self.begin + 4 * self.hidden, doc="Where the bias lies in the network.")

    def forward(self, networks, width, constants):
        """Mean, with the bias, and deviation at all points, for networks of so many parameters."""
        layer.layer_forward[triton.cdiv(max(1, self.places.most), PAIRS), self.size](
            networks, constants, self.points, self.places.begins, self.mean, self.deviation, width, self.begin,
            self.hidden, BP=PAIRS, BH=UNITS,
        )  # fmt: skip

    def backward(self, networks, width):
        """Gradients of the weights, in slices that ``adam_step`` adds up."""
        layer.layer_backward[triton.cdiv(self.hidden, BACKWARD_UNITS), self.size, max(1, self.slices.most)](
            networks, self.points, self.places.begins, self.slices.begins, self.g_mean, self.g_variance, self.parts,
            width, self.begin, self.hidden, SLICE_POINTS, UNROLLED=UNROLLED, BH=BACKWARD_UNITS,
        )  # fmt: skip


class FusedLocalGroup(FusedGroup, LocalGroup):
    """See ``LocalGroup``."""

    def _make_room(self):
        super()._make_room()
        self.noise, self.g_raw = (self._zeros(self.terms.total) for _ in range(2))

    def _layer(self, points, which):
        begin = sum(4 * units + 1 for units in self.sizes[:which])
        return FusedLayer(points, begin, self.sizes[which], self.type, self.device)

    def _place_points(self):
        super()._place_points()
        self.pair_of, self.pair_bounds = self.pair_of.int(), self.pair_bounds.int()
        if self.network.learned_dd:
            self.by_count = self._zeros(2, self.batches.batch_size, self.counts.total)

    def _hold(self, head_only):
        if self.moving is not None:
            self.moves.copy_(from_host(np.array([not head for head in head_only], dtype=np.int32), self.device))

    def _pretraining(self, rows):
        return FusedPretraining(self, rows)

    # ---- steps

    def _launch(self, rows, sizes, numbers, at):
        b, n, inner = self.size, self.batches.batch_size, self.inner
        learned, noisy = self.network.learned_dd, self.settings.dropout > 0
        layers, cd, store, terms = self._layers(), self.cd_layer, self.batches, self.terms.begins
        dd = layers[-1]
        for each in layers:
            each.forward(self.theta, inner, self.constants)
        documents.term_weights[triton.cdiv(self.terms.most, TERMS), b](
            at, numbers, self.keys, cd.mean, cd.deviation, self.pair_of, store.items, terms, self.cd, self.noise, b,
            SIGMOID=self.network.sigmoid, NOISE=noisy, BF=TERMS,
        )  # fmt: skip
        self._launch_documents(at, rows, sizes, numbers, dd.mean, dd.deviation, self.g_raw)
        if learned:
            documents.count_gradients[n, b, triton.cdiv(self.counts.most, COUNTS)](
                at, rows, numbers, self.keys, store.begins, store.starts, store.columns, store.frequency, store.entry,
                self.cd, self._head(self.theta), terms, self.counts.begins, dd.mean, dd.deviation, self.of_rows,
                self.by_count, b, n, self.counts.total, NOISE=noisy, BE=ENTRIES_COUNTED, BQ=COUNTS,
            )  # fmt: skip
            sums.count_sums[(b,)](
                self.constants, self.by_count, self.counts.begins, dd.deviation, dd.g_mean, dd.g_variance,
                self.gradient, n, self.counts.total, inner, dd.bias, BQ=COUNTS, BN=ROWS_COUNTED,
            )  # fmt: skip
            dd.backward(self.theta, inner)
        sums.pair_gradients[triton.cdiv(cd.places.most, PAIRS_SUMMED), b](
            self.constants, self.g_raw, self.noise, self.pair_bounds, cd.places.begins, terms, cd.deviation,
            self.losses, self.g_logits, cd.g_mean, cd.g_variance, self.gradient, self.gradient[-b:], self.loss,
            self.moment_steps, n, inner, cd.bias, BP=PAIRS_SUMMED, BT=TERMS_SUMMED, BS=SCALARS,
        )  # fmt: skip
        cd.backward(self.theta, inner)
        self._launch_adam(at, *layers)

    def _layers(self):
        return (self.cd_layer, self.dd_layer) if self.network.learned_dd else (self.cd_layer,)

    # ---- looking at it

    def _mean_cd(self):
        self.cd_layer.forward(self.theta, self.inner, self.constants)
        return self.cd_layer.mean[self.pair_of]

    def _validation_dd(self):
        if not self.network.learned_dd:
            return self.validation.dd
        self.dd_layer.forward(self.theta, self.inner, self.constants)
        return self.dd_layer.mean.clamp_min(0)[self.seen_frequency]


class FusedPretraining(Pretraining):
    """See ``Pretraining``."""

    def __init__(self, group, rows):
        super().__init__(group, rows)
        size, settings = len(rows), group.settings
        self.layer = FusedLayer([np.zeros((PRETRAIN_POINTS, 2))] * size, 0, self.hidden, group.type, group.device)
        self.constants = constants_of(settings, settings.adam(settings.pretrain_rate), group.device)
        self.gradient = torch.zeros_like(self.theta)
        self.moves = torch.ones(size, dtype=torch.int32, device=group.device)
        self.count = torch.zeros(1, dtype=torch.int64, device=group.device)  # steps, which nobody reads

    def _step(self, parts):
        with failing_by_name():
            self._launch(*parts)

    def _launch(self, points, wanted):
        own, size = self.layer, len(self.theta)
        own.points = points
        own.forward(self.theta, self.width, self.constants)
        sums.fit_gradients[(size,)](
            own.mean, wanted, self.error, own.g_mean, self.gradient, self.moment_steps, PRETRAIN_POINTS, self.width,
            own.bias, SIGMOID=self.group.network.sigmoid, BS=SCALARS,
        )  # fmt: skip
        own.backward(self.theta, self.width)
        moved = self.theta, self.first, self.second, self.gradient
        steps, terms = self.moment_steps, self.group.terms
        launch_adam(self.count, self.constants, moved, self.moves, steps, terms, 0, (own,), head=False)
