"""The evolution: first trees, limits, the best survive, and a seed decides."""

import hashlib
import random
import threading
from itertools import permutations
from types import SimpleNamespace

import pytest

from ltw_core.weighting.genetic import search
from ltw_core.weighting.genetic.formula import Formula, depth, size, used
from ltw_core.weighting.genetic.search import FIRST_DEPTH, MAX_DEPTH, SPARSE, Evolution


def score(formula):
    """A problem with a known answer: many different terminals, few nodes."""
    return len(used(formula)) / (5 + size(formula))


def evolve(seed, generations, population=60):
    evolution, best = Evolution(seed, population), []
    for generation in range(generations + 1):
        if generation:
            evolution.advance()
        evolution.scores.update((formula, score(formula)) for formula in evolution.unscored())
        best.append(evolution.best()[1])
    return evolution, best


def test_first_trees_are_of_the_papers_depth_and_hold_a_term_frequency():
    trees = Evolution(0, 200).trees
    assert len(trees) == 200
    assert {tree.height + 1 for tree in trees} == set(range(2, FIRST_DEPTH + 1))
    assert all(SPARSE & {node.name for node in tree} for tree in trees)


def test_later_trees_keep_the_limits_and_the_size_of_the_population():
    evolution, _ = evolve(1, 15)
    assert len(evolution.trees) == 60
    assert all(tree.height < MAX_DEPTH and SPARSE & {node.name for node in tree} for tree in evolution.trees)
    assert all(depth(formula) <= MAX_DEPTH for formula in evolution.scores)


def test_evolution_finds_better_ones_and_never_loses_the_best():
    _, best = evolve(2, 15)
    assert best == sorted(best) and best[-1] > best[0]


def test_the_best_stay_in_the_next_generation():
    evolution, _ = evolve(3, 0)
    winner, _ = evolution.best()
    evolution.advance()
    assert max(map(score, evolution.formulas())) >= score(winner)


def test_of_formulas_scored_alike_it_does_not_matter_which_came_first():
    evolution = Evolution(0, 2)
    scores = {("+", "tf", "idf"): 0.5, ("*", "tf", "idf"): 0.5, ("*", "log_tf", "idf"): 0.4}
    for order in permutations(scores.items()):
        evolution.scores = dict(order)
        assert evolution.best() == (("*", "tf", "idf"), 0.5)


def test_of_equal_formulas_the_smaller_is_the_best():
    evolution = Evolution(0, 2)
    evolution.scores = {("+", "tf", "idf"): 0.5, "tf": 0.5, "log_tf": 0.4}
    assert evolution.best() == ("tf", 0.5)
    evolution.scores = {("*", "tf", "idf"): 0.5, ("log", "tf"): 0.5}  # not the first in the alphabet
    assert evolution.best() == (("log", "tf"), 0.5)


def test_no_formula_is_scored_twice():
    evolution, _ = evolve(4, 3)
    assert evolution.unscored() == []
    evolution.advance()
    new = evolution.unscored()
    assert len(new) == len(set(new)) and not set(new) & evolution.scores.keys()


def test_a_seed_gives_one_evolution_whatever_others_draw():
    expected = evolve(5, 6)[0].formulas()
    stop = threading.Event()

    def disturb():
        while not stop.is_set():
            random.random()

    thread = threading.Thread(target=disturb)
    thread.start()
    try:
        random.seed(99)
        assert evolve(5, 6)[0].formulas() == expected
    finally:
        stop.set()
        thread.join()
    assert evolve(6, 6)[0].formulas() != expected


def test_the_interpreters_own_random_numbers_are_left_alone():
    random.seed(7)
    expected = random.random()
    random.seed(7)
    evolve(0, 2)
    assert random.random() == pytest.approx(expected, abs=0)
    assert search.gp.random is random


@pytest.mark.parametrize(
    ("population", "generations", "digest"), [(60, 4, "3628a94f4a4d"), (10, 6, "b969aa98ae60"), (2, 3, "ae4e9c71f8b1")]
)
def test_what_a_seed_has_bred_it_breeds_in_every_version(population, generations, digest):
    """The studies' figures are of these formulas."""
    evolution, _ = evolve(11, generations, population)
    bred = "; ".join(Formula(tree, {}).text for tree in evolution.formulas())
    assert (len(evolution.trees), hashlib.sha256(bred.encode()).hexdigest()[:12]) == (population, digest)
    assert Evolution(0).population == 200 == len(Evolution(0).trees)


def test_which_trees_are_unfit():
    class Tree(list):
        def __init__(self, height, *names):
            super().__init__(SimpleNamespace(name=name) for name in names)
            self.height = height

    assert [search._unfit(Tree(height, "+", "tf", "idf")) for height in (1, 14, 15)] == [False, False, True]
    assert search._unfit(Tree(1, "+", "idf", "bytes")) is True
