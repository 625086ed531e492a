"""How a text is set to be read, and which document to begin with."""

import itertools
import re
from typing import Any

import numpy as np

from ltw_core.insight.smallest_cosines import smallest_cosines

LONG = 45  # characters of a line that went on because it was full
FULL = 0.6  # of the lines that are followed by another: so many are full where a text was broken by its width
CODE = re.compile(r">>>|^\s*[-=~^]{3,}\s*$|^\s*:\w+:|::\s*$", re.MULTILINE)
TABLE = re.compile(r"\S {3,}\S")
SENTENCE = re.compile(r"[.!?][\"')]*$")
SYMBOLS = re.compile(r"``|[=_<>|\\{}@~^*#/]|\w\(|\d[.,]\d|-{3,}|\.{3,}")  # of code, tables, addresses and mark-up
BLANK = re.compile(r"\A(?:[ \t]*\r?\n)+")
EMPTY = re.compile(r"\n(?:[ \t]*\r?\n){2,}")
PARAGRAPH = re.compile(r"(?:[^\n]+\n?)+")
SHORTEST, LONGEST, FEWEST = 250, 900, 8  # characters of a text that is read at a glance, terms that it holds
AGENCIES = ("reuter", "reuters")  # whose name stands alone in a text's last line
RULE = re.compile(r"\n[ \t]*[-=~^]{3,}[ \t]*$", re.MULTILINE)
WORTH = 60  # characters of a line that says something
NEAR = 0.2  # documents that read as prose nearly as far as the best one
LOOKED_AT = 400  # documents among which one is chosen


def trimmed(text: str) -> str:
    """A text without the empty lines before and after it, and of several in it with one."""
    return EMPTY.sub("\n\n", BLANK.sub("", text).rstrip())


def reflowed(text: str) -> str:
    """A text as long as it was, whose lines no longer end where a newswire's or a mailer's did.

    Only in paragraphs most of whose lines are about as long as a line was then; headlines, indented lines, and what
    looks like code or a table stay. Characters stand where they stood, so that words are found at their places.
    """
    return PARAGRAPH.sub(lambda found: _joined(found.group()), text)


def unsigned(text: str) -> str:
    """A text without its agency's name below it."""
    head, line, last = text.rstrip().rpartition("\n")
    return head.rstrip() if line and last.strip(" \t.,;:-<>&#").lower() in AGENCIES else text


def unruled(text: str) -> str:
    """A text without the lines of dashes below its headings."""
    return RULE.sub("", text)


def _joined(paragraph: str) -> str:
    lines = paragraph.split("\n")
    followed = [a for a, b in itertools.pairwise(lines) if b[:1].strip() and not _stays(a)]
    full = [line for line in followed if LONG <= len(line.rstrip()) <= 80]
    if CODE.search(paragraph) or not full or len(full) < FULL * len(followed):
        return paragraph
    joined = lines[0]
    for before, line in itertools.pairwise(lines):
        ended = _stays(before) or (len(before.rstrip()) < LONG and before.rstrip()[-1:] in set(".:;!?>"))
        goes_on = not ended and line[:1].strip() and not TABLE.search(line)
        joined += (" " if goes_on else "\n") + line
    return joined


def _stays(line: str) -> bool:
    """Whether what follows a line begins anew: after a headline, a row of a table, an empty line."""
    return not line.strip() or line.isupper() or bool(TABLE.search(line))


def prose(text: str) -> float:
    """The share of a text's characters that stand in whole sentences of words, without symbols or decimals."""
    lines = [line.strip() for line in reflowed(text).split("\n") if line.strip()]
    read = [line for line in lines if len(line) >= WORTH and SENTENCE.search(line) and not SYMBOLS.search(line)]
    return sum(map(len, read)) / max(1, sum(map(len, lines)))


def at_a_glance(task: Any, part: str, rows: np.ndarray) -> np.ndarray:
    """Those of the first documents that are neither long nor nearly empty, and of these the ones that read most like
    prose; all where there are none."""
    counts = task.counts_train if part == "train" else task.counts_test
    some = rows[:LOOKED_AT]
    held = np.diff(counts.indptr)[some] >= FEWEST
    texts = {row: task.document(row, part) for row in some[held].tolist()}
    read = {row: prose(text) for row, text in texts.items() if SHORTEST <= len(text) <= LONGEST}
    best = max(read.values(), default=0.0)
    return np.array([row for row, share in read.items() if share >= best - NEAR], dtype=int) if read else some


def most_disputed(rows: np.ndarray, vectors: list[Any], decisions: list[np.ndarray]) -> int:
    """Of some documents the one that weightings see least alike; if they decide differently on some, one of these.

    Parameters
    ----------
    rows : ndarray of int
    vectors : of all documents of the part, one sparse array a weighting.
    decisions : distances of all documents from a hyperplane, one array a weighting; [] where nothing was decided.
    """
    if len(vectors) < 2:
        return int(rows[0])
    alike = smallest_cosines([v[rows] for v in vectors])
    if len(decisions) > 1:
        signs = np.stack([d[rows] > 0 for d in decisions])
        alike = alike - 2 * (signs.any(axis=0) & ~signs.all(axis=0))
    return int(rows[np.argmin(alike)])
