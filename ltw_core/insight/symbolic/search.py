"""Breeding formulas that fit a weighting: generations of DEAP's trees, constants fitted on the way.

Trees live on islands, some made of rates, some of counts, which breed apart and now and then take the best of the one
beside them: a single population settles on the first good thing it finds. A generation is made of those so far that fit
better than all smaller ones, of a few new ones, and of children: of pairs that tournaments choose (subtree crossover),
of a subtree replaced, of a node replaced, of moved constants. A tree's score is how many powers of ten its fit is from
1, less a little for each node: of equals the shorter one wins, and the last thousandth still counts. Every few
generations constants of the best are fitted, and whatever can be had from them by one operator more is tried. Where
nothing has become better for a while, some begin anew. All randomness is that of the seed.
"""

import math
import random
from collections.abc import Iterable

from deap import gp

from ltw_core.insight.symbolic.polish import polished
from ltw_core.insight.symbolic.target import Target
from ltw_core.insight.symbolic.trees import SETS, constants, grown, text, values, with_constants
from ltw_core.weighting.genetic.search import drawing_from

ISLANDS = (0, 1, 2, 0)  # of which of ``SETS`` their trees are made
MOST_NODES = 22
TOURNAMENT = 3
PRICE = 0.02  # of a node, in powers of ten of what is not fitted
CROSSOVER, SUBTREE, NODE = 0.6, 0.2, 0.12  # shares of children; the rest have moved constants
POLISH_EVERY, EXCHANGE_EVERY, ANEW_AFTER = 4, 15, 12  # generations
LEAST_GAIN, EXACT = 0.01, 1e-7  # powers of ten that count as better; what is not fitted of a perfect fit
STRANGERS = 0.1  # share of a generation that is new


class Search:
    """Islands of formulas for a target.

    Parameters
    ----------
    target : Target
    seed : int
    population : int
        Trees of an island.
    """

    def __init__(self, target: Target, seed: int = 0, population: int = 100):
        fits: dict[str, float] = {}
        self.target, self._fits, self._generation = target, fits, 0
        sources = [random.Random(f"{seed}/{island}") for island in range(len(ISLANDS))]
        kinds = zip(ISLANDS, sources, strict=True)
        self.islands = [_Island(target, fits, source, kind, population) for kind, source in kinds]

    @property
    def tried(self) -> int:
        """Formulas so far."""
        return len(self._fits)

    @property
    def fit(self) -> float:
        """The best so far."""
        return max(island.fit for island in self.islands)

    @property
    def best(self) -> dict[int, tuple[float, gp.PrimitiveTree]]:
        """Fit and tree of the best of each number of nodes."""
        found: dict[int, tuple[float, gp.PrimitiveTree]] = {}
        for island in self.islands:
            for size, pair in island.best.items():
                if pair[0] > found.get(size, (0.0,))[0]:
                    found[size] = pair
        return found

    def advance(self) -> None:
        """Breed a generation on every island."""
        self._generation += 1
        for island in self.islands:
            island.advance(polish=self._generation % POLISH_EVERY == 0)
        if self._generation % EXCHANGE_EVERY == 0:
            given = [[tree for _, tree in island.best.values()] for island in self.islands]
            for island, trees in zip(self.islands, given[1:] + given[:1], strict=True):
                island.enter(trees)
                island.grow()

    def polish(self) -> None:
        """Fit the constants of the best of each size."""
        for island in self.islands:
            island.polish()


class _Island:
    """Trees that breed among themselves; ``best`` as of ``Search``."""

    def __init__(self, target: Target, fits: dict[str, float], source: random.Random, made_of: int, population: int):
        self.target, self.population, self._fits, self._source = target, population, fits, source
        self._set = SETS[made_of]
        self.best: dict[int, tuple[float, gp.PrimitiveTree]] = {}
        self._since = 0
        with drawing_from(source):
            self.trees = [self._new() for _ in range(population)]
        self.enter(self.trees)

    @property
    def fit(self) -> float:
        return max((fit for fit, _ in self.best.values()), default=0.0)

    def advance(self, polish: bool) -> None:
        before = self.fit
        with drawing_from(self._source):
            following = [gp.PrimitiveTree(tree) for tree in self._front()]
            following += [self._new() for _ in range(round(STRANGERS * self.population))]
            if self._since >= ANEW_AFTER:
                self._since = 0
                following += [self._new() for _ in range(self.population // 2)]
            while len(following) < self.population:
                following += self._children()
        self.trees = following[: self.population]
        self.enter(self.trees)
        if polish:
            self.polish()
        self._since = 0 if _closeness(self.fit) > _closeness(before) + LEAST_GAIN else self._since + 1

    def _front(self) -> list[gp.PrimitiveTree]:
        """The trees that fit better than all smaller ones."""
        front, most = [], 0.0
        for size in sorted(self.best):
            closeness = _closeness(self.best[size][0])
            if closeness > most + LEAST_GAIN:
                most = closeness
                front.append(self.best[size][1])
        return front

    def polish(self) -> None:
        for tree in self._front():
            start = constants(tree)
            if not start:
                continue
            residual = lambda numbers, tree=tree: self._residual(tree, numbers)  # noqa: E731
            self.enter([with_constants(tree, polished(start, residual))])

    def grow(self) -> None:
        """Try all that can be had from the best by one operator more."""
        for tree in self._front():
            if len(tree) <= MOST_NODES - 2:
                self.enter(grown(tree, self._set))

    def _residual(self, tree, numbers):
        return self.target.residual(values(with_constants(tree, numbers), self.target.columns))

    def _new(self):
        while True:
            tree = gp.PrimitiveTree(gp.genHalfAndHalf(self._set, 1, 4))
            if len(tree) <= MOST_NODES:
                return tree

    def _children(self) -> list:
        draw = self._source.random()
        first = gp.PrimitiveTree(self._tournament())
        if draw < CROSSOVER:
            made = gp.cxOnePoint(first, gp.PrimitiveTree(self._tournament()))
        elif draw < CROSSOVER + SUBTREE:
            made = gp.mutUniform(first, lambda pset, type_: gp.genHalfAndHalf(pset, 0, 2, type_), self._set)
        elif draw < CROSSOVER + SUBTREE + NODE:
            made = gp.mutNodeReplacement(first, self._set)
        else:
            moved = [number * 10 ** self._source.gauss(0, 0.3) for number in constants(first)]
            made = [with_constants(first, moved)]
        return [tree for tree in made if len(tree) <= MOST_NODES]

    def _tournament(self):
        return max((self._source.choice(self.trees) for _ in range(TOURNAMENT)), key=self._score)

    def _score(self, tree) -> float:
        return _closeness(self._fit_of(tree)) - PRICE * len(tree)

    def _fit_of(self, tree) -> float:
        name = text(tree)
        if name not in self._fits:
            self._fits[name] = self.target.fit(values(tree, self.target.columns))
        return self._fits[name]

    def enter(self, trees: Iterable[gp.PrimitiveTree]) -> None:
        for tree in trees:
            fit = self._fit_of(tree)
            if fit > self.best.get(len(tree), (0.0,))[0]:
                self.best[len(tree)] = fit, gp.PrimitiveTree(tree)


def _closeness(fit: float) -> float:
    """How near a fit is to 1, in powers of ten."""
    return -math.log10(max(1 - fit, EXACT))
