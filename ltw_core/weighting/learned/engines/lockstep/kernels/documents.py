"""A batch of documents, forward and backward: cd of all terms with its dropout, a document's row, gradients by term.

A document's entries lie in the order of their terms' places, and where those of a span of terms begin in it is noted
once (``Spans.cuts``), in a table that takes no more memory than the entries: no batch is copied or sorted.
"""

import triton
import triton.language as tl

from ltw_core.weighting.learned.engines.lockstep.batches import TINY_LENGTH
from ltw_core.weighting.learned.engines.lockstep.kernels.noise import ENTRY_STREAM, TERM_STREAM, normal

TINY = tl.constexpr(TINY_LENGTH**2)
VARYING = ["n_problems", "batch", "n_places"]


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
    spans,
    span_starts,
    spans_a_cut,
    cuts,
    cut_starts,
    n_problems,
    batch,
    SIGMOID: tl.constexpr,
    LEARNED: tl.constexpr,
    NOISE: tl.constexpr,
    BN: tl.constexpr,
    BE: tl.constexpr,
    BF: tl.constexpr,
):
    """Gradients of one span of at most BF terms: of their cd before σ (g_raw (F,)) and W3 (g_head (F,)), over all
    documents of the batch, in an order that depends on the problem alone.

    spans, where a problem's spans of terms begin, and where the last one ends; span_starts (B + 1,) int32, where each
    problem's begin. cuts, of each document the entries before the first span of each ``spans_a_cut`` (B,) int32, and
    all; cut_starts (B,) int64, where a problem's cuts begin. A span has few entries in most documents: those of BN
    documents are numbered through, and looked at BE at a time. Entries of other spans between the same cuts are not of
    any of these terms.
    """
    b, span = tl.program_id(1), tl.program_id(0)
    own_spans = spans + tl.load(span_starts + b)
    n_spans = tl.load(span_starts + b + 1) - tl.load(span_starts + b) - 1
    if span >= n_spans:
        return
    kind: tl.constexpr = cd.dtype.element_ty
    step = tl.load(at) * n_problems + b
    begin = tl.load(own_spans + span)
    together = tl.load(spans_a_cut + b)
    n_cuts = tl.cdiv(n_spans, together) + 1
    own = cuts + tl.load(cut_starts + b) + span // together
    lane = tl.arange(0, BF)
    key, number = tl.load(keys + b * 3 + ENTRY_STREAM), tl.load(numbers + step)
    if LEARNED:
        mean += tl.load(counts + b)
        deviation += tl.load(counts + b)
    dot = tl.zeros((BF, BE), kind)
    square = tl.zeros((BF, BE), kind)
    for k in range(0, batch, BN):
        n = k + tl.arange(0, BN)
        row = tl.load(rows + step * batch + n, n < batch, -1)
        held = row >= 0
        row = tl.maximum(row, 0)
        cut = own + row.to(tl.int64) * n_cuts
        before = tl.load(cut, held, 0).to(tl.int32)
        found = tl.load(cut + 1, held, 0).to(tl.int32) - before
        ends = tl.cumsum(found, 0)
        shift = tl.load(starts + tl.load(begins + b) + row, held, 0) + before - (ends - found)
        for i in range(0, tl.sum(found, 0), BE):
            e = i + tl.arange(0, BE)
            slot = tl.sum((ends[:, None] <= e[None, :]).to(tl.int32), 0)
            ok = slot < BN
            place = e + tl.gather(shift, tl.minimum(slot, BN - 1), 0)
            value = entry_values(dd, frequency, entry, mean, deviation, key, number, place, ok, LEARNED, NOISE)
            out = b * batch + k + slot
            by_dot = tl.load(of_rows + out, ok, 0.0) * value
            by_square = tl.load(of_rows + n_problems * batch + out, ok, 0.0) * value * value
            here = (tl.load(columns + place, ok, -1) - begin)[None, :] == lane[:, None]
            dot += tl.where(here, by_dot[None, :], 0.0)
            square += tl.where(here, by_square[None, :], 0.0)
    sum_dot, sum_square = tl.sum(dot, 1), tl.sum(square, 1)
    t = tl.load(terms + b) + begin + lane
    ok = lane < tl.load(own_spans + span + 1) - begin
    weight = tl.load(cd + t, ok, 0.0)
    g = tl.load(head + t, ok, 0.0) * sum_dot - weight * sum_square
    if SIGMOID:
        g = g * weight * (1 - weight)
    tl.store(g_head + t, weight * sum_dot, ok)
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
