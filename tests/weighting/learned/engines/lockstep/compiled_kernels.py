"""Compiles every fused kernel for compute capability 9.0, in the forms in which the variants launch it, and prints
a line for each: its name, threads of a program, registers a thread, and bytes that are spilled because they do not fit
into registers.

Needs no GPU: a group makes a step, all of Triton's way to a launch is gone but for the launch, with a driver that only
says what it is the driver of.
"""

import re
import subprocess
import tempfile

import numpy as np
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import get_ptxas
from triton.runtime.jit import JITFunction, MockTensor

from ltw_core.weighting.learned import VARIANTS
from ltw_core.weighting.learned.engines.lockstep.fused_global_group import FusedGlobalGroup
from ltw_core.weighting.learned.engines.lockstep.fused_local_group import FusedLocalGroup
from tests.weighting.learned.engines.lockstep.lockstep_cases import advanced, group_of, settings_of, three_problems

TARGET = GPUTarget("cuda", 90, 32)


class Driver:
    """Of a GPU that is not there."""

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0

    def get_current_target(self):
        return TARGET


def measured(name, ptx):
    """(registers, bytes spilled) a thread, by the assembler; SystemExit with what it said where it does not tell."""
    tool = get_ptxas(TARGET.arch).path  # the one that Triton takes for it: of two since 3.9, which write different PTX
    target = re.search(r"\.target (\w+)", ptx)[1]
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(ptx)
        file.flush()
        command = [tool, "-v", f"--gpu-name={target}", file.name, "-o", "/dev/null"]
        ran = subprocess.run(command, capture_output=True, text=True)
    said = ran.stdout + ran.stderr
    used = re.search(r"Used (\d+) registers", said)
    if ran.returncode or used is None:
        version = re.search(r"\.version (\S+)", ptx)[1]
        raise SystemExit(
            f"{name}: ptxas of Triton {triton.__version__} ended with {ran.returncode} for PTX {version} and {target} "
            f"and does not tell registers: {said.strip() or 'it said nothing'}"
        )
    return int(used[1]), sum(map(int, re.findall(r"(\d+) bytes spill (?:stores|loads)", said)))


def main():
    found, launch = {}, JITFunction.run

    def compiled(kernel, *arguments, grid, warmup, **forms):
        given = [MockTensor(each.dtype) if isinstance(each, torch.Tensor) else each for each in arguments]
        made = launch(kernel, *given, grid=grid, warmup=True, **forms)
        found[kernel.__name__, made.hash] = 32 * made.metadata.num_warps, made.asm["ptx"]
        if kernel.__name__ == "adam_step":
            arguments[0].add_(1)  # the count of steps

    JITFunction.run = compiled
    triton.runtime.driver.set_active(Driver())
    for variant in [name for name, each in VARIANTS.items() if len(each.inputs) == 2]:
        problems, settings = three_problems(), settings_of(variant, dtype="float32")
        kind = FusedLocalGroup if settings[0].network.local else FusedGlobalGroup
        advanced(group_of(kind, problems, settings), problems, settings, 1).read()
        if variant in ("LTW-L-I", "LTW-L-sigma"):
            group = group_of(kind, problems, settings)
            group.pretrain([0, 1, 2], np.zeros((1, 3, 100, 2)), np.zeros((1, 3, 100)))
    for (name, _), (threads, ptx) in found.items():
        print(name, threads, *measured(name, ptx))


if __name__ == "__main__":
    main()
