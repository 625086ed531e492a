"""Processes end with who started them."""

import threading

from ltw_core.storage import processes as module


def test_a_process_ends_soon_after_its_parent(monkeypatch):
    ended, parent = [], [1]
    monkeypatch.setattr(module.os, "getppid", lambda: parent[0])
    monkeypatch.setattr(module.os, "_exit", ended.append)
    monkeypatch.setattr(module.time, "sleep", lambda seconds: threading.Event().wait(0.001))
    module.end_with(1)
    (watching,) = (thread for thread in threading.enumerate() if thread.name == "parent")
    assert watching.daemon and ended == []
    parent[0] = 2
    watching.join()
    assert ended == [1]
