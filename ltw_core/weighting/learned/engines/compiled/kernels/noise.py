"""A hidden layer with dropout over many items that share points: a term's cd at its (tpr, fpr), an entry's dd at its
count.

Dropout is drawn for every *item*: as Bernoulli masks of its hidden units, or as one normal number, in the limit of
many units: the sum Σ keep·w·h / (1 - q) has mean Σ w·h and variance q/(1 - q)·Σ (w·h)², and both are the same for all
items of a point. Sharing the draw itself among a point's items would be another model.
"""

import math
from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled
from ltw_core.weighting.learned.engines.compiled.kernels.bits import item_key, normal
from ltw_core.weighting.learned.engines.compiled.kernels.layer import (
    Points,
    Room,
    backward,
    backward_masked,
    forward,
    forward_masked,
    make_points,
    make_room,
)

TINY_VARIANCE = 1e-24


class Dropout(NamedTuple):
    """How hidden units are dropped: the share, whether as masks, under which 32 bits, and the key of the hash."""

    share: float
    as_masks: bool
    limit: np.uint32
    key: np.uint64


class Layer(NamedTuple):
    """Buffers of one layer, so that nothing is allocated in a step."""

    points: Points  # distinct ones of the batch
    mean: np.ndarray  # of each point
    square: np.ndarray
    deviation: np.ndarray
    g_mean: np.ndarray
    g_square: np.ndarray
    room: Room
    point: np.ndarray  # of each item
    noise: np.ndarray
    low: np.ndarray
    own_x: np.ndarray
    own_y: np.ndarray


@compiled
def make_layer(items, points, more, units, like):
    """Buffers for at most so many items, points (as of ``layer.make_points``) and hidden units, of the type of the
    array `like`."""
    kind = like.dtype
    return Layer(
        make_points(points, more, like), np.empty(points, kind), np.empty(points, kind), np.zeros(points, kind),
        np.empty(points, kind), np.empty(points, kind), make_room(units, more, like), np.empty(items, np.int32),
        np.empty(items, kind), np.empty(items, np.uint32), np.empty(items, kind), np.empty(items, kind),
    )  # fmt: skip


@compiled
def dropped(layer, points, items, n, units, bias, dropout, step, out):
    """out[i] = ReLU([x, y]·[wx, wy] + b)·w + bias of n items, with dropout; masks are for two coordinates."""
    share, as_masks, limit, key = dropout
    kind = out.dtype.type
    point = layer.point
    if as_masks and share > 0:
        for i in range(n):
            layer.low[i] = np.uint32(item_key(key, step, items[i]) & np.uint64(0xFFFFFFFF))
            layer.own_x[i], layer.own_y[i] = layer.points.x[point[i]], layer.points.y[point[i]]
        forward_masked(layer.own_x, layer.own_y, layer.low, n, units, limit, out)
        scale = kind(1.0 / (1.0 - share))
        for i in range(n):
            out[i] = out[i] * scale + bias
        return
    forward(layer.points, layer.points.more, points, units, layer.room, layer.mean, layer.square)
    if share == 0:
        for i in range(n):
            out[i] = layer.mean[point[i]] + bias
        return
    ratio, least = kind(share / (1.0 - share)), kind(math.sqrt(TINY_VARIANCE))
    for u in range(points):
        variance = ratio * layer.square[u]
        layer.deviation[u] = math.sqrt(variance) if variance > kind(TINY_VARIANCE) else least
    for i in range(n):
        layer.noise[i] = kind(normal(item_key(key, step, items[i])))
    for i in range(n):
        out[i] = layer.mean[point[i]] + bias + layer.deviation[point[i]] * layer.noise[i]


@compiled
def dropped_backward(layer, points, n, units, dropout, g, gradient):
    """Add to the gradients of the layer, given those of `dropped`'s out (overwritten). Returns the gradient of the
    bias."""
    share, as_masks, limit, _ = dropout
    kind = g.dtype.type
    zero = kind(0)
    total = zero
    for i in range(n):
        total += g[i]
    if as_masks and share > 0:
        scale = kind(1.0 / (1.0 - share))
        for i in range(n):
            g[i] *= scale
        backward_masked(layer.own_x, layer.own_y, layer.low, n, units, limit, g, gradient)
        return total
    for u in range(points):
        layer.g_mean[u] = zero
        layer.g_square[u] = zero
    for i in range(n):
        layer.g_mean[layer.point[i]] += g[i]
    if share > 0:
        for i in range(n):
            layer.g_square[layer.point[i]] += g[i] * layer.noise[i]
        ratio, least = kind(share / (1.0 - share)), kind(math.sqrt(TINY_VARIANCE))
        for u in range(points):
            deviation = layer.deviation[u]
            layer.g_square[u] *= ratio / (kind(2) * deviation) if deviation > least else zero
    backward(layer.points, layer.points.more, points, units, layer.room, layer.g_mean, layer.g_square, gradient)
    return total
