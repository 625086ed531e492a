"""Docstrings of a source file's public functions, classes and methods, without importing or executing it.

Parsing whole files of large packages takes long and most of it goes into function bodies, so only the head of each
definition and its docstring are cut out and given to :mod:`ast`; a file for which that fails is parsed whole. Left out:
private names, functions inside of functions, definitions below ``if`` or ``try``, attributes.
"""

import ast
import re
from collections.abc import Iterator

from ltw_core.process import parse_python

# a definition at the left margin or one level in, or a statement at the margin that ends the class before it
_DEFINITION = re.compile(
    r"^(?P<indent>    )?(?:async[ ]+)?(?P<kind>def|class)[ ]+(?P<name>\w+)"
    r"|^(?:if|elif|else|try|except|finally|with|for|while)\b",
    re.MULTILINE,
)
_OPENING = re.compile(r":(?:[ \t]*(?:\#[^\n]*)?\n)+[ \t]*[rRuU]?(?P<quotes>\"\"\"|''')")

Docstring = tuple[str, str]


def docstrings(source: str) -> Iterator[Docstring]:
    """Yield (name, docstring) of public definitions in the order of the file.

    Parameters
    ----------
    source : str
        Text of a Python file.

    Yields
    ------
    tuple of str
        ``"function"``, ``"Class"`` or ``"Class.method"``, and its docstring with the indentation taken off.

    Raises
    ------
    SyntaxError
        If the file isn't Python that this interpreter understands.
    """
    try:
        found = list(_quick(source))
    except (SyntaxError, ValueError):
        try:
            tree = parse_python(source)
        except ValueError as error:  # NUL bytes
            raise SyntaxError(str(error)) from error
        found = list(_whole(tree))
    seen = set()
    for name, text in found:  # a property and its setter, overloads: the first that has a docstring
        if name not in seen:
            seen.add(name)
            yield name, text


def _quick(source: str) -> Iterator[Docstring]:
    owner = None  # name of the class we are in
    position = 0
    while found := _DEFINITION.search(source, position):
        position = found.end()
        name, inside = found["name"], found["indent"]
        if not inside:
            owner = name if found["kind"] == "class" else None
        if name is None or name.startswith("_") or (inside and (owner is None or owner.startswith("_"))):
            continue
        following = _DEFINITION.search(source, position)
        opening = _OPENING.search(source, position, following.start() if following else len(source))
        if opening is None:
            continue
        closing = source.find(opening["quotes"], opening.end())
        while closing > 0 and source[closing - 1] == "\\":
            closing = source.find(opening["quotes"], closing + 1)
        if closing < 0:
            raise SyntaxError("docstring without an end")
        text = _head(source[found.start() : closing + 3], bool(inside))
        if text is None:
            continue  # the quotes belong to a statement further down
        position = closing + 3
        if not inside:
            yield name, text
        elif found["kind"] == "def":
            yield f"{owner}.{name}", text


def _head(piece: str, inside: bool) -> str | None:
    """Docstring of a definition that is cut off behind it; None if what stands there isn't its docstring."""
    node = parse_python(f"if 1:\n{piece}").body[0].body[0] if inside else parse_python(piece).body[0]
    return ast.get_docstring(node)


def _whole(tree: ast.Module | ast.ClassDef, owner: str = "") -> Iterator[Docstring]:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef) + (() if owner else (ast.ClassDef,))
    for node in tree.body:
        if not isinstance(node, definitions) or node.name.startswith("_"):
            continue
        if text := ast.get_docstring(node):
            yield owner + node.name, text
        if isinstance(node, ast.ClassDef):
            yield from _whole(node, f"{node.name}.")
