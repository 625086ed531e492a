"""Formulas as DEAP's trees: what they are made of, their values, and how they are written.

Every operator has the meaning that it has in the language of one's own formulas (``weighting.formulas.evaluation``): a
quotient is 0 where its denominator is, and so on. Leaves out breeding them (``search``) and making them readable
(``readable``).
"""

import numpy as np
from deap import gp

from ltw_core.weighting.cd import quotient
from ltw_core.weighting.formulas.evaluation import FUNCTIONS, LARGEST

VARIABLES = {name: name for name in ("tpr", "fpr", "tp", "fp", "df", "N")} | {"without": "(N - df)"}
"""Of a tree, and how they are written: documents without the term have no name of their own."""

OPERATORS = {  # name: (arity, what computes it, how it is written)
    "add": (2, np.add, "({} + {})"),
    "sub": (2, np.subtract, "({} - {})"),
    "mul": (2, np.multiply, "({} * {})"),
    "div": (2, quotient, "({} / {})"),
    "square": (1, np.square, "(({}) ** 2)"),
    "sqrt": (1, FUNCTIONS["sqrt"][2], "sqrt({})"),
    "log": (1, FUNCTIONS["log"][2], "log({})"),
    "log1p": (1, lambda x: FUNCTIONS["log"][2](1 + x), "log(1 + {})"),
    "least1": (1, lambda x: np.maximum(1, x), "max(1, {})"),
}
CONSTANTS = (-2.0, 3.0)  # powers of ten between which they are drawn


def _constant() -> float:
    return round(10 ** gp.random.uniform(*CONSTANTS), 3)


def _primitives(name: str, variables) -> gp.PrimitiveSet:
    found = gp.PrimitiveSet(name, 0)
    for name, (arity, compute, _) in OPERATORS.items():
        found.addPrimitive(compute, arity, name=name)
    for variable in variables:
        found.addTerminal(variable, name=variable)
    found.addEphemeralConstant(f"number_of_{name}", _constant)
    return found


SETS = (
    _primitives("rates", ("tpr", "fpr", "df", "without", "N")),
    _primitives("counts", ("tp", "fp", "df", "N")),
    _primitives("both", ("tpr", "fpr", "tp", "fp", "df", "N")),
)
"""What trees may be made of. With all that there is at once less is found: most trees then add what differs by orders
of magnitude."""


def is_constant(node) -> bool:
    """Whether a node of a tree is a number."""
    return not node.arity and node.name not in VARIABLES


def values(tree, columns: dict[str, np.ndarray]) -> np.ndarray:
    """A tree's values at the places of ``columns``, finite."""
    stack = []
    with np.errstate(all="ignore"):
        for node in reversed(tree):
            if node.arity:
                result = OPERATORS[node.name][1](*(stack.pop() for _ in range(node.arity)))
                stack.append(np.clip(result, -LARGEST, LARGEST))
            else:
                stack.append(float(node.value) if is_constant(node) else columns[node.name])
    found = np.broadcast_to(np.asarray(stack.pop(), dtype=float), columns["N"].shape)
    return np.nan_to_num(found, nan=0.0, posinf=LARGEST, neginf=-LARGEST)


def text(tree) -> str:
    """A tree in the language of formulas, with every parenthesis."""
    stack = []
    for node in reversed(tree):
        if node.arity:
            stack.append(OPERATORS[node.name][2].format(*(stack.pop() for _ in range(node.arity))))
        else:
            stack.append(f"{float(node.value):.12g}" if is_constant(node) else VARIABLES[node.name])
    return stack.pop()


def with_constants(tree, numbers) -> gp.PrimitiveTree:
    """The same tree with other numbers, in the order in which they stand."""
    numbers = iter(numbers)
    made = gp.PrimitiveTree(tree)
    for place, node in enumerate(made):
        if is_constant(node):
            made[place] = type(node)()
            made[place].value = float(next(numbers))
    return made


def constants(tree) -> list[float]:
    """Its numbers, in the order in which they stand."""
    return [float(node.value) for node in tree if is_constant(node)]


def grown(tree, made_of: gp.PrimitiveSet):
    """Every tree that has one operator more: above any node, with any variable or 1 beside it where it takes two."""
    operators = [node for node in made_of.primitives[object]]
    leaves = [node for node in made_of.terminals[object] if isinstance(node, gp.Terminal)] + [_one(made_of)]
    for start in range(len(tree)):
        place = tree.searchSubtree(start)
        below, above = list(tree[:start]), list(tree[place.stop :])
        part = list(tree[place])
        for operator in operators:
            if operator.arity == 1:
                yield gp.PrimitiveTree([*below, operator, *part, *above])
                continue
            for leaf in leaves:
                yield gp.PrimitiveTree([*below, operator, *part, leaf, *above])
                if operator.name in ("sub", "div"):
                    yield gp.PrimitiveTree([*below, operator, leaf, *part, *above])


def _one(made_of: gp.PrimitiveSet):
    made = next(node for node in made_of.terminals[object] if not isinstance(node, gp.Terminal))()
    made.value = 1.0
    return made
