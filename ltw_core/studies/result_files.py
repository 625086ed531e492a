"""Files of results other than the figures themselves: rows of a CSV, what ships as JSON, errors of both in a sentence.

Leaves out the figures of studies and where they come from (``results``).
"""

import csv
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ltw_core.settings import results_dir, why_not_shipped

log = logging.getLogger(__name__)
LEAST = 10  # training documents of a class: of fewer, little can be said of that class by itself


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Say of whatever goes wrong in reading a shipped file that it cannot be read.

    Raises
    ------
    ValueError
        The file is missing or damaged.
    """
    try:
        yield
    except (OSError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{what} cannot be read: {error}{why_not_shipped()}") from error


def shipped_json(file: str) -> Any:
    """What a JSON file among the shipped results holds."""
    return json.loads((results_dir() / file).read_text(encoding="utf-8"))


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file by column; [] where there is no file."""
    if not path.is_file():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Sequence], mode: str = "w") -> None:
    """Write a CSV file, or with the mode "a" add to one, which gets its first line where it is new."""
    new = mode == "w" or not path.exists()
    with path.open(mode, encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(columns)
        writer.writerows(rows)


def typed(row: dict[str, str], kind: type):
    """A named tuple of what its fields are called in a row, each read as the type that the field has."""
    return kind(**{name: read(row[name]) for name, read in kind.__annotations__.items()})


def read_tuples(path: Path, kind: type) -> list:
    """The rows of a file as named tuples; [] where there is no file.

    Raises
    ------
    ValueError
        It is damaged.
    """
    with readable(f"{path.name} among the results"):
        return [typed(row, kind) for row in read_rows(path)]


def add_tuples(path: Path, kind: type, rows: Iterable[Sequence]) -> None:
    """Add named tuples of a kind to a file, their fractions with four digits; none is written before all are there."""
    rounded = [[f"{value:.4g}" if isinstance(value, float) else value for value in row] for row in rows]
    write_rows(path, kind._fields, rounded, "a")


def fill(
    path: Path, kind: type, corpus: str, of_class: Callable, names: Iterable[str] = (), least: int = LEAST
) -> None:
    """Add to a file what it lacks of a corpus, class by class, so that it goes on where it was stopped.

    Parameters
    ----------
    path : path
    kind : type of named tuple
        Of a row; its first fields are the corpus and the class.
    corpus : str
        Name in the catalogue.
    of_class : callable
        From a ``BinaryTask`` to its rows.
    names : iterable of str
        Classes; none: all.
    least : int
        Training documents without which a class is left out.
    """
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    there = {row[:2] for row in read_tuples(path, kind)}
    vectorized = vectorize(load(corpus), documents="with_terms")
    for name in names or vectorized.class_names:
        if (corpus, name) not in there and vectorized.labels_of(name)[0].sum() >= least:
            add_tuples(path, kind, of_class(vectorized.task(name)))
            log.info("%s done", name)
