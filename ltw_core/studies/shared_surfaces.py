"""What several classes of a corpus learned, each alone, as one surface: their mean, as of LTW-U; and as a weighting.

Leaves out the arithmetic of means (``weighting.learned.ensemble``) and who lends (``weighting.learned.other_classes``).
"""

from collections.abc import Collection

from ltw_core.insight.likeness import DD_OF_LEARNED

RUNS = 3  # of each class, and what a class must have to take part: as of LTW-U
LENDS = {"min_documents": 20, "min_f1": 0.5}


def shared_surface(task, among: Collection[str] | None = None, runs: int = RUNS, **settings):
    """The mean surface that classes of a task's corpus learned.

    Parameters
    ----------
    task : BinaryTask
    among : collection of str, optional
        The classes that may take part; without it all but the task's own, as of LTW-U.
    runs : int
        Training runs of each class, of seeds 0 and those that follow.
    **settings
        Of each training run, see ``LearnedWeighting``.

    Returns
    -------
    Ensemble or None
        None where no class takes part.
    list of str
        The classes that do.
    """
    from ltw_core.weighting.learned import LearnedWeighting
    from ltw_core.weighting.learned.other_classes import lent

    members = LearnedWeighting(n_members=runs, **settings).members()
    return lent(task, members[0], [member.random_state for member in members], among=among, **LENDS)


def weighting_with(surface, called: str):
    """A shared surface as a weighting of any class, with LTW's own dd."""
    from ltw_core.weighting import TermWeighting, surface_function

    return TermWeighting(dd=DD_OF_LEARNED, cd=surface_function(surface, called))
