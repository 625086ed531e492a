"""The way of the data: a package imports only from those before it, and the core knows nothing of the app."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ORDER = ["storage", "corpora", "tasks", "weighting", "evaluation", "studies", "service"]
MAY_IMPORT = {name: set(ORDER[: i + 1]) for i, name in enumerate(ORDER)}
MAY_IMPORT["insight"] = {"corpora", "tasks", "weighting", "insight"}
MAY_IMPORT["figures"] = {"corpora", "tasks", "weighting", "insight", "figures"}
MAY_IMPORT["experiments"] = {"studies"}  # the former name of the studies' command line
LEFT_OF_ALL = {"metrics", "settings", "process"}
ALLOWED_TOP = {"app.py", "pages", "ltw_core", "tests", "data", "requirements.txt", "README.md"}


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level > 1:  # one dot stays in the package
            pytest.fail(f"{path.relative_to(ROOT)}:{node.lineno}: a relative import hides where it leads")


SOURCES = sorted((ROOT / "ltw_core").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT / "ltw_core")))
def test_core_imports_only_from_its_left(path):
    parts = path.relative_to(ROOT / "ltw_core").parts
    package = parts[0] if len(parts) > 1 else None
    for module, line in imports(path):
        where = f"{path.relative_to(ROOT)}:{line} imports {module}"
        assert module.split(".")[0] not in {"streamlit", "pages", "app"}, where
        if package and module.startswith("ltw_core."):
            target = module.split(".")[1]
            assert target in LEFT_OF_ALL or target in MAY_IMPORT[package], where


def test_top_level_is_the_design_card():
    tracked = {p.name for p in ROOT.iterdir() if not p.name.startswith((".", "__pycache__"))}
    assert tracked <= ALLOWED_TOP


def test_torch_waits_until_something_is_learned_with_it():
    """It takes seconds and 180 MB, which the app's server and every process of a study do without."""
    modules = [path.relative_to(ROOT).with_suffix("") for path in SOURCES]
    modules = [".".join(path.parts) for path in modules if path.stem[0] != "_"]
    own = [name for name in modules if ".engines.lockstep." in name or name.endswith("engines.reference")]
    assert len(own) > 5
    named = "', '".join([*sorted(set(modules) - set(own)), "pages._ui.training.start"])
    code = f"import importlib, sys; [importlib.import_module(m) for m in ('{named}',)]; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_packages_import_in_well_under_a_second():
    """What takes long to import waits until it is used."""
    packages = ("corpora", "tasks", "weighting", "weighting.learned", "evaluation", "insight", "studies.__main__")
    heavy = {"torch", "numba", "streamlit", "sklearn", "pandas", "scipy.stats", "deap", "plotly"}
    named = ", ".join(f"ltw_core.{name}" for name in packages)
    code = f"import sys, {named}; print({heavy} & sys.modules.keys())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_what_is_imported_late_is_imported_by_the_app_before_its_pages_need_it():
    """Threads that import scikit-learn at the same time break each other."""
    from pages._ui.warm import FIRST, HEAVY

    late = set()
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            late |= {node.module for node in ast.walk(function) if isinstance(node, ast.ImportFrom)}
    late = {module for module in late if module.startswith(("sklearn", "scipy"))}
    code = f"import importlib, sys; [importlib.import_module(m) for m in {FIRST + HEAVY!r}]; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert len(late) > 5 and late - set(found) == set()
