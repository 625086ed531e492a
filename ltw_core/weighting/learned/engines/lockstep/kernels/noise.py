"""Random numbers of dropout, where they are needed: ``random_numbers.py`` in a kernel."""

import triton
import triton.language as tl

from ltw_core.weighting.learned.engines.random_numbers import ENTRIES, HIDDEN, TERMS

ENTRY_STREAM, TERM_STREAM, UNIT_STREAM = tl.constexpr(ENTRIES), tl.constexpr(TERMS), tl.constexpr(HIDDEN)


@triton.jit
def item_bits(key, number, item):
    """``random_numbers.item_keys`` of items at a step: 64 bits each."""
    x = item.to(tl.uint64) + (number.to(tl.uint64) << 32)
    x = (x + 1) * 0x9E3779B97F4A7C15 + key.to(tl.uint64, bitcast=True)
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB
    return x ^ (x >> 31)


@triton.jit
def normal(key, number, item, kind: tl.constexpr):
    """``RandomNumbers.normal`` of items at a step; in float32 to about 1e-6 of the value."""
    x = item_bits(key, number, item)
    first = ((x >> 32).to(tl.uint32).to(kind) + 0.5) * 2.3283064365386963e-10  # 2^-32
    second = (x & 0xFFFFFFFF).to(tl.uint32).to(kind) * 2.3283064365386963e-10
    return tl.sqrt(-2 * tl.log(first)) * tl.cos(6.283185307179586 * second)


@triton.jit
def kept(key, number, unit, limit):
    """``RandomNumbers.keep`` of item 0, the one mask that all terms of LTW-G share, of units (int64) at a step;
    ``limit`` is the ``threshold``."""
    low = item_bits(key, number, number * 0) & 0xFFFFFFFF
    x = (low + unit.to(tl.uint64) * 0x9E3779B9).to(tl.uint32)
    x = (x ^ (x >> 16)) * 0x7FEB352D
    x = (x ^ (x >> 15)) * 0x846CA68B
    return (x ^ (x >> 16)).to(tl.float64) >= limit
