"""What the fused groups share: a batch of documents as Triton kernels, and blocks of steps that need no more than the
numbers of the documents.

A batch is never copied, and problems are not filled up to the largest, in memory or at work: a program that has no
document or no term returns at once. While the device is at work on a round, the host makes the next one ready. Leaves
out where cd comes from and how its network is moved: ``fused_local_group.py`` and ``fused_global_group.py``.
"""

from contextlib import contextmanager
from math import log

import numpy as np
import torch
import triton

from ltw_core.weighting.learned.engines.lockstep.batches import keys_of
from ltw_core.weighting.learned.engines.lockstep.device import KernelsFailed, from_host, said_by
from ltw_core.weighting.learned.engines.lockstep.kernels import documents, sums
from ltw_core.weighting.learned.engines.lockstep.spans import SPAN_TERMS
from ltw_core.weighting.learned.engines.random_numbers import threshold

ROWS, ENTRIES = 2, 32  # documents of a program, and entries of each that it looks at at once
ROWS_BACKWARD, ENTRIES_BACKWARD = 128, 16  # documents, and entries of them all, of a program for a span of terms
SCALARS, PARAMETERS = 1024, 256


@contextmanager
def failing_by_name():
    """Turn an error of a kernel into a ``KernelsFailed``."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError):
        raise
    except Exception as error:  # of Triton's many, and of the compilers that it calls
        raise KernelsFailed(said_by(error)) from error


def constants_of(settings, optimiser, device):
    """The kernels' ``constants``."""
    betas = (log(beta) if beta else -np.inf for beta in (optimiser.beta1, optimiser.beta2))
    dropout = settings.dropout
    constants = [optimiser.rate, *betas, optimiser.beta1, optimiser.beta2, optimiser.epsilon]
    constants += [dropout / (1 - dropout), 1 / (1 - dropout), float(threshold(dropout))]
    return torch.as_tensor(constants, dtype=torch.float64, device=device)


class FusedGroup:
    """What stands before ``LocalGroup`` or ``GlobalGroup`` among the parents of a fused group."""

    exact = True

    def _make_room(self):
        b, n, f = self.size, self.batches.batch_size, self.terms.total
        self.constants = constants_of(self.settings, self.settings.adam(), self.device)
        self.cd = self._zeros(f)
        self.of_rows, self.losses, self.g_logits = self._zeros(2, b, n), self._zeros(b, n), self._zeros(b, n)
        self.moves = torch.ones(b, dtype=torch.int32, device=self.device)
        self.keys = torch.zeros(b, 3, dtype=torch.int64, device=self.device)
        self._ahead = None

    # ---- rounds

    def _prepare(self, random, first_steps, steps, stop):
        orders = self._orders(random, first_steps, steps)
        sizes = (orders >= 0).sum(axis=-1, dtype=np.int32)
        numbers = np.asarray(first_steps, dtype=np.int64) + np.arange(steps)[:, None]
        rows, sizes, numbers = (from_host(own, self.device) for own in (orders, sizes, numbers))
        self.keys.copy_(from_host(np.array([keys_of(own) for own in random], dtype=np.int64), self.device))

        def block(begin, at_once):
            return tuple(own[begin : begin + at_once] for own in (rows, sizes, numbers))

        return block, self._steps_at_once(steps, steps, stop)

    def _orders(self, random, first_steps, steps):
        """Rows of the batches: made ahead, where the last look was right about what comes next."""
        wanted = _asked(random, first_steps, steps)
        ahead, self._ahead = self._ahead, None
        return ahead[1] if ahead is not None and ahead[0] == wanted else self.batches.orders(random, first_steps, steps)

    def advance(self, random, first_steps, steps, head_only=None, stop=None):
        made = super().advance(random, first_steps, steps, head_only, stop)
        if self.device.type == "cuda":  # while the device is at work on these, the host makes the next ones ready
            following = [first + made for first in first_steps]
            self._ahead = _asked(random, following, steps), self.batches.orders(random, following, steps)
        return made

    # ---- steps

    def _step(self, parts):
        with failing_by_name():
            self._launch(*parts)

    def _launch_documents(self, at, rows, sizes, numbers, mean, deviation, g_raw):
        """The batch's documents, then gradients of W3, and those of cd before σ (g_raw). mean, deviation are those of a
        learned dd."""
        b, n, store, head, last = self.size, self.batches.batch_size, self.batches, self._head, slice(-self.size, None)
        forms = {"LEARNED": self.network.learned_dd, "NOISE": self.settings.dropout > 0}
        counts = (self.counts or self.terms).begins  # read for a learned dd alone
        documents.document_rows[triton.cdiv(n, ROWS), b](
            at, rows, sizes, numbers, self.keys, store.begins, store.starts, store.columns, store.dd, store.frequency,
            store.entry, store.y, self.cd, head(self.theta), self.theta[last], self.terms.begins, counts, mean,
            deviation, self.of_rows, self.losses, self.g_logits, b, n, BR=ROWS, BE=ENTRIES, **forms,
        )  # fmt: skip
        documents.term_gradients[store.most_spans, b](
            at, rows, numbers, self.keys, store.begins, store.starts, store.columns, store.dd, store.frequency,
            store.entry, self.cd, head(self.theta), self.terms.begins, counts, mean, deviation, self.of_rows,
            head(self.gradient), g_raw, store.spans, store.span_starts, store.spans_a_cut, store.cuts,
            store.cut_starts, b, n, SIGMOID=self.network.sigmoid, BN=ROWS_BACKWARD, BE=ENTRIES_BACKWARD, BF=SPAN_TERMS,
            num_warps=1, **forms,
        )  # fmt: skip

    def _launch_adam(self, at, *layers):
        """Adam on all parameters; of LTW-G on all but z."""
        moved = self.theta, self.first, self.second, self.gradient
        launch_adam(at, self.constants, moved, self.moves, self.moment_steps, self.terms, self.n_network, layers)


def launch_adam(at, constants, moved, moves, moment_steps, terms, n_network, layers, head=True):
    """``adam_step`` on what is `moved` (theta, its moments and its gradient); `layers`, one or two ``FusedLayer``, are
    those of each network, and there is a `head` after them."""
    one, other = (*layers, None, None)[:2]
    width = sum(4 * each.hidden + 1 for each in layers)
    parts = [part for each in (one, other) for part in ((each.parts, each.slices.begins) if each else (at, at))]
    places = [place for each in (one, other) for place in ((each.begin, each.hidden) if each else (0, 0))]
    own = (width if layers else terms.most) + head * (terms.most + 1)
    sums.adam_step[triton.cdiv(own, PARAMETERS), len(moment_steps)](
        at, constants, *moved, moves, moment_steps, terms.begins, *parts, width, n_network, terms.total, *places,
        LAYERS=len(layers), HEAD=head, BW=PARAMETERS,
    )  # fmt: skip


def _asked(random, first_steps, steps):
    """What the rows of batches depend on."""
    own = tuple(None if each is None else (each.seed, each.attempt, each.n_rows) for each in random)
    return own, tuple(int(first) for first in first_steps), steps
