"""Steps of the local variants and of LTW-TF, and pre-training. One call makes many steps.

Terms share coordinates: mean and variance of cd_L are computed for the distinct (tpr, fpr) pairs of the batch only,
those of LTW-TF's dd for its distinct counts.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.adam import adam
from ltw_core.weighting.learned.engines.compiled.kernels.documents import (
    Entries,
    Terms,
    ask_for,
    batch,
    classify,
    distinct,
    gather,
    most_entries,
    shared,
    squashed,
)
from ltw_core.weighting.learned.engines.compiled.kernels.layer import Points, backward, forward, make_room, units_at
from ltw_core.weighting.learned.engines.compiled.kernels.noise import dropped, dropped_backward, make_layer


class Network(NamedTuple):
    """Inputs and hidden units of cd, hidden units of LTW-TF's dd, whether cd goes through σ, whether dd is learned."""

    inputs: int
    hidden: int
    hidden_dd: int
    squash: bool
    learned: bool


class Inputs(NamedTuple):
    """What the network is asked at: the place of every term's (tpr, fpr) among the pairs, what it is given of these,
    and LTW-TF's distinct counts."""

    pair_of: np.ndarray
    pairs: Points
    counts: Points


@compiled
def advance_local(
    documents, batches, inputs, parameters, network, t, optimiser, head_only, dropout, entry_dropout
):  # fmt: skip
    """Make the steps of `batches`; returns the sum of their mean losses.

    theta holds W1, b1, W2, b2, for LTW-TF W4, b4, W5, b5, and W3, b3, one after the other. t steps of Adam
    (`optimiser`) were made before. The two dropouts are those of terms and, for LTW-TF, of entries.
    """
    theta, gradient, learned = parameters.theta, parameters.gradient, network.learned
    zero, one = theta.dtype.type(0), theta.dtype.type(1)
    n_terms, h, d, more = inputs.pair_of.size, network.hidden, network.hidden_dd, inputs.pairs.more
    units, g_units = units_at(theta, 0, h, network.inputs, more), units_at(gradient, 0, h, network.inputs, more)
    at_b2 = (network.inputs + 2) * h
    o = at_b2 + 1
    at_b5 = o + 3 * d
    units_dd, g_units_dd = units_at(theta, o, d, 1, None), units_at(gradient, o, d, 1, None)  # W4, b4, W5
    at_head = at_b5 + 1 if learned else o
    at_b3 = at_head + n_terms

    size = most_entries(documents.starts, batches)
    reach = min(size, n_terms)
    pairs, counts = shared(inputs.pair_of, inputs.pairs), shared(documents.count_of, inputs.counts)
    layer = make_layer(reach, min(reach, inputs.pairs.x.size), more, h, theta)
    layer_dd = make_layer(size if learned else 0, min(size, inputs.counts.x.size), None, d, theta)
    slot, entry = np.empty(size, np.int32), np.empty(size, np.int64)
    dd, g_dd = np.empty(size, theta.dtype), np.empty(size, theta.dtype)
    batch_terms, place, stamp = np.empty(reach, np.int32), np.empty(n_terms, np.int32), np.full(n_terms, -1, np.int32)
    cd, g_cd = np.empty(reach, theta.dtype), np.empty(reach, theta.dtype)
    head, g_head = np.empty(reach, theta.dtype), np.empty(reach, theta.dtype)
    entries, terms = Entries(slot, dd, g_dd), Terms(cd, head, g_cd, g_head)

    total = 0.0
    for s in range(batches.starts.size - 1):
        step, rows = batches.first_step + s, batch(batches, s)
        if s + 2 < batches.starts.size:
            ask_for(documents, batch(batches, s + 1), learned)
        n, n_entries = gather(documents, rows, batch_terms, slot, entry, place, stamp, s)
        points = distinct(pairs, more, batch_terms, n, layer, s)
        dropped(layer, points, batch_terms, n, units, theta[at_b2], dropout, step, cd)
        for i in range(n):
            cd[i] = squashed(cd[i]) if network.squash else cd[i]
            head[i] = theta[at_head + batch_terms[i]]
            g_cd[i] = zero
            g_head[i] = zero
        points_dd = 0
        if learned:
            points_dd = distinct(counts, None, entry, n_entries, layer_dd, s)
            dropped(layer_dd, points_dd, entry, n_entries, units_dd, theta[at_b5], entry_dropout, step, dd)
            for k in range(n_entries):
                dd[k] = max(dd[k], zero)
        else:
            for k in range(n_entries):
                dd[k] = documents.dd[entry[k]]

        begin, loss, scale = 0, 0.0, one / theta.dtype.type(rows.size)
        for row in rows:
            end = begin + documents.starts[row + 1] - documents.starts[row]
            row_loss, g = classify(entries, begin, end, terms, theta[at_b3], documents.y[row], scale, learned)
            loss += row_loss
            gradient[at_b3] += g
            begin = end
        total += loss / rows.size

        for i in range(n):
            gradient[at_head + batch_terms[i]] += g_head[i]
            g_cd[i] *= cd[i] * (one - cd[i]) if network.squash else one
        if not head_only:
            gradient[at_b2] += dropped_backward(layer, points, n, units, dropout, g_cd, g_units)
            if learned:
                for k in range(n_entries):
                    g_dd[k] = g_dd[k] if dd[k] > zero else zero
                gradient[at_b5] += dropped_backward(
                    layer_dd, points_dd, n_entries, units_dd, entry_dropout, g_dd, g_units_dd
                )
        adam(parameters, at_head if head_only else 0, theta.size, t + s + 1, optimiser)
    return total


@compiled
def local_weights(points, flat, begin, hidden, inputs, squash):
    """cd_L (or dd before its ReLU) without dropout at some points; its parameters, the bias last, begin there."""
    kind, units = flat.dtype, units_at(flat, begin, hidden, inputs, points.more)
    bias = flat[begin + (inputs + 2) * hidden]
    out, square = np.empty(points.x.size, kind), np.empty(points.x.size, kind)
    forward(points, points.more, points.x.size, units, make_room(hidden, points.more, flat), out, square)
    for i in range(points.x.size):
        out[i] += bias
        if squash:
            out[i] = kind.type(squashed(out[i]))
    return out


@compiled
def fit_surface(x, y, wanted, per_step, parameters, hidden, squash, t, optimiser):
    """Pre-training: steps of Adam on cd_L's squared error at `per_step` points each, without dropout.

    Returns the sum of the steps' mean errors.
    """
    theta, gradient = parameters.theta, parameters.gradient
    dtype = theta.dtype
    kind = dtype.type
    h, room = hidden, make_room(hidden, None, theta)
    units, g_units = units_at(theta, 0, h, 2, None), units_at(gradient, 0, h, 2, None)
    mean, square = np.empty(per_step, dtype), np.empty(per_step, dtype)
    gm, gv = np.empty(per_step, dtype), np.zeros(per_step, dtype)
    total = 0.0
    for s in range(x.size // per_step):
        begin = s * per_step
        points, target = Points(x[begin : begin + per_step], y[begin : begin + per_step], None), wanted[begin:]
        forward(points, None, per_step, units, room, mean, square)
        error = 0.0
        for i in range(per_step):
            out = mean[i] + theta[4 * h]
            slope = kind(1)
            if squash:
                out = kind(squashed(out))
                slope = out * (kind(1) - out)
            miss = out - target[i]
            error += miss * miss
            gm[i] = kind(2) * miss * slope / kind(per_step)
            gradient[4 * h] += gm[i]
        backward(points, None, per_step, units, room, gm, gv, g_units)
        adam(parameters, 0, 4 * h + 1, t + s + 1, optimiser)
        total += error / per_step
    return total
