"""Steps of the local variants and of LTW-TF, and pre-training. One call makes many steps.

Terms share coordinates: mean and variance of cd_L are computed for the distinct (tpr, fpr) pairs of the batch only,
those of LTW-TF's dd for its distinct counts.
"""

import numpy as np

from ltw_core.weighting.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.adam import adam
from ltw_core.weighting.learned.engines.compiled.kernels.documents import (
    ask_for,
    classify,
    distinct,
    gather,
    most_entries,
    squashed,
)
from ltw_core.weighting.learned.engines.compiled.kernels.layer import backward, forward
from ltw_core.weighting.learned.engines.compiled.kernels.noise import dropped, dropped_backward, make_layer


@compiled
def advance_local(
    starts, terms, fixed_dd, count_of, y, rows, row_starts, first_step,
    pair_of, pair_x, pair_y, counts,
    theta, first, second, gradient, hidden, hidden_dd, t, by, head_only, squash, learned,
    dropout, as_masks, key_terms, key_entries, limit,
):  # fmt: skip
    """Make the steps whose batches are `rows`; returns the sum of their mean losses.

    theta holds W1[0], W1[1], b1, W2, b2, for LTW-TF W4, b4, W5, b5, and W3, b3, one after the other, gradient (all 0)
    the same. pair_of is the place in pair_x, pair_y of every term's (tpr, fpr); count_of, for LTW-TF, that of every
    entry's count in counts. t steps of Adam (`by`) were made before.
    """
    zero, one = theta.dtype.type(0), theta.dtype.type(1)
    n_terms, h, d = pair_of.size, hidden, hidden_dd
    wx, wy, b, w = theta[:h], theta[h : 2 * h], theta[2 * h : 3 * h], theta[3 * h : 4 * h]
    gwx, gwy, gb, gw = gradient[:h], gradient[h : 2 * h], gradient[2 * h : 3 * h], gradient[3 * h : 4 * h]
    at_b2, o = 4 * h, 4 * h + 1
    vx, vb, v = theta[o : o + d], theta[o + d : o + 2 * d], theta[o + 2 * d : o + 3 * d]
    gvx, gvb, gv = gradient[o : o + d], gradient[o + d : o + 2 * d], gradient[o + 2 * d : o + 3 * d]
    at_b5 = o + 3 * d
    vy, gvy, no_y = np.zeros(d, theta.dtype), np.zeros(d, theta.dtype), np.zeros(counts.size, theta.dtype)
    at_head = at_b5 + 1 if learned else o
    at_b3 = at_head + n_terms

    size = most_entries(starts, rows, row_starts)
    reach = min(size, n_terms)
    layer = make_layer(reach, min(reach, pair_x.size), h, theta)
    layer_dd = make_layer(size if learned else 0, min(size, counts.size), d, theta)
    slot, entry = np.empty(size, np.int32), np.empty(size, np.int64)
    dd, g_dd = np.empty(size, theta.dtype), np.empty(size, theta.dtype)
    batch, place, stamp = np.empty(reach, np.int32), np.empty(n_terms, np.int32), np.full(n_terms, -1, np.int32)
    pair_place, pair_stamp = np.empty(pair_x.size, np.int32), np.full(pair_x.size, -1, np.int32)
    count_place, count_stamp = np.empty(counts.size, np.int32), np.full(counts.size, -1, np.int32)
    cd, g_cd = np.empty(reach, theta.dtype), np.empty(reach, theta.dtype)
    head, g_head = np.empty(reach, theta.dtype), np.empty(reach, theta.dtype)

    total = 0.0
    for s in range(row_starts.size - 1):
        step, part = first_step + s, rows[row_starts[s] : row_starts[s + 1]]
        if s + 2 < row_starts.size:
            ask_for(starts, terms, fixed_dd, count_of, y, rows[row_starts[s + 1] : row_starts[s + 2]], learned)
        n, entries = gather(starts, terms, part, batch, slot, entry, place, stamp, s)
        points = distinct(pair_of, batch, n, pair_x, pair_y, layer.x, layer.y, layer.point, pair_place, pair_stamp, s)
        dropped(layer, points, batch, n, wx, wy, b, w, theta[at_b2], dropout, as_masks, key_terms, step, limit, cd)
        for i in range(n):
            cd[i] = squashed(cd[i]) if squash else cd[i]
            head[i] = theta[at_head + batch[i]]
            g_cd[i] = zero
            g_head[i] = zero
        points_dd = 0
        if learned:
            x, z, point = layer_dd.x, layer_dd.y, layer_dd.point
            points_dd = distinct(count_of, entry, entries, counts, no_y, x, z, point, count_place, count_stamp, s)
            dropped(
                layer_dd, points_dd, entry, entries, vx, vy, vb, v, theta[at_b5],
                dropout, as_masks, key_entries, step, limit, dd,
            )  # fmt: skip
            for k in range(entries):
                dd[k] = max(dd[k], zero)
        else:
            for k in range(entries):
                dd[k] = fixed_dd[entry[k]]

        begin, loss, scale = 0, 0.0, one / theta.dtype.type(part.size)
        for row in part:
            end = begin + starts[row + 1] - starts[row]
            row_loss, g = classify(
                slot, dd, begin, end, cd, head, theta[at_b3], y[row], scale, g_cd, g_head, g_dd, learned
            )
            loss += row_loss
            gradient[at_b3] += g
            begin = end
        total += loss / part.size

        for i in range(n):
            gradient[at_head + batch[i]] += g_head[i]
            g_cd[i] *= cd[i] * (one - cd[i]) if squash else one
        if not head_only:
            gradient[at_b2] += dropped_backward(
                layer, points, n, wx, wy, b, w, dropout, as_masks, limit, g_cd, gwx, gwy, gb, gw
            )
            if learned:
                for k in range(entries):
                    g_dd[k] = g_dd[k] if dd[k] > zero else zero
                gradient[at_b5] += dropped_backward(
                    layer_dd, points_dd, entries, vx, vy, vb, v, dropout, as_masks, limit, g_dd, gvx, gvy, gvb, gv
                )
        adam(theta, first, second, gradient, at_head if head_only else 0, theta.size, t + s + 1, by)
    return total


@compiled
def local_weights(x, y, wx, wy, b, w, bias, squash):
    """cd_L (or, with y = 0, dd before its ReLU) without dropout at the points (x, y)."""
    out, square = np.empty(x.size, w.dtype), np.empty(x.size, w.dtype)
    forward(x, y, x.size, wx, wy, b, w, np.empty((4, w.size), w.dtype), np.empty(9), np.zeros(4, w.dtype), out, square)
    for i in range(x.size):
        out[i] += bias
        if squash:
            out[i] = w.dtype.type(squashed(out[i]))
    return out


@compiled
def fit_surface(x, y, wanted, per_step, theta, first, second, gradient, hidden, t, by, squash):
    """Pre-training: steps of Adam on cd_L's squared error at `per_step` points each, without dropout.

    Returns the sum of the steps' mean errors.
    """
    dtype = theta.dtype
    kind = dtype.type
    h = hidden
    wx, wy, b, w = theta[:h], theta[h : 2 * h], theta[2 * h : 3 * h], theta[3 * h : 4 * h]
    gwx, gwy, gb, gw = gradient[:h], gradient[h : 2 * h], gradient[2 * h : 3 * h], gradient[3 * h : 4 * h]
    mean, square = np.empty(per_step, dtype), np.empty(per_step, dtype)
    gm, gv = np.empty(per_step, dtype), np.zeros(per_step, dtype)
    mixed, sums, box = np.empty((4, h), dtype), np.empty(9), np.zeros(4, dtype)
    total = 0.0
    for s in range(x.size // per_step):
        px, py, target = x[s * per_step :], y[s * per_step :], wanted[s * per_step :]
        forward(px, py, per_step, wx, wy, b, w, mixed, sums, box, mean, square)
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
        backward(px, py, per_step, wx, wy, b, w, box, gm, gv, gwx, gwy, gb, gw)
        adam(theta, first, second, gradient, 0, 4 * h + 1, t + s + 1, by)
        total += error / per_step
    return total
