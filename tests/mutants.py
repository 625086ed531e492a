"""What the tests of a module would not notice: single changes of its code ("mutants"), each in a copy of the tree.

    python -m tests.mutants --seed 1 --sample 20 ltw_core/metrics.py ltw_core/tasks/split.py

A mutant is noticed when a test fails ("killed"), when the tests take far more processor time than before ("endless"),
and when they haven't ended long after they should have ("stuck"): that limit is of the clock, and wide, so that a busy
machine makes none. Tried are the module's own tests: those that mirror its path, those of its area that import it, and
what ``ALSO`` names; none that needs a browser or a published corpus. Mutants that no test can notice stand in
``equivalent_mutants.tsv`` with the reason (module, function, change, reason) and are not tried. Leaves out the words of
texts, docstrings, annotations, decorators, ``__repr__`` and what is logged.
"""

import argparse
import ast
import compileall
import contextlib
import copy
import functools
import itertools
import math
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.tsv")
TABLES = [f"tests/corpora/tables/test_{name}.py" for name in ("read_table", "columns", "errors", "properties")]
JSON_AND_PARQUET = [*TABLES, *(f"tests/corpora/tables/test_{name}.py" for name in ("json", "parquet"))]
ALSO = {  # tests that reach a module by way of another one
    "ltw_core/weighting/cd.py": ["tests/weighting/test_functions.py"],
    "ltw_core/weighting/dd.py": ["tests/weighting/test_functions.py"],
    **{f"ltw_core/corpora/tables/{name}.py": TABLES for name in ("collector", "content", "csv_rows", "lines", "rows")},
    **{f"ltw_core/corpora/tables/{name}.py": JSON_AND_PARQUET for name in ("json_rows", "open_table", "parquet_rows")},
    "ltw_core/corpora/tables/columns.py": TABLES,
}
IMPORTED_ONCE = [  # by the process whose forks run the tests: what the project needs, never the project
    *("pytest", "hypothesis", "numpy", "scipy.stats", "scipy.interpolate", "pandas", "joblib", "numba"),
    *(
        "sklearn.utils.estimator_checks",
        "sklearn.linear_model",
        "sklearn.svm",
        "sklearn.ensemble",
        "plotly.io",
        "torch",
    ),
]
MEMORY = (
    12 << 30
)  # bytes that the tests of a mutant may reserve: an endless loop that collects must not take the machine
PATIENCE = 20  # seconds of a processor that tests may take beyond three times what they take without a mutant
WAITING = 120  # seconds of the clock that they may take beyond ten times as long
OUTCOMES = ("killed", "endless", "stuck", "equivalent", "survived")

COMPARED = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
}
COMPUTED = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd},
    **{ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.MatMult: ast.Mult},
}
OPPOSITE = {"all": "any", "any": "all", "min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum"}
CASTS = {"int", "float", "bool", "str", "list", "tuple", "set", "frozenset", "dict", "sorted", "abs", "round"}
CAST_METHODS = {"astype", "copy", "ravel", "strip", "lower", "tolist", "toarray", "tocsr"}  # x.copy() becomes x
CASTS_OF_ARRAYS = {"asarray", "array", "abs", "maximum", "minimum", "round", "unique"}  # np.asarray(x) becomes x
SQL_CONDITION = re.compile(r" AND (?:[^()]|\([^()]*\))+?(?= AND | ORDER | GROUP | LIMIT |$)")


class Mutant(NamedTuple):
    """One change of a module: its number, where it is, what was and what is there now."""

    module: str
    number: int
    line: int
    function: str
    old: str
    new: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it in the list of equivalents, however the lines move."""
        return self.module, self.function, f"{self.old} → {self.new}"


# ---- making them -----------------------------------------------------------------------------------------------------


def mutants(module: str, source: str) -> list[Mutant]:
    """All single mutants of a module. That of a number is shown with what is around it."""
    made = []
    for number, (function, owner, field, index, node, replacement) in enumerate(_changes(ast.parse(source))):
        shown = owner if isinstance(node, ast.Constant) and isinstance(owner, ast.expr) else node
        old = _shown(shown)
        with _changed(owner, field, index, replacement):
            new = _shown(shown if shown is owner else replacement)
        made.append(Mutant(module, number, node.lineno, function, old, new))
    return made


def source_with(mutant: Mutant, source: str) -> str:
    """A module's source with one of its mutants."""
    tree = ast.parse(source)
    _, owner, field, index, _, replacement = next(itertools.islice(_changes(tree), mutant.number, None))
    with _changed(owner, field, index, replacement):
        return ast.unparse(ast.fix_missing_locations(tree))


@contextlib.contextmanager
def _changed(owner: ast.AST, field: str, index: int | None, replacement: ast.AST) -> Iterator[None]:
    before = getattr(owner, field)
    after = replacement if index is None else [*before[:index], replacement, *before[index + 1 :]]
    setattr(owner, field, after)
    yield
    setattr(owner, field, before)


def _shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:150]


def _changes(tree: ast.AST):
    """(function, owner, field, index or None, node, replacement) of each change; nothing is changed yet."""
    stack = [(tree, "")]
    while stack:
        owner, function = stack.pop()
        if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{owner.name}".lstrip(".")
        below = []
        for field, value in ast.iter_fields(owner):
            if field in ("annotation", "returns", "decorator_list", "type_params", "format_spec", "bases"):
                continue
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST) or _left_out(node):
                    continue
                where = function, owner, field, index, node
                for replacement in _replacements(node, owner, field):
                    yield (*where, replacement)
                below.append((node, function))
        stack += reversed(below)


def _left_out(node: ast.AST) -> bool:
    """Whether no mutants are made of it and of what is in it."""
    match node:
        case ast.FunctionDef(name="__repr__" | "__str__") | ast.Import() | ast.ImportFrom() | ast.Assert():
            return True
        case ast.Expr(ast.Constant()) | ast.Expr(ast.Call(ast.Attribute(ast.Name("log" | "logging")))):
            return True
        case ast.Assign([ast.Name("__all__" | "log")]) | ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Raise():  # _replacements drops it whole; its sentence keeps its numbers
            return False
    return False


def _replacements(node: ast.AST, owner: ast.AST, field: str) -> Iterator[ast.AST]:
    """What may stand in a node's place."""
    match node:
        case ast.Compare(left, operators, rights):
            for i, operator in enumerate(operators):
                changed = [*operators[:i], COMPARED[type(operator)](), *operators[i + 1 :]]
                yield ast.Compare(left, changed, rights)
        case ast.BinOp(left, operator, right) if not _text(left) and not _text(right):
            yield ast.BinOp(left, COMPUTED[type(operator)](), right)
        case ast.AugAssign(target, operator, value) if not _text(value):
            yield ast.AugAssign(target, COMPUTED[type(operator)](), value)
            yield ast.Pass()
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(str(text)):
            for found in SQL_CONDITION.finditer(text):
                yield ast.Constant(text[: found.start()] + text[found.end() :])
        case ast.Call():
            yield from _other_calls(node)
        case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Pass()
        case ast.Raise() | ast.Expr() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets) if not any(isinstance(target, ast.Name | ast.Tuple) for target in targets):
            yield ast.Pass()  # without a name's assignment nothing would run at all
        case ast.IfExp(_, body, other):
            yield from (body, other)


def _text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _other_calls(call: ast.Call) -> Iterator[ast.AST]:
    """A call without one of its keywords, its opposite, or only what it casts."""
    for i, keyword in enumerate(call.keywords):
        if keyword.arg:
            yield ast.Call(call.func, call.args, [*call.keywords[:i], *call.keywords[i + 1 :]])
    function = call.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", None)
    if name in OPPOSITE:
        other = copy.copy(function)
        setattr(other, "id" if isinstance(function, ast.Name) else "attr", OPPOSITE[name])
        yield ast.Call(other, call.args, call.keywords)
    if isinstance(function, ast.Name):
        if name in CASTS and call.args and not isinstance(call.args[0], ast.Starred):
            yield call.args[0]
    elif name in CASTS_OF_ARRAYS and isinstance(function.value, ast.Name) and function.value.id == "np":
        yield call.args[0]
    elif name in CAST_METHODS:
        yield function.value


# ---- whose tests -----------------------------------------------------------------------------------------------------


@functools.cache
def _parsed(path: Path) -> ast.AST:
    return ast.parse(path.read_text(encoding="utf-8"))


def _file(name: str) -> Path | None:
    """The file of a module by its dotted name."""
    path = ROOT.joinpath(*name.split("."))
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)


def _imported(path: Path) -> Iterator[Path]:
    """Files of the project that one imports; of a package that only passes a name on, the file that defines it."""
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Import):
            yield from filter(None, (_file(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from filter(None, (_defining(node.module, alias.name) for alias in node.names))


def _defining(module: str, name: str) -> Path | None:
    file = _file(f"{module}.{name}") or _file(module)
    if file is None or file.name != "__init__.py":
        return file
    for node in _parsed(file).body:
        if isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names):
            return _defining(node.module, next(a.name for a in node.names if (a.asname or a.name) == name))
    return file


def own_tests(module: str) -> list[str]:
    """A module's own tests, those that mirror its path first."""
    path = Path(module)
    inside = Path("tests", *path.parts[1:-1])
    first = [str(inside / f"test_{path.name}")] if (ROOT / inside / f"test_{path.name}").is_file() else []
    area = sorted(ROOT.joinpath(*inside.parts[:2]).rglob("test_*.py")) if len(inside.parts) > 1 else []
    importing = [str(test.relative_to(ROOT)) for test in area if ROOT / module in _imported(test)]
    return list(dict.fromkeys([*first, *ALSO.get(module, []), *importing]))


# ---- trying them -----------------------------------------------------------------------------------------------------


def make_copy(folder: Path) -> Path:
    """A copy of the working tree, compiled; of what git ignores nothing is in it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    compileall.compile_dir(folder / "ltw_core", quiet=2)
    return folder


def _run(folder: str, tests: list[str], seconds: int) -> None:
    """In a process of its own: run tests in a copy of the tree, and leave with pytest's exit status.

    Every process that takes more of a processor than ``seconds`` is ended; what this one took is left in a file.
    """
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + PATIENCE))
    os.chdir(folder)
    output = os.open(f"{folder}.log", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.path[:] = [folder, *(path for path in sys.path if path not in ("", str(ROOT)))]
    sys.dont_write_bytecode = True
    os.environ |= {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
    for name in [name for name in sys.modules if name.partition(".")[0] in ("ltw_core", "tests", "pages")]:
        del sys.modules[name]
    import pytest

    options = ["-x", "-q", "--tb=short", "-p", "no:cacheprovider", "-m", "not corpus and not browser"]
    status = int(pytest.main([*options, f"--basetemp={folder}.tmp", *tests]))
    Path(f"{folder}.seconds").write_text(str(time.process_time()), encoding="utf-8")
    os._exit(status)


def outcome(forks, folder: Path, tests: list[str], processor: float, clock: float) -> str:
    """What becomes of a copy's tests within seconds of a processor and of the clock, one of ``OUTCOMES``."""
    process = forks.Process(target=_run, args=(str(folder), tests, math.ceil(processor)))
    process.start()
    process.join(clock)
    if ended := process.exitcode is not None:
        process.join()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # and what the tests have started
    process.join()
    if not ended:
        return "stuck"
    return {0: "survived", -signal.SIGXCPU: "endless"}.get(process.exitcode, "killed")


def try_module(forks, folders: Queue, pool, module: str, sample: list[Mutant], equivalent: set) -> list[tuple]:
    """(outcome, mutant) of each mutant of a module."""
    tests = own_tests(module)
    if not tests:
        raise SystemExit(f"{module} has no tests of its own")
    folder = folders.get()
    began = time.monotonic()
    if outcome(forks, folder, tests, 3600, 3600) != "survived":
        raise SystemExit(f"without a mutant, tests of {module} fail: {Path(f'{folder}.log').read_text()[-3000:]}")
    clock = 10 * (time.monotonic() - began) + WAITING
    processor = 3 * float(Path(f"{folder}.seconds").read_text(encoding="utf-8")) + PATIENCE
    folders.put(folder)

    def one(mutant: Mutant) -> tuple[str, Mutant]:
        if mutant.key in equivalent:
            return "equivalent", mutant
        folder = folders.get()
        path = folder / module
        original = path.read_bytes()
        try:
            for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.cpython-*.pyc"):
                compiled.unlink()  # by its time and size it could pass for the mutant's
            path.write_text(source_with(mutant, original.decode("utf-8")), encoding="utf-8")
            return outcome(forks, folder, tests, processor, clock), mutant
        finally:
            path.write_bytes(original)
            folders.put(folder)

    return list(pool.map(one, sample))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="+", help="files of the project, from its folder")
    parser.add_argument("--seed", type=int, default=0, help="which mutants are drawn")
    parser.add_argument("--sample", type=int, default=20, help="mutants of each module; 0 for all")
    parser.add_argument("--jobs", type=int, default=1, help="copies in which tests run at the same time")
    options = parser.parse_args()
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines() if EQUIVALENT.is_file() else []
    equivalent = {tuple(line.split("\t")[:3]) for line in lines if line and not line.startswith("#")}
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(IMPORTED_ONCE)
    table = []
    with tempfile.TemporaryDirectory(prefix="mutants-") as base, ThreadPoolExecutor(options.jobs) as pool:
        folders = Queue()
        for number in range(options.jobs):
            folders.put(make_copy(Path(base, str(number))))
        for module in options.modules:
            module = str(Path(module).resolve().relative_to(ROOT))
            every = mutants(module, (ROOT / module).read_text(encoding="utf-8"))
            size = min(options.sample or len(every), len(every))
            sample = random.Random(f"{options.seed}:{module}").sample(every, size)
            outcomes = try_module(forks, folders, pool, module, sorted(sample, key=lambda m: m.line), equivalent)
            counts = Counter(result for result, _ in outcomes)
            table.append((module, len(every), counts))
            print(_row(*table[-1]), flush=True)
            for result, mutant in outcomes:
                if result == "survived":
                    print(f"    {module}:{mutant.line} ({mutant.function}): {mutant.old} → {mutant.new}", flush=True)
    print(_row("all", sum(n for _, n, _ in table), sum((counts for *_, counts in table), Counter())))


def _row(module: str, there_are: int, counts: Counter) -> str:
    tried = counts.total() - counts["equivalent"]
    noticed = tried - counts["survived"]
    share = f"{noticed / tried:.0%}" if tried else "-"
    each = ", ".join(f"{counts[name]} {name}" for name in OUTCOMES)
    return f"{module}: {share} noticed of {counts.total()} of {there_are} mutants ({each})"


if __name__ == "__main__":
    main()
