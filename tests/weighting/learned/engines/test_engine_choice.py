"""Which engine learns where, for every kind of work, with a GPU and without."""

import re
import subprocess
import sys
from glob import glob
from pathlib import Path

import pytest

from ltw_core.weighting.learned import Settings, choose
from ltw_core.weighting.learned.engines.costs import Work, cpu_seconds, gpu_seconds
from ltw_core.weighting.learned.engines.gpus import DRIVERS

LOCAL, GLOBAL, MASKS = Settings(), Settings(variant="LTW-G-I"), Settings(dropout_form="bernoulli")
GLOBAL_MASKS = Settings(variant="LTW-G-sigma", dropout_form="bernoulli")  # always drawn as one: the form is not asked
ONE_GPU = ["cuda:0"]


@pytest.mark.parametrize(
    ("settings", "problems", "engine", "device", "found", "expected"),
    [
        (LOCAL, 1, "auto", "auto", [], ("compiled", "cpu")),
        (LOCAL, 115, "auto", "auto", [], ("compiled", "cpu")),
        (LOCAL, 1, "auto", "auto", ONE_GPU, ("compiled", "cpu")),
        (LOCAL, 10, "auto", "auto", ONE_GPU, ("lockstep", "cuda:0")),
        (Settings(variant="LTW-TF"), 10, "auto", "auto", ONE_GPU, ("lockstep", "cuda:0")),
        (Settings(pretrain="IG"), 10, "auto", "auto", ONE_GPU, ("lockstep", "cuda:0")),
        (GLOBAL, 10, "auto", "auto", ONE_GPU, ("lockstep", "cuda:0")),
        (GLOBAL_MASKS, 10, "auto", "auto", ONE_GPU, ("lockstep", "cuda:0")),
        (MASKS, 10, "auto", "auto", ONE_GPU, ("compiled", "cpu")),
        (LOCAL, 10, "compiled", "auto", ONE_GPU, ("compiled", "cpu")),
        (LOCAL, 10, "auto", "cpu", ONE_GPU, ("compiled", "cpu")),
        (LOCAL, 1, "auto", "cuda:0", ONE_GPU, ("lockstep", "cuda:0")),
        (GLOBAL, 1, "auto", "cuda:0", ONE_GPU, ("lockstep", "cuda:0")),
        (MASKS, 1, "auto", "cuda:0", ONE_GPU, ("reference", "cuda:0")),
        (LOCAL, 1, "reference", "cuda:0", ONE_GPU, ("reference", "cuda:0")),
        (LOCAL, 1, "lockstep", "cpu", ONE_GPU, ("lockstep", "cpu")),
    ],
)
def test_choice(settings, problems, engine, device, found, expected):
    chosen = choose(settings, problems, engine, device, found)
    assert chosen[:2] == expected
    assert chosen.reason.startswith(("CPU: ", "GPU: ")) if device == "auto" else device in chosen.reason


def test_reasons():
    assert choose(LOCAL, 9, found=[]).reason == "CPU: there is no GPU here"
    assert choose(LOCAL, 9, found=ONE_GPU).reason == "GPU: 9 training runs go side by side there"
    assert choose(MASKS, 9, found=ONE_GPU).reason.endswith("not 'bernoulli'")
    said = choose(LOCAL, 3, found=ONE_GPU).reason
    assert said == "CPU: for 3 training runs it is estimated to be faster than a GPU"


@pytest.mark.parametrize(
    ("settings", "work", "where"),
    [
        (LOCAL, Work(problems=115, cores=1), "cuda:0"),
        (LOCAL, Work(problems=115, cores=32), "cpu"),  # 3.8 s, which is no more than CUDA takes to start
        (LOCAL, Work(problems=115, cores=32, started=True), "cuda:0"),
        (LOCAL, Work(problems=4, cores=1), "cpu"),  # CUDA takes as long to start as the CPU to learn
        (LOCAL, Work(problems=4, cores=1, started=True), "cuda:0"),
        (LOCAL, Work(problems=10, n_terms=100, n_pairs=50), "cpu"),  # a small class
        (GLOBAL, Work(problems=115, cores=16), "cuda:0"),  # LTW-G pays sooner
        (GLOBAL, Work(problems=1, cores=1), "cpu"),
    ],
)
def test_the_choice_knows_cores_start_variant_and_width(settings, work, where):
    assert choose(settings, work.problems, found=ONE_GPU, work=work).device == where


def test_costs_are_those_that_were_measured():
    # 402,900 steps of all 115 classes, .2 ms each on a core; on an H100 2.1 s fused and 10.6 s plain, without the start
    work = Work(problems=115, started=True)
    assert cpu_seconds(LOCAL, work) == pytest.approx(402_900 * 0.2e-3, rel=0.1)
    assert gpu_seconds(LOCAL, work) == pytest.approx(2.1, rel=0.1)
    assert gpu_seconds(LOCAL, work._replace(fused=False)) == pytest.approx(10.6, rel=0.15)


@pytest.mark.parametrize(
    ("settings", "engine", "device", "sentence"),
    [
        (LOCAL, "abacus", "auto", "engine must be one of auto, compiled, lockstep, reference"),
        (LOCAL, "compiled", "cuda", "works on the cpu, not on 'cuda'"),
        (MASKS, "lockstep", "auto", "dropout_form must be 'gaussian' in a lockstep"),
    ],
)
def test_what_cannot_be(settings, engine, device, sentence):
    with pytest.raises(ValueError, match=sentence):
        choose(settings, 1, engine, device, [])


@pytest.mark.skipif(sys.platform != "linux" or any(map(glob, DRIVERS)), reason="there may be a GPU here")
@pytest.mark.parametrize(("drivers", "imported"), [(DRIVERS, "False"), (("/dev/null",), "True")])
def test_torch_is_asked_for_gpus_only_where_there_is_a_driver_and_in_another_process(drivers, imported):
    code = (
        "import sys; from ltw_core.weighting.learned import preload\n"
        "from ltw_core.weighting.learned.engines import gpus; preload()\n"
        "asked, ask = [], gpus._ask; gpus._ask = lambda: asked.append(1) or ask()\n"
        f"gpus.DRIVERS = {drivers}; print(gpus.all_gpus(), bool(asked), 'torch' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["()", imported, "False"]


def test_nothing_forks_a_process_that_may_have_started_cuda():
    """CUDA does not survive a fork: the product's children are programs of their own (subprocess, joblib's loky)."""
    root = Path(__file__).parents[4]
    files = [path for folder in ("ltw_core", "pages") for path in (root / folder).rglob("*.py")]
    text = {path: path.read_text(encoding="utf-8") for path in files}
    assert sum("subprocess.Popen(" in own for own in text.values()) >= 3 and len(files) > 100
    forking = re.compile(r"os\.fork|import multiprocessing|from multiprocessing|ProcessPoolExecutor|backend=\"multi")
    assert [str(path) for path, own in text.items() if forking.search(own)] == []
