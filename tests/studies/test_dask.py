"""The same studies over a Dask cluster of local worker processes."""

import os
import signal
import threading

import pytest

from ltw_core.studies import runner
from ltw_core.studies.runner import run
from ltw_core.studies.store import Store

distributed = pytest.importorskip("distributed", reason="the optional package `distributed` is not installed")


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


def test_a_killed_worker_takes_no_cell_with_it(store, small_plan, cluster):
    cells = small_plan("UTW,TFGR,TFCHI,TFRF", "SVM,MNB")
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())
    assert len(set(pids)) == 2  # processes, not threads
    killed, over = [], threading.Event()

    def kill():
        with Store(store.path) as watched:
            while watched.counts()["done"] < 4 and not over.wait(0.01):
                pass
            os.kill(pids[0], signal.SIGKILL)
            killed.append(watched.counts()["done"])

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        end = run(cells, store, workers=0, scheduler=cluster.scheduler_address)
    finally:
        over.set()
        killer.join()
    assert 4 <= killed[0] < len(cells)  # in the middle
    assert (end.done, end.failed, end.total) == (len(cells), 0, len(cells))
    assert len({record.cell.key for record in store.records()}) == len(cells)


def test_a_scheduler_that_does_not_answer_is_a_sentence(store, small_plan, monkeypatch):
    monkeypatch.setattr(runner, "CONNECT_SECONDS", 1)
    with pytest.raises(ValueError, match="does not answer"):
        run(small_plan(), store, scheduler="tcp://localhost:1", workers=0)
