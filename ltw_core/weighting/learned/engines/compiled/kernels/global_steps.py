"""Steps of the global variants, with the first layer collapsed to ``z``. One call makes many steps.

Hidden units that are not positive and have no momentum never move again: their rows of W2 are skipped (`live` names the
others). Every other entry of W2 and of its moments is read and written once a step.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.adam import adam, adam_through, row_step
from ltw_core.weighting.learned.engines.compiled.kernels.bits import item_key, unit_bits
from ltw_core.weighting.learned.engines.compiled.kernels.documents import Entries, Terms, batch, classify, squashed


class SecondLayer(NamedTuple):
    """W2, of which the rows `live` are at work, with their moments in the rows `place` of `first` and `second`."""

    live: np.ndarray
    place: np.ndarray
    weights: np.ndarray
    first: np.ndarray
    second: np.ndarray


@compiled
def hidden_now(z, live, dropout, step, masked, out):
    """The hidden layer of LTW-G after ReLU and, if `masked`, the step's one dropout mask."""
    kind = z.dtype.type
    low = np.uint32(item_key(dropout.key, step, 0) & np.uint64(0xFFFFFFFF))
    scale = kind(1.0 / (1.0 - dropout.share)) if masked else kind(1)
    for i in range(live.size):
        j = live[i]
        kept = (not masked) or dropout.share == 0 or unit_bits(low, np.uint32(j)) >= dropout.limit
        out[i] = z[j] * scale if kept and z[j] > 0 else kind(0)


@compiled
def outputs(w, live, hidden, bias, out):
    """out = hidden·W2 + b2; the rows of W2 that `live` names. Summed in the order in which `advance_global` sums."""
    for t in range(out.size):
        out[t] = out.dtype.type(0)
    for i in range(live.size):
        h = hidden[i]
        if h > 0:
            row = w[live[i]]
            for t in range(out.size):
                out[t] += h * row[t]
    for t in range(out.size):
        out[t] += bias[t]


@compiled
def dot(a, b):
    total = a.dtype.type(0)
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@compiled
def advance_global(documents, batches, layer, parameters, n_hidden, squash, t, optimiser, table, dropout):
    """Make the steps of `batches`; returns the sum of their mean losses.

    theta holds z, b2, W3, b3, one after the other; layer is a ``SecondLayer``, table that of `adam_through`. Every
    entry of W2's rows and of their moments is read and written once a step: the outputs of the next step are summed
    while the rows are updated. Many steps in one call and in several come to the same, bit for bit.
    """
    (live, place, w, first_w, second_w), theta, gradient = layer, parameters.theta, parameters.gradient
    dtype = theta.dtype
    kind = dtype.type
    zero, one = kind(0), kind(1)
    n_terms = w.shape[1]
    z, bias = theta[:n_hidden], theta[n_hidden : n_hidden + n_terms]
    head, at_b3 = theta[n_hidden + n_terms : n_hidden + 2 * n_terms], n_hidden + 2 * n_terms
    g_bias, g_head = gradient[n_hidden : n_hidden + n_terms], gradient[n_hidden + n_terms : n_hidden + 2 * n_terms]
    hidden, coming = np.empty(live.size, dtype), np.empty(live.size, dtype)
    out, following = np.empty(n_terms, dtype), np.empty(n_terms, dtype)
    cd, g_cd = np.empty(n_terms, dtype), np.empty(n_terms, dtype)
    entries, terms = Entries(documents.terms, documents.dd, np.empty(0, dtype)), Terms(cd, head, g_cd, g_head)
    keep = one if dropout.share == 0 else kind(1.0 / (1.0 - dropout.share))

    hidden_now(z, live, dropout, batches.first_step, True, hidden)
    outputs(w, live, hidden, bias, out)
    total = 0.0
    for s in range(batches.starts.size - 1):
        rows = batch(batches, s)
        for i in range(n_terms):
            cd[i] = kind(squashed(out[i])) if squash else out[i]
            g_cd[i] = zero
            following[i] = zero
        loss, scale = 0.0, one / kind(rows.size)
        for row in rows:
            begin, end = documents.starts[row], documents.starts[row + 1]
            row_loss, g = classify(entries, begin, end, terms, theta[at_b3], documents.y[row], scale, False)
            loss += row_loss
            gradient[at_b3] += g
        total += loss / rows.size
        if squash:
            for i in range(n_terms):
                g_cd[i] *= cd[i] * (one - cd[i])
        for i in range(n_terms):
            g_bias[i] = g_cd[i]
        for i in range(live.size):
            if hidden[i] > 0:
                gradient[live[i]] = keep * dot(w[live[i]], g_cd)
        now = t + s + 1
        adam_through(parameters, n_hidden, table, now, optimiser)
        adam(parameters, n_hidden, theta.size, now, optimiser)
        hidden_now(z, live, dropout, batches.first_step + s + 1, True, coming)
        for i in range(live.size):
            j = live[i]
            row_step(w[j], first_w[place[i]], second_w[place[i]], g_cd, hidden[i], coming[i], following, now, optimiser)
        for i in range(n_terms):
            out[i] = following[i] + bias[i]
        hidden, coming = coming, hidden
    return total
