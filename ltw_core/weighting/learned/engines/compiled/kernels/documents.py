"""Documents of a batch: their distinct terms, the weighted and normalised vector, the classifier on it and its loss."""

import math
from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled, prefetch
from ltw_core.weighting.learned.engines.compiled.kernels.layer import Points

TINY_LENGTH = 1e-12
LINE = 64  # bytes of a cache line


class Documents(NamedTuple):
    """Rows of entries as ``problem.Documents`` has them, dd and y in the engine's type; count_of, for LTW-TF, is the
    place of every entry's count among the distinct ones."""

    starts: np.ndarray
    terms: np.ndarray
    dd: np.ndarray
    count_of: np.ndarray
    y: np.ndarray


class Batches(NamedTuple):
    """The batches of some steps: their rows one after the other, where each begins, and the first step's number."""

    rows: np.ndarray
    starts: np.ndarray
    first_step: int


class Shared(NamedTuple):
    """Points that items share: the point of each item, the points, and room to note which were seen."""

    of: np.ndarray
    points: Points
    place: np.ndarray
    stamp: np.ndarray


class Terms(NamedTuple):
    """Of each distinct term of a batch: cd, W3, and their gradients."""

    cd: np.ndarray
    head: np.ndarray
    g_cd: np.ndarray
    g_head: np.ndarray


class Entries(NamedTuple):
    """Of each entry of a batch: the place of its term in ``Terms``, dd, and the gradient of dd."""

    slot: np.ndarray
    dd: np.ndarray
    g_dd: np.ndarray


@compiled
def shared(of, points):
    """Points that items share, none of them seen."""
    return Shared(of, points, np.empty(points.x.size, np.int32), np.full(points.x.size, -1, np.int32))


@compiled
def squashed(raw):
    """σ(raw), without overflow."""
    tail = math.exp(-abs(raw))
    return 1.0 / (1.0 + tail) if raw >= 0 else tail / (1.0 + tail)


@compiled
def batch(batches, s):
    """Rows of the batch of step s of them."""
    return batches.rows[batches.starts[s] : batches.starts[s + 1]]


@compiled
def most_entries(starts, batches):
    """Entries of the largest batch, at least 1."""
    most = 1
    for s in range(batches.starts.size - 1):
        entries = 0
        for row in batch(batches, s):
            entries += starts[row + 1] - starts[row]
        most = max(most, entries)
    return most


@compiled
def ask_for(documents, rows, learned):
    """Ask the processor for the documents of a batch that is needed later, without waiting for them.

    Documents of a batch lie anywhere in memory. Where they are too many for the processor's caches, a step that reads
    them when it needs them waits for each.
    """
    starts, terms, dd, count_of, y = documents
    for row in rows:
        begin, end = starts[row], starts[row + 1]
        prefetch(y, row)
        prefetch_all(terms, begin, end)
        if learned:
            prefetch_all(count_of, begin, end)
        else:
            prefetch_all(dd, begin, end)


@compiled
def prefetch_all(array, begin, end):
    """Begin to read array[begin:end]."""
    for e in range(begin, end - 1, LINE // array.itemsize):
        prefetch(array, e)
    prefetch(array, end - 1)


@compiled
def gather(documents, rows, batch_terms, slot, entry, place, stamp, mark):
    """Entries of a batch, one document after the other, and their distinct terms.

    batch_terms[i] is the i-th distinct term, entry[k] the batch's k-th entry, slot[k] the place of its term there;
    place and stamp remember what was seen under `mark`. Returns the numbers of terms and of entries.
    """
    starts, terms = documents.starts, documents.terms
    n, k = 0, 0
    for row in rows:
        for e in range(starts[row], starts[row + 1]):
            term = terms[e]
            if stamp[term] != mark:
                stamp[term] = mark
                place[term] = n
                batch_terms[n] = term
                n += 1
            slot[k] = place[term]
            entry[k] = e
            k += 1
    return n, k


@compiled
def distinct(shared, more, items, n, layer, mark):
    """Distinct points of n items: their coordinates in the layer's points, and point[i] the place of item i's point.
    Returns how many."""
    x, y, point = layer.points.x, layer.points.y, layer.point
    found = 0
    for i in range(n):
        g = shared.of[items[i]]
        if shared.stamp[g] != mark:
            shared.stamp[g] = mark
            shared.place[g] = found
            x[found] = shared.points.x[g]
            y[found] = shared.points.y[g]
            if more is not None:
                layer.points.more[:, found] = more[:, g]
            found += 1
        point[i] = shared.place[g]
    return found


@compiled
def classify(entries, begin, end, terms, bias, y, scale, learned):
    """Loss of one document, the entries begin:end, and its gradients: added for its terms, written for its entries' dd
    if that is `learned`.

    scale : 1 / batch size
    Returns (loss, gradient of the bias).
    """
    (slot, dd, g_dd), (cd, head, g_cd, g_head) = entries, terms
    kind = cd.dtype.type
    zero, one = kind(0), kind(1)
    length, dot = zero, zero
    for k in range(begin, end):
        i = slot[k]
        weight = dd[k] * cd[i]
        length += weight * weight
        dot += weight * head[i]
    long_enough = length > kind(TINY_LENGTH * TINY_LENGTH)
    inverse = one / math.sqrt(length) if long_enough else kind(1.0 / TINY_LENGTH)
    z = dot * inverse
    logit = z + bias
    tail = math.exp(-abs(logit))
    loss = max(logit, zero) - logit * y + math.log1p(tail)
    probability = one / (one + tail) if logit >= zero else tail / (one + tail)
    g = (probability - y) * scale
    pull = g * z * inverse * inverse if long_enough else zero
    push = g * inverse
    for k in range(begin, end):
        i = slot[k]
        f, c = dd[k], cd[i]
        weight = f * c
        g_head[i] += push * weight
        g_weight = push * head[i] - pull * weight
        g_cd[i] += g_weight * f
        if learned:
            g_dd[k] = g_weight * c
    return loss, g


@compiled
def logits(starts, terms, value, cd, head, bias, out):
    """Logits of all documents, given dd of every entry and cd of every term."""
    kind = cd.dtype.type
    for row in range(out.size):
        length, dot = kind(0), kind(0)
        for e in range(starts[row], starts[row + 1]):
            weight = value[e] * cd[terms[e]]
            length += weight * weight
            dot += weight * head[terms[e]]
        out[row] = dot / max(kind(math.sqrt(length)), kind(TINY_LENGTH)) + bias
