"""Pages are made one after the other, in the order in which they were asked for."""

import asyncio
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest

from pages._ui.streamlit_fixes.turns import Turns
from tests.benchmarks.tab import Tab
from tests.browser.conftest import ROOT, server
from tests.waiting import PATIENCE, wait_for

REPAIR = f"""
from pages._ui.streamlit_fixes import turns
turns.of_scripts.long = {PATIENCE}  # however slow the machine is
"""
# Each run takes a tenth of a second in which others could run too, and notes when it began and ended.
SCRIPT = """
import time
import streamlit as st
{repair}

began = time.monotonic()
time.sleep(0.1)
st.markdown("half")
with open({log!r}, "a") as log:
    log.write(f"{{began}} {{time.monotonic()}}\\n")
"""


async def _read_together(address, readers=6):
    tabs = [Tab(address, "") for _ in range(readers)]
    for tab in tabs:
        await tab.open()
    await tabs[0].run()  # what a first run makes for all is there
    await asyncio.gather(*(tab.run() for tab in tabs))
    for tab in tabs:
        await tab.close()


@pytest.mark.parametrize("repaired", [True, False])
def test_scripts_do_not_overlap(tmp_path, repaired):
    script, log = tmp_path / "script.py", tmp_path / "times.txt"
    script.write_text(SCRIPT.format(repair=REPAIR if repaired else "", log=str(log)))
    with server(Path(tmp_path, "log.txt"), script, PYTHONPATH=str(ROOT)) as url:
        asyncio.run(asyncio.wait_for(_read_together(url.removeprefix("http://")), PATIENCE))
    runs = sorted(tuple(map(float, line.split())) for line in log.read_text().splitlines())[1:]
    assert len(runs) == 6
    # without the repair they do: when that fails, Streamlit does without it, and so can the app
    assert all(ended <= began for (_, ended), (began, _) in pairwise(runs)) == repaired


def _in_background(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_who_asks_first_has_the_turn_first():
    turns, order, may_leave = Turns(long=PATIENCE), [], threading.Event()

    def hold():
        with turns.turn():
            order.append("first")
            may_leave.wait(PATIENCE)

    def follow(number):
        with turns.turn():
            order.append(number)

    threads = [_in_background(hold)]
    wait_for(lambda: order)
    for number in range(5):
        threads.append(_in_background(lambda number=number: follow(number)))
        wait_for(lambda waiting=number + 1: len(turns._waiting) == waiting)
    assert order == ["first"]
    may_leave.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["first", 0, 1, 2, 3, 4]


def test_a_turn_that_takes_long_lets_the_next_one_begin_and_takes_nobody_elses_away():
    turns, began, ends = Turns(long=0.05), {}, {name: threading.Event() for name in "abc"}

    def have(name):
        with turns.turn():
            began[name] = time.monotonic()
            ends[name].wait(PATIENCE)

    threads = []
    for name in "abc":
        threads.append(_in_background(lambda name=name: have(name)))
        wait_for(lambda name=name: name in began)  # each only after the one before it has had its time
    assert all(began[later] - began[earlier] >= 0.05 for earlier, later in pairwise("abc"))
    ends["a"].set()  # not its turn any more: "c" has it
    threads[0].join(PATIENCE)
    assert turns._now is not None
    ends["b"].set()
    ends["c"].set()
    for thread in threads:
        thread.join(PATIENCE)
    assert turns._now is None and not turns._waiting


def test_who_waits_for_something_leaves():
    turns, order = Turns(long=PATIENCE), []

    def have():
        with turns.turn():
            order.append("next")

    with turns.turn():
        thread = _in_background(have)
        wait_for(lambda: turns._waiting)
        turns.leave()
        thread.join(PATIENCE)
        order.append("after waiting")
    assert order == ["next", "after waiting"]
    with turns.turn():
        turns.leave()
        turns.leave()  # whose turn it is not
    assert turns._now is None


def test_an_error_in_a_turn_ends_it():
    turns = Turns(long=PATIENCE)
    with pytest.raises(ValueError, match="wrong"), turns.turn():
        raise ValueError("wrong")
    with turns.turn():
        pass
