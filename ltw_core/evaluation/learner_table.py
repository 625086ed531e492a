"""The table of classifiers, in the order of the paper's: to add one, write its class and register it here."""

from ltw_core.evaluation.classifiers import LR, MNB, RF, SVM, Learner
from ltw_core.evaluation.dense import FT
from ltw_core.evaluation.knn import KNN

LEARNERS: dict[str, Learner] = {}
"""By name; lists of classifiers everywhere follow its order."""


def register(learner: Learner) -> None:
    """Add a classifier, or replace the one of its name."""
    LEARNERS[learner.name] = learner


for _learner in (SVM(), LR(), MNB(), KNN(), RF(), FT()):
    register(_learner)


def learners(weighting: str | None = None) -> list[str]:
    """Names of the learners, in the order of the paper's tables.

    Parameters
    ----------
    weighting : str, optional
        Name of a weighting: also those that come with it, FT with Dense.
    """
    return [name for name, learner in LEARNERS.items() if learner.weighting in (None, weighting)]


def learner(name: str) -> Learner:
    """The learner of a name, with its ``title`` and ``note``.

    Raises
    ------
    ValueError
        For an unknown name; the message lists those there are.
    """
    if name not in LEARNERS:
        raise ValueError(f"learner is {name!r}; it must be one of {', '.join(LEARNERS)}")
    return LEARNERS[name]
