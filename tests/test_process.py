"""What is set for a whole process stands in one file; parsing of Python that survives other threads' parsing."""

import ast
import re
import threading
import warnings
from pathlib import Path

import pytest

from ltw_core import process
from tests.waiting import PATIENCE, wait_for


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


ROOT = Path(__file__).resolve().parent.parent
OF_A_PROCESS = re.compile(
    r"setswitchinterval|mallopt|\bgc\.\w+\(|simplefilter|filterwarnings|catch_warnings|field_size_limit"
    r"|setrecursionlimit|seterr\(|set_num_threads|set_num_interop|os\.environ\[|putenv|umask|chdir\(|setlocale"
    r"|set_start_method|setrlimit|setcheckinterval|threading\.stack_size|malloc_trim|setdefaulttimeout"
    r"|set_int_max_str_digits|set_printoptions|pd\.set_option|signal\.signal|basicConfig|logging\.disable"
)


def test_what_is_set_for_a_whole_process_is_set_in_one_file():
    sources = [ROOT / "app.py", *(ROOT / "ltw_core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in sources if OF_A_PROCESS.search(path.read_text(encoding="utf-8"))}
    own = {  # programs, not the app's process: the first bounds itself, for one file, and ends with it
        "ltw_core/corpora/tables/parquet_process.py",
        "ltw_core/studies/__main__.py",
        "ltw_core/studies/examples.py",
        "ltw_core/studies/joint_network.py",
        "ltw_core/studies/all_classes.py",
        "ltw_core/studies/universal_formula.py",
    }
    assert found == {"ltw_core/process.py", *own}


def test_each_of_them_says_why():
    tree = ast.parse((ROOT / "ltw_core/process.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert len(functions) >= 6
    assert [node.name for node in functions if len(ast.get_docstring(node) or "") < 60] == []


def test_warnings_come_back_when_the_last_thread_has_left():
    """Two blocks that overlap and end in the order in which they began."""
    process.no_convergence_warnings()  # the import that it needs may take seconds
    wait_for(lambda: process._inside == 0)  # tests before may have left a corpus that is being read
    before = list(warnings.filters)
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()

    def first():
        with process.no_warnings_of_source():
            first_in.set()
            second_in.wait(PATIENCE)
        first_out.set()

    thread = threading.Thread(target=first)
    thread.start()
    first_in.wait(PATIENCE)
    with process.no_convergence_warnings():
        second_in.set()
        first_out.wait(PATIENCE)
        assert warnings.filters != before
    thread.join()
    assert warnings.filters == before
