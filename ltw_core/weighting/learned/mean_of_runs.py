"""What makes a ``LearnedWeighting`` of several training runs: which they are, their mean, and what it is called.

Leaves out the arithmetic of the mean (``ensemble``) and training them (``fit_many``).
"""

from numbers import Integral, Real

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from ltw_core.storage.file_schema import said
from ltw_core.weighting.canonical import canonical
from ltw_core.weighting.learned.ensemble import (
    BY_DOCUMENTS,
    MOST_MEMBERS,
    Ensemble,
    formula_surface,
    joined,
    stacked,
    standard_deviation,
)
from ltw_core.weighting.learned.network import VARIANTS
from ltw_core.weighting.methods import learned_name
from ltw_core.weighting.progress import Cancelled


class MeanOfRuns:
    """The part of ``LearnedWeighting`` that averages training runs, and a formula with them."""

    @property
    def is_mean(self) -> bool:
        """Whether it is the mean of several training runs, or of one and a formula."""
        return self.n_members != 1 or self.mixed is not None

    def _check_mean(self):
        """Raise a ValueError where the parameters of a mean are wrong."""
        members, share = self.n_members, self.share
        if not isinstance(members, Integral) or isinstance(members, bool) or not 1 <= members <= MOST_MEMBERS:
            raise ValueError(f"n_members must be a whole number from 1 to {MOST_MEMBERS:,}, not {said(members)}")
        if share != BY_DOCUMENTS and (not isinstance(share, Real) or isinstance(share, bool) or not 0 <= share <= 1):
            raise ValueError(f"share must lie in [0, 1] or be {BY_DOCUMENTS!r}, not {said(share)}")
        if not self.is_mean:
            return
        network = VARIANTS.get(self.variant)
        if network is not None and (not network.has_surface or network.learned_dd):
            raise ValueError(f"n_members and mixed are for LTW-L-sigma and LTW-L-I, not for {self.variant}")
        if self.mixed is not None:
            formula_surface(self.mixed, 0.5, 2)

    def members(self) -> list:
        """The training runs whose surfaces it averages, not fitted."""
        first = self.settings().seed * self.n_members
        return [clone(self).set_params(n_members=1, mixed=None, random_state=first + m) for m in range(self.n_members)]

    def adopt_members(self, members):
        """Take the mean of fitted training runs: from here on the weighting is fitted.

        Parameters
        ----------
        members : list of LearnedWeighting
            Of one problem; as of ``members``.

        Raises
        ------
        Cancelled
            One of them was stopped.
        """
        if any(member.stop_code_ == "stopped" for member in members):
            raise Cancelled("Not all of the training runs that would be averaged came to their end")
        first = members[0]
        names = ("n_features_in_", "feature_names_in_", "classes_", "tpr_", "fpr_", "document_frequency_",
                 "prevalence_", "n_documents_", "engine_", "device_", "remarks_")  # fmt: skip
        vars(self).update({name: getattr(first, name) for name in names if hasattr(first, name)})
        formula = self._formula()
        self.parameters_, self.coefficients_, cds = joined(members, formula, self.share)
        self.cd_, self.cd_spread_ = cds.mean(axis=0), standard_deviation(cds)
        self.member_f1_ = np.array([member.best_f1_ for member in members])
        self.member_steps_ = np.array([member.steps_ for member in members])
        self.best_f1_ = float(self.member_f1_.mean())
        self.best_step_ = round(np.mean([member.best_step_ for member in members]))
        self.steps_, self.attempts_ = int(self.member_steps_.sum()), sum(member.attempts_ for member in members)
        self.seconds_ = float(sum(member.seconds_ for member in members))
        codes = [member.stop_code_ for member in members]
        self.stop_code_ = max(dict.fromkeys(codes), key=codes.count)
        self.stop_reason_ = (
            f"{len(members)} training runs, stopped after {self.member_steps_.min():,} to {self.member_steps_.max():,} "
            f"steps; their best validation F1 is {self.member_f1_.mean():.3f} on average."
        )
        self.history_, self.notes_ = [], {}
        self.seed_ = members[0].seed_ // self.n_members
        return self

    def _formula(self):
        return None if self.mixed is None else formula_surface(self.mixed, self.prevalence_, self.n_documents_)

    @property
    def name(self) -> str:
        """What it is called in results and figures: "LTW-L-I", "LTW-L-I x5"."""
        return learned_name(self.get_params())

    @property
    def canonical_surface(self) -> Ensemble:
        """Its surface in canonical form on its own terms, as ``SharedWeighting`` takes it to another class.

        Raises
        ------
        ValueError
            It has none, or is the mean with a formula, whose values belong to its class's prevalence.
        """
        check_is_fitted(self)
        network = VARIANTS[self.variant]
        if not network.has_surface or network.learned_dd or self.mixed is not None:
            raise ValueError(
                f"{self.name} has no learned surface to transplant to another class: take LTW-L-sigma or LTW-L-I, of "
                "one training run or several, without a formula"
            )
        factor = canonical(self.cd_, self.tpr_, self.fpr_, self.document_frequency_)
        if self.is_mean:
            own = self.mean_surface
            return Ensemble(own.parameters, factor * own.coefficients, own.sigmoid, own.seen)
        coefficients = np.array([factor, 0.0])
        return Ensemble(stacked([self.parameters_]), coefficients, network.sigmoid, self.seen)

    @property
    def mean_surface(self) -> Ensemble:
        """What was averaged, where several members or a formula were: each member's surface, the mean, the spread."""
        check_is_fitted(self)
        if not self.is_mean:
            raise ValueError("this weighting is of one training run; n_members and mixed make a mean")
        sigmoid = VARIANTS[self.variant].sigmoid
        return Ensemble(self.parameters_, self.coefficients_, sigmoid, self.seen, self._formula())
