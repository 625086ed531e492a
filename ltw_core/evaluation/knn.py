"""k nearest neighbours by Euclidean distance, on all terms, on the top terms by χ², or on principal components.

Neighbours are looked up once for all k of a reduction. Leaves out the authors' variants (votes weighted by distance, k
at most the number of positives, χ² of presence).
"""

from functools import cached_property

import numpy as np

from ltw_core.evaluation.classifiers import Learner, Prediction, grouped

KS = (1, 3, 5, 15, 30)
TOP_TERMS = (25, 50, 100, 250, 500)
COMPONENTS = (64, 128, 256)
DISTANCES_MB = 8  # at a time: scikit-learn holds the interpreter for each product, 9 ms; with 32 MB 44 ms (Reuters)


class KNN(Learner):
    """k nearest neighbours: all terms, then χ² with few terms first, then PCA with few components first; k up.

    A setting is ``{"k": 5, "reduction": "all"}``, ``"chi2-100"`` or ``"pca-64"``. A tie of votes goes to "not of the
    class".
    """

    name, title, score, threshold = "KNN", "k nearest neighbours", "share of the neighbours", 0.5
    note = "It compares each document with all training documents, so it takes longer than the linear learners."

    def grid(self, size, n_documents, n_terms):
        tops, components = ((100,), ()) if size == "quick" else (TOP_TERMS, COMPONENTS)
        reductions = ["all", *(f"chi2-{top}" for top in tops if top < n_terms)]
        reductions += [f"pca-{count}" for count in components if count < min(n_documents, n_terms)]
        ks = [k for k in KS if k <= n_documents]
        return [{"k": k, "reduction": reduction} for reduction in reductions for k in ks]

    def predictions(self, points, X, y, X_new, seed):
        """As ``Learner.predictions``."""
        from sklearn import config_context
        from sklearn.neighbors import NearestNeighbors

        groups = {reduction: indices for (reduction,), indices in grouped(points, "reduction").items()}
        reduced = _Reductions(groups, X, y, X_new, seed)
        for reduction, indices in groups.items():
            try:
                train, new = reduced(reduction)
                most = max(points[index]["k"] for index in indices)
                finder = NearestNeighbors(n_neighbors=most, algorithm="brute").fit(train)
                with config_context(working_memory=DISTANCES_MB):
                    votes = np.cumsum(y[finder.kneighbors(new, return_distance=False)], axis=1)
            except (ValueError, RuntimeError) as error:  # ARPACK's errors are RuntimeErrors
                for index in indices:
                    yield Prediction(index, None, str(error))
                continue
            for index in indices:
                k = points[index]["k"]
                yield Prediction(index, 2 * votes[:, k - 1] > k, scores=votes[:, k - 1] / k)


class _Reductions:
    """Train and new vectors under each reduction; the χ² scores and the largest PCA are computed once."""

    def __init__(self, names, X, y, X_new, seed):
        self.X, self.y, self.X_new, self.seed = X, y, X_new, seed
        self.components = max((int(name.partition("-")[2]) for name in names if name.startswith("pca")), default=0)

    def __call__(self, reduction):
        kind, _, size = reduction.partition("-")
        if kind == "all":
            return self.X, self.X_new
        if kind == "chi2":
            top = self._order[: int(size)]
            return self.X[:, top], self.X_new[:, top]
        return tuple(np.ascontiguousarray(part[:, : int(size)]) for part in self._projected)

    @cached_property
    def _order(self):
        """Terms by falling χ² of the absolute weights (weights may be negative), of ties the earlier term first."""
        from sklearn.feature_selection import chi2

        return np.argsort(-np.nan_to_num(chi2(abs(self.X), self.y)[0], nan=-1.0), kind="stable")

    @cached_property
    def _projected(self):
        """All components at once: the first 64 of 256 are the 64. ARPACK centres without making the matrix dense."""
        from sklearn.decomposition import PCA

        pca = PCA(self.components, svd_solver="arpack", random_state=self.seed).fit(self.X)
        return pca.transform(self.X), pca.transform(self.X_new)
