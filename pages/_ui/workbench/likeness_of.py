"""What a learned weighting is like, for a page: the documents under it, formulas, other seeds; F1 of each by and by.

Gram matrices of formulas are kept for everybody, those of training runs by their weights.
"""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ltw_core.insight import (
    EQUAL,
    Alignments,
    DocumentSample,
    Likeness,
    aligned_grams,
    canonical_function,
    centred_gram,
    likeness,
    sample_documents,
    weighted_documents,
)
from ltw_core.insight.likeness import DD_OF_FORMULAS, DD_OF_LEARNED
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.studies.examples import examples
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import Function, TermWeighting, display
from pages._ui import choices
from pages._ui.result_cache import kept
from pages._ui.training import lookup, run_words
from pages._ui.weightings import estimators
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.reference import RUN, SHIPPED, Reference
from pages._ui.workbench.shape_view import View

# half a megabyte each, twelve formulas a class, made in .1 s: room for two classes that are learned at once
_grams = BoundedCache(24 << 20)
# entries are kept as multiples of this in half precision, none of which is beyond its range, as they are 1 at most:
# alignments come out the same to 2e-5
UNIT = np.float32(2**-10)


@dataclass(frozen=True, eq=False)
class LikenessOf:
    """Everything that is compared with a learned weighting, and how alike they are.

    ``kinds``: by name "formula", "learned" or "this"; ``fit``: by name what ``evaluate`` takes for its F1; ``colours``:
    by name whose colour it has.
    """

    found: Alignments
    read: Likeness
    kinds: dict[str, str]
    fit: dict[str, Any]
    task: Any


def likeness_of(view: View, task: Any) -> LikenessOf:
    """Compare a weighting with all formulas, with equal weights, and with this browser's runs of the class."""
    learned, sample = view.learned, sample_of(task)
    this = learned.label
    weighed = formula_weights(task, learned.terms)
    of_formulas = formula_grams(task, weighed)
    grams = {this: of_formulas[this] if this in weighed else learned_gram(learned, task)} | of_formulas
    kinds = dict.fromkeys(grams, "formula") | {this: "this"}
    fit = {} if learned.weighting is None else {this: learned.weighting}
    fit |= {symbol: TermWeighting(cd=function) for symbol, (function, _) in weighed.items()}
    formulas = [symbol for symbol in weighed if symbol not in (EQUAL, this)]
    for name, weighting in _shipped(learned, task):
        grams[name] = run_gram(task.fingerprint, content_of(weighting), task, weighting)
        kinds[name], fit[name] = "learned", weighting
    seeds = []
    for name, run, is_seed in _other_runs(learned, task):
        weighting = run.weighting
        grams[name] = run_gram(task.fingerprint, content_of(weighting), task, weighting)
        kinds[name], fit[name] = "learned", weighting
        seeds += [name] * is_seed
    found = aligned_grams(grams, sample)
    read = likeness(this, found, formulas, None if learned.is_formula else seeds)
    return LikenessOf(found, read, kinds, fit, task)


def sample_of(task: Any) -> DocumentSample:
    """The documents of a class that weightings are compared on."""
    return _sample(task.fingerprint, task)


@kept(32)
def _sample(fingerprint: str, _task: Any) -> DocumentSample:
    return sample_documents(_task.y_train)


def learned_gram(learned: Learned, task: Any) -> np.ndarray:
    """Of the weighting that is looked at, which may still be learning."""
    if learned.weighting is not None:
        return run_gram(task.fingerprint, content_of(learned.weighting), task, learned.weighting)
    return gram_of_weights(task, learned.cd, learned.dd)


def gram_of_weights(task: Any, weights: np.ndarray, dd: str = DD_OF_LEARNED) -> np.ndarray:
    """Of a cd: one that is learned, at a snapshot of its training, or of another class at this one's terms."""
    rows = sample_of(task).rows
    return centred_gram(weighted_documents(task.counts_train[rows], weights, dd))


class WeighedFormula(NamedTuple):
    """A cd function and its weights of a class's terms, in canonical form."""

    function: Function
    weights: np.ndarray


def formula_weights(task: Any, terms: TermStatistics) -> dict[str, WeighedFormula]:
    """No cd, and every formula that there is to compare with, by symbol; ``terms`` are the task's."""
    functions = {EQUAL: choices.function("1")}
    functions |= {choices.symbol(name): choices.function(name) for name in choices.cd_names()}
    names = tuple(function.name for function in functions.values())
    return _weighed((task.fingerprint, tuple(functions), names), functions, terms)


@kept(12)
def _weighed(key: tuple, _functions: dict[str, Function], _terms: TermStatistics) -> dict[str, WeighedFormula]:
    weigh = lambda function: canonical_function(function, _terms).weights  # noqa: E731
    ones = np.ones(len(_terms))
    return {s: WeighedFormula(f, ones if s == EQUAL else weigh(f)) for s, f in _functions.items()}


def formula_grams(task: Any, weighed: dict[str, WeighedFormula]) -> dict[str, np.ndarray]:
    """Of documents under formulas, by symbol."""
    return {symbol: _formula_gram(task.fingerprint, f.name, task, weights) for symbol, (f, weights) in weighed.items()}


def _formula_gram(fingerprint: str, name: str, task: Any, weights: np.ndarray) -> np.ndarray:
    weigh = lambda counts: weighted_documents(counts, weights, DD_OF_FORMULAS)  # noqa: E731
    return _kept_gram(f"{fingerprint}/formula/{name}", task, weigh)


def run_gram(fingerprint: str, content: str, task: Any, weighting: Any) -> np.ndarray:
    """Of documents under a fitted weighting, which ``content_of`` names."""
    return _kept_gram(f"{fingerprint}/run/{content}", task, weighting.transform)


def _kept_gram(key: str, task: Any, weigh: Callable[[Any], Any]) -> np.ndarray:
    def make() -> np.ndarray:
        return (centred_gram(weigh(task.counts_train[sample_of(task).rows])) / UNIT).astype(np.float16)

    return _grams.get_or_make(key, make, lambda gram: gram.nbytes) * UNIT


def content_of(weighting: Any) -> str:
    """Names a fitted weighting."""
    parts = [np.ascontiguousarray(weighting.cd_), np.asarray(getattr(weighting, "dd_", ()), dtype=float)]
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()


def _shipped(learned: Learned, task: Any) -> list[tuple[str, Any]]:
    """What else ships for the class, unless it is the very same."""
    found, own = [], content_of(learned.weighting) if learned.weighting is not None else ""
    for info in examples():
        reference = str(Reference(SHIPPED, info.name))
        if (info.corpus, info.class_name) == (learned.dataset, learned.class_name) and reference != learned.source:
            with suppress(ValueError):  # of other terms than the corpus here has
                weighting = estimators.estimator(reference, task)
                if content_of(weighting) != own:
                    found.append((f"{display(info.variant)} (example)", weighting))
    return found


def _other_runs(learned: Learned, task: Any):
    """This browser's other finished runs of the class: name, run, and whether only the seed differs."""
    kind, token = Reference.parse(learned.source)
    this = lookup.find(token) if kind == RUN else None
    alike = {run.token for run in lookup.siblings(this)}
    runs = estimators.trained(learned.dataset, task)
    others = [run for run in runs.values() if run.token != token and run.weighting is not None]
    if this is None:  # shipped: one of the same variant and usual settings differs in its seed alone
        alike = {run.token for run in others if run.variant == learned.variant and not run.changed}
    names = run_words.numbered([run.label for run in others])
    return [(name, run, run.token in alike) for name, run in zip(names, others, strict=True)]
