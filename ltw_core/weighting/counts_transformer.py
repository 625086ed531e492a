"""``CountsTransformer``: what every weighting is to scikit-learn, a transformer of documents given as counts."""

from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import ClassifierTags
from sklearn.utils.validation import check_is_fitted

from ltw_core.weighting import checked


class CountsTransformer(TransformerMixin, BaseEstimator):
    """A scikit-learn transformer of counts, made for two classes.

    A weighting adds parameters, ``fit`` and ``weigh``; ``fit`` sets ``n_features_in_`` through ``checked``.

    Attributes
    ----------
    needs_labels : bool
        Whether ``fit`` needs a ``y``.
    """

    needs_labels = True

    def transform(self, X):
        """Weight documents.

        Parameters
        ----------
        X : sparse or dense array of counts ≥ 0, shape (documents, terms)

        Returns
        -------
        csr matrix or array, or of Dense an ndarray, of float64
            One row a document; see ``weigh``.

        Raises
        ------
        ValueError
            Also where ``set_output`` asks for a data frame and the weights are sparse.
        """
        check_is_fitted(self)
        weighted = self.weigh(checked.documents(self, X))
        frame = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        if issparse(weighted) and frame != "default":
            raise ValueError(
                f"The transformer outputs a scipy sparse matrix. A {frame} frame would hold each of its zeros: leave "
                "set_output at 'default', and where you need a frame make one of sparse columns, "
                "pandas.DataFrame.sparse.from_spmatrix(weighting.transform(X))"
            )
        return weighted

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        tags.target_tags.required = self.needs_labels
        if self.needs_labels:
            tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
