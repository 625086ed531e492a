"""Results for all classes at once that stay on this server: found again by what they were computed from.

Each is a file of arrays in the state folder, named by the key of its cell; a damaged one counts as absent. Some ship
with the app (``all_classes``). What was decided of each document is not kept (``evaluation.decide_multiclass`` finds it
out again). Leaves out studies, whose cells are of one class each (``cell``).
"""

import json
import logging
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np

from ltw_core.evaluation import MulticlassResult
from ltw_core.settings import results_dir, state_dir
from ltw_core.storage.disk_cache import read_arrays, write_arrays
from ltw_core.studies.cell import current_versions, digest
from ltw_core.tasks import WithoutTerms

log = logging.getLogger(__name__)

VERSION = 2  # raise it when a change to classifiers of all classes moves figures
MOST_FILES = 2_000  # the oldest go first; with 50 classes one takes 20 KB
ARRAYS = ("confusion", "train_sizes")
ABOUT = tuple(part.name for part in fields(MulticlassResult) if part.name not in (*ARRAYS, "decisions"))


@dataclass(frozen=True)
class MulticlassCell:
    """One result for all classes: everything that can change it.

    Attributes
    ----------
    fingerprint : str
        Of the ``MulticlassTask``: texts, labels, selected terms, and which test documents count.
    weighting, policy, learner, grid : str
        Names, as for ``evaluate_multiclass``.
    seed : int
    """

    fingerprint: str
    weighting: str
    policy: str
    learner: str
    grid: str
    seed: int = 0

    @cached_property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of the cell and of the versions of what computes it here."""
        own = [getattr(self, part.name) for part in fields(self)]
        return digest([VERSION, *own, [list(version) for version in current_versions()]])

    def path_in(self, folder: Path) -> Path:
        """The file of its result."""
        return folder / f"{self.key[:32]}.npz"


def shipped_in(results: Path) -> Path:
    """Where a folder of results has those for all classes."""
    return results / "all_classes"


def find(cell: MulticlassCell) -> MulticlassResult | None:
    """The result of a cell, without decisions; None where it was neither computed on this server nor ships."""
    here = read_arrays(cell.path_in(_here()), _unpacked)
    return here or read_arrays(cell.path_in(shipped_in(results_dir())), _unpacked)


def ships(cell: MulticlassCell) -> bool:
    """Whether the result of a cell comes with the app: then it need not have been computed on this server."""
    return cell.path_in(shipped_in(results_dir())).exists()


def keep(cell: MulticlassCell, result: MulticlassResult, folder: Path | None = None) -> None:
    """Keep a result without its decisions, on this server or in another ``folder``. A full or read-only disk is logged,
    not raised."""
    about = {name: getattr(result, name) for name in ABOUT}
    packed = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    folder = folder or _here()
    write_arrays(cell.path_in(folder), {"about": packed, **{name: getattr(result, name) for name in ARRAYS}})
    _forget_oldest(folder)


def _unpacked(arrays: dict[str, np.ndarray]) -> MulticlassResult:
    about = json.loads(arrays["about"].tobytes())
    if set(about) != set(ABOUT):
        raise ValueError("it is of another version")
    tuples = {name: tuple(about[name]) for name in ("class_names", "warnings")}
    without = about["without_terms"]
    about |= tuples | {"without_terms": None if without is None else WithoutTerms(*without)}
    return MulticlassResult(**about, **{name: arrays[name] for name in ARRAYS})


def _here() -> Path:
    return state_dir() / "all classes"


def _forget_oldest(folder: Path) -> None:
    try:
        by_age = sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)
        for path in by_age[: max(0, len(by_age) - MOST_FILES)]:
            path.unlink()
    except OSError as error:  # another process may do the same
        log.warning("old results for all classes could not be removed: %s", error)
