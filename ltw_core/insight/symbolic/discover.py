"""``discover``: the front of formulas that resemble a weighting, length against likeness."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ltw_core.insight.symbolic import readable
from ltw_core.insight.symbolic.polish import polished
from ltw_core.insight.symbolic.search import EXACT, Search
from ltw_core.insight.symbolic.target import Target
from ltw_core.insight.symbolic.trees import text
from ltw_core.weighting.formulas.parser import Expression, ExpressionError, parse
from ltw_core.weighting.progress import Progress

COSTS_NOTHING = 1e-4  # of fit, for rounder numbers
LEAST_GAIN = 5e-4  # of likeness, for a longer formula


@dataclass(frozen=True)
class Budget:
    """How much is tried.

    Attributes
    ----------
    population : int
        Of each of the search's four islands.
    generations : int
    seconds : float or None
        After which it ends, whatever there is; None for all generations, which gives the same for the same seed.
    """

    population: int = 100
    generations: int = 90
    seconds: float | None = None


@dataclass(frozen=True)
class FrontPoint:
    """A formula of the front.

    Attributes
    ----------
    formula : str
        In the language of one's own formulas.
    length : int
        Numbers, variables, operators and functions in it.
    likeness : float
        Alignment with the weighting on the sample of documents, 1 for the same.
    fit : float
        Squared cosine of the best proportional fit over the terms.
    """

    formula: str
    length: int
    likeness: float
    fit: float


@dataclass(frozen=True)
class Front:
    """What was found, by length; each is more like the weighting than all shorter ones.

    Attributes
    ----------
    points : tuple of FrontPoint
    tried : int
        Formulas in all.
    generations : int
    seconds : float
    seed : int
    """

    points: tuple[FrontPoint, ...]
    tried: int
    generations: int
    seconds: float
    seed: int

    @property
    def knee(self) -> int:
        """Index of the shortest formula that has nine tenths of what there is to gain over the first; of a front with
        points."""
        first, last = self.points[0].likeness, self.points[-1].likeness
        return next(k for k, point in enumerate(self.points) if point.likeness >= first + 0.9 * (last - first))


def discover(
    target: Target,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    on_progress: Callable[[Progress], bool | None] | None = None,
) -> Front:
    """Look for formulas that resemble a weighting.

    Parameters
    ----------
    target : Target or SharedTarget
    seed : int
    budget : Budget, optional
    on_progress : callable, optional
        Called with a ``Progress`` after each generation; returning True ends the search with what there is.

    Returns
    -------
    Front

    Raises
    ------
    ValueError
        The weighting is the same for all terms, or there are none: nothing is to be told apart.
    """
    if not len(target.cd) or not np.isfinite(target.cd).all() or np.ptp(target.cd) == 0:
        raise ValueError("all terms weigh the same: the formula is 1")
    budget, began = budget or Budget(), time.perf_counter()
    search, generation = Search(target, seed, budget.population), 0
    while (
        generation < budget.generations
        and 1 - search.fit > EXACT
        and (budget.seconds is None or time.perf_counter() - began < budget.seconds)
    ):
        search.advance()
        generation += 1
        message = (
            f"Generation {generation} of {budget.generations}, fit {search.fit:.4f}, {search.tried:,} formulas tried"
        )
        done = Progress(done=generation, total=budget.generations, message=message)
        if on_progress is not None and on_progress(done):
            break
    search.polish()
    points = _front([_point(target, expression) for expression in _expressions(search)])
    return Front(points, search.tried, generation, time.perf_counter() - began, seed)


def _expressions(search: Search) -> list[Expression]:
    """Those that fit better than all smaller ones, readable, with constants fitted once more; each once."""
    found, most = {}, 0.0
    for size in sorted(search.best):
        if search.best[size][0] <= most:
            continue
        most = search.best[size][0]
        try:
            expression = readable.simplified(text(search.best[size][1]))
            expression = _rounded(search.target, _refitted(search.target, expression))
        except ExpressionError:  # deeper than a formula may be
            continue
        found.setdefault(expression.formula, expression)
    return list(found.values())


def _refitted(target: Target, expression: Expression) -> Expression:
    start = [float(constant.value) for constant in readable.numbers(expression.tree)]
    if not start:
        return expression
    residual = lambda given: target.residual(target.values(readable.with_numbers(expression, given)))  # noqa: E731
    made = readable.with_numbers(expression, polished(start, residual))
    better = target.fit(target.values(made)) > target.fit(target.values(expression))
    return made if better and len(readable.numbers(made.tree)) == len(start) else expression


def _rounded(target: Target, expression: Expression) -> Expression:
    least = target.fit(target.values(expression)) - COSTS_NOTHING
    return readable.rounded(expression, lambda tried: target.fit(target.values(tried)) >= least)


def _point(target: Target, expression: Expression) -> FrontPoint:
    values = target.values(expression)
    formula = expression.formula
    if target.sign(values) < 0:  # upside down: as it is to be read
        formula = readable.simplified(f"-({formula})").formula
    expression = parse(formula)
    return FrontPoint(formula, readable.length(expression), target.likeness(expression), target.fit(values))


def _front(points: list[FrontPoint]) -> tuple[FrontPoint, ...]:
    """By length, those that are more alike than every shorter one, by something that can be seen."""
    front: list[FrontPoint] = []
    for point in sorted(points, key=lambda point: (point.length, -point.likeness, point.formula)):
        if not front or point.likeness > front[-1].likeness + LEAST_GAIN:
            front.append(point)
    return tuple(front)
