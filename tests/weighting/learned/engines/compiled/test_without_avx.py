"""The kernels compiled for a processor without AVX: the same steps as the reference's. In a process of its own, as
Numba chooses the processor's features when it is imported."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[5]
TESTS = "tests/weighting/learned/engines/test_engines.py"
STEPS = "trajectories and (LTW-L-I-gaussian or LTW-TF-gaussian or LTW-G-I)"
PROGRAM = f"""
import sys
import pytest
from ltw_core.weighting.learned.engines.compiled import kernels

failed = pytest.main(["-q", "-p", "no:cacheprovider", {TESTS!r}, "-k", {STEPS!r}])
code = [text for each in (kernels.advance_local, kernels.advance_global) for text in each.inspect_asm().values()]
print("compiled", len(code), "with AVX", sum("ymm" in text or "zmm" in text for text in code))
sys.exit(failed)
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="AVX is a matter of x86 processors")
def test_the_same_steps_without_avx(tmp_path):
    generic = dict(NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="", NUMBA_CACHE_DIR=str(tmp_path))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")} | generic
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 passed" in ran.stdout
    assert "compiled 2 with AVX 0" in ran.stdout
