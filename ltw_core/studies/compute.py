"""Computing cells. No store, no clock but for durations, nothing global but caches by content: a cell gives its figure.

The cells of one class under one weighting share its vectors, so that a weighting is fitted once for all learners. A
process keeps the last corpora and the last class that it worked on.
"""

import logging
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ltw_core.corpora import Corpus, CorpusError
from ltw_core.corpora.catalogue import load_named
from ltw_core.corpora.tables.source import TableSource
from ltw_core.evaluation import Cancelled, Result, Vectors, evaluate_vectors, weigh
from ltw_core.studies.cell import Cell
from ltw_core.tasks import BinaryTask, VectorizedCorpus, sampled, vectorize
from ltw_core.weighting import make, paper_settings, protocol_settings
from ltw_core.weighting.methods import seeded

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class CellOutcome:
    """What became of a cell.

    Attributes
    ----------
    key : str
    result : Result or None
        None where it failed. ``result.seconds`` is the learner's alone; ``result.weighting_seconds`` those of the
        vectors that it shares.
    error : str
        A sentence, or for what nobody expected the traceback; "" where it did not fail.
    """

    key: str
    result: Result | None
    error: str = ""


def compute_batch(
    batch: Sequence[Any],
    weigh: Callable[[Any], Vectors],
    evaluate: Callable[[Any, Vectors], Result],
    turn: Callable[[Any], AbstractContextManager] = nullcontext,
) -> Iterator[CellOutcome]:
    """Compute cells that share their vectors, which are made once; one that fails does not stop the others.

    Parameters
    ----------
    batch : list of Cell, or of anything with a ``key``
    weigh, evaluate : callable
        Make the vectors from any of the cells, and a cell's result on them.
    turn : callable, optional
        Gives what is entered while a cell is computed.

    Raises
    ------
    Cancelled
        As ``weigh`` and ``evaluate`` do.
    """
    vectors, shared_error = None, ""
    for one in batch:
        result, error = None, ""
        with turn(one):
            try:
                if vectors is None and not shared_error:
                    vectors = weigh(one)
                if not shared_error:
                    result = evaluate(one, vectors)
            except Cancelled:
                raise
            except Exception as failure:  # whatever it is, it is this cell's result
                log.info("%s failed: %s", one, failure)
                error = describe_error(failure)
                if vectors is None:  # what failed is what they share
                    shared_error = error
        yield CellOutcome(one.key, result, error or shared_error)


def run_cells(
    cells: Sequence[Cell],
    on_outcome: Callable[[CellOutcome], bool | None] | None = None,
    weighting=None,
    seconds: float = 0.0,
) -> list[CellOutcome]:
    """Compute cells of equal ``vectors_key``; one that fails does not stop the others.

    Parameters
    ----------
    cells : list of Cell
    on_outcome : callable, optional
        Called with each outcome as it comes; returning True leaves the rest.
    weighting : estimator, optional
        Theirs, where it has been learned already; `seconds` is what that took.

    Raises
    ------
    ValueError
        The cells do not share their vectors.
    """
    if len({cell.vectors_key for cell in cells}) > 1:
        raise ValueError("these cells do not share their vectors: run them apart")
    outcomes = []
    for outcome in compute_batch(cells, lambda cell: _vectors(cell, weighting, seconds), evaluate_cell):
        outcomes.append(outcome)
        if on_outcome is not None and on_outcome(outcome):
            break
    return outcomes


def describe_error(error: BaseException) -> str:
    """The sentence of an expected error, else the traceback's last lines."""
    if isinstance(error, ValueError) and str(error):
        return str(error)
    if isinstance(error, MemoryError):
        return "There was not enough memory for this cell."
    return "".join(traceback.format_exception(error))[-4000:].strip()


def vectors_of(cell: Cell, task: BinaryTask | None = None, on_event: Callable | None = None) -> Vectors:
    """The weighted documents that cells of equal ``vectors_key`` have in common.

    Parameters
    ----------
    cell : Cell
    task : BinaryTask, optional
        The cell's, if it has been made; made from the corpus otherwise.
    on_event : callable, optional
        As in ``weigh``.

    Raises
    ------
    ValueError
        The versions differ, or the weighting cannot be fitted.
    """
    cell.check_versions()
    weighting = estimator_of(cell) if cell.weighting_parameters else cell.weighting
    return weigh(task_of(cell) if task is None else task, weighting, _seed(cell), on_event)


def _vectors(cell: Cell, weighting, seconds: float) -> Vectors:
    if weighting is None:
        return vectors_of(cell)
    cell.check_versions()
    vectors = weigh(task_of(cell), weighting)
    return replace(vectors, seconds=vectors.seconds + seconds)


def estimator_of(cell: Cell):
    """The cell's weighting, not fitted."""
    parameters = dict(cell.weighting_parameters) or paper_settings(cell.weighting, cell.corpus)
    return make(cell.weighting, random_state=_seed(cell), **protocol_settings(cell.weighting, cell.how) | parameters)


def _seed(cell: Cell) -> int:
    return cell.seed if seeded(cell.weighting) else 0


def evaluate_cell(cell: Cell, vectors: Vectors, on_event: Callable | None = None, *, keep_decisions=False) -> Result:
    """The cell's result on its vectors; parameters as of ``evaluate_vectors``."""
    how = {"keep_decisions": keep_decisions, "grid_sample": cell.grid_sample or None}
    result = evaluate_vectors(vectors, cell.learner, cell.grid, cell.seed, on_event, **how)
    return replace(result, weighting=cell.weighting, weighting_seconds=vectors.seconds)


def task_of(cell: Cell) -> BinaryTask:
    """The cell's binary problem; the last one is kept."""
    corpus = (cell.source, cell.corpus, cell.corpus_parameters, cell.fingerprint)
    counted = (cell.options, cell.documents, cell.protocol)
    drawn = (cell.sample, cell.seed) if cell.sample else None
    return _task_of((*corpus, *counted), drawn, cell.class_name, cell.ratio, cell.validation)


@lru_cache(maxsize=2)
def _corpus(source, name, parameters, fingerprint, options, documents, protocol) -> VectorizedCorpus:
    corpus = load_named(name, **dict(parameters)) if source is None else _table(source)
    if corpus.fingerprint != fingerprint:
        what = "archive" if source is None else "table"
        raise ValueError(
            f"the corpus {name} that lies here is not the one that the study was planned with: its content differs "
            f"({corpus.fingerprint[:12]}, not {fingerprint[:12]}); use the same {what} everywhere, or "
            "plan the study again"
        )
    return vectorize(corpus, options, documents=documents, protocol=protocol)


def _table(source: TableSource) -> Corpus:
    """A table; what is wrong with it is said without its folder, for it stands in the store, which others may read."""
    try:
        return source.load()
    except CorpusError as error:
        folder, file = os.path.split(source.path)
        said = str(error).replace(os.path.join(folder, ""), "").replace(file, source.called or file)
        raise CorpusError(f"{said} (On the machine or in the process that computes this cell.)") from None


@lru_cache(maxsize=1)
def _sample(of_corpus: tuple, size: int, seed: int) -> VectorizedCorpus:
    return sampled(_corpus(*of_corpus), size, seed)


@lru_cache(maxsize=1)
def _task_of(of_corpus: tuple, drawn: tuple | None, class_name: str, ratio: float, validation: float) -> BinaryTask:
    vectorized = _sample(of_corpus, *drawn) if drawn else _corpus(*of_corpus)
    return vectorized.task(class_name, ratio=ratio, validation=validation)
