"""What terms contribute to a class's documents under a weighting, for pages: from its documents where they are here."""

from typing import Any

import numpy as np

from ltw_core.insight import contributing, contributions, estimated_share, weighted_documents
from ltw_core.insight.likeness import DD_OF_FORMULAS, DD_OF_LEARNED
from ltw_core.tasks import TermStatistics
from pages._ui.result_cache import kept
from pages._ui.weightings.learned import Learned
from pages._ui.workbench.shape_view import View

ESTIMATED = "estimated from counts, as its documents are not here"
STRONGEST = 10  # terms in a list of them
MEANING = (
    "A term’s contribution is its share of the squared length of the class’s training documents under the weighting: "
    "how much of what a classifier sees of them is this term"
)


def shares_of(view: View) -> dict[str, np.ndarray]:
    """Each term's share in the class's documents under the learned weighting and the formulas beside it, by name."""
    task = view.task()
    if task is None:
        return {name: estimated_share(weights, view.learned.terms) for name, weights in view.weights.items()}
    return {
        name: _share(task.fingerprint, weights.tobytes(), DD_OF_FORMULAS if k else view.learned.dd, task, weights)
        for k, (name, weights) in enumerate(view.weights.items())
    }


@kept(96)
def _share(fingerprint: str, content: bytes, dd: str, _task: Any, _weights: np.ndarray) -> np.ndarray:
    return share_in_class(_task, _weights, dd)


def share_in_class(task: Any, weights: np.ndarray, dd: str) -> np.ndarray:
    """Each term's share in the class's training documents under a cd and a dd."""
    rows = np.flatnonzero(task.y_train)
    vectors = weighted_documents(task.counts_train[rows], weights, dd)
    return contributions(vectors, np.ones(rows.size, dtype=bool)).in_class


def signed(learned: Learned, weights: np.ndarray | None = None, task: Any = None) -> np.ndarray:
    """Shares in percent, negative where the weight is.

    Of a ``task`` that is given they are those of its documents; else they are estimated from counts, which is quick
    enough for what moves while a weighting is being learned.
    """
    weights = learned.cd if weights is None else weights
    if task is None:
        return signed_share(weights, learned.terms)
    return 100 * np.sign(weights) * _share(task.fingerprint, weights.tobytes(), DD_OF_LEARNED, task, weights)


def signed_share(weights: np.ndarray, terms: TermStatistics, task: Any = None) -> np.ndarray:
    """The same of weights that are not asked for again: nothing is kept."""
    share = estimated_share(weights, terms) if task is None else share_in_class(task, weights, DD_OF_LEARNED)
    return 100 * np.sign(weights) * share


def strongest(share: np.ndarray, terms: TermStatistics, count: int = STRONGEST) -> np.ndarray:
    """Places of the strongest terms by what they contribute, for or against the class; of signed shares."""
    return contributing(np.abs(share), terms, count)
