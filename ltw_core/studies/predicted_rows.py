"""Which test documents a cell's classifier predicted positive, as a text in the store: what cells are compared by.

A cell's counts say how many documents were decided right; to compare two cells one must know which. Leaves out the
documents' scores, which are found again by training the classifier with its parameters (``evaluation.decide``).
"""

import json

import numpy as np

from ltw_core.metrics import Counts
from ltw_core.storage.file_schema import FileError, read_json

LIMIT = 100_000  # rows; of more none is written down
CALLED = "predicted"


def written(rows: np.ndarray | None) -> str:
    """Ascending rows as JSON; "" where they are not known, or too many."""
    return "" if rows is None or len(rows) > LIMIT else json.dumps(np.asarray(rows).tolist(), separators=(",", ":"))


def read(text: str, counts: Counts) -> np.ndarray | None:
    """Rows from ``written``, shape (tp + fp,); None of "".

    Raises
    ------
    FileError
        They are no ascending rows, or not as many as were counted.
    """
    if not text:
        return None
    found = read_json(text, CALLED, 12 * LIMIT)
    if not isinstance(found, list) or not all(type(row) is int for row in found):
        raise FileError(f"{CALLED} must be a list of whole numbers")
    rows = np.array(found, dtype=np.int64)
    inside = not rows.size or (rows[0] >= 0 and rows[-1] < sum(counts))
    if rows.size != counts.tp + counts.fp or not inside or not (np.diff(rows) > 0).all():
        raise FileError(
            f"{CALLED} must be {counts.tp + counts.fp:,} ascending rows of {sum(counts):,} test documents, as counted"
        )
    return rows
