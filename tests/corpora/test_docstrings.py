import ast

import pytest

from ltw_core.corpora.docstrings import _whole, docstrings

SOURCE = '''
"""Module docstring."""
import os

@decorator(
    "def not_a_function():",
)
def plain(a, b=")", *, c: "str" = {1: 2}) -> dict[str, int]:
    """Plain one.

        indented
    """
    def inner():
        """No."""

async def waits(
    a,
):  # a comment
    r"""Raw \\d."""

def _private():
    """No."""

def without():
    x = """No: not a docstring."""
    return x

def after():
    # a comment, then

    \'\'\'Single quotes.\'\'\'

class Real:
    """Real.

    def example(): this is text
    """

    attribute = 1

    def method(self):
        """Method."""

    @property
    def value(self):
        """Getter."""

    @value.setter
    def value(self, v):
        """Setter."""

    def _hidden(self):
        """No."""

    def __init__(self):
        """No."""

class _Hidden:
    """No."""

    def method(self):
        """No."""

if os:
    def conditional():
        """No."""

def escaped():
    """With \\""" inside."""
'''


def test_public_definitions_with_docstrings():
    assert list(docstrings(SOURCE)) == [
        ("plain", "Plain one.\n\nindented"),
        ("waits", "Raw \\d."),
        ("after", "Single quotes."),
        ("Real", "Real.\n\ndef example(): this is text"),
        ("Real.method", "Method."),
        ("Real.value", "Getter."),
        ("escaped", 'With """ inside.'),
    ]


def test_the_same_as_parsing_the_whole_file():
    whole = dict(reversed(list(_whole(ast.parse(SOURCE)))))
    assert dict(docstrings(SOURCE)) == whole


def test_a_file_that_cannot_be_cut_is_parsed_whole():
    odd = "def f(a='''):\n  '''):\n    '''Doc.'''\n"
    assert list(docstrings(odd)) == [("f", "Doc.")]


@pytest.mark.parametrize(
    "source", ['def f():\n    """never closed\n', "def f(:\n    '''x'''\n", "def f():\n    '''\0'''\n"]
)
def test_what_is_not_python_is_a_syntax_error(source):
    with pytest.raises(SyntaxError):
        list(docstrings(source))


def test_nearly_all_of_a_real_package_is_found():
    import importlib.util
    from pathlib import Path

    folder = Path(importlib.util.find_spec("numpy").origin).parent
    found = missed = 0
    for path in (folder / "lib").glob("*.py"):
        source = path.read_text(encoding="utf-8")
        whole = dict(reversed(list(_whole(ast.parse(source)))))
        quick = dict(docstrings(source))
        assert quick.items() <= whole.items()
        found, missed = found + len(quick), missed + len(whole) - len(quick)
    assert found > 100 and missed <= 0.02 * found
