"""Classes of students who go through a lesson together: who is in one, what they guessed, what everybody is shown.

All of it lies in one SQLite file (``classrooms.sql``), so that several server processes share a class and a killed one
takes nothing with it. An answer is one row, written in one statement: of two that arrive at the same moment neither is
lost. Whoever takes part is a random token of which the digest is kept; a teacher is a browser, known by the digest of
its secret, and every act of a teacher looks that up in the transaction that does it.

Leaves out what a guess means (``ltw_core.lessons``), and who is asking (``pages/_ui/reader``).
"""

import hmac
import json
import secrets
import sqlite3
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ltw_core.service.classroom_queries import ACTIVE, ClassroomQueries, Participant, Room, oldest
from ltw_core.service.classroom_words import digest, digest_of_phrase, new_code, new_nickname, new_phrase, read_code
from ltw_core.storage.database import PATIENCE, insert

CLASSES_EACH, CLASSES_ALL, PARTICIPANTS, ANSWERS_EACH = 20, 2_000, 300, 200
GUESS_LIMIT, LABEL_LIMIT, NAME_LIMIT = 30_000, 100, 300  # characters
SECONDS, WRONG_EACH, WRONG_ALL = 600.0, 10, 300  # so many wrong codes in so many seconds: of one visitor, of all
NO_CLASS = "there is no class with this code; look at it again, it has six letters and digits"
NO_TEACHER = "only the teacher of a class can do this; with its recovery phrase any browser can become one"


class Classrooms(ClassroomQueries):
    """The file of classes. May be used from several threads, and by several processes at once."""

    schema = Path(__file__).with_suffix(".sql")
    version = 1
    called = "the file of classes"

    # How students come in ----------------------------------------------------------------------------------------
    def look_up(self, code: str, who: str) -> Room:
        """The class of a code that somebody typed; codes that are wrong are counted.

        Parameters
        ----------
        who : str
            What the visitor is counted by, a browser or an address.

        Raises
        ------
        ValueError
            There is no such class, or too many codes were wrong lately.

        See Also
        --------
        by_link : what a link leads to, which nobody guesses and which is never refused.
        """
        wanted = read_code(code)
        with self.transaction() as db:
            _check_tries(db, who)
            row = self.row(db, "code = ?", (wanted,))
            if row is None:
                insert(db, "wrong", {"who": who, "at": time.time()})
        if row is None:
            raise ValueError(NO_CLASS)
        return row

    # What students do --------------------------------------------------------------------------------------------
    def join(self, room: Room, browser: str | None) -> str:
        """Enter a participant; returns the token that their address holds. One browser takes part once: who joins
        again from it goes on as the same, with a new token.

        Raises
        ------
        ValueError
            The class is full, or gone.
        """
        token = secrets.token_hex(16)
        entry = {"token": digest(token), "browser": browser, "seen": time.time()}
        with self.transaction() as db:
            if self.row(db, "id = ?", (room.id,)) is None:
                raise ValueError("this class is over; ask your teacher for a new code")
            taken = {
                row["nickname"]: row
                for row in db.execute("SELECT * FROM participant WHERE classroom = ?", (room.id,)).fetchall()
            }
            known = next((row["id"] for row in taken.values() if browser and row["browser"] == browser), None)
            if known is not None:
                db.execute(
                    "UPDATE participant SET token = ?, seen = ? WHERE id = ?", (entry["token"], entry["seen"], known)
                )
            elif len(taken) >= PARTICIPANTS:
                raise ValueError(f"this class is full; it has {PARTICIPANTS} places")
            else:
                step = db.execute("SELECT step * together FROM classroom WHERE id = ?", (room.id,)).fetchone()[0]
                about = {"classroom": room.id, "nickname": new_nickname(taken), "step": max(step, 1)}
                insert(db, "participant", entry | about)
        return token

    def here(self, participant: int) -> bool:
        """Note that a participant is connected; waits for nobody, for it is called while their page is drawn.

        False where it could not be noted, because somebody else is writing or nothing can be written: call it again
        soon.
        """
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self._db.execute("PRAGMA busy_timeout = 0")
            with self.transaction() as db:
                db.execute("UPDATE participant SET seen = ? WHERE id = ?", (time.time(), participant))
        except sqlite3.Error:
            return False
        finally:
            self._db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
            self._lock.release()
        return True

    def go(self, participant: int, step: int) -> int:
        """Open a step, as far as the class is let go; returns where the participant is then."""
        held = "(SELECT CASE together WHEN 1 THEN step ELSE n_steps END FROM classroom WHERE id = classroom)"
        with self.transaction() as db:
            row = db.execute(
                f"UPDATE participant SET step = max(1, min(?, {held})), seen = ? WHERE id = ? RETURNING step",
                (step, time.time(), participant),
            ).fetchone()
        return row["step"] if row else 1

    def answer(self, who: Participant, question: str, guess: Any) -> bool:
        """Write a guess, in the place of an earlier one; False where the answer has been shown already.

        Parameters
        ----------
        guess : what JSON can hold
            Checked by whoever knows the question.

        Raises
        ------
        ValueError
            It is too long, or there are more answers than a lesson has questions.
        """
        text = json.dumps(guess, separators=(",", ":"), allow_nan=False)
        if len(text) > GUESS_LIMIT or not 0 < len(question) <= LABEL_LIMIT:
            raise ValueError(f"an answer may have {GUESS_LIMIT:,} characters, this one has {len(text):,}")
        with self.transaction() as db:
            if db.execute("SELECT count(*) FROM answer WHERE participant = ?", (who.id,)).fetchone()[0] > ANSWERS_EACH:
                raise ValueError(f"nobody can give more than {ANSWERS_EACH} answers")
            written = db.execute(
                "INSERT INTO answer (classroom, question, participant, first, guess, given) "
                "SELECT classroom, :question, id, :text, :text, :now FROM participant WHERE id = :who AND NOT EXISTS "
                "(SELECT 1 FROM revealed WHERE revealed.classroom = participant.classroom AND question = :question) "
                "ON CONFLICT (classroom, question, participant) DO UPDATE SET "
                "guess = excluded.guess, given = excluded.given, trials = trials + 1 WHERE seen = 0",
                {"question": question, "text": text, "now": time.time(), "who": who.id},
            ).rowcount
        return written == 1

    def shown_alone(self, who: Participant, question: str) -> None:
        """Note that a participant who goes alone was shown the answer: their guess stays what it is."""
        with self.transaction() as db:
            db.execute("UPDATE answer SET seen = 1 WHERE question = ? AND participant = ?", (question, who.id))

    # What teachers do --------------------------------------------------------------------------------------------
    def open_class(
        self, browser: str, lesson: str, n_steps: int, *, dataset: str, class_name: str, shown: str = ""
    ) -> tuple[Room, str]:
        """Make a class; returns it and the phrase by which another browser can lead it, which is kept nowhere.

        Raises
        ------
        ValueError
            This browser leads too many, or there are too many in all.
        """
        if not browser or n_steps < 1 or max(map(len, (lesson, dataset, class_name))) > NAME_LIMIT:
            raise ValueError(
                f"a class needs a browser, a lesson and a dataset with names up to {NAME_LIMIT} characters"
            )
        self.purge()
        phrase, key = new_phrase(), secrets.token_hex(8)
        with self.transaction() as db:
            led = db.execute("SELECT count(*) FROM teacher WHERE browser = ?", (browser,)).fetchone()[0]
            if led >= CLASSES_EACH:
                raise ValueError(f"a browser can lead {CLASSES_EACH} classes; delete one first")
            if db.execute("SELECT count(*) FROM classroom").fetchone()[0] >= CLASSES_ALL:
                raise ValueError(f"this server has room for {CLASSES_ALL:,} classes, and they are all taken")
            taken = {row["code"] for row in db.execute("SELECT code FROM classroom").fetchall()}
            code = next(code for code in iter(new_code, None) if code not in taken)
            about = {"code": code, "screen": key, "phrase": digest_of_phrase(phrase, code), "created": time.time()}
            about |= {"lesson": lesson, "n_steps": n_steps, "dataset": dataset, "class_name": class_name}
            number = insert(db, "classroom", about | {"shown": shown[:LABEL_LIMIT]})
            insert(db, "teacher", {"classroom": number, "browser": browser})
            return self.row(db, "id = ?", (number,)), phrase

    def recover(self, code: str, phrase: str, browser: str, who: str) -> Room:
        """Let another browser lead a class, by the phrase that was shown when it was made.

        Raises
        ------
        ValueError
            Code or phrase is wrong, or too many were lately.
        """
        wanted = read_code(code)
        given = digest_of_phrase(phrase, wanted)
        with self.transaction() as db:
            _check_tries(db, who)
            row = self.row(db, "code = ?", (wanted,))
            kept = db.execute("SELECT phrase FROM classroom WHERE code = ?", (wanted,)).fetchone()
            right = row is not None and hmac.compare_digest(kept["phrase"], given)
            if right:
                insert(db, "teacher", {"classroom": row.id, "browser": browser}, "ON CONFLICT DO NOTHING")
            else:
                insert(db, "wrong", {"who": who, "at": time.time()})
        if not right:
            raise ValueError("code and phrase do not belong together; the phrase has seven words")
        return row

    def hold(self, room: Room, browser: str | None, step: int) -> None:
        """Bring everybody to a step, beyond which nobody goes."""
        step = min(max(step, 1), room.n_steps)
        with self._as_teacher(room, browser, "step = ?, together = 1", (step,)) as db:
            db.execute("UPDATE participant SET step = ? WHERE classroom = ?", (step, room.id))

    def let_go(self, room: Room, browser: str | None) -> None:
        """Let everybody go on alone; each sees an answer when they have guessed."""
        with self._as_teacher(room, browser, "together = 0"):
            pass

    def reveal(self, room: Room, browser: str | None, question: str) -> None:
        """Show everybody the answer to a question; from now on nobody guesses it any more."""
        with self._as_teacher(room, browser) as db:
            about = {"classroom": room.id, "question": question[:LABEL_LIMIT]}
            insert(db, "revealed", about, "ON CONFLICT DO NOTHING")

    def show(self, room: Room, browser: str | None, question: str) -> None:
        """Project a question and its guesses; "" for how to join."""
        with self._as_teacher(room, browser, "shown = ?, starred = NULL", (question[:LABEL_LIMIT],)):
            pass

    def star(self, room: Room, browser: str | None, nickname: str) -> None:
        """Point out a participant's guess in the projected view; "" for nobody's."""
        one = "starred = (SELECT id FROM participant WHERE classroom = ? AND nickname = ?)"
        with self._as_teacher(room, browser, one, (room.id, nickname)):
            pass

    def delete(self, room: Room, browser: str | None) -> None:
        """Remove a class and all that was answered in it, for good."""
        with self._as_teacher(room, browser) as db:
            db.execute("DELETE FROM classroom WHERE id = ?", (room.id,))

    @contextmanager
    def _as_teacher(self, room: Room, browser: str | None, change: str = "", values: Sequence = ()):
        """A transaction of somebody who leads the class; what they do is news to everybody."""
        with self.transaction() as db:
            leads = "SELECT 1 FROM teacher JOIN classroom ON classroom = id WHERE classroom = ? AND browser = ?"
            if not db.execute(f"{leads} AND {ACTIVE}", (room.id, browser, oldest())).fetchone():
                raise ValueError(NO_TEACHER)
            what = f"{change}, " * bool(change) + "changed = changed + 1"
            db.execute(f"UPDATE classroom SET {what} WHERE id = ?", (*values, room.id))
            yield db

    def purge(self) -> int:
        """Remove classes whose time is over. Returns how many."""
        with self.transaction() as db:
            db.execute("DELETE FROM wrong WHERE at < ?", (time.time() - SECONDS,))
            return db.execute("DELETE FROM classroom WHERE created <= ?", (oldest(),)).rowcount


def _check_tries(db: sqlite3.Connection, who: str) -> None:
    """Refuse whoever tried too many codes that were wrong, and everybody where all together did."""
    since = time.time() - SECONDS
    count = "SELECT count(*) FROM wrong WHERE at > ?"
    mine = db.execute(f"{count} AND who = ?", (since, who)).fetchone()[0]
    if mine >= WRONG_EACH or db.execute(count, (since,)).fetchone()[0] >= WRONG_ALL:
        raise ValueError(f"too many codes were wrong; try again in {SECONDS / 60:.0f} minutes, or use the class's link")
