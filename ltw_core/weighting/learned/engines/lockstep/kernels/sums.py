"""Gradients at points (pairs of terms, counts of entries), sums over a problem, and Adam."""

import triton
import triton.language as tl

from ltw_core.weighting.learned.engines.lockstep.kernels.layer import TINY_DEVIATION

VARYING = [
    "width", "n_points", "n_terms", "batch", "n_places", "bias", "n_network", "hidden", "begin", "other_hidden",
    "other_begin",
]  # fmt: skip


@triton.jit
def point_gradients(g, varied, deviation, ratio):
    """Gradients of mean and variance, given those of what comes out, alone and times its normal numbers."""
    return g, tl.where(deviation > TINY_DEVIATION, varied * 0.5 * ratio / deviation, 0.0)


@triton.jit
def step_size(constants, steps):
    """``operators.step_sizes`` of a problem that has made so many steps, this one included."""
    size = tl.load(constants) / (1 - tl.exp(steps * tl.load(constants + 1)))
    return size, tl.sqrt(1 - tl.exp(steps * tl.load(constants + 2)))


@triton.jit
def batch_totals(losses, g_logits, loss, g_last, moment_steps, b, batch, kind: tl.constexpr, BS: tl.constexpr):
    """Add up a problem's loss and the gradient of b3, and count its step."""
    total = tl.zeros((BS,), tl.float64)
    g_bias = tl.zeros((BS,), kind)
    for k in range(0, batch, BS):
        n = k + tl.arange(0, BS)
        total += tl.load(losses + b * batch + n, n < batch, 0.0).to(tl.float64)
        g_bias += tl.load(g_logits + b * batch + n, n < batch, 0.0)
    tl.store(loss + b, tl.load(loss + b) + tl.sum(total, 0))
    tl.store(g_last + b, tl.sum(g_bias, 0))
    tl.store(moment_steps + b, tl.load(moment_steps + b) + 1)


@triton.jit(do_not_specialize=VARYING)
def batch_sums(losses, g_logits, loss, g_last, moment_steps, batch, BS: tl.constexpr):
    """``batch_totals`` of every problem by itself, where no other kernel has a program for it."""
    kind: tl.constexpr = g_logits.dtype.element_ty
    batch_totals(losses, g_logits, loss, g_last, moment_steps, tl.program_id(0), batch, kind, BS)


@triton.jit(do_not_specialize=VARYING)
def pair_gradients(
    constants,
    g_raw,
    noise,
    pair_starts,
    starts,
    terms,
    deviation,
    losses,
    g_logits,
    g_mean,
    g_variance,
    gradient,
    g_last,
    loss,
    moment_steps,
    batch,
    width,
    bias,
    BP: tl.constexpr,
    BT: tl.constexpr,
    BS: tl.constexpr,
):
    """Gradients at BP pairs, whose terms are neighbours; the first program of a problem also adds up its loss, the
    gradients of b2 (at ``bias`` of its network's) and b3, and counts the step.

    pair_starts (P + 1,) int32, the first term of each pair; starts (B + 1,) int32, the first pair of each problem.
    """
    b = tl.program_id(1)
    kind: tl.constexpr = g_raw.dtype.element_ty
    if tl.program_id(0) == 0:
        batch_totals(losses, g_logits, loss, g_last, moment_steps, b, batch, kind, BS)
        g_out = tl.zeros((BS,), kind)
        first_term = tl.load(terms + b)
        own = tl.load(terms + b + 1) - first_term
        for k in range(0, own, BS):
            t = k + tl.arange(0, BS)
            g_out += tl.load(g_raw + first_term + t, t < own, 0.0)
        tl.store(gradient + b * width + bias, tl.sum(g_out, 0))
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    place = tl.load(starts + b) + p
    ok = place < tl.load(starts + b + 1)
    first = tl.load(pair_starts + place, ok, 0)
    last = tl.load(pair_starts + place + 1, ok, 0)
    alone = tl.zeros((BP, BT), kind)
    varied = tl.zeros((BP, BT), kind)
    for k in range(0, tl.max(last - first, 0), BT):
        t = first[:, None] + (k + tl.arange(0, BT))[None, :]
        here = t < last[:, None]
        g = tl.load(g_raw + t, here, 0.0)
        alone += g
        varied += g * tl.load(noise + t, here, 0.0)
    of_mean, of_variance = point_gradients(
        tl.sum(alone, 1), tl.sum(varied, 1), tl.load(deviation + place, ok, 1.0), tl.load(constants + 6).to(kind)
    )
    tl.store(g_mean + place, of_mean, ok)
    tl.store(g_variance + place, of_variance, ok)


@triton.jit(do_not_specialize=VARYING)
def count_sums(
    constants,
    by_count,
    starts,
    deviation,
    g_mean,
    g_variance,
    gradient,
    batch,
    n_places,
    width,
    bias,
    BQ: tl.constexpr,
    BN: tl.constexpr,
):
    """Of LTW-TF: gradients at all counts of a problem, over the documents of the batch, and of b5 (at ``bias`` of its
    network's). by_count (2, batch, n_places); starts (B + 1,) int32, the first count of each problem."""
    b = tl.program_id(0)
    origin = tl.load(starts + b)
    n_counts = tl.load(starts + b + 1) - origin
    kind: tl.constexpr = by_count.dtype.element_ty
    total = tl.zeros((BQ,), kind)
    for begin in range(0, n_counts, BQ):
        q = begin + tl.arange(0, BQ)
        ok = q < n_counts
        alone = tl.zeros((BN, BQ), kind)
        varied = tl.zeros((BN, BQ), kind)
        for k in range(0, batch, BN):
            n = k + tl.arange(0, BN)
            place = n[:, None] * n_places + (origin + q)[None, :]
            here = (n < batch)[:, None] & ok[None, :]
            alone += tl.load(by_count + place, here, 0.0)
            varied += tl.load(by_count + batch * n_places + place, here, 0.0)
        g = tl.sum(alone, 0)
        total += g
        out = origin + q
        of_mean, of_variance = point_gradients(
            g, tl.sum(varied, 0), tl.load(deviation + out, ok, 1.0), tl.load(constants + 6).to(kind)
        )
        tl.store(g_mean + out, of_mean, ok)
        tl.store(g_variance + out, of_variance, ok)
    tl.store(gradient + b * width + bias, tl.sum(total, 0))


@triton.jit(do_not_specialize=VARYING)
def fit_gradients(
    mean,
    wanted,
    error,
    g_mean,
    gradient,
    moment_steps,
    n_points,
    width,
    bias,
    SIGMOID: tl.constexpr,
    BS: tl.constexpr,
):
    """Of pre-training: gradients of the mean squared error at a problem's points, whose mean is added to its error;
    that of b2 (at ``bias``); and counts the step. mean, wanted, g_mean (B, n_points)."""
    b = tl.program_id(0)
    kind: tl.constexpr = mean.dtype.element_ty
    total = tl.zeros((BS,), tl.float64)
    g_bias = tl.zeros((BS,), kind)
    for k in range(0, n_points, BS):
        p = k + tl.arange(0, BS)
        ok = p < n_points
        out = tl.load(mean + b * n_points + p, ok, 0.0)
        if SIGMOID:
            out = 1 / (1 + tl.exp(-out))
        miss = tl.where(ok, out - tl.load(wanted + b * n_points + p, ok, 0.0), 0.0)
        total += miss.to(tl.float64) * miss.to(tl.float64)
        g = miss * 2 / n_points
        if SIGMOID:
            g = g * out * (1 - out)
        g_bias += g
        tl.store(g_mean + b * n_points + p, g, ok)
    tl.store(error + b, tl.load(error + b) + tl.sum(total, 0) / n_points)
    tl.store(gradient + b * width + bias, tl.sum(g_bias, 0))
    tl.store(moment_steps + b, tl.load(moment_steps + b) + 1)


@triton.jit
def folded(parts, slices, gradient, b, i, begin, hidden):
    """The gradient of parameters i of a problem's network: within a layer, of its slices in their order."""
    inside = (i >= begin) & (i < begin + 4 * hidden)
    total = gradient
    first = tl.load(slices + b)
    for s in range(first, tl.load(slices + b + 1)):
        part = tl.load(parts + s * 4 * hidden + i - begin, inside, 0.0)
        total = tl.where(inside, part if s == first else total + part, total)
    return total


@triton.jit(do_not_specialize=VARYING)
def adam_step(
    at,
    constants,
    theta,
    first,
    second,
    gradient,
    moving,
    moment_steps,
    terms,
    parts,
    slices,
    other_parts,
    other_slices,
    width,
    n_network,
    n_terms,
    begin,
    hidden,
    other_begin,
    other_hidden,
    LAYERS: tl.constexpr,
    HEAD: tl.constexpr,
    BW: tl.constexpr,
):
    """A step of Adam on BW parameters of a problem (``operators.adam``); the very first program counts ``at`` on.

    Of its network they are the ``width`` parameters of its layers, with LAYERS one or two, whose parts and slices are
    those of ``layer_backward``; else b2 of LTW-G, which is the last of the ``n_network`` parameters. With HEAD, W3 of
    its terms and b3 follow. moving (B,) int32: 0 where the network stays.
    """
    b = tl.program_id(1)
    kind: tl.constexpr = theta.dtype.element_ty
    if (tl.program_id(0) == 0) & (b == 0):
        tl.store(at, tl.load(at) + 1)
    i = tl.program_id(0) * BW + tl.arange(0, BW)
    term = tl.load(terms + b)
    own = tl.load(terms + b + 1) - term
    inner = width if LAYERS > 0 else own
    place = b * width + i if LAYERS > 0 else n_network - n_terms + term + i
    ok = i < inner
    if HEAD:
        place = tl.where(i < inner, place, n_network + term + i - inner)
        place = tl.where(i == inner + own, n_network + n_terms + b, place)
        ok = i <= inner + own
    g = tl.load(gradient + place, ok, 0.0)
    if LAYERS > 0:
        g = folded(parts, slices, g, b, i, begin, hidden)
    if LAYERS > 1:
        g = folded(other_parts, other_slices, g, b, i, other_begin, other_hidden)
    size, correction = step_size(constants, tl.load(moment_steps + b))  # counted on before
    size, correction = size.to(kind), correction.to(kind)
    b2, epsilon = tl.load(constants + 4), tl.load(constants + 5).to(kind)
    m = tl.load(first + place, ok, 0.0)
    m += (1 - tl.load(constants + 3)).to(kind) * (g - m)
    v = tl.load(second + place, ok, 0.0) * b2.to(kind) + (1 - b2).to(kind) * g * g
    tl.store(first + place, m, ok)
    tl.store(second + place, v, ok)
    change = size * m / (tl.sqrt(v) / correction + epsilon)
    change = tl.where((i >= inner) | (tl.load(moving + b) > 0), change, 0.0)
    tl.store(theta + place, tl.load(theta + place, ok, 0.0) - change, ok)
