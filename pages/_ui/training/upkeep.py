"""What the server does all the time: end the work of those who are gone, tidy history and memory, remove old tables."""

import time

from ltw_core import process
from ltw_core.service import kept_tables, study_process
from ltw_core.service.job_manager import managers
from pages._ui.reader import owners, rooms
from pages._ui.training import histories

HOUR, MINUTE = 3600.0, 60.0


def keep_up() -> None:
    """Run the server's periodic upkeep; never returns."""
    last = looked = time.monotonic()
    kept_tables.purge(study_process.tables_in_use())  # what a server that ended left

    def meanwhile() -> None:
        nonlocal last, looked
        store = histories.lasting()
        store.beat(store.server)
        if time.monotonic() - last > HOUR:
            last = time.monotonic()
            store.mark_dead()
            store.purge()
            rooms.rooms().purge()
        if time.monotonic() - looked > MINUTE:
            looked = time.monotonic()
            kept_tables.purge(study_process.tables_in_use())
            process.give_back_freed()  # a class that clicks and trains leaves a hundred megabytes in holes

    owners.reap(release, meanwhile)


def release(owner: str) -> None:
    """End the work of an owner who is gone, whichever manager has it, and drop what is kept of theirs."""
    for manager in managers():
        manager.forget_owner(owner)
    histories.private().forget_owner(owner)
