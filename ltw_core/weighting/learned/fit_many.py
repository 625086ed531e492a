"""Fitting many learned weightings: side by side where that is faster, else one after the other."""

from functools import partial

from ltw_core.weighting.learned.engines.choose import choose, make_engine
from ltw_core.weighting.learned.protocol import Training


def fit_many(weightings, data, engine="auto", device="auto", width=None, on_event=None, on_end=None, should_stop=None):
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

    Returns
    -------
    the weightings, fitted
    """
    weightings, data = list(weightings), list(data)
    if len(data) not in (1, len(weightings)):
        raise ValueError(f"there are {len(weightings)} weightings and {len(data)} data sets")
    if not weightings:
        return []
    problems = [weighting.problem(*given) for weighting, given in zip(weightings, data, strict=False)]
    if len(data) == 1:  # seeds of one class share its problem
        problems *= len(weightings)
    settings = [weighting.settings() for weighting in weightings]
    chosen = choose(settings[0], len(problems), engine, device)

    def ended(index, training):
        weightings[index].adopt(training, like=weightings[0] if len(data) == 1 else None)
        if on_end is not None:
            on_end(index, weightings[index])

    if chosen.engine == "lockstep":
        from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep  # imports torch

        learn_lockstep(problems, settings, chosen.device, width, on_event, ended, should_stop=should_stop)
        return weightings
    for index, (problem, own) in enumerate(zip(problems, settings, strict=True)):
        stop = should_stop and partial(should_stop, index)
        training = Training(problem, own, make_engine(problem, own, chosen.engine, chosen.device), stop)
        ended(index, training.run(on_event and partial(on_event, index)))
    return weightings
