"""The way of the data: a package imports only from those before it, and the core knows nothing of the app.

No file imports itself by way of others, and none reaches into the privates of another.
"""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ltw_core.process import parse_python

ROOT = Path(__file__).resolve().parent.parent
ORDER = ["storage", "corpora", "tasks", "weighting", "evaluation", "studies", "service"]
MAY_IMPORT = {name: set(ORDER[: i + 1]) for i, name in enumerate(ORDER)}
MAY_IMPORT["lessons"] = {"corpora", "tasks", "weighting", "evaluation", "insight", "lessons"}
MAY_IMPORT["insight"] = {"corpora", "tasks", "weighting", "insight"}
MAY_IMPORT["studies"].add("insight")  # a study may be of what is found there
MAY_IMPORT["figures"] = {"corpora", "tasks", "weighting", "insight", "figures"}
MAY_IMPORT["plot"] = {"tasks", "weighting", "evaluation", "insight", "figures"}  # one file, to the right of them
MAY_IMPORT["experiments"] = {"studies"}  # the former name of the studies' command line
LEFT_OF_ALL = {"compilation", "metrics", "settings", "process", "protocol"}
ALLOWED_TOP = {"app.py", "pages", "ltw_core", "tests", "data", "requirements.txt", "README.md"}


@functools.cache
def parsed(path):
    return parse_python(path.read_text(encoding="utf-8"))


def imports(path):
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module, node.lineno
            yield from ((f"{node.module}.{alias.name}", node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            pytest.fail(f"{path.relative_to(ROOT)}:{node.lineno}: a relative import hides where it leads")


SOURCES = sorted((ROOT / "ltw_core").rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT / "ltw_core")))
def test_core_imports_only_from_its_left(path):
    parts = path.relative_to(ROOT / "ltw_core").parts
    package = parts[0] if len(parts) > 1 else path.stem
    for module, line in imports(path):
        where = f"{path.relative_to(ROOT)}:{line} imports {module}"
        assert module.split(".")[0] not in {"streamlit", "pages", "app"}, where
        if module.startswith("ltw_core."):
            target = module.split(".")[1]
            assert target in LEFT_OF_ALL or target in MAY_IMPORT.get(package, ()), where


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
        tree = parsed(path)
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            late |= {node.module for node in ast.walk(function) if isinstance(node, ast.ImportFrom)}
    late = {module for module in late if module.startswith(("sklearn", "scipy"))}
    code = f"import importlib, sys; [importlib.import_module(m) for m in {FIRST + HEAVY!r}]; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert len(late) > 5 and late - set(found) == set()


# Pages ----------------------------------------------------------------------------------------------------------------
SECTIONS = ("start", "data", "workbench", "evaluate", "learn_by_doing")
SHOWS_OTHERS = "learn_by_doing"  # a lesson shows figures of any section, and none shows a lesson
PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
EVERYTHING = [*SOURCES, *PAGES]


def test_every_fold_shows_its_chevron():
    """Streamlit puts an icon in its place until a pointer comes."""
    calls = [
        node for path in PAGES for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)
    ]
    folds = [call for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "expander"]
    assert len(folds) > 20 and not [fold for fold in folds for word in fold.keywords if word.arg == "icon"]


@pytest.mark.parametrize("section", SECTIONS)
def test_sections_of_the_pages_do_not_import_each_other(section):
    """What two of them share lies in folders of its own, which import from no section either."""
    shared = [path for path in (ROOT / "pages" / "_ui").rglob("*.py") if path.parent.name not in SECTIONS]
    others = [
        path
        for other in SECTIONS
        if other not in (section, SHOWS_OTHERS)
        for path in (ROOT / "pages").glob(f"**/{other}/*.py")
    ]
    for path in [*shared, *others]:
        for module, line in imports(path):
            assert not module.startswith(f"pages._ui.{section}"), f"{path.relative_to(ROOT)}:{line} imports {module}"


# Circles --------------------------------------------------------------------------------------------------------------
def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path) for path in EVERYTHING}


def first_imports(path):
    """Files that a file imports as it is imported itself, or for the eyes of a type checker."""
    tree = parsed(path)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    late = {node for function in functions for node in ast.walk(function)}
    for node in set(ast.walk(tree)) - late:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            named = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in MODULES else node.module for name in named)


def test_no_file_imports_itself_by_way_of_others():
    needs = {name_of(path): set(first_imports(path)) & MODULES - {name_of(path)} for path in EVERYTHING}
    while True:  # take out what needs nothing of the rest, and what nothing of the rest needs
        needed = set().union(*needs.values())
        rest = {name: some & needs.keys() for name, some in needs.items() if some & needs.keys() and name in needed}
        if rest == needs:
            break
        needs = rest
    assert not needs, f"imports run in a circle: {needs}"


# Privates -------------------------------------------------------------------------------------------------------------
NAMED_TUPLE = {"_asdict", "_replace", "_make", "_fields"}
ALLOWED = {  # what other people's libraries have no public name for
    "ltw_core/corpora/tables/encoding.py": {"_is_text_encoding"},  # of the standard library: which codecs are for text
    "ltw_core/storage/processes.py": {"_exit"},  # os._exit, public in spite of its name
    "ltw_core/compilation.py": {"_version"},  # of Numba's cache: what its files are compared with
    "pages/_ui/streamlit_fixes/component_values.py": {"_new_widget_state"},
    "pages/_ui/streamlit_fixes/forced_theme.py": {"_set_option"},
    "pages/_ui/streamlit_fixes/forgotten_widgets.py": {
        "_remove_stale_widgets",
        "_new_widget_state",
        "_is_stale_widget",
    },
    "pages/_ui/streamlit_fixes/former_choices.py": {"_get_widget_id", "_new_session_state", "_old_state"},
    "pages/_ui/streamlit_fixes/last_messages.py": {"_call_soon_on_event_loop", "_create_scriptrunner"},
    "pages/_ui/streamlit_fixes/turns.py": {"_run_script_thread", "_run_script"},
}


def private(name):
    return name.startswith("_") and not name.startswith("__") and name not in NAMED_TUPLE


def of_itself(node):
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def made_here(tree):
    """Private names that a file gives to something itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and of_itself(node):
            yield node.attr


def reached(path):
    """Private names of other files that one uses."""
    tree = parsed(path)
    own = set(made_here(tree)) | ALLOWED.get(str(path.relative_to(ROOT)), set())
    for node in ast.walk(tree):
        where = f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Attribute) and private(node.attr) and node.attr not in own and not of_itself(node):
            yield f"{where} reaches for {ast.unparse(node)}"
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("ltw_core", "pages"):
            yield from (f"{where} imports {a.name}" for a in node.names if private(a.name) and a.name != "_ui")


def test_nothing_reaches_into_the_privates_of_another_file():
    found = [sentence for path in EVERYTHING for sentence in reached(path)]
    assert not found, "; ".join(found)


# Pickle ---------------------------------------------------------------------------------------------------------------
UNPICKLES = re.compile(
    r"^\s*(?:import|from) (?:pickle|cloudpickle|dill|shelve|marshal)\b|\b(?:read_pickle|torch\.load|joblib\.load)\("
    r"|np\.load\((?!.*allow_pickle=False)",
    re.MULTILINE,
)


def test_nothing_that_is_handed_in_is_read_as_a_pickle():
    assert all(map(UNPICKLES.search, ("import pickle\n", "np.load(path)", "a = torch.load(path)")))
    everything = [ROOT / "app.py", *SOURCES, *(ROOT / "pages").rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in everything if UNPICKLES.search(path.read_text(encoding="utf-8"))}
    assert found == {"ltw_core/tasks/counting_process.py"}  # processes of ours tell each other what they count


# Parameters -----------------------------------------------------------------------------------------------------------
MOST_PARAMETERS = 10
SETTINGS = {"ltw_core/weighting/learned/shared.py:__init__"}  # an estimator's, which scikit-learn wants one by one


def parameters_of(function):
    every = function.args.posonlyargs + function.args.args + function.args.kwonlyargs
    named = [one for one in every if one.arg not in ("self", "cls")]
    return len(named) + bool(function.args.vararg) + bool(function.args.kwarg)


def test_functions_have_few_parameters():
    """Those of Triton's kernels are pointers, and are not counted."""
    counted = {
        f"{path.relative_to(ROOT)}:{node.name}": parameters_of(node)
        for path in EVERYTHING
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if not any("triton.jit" in ast.unparse(decorator) for decorator in node.decorator_list)
    }
    many = {name for name, count in counted.items() if count > MOST_PARAMETERS}
    assert len(counted) > 1000 and many == SETTINGS


# Caches ---------------------------------------------------------------------------------------------------------------
WITHOUT_END = re.compile(r"(functools\.)?cache|(functools\.)?lru_cache\((maxsize=)?None\)")
FEW_KEYS = {  # of folders of the code, kinds of figures, the tables of our databases: never of what readers do
    "ltw_core/compilation.py:_stamp",
    "ltw_core/figures/plain_figure.py:_template",
    "ltw_core/storage/database.py:_columns_of",
    "pages/_ui/plots/cached_figures.py:_field_names",
    "pages/_ui/plots/library.py:_publish",
    "pages/_ui/training/histories.py:_open",
}


def test_caches_that_never_forget_have_few_keys():
    """Answers with their figures once filled one, some forty texts a minute under thirty readers."""
    found = {
        f"{path.relative_to(ROOT)}:{node.name}"
        for path in EVERYTHING
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef) and parameters_of(node)
        if any(WITHOUT_END.fullmatch(ast.unparse(decorator)) for decorator in node.decorator_list)
    }
    assert found == FEW_KEYS


# Texts ----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("text", ["README.md", ".github/CONTRIBUTING.md", ".github/SECURITY.md"])
def test_files_that_texts_name_are_there(text):
    words = (ROOT / text).read_text(encoding="utf-8")
    words = re.findall(r"`((?:ltw_core|pages|tests|data|\.ci|\.streamlit)/[\w./-]*)`", words)
    assert words
    assert [word for word in words if not (ROOT / word).exists() and not word.startswith("data/state")] == []


def test_percentages_have_one_form():
    """28.6%, as on the axes of figures, in every text that a reader sees."""
    spaced = re.compile(r"(?:[0-9}]|%[.\d]*[dfg])(?:[ \u00a0]|\\N\{NO-BREAK SPACE\})%{1,2}(?![\w({.]| [\w(])")
    for said, found in (("is 28.6 %,", True), ("{share:.3g}\u00a0%)", True), ("28.6%, 7 % n", False)):
        assert bool(spaced.search(said)) == found
    kinds = ("*.py", "*.toml", "*.json", "*.md", "*.js")
    files = [path for folder in ("ltw_core", "pages", "data") for kind in kinds for path in (ROOT / folder).rglob(kind)]
    wrong = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:90]}"
        for path in [*files, ROOT / "README.md"]
        if "state" not in path.parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if spaced.search(line)
    ]
    assert not wrong


@pytest.mark.parametrize("sheet", sorted(ROOT.glob("pages/**/*.css")), ids=lambda sheet: sheet.name)
def test_style_sheets_close_their_braces(sheet):
    depth = 0
    for line in re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL).splitlines():
        depth += line.count("{") - line.count("}")
        assert depth >= 0, line
    assert depth == 0


def test_pages_have_curly_apostrophes():
    """In all that is written there but docstrings and comments."""
    straight = re.compile(r"(?:^|[A-Za-z*)}])'(?:s|t|re|ve|ll)\b|[a-z]s' (?=[a-z]+[ .,:;])")
    files = [path for kind in ("*.toml", "*.json", "*.md") for path in (ROOT / "pages").rglob(kind)]
    files += [ROOT / "data" / "results" / name for name in ("claims.json", "reasons.json")]
    written = [(path, line) for path in files for line in path.read_text("utf-8").splitlines()]
    for path in [*PAGES, *(ROOT / "ltw_core" / "figures").rglob("*.py")]:
        nodes = list(ast.walk(parsed(path)))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = (node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings)
        written += [(path, text.value) for text in texts if isinstance(text.value, str)]
    assert [(path.name, text) for path, text in written if straight.search(text)] == []
