"""The evolution of CCA's formulas, by DEAP's trees and genetic operators. Knows nothing of documents.

A generation is made of the best twentieth of the last one, of the children of pairs that tournaments of six choose
(subtree crossover), and of mutants (a subtree replaced by a random one). A child that is too deep, or that holds no
factor of term frequency, is replaced by one of its parents. Rates and the size of tournaments are the paper's and its
authors' code's.
"""

import random
import threading
from contextlib import contextmanager

from deap import gp

from ltw_core.weighting.genetic import formula as formulas
from ltw_core.weighting.genetic.operators import OPERATORS
from ltw_core.weighting.genetic.terminals import TERMINALS

POPULATION, GENERATIONS = 200, 30
FIRST_DEPTH, MAX_DEPTH = 5, 15
REPRODUCTION, MUTATION, TOURNAMENT = 0.05, 0.05, 6
SPARSE = {name for name, terminal in TERMINALS.items() if terminal.sparse}
_one_at_a_time = threading.Lock()


def _constant() -> float:
    return gp.random.uniform(0, 100)


def _primitives() -> gp.PrimitiveSet:
    found = gp.PrimitiveSet("cca", 0)
    for name, (function, arity) in OPERATORS.items():
        found.addPrimitive(function, arity, name=name)
    for name in TERMINALS:
        found.addTerminal(name, name=name)
    found.addEphemeralConstant("constant", _constant)
    return found


PRIMITIVES = _primitives()


@contextmanager
def drawing_from(source: random.Random):
    """Let DEAP draw from a source of our own: it uses the interpreter's, which other threads use at the same time."""
    with _one_at_a_time:
        before, gp.random = gp.random, source
        try:
            yield
        finally:
            gp.random = before


class Evolution:
    """Generations of formulas.

    Parameters
    ----------
    seed : int
    population : int

    Attributes
    ----------
    trees : list of PrimitiveTree
        The generation at hand, at first random ("ramped half and half").
    scores : dict of formula to float
        All formulas that were scored, by their canonical form.
    """

    def __init__(self, seed: int, population: int = POPULATION):
        self._source = random.Random(seed)
        self.population = population
        self.scores: dict = {}
        with drawing_from(self._source):
            self.trees = [_first_tree() for _ in range(population)]

    def formulas(self) -> list:
        """Canonical formulas of this generation."""
        return [formula_of(tree) for tree in self.trees]

    def unscored(self) -> list:
        """Those that have no score yet, each once."""
        return [formula for formula in dict.fromkeys(self.formulas()) if formula not in self.scores]

    def advance(self) -> None:
        """Breed the next generation; all of this one must be scored."""
        ranked = sorted(self.trees, key=self._score, reverse=True)  # of equals the earlier one first
        with drawing_from(self._source):
            following = ranked[: max(1, int(REPRODUCTION * self.population))]
            mutants = int(MUTATION * self.population)
            while len(following) < self.population - mutants:
                following += _cross(*(gp.PrimitiveTree(self._tournament()) for _ in range(2)))
            following = following[: self.population - mutants]
            while len(following) < self.population:
                following += _mutate(gp.PrimitiveTree(self._source.choice(self.trees)))
        self.trees = following

    def best(self) -> tuple:
        """The formula with the highest score so far, and that score.

        Of equals the one with the fewest nodes, of these the first in the alphabet: they are scored side by side, so
        that which came first is chance.
        """
        return min(self.scores.items(), key=lambda pair: (-pair[1], formulas.size(pair[0]), repr(pair[0])))

    def _score(self, tree) -> float:
        return self.scores[formula_of(tree)]

    def _tournament(self):
        return max((self._source.choice(self.trees) for _ in range(TOURNAMENT)), key=self._score)


def formula_of(tree: gp.PrimitiveTree):
    """The canonical formula of DEAP's tree."""
    stack = []
    for node in reversed(tree):
        if node.arity:
            stack.append((node.name, *(stack.pop() for _ in range(node.arity))))
        else:
            stack.append(node.name if node.name in TERMINALS else float(node.value))
    return formulas.canonical(stack.pop())


def _first_tree():
    while True:
        tree = gp.PrimitiveTree(gp.genHalfAndHalf(PRIMITIVES, 1, FIRST_DEPTH - 1))
        if not _unfit(tree):
            return tree


def _unfit(tree) -> bool:
    """Whether a tree is too deep or gives no weight an entry."""
    return tree.height >= MAX_DEPTH or SPARSE.isdisjoint(node.name for node in tree)


def _random_subtree(pset, type_):
    return gp.genHalfAndHalf(pset, 0, 2, type_)


def _replace_a_subtree(tree):
    return gp.mutUniform(tree, _random_subtree, PRIMITIVES)


_limit = gp.staticLimit(_unfit, False)
_cross, _mutate = _limit(gp.cxOnePoint), _limit(_replace_a_subtree)
