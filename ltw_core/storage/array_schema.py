"""The rule of an array that somebody hands in: its shape, its kind of numbers, and between which they lie."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ltw_core.storage.file_schema import Rule


@dataclass(frozen=True)
class Array(Rule):
    """An array of numbers.

    Attributes
    ----------
    shape : tuple
        An int for each axis, or a range of those that are allowed.
    least, most : float
        Every number lies between them, both allowed.
    whole : bool
        Whether they are whole numbers.
    nan : bool
        Whether "not a number" is allowed too.
    """

    shape: tuple[int | range, ...]
    least: float
    most: float
    whole: bool = False
    nan: bool = False

    @property
    def expected(self) -> str:
        sizes = " × ".join(f"{n:,}" if isinstance(n, int) else f"{n[0]:,} to {n[-1]:,}" for n in self.shape)
        kind = "whole numbers" if self.whole else "numbers"
        return f"an array of {sizes} {kind} from {self.least:,} to {self.most:,}" + " or nan" * self.nan

    def holds(self, shape: tuple[int, ...], dtype: np.dtype) -> bool:
        """Whether an array may have a shape and kind; to be asked before it is read."""
        sized = len(shape) == len(self.shape) and all(
            n == size if isinstance(size, int) else n in size for n, size in zip(shape, self.shape, strict=True)
        )
        return sized and dtype.kind in ("iu" if self.whole else "fiu")

    def seen(self, value: Any) -> str:
        """An array that does not fit: its shape and kind, and where its numbers lie."""
        what = f"an array of shape {value.shape} of {value.dtype}"
        no_numbers = not value.size or value.dtype.kind not in "biuf"
        return what if no_numbers else f"{what} from {np.min(value):g} to {np.max(value):g}"

    def fits(self, value: Any) -> bool:
        if not isinstance(value, np.ndarray) or not self.holds(value.shape, value.dtype):
            return False
        inside = (value >= self.least) & (value <= self.most)
        return bool(np.all(inside | np.isnan(value) if self.nan else inside))
