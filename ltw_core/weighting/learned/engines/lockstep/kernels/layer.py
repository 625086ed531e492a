"""The hidden layer at a problem's distinct points, forward and backward, without ever writing it: ``operators.Layer``.

At a point x, y and a unit of weights (a, c, e) and w the layer gives g = ReLU(a·x + c·y + e)·w; its mean under Gaussian
dropout is Σ g and its variance dropout / (1 - dropout)·Σ g². A few multiply-adds an entry stay in registers, where the
matrix of all points and units of 115 classes of Reuters would be 700 MB, passed over five times a step.
"""

import triton
import triton.language as tl

from ltw_core.weighting.learned.engines.lockstep.operators import TINY_VARIANCE

TINY = tl.constexpr(TINY_VARIANCE)
TINY_DEVIATION = tl.constexpr(1.000001 * TINY_VARIANCE**0.5)
VARYING = ["width", "begin", "hidden", "slice_points"]  # seldom worth a compilation of its own


@triton.jit
def unit_weights(own, j, hidden):
    """a, c, e and w of units j of a layer; 0 past its last."""
    real = j < hidden
    a, c = tl.load(own + j, real, 0.0), tl.load(own + hidden + j, real, 0.0)
    return a, c, tl.load(own + 2 * hidden + j, real, 0.0), tl.load(own + 3 * hidden + j, real, 0.0)


@triton.jit(do_not_specialize=VARYING)
def layer_forward(
    theta,
    constants,
    points,
    starts,
    mean,
    deviation,
    width,
    begin,
    hidden,
    BP: tl.constexpr,
    BH: tl.constexpr,
):
    """Mean, with the bias, and deviation at BP points of a problem.

    points (P, 2), mean, deviation (P,), of all problems; starts (B + 1,) int32, where a problem's begin. Its layer
    begins at ``begin`` of its ``width`` parameters.
    """
    b = tl.program_id(1)
    origin = tl.load(starts + b)
    n = tl.load(starts + b + 1) - origin
    if tl.program_id(0) * BP >= n:
        return
    kind: tl.constexpr = theta.dtype.element_ty
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    ok = p < n
    x = tl.load(points + (origin + p) * 2, ok, 0.0)
    y = tl.load(points + (origin + p) * 2 + 1, ok, 0.0)
    own = theta + b * width + begin
    total = tl.zeros((BP, BH), kind)
    squares = tl.zeros((BP, BH), kind)
    a, c, e, w = unit_weights(own, tl.arange(0, BH), hidden)
    for k in range(0, hidden, BH):  # the next units' weights are loaded while these are used
        next_a, next_c, next_e, next_w = unit_weights(own, k + BH + tl.arange(0, BH), hidden)
        z = x[:, None] * a[None, :] + (y[:, None] * c[None, :] + e[None, :])
        g = tl.maximum(z, 0.0) * w[None, :]
        total += g
        squares += g * g
        a, c, e, w = next_a, next_c, next_e, next_w
    ratio = tl.load(constants + 6).to(kind)
    place = origin + p
    tl.store(mean + place, tl.sum(total, 1) + tl.load(own + 4 * hidden), ok)
    tl.store(deviation + place, tl.sqrt(tl.maximum(tl.sum(squares, 1) * ratio, TINY)), ok)


@triton.jit(do_not_specialize=VARYING)
def layer_backward(
    theta,
    points,
    starts,
    slices,
    g_mean,
    g_variance,
    parts,
    width,
    begin,
    hidden,
    slice_points,
    UNROLLED: tl.constexpr,
    BH: tl.constexpr,
):
    """Gradients of BH units' weights, summed over one slice of a problem's points, one after the other. UNROLLED
    points are in one turn of the loop, which changes no sum.

    g_mean, g_variance (P,); parts (slices, 4·hidden), of which a problem has as many slices of ``slice_points`` as its
    own points fill: not one more where others have more points; slices (B + 1,) int32, where its own begin.
    """
    b = tl.program_id(1)
    origin = tl.load(starts + b)
    n = tl.load(starts + b + 1) - origin
    first = tl.program_id(2) * slice_points
    if first >= n:
        return
    kind: tl.constexpr = theta.dtype.element_ty
    j = tl.program_id(0) * BH + tl.arange(0, BH)
    real = j < hidden
    own = theta + b * width + begin
    a, c, e, w = unit_weights(own, j, hidden)
    s_a = tl.zeros((BH,), kind)
    s_c = tl.zeros((BH,), kind)
    s_e = tl.zeros((BH,), kind)
    s_w = tl.zeros((BH,), kind)
    last = tl.minimum(first + slice_points, n)
    for p in tl.range(origin + first, origin + last, loop_unroll_factor=UNROLLED):
        x, y = tl.load(points + p * 2), tl.load(points + p * 2 + 1)
        h = tl.maximum(x * a + (y * c + e), 0.0)
        q = tl.load(g_mean + p) + 2 * tl.load(g_variance + p) * (w * h)  # the gradient of h, but for its factor w
        q = tl.where(h > 0, q, 0.0)
        s_a += q * x
        s_c += q * y
        s_e += q
        s_w += q * h
    out = parts + (tl.load(slices + b) + tl.program_id(2)) * 4 * hidden
    tl.store(out + j, s_a * w, real)
    tl.store(out + hidden + j, s_c * w, real)
    tl.store(out + 2 * hidden + j, s_e * w, real)
    tl.store(out + 3 * hidden + j, s_w, real)
