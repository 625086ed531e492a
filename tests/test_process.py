"""What is set for a whole process: parsing of Python that survives other threads' parsing."""

import ast

import pytest

from ltw_core import process


@pytest.fixture
def failing(monkeypatch):
    """Makes ``ast.parse`` fail the first times as Python 3.11 does; returns the sources that it was given."""
    parse, given = ast.parse, []

    def make(times):
        def fails_first(source, *arguments, **options):
            given.append(source)
            if len(given) <= times:
                raise SystemError("AST constructor recursion depth mismatch (before=16, after=12)")
            return parse(source, *arguments, **options)

        monkeypatch.setattr(process.ast, "parse", fails_first)
        return given

    return make


def test_a_parse_that_failed_because_of_another_thread_is_made_again(failing):
    given = failing(1)
    assert isinstance(process.parse_python("1 + 2", mode="eval"), ast.Expression)
    assert given == ["1 + 2"] * 2


def test_a_parse_that_fails_for_ever_says_so(failing):
    given = failing(process.PARSES)
    with pytest.raises(SystemError, match="recursion depth"):
        process.parse_python("1 + 2")
    assert len(given) == process.PARSES


def test_what_is_no_python_is_not_parsed_again(failing):
    given = failing(0)
    with pytest.raises(SyntaxError):
        process.parse_python("1 +")
    assert len(given) == 1
