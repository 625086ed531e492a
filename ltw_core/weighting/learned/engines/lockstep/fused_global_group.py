"""LTW-G (σ and I) on a GPU as few Triton kernels: the same steps as ``global_group.py``, which stays for devices
without Triton, and to compare with.

A step launches seven kernels, where torch's operators are 134, and passes seven times over W2 or a moment of it, where
those do fourteen times. The documents of the batch and Adam on b2, W3 and b3 are the kernels of the local variants. A
problem's numbers do not depend on those beside it, to the bit: its units are added up in slices of its own, and let go
at its own validations.
"""

import numpy as np
import torch
import triton

from ltw_core.weighting.learned.engines.lockstep.fused_group import SCALARS, FusedGroup, failing_by_name
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup
from ltw_core.weighting.learned.engines.lockstep.kernels import hidden, sums

SLICE_UNITS = 128  # units that one program adds up: always so many, or companions would change sums
FORWARD_UNITS, FORWARD_TERMS = 16, 64
SUMMED_TERMS = 256
STEP_UNITS, STEP_TERMS = 1, 1024  # one unit and one warp: fastest on an H100 at widths 1 and 16


class FusedGlobalGroup(FusedGroup, GlobalGroup):
    """See ``GlobalGroup``."""

    def _make_spare(self, rooms, starts):
        """No room beside the matrices, but for the layer and what slices of it add up to."""
        slices = -(-rooms.sizes // SLICE_UNITS)
        ends = np.cumsum(slices * [each.n_terms for each in self.arrays])
        self.most_slices, self.hidden = int(slices.max()), self._zeros(rooms.total)
        self.parts, self.part_starts = self._zeros(int(ends[-1])), self._tensor(np.append(0, ends))
        self.matrix_starts = self._tensor(starts)
        self.own_units = self._tensor([len(own) for own in self.units], torch.int32)

    def _have(self, row, units):
        super()._have(row, units)
        self.own_units[row] = len(units)

    # ---- steps

    def _launch(self, rows, sizes, numbers, at):
        b, n = self.size, self.batches.batch_size
        self._forward(at, numbers, self.settings.dropout > 0, self.network.sigmoid)
        self._launch_documents(at, rows, sizes, numbers, self.cd, self.cd, self._bias(self.gradient))
        sums.batch_sums[(b,)](
            self.losses, self.g_logits, self.loss, self.gradient[-b:], self.moment_steps, n, BS=SCALARS
        )  # fmt: skip
        hidden.hidden_step[triton.cdiv(self.rooms.most, STEP_UNITS), b](
            self.constants, self.tables, self.rooms.begins, self.own_units, self.terms.begins, self.matrix_starts,
            self.moment_steps, self.hidden, self.theta, self.first, self.second, self.gradient, self.weights,
            self.first_weights, self.second_weights, self.rooms.total, BU=STEP_UNITS, BF=STEP_TERMS, num_warps=1,
        )  # fmt: skip
        self._launch_adam(at)  # z has moved

    def _forward(self, at, numbers, noisy, sigmoid):
        b, rooms, terms = self.size, self.rooms, self.terms
        hidden.hidden_forward[triton.cdiv(terms.most, FORWARD_TERMS), b, self.most_slices](
            at, numbers, self.keys, self.constants, self.batches.items, rooms.begins, self.own_units, terms.begins,
            self.matrix_starts, self.part_starts, self.theta, self.weights, self.hidden, self.parts, b, SLICE_UNITS,
            NOISE=noisy, BU=FORWARD_UNITS, BF=FORWARD_TERMS,
        )  # fmt: skip
        hidden.hidden_sums[triton.cdiv(terms.most, SUMMED_TERMS), b](
            self.theta, self.parts, self.own_units, terms.begins, self.part_starts, self.cd, rooms.total, SLICE_UNITS,
            SIGMOID=sigmoid, BF=SUMMED_TERMS,
        )  # fmt: skip

    # ---- looking at it

    def _mean_cd(self):
        with failing_by_name():
            self._forward(self.keys, self.keys, False, False)
        return self.cd
