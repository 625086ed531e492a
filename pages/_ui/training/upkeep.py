"""What the server does all the time: end the work of those who are gone, tidy history and memory, remove old tables."""

import time
from collections.abc import Callable

from ltw_core import process
from ltw_core.service import kept_tables, study_process
from ltw_core.service.job_manager import managers
from pages._ui.reader import owners, rooms
from pages._ui.streamlit_fixes import turns
from pages._ui.training import histories

HOUR, MINUTE = 3600.0, 60.0
HOLES = 15.0  # seconds; a class that clicks and trains leaves a hundred megabytes in holes in a few minutes


def keep_up() -> None:
    """Run the server's periodic upkeep; never returns."""
    each_hour, each_minute, often = map(_every, (HOUR, MINUTE, HOLES))
    kept_tables.purge(study_process.tables_in_use())  # what a server that ended left

    def meanwhile() -> None:
        store = histories.lasting()
        store.beat(store.server)
        if each_hour():
            store.mark_dead()
            store.purge()
            rooms.rooms().purge()
        if each_minute():
            with turns.of_scripts.turn(waited_for=False):  # while no page is made: it would stand still meanwhile
                process.collect_garbage()
            kept_tables.purge(study_process.tables_in_use())
        if often():
            process.give_back_freed()

    owners.reap(release, meanwhile)


def _every(seconds: float) -> Callable[[], bool]:
    """Whether so many seconds have passed since it last said so."""
    last = time.monotonic()

    def passed() -> bool:
        nonlocal last
        now = time.monotonic()
        if now - last < seconds:
            return False
        last = now
        return True

    return passed


def release(owner: str) -> None:
    """End the work of an owner who is gone, whichever manager has it, and drop what is kept of theirs."""
    for manager in managers():
        manager.forget_owner(owner)
    histories.private().forget_owner(owner)
