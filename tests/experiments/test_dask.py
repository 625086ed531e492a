"""The same studies over a Dask cluster of local worker processes."""

import os
import signal
import threading
import time

import pytest

from ltw_core.experiments import runner
from ltw_core.experiments.runner import run
from ltw_core.experiments.store import Store

distributed = pytest.importorskip("distributed", reason="the optional package `distributed` is not installed")


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


def test_a_killed_worker_takes_no_cell_with_it(store, small_plan, cluster):
    cells = small_plan("UTW,STW", "SVM,LR,MNB,RF")
    killed = []

    def kill():
        with (
            Store(store.path) as watched,
            distributed.Client(cluster.scheduler_address, set_as_default=False) as client,
        ):
            while watched.counts()["done"] < 4:
                time.sleep(0.01)
            pid = next(iter(client.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)
            killed.append((pid, watched.counts()["done"]))

    killer = threading.Thread(target=kill)
    killer.start()
    end = run(cells, store, workers=0, scheduler=cluster.scheduler_address)
    killer.join()
    assert killed and killed[0][1] < len(cells)  # in the middle
    assert (end.done, end.failed, end.total) == (len(cells), 0, len(cells))
    assert len({record.cell.key for record in store.records()}) == len(cells)


def test_a_scheduler_that_does_not_answer_is_a_sentence(store, small_plan, monkeypatch):
    monkeypatch.setattr(runner, "CONNECT_SECONDS", 1)
    with pytest.raises(ValueError, match="does not answer"):
        run(small_plan(), store, scheduler="tcp://localhost:1", workers=0)
