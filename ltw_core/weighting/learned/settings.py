"""Hyper-parameters of one training, checked once. Leaves out which engine and device do the work."""

from dataclasses import asdict, dataclass, fields, replace
from numbers import Integral, Real
from typing import NamedTuple

from ltw_core.storage.file_schema import said
from ltw_core.weighting.learned.coordinates import COORDINATES
from ltw_core.weighting.learned.inputs import PAPER, Seen, input_names
from ltw_core.weighting.learned.network import VARIANTS, Variant

LOCAL_HIDDEN = 1000
MAX_WEIGHTS = 10**9  # of W2 of the global variants: 4 GB in float32, and as much again for the moments
STOP_BY = {"f1": "validation F1", "loss": "validation loss", "alignment": "alignment with the class"}
DIVERGED = 1e3  # a mean cross-entropy that no training comes back from; at the start it is about 1


class Adam(NamedTuple):
    """Adam's parameters, all floats: its step size, what its two moments keep from step to step, and ε."""

    rate: float
    beta1: float
    beta2: float
    epsilon: float


@dataclass(frozen=True)
class Settings:
    """What a training run does, apart from its data. Defaults are the paper's.

    Attributes
    ----------
    hidden : int or None
        Hidden units H; None for 1000 (local variants) or F/2 (global ones).
    beta1, beta2, epsilon : float
        Adam's. The paper prints ε as "1e-0.8"; 1e-8 is the default of the authors' optimiser.
    dropout_form : "gaussian" or "bernoulli"
        How a local variant's dropout is drawn: one mask a term and hidden unit, or the sum that the masks make, which
        is near normal for many hidden units. The global variants' one mask a step is always drawn as such.
        The Gaussian form is the default because a step takes .15 ms with it and .9 ms with masks (Reuters, one core),
        and it changes nothing that could be measured: test F1 with an SVM over corn, crude and ship, 16 seeds each,
        -.003 ± .007; surfaces of two seeds of different forms resemble each other as two of one form do.
    pretrain : str or None
        Name of the cd function, or the formula, that cd_L is fitted to first.
    pretrain_rate, pretrain_error, pretrain_steps : float, float, int
        Of that fit: Adam's step size; the mean squared error over 1,000 steps under which it is done, cd running from 0
        to 1; and its most steps, made by the thousand. The rate is the authors'. They fit one point a step, with
        dropout, which leaves an error far above where to stop; the hundred points a step without dropout are ours.
    pretrain_form : "hundred" or "point"
        Points a step of that fit: a hundred without dropout, or one with it, as in the authors' code, for which the
        reference engine serves.
    head_steps : int
        After pre-training: steps of W3 and b3 alone.
    coordinates : "linear" or "log"
        In which a local variant's network sees tpr and fpr: as they are (the paper), or log(1 + 100 x) / log 101. The
        points of pre-training are drawn evenly in them.
    inputs : str
        What a local variant's network is told of each term: names of ``learned.inputs.INPUTS`` with commas, or a list
        of them. "tpr,fpr" is the paper's. A step takes six times as long with three.
    stop_by : "f1", "loss" or "alignment"
        Which step is kept, and when patience begins anew: the best F1 on the validation rows (the paper), the lowest
        cross-entropy on them, or the highest alignment with the class (``learned.stopping``). F1 of a few validation
        positives moves in large steps; the other two do not.
    seed : int
        Everything random in the training follows from it.
    """

    variant: str = "LTW-L-I"
    hidden: int | None = None
    hidden_dd: int = 100
    learning_rate: float = 0.005
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    dropout: float = 0.2
    dropout_form: str = "gaussian"
    batch_size: int = 100
    max_steps: int = 100_000
    check_every: int = 100
    patience: int = 20
    restart_before: int = 10_000
    pretrain: str | None = None
    pretrain_rate: float = 1e-4
    pretrain_error: float = 3e-4
    pretrain_steps: int = 40_000
    pretrain_form: str = "hundred"
    head_steps: int = 1000
    coordinates: str = "linear"
    inputs: str = ",".join(PAPER)
    stop_by: str = "f1"
    seed: int = 0
    dtype: str = "float32"

    def __post_init__(self):
        object.__setattr__(self, "inputs", ",".join(input_names(self.inputs)))
        _one_of("stop_by", self.stop_by, STOP_BY)
        _one_of("variant", self.variant, VARIANTS)
        _one_of("dropout_form", self.dropout_form, ("gaussian", "bernoulli"))
        _one_of("coordinates", self.coordinates, COORDINATES)
        _one_of("pretrain_form", self.pretrain_form, ("hundred", "point"))
        _one_of("dtype", self.dtype, ("float32", "float64"))
        if self.hidden is not None:
            _whole("hidden", self.hidden, 1)
        for name in ("hidden_dd", "batch_size", "max_steps", "check_every", "patience", "pretrain_steps"):
            _whole(name, getattr(self, name), 1)
        for name in ("restart_before", "head_steps", "seed"):
            _whole(name, getattr(self, name), 0)
        for name in ("learning_rate", "epsilon", "pretrain_rate", "pretrain_error"):
            value = getattr(self, name)
            if not _is_real(value) or not 0 < value < float("inf"):
                raise ValueError(f"{name} must be a positive number, not {said(value)}")
        for name in ("dropout", "beta1", "beta2"):
            value = getattr(self, name)
            if not _is_real(value) or not 0 <= value < 1:
                raise ValueError(f"{name} must be at least 0 and below 1, not {said(value)}")
        if self.pretrain is not None and not self.network.has_surface:
            raise ValueError(f"pretrain is for the local variants; {self.variant} has no cd of (tpr, fpr) to fit")
        if self.coordinates != "linear" and not self.network.has_surface:
            raise ValueError(f"coordinates are those of a cd of (tpr, fpr); {self.variant} has none")
        if input_names(self.inputs) == PAPER:
            return
        if not VARIANTS[self.variant].local:
            raise ValueError(f"inputs are for the local variants; {self.variant} has one weight a term")
        if self.coordinates != "linear":
            raise ValueError("coordinates are those of tpr and fpr alone; take log_tpr and log_fpr among the inputs")
        if self.pretrain is not None:
            raise ValueError("pretrain is for networks that see tpr and fpr; take rf among the inputs, or another one")

    @property
    def network(self) -> Variant:
        return network_of(self.variant, self.inputs)

    def seen(self, prevalence: float, n_documents: float) -> Seen:
        """What a local variant's network sees of the terms of a class."""
        return Seen(self.network.inputs, self.coordinates, prevalence, n_documents)

    def adam(self, rate: float | None = None) -> Adam:
        """Adam as this training run has it, at another `rate` if one is given."""
        rate = self.learning_rate if rate is None else rate
        return Adam(float(rate), float(self.beta1), float(self.beta2), float(self.epsilon))

    def hidden_units(self, n_terms: int) -> int:
        """H for a problem of `n_terms` terms."""
        if self.hidden is not None:
            return int(self.hidden)
        return LOCAL_HIDDEN if self.network.local else max(1, n_terms // 2)

    def check_size(self, n_terms: int) -> None:
        """Raise a ValueError where a global variant would have more weights than are supported."""
        hidden = self.hidden_units(n_terms)
        if not self.network.local and hidden * n_terms > MAX_WEIGHTS:
            raise ValueError(
                f"{self.variant} with {n_terms} terms and {hidden} hidden units has {hidden * n_terms:.1e} "
                f"weights, more than the {MAX_WEIGHTS:.0e} that are supported: select fewer terms or set hidden lower"
            )

    def as_dict(self) -> dict:
        return asdict(self)


def seen_by(parameters: dict, terms) -> Seen:
    """What the network of a training run with such parameters sees of a class's terms (``TermStatistics``)."""
    inputs = network_of(parameters["variant"], parameters.get("inputs", PAPER)).inputs
    return Seen(inputs, parameters.get("coordinates", "linear"), terms.prevalence, terms.n_documents)


def network_of(variant: str, inputs) -> Variant:
    """A variant with the inputs that were asked for; its own where these are the paper's."""
    names = input_names(inputs)
    return VARIANTS[variant] if names == PAPER else replace(VARIANTS[variant], inputs=names)


HYPERPARAMETERS = {field.name: field.default for field in fields(Settings) if field.name not in ("seed", "dtype")}
"""The one list of a training run's settings, with the paper's values: estimators and pages read it."""


def _is_real(value) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _one_of(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {said(value)}")


def _whole(name, value, least):
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {said(value)}")
