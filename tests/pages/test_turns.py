"""Pages are made one after the other, in the order in which they were asked for."""

import asyncio
import threading
import time
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

from pages._ui import loading
from pages._ui.streamlit_fixes.turns import Turns, of_scripts
from tests.benchmarks.tab import Tab
from tests.browser.conftest import ROOT, server
from tests.waiting import PATIENCE, wait_for

ALWAYS = 10 * PATIENCE  # a turn that no test waits for the end of
REPAIR = f"""
from pages._ui.streamlit_fixes import turns
turns.of_scripts.long = {ALWAYS}
"""
# Each run takes a time in which others could run too, and notes when it began and ended, and what was pressed.
SCRIPT = """
import time
import streamlit as st
{repair}

def note(text):
    with open({log!r}, "a") as log:
        log.write(text + "\\n")

began = time.monotonic()
st.button("Press", on_click=note, args=("pressed",))
time.sleep({seconds})
st.markdown("half")
note(f"{{began}} {{time.monotonic()}}")
"""


def _serve(folder, seconds, repaired=True):
    """A server of the script, and the file in which it notes."""
    script, log = folder / "script.py", folder / "notes.txt"
    script.write_text(SCRIPT.format(repair=REPAIR if repaired else "", log=str(log), seconds=seconds))
    return server(Path(folder, "log.txt"), script, PYTHONPATH=str(ROOT)), log


async def _open(address, readers):
    tabs = [Tab(address.removeprefix("http://"), "") for _ in range(readers)]
    for tab in tabs:
        await tab.open()
    await tabs[0].run()  # what a first run makes for all is there
    return tabs


async def _read_together(address):
    tabs = await _open(address, 6)
    await asyncio.gather(*(tab.run() for tab in tabs))
    for tab in tabs:
        await tab.close()


@pytest.mark.parametrize("repaired", [True, False])
def test_scripts_do_not_overlap(tmp_path, repaired):
    served, log = _serve(tmp_path, 0.1, repaired)
    with served as url:
        asyncio.run(asyncio.wait_for(_read_together(url), PATIENCE))
    runs = sorted(tuple(map(float, line.split())) for line in log.read_text().splitlines())[1:]
    assert len(runs) == 6
    # without the repair they do: when that fails, Streamlit does without it, and so can the app
    assert all(ended <= began for (_, ended), (began, _) in pairwise(runs)) == repaired


async def _press_and_go_on(address):
    one, other = await _open(address, 2)
    await other.run()
    pressed = WidgetState(id=one.widgets["button", "Press"].id, trigger_value=True)
    first = asyncio.create_task(other.run())  # has the turn for two seconds
    await asyncio.sleep(0.3)
    press = asyncio.create_task(one._send(pressed=[pressed]))
    await asyncio.sleep(0.3)
    await one._send()  # while that waits for its turn
    press.cancel()
    await first
    for tab in (one, other):
        await tab.close()


def test_a_button_that_was_pressed_before_another_click_is_not_forgotten(tmp_path):
    served, log = _serve(tmp_path, 2)
    with served as url:
        asyncio.run(asyncio.wait_for(_press_and_go_on(url), PATIENCE))
    assert log.read_text().splitlines().count("pressed") == 1


def _in_background(work):
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_who_asks_first_has_the_turn_first():
    turns, order, may_leave = Turns(long=ALWAYS), [], threading.Event()

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
    turns, asked, began, ends = Turns(long=0.05), {}, {}, {name: threading.Event() for name in "abc"}

    def have(name):
        asked[name] = time.monotonic()
        with turns.turn():
            began[name] = time.monotonic()
            ends[name].wait(PATIENCE)

    threads = []
    for name in "abc":
        threads.append(_in_background(lambda name=name: have(name)))
        wait_for(lambda name=name: name in began)  # each only after the one before it has had its time
    assert all(began[later] - asked[earlier] >= 0.05 for earlier, later in pairwise("abc"))
    ends["a"].set()  # not its turn any more: "c" has it
    threads[0].join(PATIENCE)
    assert turns._now is not None
    ends["b"].set()
    ends["c"].set()
    for thread in threads:
        thread.join(PATIENCE)
    assert turns._now is None and not turns._waiting


def test_who_waits_for_something_leaves():
    turns, order = Turns(long=ALWAYS), []

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


def test_what_nobody_waits_for_lets_others_go_first_but_not_for_ever():
    turns, order, may_leave = Turns(long=ALWAYS, patient=ALWAYS), [], threading.Event()

    def have(name, waited_for):
        with turns.turn(waited_for):
            order.append(name)

    def tick():
        with turns.turn(waited_for=False):
            order.append("tick begins")
            may_leave.wait(PATIENCE)
            turns.give_way()
            order.append("tick ends")

    threads = [_in_background(tick)]
    wait_for(lambda: order)
    threads.append(_in_background(lambda: have("another tick", False)))
    wait_for(lambda: turns._waiting)
    for name in ("click", "another click"):
        threads.append(_in_background(lambda name=name: have(name, True)))
        wait_for(lambda name=name: len(turns._waiting) == 2 + (name != "click"))
    may_leave.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["tick begins", "click", "another click", "tick ends", "another tick"]
    with turns.turn():
        threads = [_in_background(lambda: have("click", True))]
        wait_for(lambda: turns._waiting)
        turns.give_way()  # somebody waits for this one
        assert order[-1] == "another tick"
    turns.patient = 0.0
    with turns.turn():
        threads.append(_in_background(lambda: have("has waited", False)))
        wait_for(lambda: turns._waiting)
        threads.append(_in_background(lambda: have("last", True)))
        wait_for(lambda: len(turns._waiting) == 2)
    for thread in threads:
        thread.join(PATIENCE)
    assert order[-2:] == ["has waited", "last"] and not turns.taken()


def test_what_somebody_waits_for_after_all_waits_no_longer():
    turns, order, begun, may_leave = Turns(long=ALWAYS, patient=ALWAYS), [], [], threading.Event()

    def have(name, waited_for):
        begun.append(threading.get_ident())
        with turns.turn(waited_for):
            order.append(name)
            if name == "tick":
                may_leave.wait(PATIENCE)
                turns.give_way()
                order.append("tick goes on")

    with turns.turn():
        threads = [_in_background(lambda: have("tick", False))]
        wait_for(lambda: turns._waiting)
        turns.hurry(begun[0])
        threads.append(_in_background(lambda: have("click", True)))
        wait_for(lambda: len(turns._waiting) == 2)
    wait_for(lambda: order)
    may_leave.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert order == ["tick", "tick goes on", "click"] and not turns._until


TICKS = f"""
import time
import streamlit as st
from pages._ui.streamlit_fixes import turns
turns.of_scripts.long = turns.of_scripts.patient = {ALWAYS}

@st.fragment
def follow():
    st.button("Follow")
    for part in range(40):
        time.sleep(.05)
        st.text(part)

follow() if st.query_params.get("follow") else None
"""


def test_a_click_is_answered_amid_what_repeats_by_itself(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(TICKS)

    async def click(address):
        tabs = [Tab(address.removeprefix("http://"), query) for query in ("follow=1", "")]
        for tab in tabs:
            await tab.open()
            await tab.run()
        fragment = tabs[0]._fragments[tabs[0].widgets["button", "Follow"].id]
        for by_itself in (True, False):
            tick = asyncio.create_task(tabs[0]._send(fragment, by_itself=by_itself))
            await asyncio.sleep(0.3)
            await tabs[1].run()
            assert tick.done() != by_itself  # one that was asked for ends first
            await tick
        for tab in tabs:
            await tab.close()

    with server(tmp_path / "log.txt", script, PYTHONPATH=str(ROOT)) as url:
        asyncio.run(asyncio.wait_for(click(url), PATIENCE))


def test_an_error_in_a_turn_ends_it():
    turns = Turns(long=ALWAYS)
    with pytest.raises(ValueError, match="wrong"), turns.turn():
        assert turns.taken()
        raise ValueError("wrong")
    assert turns._now is None and not turns.taken()


def test_a_page_that_waits_leaves_and_one_that_need_not_wait_keeps_its_turn():
    def kept():
        return of_scripts._now == threading.get_ident()

    with of_scripts.turn():
        loading.wait_until(lambda: True, timeout=PATIENCE)
        loading.wait_until(lambda: False, timeout=0)
        assert kept()
        loading.wait_until(lambda: not kept(), timeout=PATIENCE)
        assert not kept()


def test_a_click_while_the_first_reader_of_all_imports_the_app_finds_what_it_asks_for():
    there_before = object.__new__(ScriptRunner)  # made by Streamlit before this repair was imported
    assert there_before.ltw_thread is None and there_before.ltw_waited_for
