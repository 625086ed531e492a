"""The fused kernels without a GPU: interpreted against torch's operators, and compiled for compute capability 9.0.

Both in processes of their own, since Triton reads what it is to do when it is imported.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("triton", reason="Triton is not installed")

HERE = Path(__file__).parent
ROOT = HERE.parents[4]


def said_by(*arguments, **environment):
    ran = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, env=os.environ | environment
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_interpreted_they_are_torchs_operators():
    code, said = said_by(
        "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", str(HERE / "interpreted_kernels.py"),
        TRITON_INTERPRET="1",
    )  # fmt: skip
    assert code == 0 and "skipped" not in said, said


def test_they_compile_for_a_gpu_without_spilling():
    code, said = said_by("-m", "tests.weighting.learned.engines.lockstep.compiled_kernels", TRITON_INTERPRET="0")
    assert code == 0, said
    kernels = [line.split() for line in said.strip().splitlines()]
    assert len({name for name, *_ in kernels}) == 14, said
    assert len(kernels) >= 20, said
    for name, threads, registers, spilled in kernels:
        assert int(spilled) == 0, f"{name}: {spilled} bytes spilled"
        own = int(threads) * int(registers)
        assert own <= 2**14, f"{name}: {own} registers a program; a multiprocessor's 65,536 shall hold four"
