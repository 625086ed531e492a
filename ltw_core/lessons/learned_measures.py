"""Measures of what LTW-L-I learns for a class: its shape along a line, the formula it is nearest to, how seeds differ.

All in canonical form: positive for terms typical of the class, root mean square over the terms 1, so that seeds, whose
scale is arbitrary, can be compared; single weights of terms as shares of the largest. The paper's settings throughout.
"""

import numpy as np

from ltw_core.insight import EQUAL, agreement, canonical_function, saturation, similarity
from ltw_core.lessons.function_measures import POINTS, difference_on_test, scaled, verdict
from ltw_core.lessons.measures import Curve, Surface, measure
from ltw_core.lessons.term_measures import place_of, ranked
from ltw_core.weighting import CD

SEEDS = (0, 1, 2)
FORMULAS = ("IDF", "CHI2", "IG", "RF")


def height(subject, seed: int, tpr, fpr) -> np.ndarray:
    """The learned surface."""
    return np.asarray(subject.learned(seed).surface(tpr, fpr))


@measure("learned_slice", "along rate seed", "curve", "the learned surface along one rate, the other fixed")
def _learned_slice(subject, along, at, seed):
    x = np.linspace(0, 1, POINTS)
    line = np.full(POINTS, at)
    return Curve(x, scaled(height(subject, seed, *((x, line) if along == "tpr" else (line, x)))))


@measure("learned_at", "rate rate seed", "number", "the learned surface at a tpr and fpr")
def _learned_at(subject, tpr, fpr, seed):
    return float(height(subject, seed, np.array([tpr]), np.array([fpr]))[0])


@measure("spread_at", "rate rate", "number", "standard deviation of that over seeds 0, 1 and 2")
def _spread_at(subject, tpr, fpr):
    return float(np.std([_learned_at(subject, tpr, fpr, seed) for seed in SEEDS], ddof=1))


def _agreement(subject, magnitude):
    s = subject.statistics
    cds = [subject.weighting(seed).cd_ for seed in SEEDS]
    return agreement(cds, s.tpr, s.fpr, s.document_frequency, magnitude=magnitude)


@measure(
    "shared", "", "share", "share of three seeds' squared weights that their mean explains; a third: nothing in common"
)
def _shared(subject):
    return _agreement(subject, magnitude=False).shared


@measure("shared_size", "", "share", "the same of the weights without their signs")
def _shared_size(subject):
    return _agreement(subject, magnitude=True).shared


@measure("learned_highest", "seed term…", "term", "of some terms the one with the highest learned weight")
def _learned_highest(subject, seed, *terms):
    weights = subject.learned(seed).weights
    return max(terms, key=lambda term: weights[place_of(subject, term)])


@measure("learned_weight", "seed term", "number", "a term's learned weight, as a share of the largest")
def _learned_weight(subject, seed, term):
    return float(scaled(subject.learned(seed).weights)[place_of(subject, term)])


@measure("learned_why", "seed", "text", "why training stopped, in a sentence")
def _learned_why(subject, seed):
    return subject.weighting(seed).stop_reason_


@measure("learned_strongest", "rank seed", "term", "terms by their learned weight")
def _learned_strongest(subject, rank, seed):
    return ranked(subject, subject.learned(seed).weights, rank)


@measure(
    "learned_nearest", "seed", "text", "which of IDF, χ², IG and RF does to documents most nearly what was learned does"
)
def _learned_nearest(subject, seed):
    return CD[_nearest(subject, seed)].symbol


@measure("learned_alignment", "seed", "score", "its alignment with that formula: 1 is the same up to sign and scale")
def _learned_alignment(subject, seed):
    return subject.alignments(seed)[_nearest(subject, seed)]


@measure("learned_zero", "seed", "score", "its alignment with equal weights for all terms")
def _learned_zero(subject, seed):
    return subject.alignments(seed)[EQUAL]


@measure(
    "learned_r2", "seed", "share", "R² of the best multiple of learned_nearest over the terms, by document frequency"
)
def _learned_r2(subject, seed):
    s, name = subject.statistics, _nearest(subject, seed)
    known = {name: canonical_function(CD[name], s).weights}
    return similarity(subject.learned(seed).weights, known, s.document_frequency)[0].r2


def _nearest(subject, seed):
    return max(FORMULAS, key=subject.alignments(seed).get)


@measure("learned_step", "seed", "count", "the step that early stopping kept")
def _learned_step(subject, seed):
    return subject.weighting(seed).best_step_


@measure("learned_steps", "seed", "count", "steps that were trained")
def _learned_steps(subject, seed):
    return subject.weighting(seed).steps_


@measure("learned_f1", "seed", "score", "validation F1 of the step that was kept")
def _learned_f1(subject, seed):
    return float(subject.weighting(seed).best_f1_)


@measure("validation_positives", "", "count", "documents of the class among those held out to validate")
def _validation_positives(subject):
    task = subject.task
    return int(np.asarray(task.y_train)[np.asarray(task.validation)].sum())


@measure("learned_surface", "seed", "surface", "the learned surface over the whole square")
def _learned_surface(subject, seed):
    def learned(tpr, fpr):
        return height(subject, seed, tpr.ravel(), fpr.ravel()).reshape(tpr.shape)

    return Surface(learned, subject.statistics)


@measure("saturated", "seed", "share", "share of the terms whose weight under LTW-L-σ lies within .001 of one end of σ")
def _saturated(subject, seed):
    return saturation(subject.weighting(seed, "LTW-L-sigma").cd_).share


@measure("saturated_end", "seed", "count", "at which end that is: 0 or 1")
def _saturated_end(subject, seed):
    return saturation(subject.weighting(seed, "LTW-L-sigma").cd_).level


@measure("sigma_low", "seed", "number", "the lowest weight of a term under LTW-L-σ")
def _sigma_low(subject, seed):
    return float(subject.weighting(seed, "LTW-L-sigma").cd_.min())


@measure("sigma_high", "seed", "number", "the highest weight of a term under LTW-L-σ")
def _sigma_high(subject, seed):
    return float(subject.weighting(seed, "LTW-L-sigma").cd_.max())


@measure("sigma_f1", "seed", "score", "validation F1 of the step of LTW-L-σ that was kept")
def _sigma_f1(subject, seed):
    return float(subject.weighting(seed, "LTW-L-sigma").best_f1_)


@measure("learned_name", "seed", "text", "what the learned weighting is called", of_class=False)
def _learned_name(subject, seed):
    return subject.learned_name(seed)


@measure(
    "held_learned_f1", "seed", "score", "F1 of a linear SVM on held-out documents with the learned surface and its dd"
)
def _held_learned_f1(subject, seed):
    return subject.held_out_learned(seed).f1


@measure("held_learned_low", "seed", "score", "low end of its 95% interval over other held-out documents (bootstrap)")
def _held_learned_low(subject, seed):
    return subject.held_out_learned(seed).estimate.documents.low


@measure("held_learned_high", "seed", "score", "high end of that interval")
def _held_learned_high(subject, seed):
    return subject.held_out_learned(seed).estimate.documents.high


@measure(
    "learned_test_f1",
    "seed",
    "score",
    "F1 of a linear SVM on the test documents with what was learned; quick grid, seed 0",
)
def _learned_test_f1(subject, seed):
    return subject.result_learned(seed).f1


def _lead(subject, seed, method):
    return difference_on_test(subject, subject.result_learned(seed), subject.result(method))


@measure("learned_gain", "seed method", "score", "that minus the test F1 of a weighting that is not learned")
def _learned_gain(subject, seed, method):
    return _lead(subject, seed, method).value


@measure("learned_gain_low", "seed method", "score", "low end of its 95% interval (paired bootstrap)")
def _learned_gain_low(subject, seed, method):
    return _lead(subject, seed, method).documents.low


@measure("learned_gain_high", "seed method", "score", "high end of that interval")
def _learned_gain_high(subject, seed, method):
    return _lead(subject, seed, method).documents.high


@measure(
    "learned_better_or_luck", "seed method", "text", "better, worse, or cannot be told: whether that interval holds 0"
)
def _learned_better_or_luck(subject, seed, method):
    return verdict(_lead(subject, seed, method))


@measure("held_best_of", "seed cd…", "text", "of what was learned and some cd functions the best on held-out documents")
def _held_best_of(subject, seed, *functions):
    found = {function.symbol: subject.held_out(function).f1 for function in functions}
    found[subject.learned_name(seed)] = subject.held_out_learned(seed).f1
    return max(found, key=found.get)
