"""The history of trainings: what was asked for, its curve, snapshots and result, and whose it is, in one SQLite file.

It outlives the process that trains: what that had written stays readable, and a training whose process is gone is
marked as died. The tables are explained in ``history.sql``. Leaves out when to write (``recording``).
"""

import json
import secrets
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from ltw_core.storage.database import Database
from ltw_core.storage.disk_cache import pack_text, unpack_text
from ltw_core.storage.processes import Process, is_alive, this_process
from ltw_core.studies.cell import current_versions, digest
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.learned import LearnedWeighting
from ltw_core.weighting.learned.snapshots import Snapshot

SILENT_SECONDS = 600  # a server that cannot be looked at counts as gone so long after its last heartbeat
DELETED_SECONDS = 24 * 3600  # what was deleted can be brought back for a day
KEPT = 300  # trainings of one owner; older ones go unless they are pinned
OWN = ("variant", "random_state", "engine", "device")  # parameters that are not settings of the paper
COUNTS = ("tp", "fp", "fn", "tn")
DIED = "The server ended while this was learning; what it had written until then is kept."


@dataclass(frozen=True)
class Problem:
    """What was learned on: a class of a corpus. ``ratio``: share of the vocabulary; None where it is not known."""

    fingerprint: str
    corpus: str
    corpus_title: str
    class_name: str
    class_title: str
    ratio: float | None
    prevalence: float
    n_documents: int
    n_terms: int


@dataclass(frozen=True)
class Past:
    """A training of the history, as its owner sees it.

    Attributes
    ----------
    token : str
        Names it; cannot be guessed.
    origin : "computed" or "imported"
    status : "queued", "running", "done", "stopped", "failed" or "died"
    parameters, changed : dict
        All of ``LearnedWeighting``'s, and those that are not the paper's.
    versions : dict
    asked, started, finished : float or None
        Seconds since 1970.
    seconds : float
        Of training, without waiting and pauses.
    best_step, best_f1 : None as long as there is none
    has_weighting : bool
    snapshots : int
        How many there are.
    name, pinned, deleted : what the owner made of it; ``deleted`` is a time or None.
    held : float
        When this owner asked for it.
    holders : int
        How many have asked for it.
    """

    token: str
    problem: Problem
    origin: str
    status: str
    variant: str
    parameters: dict
    changed: dict
    seed: int
    versions: dict
    asked: float
    started: float | None
    finished: float | None
    seconds: float
    steps: int
    best_step: int | None
    best_f1: float | None
    stop_code: str
    stop_reason: str
    error: str
    engine: str
    device: str
    has_weighting: bool
    snapshots: int
    name: str
    pinned: bool
    deleted: float | None
    held: float
    holders: int


class History(Database):
    """The history file; see ``Database``. One process may write while others read and write too."""

    schema, version, called = Path(__file__).with_name("training_history.sql"), 1, "a history of trainings"

    def _open(self):
        super()._open()
        # who reads waits for nobody who writes; a database in memory has one connection only
        self._reader = self._db if str(self.path) == ":memory:" else self._connect()
        self._read_lock = self._lock if self._reader is self._db else threading.RLock()
        me, now = this_process(), time.time()
        with self.transaction() as db:
            self.server = db.execute(
                "INSERT INTO server (host, pid, born, started, heartbeat) VALUES (?, ?, ?, ?, ?)", (*me, now, now)
            ).lastrowid

    def close(self) -> None:
        with self._read_lock:
            self._reader.close()
        super().close()

    def _rows(self, query, values=()) -> list[sqlite3.Row]:
        with self._read_lock:
            return self._reader.execute(query, values).fetchall()

    # asking -------------------------------------------------------------------------------------------------------
    def begin(self, owner: str, problem: Problem, terms: TermStatistics, parameters: dict, changed: dict) -> str:
        """Enter a training that an owner asks for; returns its token."""
        identity = identify(problem, parameters)
        return self._enter(owner, problem, terms, parameters, changed, identity=identity, status="queued")

    def _enter(self, owner, problem, terms, parameters, changed, **columns) -> str:
        token, now = secrets.token_urlsafe(9), time.time()
        columns |= {
            "token": token,
            "problem": problem.fingerprint,
            "variant": parameters["variant"],
            "parameters": json.dumps(parameters),
            "changed": json.dumps(changed, ensure_ascii=False),
            "seed": parameters["random_state"] or 0,
            "versions": json.dumps(dict(current_versions())),
            "server": self.server,
            "asked": now,
        }
        with self.transaction() as db:
            db.execute(
                "INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (fingerprint) DO NOTHING",
                (*(getattr(problem, name) for name in Problem.__dataclass_fields__), _packed(terms)),
            )
            names, marks = ", ".join(columns), ", ".join("?" * len(columns))
            entered = db.execute(f"INSERT INTO training ({names}) VALUES ({marks})", tuple(columns.values()))
            db.execute("INSERT INTO holding (owner, training, asked) VALUES (?, ?, ?)", (owner, entered.lastrowid, now))
        return token

    def hold(self, owner: str, token: str) -> None:
        """Make a training an owner's too; one that the owner had deleted comes back."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO holding (owner, training, asked) SELECT ?, id, ? FROM training WHERE token = ? "
                "ON CONFLICT (owner, training) DO UPDATE SET deleted = NULL, asked = excluded.asked",
                (owner, time.time(), token),
            )

    def same(self, problem: Problem, parameters: dict) -> str | None:
        """Token of a training with the same problem, settings, seed and versions that has come to its end, or None."""
        rows = self._rows(
            "SELECT token FROM training JOIN weighting ON training = id WHERE identity = ? AND status = 'done' "
            "ORDER BY id DESC LIMIT 1",
            (identify(problem, parameters),),
        )
        return rows[0]["token"] if rows else None

    def import_weighting(self, owner: str, problem: Problem, terms: TermStatistics, weighting: LearnedWeighting) -> str:
        """Enter a weighting that was learned elsewhere, with its curve; returns its token."""
        parameters = {name: _plain(value) for name, value in weighting.get_params().items()}
        parameters["random_state"] = int(weighting.seed_)
        paper = {name: _plain(value) for name, value in LearnedWeighting().get_params().items()}
        changed = {name: value for name, value in parameters.items() if name not in OWN and value != paper[name]}
        token = self._enter(
            owner, problem, terms, parameters, changed, origin="imported", status="done", finished=time.time()
        )
        self.write(token, points=weighting.history_, weighting=weighting)
        return token

    # writing as it goes -------------------------------------------------------------------------------------------
    def start(self, token: str) -> None:
        """It begins to run."""
        with self.transaction() as db:
            db.execute(
                "UPDATE training SET status = 'running', started = ? WHERE token = ? AND status = 'queued'",
                (time.time(), token),
            )

    def write(
        self,
        token: str,
        *,
        points: Iterable[tuple[int, float, float]] = (),
        snapshots: Iterable[Snapshot] = (),
        dropped: Iterable[int] = (),
        progress: dict | None = None,
        weighting: LearnedWeighting | None = None,
        notes: dict | None = None,
        end: tuple[str, str] | None = None,
    ) -> None:
        """Write what is new, in one transaction.

        Parameters
        ----------
        points : (step, loss, validation F1)
        snapshots : new ones
        dropped : steps whose snapshots are kept no longer
        progress : columns of the training: steps, seconds, best_step, best_f1
        weighting, notes : the result, and what travels with its file
        end : (status, error), when it is over
        """
        columns = dict(progress or {})
        content = None
        if weighting is not None:
            content = to_bytes(weighting, notes)
            columns |= {
                "steps": weighting.steps_,
                "seconds": weighting.seconds_,
                "best_step": weighting.best_step_,
                "best_f1": weighting.best_f1_,
                "stop_code": weighting.stop_code_,
                "stop_reason": weighting.stop_reason_,
                "engine": weighting.engine_,
                "device": weighting.device_,
            }
        if end is not None:
            columns |= {"status": end[0], "error": end[1], "finished": time.time()}
        blobs = [(s.step, s.loss, s.validation_f1, s.pack()) for s in snapshots]
        with self.transaction() as db:
            found = db.execute("SELECT id FROM training WHERE token = ?", (token,)).fetchone()
            if found is None:  # deleted meanwhile
                return
            key = found["id"]
            db.executemany("INSERT OR REPLACE INTO point VALUES (?, ?, ?, ?)", ((key, *point) for point in points))
            db.executemany("DELETE FROM snapshot WHERE training = ? AND step = ?", ((key, step) for step in dropped))
            db.executemany("INSERT OR REPLACE INTO snapshot VALUES (?, ?, ?, ?, ?)", ((key, *blob) for blob in blobs))
            if content is not None:
                db.execute("INSERT OR REPLACE INTO weighting VALUES (?, ?)", (key, content))
            if columns:
                assignments = ", ".join(f"{name} = ?" for name in columns)
                db.execute(f"UPDATE training SET {assignments} WHERE id = ?", (*columns.values(), key))

    # the life of servers ------------------------------------------------------------------------------------------
    def beat(self) -> None:
        """Say that this process lives."""
        with self.transaction() as db:
            db.execute("UPDATE server SET heartbeat = ? WHERE id = ?", (time.time(), self.server))

    def mark_dead(self) -> int:
        """Mark trainings whose process is gone as died. Returns how many."""
        now, marked = time.time(), 0
        rows = self._rows(
            "SELECT * FROM server WHERE id IN (SELECT server FROM training WHERE finished IS NULL) AND id <> ?",
            (self.server,),
        )
        for row in rows:
            alive = is_alive(Process(row["host"], row["pid"], row["born"]))
            if alive is False or (alive is None and now - row["heartbeat"] > SILENT_SECONDS):
                with self.transaction() as db:
                    marked += db.execute(
                        "UPDATE training SET status = 'died', finished = ?, error = ? "
                        "WHERE server = ? AND finished IS NULL",
                        (now, DIED, row["id"]),
                    ).rowcount
        return marked

    def purge(self) -> int:
        """Remove what was deleted long enough ago, what is beyond ``KEPT``, and what is nobody's. Returns how many."""
        with self.transaction() as db:
            db.execute("DELETE FROM holding WHERE deleted < ?", (time.time() - DELETED_SECONDS,))
            db.execute(
                "DELETE FROM holding WHERE pinned = 0 AND (owner, training) IN (SELECT owner, training FROM (SELECT "
                "owner, training, row_number() OVER (PARTITION BY owner ORDER BY asked DESC) AS place FROM holding "
                "WHERE pinned = 0) WHERE place > ?)",
                (KEPT,),
            )
            return _remove_unheld(db)

    def forget_owner(self, owner: str) -> int:
        """Remove all that is one owner's alone, for good. Returns how many trainings."""
        with self.transaction() as db:
            db.execute("DELETE FROM holding WHERE owner = ?", (owner,))
            return _remove_unheld(db)

    # what an owner does -------------------------------------------------------------------------------------------
    def rename(self, owner: str, token: str, name: str) -> None:
        """Give a training a name of one's own; "" for none."""
        self._change(owner, token, "name", " ".join(name.split())[:120])

    def pin(self, owner: str, token: str, pinned: bool = True) -> None:
        self._change(owner, token, "pinned", int(pinned))

    def delete(self, owner: str, token: str) -> None:
        """Take a training out of the owner's list; ``restore`` undoes it for a day."""
        self._change(owner, token, "deleted", time.time())

    def restore(self, owner: str, token: str) -> None:
        self._change(owner, token, "deleted", None)

    def _change(self, owner, token, column, value):
        with self.transaction() as db:
            db.execute(
                f"UPDATE holding SET {column} = ? WHERE owner = ? AND "
                "training = (SELECT id FROM training WHERE token = ?)",
                (value, owner, token),
            )

    # reading ------------------------------------------------------------------------------------------------------
    def of(
        self,
        owners: Iterable[str],
        *,
        corpus: str | None = None,
        class_name: str | None = None,
        fingerprint: str | None = None,
        deleted: bool = False,
        limit: int = KEPT,
    ) -> list[Past]:
        """Trainings of an owner (who may have several names): pinned ones first, then the latest asked for.

        Parameters
        ----------
        corpus, class_name, fingerprint : only those of a corpus, class or problem
        deleted : only those that were deleted and can be restored
        """
        owners = tuple(owners)
        where = [f"owner IN ({', '.join('?' * len(owners))})", f"deleted IS {'NOT ' * deleted}NULL"]
        values: list = list(owners)
        for column, value in (("corpus", corpus), ("class_name", class_name), ("fingerprint", fingerprint)):
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)
        # an owner's two names may hold the same training: one row is enough
        rows = self._rows(
            f"{PAST} JOIN holding ON holding.training = id WHERE {' AND '.join(where)} GROUP BY id "
            "ORDER BY pinned DESC, holding.asked DESC LIMIT ?",
            (*values, limit),
        )
        return [_past(row) for row in rows]

    def find(self, token: str) -> Past | None:
        """A training by its token, without anybody's name for it: what a link shows."""
        rows = self._rows(
            f"{PAST} JOIN (SELECT '' AS name, 0 AS pinned, NULL AS deleted, 0.0 AS asked) AS holding WHERE token = ?",
            (token,),
        )
        return _past(rows[0]) if rows else None

    def holds(self, owners: Iterable[str], token: str) -> bool:
        """Whether a training is an owner's (who may have several names)."""
        owners = tuple(owners)
        return bool(
            self._rows(
                "SELECT 1 FROM holding JOIN training ON id = training WHERE token = ? AND deleted IS NULL "
                f"AND owner IN ({', '.join('?' * len(owners))})",
                (token, *owners),
            )
        )

    def curve(self, token: str) -> list[tuple[int, float, float]]:
        """(step, loss, validation F1) at every validation; nan where there is none."""
        rows = self._rows(
            "SELECT step, point.loss, f1 FROM point JOIN training ON id = training WHERE token = ? ORDER BY step",
            (token,),
        )
        return [(row["step"], _number(row["loss"]), _number(row["f1"])) for row in rows]

    def terms(self, token: str) -> TermStatistics:
        """The terms that a training learned weights for."""
        rows = self._rows("SELECT terms FROM problem JOIN training ON problem = fingerprint WHERE token = ?", (token,))
        if not rows:
            raise ValueError("this training is no longer there")
        return _unpacked(rows[0]["terms"])

    def snapshots(self, token: str) -> list[Snapshot]:
        """What a training had learned along its way, by step; [] where nothing was kept."""
        rows = self._rows(
            "SELECT variant, step, snapshot.loss, f1, arrays FROM snapshot JOIN training ON id = training "
            "WHERE token = ? ORDER BY step",
            (token,),
        )
        if not rows:
            return []
        terms = self.terms(token)
        tpr, fpr = terms.tpr, terms.fpr
        return [
            Snapshot.unpack(
                row["arrays"], row["variant"], row["step"], _number(row["loss"]), _number(row["f1"]), tpr, fpr
            )
            for row in rows
        ]

    def weighting(self, token: str) -> LearnedWeighting | None:
        """The result of a training, None where there is none."""
        content = self.weighting_file(token)
        return None if content is None else from_bytes(content)

    def weighting_file(self, token: str) -> bytes | None:
        """The same as the file that ``LearnedWeighting.load`` reads."""
        rows = self._rows("SELECT file FROM weighting JOIN training ON id = training WHERE token = ?", (token,))
        return rows[0]["file"] if rows else None


PAST = """
    SELECT training.*, fingerprint, corpus, corpus_title, class_name, class_title, ratio, prevalence, n_documents,
        n_terms, holding.name, holding.pinned, holding.deleted, holding.asked AS held,
        EXISTS (SELECT 1 FROM weighting WHERE weighting.training = id) AS has_weighting,
        (SELECT count(*) FROM snapshot WHERE snapshot.training = id) AS snapshots,
        (SELECT count(*) FROM holding AS other WHERE other.training = id AND other.deleted IS NULL) AS holders
    FROM training JOIN problem ON fingerprint = training.problem
"""


def identify(problem: Problem, parameters: dict) -> str:
    """Digest of all that determines a result: content, settings, seed, versions."""
    return digest({"problem": problem.fingerprint, "parameters": parameters, "versions": dict(current_versions())})


def to_bytes(weighting: LearnedWeighting, notes: dict | None = None) -> bytes:
    """A learned weighting as the file that ``LearnedWeighting.load`` reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weighting.safetensors"
        weighting.save(path, notes=notes)
        return path.read_bytes()


def from_bytes(content: bytes) -> LearnedWeighting:
    """Inverse of ``to_bytes``.

    Raises
    ------
    ValueError
        It is something else; the message says so.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weighting.safetensors"
        path.write_bytes(content)
        return LearnedWeighting.load(path)


def _packed(statistics: TermStatistics) -> bytes:
    counts = {name: getattr(statistics, name).astype(np.int32) for name in COUNTS}
    return save({"terms": pack_text(str(t) for t in statistics.terms), **counts})


def _unpacked(content: bytes) -> TermStatistics:
    arrays = load(content)
    terms = np.array(unpack_text(arrays["terms"]))
    return TermStatistics.of_tables(terms, *(arrays[name].astype(np.int64) for name in COUNTS))


def _remove_unheld(db) -> int:
    removed = db.execute(
        "DELETE FROM training WHERE finished IS NOT NULL AND id NOT IN (SELECT training FROM holding)"
    ).rowcount
    db.execute("DELETE FROM problem WHERE fingerprint NOT IN (SELECT problem FROM training)")
    return removed


def _past(row) -> Past:
    values = {name: row[name] for name in Past.__dataclass_fields__ if name != "problem"}
    for name in ("parameters", "changed", "versions"):
        values[name] = json.loads(values[name])
    for name in ("has_weighting", "pinned"):
        values[name] = bool(values[name])
    return Past(problem=Problem(**{name: row[name] for name in Problem.__dataclass_fields__}), **values)


def _number(value) -> float:
    return float("nan") if value is None else value


def _plain(value):
    """A NumPy scalar as Python's; a random state, which JSON cannot hold, as None."""
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (str, int, float, type(None))) else None
