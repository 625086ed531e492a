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
from ltw_core.weighting.learned.engines.compiled.kernels.layer import Units, backward, forward, make_room, units_at
from ltw_core.weighting.learned.engines.compiled.kernels.noise import dropped, dropped_backward, make_layer


class Network(NamedTuple):
    """Hidden units of cd and of LTW-TF's dd, whether cd goes through σ, whether dd is learned."""

    hidden: int
    hidden_dd: int
    squash: bool
    learned: bool


class Inputs(NamedTuple):
    """What the network is asked at: the place of every term's (tpr, fpr) among the pairs, their two coordinates, and
    LTW-TF's distinct counts."""

    pair_of: np.ndarray
    x: np.ndarray
    y: np.ndarray
    counts: np.ndarray


@compiled
def advance_local(
    documents, batches, inputs, parameters, network, t, optimiser, head_only, dropout, entry_dropout
):  # fmt: skip
    """Make the steps of `batches`; returns the sum of their mean losses.

    theta holds W1[0], W1[1], b1, W2, b2, for LTW-TF W4, b4, W5, b5, and W3, b3, one after the other. t steps of Adam
    (`optimiser`) were made before. The two dropouts are those of terms and, for LTW-TF, of entries.
    """
    theta, gradient, learned = parameters.theta, parameters.gradient, network.learned
    zero, one = theta.dtype.type(0), theta.dtype.type(1)
    n_terms, h, d = inputs.pair_of.size, network.hidden, network.hidden_dd
    units, g_units = units_at(theta, 0, h), units_at(gradient, 0, h)
    at_b2, o = 4 * h, 4 * h + 1
    at_b5 = o + 3 * d
    no_y = np.zeros(inputs.counts.size, theta.dtype)
    units_dd, g_units_dd = frequency_units(theta, o, d), frequency_units(gradient, o, d)
    at_head = at_b5 + 1 if learned else o
    at_b3 = at_head + n_terms

    size = most_entries(documents.starts, batches)
    reach = min(size, n_terms)
    pairs, counts = shared(inputs.pair_of, inputs.x, inputs.y), shared(documents.count_of, inputs.counts, no_y)
    layer = make_layer(reach, min(reach, inputs.x.size), h, theta)
    layer_dd = make_layer(size if learned else 0, min(size, inputs.counts.size), d, theta)
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
        points = distinct(pairs, batch_terms, n, layer, s)
        dropped(layer, points, batch_terms, n, units, theta[at_b2], dropout, step, cd)
        for i in range(n):
            cd[i] = squashed(cd[i]) if network.squash else cd[i]
            head[i] = theta[at_head + batch_terms[i]]
            g_cd[i] = zero
            g_head[i] = zero
        points_dd = 0
        if learned:
            points_dd = distinct(counts, entry, n_entries, layer_dd, s)
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
def frequency_units(flat, begin, n):
    """n hidden units of LTW-TF's dd, which has one input: W4, b4, W5 from `begin`, and zeros for the second one."""
    a, b, c = begin, begin + n, begin + 2 * n
    return Units(flat[a:b], np.zeros(n, flat.dtype), flat[b:c], flat[c : c + n])


@compiled
def local_weights(x, y, units, bias, squash):
    """cd_L (or, with y = 0, dd before its ReLU) without dropout at the points (x, y)."""
    kind = units.w.dtype
    out, square = np.empty(x.size, kind), np.empty(x.size, kind)
    forward(x, y, x.size, units, make_room(units.w.size, units.w), out, square)
    for i in range(x.size):
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
    h, room = hidden, make_room(hidden, theta)
    units, g_units = units_at(theta, 0, h), units_at(gradient, 0, h)
    mean, square = np.empty(per_step, dtype), np.empty(per_step, dtype)
    gm, gv = np.empty(per_step, dtype), np.zeros(per_step, dtype)
    total = 0.0
    for s in range(x.size // per_step):
        px, py, target = x[s * per_step :], y[s * per_step :], wanted[s * per_step :]
        forward(px, py, per_step, units, room, mean, square)
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
        backward(px, py, per_step, units, room.box, gm, gv, g_units)
        adam(parameters, 0, 4 * h + 1, t + s + 1, optimiser)
        total += error / per_step
    return total
