"""Several learned surfaces as one: their mean, each in canonical form, and, where asked for, a formula's share in it.

Raw surfaces cannot be averaged, because their scale is arbitrary and in the I variants their sign too; in canonical
form (``ltw_core.weighting.canonical``) they can. The mean is kept as it is drawn and computed: the stacked parameters
of all networks, and one coefficient each, so that

    cd(tpr, fpr) = Σ_m a_m · cd_m(tpr, fpr) + a_f · formula(tpr, fpr)

It is taken after σ, where a variant has one. Leaves out training the members (``fit_many``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ltw_core.weighting.canonical import canonical
from ltw_core.weighting.learned.inputs import AS_IN_THE_PAPER, Seen
from ltw_core.weighting.learned.network import cd_of_inputs

MOST_MEMBERS = 10_000
BY_DOCUMENTS = "documents"
HALF = 20  # documents of a class at which a formula's share by documents is one half

Formula = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Ensemble:
    """A mean of surfaces.

    Attributes
    ----------
    parameters : dict of ndarray
        W1 (k, n_inputs, H), b1 (k, H), W2 (k, H), b2 (k, 1), as of ``network`` with a member on the first axis.
    coefficients : ndarray, shape (k + 1,)
        What each member's raw surface, and last the formula, is multiplied with.
    sigmoid : bool
        Whether a member's surface ends in σ.
    seen : Seen
        What the networks see of a term.
    formula : callable or None
        Of (tpr, fpr), for the last coefficient.
    """

    parameters: dict[str, np.ndarray]
    coefficients: np.ndarray
    sigmoid: bool
    seen: Seen = AS_IN_THE_PAPER
    formula: Formula | None = None

    @property
    def n_members(self) -> int:
        return len(self.coefficients) - 1

    def members(self, tpr, fpr) -> np.ndarray:
        """What the surface would be with each member in the place of all, shape (k, …): their mean is the surface."""
        at = self.seen.of(tpr, fpr)
        every = [{name: part[m] for name, part in self.parameters.items()} for m in range(self.n_members)]
        weights = self.coefficients[:-1] * self.n_members
        found = np.stack([w * cd_of_inputs(one, at, self.sigmoid) for w, one in zip(weights, every, strict=True)])
        return found if self.formula is None else found + self.coefficients[-1] * self.formula(tpr, fpr)

    def for_class(self, prevalence, n_documents) -> "Ensemble":
        """The same for a class of such a prevalence and so many documents, where a network sees these too."""
        return replace(self, seen=self.seen.at(prevalence, n_documents))

    def surface(self, tpr, fpr) -> np.ndarray:
        """The mean at (tpr, fpr), which broadcast."""
        return self.members(tpr, fpr).mean(axis=0)

    def spread(self, tpr, fpr) -> np.ndarray:
        """Standard deviation over members (n - 1 in the denominator; 0 with a single one)."""
        return standard_deviation(self.members(tpr, fpr))


def standard_deviation(values: np.ndarray) -> np.ndarray:
    """Over the first axis, with n - 1 in the denominator; 0 of a single one."""
    return values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1:])


def stacked(parameters: Sequence[dict]) -> dict[str, np.ndarray]:
    """Parameters of several networks with a member on the first axis."""
    return {name: np.stack([np.asarray(one[name]) for one in parameters]) for name in parameters[0]}


def coefficients(cds, statistics, formula_cd=None, share: float = 0.0) -> np.ndarray:
    """The coefficients of a mean in canonical form.

    Parameters
    ----------
    cds : array_like, shape (k, F)
        Each member's raw weights of the terms.
    statistics : (tpr, fpr, document frequency)
        Of the terms, each of shape (F,).
    formula_cd : array_like, shape (F,), optional
        What the formula weighs them.
    share : float in [0, 1]
        The formula's: the members' mean, itself in canonical form, has 1 - share.

    Returns
    -------
    ndarray, shape (k + 1,)
    """
    cds = np.asarray(cds, dtype=float)
    own = np.array([canonical(cd, *statistics) for cd in cds]) / len(cds)
    if formula_cd is None:
        return np.append(own, 0.0)
    own = own * canonical(own @ cds, *statistics)
    return np.append((1 - share) * own, share * canonical(formula_cd, *statistics))


def joined(members: Sequence, formula: Formula | None, share) -> tuple[dict, np.ndarray, np.ndarray]:
    """Fitted training runs of one problem as one: parameters, coefficients, and the terms' weights.

    Parameters
    ----------
    members : list of LearnedWeighting
    formula : callable, optional
    share : float or "documents"

    Returns
    -------
    parameters, coefficients
        As of ``Ensemble``.
    weights : ndarray, shape (k, F)
        As of ``Ensemble.members`` at the terms: their mean is the weighting's cd.
    """
    first = members[0]
    statistics = first.tpr_, first.fpr_, first.document_frequency_
    cds = np.stack([member.cd_ for member in members])
    formula_cd = None if formula is None else formula(first.tpr_, first.fpr_)
    positives = round(first.prevalence_ * first.n_documents_)
    found = coefficients(cds, statistics, formula_cd, share_of(share, positives))
    weights = len(members) * found[:-1, None] * cds
    if formula is not None:
        weights = weights + found[-1] * formula_cd
    return stacked([member.parameters_ for member in members]), found, weights


def share_of(share, positives: int) -> float:
    """A formula's share: as given, or for "documents" ``HALF`` / (``HALF`` + the class's training documents)."""
    return HALF / (HALF + positives) if share == BY_DOCUMENTS else float(share)


def formula_surface(name: str, prevalence: float, n_documents: int) -> Formula:
    """A cd by name or formula as a function of (tpr, fpr) at a class's prevalence and documents.

    Raises
    ------
    ValueError
        There is no such function, or the formula cannot be read.
    """
    from ltw_core.weighting.formulas.lookup import cd_function

    function = cd_function(name)

    def at(tpr, fpr):
        value = np.asarray(function(tpr, fpr, prevalence, n_documents), dtype=float)
        shape = np.broadcast_shapes(np.shape(tpr), np.shape(fpr))
        return np.broadcast_to(np.nan_to_num(value, posinf=0.0, neginf=0.0), shape)

    return at
