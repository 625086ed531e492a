"""The core as a package of its own: installed from its folder, it works elsewhere, without the app and its files."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.snippets import snippets

ROOT = Path(__file__).resolve().parent.parent
ONLY_THE_APP = {"streamlit", "starlette", "uvloop", "cachetools", "segno"}
FIT = """
from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.studies import examples, paper, results
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting

task = vectorize(load("synthetic", documents=200, noise_terms=50)).task("relevant", ratio=1.0)
learned = LearnedWeighting(engine="reference", hidden=4, max_steps=20, check_every=10)  # no kernel to compile
learned.fit(task.counts_train, task.y_train, validation=task.validation)
print(learned.cd_.size == len(task.terms), evaluate(task, "LogTFIDF").f1 > 0.5, len(results.shipped().records()))
for read in (paper.values, lambda: examples.load_example("any")):
    try:
        read()
    except ValueError as error:
        print(error)
"""


def requirements(lines):
    named = {}
    for line in lines:
        name = line.split(";")[0].strip().split("=")[0].rstrip("~=<> ").split("~")[0]
        named[name] = line
    return named


def test_one_list_of_requirements():
    """The app's list is the package's and what only the app needs, with equal versions."""
    package = tomllib.loads((ROOT / "ltw_core/pyproject.toml").read_text(encoding="utf-8"))["project"]
    app = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert set(app) - set(package["dependencies"]) == {
        line for line in app if requirements([line]).keys() & ONLY_THE_APP
    }
    assert set(package["dependencies"]) < set(app)
    tests = (ROOT / "tests/requirements.txt").read_text(encoding="utf-8").splitlines()
    for extra in package["optional-dependencies"].values():
        assert set(extra) < set(tests)


def test_streamlits_server_is_of_the_minor_version_that_was_tried():
    """Streamlit takes any starlette below 2, and 1.4.0 broke fresh installs of it."""
    line = requirements((ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines())["starlette"]
    assert re.match(r"starlette~=(\d+\.\d+)\.\d+ +# \w", line)[1] == version("starlette").rpartition(".")[0]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Environment, folder: the package is installed somewhere, and processes run elsewhere."""
    target, elsewhere = tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("elsewhere")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(ROOT / "ltw_core")]
    subprocess.run(command, check=True, capture_output=True, text=True)
    for kernel in (ROOT / "ltw_core").rglob("*.nb[ci]"):  # what Numba has compiled of the same files
        there = target / kernel.relative_to(ROOT)
        there.parent.mkdir(exist_ok=True)
        shutil.copy(kernel, there)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("LTW_")}
    return environment | {"PYTHONPATH": str(target), "HOME": str(elsewhere)}, elsewhere


def run(installed, *arguments):
    environment, folder = installed
    done = subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_all_files_are_in_it(installed):
    def files(folder):
        return {path.relative_to(folder) for path in folder.rglob("*.*") if path.suffix not in (".pyc", ".nbi", ".nbc")}

    here, there = files(ROOT / "ltw_core"), files(Path(installed[0]["PYTHONPATH"]) / "ltw_core")
    assert here - there == {Path("pyproject.toml")} and there <= here


def test_a_fit_outside_of_the_project(installed):
    told = run(installed, "-c", FIT).splitlines()
    assert told[0] == "True True 0"
    assert all("they ship with the project's folder" in sentence for sentence in told[1:]) and len(told) == 3
    assert (installed[1] / "ltw-lab/state").is_dir()  # what it keeps lies in the home folder


def test_the_readmes_snippets_outside_of_the_project(installed):
    """All of its Python, one after the other, as a reader would type it: with the core alone."""
    told = run(installed, str(ROOT / "tests/snippets.py")).splitlines()
    lines = [line for line in told if line.startswith("line ")]
    assert len(lines) == len(snippets()) and sum("NotebookFigure" in line for line in lines) > 3
    assert [
        snippet.picture for snippet in snippets() if snippet.picture and not (ROOT / snippet.picture).exists()
    ] == []


def test_command_lines_outside_of_the_project(installed):
    assert "run" in run(installed, "-m", "ltw_core.studies", "--help")
    assert "by default ~/ltw-lab" in run(installed, "-m", "ltw_core.corpora", "list")
