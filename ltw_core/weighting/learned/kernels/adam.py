"""Adam, as torch does it: on a flat vector, and on a row of LTW-G's second layer together with its next output."""

import math

import numpy as np

from ltw_core.weighting.learned.kernels.build import compiled

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8

# Numbers near the smallest are many times slower, and they arise here: first moments decay by .9 a step, squares of
# gradients of a saturated σ vanish. Under these multiples of the smallest number they count as 0. In float32 that is a
# gradient of 1e-17 beside Adam's ε of 1e-8, which could move a parameter by 1e-11.
FLUSH_GRADIENT, FLUSH_FIRST, FLUSH_SECOND = 1e2, 1e8, 1e4


@compiled
def adam(theta, first, second, gradient, begin, end, t, rate):
    """One step of Adam on theta[begin:end], as torch does it; clears the gradient."""
    kind = theta.dtype.type
    size = kind(rate / (1.0 - BETA1**t))
    correction = kind(1.0 / math.sqrt(1.0 - BETA2**t))
    b1, b2, c1, c2, epsilon = kind(BETA1), kind(BETA2), kind(1.0 - BETA1), kind(1.0 - BETA2), kind(EPSILON)
    tiny = np.finfo(theta.dtype).tiny
    least_g, least_m, least_v = (
        kind(FLUSH_GRADIENT * math.sqrt(tiny)),
        kind(FLUSH_FIRST * tiny),
        kind(FLUSH_SECOND * tiny),
    )
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


@compiled
def row_step(w, first, second, g, h, h_next, out, size, correction):
    """Adam on a row of W2 whose gradient is h·g, and what the row adds to the next step's outputs, in one pass."""
    kind = w.dtype.type
    b1, b2, c1, c2, epsilon = kind(BETA1), kind(BETA2), kind(1.0 - BETA1), kind(1.0 - BETA2), kind(EPSILON)
    tiny = np.finfo(w.dtype).tiny
    least_g, least_m, least_v = (
        kind(FLUSH_GRADIENT * math.sqrt(tiny)),
        kind(FLUSH_FIRST * tiny),
        kind(FLUSH_SECOND * tiny),
    )
    zero = kind(0)
    for t in range(w.size):
        pull = h * g[t]
        pull = pull if abs(pull) > least_g else zero
        m = b1 * first[t] + c1 * pull
        m = m if abs(m) > least_m else zero
        v = b2 * second[t] + c2 * pull * pull
        v = v if v > least_v else zero
        first[t] = m
        second[t] = v
        value = w[t] - size * m / (math.sqrt(v) * correction + epsilon)
        w[t] = value
        out[t] += h_next * value
