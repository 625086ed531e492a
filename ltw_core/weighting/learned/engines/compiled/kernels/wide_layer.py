"""One hidden layer over points of more than two coordinates and its derivative.

As ``layer``, without its polynomials: only units that are negative all over the box of the points are left out. Loops
run over the units of one point, so that the processor takes several at once, however many coordinates there are.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled


class WideRoom(NamedTuple):
    """Units that are positive somewhere: their weights of each coordinate, b, w (n_inputs + 2, H), the gradients of
    these, their values at one point (H,), and their places among all units, with their number at the end (H + 1,)."""

    units: np.ndarray
    gradients: np.ndarray
    values: np.ndarray
    places: np.ndarray


@compiled
def make_wide_room(units, inputs, like):
    """Room for so many hidden units over points with so many coordinates, of the type of the array `like`."""
    kind = like.dtype
    shape = (inputs + 2, units)
    return WideRoom(np.empty(shape, kind), np.empty(shape, kind), np.empty(units, kind), np.zeros(units + 1, np.int32))


@compiled
def coordinate(of, r):
    """The r-th coordinate of ``Points``, or the weights of it of ``Units``: both begin with two and a row for each
    other."""
    return of[0] if r == 0 else of[1] if r == 1 else of[2][r - 2]


@compiled
def forward_wide(points, n, units, room, mean, square):
    """As ``layer.forward``; returns the number of units that are not negative at all points."""
    zero = mean.dtype.type(0)
    active = copy_active(points, n, units, room)
    values, w = room.values, room.units[-1]
    for u in range(n):
        activate(points, u, active, room)
        s, r = zero, zero
        for j in range(active):
            h = values[j] * w[j]
            s += h
            r += h * h
        mean[u], square[u] = s, r
    return active


@compiled
def backward_wide(points, n, room, gm, gv, gradient):
    """As ``layer.backward``, where `forward_wide` has filled the room with these points and units."""
    kind = gm.dtype.type
    zero, two = kind(0), kind(2)
    active, inputs = room.places[-1], room.units.shape[0] - 2
    w, values, gradients = room.units[-1], room.values, room.gradients
    gradients[:] = zero
    by_b, by_w = gradients[-2], gradients[-1]
    for u in range(n):
        activate(points, u, active, room)
        g, r = gm[u], two * gv[u]
        for j in range(active):
            t = g + r * w[j] * values[j]
            by_w[j] += values[j] * t
            values[j] = t * w[j] if values[j] > zero else zero
            by_b[j] += values[j]
        for i in range(inputs):
            by, value = gradients[i], coordinate(points, i)[u]
            for j in range(active):
                by[j] += value * values[j]
    for i in range(inputs):
        whole = coordinate(gradient, i)
        for j in range(active):
            whole[room.places[j]] += gradients[i, j]
    for j in range(active):
        gradient.b[room.places[j]] += by_b[j]
        gradient.w[room.places[j]] += by_w[j]


@compiled
def copy_active(points, n, units, room):
    """Copy the units that are positive somewhere in the box of n points to the room; returns how many these are."""
    inputs, most = room.units.shape[0] - 2, room.values
    most[:] = units.b
    for i in range(inputs):
        weights, values = coordinate(units, i), coordinate(points, i)
        low, high = values[0], values[0]
        for u in range(n):
            low, high = min(low, values[u]), max(high, values[u])
        for j in range(most.size):
            most[j] += max(weights[j] * low, weights[j] * high)
    active = 0
    for j in range(most.size):
        if most[j] > 0:
            room.places[active] = j
            active += 1
    for i in range(inputs):
        weights = coordinate(units, i)
        for j in range(active):
            room.units[i, j] = weights[room.places[j]]
    for j in range(active):
        room.units[inputs, j] = units.b[room.places[j]]
        room.units[inputs + 1, j] = units.w[room.places[j]]
    room.places[-1] = active
    return active


@compiled
def activate(points, u, active, room):
    """Fill the room with the values of its units at the point u: ReLU(weights·coordinates + b)."""
    values, zero = room.values, room.values.dtype.type(0)
    for j in range(active):
        values[j] = room.units[-2, j]
    for i in range(room.units.shape[0] - 2):
        value, weights = coordinate(points, i)[u], room.units[i]
        for j in range(active):
            values[j] += value * weights[j]
    for j in range(active):
        values[j] = values[j] if values[j] > zero else zero
