"""No page waits for a writer: each is drawn, and all that is read is read, while others hold the write lock."""

import inspect
import re
import sqlite3
import threading
import time

import pytest

from ltw_core.service.classroom_queries import ClassroomQueries
from ltw_core.service.classrooms import Classrooms
from ltw_core.service.history_queries import HistoryQueries
from ltw_core.service.job_manager import manager
from ltw_core.service.training_history import History
from ltw_core.storage import database
from ltw_core.storage.database import Database
from ltw_core.studies import estimate, shared_cells
from ltw_core.studies.store import Store
from pages._ui import loading
from pages._ui.evaluate import study_source
from pages._ui.reader import rooms
from pages._ui.training import histories, lookup, start
from tests.pages.conftest import APP, open_page, texts
from tests.service.test_training_history import PARAMETERS, PROBLEM, train
from tests.studies.conftest import make_cell, make_result
from tests.waiting import wait_for
from tests.writing import AT_ONCE, least_seconds, written_to

ME = "test session id"
CLASS = "learn_by_doing/classroom"
PAGES = ["learn_by_doing/learn_by_doing", CLASS, *re.findall(r'st\.Page\("pages/(.+?)\.py"', APP.read_text("utf-8"))]


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The three databases of a server, with something in each."""
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    history = histories.lasting()
    token, _ = train(history, owner=ME)
    done, failed = make_cell(), make_cell(weighting="TFCHI")
    for name in ("cells", "studies"):
        with Store(tmp_path / f"{name}.sqlite") as store:
            store.add([done, failed])
            store.want([done.key, failed.key])
            runner = store.register()
            while batch := store.claim(runner):
                for cell in batch:
                    if cell == done:
                        store.finish(runner, cell.key, make_result(cell))
                    else:
                        store.fail(runner, cell.key, "a reason")
    paths = [tmp_path / f"{name}.sqlite" for name in ("cells", "studies", "history")]
    return paths, history, token, (done, failed)


@pytest.fixture
def in_class(tmp_path, monkeypatch):
    """A server's file of classes with one in it: the class, somebody who takes part, and their token."""
    monkeypatch.setattr(rooms, "state_dir", lambda: tmp_path)
    classes = rooms.rooms()
    room, _ = classes.open_class(ME, "luck", 6, dataset="synthetic", class_name="relevant")
    token = classes.join(room, None)
    return classes, room, classes.participant(room.code, token, None)[1], token


@pytest.fixture
def nobody_waits(monkeypatch):
    """Who would wait for a lock fails instead, in what is opened from now on."""
    monkeypatch.setattr(database, "PATIENCE", 0)
    monkeypatch.setattr(database, "PATIENCE_READING", 0)
    shared_cells._opened.cache_clear()


def test_every_page_is_drawn(app, files, in_class, nobody_waits, monkeypatch):
    paths, history, _, _ = files
    impatient = History(history.path)
    monkeypatch.setattr(histories, "lasting", lambda: impatient)
    assert len(PAGES) == 7
    with written_to(*paths, in_class[0].path):
        for path in PAGES:
            page = open_page(app, path)
            assert not page.exception and not page.error, path
        page.session_state["study"] = "Run a study"
        page = page.run()
        assert not page.exception and not page.error
        assert "1 F1 score failed" in [expander.label for expander in page.expander]
        _, room, _, token = in_class
        page.query_params.update({"code": room.code, "me": token, "as": "student"})
        page = open_page(page, CLASS)
        assert "You are **" in texts(page) and not page.exception and not page.error
        began = time.monotonic()
        with pytest.raises(sqlite3.OperationalError, match="database is locked"):
            impatient.rename(ME, files[2], "a name")  # who writes would wait
        assert time.monotonic() - began < 1
    impatient.close()


# everything that is read; what is not listed here writes, or reads no file
IN_HISTORY = {
    "of": lambda h, token: h.of([ME]),
    "find": lambda h, token: h.find(token),
    "find_same": lambda h, token: h.find_same(PROBLEM, PARAMETERS),
    "is_owned": lambda h, token: h.is_owned([ME], token),
    "curve": lambda h, token: h.curve(token),
    "terms": lambda h, token: h.terms(token),
    "snapshots": lambda h, token: h.snapshots(token),
    "weighting": lambda h, token: h.weighting(token),
    "weighting_file": lambda h, token: h.weighting_file(token),
}
IN_STORE = {
    "counts": lambda s, keys: s.counts(),
    "perhaps_missing": lambda s, keys: s.perhaps_missing(),
    "claimed_elsewhere": lambda s, keys: s.claimed_elsewhere(0),
    "overview": lambda s, keys: s.overview(),
    "remaining": lambda s, keys: s.remaining(),
    "failures": lambda s, keys: s.failures(),
    "cells": lambda s, keys: s.cells(),
    "records": lambda s, keys: s.records(),
    "find": lambda s, keys: s.find(keys),
    "errors": lambda s, keys: s.errors(keys),
}
WRITES = {
    *("add", "want", "retry_failed", "claim", "finish", "fail", "record", "release", "fail_deadly", "release_stale"),
    "copy_in_memory",  # reads: below
}
IN_CLASSES = {
    "of_teacher": lambda c, room, me, token: c.of_teacher(room.code, ME),
    "on_screen": lambda c, room, me, token: c.on_screen(room.code, room.screen),
    "by_link": lambda c, room, me, token: c.by_link(room.code, room.ticket),
    "led_by": lambda c, room, me, token: c.led_by(ME),
    "participant": lambda c, room, me, token: c.participant(room.code, token, None),
    "news": lambda c, room, me, token: c.news(room.id),
    "answers_of": lambda c, room, me, token: c.answers_of(me),
    "answers": lambda c, room, me, token: c.answers(room.id),
    "steps": lambda c, room, me, token: c.steps(room.id),
}
RUNS = {
    "find": lambda token: lookup.find(token),
    "current": lambda token: lookup.current("synthetic", "relevant"),
    "asked_for": lambda token: lookup.asked_for(lookup.find(token)),
    "is_own": lambda token: lookup.is_own(lookup.find(token)),
    "ownership": lambda token: lookup.ownership(lookup.find(token)),
    "whose": lambda token: lookup.whose(lookup.find(token)),
    "not_written": lambda token: lookup.not_written(),
    "own_or_linked": lambda token: lookup.own_or_linked("synthetic", "relevant"),
    "own_runs": lambda token: lookup.own_runs(),
    "own_records": lambda token: lookup.own_records(),
    "siblings": lambda token: lookup.siblings(lookup.find(token)),
    "in_brief": lambda token: lookup.in_brief([lookup.find(token)]),
}
ELSEWHERE = {"look_at"}


def public(of):
    """Names of the functions that a class or module has of its own."""
    functions = {name: getattr(each, "__func__", each) for name, each in vars(of).items() if not name.startswith("_")}
    home = getattr(of, "__module__", of.__name__)
    return {name for name, each in functions.items() if inspect.isfunction(each) and each.__module__ == home}


def test_all_that_is_read_is_tried_here():
    known = set(dir(Database))
    assert public(HistoryQueries) - known == set(IN_HISTORY)
    assert public(Store) - known == set(IN_STORE) | WRITES
    assert public(ClassroomQueries) - known == set(IN_CLASSES) | {"row"}  # which they all call
    assert public(lookup) == set(RUNS) | ELSEWHERE


def test_whatever_is_read_is_read_at_once(files, in_class, monkeypatch):
    paths, history, token, cells = files
    classes, _, me, _ = in_class
    keys = [cell.key for cell in cells]
    monkeypatch.setattr(lookup.owners, "names", lambda: (ME,))
    store = Store(paths[0], read_only=True)
    reads = {f"History.{name}": lambda read=read: read(history, token) for name, read in IN_HISTORY.items()}
    reads |= {f"Store.{name}": lambda read=read: read(store, keys) for name, read in IN_STORE.items()}
    reads |= {f"Classrooms.{name}": lambda read=read: read(*in_class) for name, read in IN_CLASSES.items()}
    reads |= {f"lookup.{name}": lambda read=read: read(token) for name, read in RUNS.items()}
    reads |= {
        "a store that is opened": lambda: Store(paths[1], read_only=True).close(),
        "a history that is opened": lambda: History(paths[2]).close(),
        "a file of classes that is opened": lambda: Classrooms(classes.path).close(),
        "who is in a class says so": lambda: classes.here(me.id),
        "shared_cells.find_here": lambda: shared_cells.find_here(keys),
        "shared_cells.errors_here": lambda: shared_cells.errors_here(keys),
        "estimate.forecast": lambda: estimate.forecast(cells, paths[1]),
        "study_source.load": lambda: (study_source._found.clear(), study_source.load("server")),
    }
    before = {name: read() for name, read in reads.items()}
    with written_to(*paths, classes.path):
        slow = {name: seconds for name, read in reads.items() if (seconds := least_seconds(read)) > AT_ONCE}
        assert not slow
        assert reads["shared_cells.errors_here"]() == {cells[1].key: "a reason"}
        assert reads["Store.counts"]() == before["Store.counts"]
        assert reads["Classrooms.steps"]() == before["Classrooms.steps"] == {1: (1, 1)}
    store.close()


def test_who_is_in_a_class_says_so_again_when_nobody_writes(in_class):
    classes, _, me, _ = in_class
    assert classes.here(me.id)
    with written_to(classes.path):
        assert not classes.here(me.id)
        waiting = threading.Thread(target=classes.go, args=(me.id, 1))
        waiting.start()  # a thread of this server that waits to write
        wait_for(lambda: waiting.is_alive() and not classes._lock.acquire(blocking=False))
        began = time.monotonic()
        assert not classes.here(me.id) and time.monotonic() - began < 1
    waiting.join()
    assert classes.here(me.id)


def test_a_server_that_begins_while_somebody_writes_keeps_nobody_waiting(files):
    path = files[0][2]
    with written_to(path):
        began = time.monotonic()
        opened = histories._open(path)
        assert time.monotonic() - began < 1  # what died is called so as soon as that can be written
        assert [record.token for record in opened.of([ME])] == [files[2]]
    opened.close()


def test_who_starts_a_training_run_while_somebody_writes_keeps_the_others_from_nothing(app, files, monkeypatch):
    paths, history, *_ = files
    task = loading.ask("synthetic").result().task("relevant")
    monkeypatch.setattr(lookup.owners, "names", lambda: (ME,))
    monkeypatch.setattr(start.owners, "current_owner", lambda: "starter")
    parameters = PARAMETERS | {"engine": "auto", "device": "auto"}
    with written_to(*paths):
        starting = threading.Thread(target=start.start, args=("synthetic", task, parameters, {}))
        starting.start()
        (job,) = wait_for(lambda: manager().of("starter"))
        assert least_seconds(lookup.own_runs) < AT_ONCE
        assert starting.is_alive() and history.find(job.id) is None
    starting.join()
    wait_for(lambda: not job.active)
    assert history.find(job.id).status == "done"  # nothing was written of it before it was entered
    assert len(history.curve(job.id)) == 6
    manager().forget_owner("another")
