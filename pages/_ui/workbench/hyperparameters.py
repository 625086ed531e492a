"""Hyper-parameters of a training run: a control for each, the paper's value as its default, and what was changed."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.tasks import PAPER_RATIO
from ltw_core.weighting import CD
from ltw_core.weighting.learned import ENGINES, VARIANTS, Settings, all_gpus
from ltw_core.weighting.learned.inputs import INPUTS, PAPER
from ltw_core.weighting.learned.settings import STOP_BY
from pages._ui import warm, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.reader import own_weightings, selection
from pages._ui.result_cache import kept
from pages._ui.terms_kept import terms_kept
from pages._ui.training import run_words
from pages._ui.workbench.texts import text

AUTO = "auto"
COORDINATES = {"linear": "as they are", "log": "log(1 + 100 x)"}
FORMS = {"gaussian": "normal limit", "bernoulli": "masks"}
PRETRAINING = "pre-training"


@dataclass(frozen=True)
class Control:
    """One control: an entry of ``hyperparameters.toml``, with the key of its widget and the paper's value."""

    name: str
    key: str
    paper: float
    label: str
    low: float
    high: float
    help: str
    step: float = 1
    format: str | None = None
    only: str = ""

    def typed(self, value: float) -> float:
        """A value as this setting's type."""
        return int(value) if self.format is None else float(value)

    @property
    def now(self) -> float:
        return self.typed(st.session_state.get(self.key, self.paper))

    def draw(self) -> None:
        mark = "" if self.now == self.paper else f" :primary[● paper: {_as_text(self.paper)}]"
        low, high, paper, step = map(self.typed, (self.low, self.high, self.paper, self.step))
        st.number_input(
            self.label + mark,
            min_value=low,
            max_value=high,
            value=paper,
            step=step,
            format=self.format,
            key=self.key,
            persist_state="session",
            help=f"{self.help} The paper: {_as_text(self.paper)}.",
        )


ENTRIES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _controls(variant: str, n_terms: int, pretrain: str | None) -> list[Control]:
    """Those that a method has; global ones have a number of hidden units for each number of terms."""
    paper = Settings(variant=variant)
    hidden = paper.hidden_units(n_terms)
    own = {"hidden": {"key": f"hidden_{'local' if VARIANTS[variant].local else n_terms}", "paper": hidden}}
    there = ("", variant, *([PRETRAINING] if pretrain is not None else []))
    return [
        Control(**{"name": name, "key": name, "paper": getattr(paper, name), **entry, **own.get(name, {})})
        for name, entry in ENTRIES.items()
        if entry.get("only", "") in there
    ]


def start_from(variant: str) -> str | None:
    """The choice of what to start from; returns a cd's name or a formula, None for random weights."""
    if not VARIANTS[variant].local:
        return None
    options = {name: function.symbol for name, function in CD.items() if name != "1"}
    own = {composed.function.name: f"{name} (yours)" for name, composed in own_weightings.everything().items()}
    options |= {name: title for name, title in own.items() if name not in options}
    if st.session_state.get("pretrain") not in options:
        st.session_state.pop("pretrain", None)
    name = lambda option: f"pre-trained to {options[option]}"  # noqa: E731
    return control(st.selectbox, "pretrain", list(options), index=None, placeholder="random weights", format_func=name)


def hyperparameters(variant: str, task: Any, pretrain: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw the controls; returns all parameters of the estimator, and what differs from the paper's.

    ``pretrain``: what ``start_from`` returned; the paper begins with random weights nearly everywhere.
    """
    engines, controls = _engines(), _controls(variant, len(task.terms), pretrain)
    folded = st.expander("Hyper-parameters", key="hyperparameters", on_change="rerun")
    if folded.open:  # else a dozen controls would be made on every rerun
        with folded:
            for each in controls:
                each.draw()
            if VARIANTS[variant].local:
                control(st.selectbox, "dropout_form", FORMS, filter_mode=None)
                _inputs(pretrain)
            control(st.selectbox, "stop_by", {name: said[:1].upper() + said[1:] for name, said in STOP_BY.items()})
            terms_kept(task)
            _engine(engines)
            st.caption(text("fixed"))
    values = {each.name: each.now for each in controls}
    local = VARIANTS[variant].local
    form = st.session_state.get("dropout_form", "gaussian") if local else "gaussian"  # global: one mask
    inputs = tuple(st.session_state.get("inputs") or PAPER) if local and pretrain is None else PAPER
    coordinates = st.session_state.get("coordinates", "linear") if local and inputs == PAPER else "linear"
    stop_by = st.session_state.get("stop_by", "f1")
    engine = st.session_state.get("engine", engines[0])
    changed = {each.name: each.now for each in controls if each.now != each.paper}
    usual = task.vectorized.default_ratio
    others = {  # as it is, as in the paper, and in words
        "dropout as": (form, "gaussian", FORMS[form]),
        "rates seen as": (coordinates, "linear", COORDINATES[coordinates]),
        "inputs": (inputs, PAPER, ", ".join(INPUTS[name].title for name in inputs)),
        "stops by": (stop_by, "f1", STOP_BY[stop_by]),
        "terms kept": (task.ratio, usual, words.percent(task.ratio)),
        "start from": (pretrain, None, CD[pretrain].symbol if pretrain in CD else pretrain),
        "engine": (engine, engines[0], engine),
    }
    changed |= {name: said for name, (now, paper, said) in others.items() if now != paper}
    if changed:
        names = ", ".join(f"{plain(k.replace('_', ' '))} **{_as_text(v)}**" for k, v in changed.items())
        paper = "as in the paper" if usual == PAPER_RATIO else "the usual"
        st.caption(f":primary[●] Not {paper}: {names}.")
        back = {each.key: each.typed(each.paper) for each in controls if each.name in changed}
        control(st.button, "paper", icon=":material/undo:", on_click=_back, args=(back,), width="stretch")
    if "hidden" not in changed:
        values["hidden"] = None
    found = {"variant": variant, **values, "dropout_form": form, "engine": engine, "pretrain": pretrain}
    later = {"coordinates": (coordinates, "linear"), "inputs": (",".join(inputs), ",".join(PAPER))}
    later["stop_by"] = (stop_by, "f1")
    return found | {name: now for name, (now, usual) in later.items() if now != usual}, changed  # as before these were


def _inputs(pretrain: str | None) -> None:
    """What the network is told of each term, and in which coordinates it sees the paper's two."""
    options = {name: one.title if name in PAPER else f"{one.title} · {one.formula}" for name, one in INPUTS.items()}
    control(st.multiselect, "inputs", options, default=list(PAPER), disabled=pretrain is not None)
    plain_two = pretrain is not None or tuple(st.session_state.get("inputs") or PAPER) == PAPER
    control(st.selectbox, "coordinates", COORDINATES, filter_mode=None, disabled=not plain_two)


def _as_text(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


def _engines() -> list[str]:
    """What can be chosen; a choice that is no longer among it is forgotten."""
    on_gpu = st.session_state.get("device", AUTO) not in (AUTO, "cpu")
    engines = [engine for engine in ENGINES if not (engine == "compiled" and on_gpu)]
    if st.session_state.get("engine") not in engines:
        st.session_state.pop("engine", None)
    return engines


def _engine(engines: list[str]) -> None:
    control(st.selectbox, "engine", engines, filter_mode=None)
    if st.session_state.get("engine") == "reference":
        warm.torch_engines()


def device() -> str:
    """Where it is computed: "auto" or torch's name for a device."""
    return control(st.selectbox, "device", devices(), filter_mode=None)


@kept(1)
def devices() -> dict[str, str]:
    """Devices by torch's name for them, and what is faster first where there is a choice."""
    found = all_gpus()
    if not found:
        return {"cpu": "CPU, one core (no GPU found)"}
    working = {gpu.name: run_words.gpu(gpu) for gpu in found if not gpu.problem}
    if not working:
        return {"cpu": "CPU, one core (the GPU does not work)"}
    return {AUTO: "Automatic", "cpu": "CPU, one core", **working}


def _back(values: dict[str, float]) -> None:
    for name in ("engine", "pretrain"):
        st.session_state.pop(name, None)
    selection.keep_percent(None)
    st.session_state.update(values, dropout_form="gaussian", coordinates="linear", inputs=list(PAPER), stop_by="f1")
