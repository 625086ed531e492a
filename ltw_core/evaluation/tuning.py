"""One ⟨weighting, learner, class⟩: tune on the validation part, refit on all training documents, test once.

Leaves out averages over classes (``averages``) and running many of them (``ltw_core.studies``).
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ltw_core.evaluation.classifiers import GRIDS
from ltw_core.evaluation.decisions import Decisions
from ltw_core.evaluation.learner_table import learner as learner_named
from ltw_core.evaluation.result import Result, describe
from ltw_core.evaluation.vectors import Vectors, check_classes, weigh
from ltw_core.metrics import contingency, f1
from ltw_core.weighting.progress import Cancelled, Progress


def evaluate(
    task, weighting="LTW-L-I", learner="SVM", grid="quick", seed: int = 0, on_event: Callable | None = None
) -> Result:
    """Weight a task's documents, tune a learner, and test it once.

    Parameters
    ----------
    task : BinaryTask
    weighting : str or estimator
        See ``weigh``: a name, an estimator to fit, or one that is already fitted.
    learner : {"SVM", "LR", "MNB", "KNN", "RF", "FT"}
        FT with the weighting Dense only. On Dense, SVM has an RBF kernel.
    grid : {"quick", "full"}
        A few settings, or the paper's grid.
    seed : int
        Of the weighting, if given by name, and of the learner.
    on_event : callable, optional
        Called with a ``Progress`` after each setting (and at each event of a learned weighting); returning True
        cancels.

    Returns
    -------
    Result

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        An unknown name, a training part of one class, or a task without test documents.
    """
    _check(learner, grid)
    vectors = weigh(task, weighting, seed, on_event)
    result = evaluate_vectors(vectors, learner, grid, seed, on_event)
    return replace(result, seconds=result.seconds + vectors.seconds, weighting_seconds=vectors.seconds)


def evaluate_vectors(
    vectors: Vectors,
    learner="SVM",
    grid="quick",
    seed: int = 0,
    on_event: Callable | None = None,
    *,
    keep_decisions: bool = False,
) -> Result:
    """Tune and test a learner on weighted documents; parameters as for ``evaluate``.

    ``keep_decisions``: also say what was decided of each test document (``Result.decisions``).

    Of settings with equal validation F1 the first in the grid's order wins. With no document of the class in the
    validation part, each setting that predicts none has an F1 of 1, so mostly the very first one is chosen; with no
    validation documents at all it is always chosen, untried. After an F1 of 1 nothing can win any more, and the rest of
    the grid is left.
    """
    _check(learner, grid)
    started = time.perf_counter()
    method = learner_named(learner).suited_to(vectors)
    if not vectors.y_test.size:
        raise ValueError("There are no test documents to evaluate on")
    fitting = ~vectors.validation
    check_classes("The training set", vectors.y_train)
    check_classes("Its training part", vectors.y_train[fitting])
    train, test, notes = method.prepare(vectors.train, vectors.test)
    points = method.grid(grid, int(fitting.sum()), train.shape[1])
    scores, problems = _search(method, points, train, vectors, seed, on_event)
    best = int(np.argmax(scores))  # the first of equals
    if np.isneginf(scores[best]):
        raise ValueError(f"No setting of {learner} could be trained: {next(filter(None, problems))}")
    _report(on_event, "refit", len(points), points, best, scores[best])
    final, problem = _final(method, points[best], train, test, vectors, seed)
    return Result(
        **final.counts._asdict(),
        validation_f1=float(scores[best]),
        parameters=points[best],
        seconds=time.perf_counter() - started,
        weighting_seconds=0.0,
        weighting=vectors.weighting,
        learner=learner,
        grid=grid,
        seed=seed,
        warnings=(*vectors.remarks, *notes, *_sentences(vectors, problems, problem)),
        decisions=final if keep_decisions else None,
    )


def decide(vectors: Vectors, learner: str, parameters: dict, seed: int = 0) -> Decisions:
    """Train a learner with given parameters on all training documents and decide the test documents, without a search.

    With the ``parameters`` and ``seed`` of a ``Result`` it decides what was counted there.

    Raises
    ------
    ValueError
        An unknown learner, or parameters with which it cannot be trained.
    """
    method = learner_named(learner).suited_to(vectors)
    train, test, _ = method.prepare(vectors.train, vectors.test)
    return _final(method, parameters, train, test, vectors, seed)[0]


def _final(method, point, train, test, vectors, seed) -> tuple[Decisions, str]:
    (final,) = method.predictions([point], train, vectors.y_train, test, seed)
    if final.predicted is None:
        raise ValueError(f"{method.name} with {describe(point)} could not be trained: {final.problem}")
    terms = not isinstance(test, np.ndarray)  # dense vectors have none that a score could be a sum over
    decisions = Decisions(
        scores=final.scores,
        threshold=method.threshold,
        predicted=final.predicted,
        y=vectors.y_test,
        unit=method.score,
        test=test,
        coefficients=final.coefficients if terms else None,
        intercept=final.intercept,
    )
    return decisions, final.problem


def _check(name, grid):
    learner_named(name)
    if grid not in GRIDS:
        raise ValueError(f"grid is {grid!r}; it must be one of {', '.join(GRIDS)}")


def _search(method, points, train, vectors, seed, on_event):
    """Validation F1 of each setting (-inf where it failed or was not tried), and its problem (None if not tried).

    It ends as soon as no other setting can win: one has an F1 of 1, and so has none before it.
    """
    scores, problems = np.full(len(points), -np.inf), [None] * len(points)
    if not vectors.validation.any():
        scores[0] = 1.0  # F1 of nothing
        return scores, problems
    fitting = ~vectors.validation
    y_validation = vectors.y_train[vectors.validation]
    outcomes = method.predictions(points, train[fitting], vectors.y_train[fitting], train[vectors.validation], seed)
    for done, outcome in enumerate(outcomes, 1):
        problems[outcome.index] = outcome.problem
        if outcome.predicted is not None:
            counts = contingency(y_validation, outcome.predicted)
            scores[outcome.index] = f1(counts.tp, counts.fp, counts.fn)
        _report(on_event, "grid", done, points, outcome.index, scores[outcome.index])
        best = int(np.argmax(scores))
        if scores[best] == 1 and None not in problems[:best]:
            break
    return scores, problems


def _report(on_event, stage, done, points, index, score):
    if on_event is None:
        return
    setting, failed = describe(points[index]), np.isneginf(score)
    if stage == "refit":
        message = f"Refitting on all training documents with {setting}"
    else:
        message = f"{done} of {len(points)}: {setting}, " + ("failed" if failed else f"validation F1 {score:.3f}")
    progress = Progress(
        stage=stage,
        done=done,
        total=len(points),
        parameters=points[index],
        validation_f1=float("nan") if failed else float(score),
        message=message,
    )
    if on_event(progress):
        raise Cancelled("The evaluation was cancelled")


def _sentences(vectors, problems, final_problem):
    problems = [problem for problem in problems if problem is not None]
    validating = vectors.y_train[vectors.validation]
    if not validating.size:
        yield "No document is left for validation: the first setting of the grid was used without validation."
    elif not validating.any():
        yield (
            "No document of the class is left for validation: every setting that predicts none there scores 1, and the "
            "first of them was chosen."
        )
    slow = problems.count("not converged")
    if slow:
        yield f"{slow} of {len(problems)} settings stopped at the limit of iterations before converging."
    if final_problem:
        yield "The final classifier stopped at the limit of iterations before converging."
    for problem in dict.fromkeys(problem for problem in problems if problem not in ("", "not converged")):
        yield f"{problems.count(problem)} of {len(problems)} settings failed: {problem}"
