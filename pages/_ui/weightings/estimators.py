"""From a weighting's reference to its estimator: a fitted one where it was learned, else one to be fitted."""

import hashlib
import json
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ltw_core.studies.examples import load_example
from ltw_core.weighting import make, methods
from ltw_core.weighting.learned.network import VARIANTS
from ltw_core.weighting.methods import learned_name, method
from pages._ui.reader import own_weightings
from pages._ui.training import lookup
from pages._ui.training.run import Run
from pages._ui.weightings.reference import METHOD, OWN, RUN, SHIPPED, Reference


def trained(dataset: str, task: Any) -> dict[str, Run]:
    """Training runs that have ended, of a class over the very same terms, by reference; the newest first."""
    runs = lookup.own_or_linked(dataset, task.class_name)
    return {run.reference: run for run in runs if run.finished and run.problem.fingerprint == task.training_fingerprint}


def is_fitted(option: str) -> bool:
    """Whether a weighting was learned before, and is not fitted to the class at hand."""
    return Reference.parse(option).kind in (RUN, SHIPPED)


def is_learned(option: str) -> bool:
    """Whether a weighting is learned, for the class at hand or before."""
    return is_fitted(option) or option in methods("LTW")


def comes_later(option: str) -> bool:
    """Whether it is computed after the learned weightings, which the page is about and which take longest: true of
    formulas, and of learned ones that take minutes."""
    return not is_learned(option) or (option in methods() and method(option).minutes)


def same_as(option: str, task: Any) -> str:
    """The method whose first seed learns the very same as a training run did; "" where none does."""
    kind, name = Reference.parse(option)
    run = lookup.find(name) if kind == RUN else None
    if run is None or run.changed or run.parameters.get("random_state") != 0 or run.problem.ratio != task.ratio:
        return ""
    method_name = learned_name(run.parameters)
    return method_name if method_name in methods() else ""


def estimator(option: str, task: Any) -> Any:
    """A weighting's estimator.

    Raises
    ------
    ValueError
        It is no longer there, or was learned on other terms than the task's.
    """
    kind, name = Reference.parse(option)
    if kind == METHOD:
        return make(name)
    if kind == OWN:
        return own_weightings.find(option).make()
    if kind == RUN:
        return _of_run(name)
    example = load_example(name)
    if len(example.terms) != len(task.terms) or (example.terms != task.terms).any():
        raise ValueError("this example was learned on other terms than the corpus here has")
    return example.weighting


def for_all_classes(option: str) -> Any:
    """What weighs terms for every class, as ``evaluate_multiclass`` takes it: of a training run its surface, as a
    formula; all else as it is.

    Raises
    ------
    ValueError
        It is no longer there, or has no surface to transplant to other classes.
    """
    kind, name = Reference.parse(option)
    if kind == METHOD:
        return name
    if kind == OWN:
        return own_weightings.find(option).make()
    from ltw_core.weighting import TermWeighting, surface_function  # imports scikit-learn

    return TermWeighting(dd="log(1+f/dl)", cd=surface_function(_of_run(name)))


def transplantable(run: Run) -> bool:
    """Whether what a run learned is a surface that can be transplanted to other classes."""
    variant = VARIANTS.get(run.variant)
    return variant is not None and variant.has_surface and not variant.learned_dd and not run.parameters.get("mixed")


def _of_run(token: str) -> Any:
    run = lookup.find(token)
    if run is None or run.weighting is None:
        raise ValueError("this training run is no longer there; choose another weighting, or train again")
    return run.weighting


def coloured_as(option: str) -> str:
    """The method, or the reader's own function, whose colour a weighting has."""
    kind, name = Reference.parse(option)
    if kind == OWN:
        return own_weightings.label(option)
    if kind == METHOD:
        return name
    try:
        return _of_run(name).variant
    except ValueError:
        return "LTW"


def content(option: str) -> str:
    """What a weighting is, whatever it is called: two with the same content give the same results."""
    kind, name = Reference.parse(option)
    if kind == RUN:
        return _weights(_of_run(name))
    if kind == OWN:
        return digest(asdict(replace(own_weightings.find(option), name="own")))
    return option


@lru_cache(maxsize=64)
def _weights(weighting: Any) -> str:
    arrays = [np.ascontiguousarray(weighting.cd_), np.asarray(getattr(weighting, "dd_", ()), dtype=float)]
    return hashlib.sha256(weighting.variant.encode() + b"".join(array.tobytes() for array in arrays)).hexdigest()


def digest(*values: Any) -> str:
    """SHA-256 (hexadecimal) of values that JSON can hold."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
