"""How a classifier of all classes does on the test documents: accuracy, F1 of the classes and over them, confusion."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import sparse

from ltw_core.evaluation.paired import interval_over_classes
from ltw_core.evaluation.result import describe, small_table
from ltw_core.evaluation.uncertainty import estimate
from ltw_core.metrics import Counts, f1, precision, recall
from ltw_core.tasks import WithoutTerms
from ltw_core.tasks.without_terms import undecided
from ltw_core.weighting import display


@dataclass(frozen=True, eq=False)
class MulticlassDecisions:
    """What was decided of each test document.

    Attributes
    ----------
    scores : ndarray of float64, shape (documents, classes)
        How strongly each document is held to be of each class; ``unit`` says what they are. -inf for a class that
        nothing was learned about.
    predicted, labels : ndarray of bool, shape (documents, classes)
        What was decided, and what is true.
    unit : str
    test : csr matrix or array, shape (documents, terms), or None
        The documents' vectors; None where each class has its own.
    coefficients : ndarray of float64, shape (classes, terms), or None
        Where the scores are ``test @ coefficients.T`` and a constant a class.
    """

    scores: np.ndarray
    predicted: np.ndarray
    labels: np.ndarray
    unit: str
    test: sparse.csr_array | None = None
    coefficients: np.ndarray | None = None

    @property
    def linear(self) -> bool:
        """Whether scores are sums over terms and a constant."""
        return self.coefficients is not None and self.test is not None

    def contributions(self, row: int, towards: int, against: int | None = None) -> tuple[np.ndarray, np.ndarray]:
        """What each term of a document adds to the score of a class, less what it adds to that of another.

        Returns
        -------
        columns, values : ndarrays, shape (terms of the document,); empty where scores are no sums over terms
        """
        if not self.linear:
            return np.zeros(0, dtype=int), np.zeros(0)
        start, end = self.test.indptr[row : row + 2]
        columns = self.test.indices[start:end]
        weights = self.coefficients[towards, columns]
        if against is not None:
            weights = weights - self.coefficients[against, columns]
        return columns, self.test.data[start:end] * weights

    @property
    def bytes(self) -> int:
        """What they take in memory, about."""
        arrays = [self.scores, self.predicted, self.labels]
        arrays += [] if self.test is None else [self.test.data, self.test.indices, self.test.indptr]
        arrays += [] if self.coefficients is None else [self.coefficients]
        return sum(array.nbytes for array in arrays)


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassResult:
    """How a classifier of all classes does on the test documents.

    Attributes
    ----------
    class_names : tuple of str
    single_label : bool
        Whether each document has one class, and gets one. Otherwise each class is decided for itself.
    confusion : ndarray of int
        Of single labels shape (classes, classes): documents of each class (rows) by the class that was predicted.
        Otherwise shape (classes, 2, 2): [[tn, fp], [fn, tp]] of each class, as scikit-learn has it.
    exact : int
        Test documents whose classes were predicted exactly.
    n_train, n_validation, n_test : int
        Documents that it learned from, those of them that validated, and test documents.
    train_sizes : ndarray of int, shape (classes,)
        Training documents of each class.
    accuracy : float
        exact / n_test: of single labels the share decided right, otherwise that of documents with no class wrong.
    macro_f1 : float
        Mean of the classes' F1, of those without a test document too.
    micro_f1 : float
        F1 of the pooled counts; of single labels it is the accuracy.
    tp, fp, fn, tn, f1 : ndarray, shape (classes,)
        Of each class.
    validation_macro_f1 : float
        Of the setting that was chosen, before refitting.
    parameters : dict
        That setting, the same for all classes.
    how : {"native", "one-vs-rest"}
        Whether the learner knows several classes, or learned each against all others.
    weighting, policy, learner, grid : str
    seed : int
    seconds, weighting_seconds : float
        In all, and what of it went into the weighting.
    warnings : tuple of str
        What to know about these figures, in sentences.
    without_terms : WithoutTerms
    decisions : MulticlassDecisions or None
        If they were asked for.
    """

    class_names: tuple[str, ...]
    single_label: bool
    confusion: np.ndarray
    exact: int
    n_train: int
    n_validation: int
    n_test: int
    train_sizes: np.ndarray
    validation_macro_f1: float
    parameters: dict
    how: str
    weighting: str
    policy: str
    learner: str
    grid: str
    seed: int
    seconds: float
    weighting_seconds: float
    warnings: tuple[str, ...]
    without_terms: WithoutTerms | None = None
    decisions: MulticlassDecisions | None = field(default=None)

    @cached_property
    def tp(self) -> np.ndarray:
        return np.diag(self.confusion).copy() if self.single_label else self.confusion[:, 1, 1]

    @cached_property
    def fp(self) -> np.ndarray:
        return self.confusion.sum(axis=0) - self.tp if self.single_label else self.confusion[:, 0, 1]

    @cached_property
    def fn(self) -> np.ndarray:
        return self.confusion.sum(axis=1) - self.tp if self.single_label else self.confusion[:, 1, 0]

    @cached_property
    def tn(self) -> np.ndarray:
        return self.n_test - self.tp - self.fp - self.fn

    @cached_property
    def f1(self) -> np.ndarray:
        return np.array([f1(*counts) for counts in zip(self.tp, self.fp, self.fn, strict=True)])

    @property
    def accuracy(self) -> float:
        return self.exact / self.n_test

    @property
    def macro_f1(self) -> float:
        return float(self.f1.mean())

    @property
    def micro_f1(self) -> float:
        return f1(int(self.tp.sum()), int(self.fp.sum()), int(self.fn.sum()))

    def row(self) -> dict:
        """What a table of several results says of one."""
        names = ("weighting", "policy", "learner", "grid", "seed", "accuracy", "macro_f1", "micro_f1")
        names += ("validation_macro_f1", "how")
        found = {name: getattr(self, name) for name in names} | {"parameters": describe(self.parameters)}
        counts = ("n_train", "n_validation", "n_test", "seconds")
        return found | {"classes": len(self.class_names)} | {name: getattr(self, name) for name in counts}

    def table(self):
        """A ``DataFrame`` of one line a class: documents, counts, F1 with its 95% interval, precision and recall."""
        import pandas as pd

        counts = list(zip(self.tp.tolist(), self.fp.tolist(), self.fn.tolist(), strict=True))
        cells = zip(self.tp.tolist(), self.fp.tolist(), self.fn.tolist(), self.tn.tolist(), strict=True)
        intervals = [estimate([Counts(*row)]).both for row in cells]
        return pd.DataFrame(
            {
                "class": self.class_names,
                "training documents": self.train_sizes,
                "test documents": self.tp + self.fn,
                "F1": self.f1,
                "F1 low": [around.low for around in intervals],
                "F1 high": [around.high for around in intervals],
                "precision": [precision(*row) for row in counts],
                "recall": [recall(*row) for row in counts],
                "tp": self.tp,
                "fp": self.fp,
                "fn": self.fn,
                "tn": self.tn,
            }
        )

    def _repr_html_(self) -> str:
        """A small table, for notebooks."""
        shown = {"accuracy": self.accuracy, "macro F1": self.macro_f1, "micro F1": self.micro_f1}
        shown = {name: f"{value:.3f}" for name, value in shown.items()}
        around = interval_over_classes(self.f1)
        if around is not None:
            shown = {
                "accuracy": shown.pop("accuracy"),
                "macro F1": shown.pop("macro F1"),
                "95% interval": f"{around.low:.3f} – {around.high:.3f}",
            } | shown
        shown |= {"validation macro F1": f"{self.validation_macro_f1:.3f}", "classes": f"{len(self.class_names):,}"}
        shown |= {"test documents": f"{self.n_test:,}", "seconds": f"{self.seconds:.2g}"}
        setting = f"{describe(self.parameters)}; {self.how}, {self.grid} grid, seed {self.seed}"
        return small_table(f"{display(self.weighting)}{self._by_policy}", self.learner, setting, shown, self.warnings)

    @property
    def _by_policy(self) -> str:
        return f", {self.policy}" if self.policy else ""

    def __repr__(self):
        on_nothing = undecided(self.single_label)
        empty = " ".join(self.without_terms.sentences(undecided=on_nothing)) if self.without_terms else ""
        kind = "one class a document" if self.single_label else "each class for itself"
        return (
            f"{self.weighting}{self._by_policy} with {self.learner} "
            f"({describe(self.parameters)}; {self.how}, {self.grid} grid, seed {self.seed}): accuracy "
            f"{self.accuracy:.3f}, macro F1 {self.macro_f1:.3f}, micro F1 {self.micro_f1:.3f}\n"
            f"{len(self.class_names):,} classes, {kind}; {self.n_train:,} training documents (of which "
            f"{self.n_validation:,} validate), {self.n_test:,} test documents; {self.seconds:.2g} s"
        ) + (f"\n{empty}" if empty else "")
