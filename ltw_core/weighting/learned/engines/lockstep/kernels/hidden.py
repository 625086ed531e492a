"""LTW-G's hidden layer, W2 and their Adam: ``global_group.py`` in three kernels.

All time goes into reading and writing W2 and its two moments. ``hidden_forward`` reads W2, and ``hidden_step`` reads it
for the gradient of the layer before it, then reads and writes all three: seven passes, where torch's operators make
fourteen, and the second reading follows so soon that a cache may have it. The gradient of W2, an outer product, is
never made. Of a problem's places only its own units are looked at.
"""

import triton
import triton.language as tl

from ltw_core.weighting.learned.engines.compiled.kernels.adam import MAX_LOG, MIN_LOG, TABLE
from ltw_core.weighting.learned.engines.lockstep.kernels.noise import UNIT_STREAM, kept
from ltw_core.weighting.learned.engines.lockstep.kernels.sums import step_size

LEAST_LOG, MOST_LOG, ENTRIES = tl.constexpr(MIN_LOG), tl.constexpr(MAX_LOG), tl.constexpr(TABLE)
EACH = tl.constexpr((TABLE - 1) / (MAX_LOG - MIN_LOG))
VARYING = ["n_problems", "n_units", "slice_units"]


@triton.jit(do_not_specialize=VARYING)
def hidden_forward(
    at,
    numbers,
    keys,
    constants,
    items,
    rooms,
    own_units,
    terms,
    starts,
    part_starts,
    theta,
    weights,
    hidden,
    parts,
    n_problems,
    slice_units,
    NOISE: tl.constexpr,
    BU: tl.constexpr,
    BF: tl.constexpr,
):
    """What one slice of a problem's units adds to cd of BF terms; a slice's first program also writes the layer.

    items, hidden (units,), the numbers of the units, and their layer; own_units (B,) int32; rooms (B + 1,) int32,
    starts and part_starts (B + 1,) int64, where each problem's units begin, and what it has of weights (W2) and parts:
    (units, terms) and (slices, terms). z is the first of theta.
    """
    b = tl.program_id(1)
    kind: tl.constexpr = theta.dtype.element_ty
    begin = tl.program_id(2) * slice_units
    last = tl.minimum(begin + slice_units, tl.load(own_units + b))
    n_terms = tl.load(terms + b + 1) - tl.load(terms + b)
    if (begin >= last) | (tl.program_id(0) * BF >= n_terms):
        return
    room, start = tl.load(rooms + b), tl.load(starts + b)
    t = tl.program_id(0) * BF + tl.arange(0, BF)
    ok = t < n_terms
    total = tl.zeros((BU, BF), kind)
    for k in range(begin, last, BU):
        u = k + tl.arange(0, BU)
        real = u < last
        h = tl.maximum(tl.load(theta + room + u, real, 0.0), 0.0)
        if NOISE:
            number, key = tl.load(numbers + tl.load(at) * n_problems + b), tl.load(keys + b * 3 + UNIT_STREAM)
            on = kept(key, number, tl.load(items + room + u, real, 0), tl.load(constants + 8))
            h = tl.where(on, h * tl.load(constants + 7).to(kind), 0.0)
        if tl.program_id(0) == 0:
            tl.store(hidden + room + u, h, real)
        place = start + u.to(tl.int64)[:, None] * n_terms + t[None, :]
        total += h[:, None] * tl.load(weights + place, real[:, None] & ok[None, :], 0.0)
    tl.store(parts + tl.load(part_starts + b) + tl.program_id(2) * n_terms + t, tl.sum(total, 0), ok)


@triton.jit(do_not_specialize=VARYING)
def hidden_sums(
    theta,
    parts,
    own_units,
    terms,
    part_starts,
    cd,
    n_units,
    slice_units,
    SIGMOID: tl.constexpr,
    BF: tl.constexpr,
):
    """cd of BF terms: b2, which follows all units' z in theta, and the slices of its problem in their order."""
    b = tl.program_id(1)
    t = tl.program_id(0) * BF + tl.arange(0, BF)
    origin = tl.load(terms + b)
    n_terms = tl.load(terms + b + 1) - origin
    ok = t < n_terms
    value = tl.load(theta + n_units + origin + t, ok, 0.0)
    part = parts + tl.load(part_starts + b)
    for s in range(0, tl.cdiv(tl.load(own_units + b), slice_units)):
        value += tl.load(part + s * n_terms + t, ok, 0.0)
    if SIGMOID:
        value = 1 / (1 + tl.exp(-value))
    tl.store(cd + origin + t, value, ok)


@triton.jit
def reach(table, root):
    """``operators.reach`` of roots (float64), from a problem's table."""
    root = tl.maximum(root, 1e-16)
    place = (tl.log(root) - LEAST_LOG) * EACH
    i = tl.minimum(tl.maximum(place.to(tl.int64), 1), ENTRIES - 3)
    f = place - i
    a, b = tl.load(table + i - 1), tl.load(table + i)
    c, d = tl.load(table + i + 1), tl.load(table + i + 2)
    inside = b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)))
    beyond = tl.exp(tl.load(table + ENTRIES - 1) + MOST_LOG) / root
    return tl.where(place < ENTRIES - 2, tl.exp(tl.minimum(inside, 700.0)), beyond)


@triton.jit(do_not_specialize=VARYING)
def hidden_step(
    constants,
    tables,
    rooms,
    own_units,
    terms,
    starts,
    moment_steps,
    hidden,
    theta,
    first,
    second,
    gradient,
    weights,
    first_weights,
    second_weights,
    n_units,
    BU: tl.constexpr,
    BF: tl.constexpr,
):
    """A step of Adam on BU units of a problem: on z (``operators.adam_through``), and on their rows of W2
    (``operators.adam_outer``), whose gradients are h times those of cd before σ. These follow all units' z in gradient.
    """
    b = tl.program_id(1)
    own = tl.load(own_units + b)
    if tl.program_id(0) * BU >= own:
        return
    kind: tl.constexpr = theta.dtype.element_ty
    origin, room = tl.load(terms + b), tl.load(rooms + b)
    n_terms = tl.load(terms + b + 1) - origin
    raw = gradient + n_units + origin
    u = tl.program_id(0) * BU + tl.arange(0, BU)
    real = u < own
    row = tl.load(starts + b) + u.to(tl.int64)[:, None] * n_terms
    pull = tl.zeros((BU, BF), kind)
    for k in range(0, n_terms, BF):
        t = k + tl.arange(0, BF)
        g = tl.load(raw + t, t < n_terms, 0.0)
        pull += tl.load(weights + row + t[None, :], real[:, None] & (t < n_terms)[None, :], 0.0) * g[None, :]
    size, correction = step_size(constants, tl.load(moment_steps + b))
    b1, b2 = tl.load(constants + 3).to(kind), tl.load(constants + 4).to(kind)
    c1, c2 = (1 - tl.load(constants + 3)).to(kind), (1 - tl.load(constants + 4)).to(kind)
    h = tl.load(hidden + room + u, real, 0.0)
    g_z = tl.where(h > 0, tl.sum(pull, 1) * tl.load(constants + 7).to(kind), 0.0)
    place = room + u
    m = tl.load(first + place, real, 0.0)
    m += c1 * (g_z - m)
    v = tl.load(second + place, real, 0.0) * b2 + c2 * g_z * g_z
    tl.store(first + place, m, real)
    tl.store(second + place, v, real)
    change = size * m.to(tl.float64) * reach(tables + b * ENTRIES, tl.sqrt(v.to(tl.float64)) / correction)
    tl.store(theta + place, tl.load(theta + place, real, 0.0) - change.to(kind), real)
    slope, least = (1 / (correction * size)).to(kind), (tl.load(constants + 5) / size).to(kind)
    for k in range(0, n_terms, BF):
        t = k + tl.arange(0, BF)
        ok = real[:, None] & (t < n_terms)[None, :]
        g = tl.load(raw + t, t < n_terms, 0.0)
        m_w = tl.load(first_weights + row + t[None, :], ok, 0.0) * b1 + c1 * (h[:, None] * g[None, :])
        v_w = tl.load(second_weights + row + t[None, :], ok, 0.0) * b2 + c2 * ((h * h)[:, None] * (g * g)[None, :])
        w = tl.load(weights + row + t[None, :], ok, 0.0) - m_w / (tl.sqrt(v_w) * slope + least)
        tl.store(first_weights + row + t[None, :], m_w, ok)
        tl.store(second_weights + row + t[None, :], v_w, ok)
        tl.store(weights + row + t[None, :], w, ok)
