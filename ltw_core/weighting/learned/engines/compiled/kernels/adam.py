"""Adam, as torch does it: on a flat vector, and on a row of LTW-G's second layer together with its next output."""

import math

import numpy as np

from ltw_core.weighting.compilation import compiled

# Numbers near the smallest are many times slower, and they arise here: first moments decay by .9 a step, squares of
# gradients of a saturated σ vanish. Under these multiples of the smallest number they count as 0. In float32 that is a
# gradient of 1e-17 beside Adam's ε of 1e-8, which could move a parameter by 1e-11.
FLUSH_GRADIENT, FLUSH_FIRST, FLUSH_SECOND = 1e2, 1e8, 1e4


@compiled
def adam(theta, first, second, gradient, begin, end, t, by):
    """One step of Adam on theta[begin:end], as torch does it; clears the gradient. `by` is the settings' ``Adam``."""
    kind = theta.dtype.type
    size, correction = kind(by.rate / (1.0 - by.beta1**t)), kind(1.0 / math.sqrt(1.0 - by.beta2**t))
    b1, b2, c1, c2 = kind(by.beta1), kind(by.beta2), kind(1.0 - by.beta1), kind(1.0 - by.beta2)
    epsilon = kind(by.epsilon)
    tiny = np.finfo(theta.dtype).tiny
    least_g = kind(FLUSH_GRADIENT * math.sqrt(tiny))
    least_m, least_v = kind(FLUSH_FIRST * tiny), kind(FLUSH_SECOND * tiny)
    zero = kind(0)
    for i in range(begin, end):
        g = gradient[i]
        g = g if abs(g) > least_g else zero
        m = b1 * first[i] + c1 * g
        m = m if abs(m) > least_m else zero
        v = b2 * second[i] + c2 * g * g
        v = v if v > least_v else zero
        first[i] = m
        second[i] = v
        theta[i] -= size * m / (math.sqrt(v) * correction + epsilon)
        gradient[i] = zero


LEAST_LOG, MOST_LOG, TABLE = math.log(1e-16), math.log(1e3), 4096


def reach_table(inputs, epsilon):
    """What `adam_through` interpolates: log Σ s² / (s·r + ε) over all positive `inputs` s, on a grid of log r."""
    values, times = np.unique(inputs[inputs > 0], return_counts=True)
    parts = np.split(np.exp(np.linspace(LEAST_LOG, MOST_LOG, TABLE)), 64)  # so that a part's matrix is a small one
    return np.log(np.concatenate([(1 / (part[:, None] * values + epsilon)) @ (times * values**2) for part in parts]))


@compiled
def reach(table, root):
    """Σ s² / (s·root + ε), from the table by cubic interpolation of its logarithm (error: 1e-9 of it)."""
    place = (math.log(max(root, 1e-16)) - LEAST_LOG) * ((TABLE - 1) / (MOST_LOG - LEAST_LOG))
    if place >= TABLE - 2:  # there ε counts for nothing, and the sum falls as 1/root
        return math.exp(table[TABLE - 1] + MOST_LOG) / root
    i = max(int(place), 1)
    f = place - i
    a, b, c, d = table[i - 1], table[i], table[i + 1], table[i + 2]
    return math.exp(b + 0.5 * f * (c - a + f * (2.0 * a - 5.0 * b + 4.0 * c - d + f * (3.0 * (b - c) + d - a))))


@compiled
def adam_through(z, first, second, gradient, end, table, t, by):
    """One step of Adam on a layer W that acts through z = s·W alone, s being constant, on z[:end]; clears the gradient.

    With g the gradient of z, that of W's row i is s_i·g; so its moments are s_i·m and s_i²·v, with m and v those of g.
    The row's step reaches z s_i-fold: together they move z by rate·m·Σ s² / (s·√v + ε). `table` is `reach_table(s, ε)`.
    """
    kind = z.dtype.type
    size, correction = by.rate / (1.0 - by.beta1**t), 1.0 / math.sqrt(1.0 - by.beta2**t)
    b1, b2, c1, c2 = kind(by.beta1), kind(by.beta2), kind(1.0 - by.beta1), kind(1.0 - by.beta2)
    tiny, zero = np.finfo(z.dtype).tiny, kind(0)
    least_g = kind(FLUSH_GRADIENT * math.sqrt(tiny))
    least_m, least_v = kind(FLUSH_FIRST * tiny), kind(FLUSH_SECOND * tiny)
    for j in range(end):
        g = gradient[j] if abs(gradient[j]) > least_g else zero
        m = b1 * first[j] + c1 * g
        m = m if abs(m) > least_m else zero
        v = b2 * second[j] + c2 * g * g
        v = v if v > least_v else zero
        first[j] = m
        second[j] = v
        gradient[j] = zero
        if m != zero:
            z[j] -= kind(size * m * reach(table, math.sqrt(v) * correction))


@compiled
def row_step(w, first, second, g, h, h_next, out, t, by):
    """Adam on a row of W2 whose gradient is h·g, and what the row adds to the next step's outputs, in one pass."""
    kind = w.dtype.type
    size, correction = kind(by.rate / (1.0 - by.beta1**t)), kind(1.0 / math.sqrt(1.0 - by.beta2**t))
    b1, b2, c1, c2 = kind(by.beta1), kind(by.beta2), kind(1.0 - by.beta1), kind(1.0 - by.beta2)
    epsilon = kind(by.epsilon)
    tiny = np.finfo(w.dtype).tiny
    least_g = kind(FLUSH_GRADIENT * math.sqrt(tiny))
    least_m, least_v = kind(FLUSH_FIRST * tiny), kind(FLUSH_SECOND * tiny)
    zero = kind(0)
    for k in range(w.size):
        pull = h * g[k]
        pull = pull if abs(pull) > least_g else zero
        m = b1 * first[k] + c1 * pull
        m = m if abs(m) > least_m else zero
        v = b2 * second[k] + c2 * pull * pull
        v = v if v > least_v else zero
        first[k] = m
        second[k] = v
        value = w[k] - size * m / (math.sqrt(v) * correction + epsilon)
        w[k] = value
        out[k] += h_next * value
