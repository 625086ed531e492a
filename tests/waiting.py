"""Waiting for what comes if nothing is broken. A time-out only ends what has failed: machines differ in speed by a
factor of twenty, so it is minutes."""

import time
from collections.abc import Callable
from typing import Any

import pytest

PATIENCE = 240  # seconds


def wait_for(condition: Callable[[], Any], every: float = 0.01) -> Any:
    """Ask until the answer is true; gives it. Fails the test when patience is at its end."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := condition()):
        if time.monotonic() > deadline:
            pytest.fail(f"waited for {PATIENCE} s")
        time.sleep(every)
    return answer
