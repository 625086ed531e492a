"""What the server does all the time: end the work of readers who are gone, and keep the history in order."""

import time

from ltw_core.service.jobs import manager
from pages._ui.reader import owners
from pages._ui.training import histories

HOUR = 3600.0


def keep_up() -> None:
    """Run the server's periodic upkeep; never returns."""
    last = time.monotonic()

    def meanwhile() -> None:
        nonlocal last
        store = histories.lasting()
        store.beat(store.server)
        if time.monotonic() - last > HOUR:
            last = time.monotonic()
            store.mark_dead()
            store.purge()

    def release(owner: str) -> None:
        manager().forget_owner(owner)
        histories.private().forget_owner(owner)

    owners.reap(release, meanwhile)
