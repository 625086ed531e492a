"""Collection-dependent factors cd as pure functions of a term's contingency with the class.

Every function takes the same four arguments, broadcasts them against each other (terms, or classes × terms, or the grid
of a surface) and returns finite values without a warning, also where a rate or a probability is 0 or 1:

``tpr``  Pr(t|c), the share of the class's documents that hold the term, in [0, 1]
``fpr``  Pr(t|c̄), the same of the other documents, in [0, 1]
``p``    Pr(c), the prevalence, in [0, 1]
``n``    N, the number of training documents, > 0; may be fractional, as may all counts that follow from the four

so that Pr(t,c) = p·tpr, Pr(t,c̄) = (1-p)·fpr and Pr(t) is their sum. "The paper" is Moreo, Esuli and Sebastiani,
*Learning to Weight for Text Classification*. Names, formulas and notes for display are in ``functions``; the factors
that depend on the document in ``dd``; learned factors in ``learned``.
"""

import numpy as np
from scipy.special import ndtri, rel_entr, stdtrit, xlogy

CONFIDENCE = 0.95
BNS_CUT = 0.0005


def constant(tpr, fpr, p, n):
    """cd = 1: every term counts the same.

    Parameters
    ----------
    tpr, fpr, p, n : array-like
        Rates, prevalence and number of documents, as the module's docstring has them for all functions here.

    Returns
    -------
    ndarray, shape of the four broadcast
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    return _result(np.ones(tpr.shape))


def idf(tpr, fpr, p, n):
    """Inverse document frequency, ln(N / n_t) with n_t = N·Pr(t), in nats and ≥ 0.

    n_t is taken as at least one document: a term that no training document holds weighs ln N, not infinity.

    References
    ----------
    Right-hand factor of the paper's Equation 1; Sparck Jones (1972), *A statistical interpretation of term specificity
    and its application in retrieval*.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    document_frequency = np.maximum(n * _pr_term(tpr, fpr, p), 1.0)
    return _result(np.maximum(np.log(n / document_frequency), 0.0))


def idf_smoothed(tpr, fpr, p, n):
    """scikit-learn's idf, ln((1 + N) / (1 + n_t)) + 1, in nats and ≥ 1: as if one more document held each term once.

    References
    ----------
    ``TfidfTransformer`` with ``smooth_idf=True``, its default, which the published code of the paper's authors uses.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    return _result(np.log((1 + n) / (1 + n * _pr_term(tpr, fpr, p))) + 1)


def bm25_idf(tpr, fpr, p, n):
    """BM25's idf, max(0, ln((N - n_t + ½) / (n_t + ½))), in nats and ≥ 0.

    Clipped at 0, because for terms in more than half of the documents it would be negative and flip their sign.

    References
    ----------
    Right-hand factor of the paper's Equation 2; Robertson and Zaragoza (2009), *The Probabilistic Relevance Framework*.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    holding = n * _pr_term(tpr, fpr, p)
    without = n * _pr_no_term(tpr, fpr, p)
    return _result(np.maximum(np.log((without + 0.5) / (holding + 0.5)), 0.0))


def chi_square(tpr, fpr, p, n):
    """Pearson's χ² of the 2×2 table, N·p(1-p)(tpr-fpr)² / (Pr(t)·Pr(t̄)), in [0, N]; 0 where Pr(t) is 0 or 1.

    References
    ----------
    The paper's Equation 4, N(Pr(t,c)Pr(t̄,c̄) - Pr(t̄,c)Pr(t,c̄))² / (Pr(t)Pr(t̄)Pr(c)Pr(c̄)), with the common factors
    cancelled.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    spread = _pr_term(tpr, fpr, p) * _pr_no_term(tpr, fpr, p)
    numerator = n * p * (1 - p) * (tpr - fpr) ** 2
    return _result(quotient(numerator, spread))


def information_gain(tpr, fpr, p, n):
    """Mutual information of term and class, Σ Pr(t',c')·log₂(Pr(t',c') / (Pr(t')Pr(c'))) over the four cells.

    In bits, in [0, 1]; 0·log 0 = 0. It does not depend on N.

    References
    ----------
    The paper's Equation 5.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    # Pr(t',c')/(Pr(t')Pr(c')) is Pr(t'|c')/Pr(t'). The floor only matters for cells whose weight p or 1-p is 0.
    tiny = np.finfo(np.float64).tiny
    holding, without = np.maximum(_pr_term(tpr, fpr, p), tiny), np.maximum(_pr_no_term(tpr, fpr, p), tiny)
    nats = p * (rel_entr(tpr, holding) + rel_entr(1 - tpr, without))
    nats = nats + (1 - p) * (rel_entr(fpr, holding) + rel_entr(1 - fpr, without))
    return _result(np.maximum(nats, 0.0) / np.log(2))  # rounding takes independent terms to -1e-17


def gain_ratio(tpr, fpr, p, n):
    """Information gain over the class's entropy, IG / H(c) with H in bits, in [0, 1]; 0 where H(c) is 0.

    For one class H(c) is a constant, so that GR ∝ IG.

    References
    ----------
    The paper's Equation 6.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    entropy = -(xlogy(p, p) + xlogy(1 - p, 1 - p)) / np.log(2)
    return _result(np.minimum(quotient(information_gain(tpr, fpr, p, n), entropy), 1.0))


def relevance_frequency(tpr, fpr, p, n):
    """Relevance frequency, log₂(2 + TP / max(1, FP)) on counts TP = N·p·tpr and FP = N(1-p)·fpr; ≥ 1.

    References
    ----------
    The paper's Equation 7; Lan et al. (2009), *Supervised and traditional term weighting methods for automatic text
    categorization*.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    return _result(np.log2(2 + n * p * tpr / np.maximum(n * (1 - p) * fpr, 1.0)))


def relevance_frequency_before_2017(tpr, fpr, p, n):
    """RF as the authors' code had it from 19 to 23 January 2017: log₂(2 + Pr(t,c) / Pr(t,c̄)), in which a Pr(t,c̄) of 0
    is replaced by 1.

    Shares take the place of counts there. Where a term occurs outside the class that is RF all the same; but one that
    occurs only in the class gets log₂(2 + Pr(t,c)), hardly more than 1, the lowest weight there is.

    References
    ----------
    The commits 55e40ca and 525ada2 of the code that the paper's authors published; up to the first of them the
    denominator was max(1, Pr(t,c̄)), which is 1 for every term.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    outside = (1 - p) * fpr
    return _result(np.log2(2 + p * tpr / np.where(outside > 0, outside, 1.0)))


def conf_weight(tpr, fpr, p, n, *, authors=False):
    """ConfWeight: log₂(2·MinPos / (MinPos + MaxNeg)) if MinPos > MaxNeg, else 0; in [0, 1].

    MinPos is the low end of the 95 % confidence interval of Pr(t|c), MaxNeg the high end of that of Pr(t|c̄). For x
    successes of m the interval is p̃ ± z√(p̃(1-p̃) / (m + z²)) with p̃ = (x + z²/2) / (m + z²); z is the normal quantile
    for m > 30, else Student's t with max(m - 1, 1) degrees of freedom.

    Parameters
    ----------
    tpr, fpr, p, n : array-like
    authors : bool
        Half-width ½z²√(…) as in the published code of the paper's authors: nearly the same for m > 30, wider below.

    References
    ----------
    Soucy and Mineau (2005), *Beyond TFIDF weighting for text categorization in the vector space model*.
    """
    # The quantile is slow and depends on p and n alone: one a class, before broadcasting to the terms.
    double = {"dtype": np.float64}  # also where single precision comes in
    z_positive = quantile(np.multiply(n, p, **double))
    z_negative = quantile(np.multiply(n, np.subtract(1.0, p, **double), **double))
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    min_pos, _ = interval(tpr, n * p, z_positive, authors)
    _, max_neg = interval(fpr, n * (1 - p), z_negative, authors)
    strength = np.log2(2 * np.maximum(min_pos, max_neg) / (np.maximum(min_pos, max_neg) + max_neg))
    return _result(np.where(min_pos > max_neg, strength, 0.0))


def gss(tpr, fpr, p, n):
    """GSS coefficient, Pr(t,c)Pr(t̄,c̄) - Pr(t̄,c)Pr(t,c̄) = p(1-p)(tpr-fpr), in [-¼, ¼]; a plane.

    References
    ----------
    Galavotti, Sebastiani and Simi (2000), *Experiments on the use of feature selection and negative evidence in
    automated text categorization*.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    return _result(p * (1 - p) * (tpr - fpr))


def log_odds_ratio(tpr, fpr, p, n):
    """Smoothed log odds ratio, ln((N·tpr + 1)(N(1-fpr) + 1) / ((N·fpr + 1)(N(1-tpr) + 1))), in nats.

    One imagined document with the term and one without are each divided over c and c̄ as the prevalence says: TP + p,
    FP + (1-p), FN + p, TN + (1-p), of which p and 1-p cancel. So it is finite, 0 exactly where term and class are
    independent, and it does not depend on the prevalence. Adding ½ to each cell instead (Haldane) makes a rare class
    look correlated with terms it does not hold.

    References
    ----------
    Odds ratio as a term scoring function: Mladenić and Grobelnik (1999), *Feature selection for unbalanced class
    distribution and Naive Bayes*. The smoothing is ours.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    return _result(np.log((n * tpr + 1) * (n * (1 - fpr) + 1) / ((n * fpr + 1) * (n * (1 - tpr) + 1))))


def pointwise_mutual_information(tpr, fpr, p, n):
    """Smoothed pointwise mutual information of "holds t" and "is of c", log₂((N·tpr + 1) / (N·Pr(t) + 1)), in bits.

    That is log₂(Pr(c|t) / Pr(c)) after adding one imagined document with the term, divided over c and c̄ as the
    prevalence says (TP + p of n_t + 1); without it the value at tpr = 0 would be -∞.

    References
    ----------
    Church and Hanks (1990), *Word association norms, mutual information, and lexicography*. The smoothing is ours.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    return _result(np.log2((n * tpr + 1) / (n * _pr_term(tpr, fpr, p) + 1)))


def bi_normal_separation(tpr, fpr, p, n):
    """Bi-normal separation, |Φ⁻¹(tpr) - Φ⁻¹(fpr)| with the rates cut at .0005 and .9995; in [0, 6.58].

    Φ⁻¹ is the quantile function of the standard normal distribution, which the cut keeps finite. It depends neither on
    the prevalence nor on N.

    References
    ----------
    Forman (2003), *An extensive empirical study of feature selection metrics for text classification*, JMLR 3; as a
    weighting Forman (2008), *BNS feature scaling*.
    """
    tpr, fpr, p, n = arguments(tpr, fpr, p, n)
    one, other = (ndtri(np.clip(rate, BNS_CUT, 1 - BNS_CUT)) for rate in (tpr, fpr))
    return _result(np.abs(one - other))


def arguments(tpr, fpr, p, n):
    """The four as float arrays of one shape, checked."""
    arrays = [np.asarray(value, dtype=np.float64) for value in (tpr, fpr, p, n)]
    for name, value in zip(("tpr", "fpr", "p"), arrays[:3], strict=True):
        # written so that NaN fails too
        if value.size and not (value.min() >= 0 and value.max() <= 1):
            raise ValueError(f"{name} ranges from {value.min()} to {value.max()}; it must lie in [0, 1]")
    if arrays[3].size and not arrays[3].min() > 0:
        raise ValueError(f"n is {arrays[3].min()}; the number of documents must be positive")
    return np.broadcast_arrays(*arrays)


def _result(values):
    """Zero-dimensional arrays as NumPy scalars, others as they are."""
    return values[()]


def _pr_term(tpr, fpr, p):
    return p * tpr + (1 - p) * fpr


def _pr_no_term(tpr, fpr, p):
    """Pr(t̄), not as 1 - Pr(t), which loses all digits near 1."""
    return p * (1 - tpr) + (1 - p) * (1 - fpr)


def quotient(numerator, denominator):
    """Quotient, 0 where the denominator is 0 (or so small that the quotient means nothing)."""
    usable = np.abs(denominator) > 1e-300
    return np.where(usable, numerator / np.where(usable, denominator, 1.0), 0.0)


def quantile(trials):
    # stdtrit costs a microsecond, and where all tables of a corpus come at once few numbers of trials are distinct
    trials = np.asarray(trials, dtype=np.float64)
    distinct, where = np.unique(trials, return_inverse=True)
    if distinct.size < trials.size:
        return quantile(distinct)[where.reshape(trials.shape)]
    level = 0.5 + CONFIDENCE / 2
    few = trials <= 30 + 1e-6  # N·p of exactly 30 documents may come out as 30.000000000000004
    return np.where(few, stdtrit(np.maximum(trials - 1, 1), level), ndtri(level))


def interval(rate, trials, z, authors):
    squared = z**2
    centre = (rate * trials + squared / 2) / (trials + squared)
    half_width = (squared / 2 if authors else z) * np.sqrt(centre * (1 - centre) / (trials + squared))
    return centre - half_width, centre + half_width
