"""``CombinedComponents`` (CCA), a scikit-learn transformer: breeds a formula, keeps it, weights documents with it.

Scores are computed by several threads (scikit-learn's logistic regression releases the GIL) and each formula once.
"""

from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_array
from sklearn.base import OneToOneFeatureMixin
from sklearn.utils import check_random_state

from ltw_core.weighting import checked
from ltw_core.weighting.classic import TermWeighting
from ltw_core.weighting.counts_transformer import CountsTransformer
from ltw_core.weighting.genetic import formula as formulas
from ltw_core.weighting.genetic.fitness import Fitness
from ltw_core.weighting.genetic.found_formula import FoundFormula
from ltw_core.weighting.genetic.search import GENERATIONS, POPULATION, Evolution
from ltw_core.weighting.genetic.terminals import Statistics, terminals
from ltw_core.weighting.progress import Progress

FEWEST = 4  # positives in training and in validation


class CombinedComponents(OneToOneFeatureMixin, CountsTransformer):
    """Weight terms by a formula that genetic programming finds for the class.

    Parameters
    ----------
    population, generations : int
        Formulas in a generation, and how often they are bred.
    n_jobs : int
        Threads; -1 for one a core.
    random_state : int, RandomState instance or None
    validation_fraction : float
        Share of the documents that validate when `fit` is given no split.

    Attributes
    ----------
    formula_ : Formula or None
        The best one, with its ``text``, ``latex``, ``depth`` and ``legend``; None where there were too few positives.
    best_f1_ : float
        Its F1 on the validation documents.
    history_ : list of (generation, best F1 so far, mean F1, formulas scored)
    classes_ : ndarray, shape (2,)
        The second one is the positive class.
    remarks_ : tuple of str
        The formula in a sentence, or why there is none.
    """

    def __init__(
        self,
        *,
        population=POPULATION,
        generations=GENERATIONS,
        n_jobs=-1,
        random_state=0,
        validation_fraction=0.2,
    ):
        self.population = population
        self.generations = generations
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.validation_fraction = validation_fraction

    def fit(self, X, y, validation=None, on_event=None):
        """Breed a formula.

        Parameters
        ----------
        X : sparse or dense array of counts ≥ 0, shape (documents, terms)
        y : array-like of two classes, shape (documents,)
        validation : array-like of bool, shape (documents,), or None
            True for the documents whose F1 is the fitness; None for the last ones of each class.
        on_event : callable, optional
            Called with a ``Progress`` after each formula; returning True ends the search with the best one so far.

        Raises
        ------
        ValueError
            Something is wrong with the data or a parameter; the message says what.
        """
        if not self.population >= 2:
            raise ValueError(f"population is {self.population}; it must be at least 2")
        if not self.generations >= 0:
            raise ValueError(f"generations is {self.generations}; it must be at least 0")
        X, self.classes_, positive = checked.problem(self, X, y, "CCA")
        X = _positive_entries(X)
        mask = checked.validation(validation, positive, self.validation_fraction)
        self.history_ = []
        if min(positive[mask].sum(), positive[~mask].sum()) < FEWEST:
            self._fall_back(X)
        else:
            self._search(X, positive, mask, on_event)
        return self

    def _fall_back(self, X):
        self._tfidf = TermWeighting(dd="raw", cd="IDF", norm="l2").fit(X)
        self.formula_, self.best_f1_ = None, float("nan")
        self.remarks_ = (
            f"CCA needs {FEWEST} documents of the class in training and {FEWEST} in validation; there are fewer, so "
            "TFIDF stands in for it.",
        )

    def _search(self, X, positive, mask, on_event):
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        fitness, evolution = Fitness(X, positive, mask), Evolution(seed, self.population)
        for generation in range(self.generations + 1):
            if generation:
                evolution.advance()
            went_on = self._score(evolution, fitness, generation, on_event)
            tree, best = evolution.best()
            of_this = [evolution.scores[f] for f in evolution.formulas() if f in evolution.scores]
            self.history_.append((generation, best, float(np.mean(of_this)), len(evolution.scores)))
            if not went_on:
                break
        slopes = {name: fitness.slopes[name] for name in sorted(formulas.used(tree) & fitness.slopes.keys())}
        self.formula_, self.best_f1_ = formulas.Formula(tree, slopes), best
        self._statistics = Statistics.of(X)
        legend = "; ".join(f"{symbol}: {meaning}" for symbol, meaning in self.formula_.legend)
        found = FoundFormula(
            self.formula_.depth, len(evolution.scores), best, self.formula_.text, self.formula_.latex, legend
        )
        self.remarks_ = (found.sentence,)

    def _score(self, evolution, fitness, generation, on_event) -> bool:
        """Score what is new in a generation; False where `on_event` said to end. At least one is scored."""
        waiting = evolution.unscored()
        pool = ThreadPoolExecutor(effective_n_jobs(self.n_jobs), thread_name_prefix="cca")
        try:
            running = {pool.submit(fitness, formula): formula for formula in waiting}
            for done, future in enumerate(as_completed(running), 1):
                evolution.scores[running[future]] = future.result()
                if on_event is not None and on_event(self._progress(evolution, generation, done, len(waiting))):
                    return False
        finally:
            pool.shutdown(cancel_futures=True)
        return True

    def _progress(self, evolution, generation, done, waiting):
        best = max(evolution.scores.values())
        made, total = generation * self.population, (self.generations + 1) * self.population
        message = (
            f"Generation {generation} of {self.generations}, validation F1 {best:.3f}, "
            f"{len(evolution.scores):,} formulas tried"
        )
        made += round(self.population * done / waiting)
        return Progress(done=made, total=total, validation_f1=best, message=message)

    def weigh(self, X):
        """The formula at documents: csr_array of float64, shape (documents, terms).

        Not normalised, unless the formula does it.
        """
        X = _positive_entries(X)
        if self.formula_ is None:
            return self._tfidf.transform(X)
        values = terminals(X, self._statistics, self.formula_.slopes)
        weights = np.nan_to_num(formulas.weights(self.formula_.tree, values), nan=0.0)
        weighted = csr_array((weights, X.indices, X.indptr), shape=X.shape)
        weighted.eliminate_zeros()
        return weighted

    def __sklearn_is_fitted__(self):
        return hasattr(self, "remarks_")


def _positive_entries(X):
    """Without stored zeros, and without sharing arrays with X."""
    X = X.copy()
    X.eliminate_zeros()
    return X
