"""What can be read from the history of training runs: an owner's list, and a run's curve, snapshots and weighting."""

import json
import sqlite3
from collections.abc import Iterable
from operator import itemgetter

import numpy as np
from safetensors.numpy import load

from ltw_core.service.training_record import ProblemInfo, TrainingRecord
from ltw_core.service.weighting_file import from_bytes
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.storage.database import ReadApart
from ltw_core.storage.disk_cache import unpack_text
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.learned import LearnedWeighting
from ltw_core.weighting.learned.settings import seen_by
from ltw_core.weighting.learned.snapshots import Snapshot

TRAININGS_KEPT = 300  # training runs of one owner; older ones go unless they are pinned
LISTS_KEPT = 1_000  # records of lists that are asked for again: a page asks ten times in a run
RECORDS_KEPT = 1_000  # whoever writes makes all lists anew, and most of their records have not changed
# columns of a training that nothing changes afterwards: its token says them all
LASTING = {"id", "identity", "problem", "origin", "variant", "parameters", "changed", "seed", "versions", "server"}
COUNTS = ("tp", "fp", "fn", "tn")
RECORD = """
    SELECT training.*, fingerprint, corpus, corpus_title, class_name, class_title, ratio, prevalence, n_documents,
        n_terms, holding.name, holding.pinned, holding.deleted, holding.asked AS added,
        EXISTS (SELECT 1 FROM weighting WHERE weighting.training = id) AS has_weighting,
        (SELECT count(*) FROM snapshot WHERE snapshot.training = id) AS snapshots,
        (SELECT count(*) FROM holding AS other WHERE other.training = id AND other.deleted IS NULL) AS n_owners
    FROM training JOIN problem ON fingerprint = training.problem
"""


class HistoryQueries(ReadApart):
    """The part of ``History`` that reads; it waits for nobody who writes."""

    def _open(self) -> None:
        super()._open()
        self._lists = BoundedCache(LISTS_KEPT)  # each counts as its records
        self._records = BoundedCache(RECORDS_KEPT)  # by their tokens, and by what changes of a row

    def of(
        self,
        owners: Iterable[str],
        *,
        corpus: str | None = None,
        class_name: str | None = None,
        deleted: bool = False,
        limit: int = TRAININGS_KEPT,
    ) -> list[TrainingRecord]:
        """Training runs of an owner (who may have several names): pinned ones first, then the latest asked for.

        Parameters
        ----------
        corpus, class_name : only those of a corpus or class
        deleted : only those that were deleted and can be restored
        """
        asked = (tuple(owners), corpus, class_name, deleted, limit)
        key = (self._version(), *asked)
        return [*self._lists.get_or_make(key, lambda: self._read(*asked), lambda found: len(found) + 1)]

    def _read(
        self, owners: tuple[str, ...], corpus: str | None, class_name: str | None, deleted: bool, limit: int
    ) -> list[TrainingRecord]:
        where = [f"owner IN ({', '.join('?' * len(owners))})", f"deleted IS {'NOT ' * deleted}NULL"]
        values: list = list(owners)
        for column, value in (("corpus", corpus), ("class_name", class_name)):
            if value is not None:
                where.append(f"{column} = ?")
                values.append(value)
        # an owner's two names may hold the same training: one row is enough; and only of those that are listed there is
        # more to find out
        order = "ORDER BY pinned DESC, holding.asked DESC"
        rows = self._rows(
            f"{RECORD} JOIN (SELECT holding.* FROM holding JOIN training ON id = training JOIN problem "
            f"ON fingerprint = problem WHERE {' AND '.join(where)} GROUP BY id {order} LIMIT ?) AS holding "
            f"ON holding.training = id {order}",
            (*values, limit),
        )
        if not rows:
            return []
        of_row = itemgetter(*(k for k, name in enumerate(rows[0].keys()) if name not in LASTING))
        one = lambda _: 1  # noqa: E731
        return [self._records.get_or_make(of_row(row), lambda row=row: TrainingRecord.of_row(row), one) for row in rows]

    def find(self, token: str) -> TrainingRecord | None:
        """A training run by its token, without anybody's name for it: what a link shows."""
        rows = self._rows(
            f"{RECORD} JOIN (SELECT '' AS name, 0 AS pinned, NULL AS deleted, 0.0 AS asked) AS holding WHERE token = ?",
            (token,),
        )
        return TrainingRecord.of_row(rows[0]) if rows else None

    def find_same(self, problem: ProblemInfo, parameters: dict) -> str | None:
        """Token of a training run that has ended, with the same problem, settings, seed and versions, or None."""
        rows = self._rows(
            "SELECT token FROM training JOIN weighting ON training = id WHERE identity = ? AND status = 'done' "
            "ORDER BY id DESC LIMIT 1",
            (problem.identify(parameters),),
        )
        return rows[0]["token"] if rows else None

    def is_owned(self, owners: Iterable[str], token: str) -> bool:
        """Whether a training run is an owner's (who may have several names)."""
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
        rows = self._of_training(token, "point", "step, loss, f1")
        return [(row["step"], _number(row["loss"]), _number(row["f1"])) for row in rows]

    def terms(self, token: str) -> TermStatistics:
        """The terms for which a training run learned weights."""
        rows = self._rows("SELECT terms FROM problem JOIN training ON problem = fingerprint WHERE token = ?", (token,))
        if not rows:
            raise ValueError("this training run is no longer there")
        return _unpacked(rows[0]["terms"])

    def snapshots(self, token: str) -> list[Snapshot]:
        """What a training run had learned along its way, by step; [] where nothing was kept."""
        rows = self._of_training(token, "snapshot", "step, variant, loss, f1, arrays, parameters")
        if not rows:
            return []
        terms = self.terms(token)
        where = terms.tpr, terms.fpr, seen_by(json.loads(rows[0]["parameters"]), terms)
        return [
            Snapshot.unpack(
                row["arrays"], row["variant"], row["step"], _number(row["loss"]), _number(row["f1"]), *where
            )
            for row in rows
        ]

    def weighting(self, token: str) -> LearnedWeighting | None:
        """The result of a training run, None where there is none."""
        content = self.weighting_file(token)
        return None if content is None else from_bytes(content)

    def weighting_file(self, token: str) -> bytes | None:
        """The same as the file that ``LearnedWeighting.load`` reads."""
        rows = self._of_training(token, "weighting", "file")
        return rows[0]["file"] if rows else None

    def _of_training(self, token: str, table: str, columns: str) -> list[sqlite3.Row]:
        """A run's rows of a table, in the order of their first column."""
        query = f"SELECT {columns} FROM {table} JOIN training ON id = training WHERE token = ? ORDER BY 1"
        return self._rows(query, (token,))


def _unpacked(content: bytes) -> TermStatistics:
    arrays = load(content)
    terms = np.array(unpack_text(arrays["terms"]))
    return TermStatistics.of_tables(terms, *(arrays[name].astype(np.int64) for name in COUNTS))


def _number(value) -> float:
    return float("nan") if value is None else value
