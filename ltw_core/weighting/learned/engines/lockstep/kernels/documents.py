"""A batch of documents, forward and backward: cd of all terms with its dropout, a document's row, gradients by term.

A document's entries lie in the order of their terms' places. So the entries of a stretch of terms are found in it by
bisection: no batch is ever copied, sorted or made dense.
"""

import triton
import triton.language as tl

from ltw_core.weighting.learned.engines.lockstep.batches import TINY_LENGTH
from ltw_core.weighting.learned.engines.lockstep.kernels.noise import ENTRY_STREAM, TERM_STREAM, normal

TINY = tl.constexpr(TINY_LENGTH**2)
VARYING = ["n_problems", "batch", "searches", "n_places"]


@triton.jit(do_not_specialize=VARYING)
def term_weights(
    at,
    numbers,
    keys,
    mean,
    deviation,
    pair_of,
    items,
    terms,
    cd,
    noise,
    n_problems,
    SIGMOID: tl.constexpr,
    NOISE: tl.constexpr,
    BF: tl.constexpr,
):
    """cd of BF terms: mean and, times a normal number, deviation of their pairs.

    pair_of (F,) int32; items (F,) int64, the numbers of the terms.
    """
    b = tl.program_id(1)
    kind: tl.constexpr = mean.dtype.element_ty
    t = tl.program_id(0) * BF + tl.arange(0, BF)
    place = tl.load(terms + b) + t
    ok = place < tl.load(terms + b + 1)
    pair = tl.load(pair_of + place, ok, 0)
    value = tl.load(mean + pair, ok, 0.0)
    if NOISE:
        number = tl.load(numbers + tl.load(at) * n_problems + b)
        z = normal(tl.load(keys + b * 3 + TERM_STREAM), number, tl.load(items + place, ok, 0), kind)
        value += tl.load(deviation + pair, ok, 0.0) * z
        tl.store(noise + place, z, ok)
    if SIGMOID:
        value = 1 / (1 + tl.exp(-value))
    tl.store(cd + place, value, ok)


@triton.jit
def entry_values(
    dd, frequency, entry, mean, deviation, key, number, place, ok, LEARNED: tl.constexpr, NOISE: tl.constexpr
):
    """dd of entries; learned, from the mean and deviation of their counts (of this problem)."""
    if LEARNED:
        kind: tl.constexpr = mean.dtype.element_ty
        count = tl.load(frequency + place, ok, 0)
        value = tl.load(mean + count, ok, 0.0)
        if NOISE:
            value += tl.load(deviation + count, ok, 0.0) * normal(key, number, tl.load(entry + place, ok, 0), kind)
        return tl.where(ok, tl.maximum(value, 0.0), 0.0)
    else:
        return tl.load(dd + place, ok, 0.0)


@triton.jit(do_not_specialize=VARYING)
def document_rows(
    at,
    rows,
    sizes,
    numbers,
    keys,
    begins,
    starts,
    columns,
    dd,
    frequency,
    entry,
    y,
    cd,
    head,
    last,
    terms,
    counts,
    mean,
    deviation,
    of_rows,
    losses,
    g_logits,
    n_problems,
    batch,
    LEARNED: tl.constexpr,
    NOISE: tl.constexpr,
    BR: tl.constexpr,
    BE: tl.constexpr,
):
    """BR documents of a batch: their losses, and what their entries' gradients are multiplied with.

    y (documents,); head (F,), W3; last (B,), b3; mean, deviation, of LTW-TF's counts; of_rows (2, B, batch); losses,
    g_logits (B, batch).
    """
    b = tl.program_id(1)
    kind: tl.constexpr = cd.dtype.element_ty
    step = tl.load(at) * n_problems + b
    n = tl.program_id(0) * BR + tl.arange(0, BR)
    row = tl.load(rows + step * batch + n, n < batch, -1)
    held = row >= 0
    document = tl.load(begins + b) + tl.maximum(row, 0)
    first = tl.load(starts + document, held, 0)
    end = tl.load(starts + document + 1, held, 0)
    key, number = tl.load(keys + b * 3 + ENTRY_STREAM), tl.load(numbers + step)
    origin = tl.load(terms + b)
    if LEARNED:
        mean += tl.load(counts + b)
        deviation += tl.load(counts + b)
    dot = tl.zeros((BR, BE), kind)
    square = tl.zeros((BR, BE), kind)
    most = tl.max(end - first, 0)
    for k in range(0, most, BE):
        place = first[:, None] + (k + tl.arange(0, BE))[None, :]
        ok = place < end[:, None]
        term = origin + tl.load(columns + place, ok, 0)
        value = entry_values(dd, frequency, entry, mean, deviation, key, number, place, ok, LEARNED, NOISE)
        x = value * tl.load(cd + term, ok, 0.0)
        dot += x * tl.load(head + term, ok, 0.0)
        square += x * x
    length = tl.sum(square, 1)
    inverse = 1 / tl.sqrt(tl.maximum(length, TINY))
    z = tl.sum(dot, 1) * inverse
    logit = z + tl.load(last + b)
    weight = tl.where(held, 1 / tl.maximum(tl.load(sizes + step), 1).to(kind), 0.0)
    label = tl.load(y + document, held, 0.0)
    small = tl.exp(-tl.abs(logit))
    loss = tl.maximum(logit, 0.0) - logit * label + tl.log(1 + small)
    likely = tl.where(logit >= 0, 1 / (1 + small), small / (1 + small))
    g = (likely - label) * weight
    pull = tl.where(length > TINY, g * z * inverse * inverse, 0.0)
    out = b * batch + n
    tl.store(of_rows + out, g * inverse, n < batch)
    tl.store(of_rows + n_problems * batch + out, pull, n < batch)
    tl.store(losses + out, loss * weight, n < batch)
    tl.store(g_logits + out, g, n < batch)


@triton.jit
def bisected(columns, first, last, term, searches):
    """The first entry of each document, between first and last, whose term is not before ``term``."""
    low, high = first, last
    for _ in range(0, searches):
        middle = (low + high) // 2
        before = (low < high) & (tl.load(columns + middle, low < high, 0) < term)
        high = tl.where(before, high, tl.maximum(middle, low))
        low = tl.where(before, middle + 1, low)
    return low


@triton.jit(do_not_specialize=VARYING)
def term_gradients(
    at,
    rows,
    numbers,
    keys,
    begins,
    starts,
    columns,
    dd,
    frequency,
    entry,
    cd,
    head,
    terms,
    counts,
    mean,
    deviation,
    of_rows,
    g_head,
    g_raw,
    n_problems,
    batch,
    searches,
    SIGMOID: tl.constexpr,
    LEARNED: tl.constexpr,
    NOISE: tl.constexpr,
    BN: tl.constexpr,
    BF: tl.constexpr,
):
    """Gradients of BF terms' cd before σ (g_raw (F,)) and W3 (g_head (F,)), over all documents of the batch in their
    order. 2^searches is above the entries of any document."""
    b = tl.program_id(1)
    kind: tl.constexpr = cd.dtype.element_ty
    step = tl.load(at) * n_problems + b
    begin = tl.program_id(0) * BF
    lane = tl.arange(0, BF)
    key, number = tl.load(keys + b * 3 + ENTRY_STREAM), tl.load(numbers + step)
    if LEARNED:
        mean += tl.load(counts + b)
        deviation += tl.load(counts + b)
    dot = tl.zeros((BN, BF), kind)
    square = tl.zeros((BN, BF), kind)
    for k in range(0, batch, BN):
        n = k + tl.arange(0, BN)
        row = tl.load(rows + step * batch + n, n < batch, -1)
        held = row >= 0
        document = tl.load(begins + b) + tl.maximum(row, 0)
        first = tl.load(starts + document, held, 0)
        last = tl.load(starts + document + 1, held, 0)
        low = bisected(columns, first, last, begin, searches)
        high = bisected(columns, low, last, begin + BF, searches)
        out = b * batch + n
        pull_dot = tl.load(of_rows + out, held, 0.0)
        pull_square = tl.load(of_rows + n_problems * batch + out, held, 0.0)
        most = tl.max(high - low, 0)
        for e in range(0, most):
            place = low + e
            ok = place < high
            value = entry_values(dd, frequency, entry, mean, deviation, key, number, place, ok, LEARNED, NOISE)
            here = (tl.load(columns + place, ok, 0) - begin)[:, None] == lane[None, :]
            here = here & ok[:, None]
            dot += tl.where(here, (pull_dot * value)[:, None], 0.0)
            square += tl.where(here, (pull_square * value * value)[:, None], 0.0)
    by_dot, by_square = tl.sum(dot, 0), tl.sum(square, 0)
    t = tl.load(terms + b) + begin + lane
    ok = t < tl.load(terms + b + 1)
    weight = tl.load(cd + t, ok, 0.0)
    g = tl.load(head + t, ok, 0.0) * by_dot - weight * by_square
    if SIGMOID:
        g = g * weight * (1 - weight)
    tl.store(g_head + t, weight * by_dot, ok)
    tl.store(g_raw + t, g, ok)


@triton.jit(do_not_specialize=VARYING)
def count_gradients(
    at,
    rows,
    numbers,
    keys,
    begins,
    starts,
    columns,
    frequency,
    entry,
    cd,
    head,
    terms,
    counts,
    mean,
    deviation,
    of_rows,
    by_count,
    n_problems,
    batch,
    n_places,
    NOISE: tl.constexpr,
    BE: tl.constexpr,
    BQ: tl.constexpr,
):
    """Of LTW-TF: gradients of a document's dd, summed by BQ counts, alone and times their normal numbers, into by_count
    (2, batch, n_places)."""
    b, n = tl.program_id(1), tl.program_id(0)
    kind: tl.constexpr = cd.dtype.element_ty
    step = tl.load(at) * n_problems + b
    row = tl.load(rows + step * batch + n)
    key, number = tl.load(keys + b * 3 + ENTRY_STREAM), tl.load(numbers + step)
    document = tl.load(begins + b) + tl.maximum(row, 0)
    first, last = tl.load(starts + document), tl.load(starts + document + 1)
    last = tl.where(row >= 0, last, first)
    origin, first_term = tl.load(counts + b), tl.load(terms + b)
    n_counts = tl.load(counts + b + 1) - origin
    pull_dot = tl.load(of_rows + b * batch + n)
    pull_square = tl.load(of_rows + (n_problems + b) * batch + n)
    count_of = tl.program_id(2) * BQ + tl.arange(0, BQ)
    alone = tl.zeros((BE, BQ), kind)
    varied = tl.zeros((BE, BQ), kind)
    for k in range(0, last - first, BE):
        place = first + k + tl.arange(0, BE)
        ok = place < last
        term = first_term + tl.load(columns + place, ok, 0)
        count = tl.load(frequency + place, ok, 0)
        value = tl.load(mean + origin + count, ok, 0.0)
        z = tl.zeros((BE,), kind)
        if NOISE:
            z = normal(key, number, tl.load(entry + place, ok, 0), kind)
            value += tl.load(deviation + origin + count, ok, 0.0) * z
        weight = tl.load(cd + term, ok, 0.0)
        g = pull_dot * weight * tl.load(head + term, ok, 0.0) - pull_square * value * weight * weight
        g = tl.where(ok & (value > 0), g, 0.0)
        here = count[:, None] == count_of[None, :]
        alone += tl.where(here, g[:, None], 0.0)
        varied += tl.where(here, (g * z)[:, None], 0.0)
    out = n * n_places + origin + count_of
    tl.store(by_count + out, tl.sum(alone, 0), count_of < n_counts)
    tl.store(by_count + batch * n_places + out, tl.sum(varied, 0), count_of < n_counts)
