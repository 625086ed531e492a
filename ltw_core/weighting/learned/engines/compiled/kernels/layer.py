"""One hidden layer over points (x, y) and its derivative, without a points × units matrix.

Over the rectangle in which the points lie most units are positive everywhere or nowhere: the latter add nothing, and
what all of the former add is a polynomial in x and y, whose coefficients are summed once. Only units that change sign
inside are computed point by point. With masks of dropout this is not possible, and every item has its own. Points of
more than two coordinates are left to ``wide_layer``. It is compiled only where there are some: the compiler
knows whether an argument `more` is None.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.bits import unit_bits
from ltw_core.weighting.learned.engines.compiled.kernels.wide_layer import (
    WideRoom,
    backward_wide,
    forward_wide,
    make_wide_room,
)


class Points(NamedTuple):
    """Where a layer is asked: the first two coordinates of every point, zeros where there is one, and the others, a row
    each, or None."""

    x: np.ndarray
    y: np.ndarray
    more: np.ndarray | None


class Units(NamedTuple):
    """Hidden units, or the gradients of them: ReLU(wx·x + wy·y + b)·w, an entry a unit; `more` has a row for each
    coordinate after the second, or is None."""

    wx: np.ndarray
    wy: np.ndarray
    more: np.ndarray | None
    b: np.ndarray
    w: np.ndarray


class Room(NamedTuple):
    """What `forward` fills: the box of the points (4,), the units that change sign in it (4, H), and 9 sums; or, with
    more coordinates, the rest."""

    box: np.ndarray
    mixed: np.ndarray
    sums: np.ndarray
    wide: WideRoom


@compiled
def make_points(n, more, like):
    """Room for n points with as many coordinates as others, of which `more` are those after the second, of the type of
    the array `like`."""
    kind = like.dtype
    if more is None:
        return Points(np.empty(n, kind), np.empty(n, kind), more)
    return Points(np.empty(n, kind), np.empty(n, kind), np.empty((more.shape[0], n), kind))


@compiled
def make_room(units, more, like):
    """Room for so many hidden units over points as of `make_points`, of the type of the array `like`."""
    kind = like.dtype
    wide = make_wide_room(0 if more is None else units, 0 if more is None else more.shape[0] + 2, like)
    return Room(np.zeros(4, kind), np.empty((4, units), kind), np.empty(9), wide)


@compiled
def units_at(flat, begin, n, inputs, more):
    """n hidden units of a flat vector of parameters, whose places begin there: the weights of each input, b, w.

    more : coordinates after the second of the points that they are for, or None
    """
    at = begin + inputs * n
    wx, b, w = flat[begin : begin + n], flat[at : at + n], flat[at + n : at + 2 * n]
    wy = flat[begin + n : begin + 2 * n] if inputs > 1 else np.zeros(n, flat.dtype)
    if more is None:
        return Units(wx, wy, more, b, w)
    return Units(wx, wy, flat[begin + 2 * n : at].reshape((inputs - 2, n)), b, w)


@compiled
def sort_units(units, room):
    """Split the hidden units by their sign over the box of all points.

    Fills `mixed` (4, H) with wx, wy, b, w of the units that change sign in the box, and `sums` with the coefficients of
    what the units that are positive all over it add: 3 of Σ w·h, 6 of Σ (w·h)². Units that are negative are left out.
    Returns the number of mixed units.
    """
    (wx, wy, _, b, w), (box, mixed, sums, _) = units, room
    sums[:] = 0.0
    n = 0
    for j in range(wx.size):
        vx, vy, c, q = wx[j], wy[j], b[j], w[j]
        low = c + min(vx * box[0], vx * box[1]) + min(vy * box[2], vy * box[3])
        high = c + max(vx * box[0], vx * box[1]) + max(vy * box[2], vy * box[3])
        if low > 0:
            px, py, p = np.float64(vx) * q, np.float64(vy) * q, np.float64(c) * q
            sums[0] += px
            sums[1] += py
            sums[2] += p
            sums[3] += px * px
            sums[4] += px * py
            sums[5] += py * py
            sums[6] += px * p
            sums[7] += py * p
            sums[8] += p * p
        elif high > 0:
            mixed[0, n] = vx
            mixed[1, n] = vy
            mixed[2, n] = c
            mixed[3, n] = q
            n += 1
    return n


@compiled
def forward(points, more, n, units, room, mean, square):
    """mean[u] = Σ_j w·h and square[u] = Σ_j (w·h)², h = ReLU(wx·x + wy·y + b), at n points."""
    (x, y, _), (box, mixed, sums, wide) = points, room
    kind = mean.dtype.type
    zero = kind(0)
    if n == 0:
        return 0
    if more is not None:
        return forward_wide(points, n, units, wide, mean, square)
    box[0] = box[1] = x[0]
    box[2] = box[3] = y[0]
    for u in range(n):
        box[0], box[1] = min(box[0], x[u]), max(box[1], x[u])
        box[2], box[3] = min(box[2], y[u]), max(box[3], y[u])
    changing = sort_units(units, room)
    vx, vy, vb, vw = mixed[0], mixed[1], mixed[2], mixed[3]
    for u in range(n):
        px, py = x[u], y[u]
        s, r = zero, zero
        for j in range(changing):
            a = px * vx[j] + py * vy[j] + vb[j]
            h = (a if a > zero else zero) * vw[j]
            s += h
            r += h * h
        fx, fy = np.float64(px), np.float64(py)
        mean[u] = s + kind(sums[0] * fx + sums[1] * fy + sums[2])
        square[u] = r + kind(
            fx * (sums[3] * fx + 2.0 * sums[4] * fy + 2.0 * sums[6]) + fy * (sums[5] * fy + 2.0 * sums[7]) + sums[8]
        )
    return changing


@compiled
def backward(points, more, n, units, room, gm, gv, gradient):
    """Add to the gradients of the hidden layer, given those of mean (gm) and square (gv) at n points, after `forward`
    has filled the room with these."""
    (x, y, _), (wx, wy, _, b, w), (gwx, gwy, _, gb, gw), box = points, units, gradient, room.box
    kind = w.dtype.type
    zero = kind(0)
    if n == 0:
        return
    if more is not None:
        backward_wide(points, n, room.wide, gm, gv, gradient)
        return
    m0 = mx = my = v0 = v1 = v2 = vxx = vxy = vyy = 0.0
    for u in range(n):
        px, py, g, r = np.float64(x[u]), np.float64(y[u]), np.float64(gm[u]), np.float64(gv[u])
        m0 += g
        mx += g * px
        my += g * py
        v0 += r
        v1 += r * px
        v2 += r * py
        vxx += r * px * px
        vxy += r * px * py
        vyy += r * py * py
    for j in range(wx.size):
        vx, vy, c, q = wx[j], wy[j], b[j], w[j]
        low = c + min(vx * box[0], vx * box[1]) + min(vy * box[2], vy * box[3])
        high = c + max(vx * box[0], vx * box[1]) + max(vy * box[2], vy * box[3])
        if low > 0:
            dx, dy, d0, k = np.float64(vx), np.float64(vy), np.float64(c), np.float64(q)
            rx, ry, r0 = dx * vxx + dy * vxy + d0 * v1, dx * vxy + dy * vyy + d0 * v2, dx * v1 + dy * v2 + d0 * v0
            gw[j] += kind(dx * mx + dy * my + d0 * m0 + 2.0 * k * (dx * rx + dy * ry + d0 * r0))
            gwx[j] += kind(k * mx + 2.0 * k * k * rx)
            gwy[j] += kind(k * my + 2.0 * k * k * ry)
            gb[j] += kind(k * m0 + 2.0 * k * k * r0)
        elif high > 0:
            qq = q + q
            sw, sx, sy, sb = zero, zero, zero, zero
            for u in range(n):
                px, py = x[u], y[u]
                a = px * vx + py * vy + c
                h = a if a > zero else zero
                t = gm[u] + qq * gv[u] * h
                sw += h * t
                d = t if a > zero else zero
                sx += px * d
                sy += py * d
                sb += d
            gw[j] += sw
            gwx[j] += q * sx
            gwy[j] += q * sy
            gb[j] += q * sb


@compiled
def forward_masked(x, y, low, n, units, limit, out):
    """out[i] = Σ_j keep·w·h at (x[i], y[i]), with a Bernoulli mask for every item i."""
    wx, wy, _, b, w = units
    zero = w.dtype.type(0)
    for i in range(n):
        px, py, bits = x[i], y[i], low[i]
        s = zero
        for j in range(wx.size):
            a = px * wx[j] + py * wy[j] + b[j]
            keep = unit_bits(bits, np.uint32(j)) >= limit
            s += a * w[j] if keep and a > zero else zero
        out[i] = s


@compiled
def backward_masked(x, y, low, n, units, limit, g, gradient):
    """Add to the gradients of the hidden layer, given those of `forward_masked`'s out."""
    (wx, wy, _, b, w), (gwx, gwy, _, gb, gw) = units, gradient
    zero = w.dtype.type(0)
    for j in range(wx.size):
        vx, vy, c, q = wx[j], wy[j], b[j], w[j]
        sw, sx, sy, sb = zero, zero, zero, zero
        unit = np.uint32(j)
        for i in range(n):
            px, py = x[i], y[i]
            a = px * vx + py * vy + c
            d = g[i] if (unit_bits(low[i], unit) >= limit and a > zero) else zero
            sw += a * d
            sx += px * d
            sy += py * d
            sb += d
        gw[j] += sw
        gwx[j] += q * sx
        gwy[j] += q * sy
        gb[j] += q * sb
