"""Measures of cd functions at a class: weights, rankings, slices; and F1 of classifiers with a weighting."""

import numpy as np

from ltw_core.lessons.measures import Curve, Surface, measure
from ltw_core.lessons.term_measures import place_of, ranked
from ltw_core.metrics import f1
from ltw_core.weighting import display

POINTS = 101  # of a curve


def weights_of(subject, function) -> np.ndarray:
    """The function's weight of each term."""
    s = subject.statistics
    return function.at_rates(s.tpr, s.fpr, s.prevalence, s.n_documents)


def scaled(y) -> np.ndarray:
    """As shares of the largest magnitude."""
    y = np.nan_to_num(np.asarray(y, dtype=float), posinf=0, neginf=0)
    return y / (np.abs(y).max(initial=0) or 1.0)


def _slice(subject, function, along, at, p):
    x = np.linspace(0, 1, POINTS)
    tpr, fpr = (x, np.full(POINTS, at)) if along == "tpr" else (np.full(POINTS, at), x)
    return Curve(x, scaled(function.at_rates(tpr, fpr, p, subject.statistics.n_documents)))


@measure("strongest", "cd rank", "term", "terms by their weight under a function")
def _strongest(subject, function, rank):
    return ranked(subject, weights_of(subject, function), rank)


@measure("highest", "cd term…", "term", "of some terms the one that a function weighs most")
def _highest(subject, function, *terms):
    weights = weights_of(subject, function)
    return max(terms, key=lambda term: weights[place_of(subject, term)])


@measure("ranking", "cd term…", "terms", "some terms by their weight under a function, the strongest first")
def _ranking(subject, function, *terms):
    weights = weights_of(subject, function)
    return sorted(terms, key=lambda term: -weights[place_of(subject, term)])


@measure("weight", "cd term", "number", "a term's weight under a function")
def _weight(subject, function, term):
    return float(weights_of(subject, function)[place_of(subject, term)])


@measure("ratio", "cd term term", "number", "how many times more a function weighs the first term than the second")
def _ratio(subject, function, one, other):
    weights = weights_of(subject, function)
    below = weights[place_of(subject, other)]
    if below == 0:
        raise ValueError(f"the weight of “{other}” under {function.symbol} is 0, so that there is no ratio to it")
    return float(weights[place_of(subject, one)] / below)


@measure("value", "cd rate rate rate", "number", "a function at a tpr, an fpr and a prevalence, with this corpus's N")
def _value(subject, function, tpr, fpr, p):
    return float(function.at_rates(tpr, fpr, p, subject.statistics.n_documents))


@measure(
    "value_ratio", "cd rate rate rate rate rate", "number", "a function at tpr, fpr over that at tpr, fpr; then Pr(c)"
)
def _value_ratio(subject, function, tpr, fpr, other_tpr, other_fpr, p):
    n = subject.statistics.n_documents
    return float(function.at_rates(tpr, fpr, p, n) / function.at_rates(other_tpr, other_fpr, p, n))


@measure(
    "posterior",
    "rate rate rate",
    "share",
    "share of the documents with a term that are of the class, at tpr, fpr, Pr(c)",
    of_class=False,
)
def _posterior(subject, tpr, fpr, p):
    return p * tpr / ((p * tpr + (1 - p) * fpr) or 1.0)


@measure("slice", "cd along rate", "curve", "a function along one rate, the other fixed, at this class's prevalence")
def _slice_here(subject, function, along, at):
    return _slice(subject, function, along, at, subject.statistics.prevalence)


@measure("slice_at", "cd along rate rate", "curve", "the same at a prevalence of one's own")
def _slice_at(subject, function, along, at, p):
    return _slice(subject, function, along, at, p)


@measure("surface", "cd", "surface", "a function over the whole square, at this class's prevalence")
def _surface(subject, function):
    s = subject.statistics
    return Surface(lambda tpr, fpr: function.at_rates(tpr, fpr, s.prevalence, s.n_documents), s)


@measure("symbol", "cd", "text", "a cd function as it is written: χ² for CHI2", of_class=False)
def _symbol(subject, function):
    return function.symbol


@measure("held_f1", "cd", "score", "F1 of a linear SVM on held-out documents with a cd function, dd 1 + ln f, L2")
def _held_f1(subject, function):
    return subject.held_out(function).f1


@measure("held_low", "cd", "score", "low end of the 95% interval of that F1 over other held-out documents (bootstrap)")
def _held_low(subject, function):
    return subject.held_out(function).estimate.documents.low


@measure("held_high", "cd", "score", "high end of that interval")
def _held_high(subject, function):
    return subject.held_out(function).estimate.documents.high


@measure("same_order", "cd cd", "number", "Spearman's correlation of two functions over the class's terms")
def _same_order(subject, one, other):
    from scipy.stats import spearmanr

    return float(spearmanr(weights_of(subject, one), weights_of(subject, other)).statistic)


@measure(
    "order_kept",
    "cd rate",
    "number",
    "Spearman's correlation, over the class's terms, of a function with itself at Pr(c)",
)
def _order_kept(subject, function, p):
    from scipy.stats import spearmanr

    s = subject.statistics
    there = function.at_rates(s.tpr, s.fpr, p, s.n_documents)
    return float(spearmanr(weights_of(subject, function), there).statistic)


@measure("same_vector", "cd cd", "number", "cosine of the class's weights under two functions")
def _same_vector(subject, one, other):
    a, b = weights_of(subject, one), weights_of(subject, other)
    return float(a @ b / ((np.linalg.norm(a) * np.linalg.norm(b)) or 1.0))


def _counts(subject, name):
    result = subject.result(name)
    return np.array([result.tp, result.fp, result.fn, result.tn])


@measure("test_documents", "", "count", "test documents")
def _test_documents(subject):
    return len(subject.task.y_test)


@measure("test_positives", "", "count", "test documents of the class")
def _test_positives(subject):
    return int(subject.task.y_test.sum())


@measure("test_f1", "method", "score", "F1 of a linear SVM with a weighting on the test documents; quick grid, seed 0")
def _test_f1(subject, name):
    return subject.result(name).f1


@measure(
    "validation_f1",
    "method",
    "score",
    "F1 on the held-out documents that chose the SVM's C for it, and were counted in its cd: beside training, dashed",
)
def _validation_f1(subject, name):
    return subject.result(name).validation_f1


@measure("test_errors", "method", "count", "test documents that it gets wrong")
def _test_errors(subject, name):
    return int(_counts(subject, name)[1:3].sum())


@measure("test_tp", "method", "count", "true positives: test documents of the class that are predicted positive")
def _test_tp(subject, name):
    return int(_counts(subject, name)[0])


@measure("test_fp", "method", "count", "false positives: other test documents that are predicted positive")
def _test_fp(subject, name):
    return int(_counts(subject, name)[1])


@measure("test_fn", "method", "count", "false negatives: test documents of the class that are predicted negative")
def _test_fn(subject, name):
    return int(_counts(subject, name)[2])


@measure(
    "decided_apart", "method method", "count", "test documents that classifiers with two weightings decide differently"
)
def _decided_apart(subject, one, other):
    return len(np.setxor1d(subject.result(one).predicted, subject.result(other).predicted))


@measure("one_more", "method", "number", "what its F1 gains if one document that it missed is found")
def _one_more(subject, name):
    tp, fp, fn, _ = _counts(subject, name)
    if fn == 0:
        raise ValueError("the classifier missed no document, so that none more can be found")
    return float(f1(tp + 1, fp, fn - 1) - f1(tp, fp, fn))


def interval(subject, name) -> tuple[float, float]:
    """95 % interval of the test F1 over other test documents: see ``evaluation.uncertainty``."""
    from ltw_core.evaluation.uncertainty import estimate

    low, high = estimate([subject.result(name)]).documents
    return low, high


@measure("f1_low", "method", "score", "low end of the 95% interval of its F1 over test documents (bootstrap)")
def _f1_low(subject, name):
    return interval(subject, name)[0]


@measure("f1_high", "method", "score", "high end of that interval")
def _f1_high(subject, name):
    return interval(subject, name)[1]


@measure("interval_width", "method", "number", "its width")
def _width(subject, name):
    low, high = interval(subject, name)
    return high - low


@measure("best_method", "method…", "text", "of some weightings the one with the highest test F1")
def _best_method(subject, *names):
    return display(max(names, key=lambda name: subject.result(name).f1))


def difference_on_test(subject, one, other):
    """Of two results' F1 on the test documents, paired."""
    from ltw_core.evaluation.best import compared

    return compared([one], [other], subject.task.y_test)


def _difference(subject, one, other):
    return difference_on_test(subject, subject.result(one), subject.result(other))


def _held_difference(subject, one, other):
    from ltw_core.evaluation.best import compared

    y, validation = (np.asarray(mask, dtype=bool) for mask in (subject.task.y_train, subject.task.validation))
    first, second = subject.held_out(one), subject.held_out(other)
    return compared([first], [second], y if first.folds > 1 else y[validation])


def verdict(found) -> str:
    """What a difference's interval says."""
    return {1: "better", -1: "worse", 0: "cannot be told"}[found.sign]


@measure("gain", "method method", "score", "test F1 of the first weighting minus that of the second")
def _gain(subject, one, other):
    return _difference(subject, one, other).value


@measure("gain_low", "method method", "score", "low end of its 95% interval (paired bootstrap)")
def _gain_low(subject, one, other):
    return _difference(subject, one, other).documents.low


@measure("gain_high", "method method", "score", "high end of that interval")
def _gain_high(subject, one, other):
    return _difference(subject, one, other).documents.high


@measure("better_or_luck", "method method", "text", "better, worse, or cannot be told: whether that interval holds 0")
def _better_or_luck(subject, one, other):
    return verdict(_difference(subject, one, other))


@measure("only_right", "method method", "count", "test documents that the first gets right and the second does not")
def _only_right(subject, one, other):
    return int(_difference(subject, one, other).first_right)


@measure("held_gain", "cd cd", "score", "held-out F1 with the first cd function minus that with the second")
def _held_gain(subject, one, other):
    return _held_difference(subject, one, other).value


@measure("held_gain_low", "cd cd", "score", "low end of its 95% interval (paired bootstrap)")
def _held_gain_low(subject, one, other):
    return _held_difference(subject, one, other).documents.low


@measure("held_gain_high", "cd cd", "score", "high end of that interval")
def _held_gain_high(subject, one, other):
    return _held_difference(subject, one, other).documents.high


@measure("held_verdict", "cd cd", "text", "better, worse, or cannot be told: whether that interval holds 0")
def _held_verdict(subject, one, other):
    return verdict(_held_difference(subject, one, other))


@measure("held_best", "cd…", "text", "of some cd functions the one with the highest F1 on held-out documents")
def _held_best(subject, *functions):
    return max(functions, key=lambda function: subject.held_out(function).f1).symbol
