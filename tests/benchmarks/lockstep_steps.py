"""The parts of ``tests.benchmarks.lockstep`` that look at single steps: by width, by kernel, beside torch's."""

import time
from collections import defaultdict
from dataclasses import replace

import numpy as np
import torch

from ltw_core.weighting.learned import Settings
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup, GlobalState
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup, LocalState
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.network import initial_parameters
from tests.benchmarks.lockstep_parts import fused, imported

LASTING = 0.9  # share of the runs that must last as long as steps are timed
WARM, TIMED = 500, 1000  # steps of a run for time: the first ones make arrays and graphs; fifths of these for LTW-G


def step_at_width(bench, variant, width, graphs):
    """Milliseconds of a step, all problems together, after the first ones; None where over a tenth ended before."""
    shorter = 1 if Settings(variant=variant).network.local else 5
    warm, steps = (100, 100) if bench.quick else (WARM // shorter, TIMED // shorter)
    problems = bench.lasting
    together = [problems[i % len(problems)] for i in range(width)]
    settings = [
        Settings(variant=variant, seed=i // len(problems), max_steps=warm + steps, patience=10**6) for i in range(width)
    ]
    at = {}
    results = learn_lockstep(
        together, settings, str(bench.device), width,
        lambda _, event: at.__setitem__(event.step, time.perf_counter()), graphs=graphs,
    )  # fmt: skip
    if np.mean([result.step == warm + steps for result in results]) < LASTING:
        return None
    return 1e3 * (at[warm + steps] - at[warm]) / steps


def widths(bench, variant=None):
    """Milliseconds a step at each width, by how steps are made."""
    variant = variant or bench.options.variant
    cuda = bench.device.type == "cuda"
    ways = {"fused, graph": (None, True), "fused": (None, False), "graph": (False, True)} if cuda else {}
    found = defaultdict(dict)
    for width in bench.widths:
        for name, (kernels, graphs) in (ways | {"plain": (False, False)}).items():
            with fused(kernels):
                found[str(width)][name] = step_at_width(bench, variant, width, graphs)
    return found


def group_of(bench, width, dtype="float32", kind=None, variant=None):
    """A group of new problems, and what its `advance` takes."""
    settings = replace(bench.settings, dtype=dtype, **{"variant": variant} if variant else {})
    problems = [bench.lasting[i % len(bench.lasting)] for i in range(width)]
    arrays = [ProblemArrays(problem, settings) for problem in problems]
    random = [RandomNumbers(i, 0, len(p.train), settings.batch_size) for i, p in enumerate(problems)]
    state, states = LocalState if settings.network.local else GlobalState, []
    for problem, own, each in zip(problems, random, arrays, strict=True):
        hidden = settings.hidden_units(problem.n_terms)
        drawn = initial_parameters(settings.network, problem.inputs, hidden, settings.hidden_dd, own.initial())
        states.append(state.of(drawn, each))
    return (kind or LocalGroup)(arrays, states, settings, bench.device, 2**31, False), random


def kinds_of(bench, variant="LTW-L-I"):
    """The groups of a variant: by torch's operators and, where they can be had, of fused kernels."""
    local = Settings(variant=variant).network.local
    kinds = [LocalGroup if local else GlobalGroup]
    if bench.device.type == "cuda" and imported("triton"):
        from ltw_core.weighting.learned.engines.lockstep.fused_global_group import FusedGlobalGroup
        from ltw_core.weighting.learned.engines.lockstep.fused_local_group import FusedLocalGroup

        kinds.append(FusedLocalGroup if local else FusedGlobalGroup)
    return kinds


def profile(bench):
    """Kernels by time, 20 steps at a narrow and a wide width: microseconds of each in all, and its share."""
    found, cuda = {}, bench.device.type == "cuda"
    kinds = [torch.profiler.ProfilerActivity.CPU] + [torch.profiler.ProfilerActivity.CUDA] * cuda
    forms = [(kind, "LTW-L-I", width) for kind in kinds_of(bench) for width in ((2,) if bench.quick else (16, 115))]
    forms += [(kind, "LTW-G-I", 2 if bench.quick else 16) for kind in kinds_of(bench, "LTW-G-I")]
    for kind, variant, width in forms:
        group, random = group_of(bench, width, kind=kind, variant=variant)
        group.advance(random, [0] * width, 20)
        with torch.profiler.profile(activities=kinds) as seen:
            group.advance(random, [20] * width, 20)
            bench.wait()
        name = "self_device_time_total" if cuda else "self_cpu_time_total"
        where = torch.autograd.DeviceType.CUDA if cuda else torch.autograd.DeviceType.CPU
        events = [each for each in seen.key_averages() if each.device_type == where and getattr(each, name) > 0]
        rows = sorted(events, key=lambda each: -getattr(each, name))[:12]
        total = sum(getattr(each, name) for each in events) or 1
        found[f"{kind.__name__}, {width}"] = {"launches a step": sum(each.count for each in events) / 20} | {
            each.key[:60]: [getattr(each, name) / 20, getattr(each, name) / total] for each in rows
        }
        del group
    return found


def kernels_checked(bench):
    """The fused kernels against torch's operators on the device: largest relative differences after three steps."""
    found = {}
    kinds = kinds_of(bench)
    if len(kinds) < 2:
        return {"said": "there are no fused kernels here"}
    for variant, own, names in (("LTW-L-I", "", ()), ("LTW-G-I", "LTW-G-I, ", ("weights", "second_weights"))):
        for dtype in ("float64", "float32"):
            groups = []
            for kind in kinds_of(bench, variant):
                group, random = group_of(bench, 3, dtype, kind, variant)
                group.advance(random, [0] * 3, 3)
                groups.append(group)
            plain, made = groups
            found[own + dtype] = {
                name: float((getattr(made, name) - getattr(plain, name)).abs().max() / getattr(plain, name).abs().max())
                for name in ("theta", "first", "second", "loss", *names)
            }
    wide = 2 if bench.quick else 115
    (plain, _), (made, _) = (group_of(bench, wide, kind=kind) for kind in kinds)
    a, w, _ = plain.p[0]
    mean, deviation = plain.cd_layer.forward(a, w)
    g_a, g_w, _ = plain.g[0]
    forward = made.theta, made.inner, made.constants
    made.cd_layer.forward(*forward)
    made.cd_layer.backward(made.theta, made.inner)
    found["us"] = {
        "forward, torch": 1e6 * bench.seconds(lambda: plain.cd_layer.forward(a, w), 20),
        "forward, fused": 1e6 * bench.seconds(lambda: made.cd_layer.forward(*forward), 20),
        "backward, torch": 1e6 * bench.seconds(lambda: plain.cd_layer.backward(a, w, mean, deviation, g_a, g_w), 20),
        "backward, fused": 1e6 * bench.seconds(lambda: made.cd_layer.backward(made.theta, made.inner), 20),
    }
    return found


def global_widths(bench):
    """LTW-G-I's step by width."""
    return widths(bench, "LTW-G-I")


# ---- what a kernel takes, by the sizes of its programs' parts

TILES = {  # by kernel the constant that divides its grid, and what is tried, warps of a program among it
    "layer_forward": ("BP", {"BP": (8, 16, 32, 64), "BH": (32, 64, 128), "num_warps": (2, 4, 8)}),
    "layer_backward": ("BH", {"UNROLLED": (4, 8, 16), "BH": (128, 256, 512), "num_warps": (2, 4, 8)}),
    "term_weights": ("BF", {"BF": (64, 128, 256), "num_warps": (2, 4)}),
    "document_rows": ("BR", {"BR": (1, 2, 4, 8), "BE": (16, 32, 64), "num_warps": (1, 2, 4)}),
    "term_gradients": ("", {"BN": (32, 64, 128), "BE": (16, 32, 64), "num_warps": (1, 2, 4, 8)}),
    "pair_gradients": (
        "BP", {"BP": (8, 16, 32), "BT": (4, 8, 16, 32), "BS": (128, 512, 1024), "num_warps": (2, 4, 8)},
    ),
    # Of the local ones the last: each launch counts the step on, and others would read past the block
    "adam_step": ("BW", {"BW": (128, 256, 512), "num_warps": (2, 4, 8)}),
    "hidden_forward": ("BF", {"BU": (4, 8, 16), "BF": (64, 128, 256), "num_warps": (2, 4, 8)}),
    "hidden_step": ("BU", {"BF": (256, 512, 1024, 2048), "num_warps": (1, 2, 4, 8), "BU": (1, 2)}),
}  # fmt: skip
LAUNCHES = 20  # of a graph whose replays are timed
TILES_SECONDS = 75  # after which no other sizes are tried


def launches_of(group, random):
    """The launches of a group's step: (kernel, its arguments, its grid, its constants) of each."""
    from triton.runtime.jit import JITFunction

    found, launch = [], JITFunction.run

    def noted(kernel, *arguments, grid, warmup, **forms):
        found.append((kernel, arguments, grid, forms))
        return launch(kernel, *arguments, grid=grid, warmup=warmup, **forms)

    group.advance(random, [0] * group.size, 2)
    JITFunction.run = noted
    try:
        group.advance(random, [2] * group.size, 1)
    finally:
        JITFunction.run = launch
    return found


def microseconds(bench, kernel, arguments, grid, forms):
    """Of a launch, by a graph of many; None where it cannot be had."""
    try:
        kernel[grid](*arguments, **forms)
        graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream(bench.device)
        bench.wait()
        with torch.cuda.stream(stream), torch.cuda.graph(graph, stream=stream):
            for _ in range(LAUNCHES):
                kernel[grid](*arguments, **forms)
        graph.replay()
        return 1e6 * min(bench.seconds(graph.replay, 3) for _ in range(3)) / LAUNCHES
    except Exception as error:  # too many registers, or too much shared memory
        print(kernel.__name__, forms, error, flush=True)
        return None


def tiles(bench):
    """Microseconds of each kernel with its present sizes and with others, one size varied after the other, each from
    the best so far; at a wide and a narrow width, which share what is compiled."""
    if len(kinds_of(bench)) < 2:
        return {"said": "there are no fused kernels here"}
    found, until = {}, time.monotonic() + TILES_SECONDS
    for variant, widths in (("LTW-L-I", (115, 8)), ("LTW-G-I", (16, 1))):
        groups = [group_of(bench, width, kind=kinds_of(bench, variant)[-1], variant=variant) for width in widths]
        launches = [{each[0].__name__: each for each in launches_of(*own)} for own in groups]
        for name, (divided, tried) in TILES.items():
            if name in launches[0] and name not in found:
                found[name] = {"of widths": widths} | _best_sizes(
                    bench, [own[name] for own in launches], divided, tried, until
                )
        del groups, launches
    return found


def _best_sizes(bench, launches, divided, tried, until):
    """``tiles`` of one kernel, given its launches at both widths."""
    now = {"num_warps": 4} | {name: size for name, size in launches[0][3].items() if name in tried}
    best, seen = now, {}

    def measured(sizes):
        times = []
        for kernel, arguments, grid, forms in launches:
            if divided:
                grid = (-(-grid[0] * now[divided] // sizes[divided]), *grid[1:])
            times.append(microseconds(bench, kernel, arguments, grid, forms | sizes))
        return times

    def slower(sizes):
        return sum(time / first for time, first in zip(seen[sizes], seen[tuple(now.items())], strict=True))

    for name in tried:
        for size in (now[name], *tried[name]):
            sizes = tuple((best | {name: size}).items())
            if sizes not in seen and (time.monotonic() < until or not seen):
                seen[sizes] = measured(dict(sizes))
        best = dict(min((sizes for sizes in seen if None not in seen[sizes]), key=slower))
    words = {sizes: ", ".join(f"{part} {size}" for part, size in sizes) for sizes in seen}
    shown = {"now": words[tuple(now.items())], "best": words[tuple(best.items())]}
    print(launches[0][0].__name__, shown, flush=True)
    return shown | {"us": {words[sizes]: seen[sizes] for sizes in seen}}
