"""The documents of B problems on the device: batches for training, and what is validated on.

Documents lie in one flat store. Batches and the random numbers of dropout are prepared for many steps at once, so that
nothing is asked of the host between two validations: permutations come from the host, where NumPy makes them, and the
counter-based hash of ``random_numbers.py`` is computed on the device. A batch is a dense (N, F) block for the length of
a step, filled from sparse rows; the corpus stays sparse. Every sum has a fixed order.

Leaves out the steps (``group.py``), where cd comes from, and Bernoulli masks of the local variants, which have a random
number for every term and hidden unit.
"""

from typing import NamedTuple

import numpy as np
import torch

from ltw_core.weighting.learned.engines.lockstep.operators import segments
from ltw_core.weighting.learned.engines.random_numbers import ENTRIES, HIDDEN, TERMS, threshold

LOW = 0xFFFFFFFF
TINY_LENGTH = 1e-12
ENTRY_BYTES, NOISE_BYTES = 64, 40  # of an entry and of a random number while a block is made, temporaries included
LEARNED_ENTRY_BYTES = 160  # of an entry that has a random number and a frequency as well


class Batch(NamedTuple):
    """What one step reads; a block has one more axis, of steps, in front."""

    positions: torch.Tensor  # (B, E) of every entry in a (B, N, F) array
    values: torch.Tensor  # (B, E) its dd; of LTW-TF what to multiply the learned dd with: 0 where there is no entry
    y: torch.Tensor  # (B, N)
    weight: torch.Tensor  # (B, N) 1 / batch size, 0 for rows that fill up a smaller batch
    noise: torch.Tensor  # (B, D) a normal number a term; of LTW-G, of a hidden unit, 0 or 1 / (1 - dropout)
    # LTW-TF only, else E is 0 here
    frequency: torch.Tensor  # (B, E) place of an entry's count among its problem's distinct ones
    entry_noise: torch.Tensor  # (B, E) a normal number an entry
    own: torch.Tensor  # (B, E) 1, and 0 for entries that fill up the batch, which repeat the last one


class Batches:
    """The training documents of B problems.

    Parameters
    ----------
    arrays : list of ProblemArrays
    settings : Settings
    device : torch.device
    n_terms : int
        F, of the problem with most.
    items : ndarray of int64, shape (B, D)
        What has a random number of dropout at every step, of each problem: the numbers of its terms, or of LTW-G's
        hidden units.
    """

    def __init__(self, arrays, settings, device, n_terms, items):
        self.settings, self.device, self.n_terms = settings, device, n_terms
        self.local, self.learned_dd = settings.network.local, settings.network.learned_dd
        self.lengths = [each.row_lengths for each in arrays]
        self.batch_size = min(settings.batch_size, max(len(rows) for rows in self.lengths))
        documents = [each.documents("train", device) for each in arrays]
        spare = torch.zeros(1, dtype=torch.int32, device=device)  # a store is never empty
        self.columns = torch.cat([*(columns for columns, *_ in documents), spare])
        self.dd = torch.cat([*(dd for _, dd, *_ in documents), documents[0][1].new_zeros(1)])
        if self.learned_dd:
            self.frequency = torch.cat([*(frequency for *_, frequency in documents), spare]).long()
        most = max(len(rows) for rows in self.lengths)
        starts = np.zeros((len(arrays), most + 1), dtype=np.int64)
        self.y = torch.zeros((len(arrays), most), dtype=self.dd.dtype, device=device)
        begins = np.zeros(len(arrays), dtype=np.int64)
        begin = 0
        for b, (each, (_, _, y, _)) in enumerate(zip(arrays, documents, strict=True)):
            own = each.problem.train.starts
            starts[b, : len(own)] = begin + own
            self.y[b, : len(y)] = y
            begins[b] = begin
            begin += int(own[-1])
        self.starts, self.begins = (torch.as_tensor(array, device=device) for array in (starts, begins))
        self.items = torch.as_tensor(items, device=device)

    def rows(self, random, first_steps, steps):
        """Rows of the batches of the next steps, int32 of shape (steps, B, N), -1 where a batch is smaller, and the
        most entries of any. `random` has None for a problem that has ended: its batches are empty."""
        rows = np.full((steps, len(random), self.batch_size), -1, dtype=np.int32)
        most, same = 1, {}
        for b, (own, first) in enumerate(zip(random, first_steps, strict=True)):
            if own is None:
                continue
            key = (own.seed, own.attempt, own.n_rows, first)  # most classes of a corpus share their order
            if key not in same:
                found, starts = own.rows(first, steps)
                same[key] = np.full((steps, self.batch_size), -1, dtype=np.int32)
                held = np.arange(self.batch_size) < np.diff(starts)[:, None]
                same[key][held] = found
            rows[:, b] = same[key]
            lengths = np.where(rows[:, b] >= 0, self.lengths[b][rows[:, b]], 0)
            most = max(most, int(lengths.sum(axis=1).max()))
        return rows, most

    def steps_at_once(self, entries, memory):
        """Steps of a block of so many entries a batch within `memory` bytes."""
        entry_bytes = LEARNED_ENTRY_BYTES if self.learned_dd else ENTRY_BYTES
        each = len(self.lengths) * (entries * entry_bytes + self.items.shape[1] * NOISE_BYTES)
        return max(1, int(memory // each))

    def block(self, rows, entries, keys, first_steps):
        """The batches of some steps.

        Parameters
        ----------
        rows : tensor of int32, shape (steps, B, N)
        entries : int
            E, at least the entries of the largest batch.
        keys : tensor of int64, shape (B, 3); first_steps : tensor of int64, shape (B,)
            The hash's keys of each problem, by stream, and the number of its first step here.
        """
        held = rows >= 0
        rows = rows.long().clamp_min(0)
        steps, problems, n = rows.shape
        which = torch.arange(problems, device=self.device)[:, None]
        first = self.starts[which, rows]
        lengths = (self.starts[which, rows + 1] - first) * held
        ends = lengths.cumsum(-1)
        total = ends[..., -1:]
        # Places past the end repeat the last entry: written twice, it is the same
        place = torch.arange(entries, device=self.device)
        entry = place.minimum(total - 1).clamp_min(0)
        slot = torch.searchsorted(ends, entry, right=True).clamp_max(n - 1)
        entry += (first - ends + lengths).gather(-1, slot)
        entry.clamp_max_(len(self.columns) - 1)
        positions = (which * n + slot) * self.n_terms + self.columns[entry]
        weight = held.to(self.dd.dtype)
        weight /= weight.sum(-1, keepdim=True).clamp_min(1)
        step = first_steps + torch.arange(steps, device=self.device)[:, None]
        items = self.items.expand(steps, -1, -1)
        noise = self._normal(keys[:, TERMS], step, items) if self.local else self._keep(keys[:, HIDDEN], step, items)
        if self.learned_dd:
            values = (total > 0).to(self.dd.dtype).expand(entry.shape)
            entry_noise = self._normal(keys[:, ENTRIES], step, entry - self.begins[:, None])
            learned = (self.frequency[entry], entry_noise, (place < total).to(noise.dtype))
        else:
            values = self.dd[entry] * (total > 0)
            learned = (entry[..., :0], noise[..., :0], noise[..., :0])
        return Batch(positions, values, self.y[which, rows], weight, noise, *learned)

    def _normal(self, keys, step, items):
        """Normal numbers for items (steps, B, …) of the problems with these keys, at steps (steps, B)."""
        if self.settings.dropout == 0:
            return torch.zeros(items.shape, dtype=self.dd.dtype, device=self.device)
        return normal(keys[:, None], step[..., None], items).to(self.dd.dtype)

    def _keep(self, keys, step, units):
        """Dropout masks of hidden units (steps, B, U), scaled, of the problems with these keys, at steps (steps, B)."""
        dropout = self.settings.dropout
        kept = keep(keys[:, None], step[..., None], units, dropout)
        return kept.to(self.dd.dtype) / (1 - dropout)


class Classified(NamedTuple):
    """A batch's losses and gradients."""

    loss: torch.Tensor  # (B,) mean cross-entropy
    g_cd: torch.Tensor  # (B, F)
    g_head: torch.Tensor  # (B, F), of W3
    g_bias: torch.Tensor  # (B, 1), of b3
    # For the gradient of an entry's dd: what it is multiplied with, and with its square, by term and by row
    of_terms: torch.Tensor  # (2, B, F)
    of_rows: torch.Tensor  # (2, B, N)


def classify(dense, batch, values, cd, head, bias):
    """Losses of a batch and their gradients.

    Parameters
    ----------
    dense : tensor of shape (2, B, N, F)
        Room for the batch and its squares; overwritten.
    batch : Batch
    values : tensor of shape (B, E)
        dd of the batch's entries.
    cd, head : tensors of shape (B, F); bias : tensor of shape (B, 1)
        cd of every term, W3 and b3.
    """
    _, b, _, f = dense.shape
    # dot products and squared lengths of the rows in one product
    dense.zero_()
    squares = torch.stack((values, values * values)).view(2, -1)
    dense.view(2, -1).scatter_(1, batch.positions.reshape(1, -1).expand(2, -1), squares)
    flat = dense.view(2 * b, -1, f)
    of_terms = torch.stack((cd * head, cd * cd))
    sums = torch.bmm(flat, of_terms.view(2 * b, f, 1)).view(2, b, -1)
    inverse = sums[1].clamp_min(TINY_LENGTH**2).rsqrt()
    z = sums[0] * inverse
    logit = z + bias
    loss = logit.clamp_min(0) - logit * batch.y + (-logit.abs()).exp().log1p()
    # backward
    g = (logit.sigmoid() - batch.y) * batch.weight
    pull = torch.where(sums[1] > TINY_LENGTH**2, g * z * inverse * inverse, 0)
    of_rows = torch.stack((g * inverse, pull))
    sums = torch.bmm(of_rows.view(2 * b, 1, -1), flat).view(2, b, f)
    g_cd = head * sums[0] - cd * sums[1]
    return Classified((loss * batch.weight).sum(1), g_cd, cd * sums[0], g.sum(1, keepdim=True), of_terms, of_rows)


class Validation:
    """The validation documents of B problems, on the device.

    Parameters
    ----------
    arrays : list of ProblemArrays
    device : torch.device
    n_terms : int
        F, of the problem with most.

    Attributes
    ----------
    dd : tensor of shape (entries,)
    frequency : list of tensors
        Of each problem its entries' places among its distinct counts; LTW-TF only.
    """

    def __init__(self, arrays, device, n_terms):
        documents = [each.documents("validation", device) for each in arrays]
        self._columns = torch.cat([c.long() + i * n_terms for i, (c, *_) in enumerate(documents)])
        self.dd = torch.cat([dd for _, dd, *_ in documents])
        self.frequency = [frequency for *_, frequency in documents]
        lengths = np.concatenate([np.diff(each.problem.validation.starts) for each in arrays])
        self._bounds = torch.as_tensor(np.append(0, np.cumsum(lengths)).astype(np.int64), device=device)
        rows = [len(each.problem.validation) for each in arrays]
        self._ends = np.cumsum(rows)[:-1]
        self._problem_of_row = torch.as_tensor(np.repeat(np.arange(len(arrays)), rows), device=device)

    def logits(self, dd, cd, head, bias):
        """Logits of each problem's rows, on the host, given dd of all entries."""
        weight = dd * cd.view(-1)[self._columns]
        dot = weight * head.reshape(-1)[self._columns]
        dot, square = segments(dot, weight * weight, self._bounds).T
        logits = dot * square.clamp_min(TINY_LENGTH**2).rsqrt() + bias.view(-1)[self._problem_of_row]
        return np.split(logits.cpu().numpy(), self._ends)


# ---- random numbers on the device


def keys_of(random) -> list[int]:
    """The hash's keys of each stream of dropout, as the signed numbers with the same bits; zeros for None."""
    return [0 if random is None else signed(int(random.key(stream))) for stream in (TERMS, ENTRIES, HIDDEN)]


def signed(bits) -> int:
    return bits - 2**64 if bits >= 2**63 else bits


def _right(x, places):
    """Shift without sign."""
    return (x >> places) & ((1 << (64 - places)) - 1)


def item_key(key, step, items):
    """``random_numbers.item_keys`` on the device: int64 tensors, broadcast; products wrap as unsigned ones do."""
    x = items + (step << 32)
    x = (x + 1) * signed(0x9E3779B97F4A7C15) + key
    x = (x ^ _right(x, 30)) * signed(0xBF58476D1CE4E5B9)
    x = (x ^ _right(x, 27)) * signed(0x94D049BB133111EB)
    return x ^ _right(x, 31)


def normal(key, step, items):
    """``RandomNumbers.normal`` on the device."""
    x = item_key(key, step, items)
    first = (_right(x, 32).double() + 0.5) * 2.0**-32
    second = (x & LOW).double() * 2.0**-32
    return (-2 * first.log()).sqrt() * (2 * torch.pi * second).cos()


def keep(key, step, units, dropout):
    """``RandomNumbers.keep`` of item 0 on the device, the one mask that all terms of LTW-G share."""
    x = (item_key(key, step, torch.zeros_like(step)) + units * 0x9E3779B9) & LOW
    x = ((x ^ (x >> 16)) * 0x7FEB352D) & LOW
    x = ((x ^ (x >> 15)) * 0x846CA68B) & LOW
    return (x ^ (x >> 16)) >= int(threshold(dropout))
