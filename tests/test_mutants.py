"""The tool that makes mutants: which there are, whose tests it takes, and the list of equivalents."""

import os
import signal
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import mutants as tool
from tests.mutants import EQUIVALENT, ROOT, mutants, outcome, own_tests, source_with

SOURCE = textwrap.dedent('''
    """Words: 1 < 2."""

    def some(y, k: int = 3, *, strict=True):
        log.warning("not %d", 4)
        if not len(y) > 0 and strict:
            raise ValueError(f"{k + 1} rows")
        total = sum(float(value) for value in y)
        return min(y, key=abs)

    def __repr__(self):
        return "a" + self.b
''')


def test_every_single_change_is_made_and_nothing_else():
    made = mutants("some.py", SOURCE)
    assert sorted((mutant.line, mutant.old, mutant.new) for mutant in made) == [
        (4, "3", "2"),
        (4, "3", "4"),
        (4, "True", "False"),
        (6, "len(y) > 0", "len(y) > -1"),
        (6, "len(y) > 0", "len(y) > 1"),
        (6, "len(y) > 0", "len(y) >= 0"),
        (6, "not len(y) > 0", "len(y) > 0"),
        (6, "not len(y) > 0 and strict", "not len(y) > 0 or strict"),
        (7, "k + 1", "k + 0"),
        (7, "k + 1", "k + 2"),
        (7, "k + 1", "k - 1"),
        (7, "raise ValueError(f'{k + 1} rows')", "pass"),
        (8, "float(value)", "value"),
        (9, "min(y, key=abs)", "max(y, key=abs)"),
        (9, "min(y, key=abs)", "min(y)"),
        (9, "return min(y, key=abs)", "return None"),
    ]
    assert {mutant.function for mutant in made} == {"some"}
    sources = [source_with(mutant, SOURCE) for mutant in made]
    assert len(set(sources)) == len(made)
    (larger,) = (mutant for mutant in made if mutant.new == "4")
    assert "k: int=4, *, strict=True" in source_with(larger, SOURCE)


def test_a_condition_of_a_statement_to_a_database_is_dropped():
    (one, other) = mutants("m.py", "rows = ask('SELECT a FROM b WHERE c AND d IN (e) AND f > ? ORDER BY a')")
    assert one.new == "ask('SELECT a FROM b WHERE c AND f > ? ORDER BY a')"
    assert other.new == "ask('SELECT a FROM b WHERE c AND d IN (e) ORDER BY a')"


def test_a_modules_own_tests_are_those_that_mirror_it_and_those_of_its_area_that_import_it():
    assert own_tests("ltw_core/metrics.py") == ["tests/test_metrics.py"]
    own = own_tests("ltw_core/evaluation/averages.py")  # imported from the package, which passes it on
    assert own[0] == "tests/evaluation/test_averages.py"
    assert own_tests("ltw_core/studies/averages.py")[0].startswith("tests/studies/")


def test_the_equivalents_are_mutants_that_there_are():
    rows = [line.split("\t") for line in EQUIVALENT.read_text(encoding="utf-8").splitlines() if line[:1] not in "#"]
    assert all(len(row) == 4 and row[3].endswith(".") for row in rows)
    for module in {row[0] for row in rows}:
        there = {mutant.key for mutant in mutants(module, Path(ROOT, module).read_text(encoding="utf-8"))}
        assert {tuple(row[:3]) for row in rows if row[0] == module} - there == set()


@pytest.mark.parametrize(
    ("status", "result"),
    [(0, "survived"), (1, "killed"), (-signal.SIGSEGV, "killed"), (-signal.SIGXCPU, "endless"), (None, "stuck")],
)
def test_processor_time_and_the_clock_are_told_apart(monkeypatch, status, result):
    asked = []

    class Process:
        pid, exitcode = 7, status

        def __init__(self, target, args):
            asked.append((target, *args))

        def start(self):
            asked.append("start")

        def join(self, seconds=None):
            asked.append(seconds)

    monkeypatch.setattr(os, "killpg", lambda *about: asked.append(about))
    assert outcome(SimpleNamespace(Process=Process), Path("copy"), ["a"], 20.1, 300.0) == result
    assert asked[:3] == [(tool._run, "copy", ["a"], 21), "start", 300.0]
    assert asked[-2:] == [(7, signal.SIGKILL), None]  # and what the tests have started
