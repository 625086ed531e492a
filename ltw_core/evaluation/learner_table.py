"""The table of learners, in the paper's order: to add one, write its class and register it here."""

from ltw_core.evaluation.base_learner import Learner
from ltw_core.evaluation.fasttext_learner import FT
from ltw_core.evaluation.knn import KNN
from ltw_core.evaluation.scikit_learners import LR, MNB, RF, SVM

LEARNERS: dict[str, Learner] = {}
"""By name; lists of learners everywhere follow its order."""


def register(learner: Learner) -> None:
    """Add a learner, or replace the one of its name."""
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


def short_learner(name: str) -> str:
    """A learner's name where there is little room: "SVM"; RF is a weighting, so that a forest is "Forest"."""
    return {"RF": "Forest"}.get(name, name)
