"""Steps of the global variants, with the first layer collapsed to ``z``. One call makes many steps.

Adam moves every weight of W2 at every step, but what it does to the weights of a term that no document of the batch
holds depends on nothing but their own moments, and nobody reads them before the term is met again. So they are left
where they are: a row (a term's weights, with their moments) is brought up to date, step by step, when it is next
needed. The arithmetic is that of moving all rows at each step; but it is done in the processor's cache, where passing
over all of W2 at each step waits for the memory.
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
        r = np.sqrt(v)
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
def bring_up(layer, k, now, sizes, corrections, c):
    """Bring the row of term k through all steps before `now`."""
    w, first, root = layer.weights[k], layer.first[k], layer.root[k]
    kind = w.dtype.type
    start, shrink, least = layer.seen[k], kind(math.sqrt(c.b2)), kind(math.sqrt(c.least_v))
    if start < now and layer.owed[k] != 0:
        at = start % BLOCK
        row_step(w, first, root, layer.hidden[at], layer.owed[k], sizes[at], corrections[at], c)
        start += 1
    for s in range(start, now):
        row_drift(w, first, root, sizes[s % BLOCK], corrections[s % BLOCK], shrink, least, c)
    layer.seen[k] = now
    layer.owed[k] = kind(0)


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
def advance_global(documents, batches, layer, parameters, n_hidden, squash, t, optimiser, table, dropout, settle):
    """Make the steps of `batches`, all of one block; returns the sum of their mean losses.

    theta holds z, b2, W3, b3, one after the other; `table` is that of `adam_through`, t the steps made before. With
    `settle`, all rows of the layer are up to date at the end. Many steps in one call and in several come to the same,
    bit for bit, whenever rows are settled.
    """
    theta, gradient = parameters.theta, parameters.gradient
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
    sizes, corrections = np.empty(BLOCK, dtype), np.empty(BLOCK, dtype)
    begin = (t if steps else max(t - 1, 0)) // BLOCK * BLOCK  # before the first step of this block
    for s in range(begin, t + steps):
        c = constants(optimiser, s + 1, theta)
        sizes[s - begin], corrections[s - begin] = kind(c.size), kind(c.correction)
    c = constants(optimiser, 1, theta)

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
            bring_up(layer, k, now, sizes, corrections, c)
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
