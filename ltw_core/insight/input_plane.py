"""A network that is told more than tpr and fpr, over two of its inputs while the others stand still.

Over (tpr, fpr) such a weighting is a surface like any other, because its inputs follow from them. Over two inputs of
its own one sees what the network makes of these alone, also where no term of the class can be.
"""

from dataclasses import dataclass

import numpy as np

from ltw_core.weighting.canonical import canonical
from ltw_core.weighting.learned.network import VARIANTS, cd_of_inputs

POINTS = 40  # along each axis


@dataclass(frozen=True, eq=False)
class InputPlane:
    """Weights over two inputs, in canonical form.

    Attributes
    ----------
    x, y : ndarray, shape (points,)
        Along the axes.
    z : ndarray, shape (points of y, points of x)
    """

    x: np.ndarray
    y: np.ndarray
    z: np.ndarray


def seen_of_terms(weighting) -> dict[str, np.ndarray]:
    """What a fitted ``LearnedWeighting`` was told of each of its terms, by input, each of shape (terms,)."""
    found = weighting.seen.of(weighting.tpr_, weighting.fpr_)
    return {
        name: np.broadcast_to(values, weighting.tpr_.shape)
        for name, values in zip(weighting.seen.inputs, found, strict=True)
    }


def middle(values, document_frequency) -> float:
    """The median over the terms, each as often as documents hold it."""
    order = np.argsort(values, kind="stable")
    total = np.cumsum(np.asarray(document_frequency, dtype=float)[order])
    return float(np.asarray(values)[order][np.searchsorted(total, total[-1] / 2)])


def input_plane(weighting, x: str, y: str, fixed: dict[str, float], points: int = POINTS) -> InputPlane:
    """The surface over two inputs, as far as the class's terms reach along each.

    Parameters
    ----------
    weighting : LearnedWeighting
        Fitted, of one training run.
    x, y : str
        Two of its inputs.
    fixed : dict of str to float
        Values of the others.
    points : int
        Along each axis.

    Raises
    ------
    ValueError
        These are not all of its inputs.
    """
    names = weighting.seen.inputs
    if x == y or {x, y, *fixed} != set(names) or {x, y} & set(fixed):
        raise ValueError(f"the axes are {x} and {y} and {sorted(fixed)} stand still; its inputs are {', '.join(names)}")
    told = seen_of_terms(weighting)
    along = {name: np.linspace(told[name].min(), told[name].max(), points) for name in (x, y)}
    at = {name: np.full(1, value) for name, value in fixed.items()}
    at |= {x: along[x][None, :], y: along[y][:, None]}
    raw = cd_of_inputs(weighting.parameters_, [at[name] for name in names], VARIANTS[weighting.variant].sigmoid)
    factor = canonical(weighting.cd_, weighting.tpr_, weighting.fpr_, weighting.document_frequency_)
    return InputPlane(along[x], along[y], factor * raw)
