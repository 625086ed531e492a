"""Somebody who writes into a database for as long as a test likes, and what it means not to wait for them."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

AT_ONCE = 0.05  # seconds: whoever waits for a writer waits until they end


@contextmanager
def written_to(*paths: Path) -> Iterator[None]:
    """Another program writes into each of these files all the while, for two seconds at least, and undoes it."""
    began, done, held = threading.Barrier(len(paths) + 1), threading.Event(), []

    def write(path: Path) -> None:
        with sqlite3.connect(path, isolation_level=None) as db:
            db.execute("BEGIN EXCLUSIVE")
            db.execute("CREATE TABLE half_written (x)")
            db.executemany("INSERT INTO half_written VALUES (?)", [("x" * 1000,)] * 1000)
            began.wait()
            done.wait()
            db.execute("ROLLBACK")
            held.append(path)
        db.close()

    threads = [threading.Thread(target=write, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    began.wait()
    try:
        yield
    finally:
        still = all(thread.is_alive() for thread in threads)
        done.set()
        for thread in threads:
            thread.join()
    assert still and len(held) == len(paths)


def least_seconds(read: Callable[[], Any], tries: int = 5) -> float:
    """The shortest time that something takes: a busy machine holds up some tries, a lock all of them."""
    times = []
    for _ in range(tries):
        began = time.perf_counter()
        read()
        times.append(time.perf_counter() - began)
    return min(times)
