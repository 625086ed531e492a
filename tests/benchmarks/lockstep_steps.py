"""The parts of ``tests.benchmarks.lockstep`` that look at single steps: by width, by kernel, beside torch's."""

import time
from collections import defaultdict
from dataclasses import replace

import torch

from ltw_core.weighting.learned import Settings
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup, GlobalState
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalGroup, LocalState
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.network import initial_parameters
from tests.benchmarks.lockstep_parts import fused, imported

WARM, TIMED = 100, 200  # steps of a run for time: the first hundred make arrays and graphs


def step_at_width(bench, variant, width, graphs):
    """Milliseconds of a round's step, all problems together, without the first hundred steps."""
    steps, problems = 100 if bench.quick else TIMED, bench.lasting
    together = [problems[i % len(problems)] for i in range(width)]
    settings = [
        Settings(variant=variant, seed=i // len(problems), max_steps=WARM + steps, patience=10**6) for i in range(width)
    ]
    at = {}
    results = learn_lockstep(
        together, settings, str(bench.device), width,
        lambda _, event: at.__setitem__(event.step, time.perf_counter()), graphs=graphs,
    )  # fmt: skip
    if max(result.step for result in results) < WARM + steps:
        return None  # all ended before
    return 1e3 * (at[WARM + steps] - at[WARM]) / steps


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
        rows = sorted(seen.key_averages(), key=lambda each: -getattr(each, name))[:12]
        total = sum(getattr(each, name) for each in seen.key_averages()) or 1
        launched = sum(each.count for each in seen.key_averages() if getattr(each, name) > 0) / 20
        found[f"{kind.__name__}, {width}"] = {"launches a step": launched} | {
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
    made.cd_layer.forward(made.theta, made.constants)
    made.cd_layer.backward(made.theta)
    found["us"] = {
        "forward, torch": 1e6 * bench.seconds(lambda: plain.cd_layer.forward(a, w), 20),
        "forward, fused": 1e6 * bench.seconds(lambda: made.cd_layer.forward(made.theta, made.constants), 20),
        "backward, torch": 1e6 * bench.seconds(lambda: plain.cd_layer.backward(a, w, mean, deviation, g_a, g_w), 20),
        "backward, fused": 1e6 * bench.seconds(lambda: made.cd_layer.backward(made.theta), 20),
    }
    return found


def global_widths(bench):
    """LTW-G-I's step by width."""
    return widths(bench, "LTW-G-I")
