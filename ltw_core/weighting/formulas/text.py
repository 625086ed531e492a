"""A typed formula written out again: as text with only the parentheses it needs, and as LaTeX."""

from ltw_core.weighting.formulas.evaluation import VARIABLES

_LATEX_NAMES = {
    **{name: rf"\mathit{{{name}}}" for name in VARIABLES if len(name) > 1},
    "df": "n_t",
    "pi": r"\pi",
    "log": r"\ln",
    "ln": r"\ln",
    "log2": r"\log_2",
    "log10": r"\log_{10}",
    **{name: rf"\{name}" for name in ("exp", "min", "max")},
    "sign": r"\operatorname{sign}",
}
_LEVEL = {"+": 1, "-": 1, "*": 2, "/": 2, "sign": 3, "**": 4}  # how tightly an operator binds


def _number(value: float) -> str:
    return f"{value:.12g}"


def _level(tree: tuple) -> int:
    return _LEVEL.get(tree[0], 5)


def write(tree: tuple) -> str:
    kind = tree[0]
    if kind == "number":
        return _number(tree[1])
    if kind == "name":
        return tree[1]
    if kind == "call":
        return f"{tree[1]}({', '.join(write(branch) for branch in tree[2:])})"
    inside = lambda branch, least: write(branch) if _level(branch) >= least else f"({write(branch)})"  # noqa: E731
    if kind == "sign":
        return f"-{inside(tree[1], 3)}"
    if kind == "**":
        return f"{inside(tree[1], 5)}**{inside(tree[2], 3)}"
    level = _LEVEL[kind]
    return f"{inside(tree[1], level)} {kind} {inside(tree[2], level + 1)}"


def latex(tree: tuple) -> str:
    kind = tree[0]
    if kind == "number":
        mantissa, _, exponent = _number(tree[1]).partition("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
    if kind == "name":
        return _LATEX_NAMES.get(tree[1], tree[1])
    if kind == "call":
        arguments = ",\\ ".join(latex(branch) for branch in tree[2:])
        if tree[1] == "sqrt":
            return rf"\sqrt{{{arguments}}}"
        if tree[1] == "abs":
            return rf"\left|{arguments}\right|"
        return rf"{_LATEX_NAMES[tree[1]]}\left({arguments}\right)"
    inside = lambda branch, least: (  # noqa: E731
        latex(branch) if _level(branch) >= least else rf"\left({latex(branch)}\right)"
    )
    if kind == "sign":
        return f"-{inside(tree[1], 3)}"
    if kind == "/":
        return rf"\frac{{{latex(tree[1])}}}{{{latex(tree[2])}}}"
    if kind == "**":
        return rf"{{{inside(tree[1], 5)}}}^{{{latex(tree[2])}}}"
    if kind == "*":
        return rf"{inside(tree[1], 2)}\cdot {inside(tree[2], 3)}"
    return f"{inside(tree[1], 1)} {kind} {inside(tree[2], 2)}"
