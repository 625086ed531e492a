"""Which engine learns where, for every kind of work, with a GPU and without."""

import subprocess
import sys
from glob import glob

import pytest

from ltw_core.weighting.learned import Settings, choose
from ltw_core.weighting.learned.engines.choose import DRIVERS

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
    assert choose(LOCAL, 9, found=ONE_GPU).reason == "GPU: 9 trainings go side by side there"
    assert choose(MASKS, 9, found=ONE_GPU).reason.endswith("not 'bernoulli'")
    assert "fewer than 4" in choose(LOCAL, 3, found=ONE_GPU).reason


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
def test_torch_is_asked_for_gpus_only_where_there_is_a_driver(drivers, imported):
    code = (
        "import sys; from ltw_core.weighting.learned import preload\n"
        "from ltw_core.weighting.learned.engines import choose; preload()\n"
        f"choose.DRIVERS = {drivers}; print(choose.gpus(), 'torch' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["[]", imported]
