"""The benchmark that waits for a GPU: it runs with what a bare machine has, tells what failed, and goes on after it."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.benchmarks import lockstep

ROOT = Path(__file__).parents[1]
BARE = """
import sys
from importlib.machinery import PathFinder
MISSING = "pandas safetensors cachetools stop_words orjson deap plotly streamlit uvloop triton pytest pyarrow".split()
class Bare(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.split(".")[0] in MISSING else super().find_spec(name, path, target)
sys.meta_path = [Bare if finder is PathFinder else finder for finder in sys.meta_path]
from tests.benchmarks import lockstep
lockstep.main(["--quick", "--device", "cpu", "--dataset", "synthetic", "--cores", "1", "--parts", sys.argv[1]])
"""


def test_it_runs_with_torch_numpy_scipy_scikit_learn_and_numba_alone():
    parts = "about,fused,two_threads,kernels"
    ran = subprocess.run([sys.executable, "-c", BARE, parts], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said = [json.loads(line) for line in ran.stdout.splitlines()]
    found = {each["ended"]: each["found"] for each in said if "ended" in each}
    assert list(found) == parts.split(",")
    assert found["fused"]["trainings"] == found["about"]["problems"] and found["fused"]["same_bits"]
    assert found["fused"]["apart"].keys() == {"fill", "advance", "take", "report"}
    assert (
        found["kernels"] == {"said": "there are no fused kernels here"}
        and found["two_threads"]["same_bits"] == [True] * 2
    )
    report = {"fused": found["fused"]}
    assert lockstep.compared(report)["the same bits twice"] == [True, 1, 1, True]
    assert lockstep.compared(report)["us a node of a graph"][3] is None


class Process:
    """Parts whose process dies at "widths" and is stuck at "dense"."""

    def __init__(self, command, **_):
        parts = command[-1].split(",")
        lines = []
        for part in parts:
            lines += [{"begun": part}] + [{"ended": part, "found": {"value": 1}}] * (part not in ("widths", "dense"))
            if part in ("widths", "dense"):
                break
        wait = "import time; time.sleep(60)" if part == "dense" else "raise SystemExit(3)"
        said = "\n".join(map(json.dumps, lines))
        code = f"print({said!r}, flush=True); {wait}"
        self._process = PLAIN([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)

    def __getattr__(self, name):
        return getattr(self._process, name)


PLAIN = subprocess.Popen


def test_a_part_that_dies_or_is_stuck_costs_itself_alone(monkeypatch):
    monkeypatch.setattr(lockstep.subprocess, "Popen", Process)
    monkeypatch.setattr(lockstep, "PARTS", dict.fromkeys(lockstep.PARTS, 1.5))
    parts = ["about", "widths", "profile", "dense", "newsgroups"]
    found = dict(lockstep.measured(parts, [], time.monotonic() + 60))
    assert list(found) == parts
    assert found["widths"] == {"failed": "its process ended with 3"}
    assert found["dense"] == {"failed": "it took too long"}
    assert found["about"] == found["profile"] == found["newsgroups"] == {"value": 1}


def test_what_would_begin_too_late_is_named():
    found = dict(lockstep.measured(["dense"], [], time.monotonic()))
    assert found == {"dense": {"failed": "it would have begun too late"}}


def test_parts_are_named(capsys):
    with pytest.raises(SystemExit):
        lockstep.main(["--only", "abacus"])
    assert "there is no part abacus; choose from about, tests, fused" in capsys.readouterr().err
