"""``SharedWeighting``: a class weighted with surfaces that other classes learned, alone or beside its own (LTW-U).

A surface over (tpr, fpr) belongs to no class: what one class learned can weigh the terms of another, also of another
corpus (``transplanted``). The mean over all other classes of a corpus is LTW-U; "LTW-U shrunk" is a class's own mean
surface drawn towards it, the more, the fewer training documents the class has; "LTW-U + RF" is its mean with RF's own
surface, for which the class learns nothing. Leaves out learning the other classes
(``other_classes``) and the arithmetic of means (``ensemble``).
"""

import numpy as np
from sklearn.base import OneToOneFeatureMixin
from sklearn.utils.validation import check_is_fitted

from ltw_core.tasks.contingency import rates
from ltw_core.weighting import checked
from ltw_core.weighting.canonical import canonical
from ltw_core.weighting.counts_transformer import CountsTransformer
from ltw_core.weighting.function import Function
from ltw_core.weighting.learned.ensemble import (
    BY_DOCUMENTS,
    Ensemble,
    formula_surface,
    joined,
    share_of,
    standard_deviation,
)
from ltw_core.weighting.learned.learned_weighting import LearnedWeighting
from ltw_core.weighting.learned.network import VARIANTS
from ltw_core.weighting.learned.other_classes import lent
from ltw_core.weighting.learned.settings import network_of

FROM_ELSEWHERE = "others"


class SharedWeighting(OneToOneFeatureMixin, CountsTransformer):
    """Weigh a class's terms with the mean of other classes' surfaces.

    Parameters
    ----------
    others : Ensemble or None
        Surfaces, in canonical form on the terms that they were learned on: ``canonical_surface`` of a fitted
        ``LearnedWeighting``. None for those of the other classes of the corpus, which `fit` is then told by ``task``.
    share : float in [0, 1], or "documents"
        How much of the result they are; the rest is the mean of the class's own training runs. For "documents" 20 /
        (20 + the class's training documents).
    mixed : str or None
        A cd function or a formula whose own surface, in canonical form, is the rest in place of the class's own runs.
        Where no other class lends a surface there is nothing to mix it with: a ValueError.
    n_members : int
        Training runs of each class, of seeds ``random_state * n_members`` and those that follow.
    min_documents, min_f1 : int, float
        A class lends its surface where it has so many training documents, and takes those of its training runs whose
        best validation F1 is at least that.
    variant, coordinates, inputs, stop_by, hidden, batch_size, max_steps
        Of each training run: see ``LearnedWeighting``. A variant with a surface and without a dd of its own.
    called : str
        What it is called in results; without it "LTW-U", "LTW-U shrunk" or "transplanted".
    random_state : int

    Attributes
    ----------
    weighting_ : LearnedWeighting
        The mean as one learned weighting, to be saved, drawn and read; it has as many members as there are surfaces in
        it, and ``surface`` and ``weights_`` are its. Its ``cd_spread_`` is the standard deviation over the surfaces
        from elsewhere (classes and seeds) and that over the class's own, each by its share, as of independent parts.
    cd_ : ndarray of shape (n_features,)
    share_ : float
    lenders_ : list of str
        The other classes whose surfaces are in it.
    remarks_ : tuple of str
    """

    def __init__(
        self, *, others=None, share=1.0, mixed=None, n_members=3, min_documents=20, min_f1=0.5, variant="LTW-L-I",
        coordinates="linear", inputs="tpr,fpr", stop_by="f1", hidden=None, batch_size=100, max_steps=100_000, called="",
        random_state=0,
    ):  # fmt: skip
        self.others, self.share, self.mixed, self.n_members = others, share, mixed, n_members
        self.min_documents, self.min_f1 = min_documents, min_f1
        self.variant, self.coordinates, self.hidden = variant, coordinates, hidden
        self.inputs, self.stop_by = inputs, stop_by
        self.batch_size, self.max_steps = batch_size, max_steps
        self.called, self.random_state = called, random_state

    @property
    def name(self) -> str:
        """What it is called in results and figures."""
        if self.called:
            return self.called
        if self.others is not None:
            return "transplanted"
        if self.mixed is not None:
            share = "" if self.share == 0.75 else f"{self.share} "  # it may be "documents"
            return f"LTW-U {share}+ {self.mixed}"
        return "LTW-U" if self.share == 1 else "LTW-U shrunk" if self.share == BY_DOCUMENTS else f"LTW-U {self.share:g}"

    def fit(self, X, y, validation=None, on_event=None, task=None):
        """Take other classes' surfaces, and learn the class's own where it has a share.

        Parameters
        ----------
        X, y, validation, on_event
            As for ``LearnedWeighting.fit``; while other classes are learned, `on_event` gets a ``Progress`` a class.
        task : BinaryTask, optional
            Whose corpus has the other classes; needed where `others` are not given. ``evaluate`` gives it.

        Raises
        ------
        ValueError
            There are no surfaces to take, or a parameter is wrong.
        Cancelled
        """
        counts, self.classes_, positive = checked.problem(self, X, y, "a learned weighting")
        found = rates(counts, positive)
        own = self._run()
        own.settings()  # says what is wrong
        formula = None if self.mixed is None else formula_surface(self.mixed, found.prevalence, found.n_documents)
        self.share_ = share_of(self.share, int(positive.sum()))
        surfaces, self.lenders_ = self._surfaces(task, on_event)
        if surfaces is None:
            if self.share == 1 or self.mixed is not None:
                raise ValueError(
                    f"no other class has {self.min_documents} training documents and a validation F1 of "
                    f"{self.min_f1:g}: there is no surface to take; learn the class's own (LTW-L-I)"
                )
            self.share_ = 0.0
        runs = own.members() if self.share_ < 1 and self.mixed is None else []
        for run in runs:
            run.fit(X, y, validation=validation, on_event=on_event)
        made = self._template()
        if formula is not None:
            made.set_params(mixed=self.mixed, share=1 - self.share_)
        self.weighting_ = _joined(made, surfaces, runs, self.share_, found, formula)
        self.weighting_.classes_, self.weighting_.n_features_in_ = self.classes_, self.n_features_in_
        self.cd_ = self.weighting_.cd_
        self.remarks_ = self._remarks(surfaces, runs)
        return self

    def _run(self) -> LearnedWeighting:
        return self._template().set_params(n_members=self.n_members)

    def _template(self) -> LearnedWeighting:
        names = ("variant", "coordinates", "inputs", "stop_by", "hidden", "batch_size", "max_steps", "random_state")
        return LearnedWeighting(**{name: getattr(self, name) for name in names})

    def _surfaces(self, task, on_event) -> tuple[Ensemble | None, list[str]]:
        if self.others is not None:
            alike = (self.others.sigmoid, self.others.seen.coordinates, self.others.seen.inputs)
            network = network_of(self.variant, self.inputs)
            if alike != (network.sigmoid, self.coordinates, network.inputs):
                raise ValueError(
                    "the transplanted surfaces are of another variant, other coordinates or other inputs than asked for"
                )
            return self.others, [FROM_ELSEWHERE]
        if task is None:
            raise ValueError(
                "this weighting learns from the other classes of a corpus and was not told which: use "
                "evaluate(task, 'LTW-U'), fit(…, task=task), or transplanted(weighting)"
            )
        runs = self._run().members()
        seeds = [run.random_state for run in runs]
        conditions = {"min_documents": self.min_documents, "min_f1": self.min_f1}
        return lent(task, runs[0], seeds, on_event=on_event, **conditions)

    def _remarks(self, surfaces, runs) -> tuple[str, ...]:
        if surfaces is None:
            return ("No other class has a surface to take: it is the class's own alone.",)
        of = f"{len(self.lenders_)} other classes" if self.others is None else "elsewhere"
        parts = f"{surfaces.n_members} training runs of {of}"
        own = f", and to {1 - self.share_:.0%} that of {len(runs)} of its own" if runs else ""
        own = own if self.mixed is None else f", and to {1 - self.share_:.0%} that of {self.mixed}"
        return (f"Its surface is the mean of {parts}{own}.",)

    # ---- what it is

    def weigh(self, counts):
        """dd·cd as of a ``LearnedWeighting``."""
        return self.weighting_.weigh(counts)

    @property
    def weights_(self):
        """The terms' weights in canonical form."""
        check_is_fitted(self)
        return self.weighting_.weights_

    def surface(self, tpr, fpr):
        """cd at any (tpr, fpr)."""
        check_is_fitted(self)
        return self.weighting_.surface(tpr, fpr)

    def save(self, path, notes=None):
        """Write it as a file that ``LearnedWeighting.load`` reads: what it is, not where it is from."""
        check_is_fitted(self)
        self.weighting_.save(path, {"name": self.name, "lenders": self.lenders_} if notes is None else notes)


def transplanted(weighting, called: str = "") -> SharedWeighting:
    """What one class learned, as a weighting for another one or for one of another corpus.

    Parameters
    ----------
    weighting : LearnedWeighting
        Fitted, with a surface.
    called : str
        What it is called in results, as "LTW-L-I of earn".

    Returns
    -------
    SharedWeighting
        Not fitted: ``evaluate(task, it)`` weighs the task's terms with the surface at their own tpr and fpr.

    Raises
    ------
    ValueError
        It has no surface, or is the mean with a formula, whose values belong to its class's prevalence.
    """
    alike = {name: getattr(weighting, name) for name in ("variant", "coordinates", "inputs", "hidden")}
    return SharedWeighting(others=weighting.canonical_surface, called=called, **alike)


def surface_function(weighting, called: str = "") -> Function:
    """What one class or several learned as a cd function, which weighs terms for any class as a formula does.

    Parameters
    ----------
    weighting : LearnedWeighting or Ensemble
        Fitted, with a surface; or surfaces in canonical form, as those that ``lent`` gives.
    called : str
        What it is called; without it the weighting's name.

    Returns
    -------
    Function
        Its surface in canonical form on its own class's terms; it looks at tpr and fpr alone. For all classes at once:
        ``GlobalWeighting(TermWeighting(cd=surface_function(learned), dd="log(1+f/dl)"))``.

    Raises
    ------
    ValueError
        As of ``transplanted``.
    """
    surface = weighting if isinstance(weighting, Ensemble) else weighting.canonical_surface
    return Function(
        name=called or weighting.name,
        compute=lambda tpr, fpr, p, n: surface.for_class(p, n).surface(tpr, fpr),
        formula="cd(tpr, fpr), as it was learned",
        latex=r"\mathrm{cd}(\mathrm{tpr}, \mathrm{fpr})",
        source="Learned from training documents.",
        note="Elsewhere than among that class's terms it is extrapolation.",
        signed=True,
        supervised=True,
    )


def _joined(made: LearnedWeighting, surfaces, runs, share: float, found, formula=None) -> LearnedWeighting:
    """Surfaces from elsewhere and a class's own training runs as one fitted weighting of the class.

    Parameters
    ----------
    made : LearnedWeighting
        Not fitted; has the settings of all of them.
    surfaces : Ensemble or None
    runs : list of LearnedWeighting
        Fitted on the class; none where all is from elsewhere.
    share : float
        Of the surfaces from elsewhere, where there are both.
    found : TermStatistics
        Of the class's terms.
    formula : callable, optional
        Of (tpr, fpr): the rest where there are no runs.
    """
    statistics = found.tpr, found.fpr, found.document_frequency
    at = found.prevalence, found.n_documents
    parts = [] if surfaces is None else [(surfaces.for_class(*at), share)]
    if runs:
        parameters, coefficients, _ = joined(runs, None, 0.0)
        sigmoid = VARIANTS[made.variant].sigmoid
        parts.append((Ensemble(parameters, coefficients, sigmoid, made.settings().seen(*at)), 1 - share))
    coefficients, means, variances = [], [], []
    for ensemble, part in parts:
        each = ensemble.members(found.tpr, found.fpr)
        factor = part * canonical(each.mean(axis=0), *statistics)
        coefficients.append(factor * ensemble.coefficients[:-1])
        means.append(factor * each.mean(axis=0))
        variances.append((factor * standard_deviation(each)) ** 2)
    coefficients, of_formula = np.concatenate(coefficients), 0.0
    if formula is not None:
        cd = formula(found.tpr, found.fpr)
        of_formula = (1 - share) * canonical(cd, *statistics)
        means.append(of_formula * cd)
    made.parameters_ = {
        name: np.concatenate([ensemble.parameters[name] for ensemble, _ in parts]) for name in parts[0][0].parameters
    }
    made.cd_ = np.sum(means, axis=0)
    made.set_params(n_members=len(coefficients))
    if made.is_mean:
        made.coefficients_, made.cd_spread_ = np.append(coefficients, of_formula), np.sqrt(np.sum(variances, axis=0))
        made.member_f1_, made.member_steps_ = (np.zeros(len(coefficients), kind) for kind in (float, int))
    else:  # a single surface is no mean: as it is, whose scale means nothing
        made.parameters_ = {name: part[0] for name, part in made.parameters_.items()}
        made.cd_ = made.cd_ / coefficients[0]
    made.tpr_, made.fpr_, made.document_frequency_ = statistics
    made.prevalence_, made.n_documents_ = found.prevalence, found.n_documents
    f1 = [run.best_f1_ for run in runs]
    made.best_f1_, made.best_step_ = float(np.mean(f1)) if runs else 0.0, 0
    made.steps_, made.attempts_ = sum(run.steps_ for run in runs), max(1, sum(run.attempts_ for run in runs))
    made.seconds_ = float(sum(run.seconds_ for run in runs))
    made.stop_code_, made.seed_ = "stopped", made.settings().seed
    made.stop_reason_ = "Other classes' surfaces, joined: this is not the result of one training run."
    made.engine_, made.device_ = (runs[0].engine_, runs[0].device_) if runs else ("none", "none")
    made.history_, made.notes_, made.remarks_ = [], {}, ()
    return made
