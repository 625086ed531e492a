"""The documents of B problems on the device: batches for training, and what is validated on.

Documents lie in one flat store. Batches and the random numbers of dropout are prepared for many steps at once, so that
nothing is asked of the host between two validations: permutations come from the host, where NumPy makes them, and the
counter-based hash of ``random_numbers.py`` is computed on the device. A batch is a dense block of N rows for the length
of a step, filled from sparse rows; the corpus stays sparse, and is there once, however many seeds learn from it. Every
sum has a fixed order.

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
    """What one step reads; a block has one more axis, of steps, in front. Its E entries are those of all problems, one
    problem's after the other's."""

    positions: torch.Tensor  # (E,) of every entry in a (tiles, N, tile) array of the terms
    values: torch.Tensor  # (E,) its dd; of LTW-TF what to multiply the learned dd with: 0 where there is no entry
    y: torch.Tensor  # (B, N)
    weight: torch.Tensor  # (B, N) 1 / batch size, 0 for rows that fill up a smaller batch
    noise: torch.Tensor  # (D,) a normal number a term; of LTW-G, of a hidden unit, 0 or 1 / (1 - dropout)
    # LTW-TF only, else there are none
    frequency: torch.Tensor  # (E,) place of an entry's count among those of all problems
    entry_noise: torch.Tensor  # (E,) a normal number an entry
    own: torch.Tensor  # (E,) 1, and 0 for entries that fill up the batch, which repeat the last one
    by_count: torch.Tensor  # (E,) the entries in the order of their counts
    counted: torch.Tensor  # (Q + 1,) where each count's begin there


class Batches:
    """The training documents of B problems.

    Parameters
    ----------
    arrays : list of ProblemArrays
        Those of several seeds are one, whose documents they share.
    settings : Settings
    device : torch.device
    terms : Stretches
    counts : Stretches or None
        Where the problems' distinct counts lie, for a learned dd.
    by_place : bool
        Whether a document's entries are to lie in the order of their terms' places.

    Attributes
    ----------
    items, of_items : tensors of int64, shape (D,)
        What has a random number of dropout at every step: the numbers of a problem's terms, or of LTW-G's hidden units,
        and whose they are.
    starts : tensor of int64, shape (documents + 1,)
        Where each document's entries begin in columns, dd, frequency, and `by_place` entry, its number before.
    begins : tensor of int64, shape (2, B)
        Where a problem's documents begin, and their entries.
    spans, cuts : tensors of int32, and of int16 or int32
        `by_place`, where each problem's spans of terms begin and the last one ends, and its documents' cuts: see
        ``Spans``.
    span_starts, cut_starts : tensors of int32, shape (B + 1,), and of int64, shape (B,)
        Where each problem's spans, and its cuts, begin.
    spans_a_cut : tensor of int32, shape (B,)
    most_spans : int
        The most that any problem has.
    """

    def __init__(self, arrays, settings, device, terms, counts=None, by_place=False):
        self.settings, self.device, self.terms, self.counts = settings, device, terms, counts
        self.local, self.learned_dd = settings.network.local, settings.network.learned_dd
        self.lengths = [each.row_lengths for each in arrays]
        self.batch_size = min(settings.batch_size, max(len(rows) for rows in self.lengths))
        distinct = list({id(each): each for each in arrays}.values())
        parts = [list(part) for part in zip(*(each.training(device, by_place) for each in distinct), strict=True)]
        for each in distinct:
            each.let_go()
        self.columns, self.dd, self.y, self.frequency, self.entry, self.cuts = map(_joined, parts)
        documents, entries, cuts, places, cut_starts = 0, 0, 0, {}, {}
        starts = []
        for each in distinct:
            own = each.problem.train.starts
            places[id(each)], cut_starts[id(each)] = (documents, entries), cuts
            starts.append(own[:-1] + entries)
            documents, entries = documents + len(own) - 1, entries + int(own[-1])
            cuts += (len(own) - 1) * each.spans.n_cuts if by_place else 0
            each.keep((*self._part(places[id(each)], (documents, entries)), self.cuts[cut_starts[id(each)] : cuts]))
        begins = np.array([places[id(each)] for each in arrays], dtype=np.int64).T
        self.starts = torch.as_tensor(np.concatenate([*starts, [entries]]).astype(np.int64), device=device)
        self.begins = torch.as_tensor(np.ascontiguousarray(begins), device=device)
        spans = [each.spans.begins for each in arrays] if by_place else []
        self.most_spans = max((len(own) - 1 for own in spans), default=1)
        self.spans, self.span_starts, self.spans_a_cut = (
            torch.as_tensor(np.asarray(own, dtype=np.int32), device=device)
            for own in (
                np.concatenate([*spans, [0]]), np.cumsum([0, *map(len, spans)]),
                [each.spans.together for each in arrays if by_place],
            )
        )  # fmt: skip
        self.cut_starts = torch.as_tensor([cut_starts[id(each)] for each in arrays], dtype=torch.int64, device=device)
        if self.local:
            self.items = torch.as_tensor(terms.placed([each.order for each in arrays], np.int64), device=device)
            self.of_items = terms.of

    def _part(self, first, last):
        """A problem's part of the store."""
        (document, entry), (documents, entries) = first, last
        learned, numbered = (slice(entry, entries if len(part) > 1 else entry) for part in (self.frequency, self.entry))
        return (
            self.columns[entry:entries], self.dd[entry:entries], self.y[document:documents], self.frequency[learned],
            self.entry[numbered],
        )  # fmt: skip

    def rows(self, random, first_steps, steps):
        """Rows of the batches of the next steps, int32 of shape (steps, B, N), -1 where a batch is smaller, and the
        most entries of a step. `random` has None for a problem that has ended: its batches are empty."""
        rows, entries = self.orders(random, first_steps, steps), np.zeros(steps, dtype=np.int64)
        for b, own in enumerate(random):
            if own is not None:
                entries += np.where(rows[:, b] >= 0, self.lengths[b][rows[:, b]], 0).sum(axis=1)
        return rows, max(1, int(entries.max()))

    def orders(self, random, first_steps, steps):
        """The rows alone."""
        rows = np.full((steps, len(random), self.batch_size), -1, dtype=np.int32)
        same = {}
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
        return rows

    def steps_at_once(self, entries, memory):
        """Steps of a block of so many entries a step within `memory` bytes."""
        entry_bytes = LEARNED_ENTRY_BYTES if self.learned_dd else ENTRY_BYTES
        return max(1, int(memory // (entries * entry_bytes + len(self.items) * NOISE_BYTES)))

    def block(self, rows, entries, keys, first_steps):
        """The batches of some steps.

        Parameters
        ----------
        rows : tensor of int32, shape (steps, B, N)
        entries : int
            E, at least the entries of any of the steps.
        keys : tensor of int64, shape (B, 3); first_steps : tensor of int64, shape (B,)
            The hash's keys of each problem, by stream, and the number of its first step here.
        """
        held = rows >= 0
        steps, _, n = rows.shape
        documents = (rows.clamp_min(0) + self.begins[0, :, None]).flatten(1)
        first = self.starts[documents]
        lengths = (self.starts[documents + 1] - first) * held.flatten(1)
        ends = lengths.cumsum(-1)
        total = ends[:, -1:]
        # Places past the end repeat the last entry: written twice, it is the same
        place = torch.arange(entries, device=self.device)
        entry = place.minimum(total - 1).clamp_min(0)
        slot = torch.searchsorted(ends, entry, right=True).clamp_max(documents.shape[1] - 1)
        entry += (first - ends + lengths).gather(-1, slot)
        entry.clamp_max_(len(self.columns) - 1)
        problem, row, tile = slot // n, slot % n, self.terms.tile
        column = self.columns[entry] + self.terms.begins[problem]
        positions = (column // tile * n + row) * tile + column % tile
        weight = held.to(self.dd.dtype)
        weight /= weight.sum(-1, keepdim=True).clamp_min(1)
        step = first_steps + torch.arange(steps, device=self.device)[:, None]
        noise = self._normal(keys, TERMS, step, self.items, self.of_items) if self.local else self._keep(keys, step)
        values = self.dd[entry] * (total > 0)
        learned = [entry[:, :0]] * 5
        if self.learned_dd:
            values = (total > 0).to(self.dd.dtype).expand(entry.shape)
            frequency = self.frequency[entry] + self.counts.begins[problem]
            entry_noise = self._normal(keys, ENTRIES, step, entry - self.begins[1][problem], problem)
            sorted_counts, by_count = frequency.sort(stable=True)
            bounds = torch.arange(self.counts.total + 1, device=self.device, dtype=frequency.dtype)
            counted = torch.searchsorted(sorted_counts, bounds.repeat(steps, 1))
            learned = frequency, entry_noise, (place < total).to(noise.dtype), by_count, counted
        return Batch(positions, values, self.y[documents].view(rows.shape), weight, noise, *learned)

    def _normal(self, keys, stream, step, items, of):
        """Normal numbers for items (…, D) `of` the problems with these keys, at steps (steps, B)."""
        if self.settings.dropout == 0:
            return torch.zeros(len(step), items.shape[-1], dtype=self.dd.dtype, device=self.device)
        steps = step[:, of] if of.dim() == 1 else step.gather(1, of)
        return normal(keys[:, stream][of], steps, items).to(self.dd.dtype)

    def _keep(self, keys, step):
        """Dropout masks of hidden units (steps, D), scaled, at steps (steps, B)."""
        dropout = self.settings.dropout
        kept = keep(keys[:, HIDDEN][self.of_items], step[:, self.of_items], self.items, dropout)
        return kept.to(self.dd.dtype) / (1 - dropout)


def _joined(parts):
    """Tensors one after the other, and a zero: never empty. Empties the list, so that one array at a time is there
    twice."""
    store = torch.cat([*parts, parts[0].new_zeros(1)])
    parts.clear()
    return store


class Classified(NamedTuple):
    """A batch's losses and gradients."""

    loss: torch.Tensor  # (B,) mean cross-entropy
    g_cd: torch.Tensor  # (F,), the terms of all problems
    g_head: torch.Tensor  # (F,), of W3
    g_bias: torch.Tensor  # (B,), of b3
    # For the gradient of an entry's dd: what it is multiplied with, and with its square, by term and by row
    of_terms: torch.Tensor  # (2, F)
    of_rows: torch.Tensor  # (2, B, N)


def classify(dense, terms, batch, values, cd, head, bias):
    """Losses of a batch and their gradients.

    Parameters
    ----------
    dense : tensor of shape (2, tiles, N, tile)
        Room for the batch and its squares; overwritten.
    terms : Stretches
    batch : Batch
    values : tensor of shape (E,)
        dd of the batch's entries.
    cd, head : tensors of shape (F,); bias : tensor of shape (B,)
        cd of every term, W3 and b3.
    """
    _, tiles, n, tile = dense.shape
    # dot products and squared lengths of the rows in one product
    dense.zero_()
    squares = torch.stack((values, values * values))
    dense.view(2, -1).scatter_(1, batch.positions.expand(2, -1), squares)
    flat = dense.view(2 * tiles, n, tile)
    of_terms = torch.stack((cd * head, cd * cd))
    sums = terms.folded(torch.bmm(flat, of_terms.view(2 * tiles, tile, 1)).view(2, tiles, n), 1)
    inverse = sums[1].clamp_min(TINY_LENGTH**2).rsqrt()
    z = sums[0] * inverse
    logit = z + bias[:, None]
    loss = logit.clamp_min(0) - logit * batch.y + (-logit.abs()).exp().log1p()
    # backward
    g = (logit.sigmoid() - batch.y) * batch.weight
    pull = torch.where(sums[1] > TINY_LENGTH**2, g * z * inverse * inverse, 0)
    of_rows = torch.stack((g * inverse, pull))
    sums = torch.bmm(terms.spread(of_rows, 1).view(2 * tiles, 1, n), flat).view(2, -1)
    g_cd = head * sums[0] - cd * sums[1]
    return Classified((loss * batch.weight).sum(1), g_cd, cd * sums[0], g.sum(1), of_terms, of_rows)


class Validation:
    """The validation documents of B problems, on the device.

    Parameters
    ----------
    arrays : list of ProblemArrays
    device : torch.device
    terms : Stretches

    Attributes
    ----------
    dd : tensor of shape (entries,)
    frequency : list of tensors
        Of each problem its entries' places among its distinct counts; LTW-TF only.
    ends : ndarray of int64, shape (B - 1,)
        Where a problem's rows end and the next one's begin.
    """

    def __init__(self, arrays, device, terms):
        documents = [each.documents("validation", device) for each in arrays]
        self._columns = torch.cat([c + int(terms.starts[i]) for i, (c, *_) in enumerate(documents)])
        self.dd = torch.cat([dd for _, dd, *_ in documents])
        self.frequency = [frequency for *_, frequency in documents]
        lengths = np.concatenate([np.diff(each.problem.validation.starts) for each in arrays])
        self._bounds = torch.as_tensor(np.append(0, np.cumsum(lengths)).astype(np.int64), device=device)
        rows = [len(each.problem.validation) for each in arrays]
        self.ends = np.cumsum(rows)[:-1]
        self._borders = torch.as_tensor(np.append(0, np.cumsum(rows)), device=device)
        self._positive = torch.cat([y for _, _, y, _ in documents]) > 0
        self._problem_of_row = torch.as_tensor(np.repeat(np.arange(len(arrays)), rows), device=device)

    def logits(self, dd, cd, head, bias):
        """Logits of all rows, one problem's after the other's, given dd of all entries."""
        weight = dd * cd.index_select(0, self._columns)
        dot = weight * head.index_select(0, self._columns)
        dot, square = segments(dot, weight * weight, self._bounds).T
        return dot * square.clamp_min(TINY_LENGTH**2).rsqrt() + bias[self._problem_of_row]

    def counted(self, logits):
        """Of each problem the true positives, all that was found, and logits that are no finite number: (3, B)."""
        found = logits > 0
        each = torch.stack((found & self._positive, found, logits.isfinite().logical_not()))
        sums = torch.cat((each.new_zeros(3, 1, dtype=torch.int64), each.cumsum(1)), dim=1)
        return sums.index_select(1, self._borders).diff(dim=1)


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
