"""The same studies over a Dask cluster of local worker processes."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack

import pytest

from ltw_core.corpora.tables.source import TableSource
from ltw_core.studies import runner
from ltw_core.studies.plan import plan
from ltw_core.studies.runner import run
from ltw_core.studies.store import Store

distributed = pytest.importorskip("distributed", reason="the optional package `distributed` is not installed")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two worker processes, started as the README says."""
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster, ExitStack() as ending:
        command = [sys.executable, "-m", "distributed.cli.dask_worker", cluster.scheduler_address]
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
        logs = [tmp_path / "first.log", tmp_path / "second.log"]
        for log in logs:
            with log.open("wb") as told:
                place = ["--local-directory", str(log.with_suffix(""))]
                worker = subprocess.Popen([*command, *options, *place], stdout=told, stderr=told)
            ending.callback(worker.wait)
            ending.callback(worker.kill)
        with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
            try:
                client.wait_for_workers(2, timeout=120)
            except TimeoutError:
                pytest.fail("\n".join(log.read_text() for log in logs))
            yield cluster.scheduler_address, list(client.run(os.getpid).values())


def test_a_killed_worker_takes_no_cell_with_it(store, small_plan, cluster):
    cells = small_plan("UTW,TFGR,TFCHI,TFRF", "SVM,MNB")
    scheduler, pids = cluster
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
        end = run(cells, store, workers=0, scheduler=scheduler)
    finally:
        over.set()
        killer.join()
    assert 4 <= killed[0] < len(cells)  # in the middle
    assert (end.done, end.failed, end.total) == (len(cells), 0, len(cells))
    assert len({record.cell.key for record in store.records()}) == len(cells)


def test_a_table_is_read_by_the_workers_themselves(store, cluster, tmp_path, monkeypatch):
    """Of its texts nothing passes through the scheduler: all that this process writes to it is less than they are."""
    path = tmp_path / "mine.csv"
    rows = (f"bread number {n} {'of the oven ' * 20},{'xy'[n % 2]}" for n in range(4_000))
    path.write_text("body,topic\n" + "\n".join(rows))
    cells = plan([TableSource(path, text="body", label="topic")], weightings="TFRF,TFIDF", learner_names="MNB,SVM")
    written, write = [], distributed.comm.tcp.TCP.write

    async def counting(self, message, *arguments, **options):
        size = await write(self, message, *arguments, **options)
        written.append(size or 0)
        return size

    monkeypatch.setattr(distributed.comm.tcp.TCP, "write", counting)
    end = run(cells, store, workers=0, scheduler=cluster[0])
    assert (end.done, end.failed) == (len(cells), 0) and len(cells) == 8
    assert 1_000 < sum(written) < path.stat().st_size / 5


def test_a_scheduler_that_does_not_answer_is_a_sentence(store, small_plan, monkeypatch):
    monkeypatch.setattr(runner, "CONNECT_SECONDS", 1)
    with pytest.raises(ValueError, match="does not answer"):
        run(small_plan(), store, scheduler="tcp://localhost:1", workers=0)
