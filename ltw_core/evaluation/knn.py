"""k nearest neighbours by Euclidean distance, on all terms, on the top terms by χ², or on principal components.

Neighbours are looked up once for all k of a reduction. What the authors' code does otherwise is asked for by a protocol
(``ltw_core.protocol``).
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ltw_core.evaluation.base_learner import Learner, Prediction, grouped, labels_of
from ltw_core.protocol import Protocol

KS = (1, 3, 5, 15, 30)
KS_OF_CODE = (15, 5, 3, 1)
COMPONENTS_OF_CODE = (64, 128)
TOP_TERMS = (25, 50, 100, 250, 500)
COMPONENTS = (64, 128, 256)
DISTANCES_MB = 8  # at a time: scikit-learn holds the interpreter for each product, 9 ms; with 32 MB 44 ms (Reuters)

NEARER = 1e-6  # of a vote, by which a nearer neighbour counts more: less than any difference of votes


class KNN(Learner):
    """k nearest neighbours: all terms, then χ² with few terms first, then PCA with few components first; k up.

    A setting is ``{"k": 5, "reduction": "all"}``, ``"chi2-100"`` or ``"pca-64"``. A tie of votes goes to "not of the
    class".
    """

    name, title, score, threshold = "KNN", "k nearest neighbours", "share of the neighbours", 0.5
    note = (
        "It compares each document with all training documents, so it takes longer than the linear learners. It cannot "
        "decide on a document without a known term, from which all documents of unit length are equally far: such a "
        "document is predicted negative."
    )
    decides_on_nothing = False
    native = ("single", "multi")

    def __init__(self, asked: Protocol | None = None, positives: int | None = None):
        self.protocol = Protocol() if asked is None else asked
        self.positives = positives  # training documents of the class

    def suited_to(self, vectors):
        if vectors.protocol == self.protocol:
            return self
        return KNN(vectors.protocol, int(np.count_nonzero(vectors.y_train & ~vectors.validation)))

    def grid(self, size, n_documents, n_terms):
        if self.protocol.knn_grid == "code":
            return self._grid_of_code(size, n_documents, n_terms)
        tops, components = ((100,), ()) if size == "quick" else (TOP_TERMS, COMPONENTS)
        reductions = ["all", *(f"chi2-{top}" for top in tops if top < n_terms)]
        reductions += [f"pca-{count}" for count in components if count < min(n_documents, n_terms)]
        ks = [k for k in KS if k <= n_documents]
        return [{"k": k, "reduction": reduction} for reduction in reductions for k in ks]

    def _grid_of_code(self, size, n_documents, n_terms):
        """Many neighbours before few, components before selections, large selections before small ones."""
        tops, components = ((100,), ()) if size == "quick" else (sorted(TOP_TERMS, reverse=True), COMPONENTS_OF_CODE)
        reductions = ["all", *(f"pca-{count}" for count in components if count < min(n_documents, n_terms))]
        reductions += [f"chi2-{top}" for top in tops if top < n_terms]
        most = min(n_documents, self.positives or n_documents)
        return [{"k": k, "reduction": reduction} for reduction in reductions for k in KS_OF_CODE if k <= most]

    def predictions(self, points, X, y, X_new, seed):
        """As ``Learner.predictions``."""
        for index, ranked, k in self._neighbours(points, X, y, X_new, seed):
            if k is None:
                yield Prediction(index, None, ranked)
                continue
            nearest = ranked.documents[:, :k]
            if self.protocol.knn_votes == "distance":
                shares = _by_distance(y[nearest], ranked.distances[:, :k])
                yield Prediction(index, shares > self.threshold, scores=shares)
                continue
            votes = np.count_nonzero(y[nearest], axis=1)
            yield Prediction(index, 2 * votes > k, scores=votes / k)

    def class_predictions(self, points, X, Y, X_new, seed, single):
        """As ``Learner.class_predictions``; where classes have equally many votes the nearest neighbour's wins."""
        for index, ranked, k in self._neighbours(points, X, labels_of(Y) if single else Y, X_new, seed):
            if k is None:
                yield Prediction(index, None, ranked)
                continue
            scores = np.zeros((len(ranked.documents), Y.shape[1]))
            for place in range(k):
                scores += Y[ranked.documents[:, place]] * (1 + (k - place) * NEARER if single else 1)
            scores /= k
            yield Prediction(index, scores > self.threshold, scores=scores)

    def _neighbours(self, points, X, y, X_new, seed):
        """(index of a setting, the ``_Ranked`` neighbours of the new documents, and k); k is None where they could not
        be found, and why stands in their place."""
        from sklearn import config_context
        from sklearn.neighbors import NearestNeighbors

        groups = {reduction: indices for (reduction,), indices in grouped(points, "reduction").items()}
        reduced = _Reductions(groups, X, y, X_new, seed, self.protocol.ties)
        for reduction, indices in groups.items():
            try:
                train, new = reduced(reduction)
                most = max(points[index]["k"] for index in indices)
                finder = NearestNeighbors(n_neighbors=most, algorithm="brute").fit(train)
                rows, again = _distinct_rows(new)
                with config_context(working_memory=DISTANCES_MB):
                    ranked = _Ranked(*(part[again] for part in finder.kneighbors(new[rows])))
            except (ValueError, RuntimeError) as error:  # ARPACK's errors are RuntimeErrors
                for index in indices:
                    yield index, str(error), None
                continue
            for index in indices:
                yield index, ranked, points[index]["k"]


class _Ranked(NamedTuple):
    """Neighbours of documents, the nearest first, and how far they are: shapes (documents, neighbours)."""

    distances: np.ndarray
    documents: np.ndarray


def _distinct_rows(vectors):
    """Rows that differ, and for each row its place among them: what is equal has the same neighbours.

    On few terms most documents are equal, and often empty: on 25 terms of the Reuters class corn (TFRF) 241 of 1,920 of
    the validation part differ. An empty one is equally far from thousands, where selecting the nearest takes longest.
    """
    if isinstance(vectors, np.ndarray):  # components differ
        every = np.arange(len(vectors))
        return every, every
    places: dict[tuple[bytes, bytes], int] = {}
    rows, again = [], np.empty(vectors.shape[0], dtype=np.int64)
    for row, (start, end) in enumerate(zip(vectors.indptr, vectors.indptr[1:], strict=False)):
        content = (vectors.indices[start:end].tobytes(), vectors.data[start:end].tobytes())
        again[row] = place = places.setdefault(content, len(places))
        if place == len(rows):
            rows.append(row)
    return np.array(rows, dtype=np.int64), again


def _by_distance(positive, distances):
    """Share of the class among neighbours that vote by one over their distance, shape (documents,). Those at distance 0
    decide alone where there are any, as in scikit-learn."""
    with np.errstate(divide="ignore"):
        votes = 1 / distances
    endless = np.isinf(votes)
    some = endless.any(axis=1)
    votes[some] = endless[some]
    return (votes * positive).sum(axis=1) / votes.sum(axis=1)


class _Reductions:
    """Train and new vectors under each reduction; the χ² scores and the largest PCA are computed once."""

    def __init__(self, names, X, y, X_new, seed, ties="first"):
        self.X, self.y, self.X_new, self.seed, self.ties = X, y, X_new, seed, ties
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
        """Terms by falling χ² of the absolute weights (weights may be negative), of ties the earlier term first, or the
        later one."""
        from sklearn.feature_selection import chi2

        scores = np.nan_to_num(chi2(abs(self.X), self.y)[0], nan=-1.0)
        return np.argsort(scores, kind="stable")[::-1] if self.ties == "last" else np.argsort(-scores, kind="stable")

    @cached_property
    def _projected(self):
        """All components at once: the first 64 of 256 are the 64. ARPACK centres without making the matrix dense."""
        from sklearn.decomposition import PCA

        pca = PCA(self.components, svd_solver="arpack", random_state=self.seed).fit(self.X)
        return pca.transform(self.X), pca.transform(self.X_new)
