"""`LearnedWeighting`: Learning to Weight as a scikit-learn transformer.

Brings the problem, the engine and the protocol together and keeps the product: one weight a term (LTW-L also the
function of (tpr, fpr) behind it, LTW-TF also its function of the frequency). Leaves out tuning and classification
(``ltw_core.evaluation``), everything numerical (the engines), and many at once (``fit_many``).
"""

from inspect import Parameter, Signature
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.base import OneToOneFeatureMixin
from sklearn.preprocessing import normalize
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ltw_core.storage.file_schema import FileError
from ltw_core.weighting import checked
from ltw_core.weighting.canonical import canonical_weights
from ltw_core.weighting.counts_transformer import CountsTransformer
from ltw_core.weighting.learned import persistence
from ltw_core.weighting.learned.coordinates import COORDINATES
from ltw_core.weighting.learned.engines.engine_choice import choose, make_engine
from ltw_core.weighting.learned.fit_many import fit_many
from ltw_core.weighting.learned.inputs import Seen
from ltw_core.weighting.learned.mean_of_runs import MeanOfRuns
from ltw_core.weighting.learned.network import VARIANTS, cd_of_inputs, learned_dd
from ltw_core.weighting.learned.problem import Problem, log_frequency
from ltw_core.weighting.learned.protocol import Training
from ltw_core.weighting.learned.settings import HYPERPARAMETERS, Settings, network_of
from ltw_core.weighting.learned.weighting_layout import LAYOUT, POINTS, agree

PARAMETERS = HYPERPARAMETERS | {
    "engine": "auto", "device": "auto", "random_state": 0, "validation_fraction": 0.2, "split_seed": None,
    "n_members": 1, "mixed": None, "share": 0.5,
}  # fmt: skip
SIGNATURE = Signature(
    [
        Parameter("self", Parameter.POSITIONAL_OR_KEYWORD),
        *(Parameter(name, Parameter.KEYWORD_ONLY, default=value) for name, value in PARAMETERS.items()),
    ]
)
FITTED_VALUES = (
    "best_step_", "best_f1_", "stop_code_", "stop_reason_", "seconds_", "steps_", "attempts_", "prevalence_",
    "n_documents_", "n_features_in_", "seed_", "engine_", "device_", "notes_",
)  # fmt: skip
FITTED_ARRAYS = (
    "cd_", "tpr_", "fpr_", "document_frequency_", "classes_", "dd_",
    "coefficients_", "cd_spread_", "member_f1_", "member_steps_",
)  # fmt: skip


class LearnedWeighting(MeanOfRuns, OneToOneFeatureMixin, CountsTransformer):
    """Learn the weights of terms from labelled documents (the paper's LTW).

    Parameters
    ----------
    variant : {"LTW-L-sigma", "LTW-L-I", "LTW-G-sigma", "LTW-G-I", "LTW-TF"}
    hidden : int or None
        Hidden units; None for 1000 (local) or half the number of terms (global).
    hidden_dd : int
        Hidden units of LTW-TF's function of the frequency.
    learning_rate, beta1, beta2, epsilon, dropout, batch_size, max_steps, check_every, patience, restart_before
        See ``Settings``; the defaults are the paper's.
    dropout_form : {"gaussian", "bernoulli"}
        How the dropout of a local variant is drawn, see ``Settings``.
    pretrain : str or None
        A cd function to start from ("CHI2", "RF", …) or a formula ("tpr - fpr"), local variants only.
    pretrain_rate, pretrain_error, pretrain_steps, pretrain_form, head_steps
        How it is fitted, and how long the classifier then learns alone: see ``Settings``.
    coordinates : {"linear", "log"}
        In which the network sees tpr and fpr, local variants only: see ``learned.coordinates``.
    inputs : str or list of str
        What the network is told of each term, local variants only: "tpr,fpr" as in the paper, or other names of
        ``learned.inputs.INPUTS`` (log_tpr, idf, kl, fisher, rf, …).
    stop_by : {"f1", "loss", "alignment"}
        By what the best step is known: F1 on the validation rows (the paper), cross-entropy there, or alignment with
        the class (``learned.stopping``).
    n_members : int
        Training runs, of the seeds ``random_state * n_members`` and those that follow, whose surfaces are averaged,
        each in canonical form (LTW-L-sigma and LTW-L-I): see ``learned.ensemble``. 1 as in the paper.
    mixed : str or None
        A cd function or a formula whose own surface, in canonical form, is averaged with what was learned.
    share : float in [0, 1], or "documents"
        How much of the result the formula of `mixed` is; for "documents" the more, the fewer documents the class has:
        20 / (20 + its training documents).
    engine : {"auto", "compiled", "lockstep", "reference"}
    device : str
        "auto", "cpu", or a torch device ("cuda"). See ``choose`` for what "auto" takes; to learn many side by side see
        ``fit_many``.
    random_state : int, RandomState instance or None
        Initial weights, batches and dropout.
    validation_fraction : float
        Share of the documents held out for early stopping when `fit` is given no split.
    split_seed : int or None
        Seed of the order in which documents are taken for that split, apart from `random_state`; None takes them as
        they come, as a task's ``validation`` does.

    Attributes
    ----------
    cd_ : ndarray of shape (n_features,)
        The learned weight of every term, raw: only its ratios mean anything, in the I variants not even its sign.
    weights_ : ndarray of shape (n_features,)
        The same to be read and compared: in canonical sign and scale (``canonical_weights``), terms of the class with
        positive weights; magnitudes for LTW-G-I, where each term's sign is free.
    dd_ : ndarray
        LTW-TF only: the learned weight of the frequencies 0, 1, 2, …, up to the highest one seen.
    history_ : list of (step, loss, validation F1)
    best_step_, best_f1_ : the step whose parameters were kept, and its validation F1
    stop_code_, stop_reason_ : str
        "patience", "perfect", "max_steps", "diverged" or "stopped", and the same as a sentence.
    steps_, seconds_, attempts_ : int, float, int
    tpr_, fpr_, document_frequency_ : ndarray of shape (n_features,)
    prevalence_, n_documents_ : float, int
    classes_ : ndarray of shape (2,); the second one is the positive class
    seed_, engine_, device_ : what was used
    remarks_ : tuple of str
        How it validated, where that was on a sample of the documents held out: see ``learned.problem``. Not saved.
    coefficients_ : ndarray of shape (n_members + 1,)
        Where several members or a formula were averaged: what each raw surface, and last the formula, is multiplied
        with. ``cd_`` and ``surface`` are the mean then, ``history_`` is empty, ``best_f1_`` and ``best_step_`` are
        means over members, ``steps_``, ``seconds_`` and ``attempts_`` sums.
    cd_spread_ : ndarray of shape (n_features,)
        The same: standard deviation of each term's weight over what it would be with each member alone.
    member_f1_, member_steps_ : ndarray of shape (n_members,)
        The same: each member's best validation F1, and its steps.
    """

    def __init__(self, **parameters):
        given = SIGNATURE.bind(self, **parameters)  # a TypeError for what is no parameter
        given.apply_defaults()
        del given.arguments["self"]
        vars(self).update(given.arguments)

    __init__.__signature__ = SIGNATURE  # where scikit-learn, and whoever asks for help, reads names and defaults

    def __sklearn_is_fitted__(self):
        return hasattr(self, "cd_")

    def fit(self, X, y, validation=None, on_event=None, resume=None, should_stop=None):
        """Learn.

        Parameters
        ----------
        X : sparse or dense array, shape (documents, n_features)
            Counts, not negative. tpr and fpr are taken from all of its rows.
        y : array-like, shape (documents,), two classes
        validation : array-like of bool, shape (documents,), or None
            True for the rows held out for early stopping; None for a split as in a task, see
            `validation_fraction` and `split_seed`.
        on_event : callable or None
            Called with an ``Event`` at every validation; returning True stops the training.
        resume : (arrays, values) or None
            A checkpoint of ``Event.checkpoint()``, made with the same data and settings, to go on from.
        should_stop : callable or None
            Asked between validations, several times a second; returning True stops the training there.

        Raises
        ------
        ValueError
            Something is wrong with the data or a parameter; the message says what and what is allowed.
        Stopped
            `should_stop` returned True before the weights to begin with were drawn.
        Cancelled
            One of several members was stopped: their mean is of whole training runs only.
        """
        if self.is_mean:
            if resume is not None:
                raise ValueError("the mean of several training runs has no checkpoint to go on from; fit it again")
            listener, stop = on_event and (lambda _, event: on_event(event)), should_stop and (lambda _: should_stop())
            return fit_many(
                [self], [(X, y, validation)], self.engine, self.device, on_event=listener, should_stop=stop
            )[0]
        problem, settings = self.problem(X, y, validation), self.settings()
        chosen = choose(settings, 1, self.engine, self.device)
        if chosen.engine == "lockstep":
            return self.adopt(self._lockstep_of_one(problem, settings, chosen.device, on_event, resume, should_stop))
        engine = make_engine(problem, settings, chosen.engine, chosen.device, should_stop)
        training = Training(problem, settings, engine, should_stop)
        if resume is not None:
            training.resume(resume)
        return self.adopt(training.run(on_event))

    @staticmethod
    def _lockstep_of_one(problem, settings, device, on_event, resume, should_stop):
        from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep  # imports torch

        if resume is not None:
            raise ValueError("a training run in lockstep has no checkpoints to go on from; take another engine")
        listener = on_event and (lambda _, event: on_event(event))
        stop = should_stop and (lambda _: should_stop())
        (training,) = learn_lockstep([problem], settings, device, on_event=listener, should_stop=stop)
        return training

    # ---- the parts of `fit`, for those that train many

    def settings(self):
        """The hyper-parameters as ``Settings``, which raise a ValueError where one is wrong."""
        seed = self.random_state
        if not isinstance(seed, (int, np.integer)):
            seed = check_random_state(seed).randint(2**31 - 1)
        self._check_mean()
        return Settings(**{name: getattr(self, name) for name in HYPERPARAMETERS}, seed=int(seed))

    def problem(self, X, y, validation=None):
        """The ``Problem`` that `fit` trains on; notes classes and features. Arguments and errors are those of `fit`."""
        counts, self.classes_, positive = checked.problem(self, X, y, "a learned weighting")
        mask = checked.validation(validation, positive, self.validation_fraction, self.split_seed)
        known = self.variant if self.variant in VARIANTS else "LTW-L-I"  # `settings` says what is wrong with a name
        network = network_of(known, self.inputs)
        forward = COORDINATES.get(self.coordinates, COORDINATES["linear"]).forward  # and with these
        return Problem.of(counts, positive, mask, network.inputs, forward)

    def adopt(self, training, like=None):
        """Take what a training run found: from here on the weighting is fitted.

        Parameters
        ----------
        training : Training
            With the settings of this weighting.
        like : LearnedWeighting or None
            One of the same data, to take classes and features from where `problem` was not called on this one.
        """
        if like is not None:
            self.n_features_in_, self.classes_ = like.n_features_in_, like.classes_
        problem, best = training.problem, training.best
        self.cd_, self.parameters_ = best.cd, best.parameters
        self.best_step_, self.best_f1_ = best.step, best.f1
        self.history_ = list(training.history)
        self.stop_code_, self.stop_reason_ = training.stop_code, training.stop_reason
        self.steps_, self.seconds_, self.attempts_ = training.step, training.seconds, training.attempt + 1
        self.tpr_, self.fpr_ = problem.tpr, problem.fpr
        self.document_frequency_ = problem.document_frequency
        self.prevalence_, self.n_documents_ = problem.prevalence, problem.n_documents
        self.seed_, self.engine_, self.device_ = training.settings.seed, training.engine.name, training.engine.device
        self.notes_, self.remarks_ = {}, problem.remarks
        vars(self).pop("dd_", None)
        if training.settings.network.learned_dd:
            highest = problem.frequencies[-1] if len(problem.frequencies) else 0
            self.dd_ = learned_dd(self.parameters_, np.arange(min(highest, 10_000) + 1))
        return self

    # ---- what was learned

    def weigh(self, counts):
        """dd·cd, each row of length 1 (a row without known terms stays zero): csr_array of float64, shape as given."""
        learned = VARIANTS[self.variant].learned_dd
        dd = learned_dd(self.parameters_, counts.data) if learned else log_frequency(counts)
        weighted = csr_array((dd * self.cd_[counts.indices], counts.indices, counts.indptr), shape=counts.shape)
        return normalize(weighted, copy=False)

    @property
    def weights_(self):
        check_is_fitted(self)
        free = VARIANTS[self.variant].free_signs
        return canonical_weights(self.cd_, self.tpr_, self.fpr_, self.document_frequency_, magnitude=free)

    def surface(self, tpr, fpr):
        """cd at any (tpr, fpr), raw; local variants only. Broadcasts. To compare, multiply by
        ``canonical(cd_, tpr_, fpr_, document_frequency_)`` of ``ltw_core.weighting.canonical``."""
        check_is_fitted(self)
        if not VARIANTS[self.variant].has_surface:
            raise ValueError(f"{self.variant} has one weight a term and no surface over (tpr, fpr)")
        if self.is_mean:
            return self.mean_surface.surface(tpr, fpr)
        return cd_of_inputs(self.parameters_, self.seen.of(tpr, fpr), VARIANTS[self.variant].sigmoid)

    @property
    def seen(self) -> Seen:
        """What its network sees of a term with some (tpr, fpr)."""
        inputs = network_of(self.variant, self.inputs).inputs
        return Seen(inputs, self.coordinates, self.prevalence_, self.n_documents_)

    def save(self, path, notes=None):
        """Write the weighting to one safetensors file.

        Parameters
        ----------
        path : str or path
        notes : dict or None
            Anything JSON that should travel with it (dataset, class, …); `load` gives it back as ``notes_``.

        Of a curve of more than 100,000 points so many are kept, evenly spaced.
        """
        check_is_fitted(self)
        self.notes_ = self.notes_ if notes is None else dict(notes)
        arrays = {name: getattr(self, name) for name in FITTED_ARRAYS if hasattr(self, name)}
        values = {name: _plain(getattr(self, name)) for name in FITTED_VALUES}
        values["parameters"] = {name: _plain(value) for name, value in self.get_params().items()}
        values["classes_"] = [_plain(value) for value in arrays.pop("classes_").tolist()]
        curve = np.array(self.history_, dtype=float).reshape(-1, 3)
        arrays["history_"] = curve[np.unique(np.linspace(0, len(curve) - 1, min(len(curve), POINTS)).astype(int))]
        arrays |= {f"parameter.{name}": value for name, value in self.parameters_.items()}
        persistence.write(path, "weighting", arrays, values)

    @classmethod
    def load(cls, path):
        """Read a weighting that `save` wrote.

        Raises
        ------
        FileNotFoundError
        FileError
            A ``ValueError``: it isn't a learned weighting, or not a whole one; the message says what is wrong and
            what is expected. See ``weighting_layout`` for what a file may hold.
        """
        arrays, values = persistence.read(path, "weighting", LAYOUT)
        found = cls(**values["parameters"])
        for name in FITTED_VALUES:
            setattr(found, name, values[name])
        found.classes_ = np.array(values["classes_"])
        found.parameters_ = persistence.under("parameter.", arrays)
        for name in arrays.keys() & set(FITTED_ARRAYS):
            setattr(found, name, arrays[name])
        try:
            agree(found, arrays["history_"])
        except FileError as error:
            raise FileError(f"{Path(path).name} is a damaged file of {LAYOUT.called}: {error}") from error
        found.history_ = [(int(step), loss, score) for step, loss, score in arrays["history_"].tolist()]
        return found


def _plain(value):
    """A NumPy scalar as Python's; JSON knows no other. Random states become None, what is fitted has `seed_`."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list | tuple):  # of inputs
        return ",".join(value)
    return None if isinstance(value, np.random.RandomState) else value
