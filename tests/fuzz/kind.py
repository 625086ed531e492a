"""What a kind of input is, and what all kinds share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

OLD = Path(__file__).resolve().parents[1] / "old_files"
RATES = np.array([0.0, 0.004, 0.3, 1.0])


class NotMade(Exception):
    """There is no such input: what writes it does not let one."""


class Kind(NamedTuple):
    """A kind of input: hostile ones, what reads one and looks at what came of it, how a refusal looks, and the share
    of all inputs that are of this kind, in percent."""

    inputs: st.SearchStrategy
    read: Callable[[Any], None]
    refusal: type[ValueError] | tuple[type[ValueError], ...]
    share: int
