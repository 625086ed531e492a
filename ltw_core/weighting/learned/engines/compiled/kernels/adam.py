"""Adam, as torch does it, on a flat vector, and through a layer of which only the product is kept."""

import math
from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled

# Numbers near the smallest are many times slower, and they arise here: first moments decay by .9 a step, squares of
# gradients of a saturated σ vanish. Under these multiples of the smallest number they count as 0. In float32 that is a
# gradient of 1e-17 beside Adam's ε of 1e-8, which could move a parameter by 1e-11.
FLUSH_GRADIENT, FLUSH_FIRST, FLUSH_SECOND = 1e2, 1e8, 1e4


class Parameters(NamedTuple):
    """Parameters as flat vectors: their values, their two moments, and their gradient, which is 0 between two steps."""

    theta: np.ndarray
    first: np.ndarray
    second: np.ndarray
    gradient: np.ndarray


class Constants(NamedTuple):
    """What one step of Adam takes for all parameters; in their type, but for the first two."""

    size: float  # rate / (1 - β1^t)
    correction: float  # 1 / √(1 - β2^t)
    b1: float
    b2: float
    c1: float
    c2: float
    epsilon: float
    least_g: float
    least_m: float
    least_v: float


@compiled
def constants(optimiser, t, like):
    """Those of step t, counted from 1, in the type of the array `like`. `optimiser` is the settings' ``Adam``."""
    kind = like.dtype.type
    tiny = np.finfo(like.dtype).tiny
    b1, b2 = optimiser.beta1, optimiser.beta2
    return Constants(
        optimiser.rate / (1.0 - b1**t), 1.0 / math.sqrt(1.0 - b2**t), kind(b1), kind(b2), kind(1.0 - b1),
        kind(1.0 - b2), kind(optimiser.epsilon), kind(FLUSH_GRADIENT * math.sqrt(tiny)), kind(FLUSH_FIRST * tiny),
        kind(FLUSH_SECOND * tiny),
    )  # fmt: skip


@compiled
def moments(g, m, v, c):
    """The two moments after a gradient g, and 0 for what is near the smallest number."""
    zero = type(g)(0)
    g = g if abs(g) > c.least_g else zero
    m = c.b1 * m + c.c1 * g
    m = m if abs(m) > c.least_m else zero
    v = c.b2 * v + c.c2 * g * g
    return m, v if v > c.least_v else zero


@compiled
def adam(parameters, begin, end, t, optimiser):
    """One step of Adam on the parameters begin:end, as torch does it; clears the gradient."""
    theta, first, second, gradient = parameters
    kind = theta.dtype.type
    c = constants(optimiser, t, theta)
    size, correction, zero = kind(c.size), kind(c.correction), kind(0)
    for i in range(begin, end):
        m, v = moments(gradient[i], first[i], second[i], c)
        first[i] = m
        second[i] = v
        theta[i] -= size * m / (math.sqrt(v) * correction + c.epsilon)
        gradient[i] = zero


MIN_LOG, MAX_LOG, TABLE = math.log(1e-16), math.log(1e3), 4096


def reach_table(inputs, epsilon):
    """What `adam_through` interpolates: log Σ s² / (s·r + ε) over all positive `inputs` s, on a grid of log r."""
    values, times = np.unique(inputs[inputs > 0], return_counts=True)
    parts = np.split(np.exp(np.linspace(MIN_LOG, MAX_LOG, TABLE)), 64)  # so that a part's matrix is a small one
    return np.log(np.concatenate([(1 / (part[:, None] * values + epsilon)) @ (times * values**2) for part in parts]))


@compiled
def reach(table, root):
    """Σ s² / (s·root + ε), from the table by cubic interpolation of its logarithm (error: 1e-9 of it)."""
    place = (math.log(max(root, 1e-16)) - MIN_LOG) * ((TABLE - 1) / (MAX_LOG - MIN_LOG))
    if place >= TABLE - 2:  # there ε counts for nothing, and the sum falls as 1/root
        return math.exp(table[TABLE - 1] + MAX_LOG) / root
    i = max(int(place), 1)
    f = place - i
    a, b, c, d = table[i - 1], table[i], table[i + 1], table[i + 2]
    return math.exp(b + 0.5 * f * (c - a + f * (2.0 * a - 5.0 * b + 4.0 * c - d + f * (3.0 * (b - c) + d - a))))


@compiled
def adam_through(parameters, end, table, t, optimiser):
    """One step of Adam on a layer W that acts through z = s·W alone, s being constant; clears the gradient.

    z are the first `end` of the parameters. With g the gradient of z, that of W's row i is s_i·g; so its moments are
    s_i·m and s_i²·v, with m and v those of g. The row's step reaches z s_i-fold: together they move z by
    rate·m·Σ s² / (s·√v + ε). `table` is `reach_table(s, ε)`.
    """
    z, first, second, gradient = parameters
    kind = z.dtype.type
    c, zero = constants(optimiser, t, z), kind(0)
    for j in range(end):
        m, v = moments(gradient[j], first[j], second[j], c)
        first[j] = m
        second[j] = v
        gradient[j] = zero
        if m != zero:
            z[j] -= kind(c.size * m * reach(table, math.sqrt(v) * c.correction))
