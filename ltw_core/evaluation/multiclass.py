"""``evaluate_multiclass``: one classifier for all classes of a corpus, tuned on its validation part, tested once.

Where each document has exactly one class it gets one: that with the highest score. Otherwise each class is decided for
itself. Leaves out single classes (``tuning``) and the weighting (``ltw_core.weighting.global_weighting``).
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ltw_core.evaluation.base_learner import Learner
from ltw_core.evaluation.multiclass_result import MulticlassDecisions, MulticlassResult
from ltw_core.evaluation.multiclass_vectors import MulticlassVectors, weigh_classes
from ltw_core.evaluation.result import describe
from ltw_core.evaluation.tuning import NOT_VALIDATED, TRAINED, asked_for, told_problems
from ltw_core.metrics import f1
from ltw_core.tasks import BinaryTask, MulticlassTask, VectorizedCorpus, vectorize
from ltw_core.weighting.progress import Cancelled, Progress

NATIVE, ONE_VS_REST = "native", "one-vs-rest"


def evaluate_multiclass(
    corpus: Any,
    weighting: Any = "TFRF",
    learner: Any = "SVM",
    grid: Any = "quick",
    seed: int = 0,
    on_event: Callable | None = None,
    *,
    policy: str = "max",
    ratio: float | None = None,
    keep_decisions: bool = False,
) -> MulticlassResult:
    """Weight the documents of a corpus for all its classes, tune a learner, and test it once.

    SVM and LR learn each class against all others (one-vs-rest); MNB, KNN and RF know several classes, MNB only where
    each document has one. One setting is chosen for all classes: the first in the grid's order of those with the
    highest macro F1 on the validation part. Where scores are equal the first class wins.

    Parameters
    ----------
    corpus : Corpus, VectorizedCorpus or MulticlassTask
        Of the first all test documents count, and English stop words are left out if that is its language.
    weighting : str or estimator
        A name of ``methods()`` or ``SCHEMES``, a cd function, a formula, or an unfitted ``TermWeighting`` or
        ``LearnedWeighting``: what ``GlobalWeighting`` takes as a base. Or a ``GlobalWeighting``, with its own policy.
    learner : {"SVM", "LR", "MNB", "KNN", "RF"} or classifier
        Or any scikit-learn classifier, which learns each class against all others.
    grid : {"quick", "full"} or mapping of str to list
        As for ``evaluate``.
    seed : int
    on_event : callable, optional
        Called with a ``Progress`` after each setting; returning True cancels.
    policy : {"max", "mean", "sum", "weighted", "local"}
        How a term's weights for the classes become one. With "local" they do not: each class has vectors of its own,
        and every learner learns it against all others. Scores of classes are then compared across their vectors.
    ratio : float in (0, 1], optional
        Share of the terms that χ² selects, for all classes together; without it as many as for one class, and of a task
        its own.
    keep_decisions : bool
        Also say what was decided of each test document (``decisions``).

    Returns
    -------
    MulticlassResult

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        An unknown name, a learner or weighting that does not go with several classes, or a corpus without test
        documents.
    """
    method, grid_name = asked_for(learner, grid)
    if method.weighting is not None:
        raise ValueError(f"{method.name} goes with {method.weighting} only, which has vectors for one class alone")
    started = time.perf_counter()
    task = task_of(corpus, ratio)
    if not task.rows_test.size:
        raise ValueError("There are no test documents to evaluate on")
    vectors = weigh_classes(task, weighting, policy, seed, on_event)
    points = method.grid(grid, (~task.validation).sum(), len(task.terms))
    search = _Search(method, vectors, points, seed, on_event)
    best, validation_f1 = search.best()
    decisions, problem = search.decide(best)
    y, predicted = decisions.labels, decisions.predicted
    return MulticlassResult(
        class_names=tuple(task.class_names),
        single_label=task.single_label,
        confusion=confusion(y, predicted, task.single_label),
        exact=int((y == predicted).all(axis=1).sum()),
        n_train=task.validation.size,
        n_validation=int(task.validation.sum()),
        n_test=len(y),
        train_sizes=search.Y.sum(axis=0),
        validation_macro_f1=validation_f1,
        parameters=search.points[best],
        how=NATIVE if search.native else ONE_VS_REST,
        weighting=vectors.weighting,
        policy=vectors.policy,
        learner=method.name,
        grid=grid_name,
        seed=seed,
        seconds=time.perf_counter() - started,
        weighting_seconds=vectors.seconds,
        warnings=tuple(dict.fromkeys([*task.notes, *search.sentences(problem)])),
        without_terms=task.without_terms,
        decisions=decisions if keep_decisions else None,
    )


def decide_multiclass(
    corpus: Any,
    weighting: Any,
    learner: Any,
    parameters: dict,
    seed: int = 0,
    on_event: Callable | None = None,
    *,
    policy: str = "max",
    ratio: float | None = None,
) -> MulticlassDecisions:
    """Train a learner with given parameters on all training documents and decide the test documents, without a search.

    With the ``parameters`` of a ``MulticlassResult``, and all else as there, it decides what was counted there.

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        As of ``evaluate_multiclass``, and for parameters with which the learner cannot be trained.
    """
    method, _ = asked_for(learner, "quick")
    task = task_of(corpus, ratio)
    vectors = weigh_classes(task, weighting, policy, seed, on_event)
    return _Search(method, vectors, [parameters], seed, on_event).decide(0)[0]


def task_of(corpus: Any, ratio: float | None = None) -> MulticlassTask:
    """The problem of all classes of a corpus, a vectorised corpus, or a task, which is returned.

    Raises
    ------
    ValueError
        It is none of these.
    """
    if isinstance(corpus, MulticlassTask):
        return corpus
    if isinstance(corpus, BinaryTask):
        raise ValueError("this is the task of one class; give its corpus, or vectorize(corpus).multiclass_task()")
    if not isinstance(corpus, VectorizedCorpus):
        corpus = vectorize(corpus)
    return corpus.multiclass_task(ratio)


def is_native(method: Learner, task: MulticlassTask, local: bool) -> bool:
    """Whether a learner learns all classes of a task at once; ``local``: each class has vectors of its own."""
    return not local and ("single" if task.single_label else "multi") in method.native


def confusion(y, predicted, single: bool) -> np.ndarray:
    """Confusion of labels, both of bool and of shape (documents, classes): see ``MulticlassResult``."""
    if single:
        return y.T.astype(np.int64) @ predicted.astype(np.int64)
    tp = (y & predicted).sum(axis=0)
    fp, fn = predicted.sum(axis=0) - tp, y.sum(axis=0) - tp
    return np.array([[len(y) - tp - fp - fn, fp], [fn, tp]]).transpose(2, 0, 1)


def macro_f1(y, predicted) -> float:
    """Mean F1 of classes of labels, both of bool and of shape (documents, classes)."""
    tp = (y & predicted).sum(axis=0)
    counts = zip(tp, predicted.sum(axis=0) - tp, y.sum(axis=0) - tp, strict=True)
    return float(np.mean([f1(*row) for row in counts]))


class _Search:
    """The settings of a learner on weighted documents of all classes."""

    def __init__(self, method, vectors: MulticlassVectors, points: list[dict], seed: int, on_event: Callable | None):
        self.method, self.vectors, self.seed, self.on_event = method, vectors, seed, on_event
        task = vectors.task
        self.task, self.validation = task, task.validation
        self.Y, self.Y_test = (labels.toarray().astype(bool) for labels in (task.labels_train, task.labels_test))
        self.native = is_native(method, task, vectors.local)
        self.points = points
        self.notes: list[str] = []
        self.problems: list[str] = []
        self._vectors = None if vectors.local else self._prepared(*vectors.shared())

    def best(self) -> tuple[int, float]:
        """The setting with the highest macro F1 on the validation part, and this."""
        y = self.Y[self.validation]
        if not len(y):
            self.notes.append(NOT_VALIDATED)
            return 0, float("nan")
        scores, problems, _ = self._scores(self.points, ~self.validation, self.validation, "grid")
        self.problems = problems
        found = [
            macro_f1(y, self._decided(part)) if problem in TRAINED else -np.inf
            for part, problem in zip(scores, problems, strict=True)
        ]
        best = np.argmax(found)  # the first of equals
        if np.isneginf(found[best]):
            raise ValueError(f"No setting of {self.method.name} could be trained: {problems[best]}")
        return best, found[best]

    def decide(self, best: int) -> tuple[MulticlassDecisions, str]:
        """What the learner with the chosen setting decides, trained on all training documents; and its problem."""
        everything = np.ones(self.validation.size, dtype=bool)
        (scores,), (problem,), coefficients = self._scores([self.points[best]], everything, None, "refit")
        if problem not in TRAINED:
            setting = describe(self.points[best])
            raise ValueError(f"{self.method.name} with {setting} could not be trained: {problem}")
        predicted, empty = self._decided(scores), self.task.empty_test
        if not self.method.decides_on_nothing and empty.any():
            predicted[empty] = False
            fate = "gets no class"
            if self.task.single_label:
                common = self.Y.sum(axis=0).argmax()
                predicted[empty, common] = True
                fate = f"gets the commonest class, {self.task.class_titles[common]}"
            self.notes.append(
                f"{empty.sum():,} test documents hold no known term; {self.method.name} cannot decide on an empty "
                f"vector: each {fate}."
            )
        test = None if self._vectors is None else self._vectors[1]
        decisions = MulticlassDecisions(scores, predicted, self.Y_test, self.method.score, test, coefficients)
        return decisions, problem

    def sentences(self, final_problem: str):
        """What to know about the search."""
        yield from self.notes
        yield from told_problems(self.problems, final_problem, ", for one class at least")

    def _decided(self, scores) -> np.ndarray:
        """What scores decide, bool of their shape (documents, classes)."""
        if not self.task.single_label:
            return scores > self.method.threshold
        predicted = np.zeros(scores.shape, dtype=bool)
        predicted[np.arange(len(scores)), scores.argmax(axis=1)] = True
        return predicted

    def _prepared(self, train, test):
        train, test, notes = self.method.prepare(train, test)
        self.notes += [note for note in notes if note not in self.notes]
        return train, test

    def _scores(self, points, fitting, asked, stage):
        """Scores of the asked documents under each setting, its problem ("" for none), and coefficients.

        Parameters
        ----------
        fitting : mask of the training documents to learn from
        asked : mask of the training documents to score; None for the test documents
        """
        n_new = len(self.Y_test) if asked is None else asked.sum()
        scores = np.full((len(points), n_new, self.Y.shape[1]), -np.inf)
        problems = [""] * len(points)
        if self.native:
            train, test = self._vectors
            new = test if asked is None else train[asked]
            outcomes = self.method.class_predictions(
                points, train[fitting], self.Y[fitting], new, self.seed, self.task.single_label
            )
            lines = None
            for done, outcome in enumerate(outcomes, 1):
                problems[outcome.index] = outcome.problem
                if outcome.predicted is not None:
                    scores[outcome.index], lines = outcome.scores, outcome.coefficients
                self._report(stage, done, len(points), f"{describe(points[outcome.index])}")
            return scores, problems, lines
        return scores, problems, self._one_vs_rest(points, fitting, asked, stage, scores, problems)

    def _one_vs_rest(self, points, fitting, asked, stage, scores, problems):
        """Fill in scores and problems, a class at a time; return coefficients, where all classes share vectors."""
        n_classes, none, every, lines = self.Y.shape[1], 0, 0, {}
        of_classes = self.vectors.of_classes() if self.vectors.local else ((j, None, None) for j in range(n_classes))
        for j, train, test in of_classes:
            y = self.Y[fitting, j]
            if y.all() or not y.any() or (self.vectors.local and train is None):
                if y.all():
                    scores[:, :, j] = np.inf
                    every += 1
                else:
                    none += 1
                continue
            train, test = self._prepared(train, test) if self.vectors.local else self._vectors
            new = test if asked is None else train[asked]
            for done, outcome in enumerate(
                self.method.predictions(points, train[fitting], y, new, self.seed), j * len(points) + 1
            ):
                if outcome.problem and problems[outcome.index] in TRAINED:
                    problems[outcome.index] = outcome.problem
                if outcome.predicted is not None:
                    scores[outcome.index, :, j] = outcome.scores
                    lines[j] = outcome.coefficients
                what = f"{self.task.class_titles[j]} against the rest, {describe(points[outcome.index])}"
                self._report(stage, done, n_classes * len(points), what)
        if none and stage == "refit":
            self.notes.append(
                f"Nothing could be learned about {none:,} of {n_classes:,} classes, for which there is no training "
                "document with a known term to learn from: they are not predicted."
            )
        if every and stage == "refit":
            self.notes.append(
                f"Nothing could be learned about {every:,} of {n_classes:,} classes, which every training document "
                "with a known term has: they are predicted for every test document."
            )
        if self.vectors.local or not lines or any(line is None for line in lines.values()):
            return None
        coefficients = np.zeros((n_classes, len(self.task.terms)))
        for j, line in lines.items():
            coefficients[j] = line
        return coefficients

    def _report(self, stage, done, total, what):
        if self.on_event is None:
            return
        verb = "Tuning" if stage == "grid" else "Refitting"
        if self.on_event(Progress(stage=stage, done=done, total=total, message=f"{verb}: {what}")):
            raise Cancelled("The evaluation was cancelled")
