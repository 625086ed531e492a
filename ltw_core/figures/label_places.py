"""Where names of points are written so that they do not run into each other, in pixels of a panel.

Leaves out which points are named, and what they are called (``points``).
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

LETTER, LINE = 6.6, 17  # pixels of a letter and a line of a label of 12 px
LOWERED = 12  # pixels by which a label above its point may be nearer to it than others
ASIDE, LIFTED = 90, 100  # pixels by which a label is moved sideways and upwards at most
EDGE = 1  # pixel between a label and one that it was moved above or beside
BELOW = 13  # pixels from the foot of a label above its point to the point's dot
DOT = 7  # pixels of a point, from its middle
APART = 8  # pixels from a name to the point that follows it, or it may be taken for that point's


class LabelArea(NamedTuple):
    """Where labels of points are to lie.

    limits_x, limits_y : (low, high)
        What the panel shows.
    size : (width, height)
        Of the panel, in pixels.
    narrow : float, optional
        Pixels of another width at which labels must not run into each other either.
    corners : float
        Pixels of the words that stand in the upper left and in the lower right corner.
    shift, below : float
        How far these words stand out of their corners, as a share of the width.
    """

    limits_x: tuple[float, float]
    limits_y: tuple[float, float]
    size: tuple[float, float] = (330, 300)
    narrow: float | None = None
    corners: float = 0
    shift: float = 0
    below: float = 0


def spread_labels(x, y, strength, names, area: LabelArea, count: int = 12, *, above=False, covers: int | None = None):
    """Indices of the strongest points whose labels do not run into each other, strongest first.

    Parameters
    ----------
    x, y, strength : array_like, shape (points,)
    names : array_like of str, shape (points,), or function of a point's index
        What is written: to the right of a point in the left half, to its left in the right half (``label_sides``).
    area : LabelArea
    count : int
        At most so many.
    above : bool
        Labels are centred above their points, and may leave the panel.
    covers : int, optional
        Most other points that a label may lie on; those of infinite strength are named whatever they cover.

    Returns
    -------
    ndarray of int
    """
    limits_x, limits_y, size, narrow, corners, shift, below = area
    across = (np.asarray(x, dtype=float) - limits_x[0]) / ((limits_x[1] - limits_x[0]) or 1)
    v = (np.asarray(y, dtype=float) - limits_y[0]) / ((limits_y[1] - limits_y[0]) or 1) * size[1]
    u, chosen = size[0] * across, []
    widths = (size[0],) if narrow is None else (size[0], narrow)
    top, bottom = (size[1] - 1.5 * LINE, size[1]), (0, 0.05 * size[1] + 1.5 * LINE)  # above what never occurs
    words = [
        ((shift * w, shift * w + corners, *top), ((1 - below) * w - corners, (1 - below) * w, *bottom)) for w in widths
    ]
    taken: list[list] = [list(two) if corners else [] for two in words]
    name_of = names if callable(names) else names.__getitem__
    strength = np.abs(np.asarray(strength, dtype=float))
    for i in np.argsort(-strength, kind="stable")[: 50 * count if covers is not None else None]:
        if len(chosen) == count:
            break
        written = str(name_of(i)).split("<br>")
        length, half = 12 + LETTER * max(map(len, written)), LINE * len(written) / 2
        if above:
            left, right = length / 2, length / 2
        else:
            left, right = (5, length) if across[i] < 0.5 else (length, 5)
        boxes = [(w * across[i] - left, w * across[i] + right, v[i] - half, v[i] + half) for w in widths]
        inside = above or all(box[0] > -8 and box[1] < w + 8 for box, w in zip(boxes, widths, strict=True))
        if not inside or any(_overlap(box, other) for box, found in zip(boxes, taken, strict=True) for other in found):
            continue
        box = boxes[0]
        under = (u > box[0]) & (u < box[1]) & (v > box[2]) & (v < box[3])
        if covers is None or strength[i] == np.inf or np.count_nonzero(under) <= covers + 1:  # 1: its own
            chosen.append(int(i))
            for found, box in zip(taken, boxes, strict=True):
                found.append(box)
    return np.array(chosen, dtype=int)


def beside_points(x, y, names: Sequence[str], size: tuple[float, float], order) -> dict[int, dict[str, Any]]:
    """Where names of points are written so that none lies on another or on a point; those without room are left out.

    Parameters
    ----------
    x, y : ndarray, shape (points,)
        Places in pixels of the panel, y upwards.
    names : list of str
    size : (width, height)
        Of the panel, in pixels.
    order : array_like of int
        Points, those first whose names count most.

    Returns
    -------
    dict
        By point: anchors and shifts of plotly's annotations: right of it or left, else with a leader, at whose other
        end ("ax", "ay") it is above, below or at a corner.
    """
    width, height = size
    taken = [(a - DOT, a + DOT, b - DOT, b + DOT) for a, b in zip(x, y, strict=True)]
    found = {}
    for k in map(int, order):
        length, at = 6 + LETTER * len(names[k]), (x[k], y[k])  # capitals are wider
        for where, box in (
            *_level(at, length, APART),
            *_led(at, length, 8),
            *_level(at, length),
            *_led(at, length, 22),
        ):
            inside = box[0] >= -8 and box[1] <= width + 8 and box[2] >= 0 and box[3] <= height  # most names are shorter
            leader = _leader(at, where)  # on no name, though it may pass a point
            if not inside or any(_overlap(each, other) for each in leader for other in taken[len(names) :]):
                continue
            if not any(_overlap(box, other) for j, other in enumerate(taken) if j != k):
                found[k] = where
                taken += [box, *leader]
                break
    return found


def _level(at: tuple[float, float], length: float, apart: float = 0):
    """Places of a name right and left of its point, and the boxes that it takes, from what follows ``apart``."""
    for anchor, side in (("left", 1), ("right", -1)):
        across = sorted((at[0] + (DOT + 2) * side, at[0] + (DOT + 6 + length + apart) * side))
        yield {"xanchor": anchor, "xshift": 11 * side}, (*across, at[1] - LINE / 2, at[1] + LINE / 2)


def _led(at: tuple[float, float], length: float, long: float):
    """Places of a name at the end of a leader, above, below and towards the corners, and the boxes that it takes."""
    for rise in (1, -1):
        upwards = sorted((at[1] + (DOT + long) * rise, at[1] + (DOT + long + LINE) * rise))
        where = {"ax": 0, "ay": -(DOT + long + LINE / 2) * rise}
        yield where, (at[0] - length / 2, at[0] + length / 2, *upwards)
    for side, rise in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        aside, up = DOT + long / 2, (DOT + long) * rise
        across = sorted((at[0] + aside * side, at[0] + (aside + length) * side))
        where = {"ax": aside * side, "ay": -up, "xanchor": "left" if side > 0 else "right"}
        yield where, (*across, at[1] + up - LINE / 2, at[1] + up + LINE / 2)


def _leader(at: tuple[float, float], where: dict[str, Any]) -> list[tuple[float, ...]]:
    """The box of a name's leader up to the name, if it has one."""
    if "ay" not in where:
        return []
    rise = -math.copysign(max(abs(where["ay"]) - LINE / 2, 0), where["ay"])
    (left, right), (low, high) = sorted((at[0], at[0] + where["ax"])), sorted((at[1], at[1] + rise))
    return [(left - 1, right + 1, low, high)]


def stacked(x, y, names, top: float = math.inf, first: int = 0, dots=None, wide: float = math.inf) -> np.ndarray:
    """Pixels by which labels above their points are moved to the right and upwards so that none lies on another, nor on
    the leader from another to its point; points in pixels, upwards.

    One that would end above ``top`` is lowered, by ``LOWERED`` at most, and NaN where there is no room for it: of two
    the later one. The ``first`` labels have their places before the others, straight above, and none of them is left
    out; no label lies on the dots of these. ``dots``: where dots are if labels aren't in the middle above their own.
    ``wide``: pixels from 0 to either side beyond which no label is moved.

    Returns
    -------
    ndarray, shape (labels, 2)
    """
    x, y = np.asarray(x, dtype=float).tolist(), np.asarray(y, dtype=float).tolist()
    dots, found = x if dots is None else np.asarray(dots, dtype=float).tolist(), np.full((len(names), 2), math.nan)
    taken = [(a - DOT, a + DOT, b - BELOW - 1.5 * DOT, b - BELOW) for a, b in zip(dots[:first], y[:first], strict=True)]
    leaders: list[tuple[float, ...]] = []
    for i in (*sorted(range(first), key=y.__getitem__), *range(first, len(names))):
        written = str(names[i]).split("<br>")
        half, high = (4 + LETTER * max(map(len, written))) / 2, LINE * len(written)
        room, free = top - y[i] - high, i >= first
        limits = max(-LOWERED, min(0.0, room)), min(room, LIFTED) if free else math.inf
        for aside, up in _ways((x[i] - half, x[i] + half, y[i], y[i] + high), limits, taken, wide if free else 0):
            middle, foot = x[i] + aside, y[i] + up
            box, leader = (middle - half, middle + half, foot, foot + high), (dots[i], y[i] - BELOW, middle, foot)
            met = any(_meets(other, box) for other in leaders) or any(_meets(leader, other) for other in taken)
            if not (free and met):
                found[i] = aside, up
                taken.append(box)
                leaders.append(leader)
                break
    return found


def _ways(box, limits: tuple[float, float], taken: Sequence[tuple], wide: float):
    """How far a label may be moved to the right and upwards so that it lies on nothing, shortest ways first: above or
    beside others, there up to ``wide`` from 0."""
    left, right, *tall = box
    straight = _rises(box, limits, taken)
    yield from ((0.0, up) for up in straight[:1])  # mostly there is nothing in its way
    ways = [(abs(up), 0.0, up) for up in straight[1:]]
    for aside in {to for other in taken for to in (other[0] - right - EDGE, other[1] - left + EDGE)}:
        if abs(aside) <= ASIDE and -wide <= left + aside and right + aside <= wide:
            rises = _rises((left + aside, right + aside, *tall), limits, taken)
            ways += [(math.hypot(aside, up), aside, up) for up in rises]
    yield from (way[1:] for way in sorted(ways))


def _rises(box, limits: tuple[float, float], taken: Sequence[tuple]) -> list[float]:
    """How far up a label may be moved so that it lies on nothing: as little as possible, or just above another."""
    (left, right, low, high), (least, most) = box, limits
    column = [(other[2] - high, other[3] - low) for other in taken if left < other[1] and other[0] < right]
    ups = [least, *(after + EDGE for _, after in column if least < after + EDGE <= most)]
    return sorted(up for up in ups if not any(before < up < after for before, after in column))


def _meets(leader, box) -> bool:
    """Whether the line from a point up to the foot of its label meets another label."""
    point, low, middle, foot = leader
    begin, end = max(low, box[2]), min(foot, box[3])
    if begin >= end:
        return False
    one, two = (point + (at - low) / (foot - low) * (middle - point) for at in (begin, end))
    return max(one, two) > box[0] and min(one, two) < box[1]


def in_rows(names: Sequence[str], room: float, lead: int = 0) -> list[tuple[int, int]]:
    """How far from the left, in pixels, and in which row from below bold names stand one after the other in ``room``
    pixels; ``lead``: pixels that are kept free before each."""
    places, across, row = [], 0, 0
    for name in names:
        wide = lead + 8 * len(name) + 14
        across, row = (0, row + 1) if across and across + wide > room else (across, row)
        places.append((across, row))
        across += wide
    return places


def label_sides(x, limits) -> list[str]:
    """Where plotly is to write the labels of points at ``x``: towards the middle of the panel."""
    middle = sum(limits) / 2
    return ["middle right" if u < middle else "middle left" for u in np.asarray(x, dtype=float)]


def _overlap(a, b) -> bool:
    return a[0] < b[1] and b[0] < a[1] and a[2] < b[3] and b[2] < a[3]
