"""What the file of a learned weighting holds: the table that it is checked against when it is read.

Bounds are above all that a training here can come to, and low enough that what passes fits into memory, into the
history's columns, and into what pages compute of it. A field's name is the attribute's of ``LearnedWeighting``. What
the table cannot say, since it is about two fields at once, ``agree`` does.
"""

import numpy as np

from ltw_core.storage.array_schema import Array
from ltw_core.storage.file_schema import (
    INTEGER,
    AnyOf,
    Anything,
    Fields,
    FileError,
    Many,
    Number,
    OneOf,
    Optional,
    Text,
    Truth,
    Whole,
)
from ltw_core.weighting.learned.ensemble import BY_DOCUMENTS, MOST_MEMBERS, Ensemble, formula_surface
from ltw_core.weighting.learned.network import VARIANTS
from ltw_core.weighting.learned.persistence import Layout
from ltw_core.weighting.learned.settings import HYPERPARAMETERS, Settings

TERMS = 2_000_000  # a table of one's own may have 1.5 million different words
DOCUMENTS = 2**31 - 1  # counts of documents are kept in 32 bits; the largest table here has two million rows
STEPS = 10**9  # a thousand times what the train page offers
POINTS = 100_000  # of the curve; the paper's settings make 1,000 at most, and a longer one is thinned when it is saved
SECONDS = 10**9  # thirty years
LARGEST = 1e30  # of a weight; squares, and sums of them over all terms and hidden units, stay finite
FREQUENCIES = 10_001  # dd_ is computed up to 10,000 occurrences
COMPARED = 256  # terms whose weights are computed again from the network
STOP_CODES = ("patience", "perfect", "max_steps", "diverged", "stopped")

_setting = AnyOf((Number(-1e12, 1e12), Text(40), Truth()))  # ``Settings`` says more of each
_seed = Optional(Whole(0, INTEGER))
_label = AnyOf((Text(1_000), Number(-1e300, 1e300), Truth()))
PARAMETERS = dict.fromkeys(HYPERPARAMETERS, Optional(_setting)) | {
    "variant": OneOf(VARIANTS),
    "inputs": Text(200),
    "pretrain": Optional(Text(2_000)),  # as long as a formula or the name of a spline may be
    "engine": Text(100),
    "device": Text(100),
    "random_state": _seed,
    "validation_fraction": Number(0, 1),
    "split_seed": _seed,
    "n_members": Whole(1, MOST_MEMBERS),
    "mixed": Optional(Text(2_000)),  # as long as a formula may be
    "share": AnyOf((Number(0, 1), OneOf((BY_DOCUMENTS,)))),
}
VALUES = Fields(
    {
        "best_step_": Whole(0, STEPS),
        "best_f1_": Number(0, 1),
        "stop_code_": OneOf(STOP_CODES),
        "stop_reason_": Text(1_000),
        "seconds_": Number(0, SECONDS),
        "steps_": Whole(0, STEPS),
        "attempts_": Whole(1, STEPS),
        "prevalence_": Number(0, 1),
        "n_documents_": Whole(2, DOCUMENTS),
        "n_features_in_": Whole(1, TERMS),
        "seed_": Whole(0, INTEGER),
        "engine_": Text(100),
        "device_": Text(100),
        "notes_": Fields({}, others=Anything()),
        "classes_": Many(_label, most=2, least=2),
        "parameters": Fields(PARAMETERS, optional=PARAMETERS),
    }
)


def _arrays(values: dict) -> dict[str, Array]:
    """The arrays of a weighting with such values: statistics of its terms, its curve, and its variant's network."""
    try:
        settings = Settings(
            **{name: values["parameters"][name] for name in HYPERPARAMETERS.keys() & values["parameters"]}
        )
    except (ValueError, TypeError) as error:
        raise FileError(str(error)) from error
    network, terms = settings.network, values["n_features_in_"]
    hidden, hidden_dd = settings.hidden_units(terms), settings.hidden_dd
    weights = {
        **{"W1": (len(network.inputs), hidden), "b1": (hidden,), "W2": (hidden,), "b2": (1,)},
        **{"W4": (hidden_dd,), "b4": (hidden_dd,), "W5": (hidden_dd,), "b5": (1,)},
    }
    rules = {
        "cd_": Array((terms,), -LARGEST, LARGEST),
        "tpr_": Array((terms,), 0, 1),
        "fpr_": Array((terms,), 0, 1),
        "document_frequency_": Array((terms,), 0, values["n_documents_"], whole=True),
        "history_": Array((range(POINTS + 1), 3), -np.inf, np.inf, nan=True),
    }
    if network.learned_dd:
        rules["dd_"] = Array((range(1, FREQUENCIES + 1),), 0, LARGEST)
    members = values["parameters"].get("n_members", 1)
    each = ()
    if members > 1 or values["parameters"].get("mixed") is not None:
        if network.learned_dd or not network.has_surface:
            raise FileError(f"it is a mean of several training runs, and there is none of {settings.variant}")
        if (mixed := values["parameters"].get("mixed")) is not None:
            try:
                formula_surface(mixed, values["prevalence_"], values["n_documents_"])
            except ValueError as error:
                raise FileError(f"mixed cannot be read: {error}") from error
        each = (members,)
        rules |= {
            "coefficients_": Array((members + 1,), -LARGEST, LARGEST),
            "cd_spread_": Array((terms,), 0, LARGEST),
            "member_f1_": Array(each, 0, 1),
            "member_steps_": Array(each, 0, STEPS, whole=True),
        }
    return rules | {f"parameter.{name}": Array((*each, *weights[name]), -LARGEST, LARGEST) for name in network.kept}


def agree(found, curve: np.ndarray) -> None:
    """Check what the fields of a weighting that was read say of each other.

    Parameters
    ----------
    found : LearnedWeighting
        With all of its attributes but ``history_``.
    curve : ndarray, shape (points, 3)
        Its steps, losses and validation F1.

    Raises
    ------
    FileError
        Of two fields, one must be wrong.
    """
    documents, positives = found.n_documents_, found.prevalence_ * found.n_documents_
    if abs(positives - round(positives)) > 1e-3 or not 0 < round(positives) < documents:
        raise FileError(
            f"prevalence_ is {found.prevalence_}; of {documents:,} documents (n_documents_) it must make a whole "
            f"number from 1 to {documents - 1:,}"
        )
    frequency = found.tpr_ * positives + found.fpr_ * (documents - positives)
    if not np.allclose(frequency, found.document_frequency_, rtol=1e-6, atol=1e-3):
        raise FileError("document_frequency_ is not what tpr_, fpr_ and prevalence_ make it")
    if found.classes_[0] == found.classes_[1]:
        raise FileError("classes_ has the same class twice; they must be two")
    if found.best_step_ > found.steps_:
        raise FileError(f"best_step_ is {found.best_step_:,}; it must be at most steps_, {found.steps_:,}")
    _agree_curve(curve, found.steps_)
    if VARIANTS[found.variant].has_surface:
        _agree_weights(found)


def _agree_curve(curve: np.ndarray, most: int) -> None:
    steps, _, scores = curve.T
    if not np.all((steps == np.rint(steps)) & (steps >= 0) & (steps <= most)) or np.any(np.diff(steps) <= 0):
        raise FileError(f"the steps of history_, its first column, must be whole numbers that rise to steps_, {most:,}")
    if not np.all((scores >= 0) & (scores <= 1)):
        raise FileError("the validation F1 of history_, its last column, must be numbers from 0 to 1")


def _agree_weights(found) -> None:
    """cd_ at some terms against the network, as far as single precision can tell."""
    some = np.linspace(0, len(found.cd_) - 1, min(COMPARED, len(found.cd_))).astype(int)
    at = found.tpr_[some], found.fpr_[some]
    parameters = {name: np.asarray(value, dtype=float) for name, value in found.parameters_.items()}
    whole = found.is_mean
    if not whole:  # as a mean of one
        parameters = {name: value[None] for name, value in parameters.items()}
    magnitudes = parameters | {name: np.abs(parameters[name]) for name in ("W2", "b2")}
    factors = np.abs(found.coefficients_) if whole else np.array([1.0, 0.0])
    with np.errstate(over="ignore"):
        difference = np.abs(found.surface(*at) - found.cd_[some])
        unsure = 1e-3 * Ensemble(magnitudes, factors, False, found.seen).surface(*at) + 1e-6
    if np.any(difference > unsure):
        raise FileError("cd_ is not what the network, parameter.W1 to parameter.b2, makes of tpr_ and fpr_")


LAYOUT = Layout("a learned weighting", VALUES, _arrays)
