"""Steps of the global variants, with the first layer collapsed to ``z``. One call makes many steps.

Adam moves every weight of W2 at every step, but what it does to the weights of a term that no document of the batch
holds depends on nothing but their own moments, and no step reads them before the term is met again. So they are left
where they are: a row (a term's weights, with their moments) is brought up to date when it is next needed, in the
processor's cache, where passing over all of W2 at each step waits for the memory. Several steps without a gradient are
made at once (``row_coast``).
"""

import math
from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.adam import adam, adam_through, constants, moments
from ltw_core.weighting.learned.engines.compiled.kernels.bits import item_key, unit_bits
from ltw_core.weighting.learned.engines.compiled.kernels.documents import Entries, Terms, batch, classify, squashed

BLOCK = 100  # steps whose hidden layers are remembered; all rows are up to date after each


class SecondLayer(NamedTuple):
    """W2 by terms, without the units that never move.

    Attributes
    ----------
    units : ndarray of int, shape (units,)
        Hidden units whose weights are here.
    weights, first, root : ndarray, shape (terms, units)
        With the first moments and the square roots of the second ones: where there is no gradient a root only shrinks,
        and need not be taken again.
    seen : ndarray of int, shape (terms,)
        Steps that a row has been through.
    owed : ndarray, shape (terms,)
        Gradient of the term's output in the step that comes next for its row; 0 where no document held it.
    hidden : ndarray, shape (BLOCK, units)
        Hidden layers of the steps of this block.
    """

    units: np.ndarray
    weights: np.ndarray
    first: np.ndarray
    root: np.ndarray
    seen: np.ndarray
    owed: np.ndarray
    hidden: np.ndarray


@compiled
def hidden_now(z, units, dropout, step, masked, out):
    """The hidden layer of LTW-G after ReLU and, if `masked`, the step's one dropout mask."""
    kind = z.dtype.type
    low = np.uint32(item_key(dropout.key, step, 0) & np.uint64(0xFFFFFFFF))
    scale = kind(1.0 / (1.0 - dropout.share)) if masked else kind(1)
    for i in range(units.size):
        j = units[i]
        kept = (not masked) or dropout.share == 0 or unit_bits(low, np.uint32(j)) >= dropout.limit
        out[i] = z[j] * scale if kept and z[j] > 0 else kind(0)


@compiled
def dot(a, b):
    total = a.dtype.type(0)
    for i in range(a.size):
        total += a[i] * b[i]
    return total


@compiled
def outputs(weights, hidden, bias, out):
    """out = hidden·W2 + b2 for all terms, whose rows are up to date."""
    for k in range(out.size):
        out[k] = dot(weights[k], hidden) + bias[k]


@compiled
def row_step(w, first, root, h, g, size, correction, c):
    """Adam on a row of W2 whose gradient is g·h."""
    for i in range(w.size):
        m, v = moments(g * h[i], first[i], root[i] * root[i], c)
        r = math.sqrt(v)
        first[i] = m
        root[i] = r
        w[i] -= size * m / (r * correction + c.epsilon)


@compiled
def row_drift(w, first, root, size, correction, shrink, least, c):
    """Adam on a row of W2 without a gradient: its momentum moves it on. `shrink` is √β2, `least` the least root."""
    zero = w.dtype.type(0)
    for i in range(w.size):
        m, r = c.b1 * first[i], shrink * root[i]
        m = m if abs(m) > c.least_m else zero
        r = r if r > least else zero
        first[i] = m
        root[i] = r
        w[i] -= size * m / (r * correction + c.epsilon)


@compiled
def row_coast(w, first, root, sum_, decay, shrink, c, least):
    """Adam on a row of W2 over some steps without a gradient, after which the moments are `decay` and `shrink` times
    what they were; see ``Sum``."""
    zero = w.dtype.type(0)
    for i in range(w.size):
        m, r = first[i], root[i]
        one, other = r * sum_.one + c.epsilon, r * sum_.other + c.epsilon
        w[i] -= m * (sum_.of_one * other + sum_.of_other * one) / (one * other)
        m, r = decay * m, shrink * r
        first[i] = m if abs(m) > c.least_m else zero
        root[i] = r if r > least else zero


class Sum(NamedTuple):
    """What several steps without a gradient move a weight by, divided by its first moment: of_one / (one·r + ε) +
    of_other / (other·r + ε), with r the root of its second moment.

    Step j of them moves it by size_j·β1^j·m / (√β2^j·correction_j·r + ε): a weighted sum of 1 / (c_j·r + ε).
    Gauss's quadrature puts two points in the place of all c_j, with the same moments of orders 0 to 3. What that leaves
    is about the fourth power of how far the c_j lie apart, relative to their size.
    """

    one: float
    other: float
    of_one: float
    of_other: float


FEWEST = 3  # steps without a gradient that are made at once; of fewer each is made by itself


class Clock(NamedTuple):
    """What the steps of a block take for all weights. It is that of the whole block, whichever of its steps are made.

    Attributes
    ----------
    begin : int
        Steps made before the block.
    sizes, corrections : ndarray, shape (BLOCK,)
        See ``Constants``.
    sums : ndarray of float64, shape (4, BLOCK + 1)
        From each step s of the block to its end: of size·β1^(j - s)·(c - middle)^n for n = 0 to 3, c being
        √β2^j·correction at step j.
    middle : float
    decays, shrinks : ndarray of float64, shape (BLOCK + 1,)
        β1 and √β2 to the power of a number of steps.
    """

    begin: int
    sizes: np.ndarray
    corrections: np.ndarray
    sums: np.ndarray
    middle: float
    decays: np.ndarray
    shrinks: np.ndarray


@compiled
def clock_of(begin, optimiser, like):
    """The clock of a block, which begins after `begin` steps."""
    kind = like.dtype.type
    sizes, corrections = np.zeros(BLOCK, like.dtype), np.zeros(BLOCK, like.dtype)
    sums, decays, shrinks = np.zeros((4, BLOCK + 1)), np.ones(BLOCK + 1), np.ones(BLOCK + 1)
    half = constants(optimiser, begin + BLOCK // 2, like)
    middle = half.correction * optimiser.beta2 ** (BLOCK / 4)
    for s in range(BLOCK):
        decays[s + 1], shrinks[s + 1] = optimiser.beta1 * decays[s], math.sqrt(optimiser.beta2) * shrinks[s]
    for s in range(BLOCK - 1, -1, -1):
        c = constants(optimiser, begin + s + 1, like)
        sizes[s], corrections[s] = kind(c.size), kind(c.correction)
        weight, apart = float(c.size), shrinks[s] * c.correction - middle
        for n in range(4):
            sums[n, s] = weight + optimiser.beta1 * sums[n, s + 1]
            weight *= apart
    return Clock(begin, sizes, corrections, sums, middle, decays, shrinks)


@compiled
def sum_of(clock, start, now, optimiser, precision):
    """The sum of steps start:now of a block, and whether it may take their place: what it leaves is about `precision`
    at most, relative to what they move."""
    if now - start < FEWEST:
        return Sum(0.0, 0.0, 0.0, 0.0), False
    after = clock.decays[now - start]
    total = clock.sums[0, start] - after * clock.sums[0, now]
    first = (clock.sums[1, start] - after * clock.sums[1, now]) / total
    second = (clock.sums[2, start] - after * clock.sums[2, now]) / total - first * first
    third = (clock.sums[3, start] - after * clock.sums[3, now]) / total - 3 * first * second - first**3
    middle = clock.middle + first
    if not 0 < second <= math.sqrt(precision) * middle * middle:
        return Sum(0.0, 0.0, 0.0, 0.0), False
    skew = third / second
    apart = math.sqrt(skew * skew + 4 * second)
    up, down = (skew + apart) / 2, (skew - apart) / 2
    total *= optimiser.beta1
    shrink = math.sqrt(optimiser.beta2) / clock.shrinks[start]
    return Sum(shrink * (middle + up), shrink * (middle + down), -total * down / apart, total * up / apart), True


@compiled
def bring_up(layer, k, now, clock, c, optimiser):
    """Bring the row of term k through all steps before `now`."""
    w, first, root = layer.weights[k], layer.first[k], layer.root[k]
    kind = w.dtype.type
    at, end = layer.seen[k] - clock.begin, now - clock.begin
    shrink, least = kind(math.sqrt(optimiser.beta2)), kind(math.sqrt(c.least_v))
    if at < end and layer.owed[k] != 0:
        row_step(w, first, root, layer.hidden[at], layer.owed[k], clock.sizes[at], clock.corrections[at], c)
        at += 1
    whole, may = sum_of(clock, at, end, optimiser, np.finfo(w.dtype).eps)
    if may and c.epsilon * c.epsilon >= np.finfo(w.dtype).tiny:
        sum_ = Sum(kind(whole.one), kind(whole.other), kind(whole.of_one), kind(whole.of_other))
        row_coast(w, first, root, sum_, kind(clock.decays[end - at]), kind(clock.shrinks[end - at]), c, least)
    else:
        for s in range(at, end):
            row_drift(w, first, root, clock.sizes[s], clock.corrections[s], shrink, least, c)
    layer.seen[k] = now
    layer.owed[k] = kind(0)


class Span(NamedTuple):
    """Steps that were made before, and whether all rows of the layer are brought up to date after those to come."""

    made: int
    settle: bool


@compiled
def held(documents, rows, stamp, mark, terms):
    """The distinct terms of some documents, into `terms`; returns how many."""
    found = 0
    for row in rows:
        for e in range(documents.starts[row], documents.starts[row + 1]):
            k = documents.terms[e]
            if stamp[k] != mark:
                stamp[k] = mark
                terms[found] = k
                found += 1
    return found


@compiled
def advance_global(documents, batches, layer, parameters, n_hidden, squash, span, optimiser, table, dropout):
    """Make the steps of `batches`, all of one block; returns the sum of their mean losses. Without any batch, rows are
    only brought up to date, with `span.settle`.

    theta holds z, b2, W3, b3, one after the other; `table` is that of `adam_through`. Many steps in one call and in
    several come to the same, bit for bit, if rows are settled at the ends of blocks and at no other step.
    """
    theta, gradient, (t, settle) = parameters.theta, parameters.gradient, span
    dtype = theta.dtype
    kind = dtype.type
    zero, one = kind(0), kind(1)
    n_terms, n_units, steps = layer.weights.shape[0], layer.units.size, batches.starts.size - 1
    z, bias = theta[:n_hidden], theta[n_hidden : n_hidden + n_terms]
    head, at_b3 = theta[n_hidden + n_terms : n_hidden + 2 * n_terms], n_hidden + 2 * n_terms
    g_bias, g_head = gradient[n_hidden : n_hidden + n_terms], gradient[n_hidden + n_terms : n_hidden + 2 * n_terms]
    g_hidden, cd, g_cd = np.empty(n_units, dtype), np.empty(n_terms, dtype), np.empty(n_terms, dtype)
    touched, stamp = np.empty(n_terms, np.int32), np.full(n_terms, -1, np.int32)
    entries, terms = Entries(documents.terms, documents.dd, np.empty(0, dtype)), Terms(cd, head, g_cd, g_head)
    keep = one if dropout.share == 0 else kind(1.0 / (1.0 - dropout.share))
    begin = (t if steps else max(t - 1, 0)) // BLOCK * BLOCK
    clock, c = clock_of(begin, optimiser, theta), constants(optimiser, 1, theta)

    total = 0.0
    for s in range(steps + 1 if settle else steps):
        now = t + s
        if s < steps:
            n_touched = held(documents, batch(batches, s), stamp, s, touched)
        else:
            n_touched = n_terms
            for k in range(n_terms):
                touched[k] = k
        for k in touched[:n_touched]:
            bring_up(layer, k, now, clock, c, optimiser)
        if s == steps:
            break
        hidden = layer.hidden[now % BLOCK]
        hidden_now(z, layer.units, dropout, batches.first_step + s, True, hidden)
        for k in touched[:n_touched]:
            raw = dot(layer.weights[k], hidden) + bias[k]
            cd[k] = kind(squashed(raw)) if squash else raw
            g_cd[k] = zero
        rows = batch(batches, s)
        loss, scale = 0.0, one / kind(rows.size)
        for row in rows:
            first, last = documents.starts[row], documents.starts[row + 1]
            row_loss, g = classify(entries, first, last, terms, theta[at_b3], documents.y[row], scale, False)
            loss += row_loss
            gradient[at_b3] += g
        total += loss / rows.size
        g_hidden[:] = zero
        for k in touched[:n_touched]:
            g = g_cd[k] * (cd[k] * (one - cd[k])) if squash else g_cd[k]
            g_bias[k] = g
            layer.owed[k] = g
            w = layer.weights[k]
            for i in range(n_units):
                g_hidden[i] += g * w[i]
        for i in range(n_units):
            if hidden[i] > 0:
                gradient[layer.units[i]] = keep * g_hidden[i]
        adam_through(parameters, n_hidden, table, now + 1, optimiser)
        adam(parameters, n_hidden, theta.size, now + 1, optimiser)
    return total
