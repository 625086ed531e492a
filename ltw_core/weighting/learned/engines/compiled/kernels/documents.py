"""Documents of a batch: their distinct terms, the weighted and normalised vector, the classifier on it and its loss."""

import math

from ltw_core.weighting.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.memory import prefetch

TINY_LENGTH = 1e-12
LINE = 64  # bytes of a cache line


@compiled
def squashed(raw):
    """σ(raw), without overflow."""
    tail = math.exp(-abs(raw))
    return 1.0 / (1.0 + tail) if raw >= 0 else tail / (1.0 + tail)


@compiled
def most_entries(starts, rows, row_starts):
    """Entries of the largest batch, at least 1."""
    most = 1
    for s in range(row_starts.size - 1):
        entries = 0
        for row in rows[row_starts[s] : row_starts[s + 1]]:
            entries += starts[row + 1] - starts[row]
        most = max(most, entries)
    return most


@compiled
def ask_for(starts, terms, value, count_of, y, rows, learned):
    """Ask the processor for the documents of a batch that is needed later, without waiting for them.

    Documents of a batch lie anywhere in memory. Where they are too many for the processor's caches, a step that reads
    them when it needs them waits for each.
    """
    for row in rows:
        begin, end = starts[row], starts[row + 1]
        prefetch(y, row)
        prefetch_all(terms, begin, end)
        if learned:
            prefetch_all(count_of, begin, end)
        else:
            prefetch_all(value, begin, end)


@compiled
def prefetch_all(array, begin, end):
    """Begin to read array[begin:end]."""
    for e in range(begin, end - 1, LINE // array.itemsize):
        prefetch(array, e)
    prefetch(array, end - 1)


@compiled
def gather(starts, terms, rows, batch, slot, entry, place, stamp, mark):
    """Entries of a batch, one document after the other, and their distinct terms.

    batch[i] is the i-th distinct term, entry[k] the batch's k-th entry, slot[k] the place of its term in batch; place
    and stamp remember what was seen under `mark`. Returns the numbers of terms and of entries.
    """
    n, k = 0, 0
    for row in rows:
        for e in range(starts[row], starts[row + 1]):
            term = terms[e]
            if stamp[term] != mark:
                stamp[term] = mark
                place[term] = n
                batch[n] = term
                n += 1
            slot[k] = place[term]
            entry[k] = e
            k += 1
    return n, k


@compiled
def distinct(group, items, n, x_of, y_of, x, y, point, place, stamp, mark):
    """Distinct points of n items: their coordinates in x and y, and point[i] the place of item i's point."""
    found = 0
    for i in range(n):
        g = group[items[i]]
        if stamp[g] != mark:
            stamp[g] = mark
            place[g] = found
            x[found] = x_of[g]
            y[found] = y_of[g]
            found += 1
        point[i] = place[g]
    return found


@compiled
def classify(slot, value, begin, end, cd, head, bias, y, scale, g_cd, g_head, g_value, with_value):
    """Loss of one document and its gradients.

    slot, value : the terms of the entries begin:end, as positions in cd and head, and their dd
    scale : 1 / batch size;  g_value : gradient of dd, if `with_value`
    Returns (loss, gradient of the bias).
    """
    kind = cd.dtype.type
    zero, one = kind(0), kind(1)
    length, dot = zero, zero
    for k in range(begin, end):
        i = slot[k]
        weight = value[k] * cd[i]
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
        f, c = value[k], cd[i]
        weight = f * c
        g_head[i] += push * weight
        g_weight = push * head[i] - pull * weight
        g_cd[i] += g_weight * f
        if with_value:
            g_value[k] = g_weight * c
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
