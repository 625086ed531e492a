"""The history of training runs in one SQLite file: settings, curve, snapshots and result of each, and whose it is.

It outlives the process that trains: what that had written stays readable, and a run whose process is gone is marked
as died. The tables are explained in ``training_history.sql``. Leaves out when to write (``history_writer``).
"""

import json
import secrets
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from ltw_core.service.history_queries import COUNTS, TRAININGS_KEPT, HistoryQueries
from ltw_core.service.training_record import ProblemInfo
from ltw_core.service.weighting_file import parameters_of, to_bytes
from ltw_core.storage.database import insert
from ltw_core.storage.disk_cache import pack_text
from ltw_core.studies.cell import current_versions
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.learned import LearnedWeighting
from ltw_core.weighting.learned.snapshots import Snapshot

SILENT_SECONDS = 600  # a server that cannot be looked at counts as gone so long after its last heartbeat
OUTCOME = ("steps", "seconds", "best_step", "best_f1", "stop_code", "stop_reason", "engine", "device")
DELETED_SECONDS = 24 * 3600  # what was deleted can be brought back for a day
DIED = "The server stopped during this training run; what had been saved by then is kept."


class History(HistoryQueries):
    """The history file; see ``Database``. One process may write while others read and write too."""

    schema, version, called = Path(__file__).with_name("training_history.sql"), 1, "a history of training runs"
    processes, patience = "server", SILENT_SECONDS

    _server = 0  # until this process is entered

    @property
    def server(self) -> int:
        """This process's number in the file, in which it is entered when it first writes."""
        with self._lock:
            if not self._server:
                self._server = self.register()
            return self._server

    # asking -------------------------------------------------------------------------------------------------------
    def begin(
        self,
        owner: str,
        problem: ProblemInfo,
        terms: TermStatistics,
        parameters: dict,
        changed: dict,
        *,
        token: str | None = None,
    ) -> str:
        """Enter a run that an owner asks for; returns its token, a new one (``new_token``) where none is given."""
        token = token or new_token()
        columns = {"token": token, "server": self.server, "identity": problem.identify(parameters), "status": "queued"}
        with self.transaction() as db:
            self._enter(db, owner, problem, terms, parameters, changed, **columns)
        return token

    def _enter(self, db, owner, problem, terms, parameters, changed, **columns) -> int:
        """Number of a new training run."""
        now = time.time()
        columns |= {
            "problem": problem.fingerprint,
            "variant": parameters["variant"],
            "parameters": json.dumps(parameters),
            "changed": json.dumps(changed, ensure_ascii=False),
            "seed": parameters["random_state"] or 0,
            "versions": json.dumps(dict(current_versions())),
            "asked": now,
        }
        db.execute(
            "INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (fingerprint) DO NOTHING",
            (*(getattr(problem, name) for name in ProblemInfo.__dataclass_fields__), _packed(terms)),
        )
        training = insert(db, "training", columns)
        insert(db, "holding", {"owner": owner, "training": training, "asked": now})
        return training

    def add_owner(self, owner: str, token: str) -> None:
        """Make a training run an owner's too; one that the owner had deleted comes back."""
        with self.transaction() as db:
            db.execute(
                "INSERT INTO holding (owner, training, asked) SELECT ?, id, ? FROM training WHERE token = ? "
                "ON CONFLICT (owner, training) DO UPDATE SET deleted = NULL, asked = excluded.asked",
                (owner, time.time(), token),
            )

    def import_weighting(
        self, owner: str, problem: ProblemInfo, terms: TermStatistics, weighting: LearnedWeighting
    ) -> str:
        """Enter a weighting that was learned elsewhere, with its curve; returns its token."""
        parameters, changed = parameters_of(weighting)
        token, content = new_token(), to_bytes(weighting)
        columns = {"token": token, "server": self.server, "origin": "imported", "status": "done"}
        columns |= {"finished": time.time()} | _outcome(weighting)
        with self.transaction() as db:  # all of it or nothing
            training = self._enter(db, owner, problem, terms, parameters, changed, **columns)
            db.executemany("INSERT INTO point VALUES (?, ?, ?, ?)", ((training, *at) for at in weighting.history_))
            insert(db, "weighting", {"training": training, "file": content})
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
        progress : columns of the run: steps, seconds, best_step, best_f1
        weighting, notes : the result, and what travels with its file
        end : (status, error), when it is over
        """
        columns = dict(progress or {})
        content = None
        if weighting is not None:
            content = to_bytes(weighting, notes)
            columns |= _outcome(weighting)
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
    def mark_dead(self) -> int:
        """Mark training runs whose process is gone as died. Returns how many."""
        gone = self._gone(f"id IN (SELECT server FROM training WHERE finished IS NULL) AND id <> {self._server}")
        if not gone:
            return 0
        with self.transaction() as db:
            return db.execute(
                "UPDATE training SET status = 'died', finished = ?, error = ? "
                "WHERE finished IS NULL AND server IN (SELECT value FROM json_each(?))",
                (time.time(), DIED, json.dumps(gone)),
            ).rowcount

    def purge(self) -> int:
        """Remove what was deleted long ago, what is beyond ``TRAININGS_KEPT``, and nobody's. Returns how many."""
        with self.transaction() as db:
            db.execute("DELETE FROM holding WHERE deleted < ?", (time.time() - DELETED_SECONDS,))
            db.execute(
                "DELETE FROM holding WHERE pinned = 0 AND (owner, training) IN (SELECT owner, training FROM (SELECT "
                "owner, training, row_number() OVER (PARTITION BY owner ORDER BY asked DESC) AS place, "
                "row_number() OVER (PARTITION BY owner ORDER BY training DESC) AS place_made FROM holding "
                "WHERE pinned = 0) WHERE min(place, place_made) > ?)",  # the clock may have been set back
                (TRAININGS_KEPT,),
            )
            return _remove_unheld(db)

    def forget_owner(self, owner: str) -> int:
        """Remove all that is one owner's alone, for good. Returns how many training runs."""
        with self.transaction() as db:
            db.execute("DELETE FROM holding WHERE owner = ?", (owner,))
            return _remove_unheld(db)

    # what an owner does -------------------------------------------------------------------------------------------
    def rename(self, owner: str, token: str, name: str) -> None:
        """Give a training run a name of the owner's; "" for none."""
        self._change(owner, token, "name", " ".join(name.split())[:120])

    def pin(self, owner: str, token: str, pinned: bool = True) -> None:
        self._change(owner, token, "pinned", int(pinned))

    def delete(self, owner: str, token: str) -> None:
        """Take a training run out of the owner's list; ``restore`` undoes it for a day."""
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


def _outcome(weighting: LearnedWeighting) -> dict:
    return {name: getattr(weighting, f"{name}_") for name in OUTCOME}


def new_token() -> str:
    """A name for a training run that cannot be guessed."""
    return secrets.token_urlsafe(9)


def _packed(statistics: TermStatistics) -> bytes:
    counts = {name: getattr(statistics, name).astype(np.int32) for name in COUNTS}
    return save({"terms": pack_text(str(t) for t in statistics.terms), **counts})


def _remove_unheld(db) -> int:
    removed = db.execute(
        "DELETE FROM training WHERE finished IS NOT NULL AND id NOT IN (SELECT training FROM holding)"
    ).rowcount
    db.execute("DELETE FROM problem WHERE fingerprint NOT IN (SELECT problem FROM training)")
    return removed
