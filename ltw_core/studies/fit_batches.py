"""Learning the weightings of many cells side by side, on a GPU, before their classifiers are trained one by one.

Leaves out which engine and device that takes (``weighting.learned.engines.engine_choice``), and cells for which nothing
is learned.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ltw_core.studies.cell import Cell
from ltw_core.studies.compute import estimator_of, task_of
from ltw_core.weighting import family, learned
from ltw_core.weighting.learned.engines import engine_choice
from ltw_core.weighting.progress import Cancelled

log = logging.getLogger(__name__)

MAX_WEIGHTINGS = (
    128  # weightings learned at a time; their classes' documents are in memory together (5 MB each for Reuters)
)
MAX_BATCHES = 512  # batches looked through for them


class Batch(NamedTuple):
    """Cells that share their vectors; and their weighting with its seconds, where it has been learned already."""

    cells: list[Cell]
    weighting: Any = None
    seconds: float = 0.0


def fit_batches(
    batches: Iterable[Sequence[Cell]], device: str, stopped: Callable[[], bool], cores: int = 1
) -> Iterator[Batch]:
    """Hand batches on in their order, with learned weightings where learning them side by side is faster.

    Parameters
    ----------
    batches : iterable of lists of cells of equal ``vectors_key``
        Asked for as they are wanted; where there is a GPU up to `MAX_BATCHES` at once.
    device : "auto", "cpu", or a device of torch
    stopped : callable
        Whether it should end: what is being learned is left then, and its cells are handed on without.
    cores : int
        Processes that would share the work otherwise.
    """
    usable = None if device == "auto" else device != "cpu"
    window: list[list[Cell]] = []
    for cells in batches:
        if usable is None and _learns(cells):  # not before: to know it, torch is loaded
            usable = bool(engine_choice.gpus())
        window.append(list(cells))
        if not usable or sum(map(_learns, window)) >= MAX_WEIGHTINGS or len(window) >= MAX_BATCHES:
            yield from _window(window, device, stopped, cores) if usable else map(Batch, window)
            window = []
    yield from _window(window, device, stopped, cores)


def _learns(cells: Sequence[Cell]) -> bool:
    return family(cells[0].weighting) == "LTW"


def _window(window: list[list[Cell]], device: str, stopped: Callable[[], bool], cores: int) -> Iterator[Batch]:
    groups: dict[tuple, list[int]] = {}
    for place, cells in enumerate(window):
        if _learns(cells):
            groups.setdefault((cells[0].weighting, cells[0].corpus, cells[0].weighting_parameters), []).append(place)
    found: dict[int, Batch] = {}
    for places in groups.values():
        found |= _learn([(place, window[place]) for place in places], device, stopped, cores)
    for place, cells in enumerate(window):
        yield found.get(place, Batch(cells))


def _learn(
    batches: list[tuple[int, list[Cell]]], device: str, stopped: Callable[[], bool], cores: int
) -> dict[int, Batch]:
    """Weightings of one kind; none where learning them one by one is faster, or fails."""
    ready = []
    for place, cells in batches:
        try:
            cells[0].check_versions()
            task, weighting = task_of(cells[0]), estimator_of(cells[0])
            if not task.y_train.any() or task.y_train.all():
                continue  # whoever computes the cell says why it cannot be
            ready.append((place, cells, weighting, (task.counts_train, task.y_train, task.validation)))
        except ValueError:
            continue
    if not ready or stopped():
        return {}
    places, cells, weightings, data = zip(*ready, strict=True)
    n_terms = max(counts.shape[1] for counts, *_ in data)
    work = engine_choice.Work(cores=cores, n_terms=n_terms, n_pairs=min(n_terms, engine_choice.Work().n_pairs))
    chosen = engine_choice.choose(weightings[0].settings(), len(ready), "auto", device, work=work)
    if chosen.engine != "lockstep":
        return {}
    began = time.perf_counter()
    try:
        learned.fit_many(weightings, data, chosen.engine, chosen.device, on_event=lambda *_: stopped())
    except Cancelled:
        return {}
    except (engine_choice.UnusableDevice, MemoryError, RuntimeError) as error:
        log.warning("learning %d weightings side by side failed (%s); they are learned one by one", len(ready), error)
        return {}
    if stopped():
        return {}
    each = (time.perf_counter() - began) / len(ready)
    return {place: Batch(own, weighting, each) for place, own, weighting in zip(places, cells, weightings, strict=True)}
