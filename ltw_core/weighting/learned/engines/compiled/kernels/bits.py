"""The random bits of ``random_numbers.py``, compiled: a test holds the two equal."""

import math

import numpy as np

from ltw_core.compilation import compiled


@compiled
def item_key(key, step, item):
    x = np.uint64(item) + (np.uint64(step) << np.uint64(32))
    x = (x + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + key
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@compiled
def normal(bits):
    first = (np.float64(bits >> np.uint64(32)) + 0.5) * 2.0**-32
    second = np.float64(bits & np.uint64(0xFFFFFFFF)) * 2.0**-32
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)


@compiled
def unit_bits(low, unit):
    x = np.uint32(low + np.uint32(unit * np.uint32(0x9E3779B9)))
    x = np.uint32((x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D))
    x = np.uint32((x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B))
    return x ^ (x >> np.uint32(16))
