"""One ⟨weighting, learner, class⟩: tune on the validation part, refit on all training documents, test once.

Leaves out averages over classes (``averages``) and running many of them (``ltw_core.studies``).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ltw_core.evaluation.base_learner import GRIDS, Learner, Prediction
from ltw_core.evaluation.decisions import Decisions
from ltw_core.evaluation.given_classifier import GivenClassifier
from ltw_core.evaluation.learner_table import learner as learner_named
from ltw_core.evaluation.result import Result, describe
from ltw_core.evaluation.vectors import Vectors, check_classes, weigh
from ltw_core.metrics import contingency
from ltw_core.storage.file_schema import said
from ltw_core.tasks.split import stratified_sample
from ltw_core.weighting.progress import Cancelled, Progress

GRID_SAMPLE_LEAST = 100  # documents
TRAINED = ("", "not converged")  # problems of a setting that was trained all the same
NOT_VALIDATED = "No document is left for validation: the first setting of the grid was used without validation."


def evaluate(
    task,
    weighting="LTW-L-I",
    learner="SVM",
    grid="quick",
    seed: int = 0,
    on_event: Callable | None = None,
    *,
    grid_sample: int | None = None,
    protocol=None,
) -> Result:
    """Weight a task's documents, tune a learner, and test it once.

    Parameters
    ----------
    task : BinaryTask
    weighting : str or estimator
        See ``weigh``: a name, an estimator to fit, or one that is already fitted.
    learner : {"SVM", "LR", "MNB", "KNN", "RF", "FT"} or classifier
        FT with the weighting Dense only. On Dense, SVM has an RBF kernel. Or any scikit-learn classifier, which is
        cloned: ``LinearSVC(C=1)``.
    grid : {"quick", "full"} or mapping of str to list
        A few settings, or the paper's grid. A classifier of one's own is taken as it is, or tuned over the values given
        here by parameter: ``{"C": [0.1, 1, 10]}``.
    seed : int
        Of the weighting, if given by name, and of the learner.
    on_event : callable, optional
        Called with a ``Progress`` after each setting (and at each event of a learned weighting); returning True
        cancels.
    grid_sample : int, optional
        Choose the setting on so many training documents, those of the class and those that validate in the same
        shares as among all, the same ones for every seed; the classifier is then trained on all. For corpora on which
        each setting takes long; without it, and where there are no more, all choose.
    protocol : str or Protocol, optional
        "authors" for what the paper's authors ran, "paper" for what they wrote, or single options, see
        ``ltw_core.protocol``; the task's own where nothing is said.

    Returns
    -------
    Result

    Raises
    ------
    Cancelled
        ``on_event`` returned True.
    ValueError
        An unknown name, something that is no classifier, a grid that does not go with the learner, a training part of
        one class, or a task without test documents.
    """
    asked_for(learner, grid)  # before a weighting is learned for nothing
    check_grid_sample(grid_sample)
    if protocol is not None and hasattr(task, "under"):
        task = task.under(protocol)
    vectors = weigh(task, weighting, seed, on_event)
    result = evaluate_vectors(vectors, learner, grid, seed, on_event, grid_sample=grid_sample)
    return replace(result, seconds=result.seconds + vectors.seconds, weighting_seconds=vectors.seconds)


def evaluate_vectors(
    vectors: Vectors,
    learner="SVM",
    grid="quick",
    seed: int = 0,
    on_event: Callable | None = None,
    *,
    keep_decisions: bool = False,
    grid_sample: int | None = None,
) -> Result:
    """Tune and test a learner on weighted documents; parameters as for ``evaluate``.

    ``keep_decisions``: also say what was decided of each test document (``Result.decisions``).

    A test document without a known term, where the task has such, is scored like any other: by the decision on an empty
    vector (that of the constant under SVM and LR, of the class's share under MNB, of the trees under RF, and on Dense
    that on the vector of fastText's end of line). KNN cannot decide on one, which is then predicted negative.

    Of settings with equal validation F1 the first in the grid's order wins. With no document of the class in the
    validation part, each setting that predicts none has an F1 of 1, so mostly the very first one is chosen; with no
    validation documents at all it is always chosen, untried. After an F1 of 1 nothing can win any more, and the rest of
    the grid is left.
    """
    asked, grid = asked_for(learner, grid)
    check_grid_sample(grid_sample)
    started = time.perf_counter()
    method = asked.suited_to(vectors)
    if not vectors.y_test.size:
        raise ValueError("There are no test documents to evaluate on")
    check_classes("The training set", vectors.y_train)
    check_classes("Its training part", vectors.y_train[~vectors.validation])
    train, test, notes = method.prepare(vectors.train, vectors.test)
    choosing, sampled = vectors.y_train.size, grid_sample is not None and grid_sample < vectors.y_train.size
    y, validation, some = vectors.y_train, vectors.validation, train
    if sampled:
        rows = stratified_sample(y + 2 * validation, grid_sample)
        y, validation, some, choosing = y[rows], validation[rows], train[rows], rows.size
    points = method.grid(grid, int(np.count_nonzero(~validation)), train.shape[1])
    rule = vectors.protocol.empty_validation
    scores, problems = _search(method, points, some, y, validation, seed, on_event, rule)
    del some
    best = int(np.argmax(scores))  # the first of equals
    if np.isneginf(scores[best]):
        raise ValueError(f"No setting of {method.name} could be trained: {next(filter(None, problems))}")
    _report(on_event, "refit", len(points), points, best, scores[best])
    final, problem = _final(method, points[best], train, test, vectors, seed)
    return Result(
        **final.counts._asdict(),
        validation_f1=float(scores[best]),
        parameters=points[best],
        seconds=time.perf_counter() - started,
        weighting_seconds=0.0,
        weighting=vectors.weighting,
        learner=method.name,
        grid=grid,
        seed=seed,
        warnings=(
            *vectors.remarks,
            *notes,
            *([_sampled(choosing, vectors.y_train.size)] if sampled else []),
            *_sentences(vectors, problems, problem),
            *_silence(method, vectors, test),
        ),
        decisions=final if keep_decisions else None,
        without_terms=vectors.without_terms,
        grid_sample=choosing if sampled else None,
        predicted=np.flatnonzero(final.predicted),
        protocol=vectors.protocol.name,
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
    scores, predicted, silent = final.scores, final.predicted, _undecided(method, vectors, test)
    if silent is not None:
        scores, predicted = np.where(silent, 0.0, scores), predicted & ~silent
    decisions = Decisions(
        scores=scores,
        threshold=method.threshold,
        predicted=predicted,
        y=vectors.y_test,
        unit=method.score,
        test=test,
        coefficients=final.coefficients if terms else None,
        intercept=final.intercept,
    )
    return decisions, final.problem


def _undecided(method, vectors, test) -> np.ndarray | None:
    """True for test documents that a learner cannot decide on, shape (test documents,); None where there are none."""
    empty = vectors.empty_test
    if method.decides_on_nothing or empty is None or not empty.any() or isinstance(test, np.ndarray):
        return None
    return empty


def asked_for(learner, grid) -> tuple[Learner, str]:
    """The learner, and what its grid is called in a ``Result``."""
    own = isinstance(grid, Mapping)
    if not own and grid not in GRIDS:
        raise ValueError(f"grid is {said(grid)}; it must be one of {', '.join(GRIDS)}")
    if not isinstance(learner, str):
        if grid == "full":
            raise ValueError(f"{type(learner).__name__} has no full grid; give a grid such as {{'C': [0.1, 1, 10]}}")
        return GivenClassifier(learner, grid if own else None), "own" if own else "no"
    if own:
        raise ValueError(f"{learner} has grids of its own: {', '.join(GRIDS)}. A dict goes with a classifier")
    return learner_named(learner), grid


def check_grid_sample(size) -> None:
    """Refuse a number of documents on which no setting can be chosen (``ValueError``)."""
    whole = isinstance(size, int | np.integer) and not isinstance(size, bool)
    if size is not None and not (whole and size >= GRID_SAMPLE_LEAST):
        raise ValueError(
            f"grid_sample is {said(size)}; it must be a whole number of at least {GRID_SAMPLE_LEAST} documents, or "
            "None for all"
        )


def validated(
    method: Learner, points: list[dict], train, y, validation, seed: int, empty_validation: str
) -> Iterator[tuple[Prediction, float]]:
    """What each setting, trained without the validation part, predicts there, and its F1; -inf where it failed.

    Parameters
    ----------
    method, points, train, seed
        As of ``Learner.predictions``.
    y, validation : ndarrays of bool, shape (training documents,)
        The second has some True.
    empty_validation : str
        What F1 is without a validation document of the class, see ``ltw_core.protocol.OPTIONS``.
    """
    for outcome in method.predictions(points, train[~validation], y[~validation], train[validation], seed):
        score = -np.inf
        if outcome.predicted is not None:
            counts = contingency(y[validation], outcome.predicted)
            free = empty_validation == "one" and not counts.tp + counts.fn and counts.tn
            score = 1.0 if free else counts.f1
        yield outcome, score


def _search(method, points, train, y, validation, seed, on_event, empty_validation):
    """Validation F1 of each setting (-inf where it failed or was not tried), and its problem (None if not tried).

    It ends as soon as no other setting can win: one has an F1 of 1, and so has none before it.
    """
    scores, problems = np.full(len(points), -np.inf), [None] * len(points)
    if not validation.any():
        scores[0] = 1.0  # F1 of nothing
        return scores, problems
    outcomes = validated(method, points, train, y, validation, seed, empty_validation)
    for done, (outcome, score) in enumerate(outcomes, 1):
        problems[outcome.index], scores[outcome.index] = outcome.problem, score
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


def _sampled(choosing, of):
    return (
        f"The setting was chosen on {choosing:,} of the {of:,} training documents, a sample with the same shares of "
        "the class and of validation; the classifier was then trained on all."
    )


def _silence(method, vectors, test):
    silent = _undecided(method, vectors, test)
    if silent is not None:
        number = int(silent.sum())
        them = "1 test document holds" if number == 1 else f"{number:,} test documents hold"
        yield f"{them} no known term; {method.name} cannot decide on an empty vector: predicted negative."


def _sentences(vectors, problems, final_problem):
    problems = [problem for problem in problems if problem is not None]
    validating = vectors.y_train[vectors.validation]
    if not validating.size:
        yield NOT_VALIDATED
    elif not validating.any():
        yield (
            "No document of the class is left for validation: every setting that predicts none there scores 1, and the "
            "first of them was chosen."
        )
    yield from told_problems(problems, final_problem)


def told_problems(problems: Sequence[str], final_problem: str, of: str = "") -> Iterator[str]:
    """What went wrong with the settings that were tried, and with the chosen one, in sentences; ``of``: for what."""
    slow = problems.count("not converged")
    if slow:
        yield f"{slow} of {len(problems)} settings stopped at the limit of iterations before converging{of}."
    if final_problem:
        yield f"The final classifier stopped at the limit of iterations before converging{of}."
    for problem in dict.fromkeys(problem for problem in problems if problem not in TRAINED):
        yield f"{problems.count(problem)} of {len(problems)} settings failed: {problem}"
