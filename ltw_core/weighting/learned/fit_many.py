"""Fitting many learned weightings: side by side where that is faster, else one after the other."""

import logging
import time
from collections import deque
from dataclasses import replace
from functools import partial

from ltw_core.weighting.learned.engines.costs import Work
from ltw_core.weighting.learned.engines.engine_choice import UnusableDevice, choose, make_engine
from ltw_core.weighting.learned.protocol import Training

WAIT = 0.2  # seconds between two looks at whether one goes on, when all are paused
END = object()

_log = logging.getLogger(__name__)


def fit_many(
    weightings,
    data,
    engine="auto",
    device="auto",
    width=None,
    on_event=None,
    on_end=None,
    should_stop=None,
    is_paused=None,
):
    """Fit many ``LearnedWeighting``.

    Parameters
    ----------
    weightings : list of LearnedWeighting
        Their parameters equal but for ``random_state``; ``engine`` and ``device`` of each are not read.
    data : list of (X, y, validation), one for each weighting, or a single one for all
        As for ``LearnedWeighting.fit``: counts, labels, and a bool mask or None.
    engine, device : str
        As for ``choose``.
    width, on_event
        As for ``learn_lockstep``.
    on_end : callable or None
        Called with (index of the weighting, the fitted weighting) as soon as it is learned.
    should_stop : callable or None
        Asked with the index of a weighting between validations; returning True ends its training there.
    is_paused : callable or None
        Asked with the index of a weighting at its validations; as long as it returns True, its training waits there,
        and the others go on.

    A mean of several training runs (``n_members``) is learned as what it is made of; the callables are given its index
    with each of its members.

    Returns
    -------
    the weightings, fitted

    Raises
    ------
    UnusableDevice
        A GPU was asked for and does not work. Where nobody asked for it, the CPU learns and a note says so.
    """
    weightings, data = list(weightings), list(data)
    if len(data) not in (1, len(weightings)):
        raise ValueError(f"there are {len(weightings)} weightings and {len(data)} data sets")
    if not weightings:
        return []
    if any(weighting.is_mean for weighting in weightings):
        return _fit_means(weightings, data, engine, device, width, on_event, on_end, should_stop, is_paused)
    problems = [weighting.problem(*given) for weighting, given in zip(weightings, data, strict=False)]
    if len(data) == 1:  # seeds of one class share its problem
        problems *= len(weightings)
    settings = [weighting.settings() for weighting in weightings]
    chosen = choose(settings[0], len(problems), engine, device, work=Work.of(problems))
    said = ""

    ended_already = []

    def ended(index, training):
        ended_already.append(index)
        weightings[index].adopt(training, like=weightings[0] if len(data) == 1 else None)
        if on_end is not None:
            on_end(index, weightings[index])

    if chosen.engine == "lockstep":
        from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep  # imports torch

        listeners = {"should_stop": should_stop, "is_paused": is_paused}
        try:
            learn_lockstep(problems, settings, chosen.device, width, on_event, ended, **listeners)
            return weightings
        except (UnusableDevice, MemoryError) as error:  # others may have taken a GPU's memory
            if engine != "auto" or device != "auto" or ended_already:
                raise
            chosen = choose(settings[0], len(problems), device="cpu")
            said = f"Learned on the CPU: {error}."
            _log.warning(said)

    def learn(index):
        """Iterate over one training, up to its end."""
        problem, own = problems[index], settings[index]
        stop = should_stop and partial(should_stop, index)
        training = Training(problem, own, make_engine(problem, own, chosen.engine, chosen.device), stop)
        training.notes = (said,) if said else ()
        for event in training.events():
            if said and len(training.history) < 2:
                event = replace(event, message=f"{said} {event.message}".strip())
            if on_event is not None and on_event(index, event):
                training.stop()
            yield
        ended(index, training)

    _take_turns([learn(index) for index in range(len(problems))], is_paused or (lambda index: False))
    return weightings


def _take_turns(trainings, is_paused):
    """Iterate over one after the other; one that is paused lets the next go first."""
    waiting, passed = deque(enumerate(trainings)), 0
    while waiting:
        index, training = waiting[0]
        if is_paused(index):
            waiting.rotate(-1)
            passed += 1
            if passed >= len(waiting):
                time.sleep(WAIT)
                passed = 0
            continue
        passed = 0
        if next(training, END) is END:
            waiting.popleft()


def _fit_means(weightings, data, engine, device, width, on_event, on_end, should_stop, is_paused):
    """``fit_many`` where some are means: all training runs side by side, each mean as soon as its last one ends."""
    groups = [weighting.members() if weighting.is_mean else [weighting] for weighting in weightings]
    flat = [(place, member) for place, group in enumerate(groups) for member in group]
    of, waiting = [place for place, _ in flat], [len(group) for group in groups]
    each = data if len(data) == 1 else [data[place] for place in of]
    asked = lambda listener: listener and (lambda index, *rest: listener(of[index], *rest))  # noqa: E731

    def ended(index, _):
        place = of[index]
        waiting[place] -= 1
        if not waiting[place]:
            if weightings[place].is_mean:
                weightings[place].adopt_members(groups[place])
            if on_end is not None:
                on_end(place, weightings[place])

    stop, pause = asked(should_stop), asked(is_paused)
    fit_many([member for _, member in flat], each, engine, device, width, asked(on_event), ended, stop, pause)
    return weightings
