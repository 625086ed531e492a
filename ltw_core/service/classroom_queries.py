"""What can be read of classes: by code and token, where everybody is, and what they guessed."""

import hmac
import json
import sqlite3
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from ltw_core.service.classroom_words import digest
from ltw_core.storage.database import ReadApart

KEPT = 30 * 24 * 3600.0  # seconds that a class is kept
CONNECTED = 20.0  # seconds since a participant was seen
ACTIVE = "created > ?"
ANSWER = """
    SELECT nickname, question, first, guess, trials, answer.seen AS alone, given
    FROM answer JOIN participant ON participant = participant.id
"""


class Room(NamedTuple):
    """A class. ``step`` is where all are held while they go ``together``; ``revealed`` are labels of questions;
    ``shown`` is the one that is projected, and ``starred`` the nickname that is pointed out in it."""

    id: int
    code: str
    screen: str
    lesson: str
    n_steps: int
    dataset: str
    class_name: str
    step: int
    together: bool
    shown: str
    starred: str
    changed: int
    created: float
    revealed: frozenset[str]

    @property
    def ticket(self) -> str:
        """What the class's link holds beside the code: who comes by it is never refused for codes that were wrong."""
        return digest(f"link {self.screen}")[:16]


class Participant(NamedTuple):
    """A student of a class."""

    id: int
    room: int
    nickname: str
    step: int


class Answer(NamedTuple):
    """What a participant guessed first and last, how often, and whether they were shown the answer alone."""

    nickname: str
    question: str
    first: Any
    guess: Any
    trials: int
    seen: bool
    given: float


def oldest() -> float:
    """When the oldest class was opened that there still is."""
    return time.time() - KEPT


class ClassroomQueries(ReadApart):
    """The part of ``Classrooms`` that reads; it waits for nobody who writes."""

    def of_teacher(self, code: str, browser: str | None) -> Room | None:
        """The class of a code, if this browser leads it."""
        led = "code = ? AND id IN (SELECT classroom FROM teacher WHERE browser = ?)"
        return self._room(led, (code, browser)) if browser else None

    def on_screen(self, code: str, key: str) -> Room | None:
        """The class of a code, if the key is that of its projected view."""
        return self._room("code = ? AND screen = ?", (code, key))

    def by_link(self, code: str, ticket: str) -> Room | None:
        """The class of a code, if the ticket is that of its link."""
        room = self._room("code = ?", (code,))
        return room if room is not None and hmac.compare_digest(room.ticket.encode(), ticket.encode()) else None

    def led_by(self, browser: str | None) -> list[Room]:
        """The classes that a browser leads, the latest first."""
        query = f"SELECT code FROM classroom JOIN teacher ON classroom = id WHERE browser = ? AND {ACTIVE}"
        codes = [row["code"] for row in self._rows(f"{query} ORDER BY created DESC", (browser or "", oldest()))]
        return [room for code in codes if (room := self._room("code = ?", (code,))) is not None]

    def participant(self, code: str, token: str | None, browser: str | None) -> tuple[Room, Participant] | None:
        """A class and who takes part in it: by their token, else by their browser."""
        for column, value in (("token", digest(token) if token else None), ("browser", browser)):
            if not value:
                continue
            found = self._rows(
                f"SELECT participant.* FROM participant JOIN classroom ON classroom = classroom.id "
                f"WHERE code = ? AND {column} = ? AND {ACTIVE} ORDER BY participant.id LIMIT 1",
                (code, value, oldest()),
            )
            if found:
                room = self._room("id = ?", (found[0]["classroom"],))
                row = found[0]
                if room is not None:
                    return room, Participant(row["id"], room.id, row["nickname"], row["step"])
        return None

    def news(self, room: int) -> tuple[int, int] | None:
        """Two numbers that differ when the teacher did something, and when an answer came; None where it is deleted."""
        rows = self._rows(
            "SELECT changed, (SELECT total(trials + seen) FROM answer WHERE classroom = id) AS came FROM classroom "
            f"WHERE id = ? AND {ACTIVE}",
            (room, oldest()),
        )
        return (rows[0]["changed"], int(rows[0]["came"])) if rows else None

    def _room(self, where: str, values: Sequence) -> Room | None:
        with self._read_lock:
            return self.row(self._reader, where, values)

    @staticmethod
    def row(db: sqlite3.Connection, where: str, values: Sequence) -> Room | None:
        """The class that a condition is true for, as a connection sees it."""
        row = db.execute(f"SELECT * FROM classroom WHERE {where} AND {ACTIVE}", (*values, oldest())).fetchone()
        if row is None:
            return None
        labels = db.execute("SELECT question FROM revealed WHERE classroom = ?", (row["id"],)).fetchall()
        star = db.execute("SELECT nickname FROM participant WHERE id = ?", (row["starred"],)).fetchone()
        about = {name: row[name] for name in Room._fields if name not in ("together", "starred", "revealed")}
        return Room(
            **about,
            together=bool(row["together"]),
            starred=star["nickname"] if star else "",
            revealed=frozenset(label["question"] for label in labels),
        )

    def answers_of(self, who: Participant) -> list[Answer]:
        """What a participant has answered."""
        return self._answers("answer.participant = ?", (who.id,))

    def answers(self, room: int, question: str = "") -> list[Answer]:
        """What a class has answered, or to one question, in the order in which it came."""
        return self._answers(
            "answer.classroom = ?" + " AND question = ?" * bool(question), (room, question) if question else (room,)
        )

    def _answers(self, where: str, values: Sequence) -> list[Answer]:
        query = f"{ANSWER} WHERE {where} ORDER BY given, participant"
        return [
            Answer(
                row["nickname"],
                row["question"],
                json.loads(row["first"]),
                json.loads(row["guess"]),
                row["trials"],
                bool(row["alone"]),
                row["given"],
            )
            for row in self._rows(query, values)
        ]

    def steps(self, room: int) -> dict[int, tuple[int, int]]:
        """How many are at each step: all, and of them those who are connected."""
        rows = self._rows(
            "SELECT step, count(*) AS n, sum(seen > ?) AS connected FROM participant WHERE classroom = ? GROUP BY step",
            (time.time() - CONNECTED, room),
        )
        return {row["step"]: (row["n"], row["connected"]) for row in rows}
