"""A hidden layer with dropout over many items that share points: a term's cd at its (tpr, fpr), an entry's dd at its
count.

Dropout is drawn for every *item*: as Bernoulli masks of its hidden units, or as one normal number, in the limit of
many units: the sum Σ keep·w·h / (1 - q) has mean Σ w·h and variance q/(1 - q)·Σ (w·h)², and both are the same for all
items of a point. Sharing the draw itself among a point's items would be another model.
"""

import math
from typing import NamedTuple

import numpy as np

from ltw_core.weighting.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.bits import item_key, normal
from ltw_core.weighting.learned.engines.compiled.kernels.layer import backward, backward_masked, forward, forward_masked

TINY_VARIANCE = 1e-24


class Layer(NamedTuple):
    """Buffers of one layer, so that nothing is allocated in a step."""

    x: np.ndarray  # distinct points of the batch
    y: np.ndarray
    mean: np.ndarray  # of each point
    square: np.ndarray
    deviation: np.ndarray
    g_mean: np.ndarray
    g_square: np.ndarray
    box: np.ndarray  # least and largest x and y
    mixed: np.ndarray
    sums: np.ndarray
    point: np.ndarray  # of each item
    noise: np.ndarray
    low: np.ndarray
    own_x: np.ndarray
    own_y: np.ndarray


@compiled
def make_layer(items, points, units, like):
    """Buffers for at most so many items, points and hidden units, of the type of the array `like`."""
    kind = like.dtype
    return Layer(
        np.empty(points, kind), np.empty(points, kind), np.empty(points, kind), np.empty(points, kind),
        np.zeros(points, kind), np.empty(points, kind), np.empty(points, kind), np.zeros(4, kind),
        np.empty((4, units), kind), np.empty(9), np.empty(items, np.int32), np.empty(items, kind),
        np.empty(items, np.uint32), np.empty(items, kind), np.empty(items, kind),
    )  # fmt: skip


@compiled
def dropped(layer, points, items, n, wx, wy, b, w, bias, dropout, as_masks, key, step, limit, out):
    """out[i] = ReLU([x, y]·[wx, wy] + b)·w + bias of n items, with dropout."""
    kind = w.dtype.type
    point = layer.point
    if as_masks and dropout > 0:
        for i in range(n):
            layer.low[i] = np.uint32(item_key(key, step, items[i]) & np.uint64(0xFFFFFFFF))
            layer.own_x[i], layer.own_y[i] = layer.x[point[i]], layer.y[point[i]]
        forward_masked(layer.own_x, layer.own_y, layer.low, n, wx, wy, b, w, limit, out)
        scale = kind(1.0 / (1.0 - dropout))
        for i in range(n):
            out[i] = out[i] * scale + bias
        return
    forward(layer.x, layer.y, points, wx, wy, b, w, layer.mixed, layer.sums, layer.box, layer.mean, layer.square)
    if dropout == 0:
        for i in range(n):
            out[i] = layer.mean[point[i]] + bias
        return
    ratio, least = kind(dropout / (1.0 - dropout)), kind(math.sqrt(TINY_VARIANCE))
    for u in range(points):
        variance = ratio * layer.square[u]
        layer.deviation[u] = math.sqrt(variance) if variance > kind(TINY_VARIANCE) else least
    for i in range(n):
        layer.noise[i] = kind(normal(item_key(key, step, items[i])))
    for i in range(n):
        out[i] = layer.mean[point[i]] + bias + layer.deviation[point[i]] * layer.noise[i]


@compiled
def dropped_backward(layer, points, n, wx, wy, b, w, dropout, as_masks, limit, g, gwx, gwy, gb, gw):
    """Add to the gradients of the layer, given those of `dropped`'s out (overwritten). Returns the gradient of the
    bias."""
    kind = w.dtype.type
    zero = kind(0)
    total = zero
    for i in range(n):
        total += g[i]
    if as_masks and dropout > 0:
        scale = kind(1.0 / (1.0 - dropout))
        for i in range(n):
            g[i] *= scale
        backward_masked(layer.own_x, layer.own_y, layer.low, n, wx, wy, b, w, limit, g, gwx, gwy, gb, gw)
        return total
    for u in range(points):
        layer.g_mean[u] = zero
        layer.g_square[u] = zero
    for i in range(n):
        layer.g_mean[layer.point[i]] += g[i]
    if dropout > 0:
        for i in range(n):
            layer.g_square[layer.point[i]] += g[i] * layer.noise[i]
        ratio, least = kind(dropout / (1.0 - dropout)), kind(math.sqrt(TINY_VARIANCE))
        for u in range(points):
            deviation = layer.deviation[u]
            layer.g_square[u] *= ratio / (kind(2) * deviation) if deviation > least else zero
    backward(layer.x, layer.y, points, wx, wy, b, w, layer.box, layer.g_mean, layer.g_square, gwx, gwy, gb, gw)
    return total
