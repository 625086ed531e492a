"""The hyper-parameters of a training: the paper's defaults, a sentence of help for each, and what was changed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ltw_core.weighting import CD
from ltw_core.weighting.learned import ENGINES, gpus
from pages._ui import warm
from pages._ui.guard import plain
from pages._ui.reader import own_weightings
from pages._ui.weightings.learned import is_local

RATIO = 0.1  # share of the terms that χ² keeps
RATIOS = (0.05, 0.1, 0.2, 0.5)
AUTO = "auto"
FORMS = {"gaussian": "normal limit", "bernoulli": "masks"}
FIXED = (
    "Fixed, as in the paper: weights that start normal with standard deviation 1/√(fan-out), biases at 0; one in five "
    "training documents validates."
)


@dataclass(frozen=True)
class Setting:
    """One control. ``paper`` is the default; ``for_variant`` says for which methods there is such a thing."""

    name: str
    label: str
    paper: float
    low: float
    high: float
    help: str
    step: float = 1
    format: str | None = None
    for_variant: Callable[[str], bool] = lambda variant: True


SETTINGS = (
    Setting(
        "hidden_dd",
        "Hidden units of dd",
        100,
        1,
        2000,
        "Width of LTW-TF's second network, which learns what an occurrence counts.",
        for_variant=lambda variant: variant == "LTW-TF",
    ),
    Setting("learning_rate", "Learning rate", 0.005, 1e-5, 1.0, "Step size of Adam.", 0.001, "%.5f"),
    Setting("beta1", "Adam's β₁", 0.9, 0.0, 0.999, "What the mean of past gradients keeps at each step.", 0.01, "%.3f"),
    Setting("beta2", "Adam's β₂", 0.999, 0.0, 0.99999, "What the mean of their squares keeps.", 0.001, "%.5f"),
    Setting(
        "epsilon",
        "Adam's ε",
        1e-8,
        1e-12,
        1.0,
        "Added to the root of that mean: with a large one, small gradients make small steps. It is printed as 1e-0.8, "
        "which would be 0.158; 1e-8 is the default of the authors' optimiser.",
        1e-8,
        "%.1e",
    ),
    Setting("dropout", "Dropout", 0.2, 0.0, 0.9, "Share of hidden units silenced at each step.", 0.05, "%.2f"),
    Setting("batch_size", "Batch size", 100, 1, 10_000, "Documents a step."),
    Setting("check_every", "Validate every", 100, 1, 10_000, "Steps between two looks at the validation documents."),
    Setting("patience", "Patience", 20, 1, 1000, "Validations without a better F1 until it stops; the best is kept."),
    Setting("max_steps", "Most steps", 100_000, 1, 1_000_000, "It stops here whatever F1 does."),
    Setting(
        "restart_before",
        "Restart before",
        10_000,
        0,
        1_000_000,
        "If patience runs out before this step and F1 is still 0, it starts again from new weights.",
    ),
)


# of a start from a formula; shown where there is one
PRETRAINING = (
    Setting(
        "pretrain_rate", "Rate of the fit", 0.0001, 1e-6, 1.0, "Step size of Adam while cd is fitted.", 1e-4, "%.6f"
    ),
    Setting(
        "pretrain_error",
        "Error of the fit",
        0.0003,
        1e-7,
        1.0,
        "The mean squared error under which the fit is done, on a scale where the formula runs from 0 to 1.",
        1e-4,
        "%.5f",
    ),
    Setting("pretrain_steps", "Most steps of the fit", 40_000, 1000, 1_000_000, "It ends here if not before.", 1000),
    Setting(
        "head_steps",
        "Classifier alone",
        1000,
        0,
        100_000,
        "Steps after the fit in which cd rests and the classifier on top of it catches up.",
        100,
    ),
)


def ratio() -> float:
    """Share of the terms that is kept, before its control is drawn: the class's problem depends on it."""
    return st.session_state.get("ratio", RATIO)


def start_from(variant: str) -> str | None:
    """The choice of what to start from; returns a cd's name or a formula, None for random weights."""
    if not is_local(variant):
        return None
    options = {name: function.symbol for name, function in CD.items() if name != "1"}
    mine = {composed.function.name: f"{name} (yours)" for name, composed in own_weightings.everything().items()}
    options |= {name: title for name, title in mine.items() if name not in options}
    if st.session_state.get("pretrain") not in options:
        st.session_state.pop("pretrain", None)
    return st.selectbox(
        "Start from",
        list(options),
        index=None,
        placeholder="random weights",
        format_func=lambda name: f"pre-trained to {options[name]}",
        key="pretrain",
        persist_state="session",
        help="Random weights, as in most of the paper, or a network that was first fitted to a formula: one of the "
        "known ones, or one that you made on the functions page. The paper found no effect on the final shape; see "
        "for yourself.",
    )


def hyperparameters(variant: str, task: Any, pretrain: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw the controls; returns all parameters of the estimator, and what differs from the paper's.

    ``pretrain``: what ``start_from`` returned; the paper begins with random weights nearly everywhere.
    """
    local = is_local(variant)
    engines = _engines()
    own_hidden = Setting(
        f"hidden_{'local' if local else len(task.terms)}",
        "Hidden units",
        1000 if local else max(1, len(task.terms) // 2),
        1,
        20_000,
        "Width of the network behind the weights: 1,000 for L, half the number of terms for G.",
    )
    shown = [own_hidden, *(setting for setting in SETTINGS if setting.for_variant(variant))]
    shown += PRETRAINING if pretrain is not None else ()
    different = [setting for setting in shown if _now(setting) != setting.paper]
    folded = st.expander("Hyper-parameters", icon=":material/tune:", key="hyperparameters", on_change="rerun")
    if folded.open:  # else a dozen controls would be made on every rerun
        with folded:
            for setting in shown:
                _control(setting)
            if local:
                _form()
            _kept()
            _engine(engines)
            st.caption(FIXED)
    values = {setting.name: _typed(setting, _now(setting)) for setting in shown}
    form = st.session_state.get("dropout_form", "gaussian") if local else "gaussian"  # global: one mask a step
    kept, engine = ratio(), st.session_state.get("engine", engines[0])
    changed = {s.name: values[s.name] for s in shown if values[s.name] != s.paper}
    if own_hidden.name in changed:
        changed = {"hidden": changed.pop(own_hidden.name), **changed}
    if form != "gaussian":
        changed["dropout as"] = FORMS[form]
    if kept != RATIO:
        changed["terms kept"] = f"{kept:.0%}"
    if pretrain is not None:
        changed["start from"] = CD[pretrain].symbol if pretrain in CD else pretrain
    if engine != engines[0]:
        changed["engine"] = engine
    if changed:
        names = ", ".join(f"{plain(k.replace('_', ' '))} **{_said(v)}**" for k, v in changed.items())
        st.caption(f":primary[●] Not as in the paper: {names}.")
        st.button(
            "Back to the paper's",
            icon=":material/undo:",
            key="paper",
            on_click=_back,
            args=([s.name for s in different],),
            width="stretch",
            help="Set every hyper-parameter as in the paper.",
        )
    hidden = values.pop(own_hidden.name)
    parameters = {
        "variant": variant,
        **values,
        "hidden": None if hidden == own_hidden.paper else hidden,
        "dropout_form": form,
        "engine": engine,
        "pretrain": pretrain,
    }
    return parameters, changed


def _said(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:g}" if isinstance(value, float) else str(value)


def _now(setting: Setting) -> float:
    return st.session_state.get(setting.name, setting.paper)


def _typed(setting: Setting, value: float) -> float:
    return int(value) if setting.format is None else float(value)


def _control(setting: Setting) -> None:
    mark = "" if _now(setting) == setting.paper else f" :primary[● paper: {_said(setting.paper)}]"
    low, high, paper, step = (_typed(setting, v) for v in (setting.low, setting.high, setting.paper, setting.step))
    st.number_input(
        setting.label + mark,
        min_value=low,
        max_value=high,
        value=paper,
        step=step,
        format=setting.format,
        key=setting.name,
        persist_state="session",
        help=f"{setting.help} The paper: {_said(setting.paper)}.",
    )


def _form() -> None:
    st.selectbox(
        "Dropout drawn as",
        list(FORMS),
        format_func=FORMS.get,
        key="dropout_form",
        filter_mode=None,
        persist_state="session",
        help="The paper draws a mask for each term and hidden unit. The sum over a thousand of them is near normal, "
        "and is drawn as such: a fifth of the time, and no difference that could be measured.",
    )


def _kept() -> None:
    st.select_slider(
        "Terms kept" + ("" if ratio() == RATIO else " :primary[● paper: 10%]"),
        RATIOS,
        value=RATIO,
        format_func=lambda share: f"{share:.0%}",
        key="ratio",
        persist_state="session",
        help="Share of the vocabulary that χ² selects before anything is learned. The paper: 10%. What is learned from "
        "another share cannot be evaluated beside the others.",
    )


def _engines() -> list[str]:
    """What can be chosen; a choice that is no longer among it is forgotten."""
    on_gpu = st.session_state.get("device", AUTO) not in (AUTO, "cpu")
    engines = [engine for engine in ENGINES if not (engine == "compiled" and on_gpu)]
    if st.session_state.get("engine") not in engines:
        st.session_state.pop("engine", None)
    return engines


def _engine(engines: list[str]) -> None:
    st.selectbox(
        "Engine",
        engines,
        key="engine",
        filter_mode=None,
        persist_state="session",
        help="compiled: fused loops for one CPU core. lockstep: several seeds side by side in torch, made for a GPU. "
        "reference: plain torch, on any device, slow. auto takes the compiled one on a CPU, the lockstep on a GPU.",
    )
    if st.session_state.get("engine") == "reference":
        warm.torch_engines()


def device() -> str:
    """Where it is computed: "auto" or torch's name for a device."""
    found = devices()
    return st.selectbox(
        "Device",
        list(found),
        format_func=found.get,
        key="device",
        filter_mode=None,
        persist_state="session",
        help="Where it is computed: this server's CPU, or a GPU that torch finds. One class is small, and one core is "
        "faster than a GPU; several seeds at once go side by side on a GPU.",
    )


@st.cache_resource(show_spinner=False)
def devices() -> dict[str, str]:
    """Devices by torch's name for them, and what is faster first where there is a choice."""
    found = gpus()
    if not found:
        return {"cpu": "CPU, one core (no GPU found)"}
    import torch

    names = {name: torch.cuda.get_device_name(name) for name in found}
    return {AUTO: "Automatic", "cpu": "CPU, one core", **names}


def _back(names: list[str]) -> None:
    for name in [*names, "dropout_form", "ratio", "engine", "pretrain"]:
        st.session_state.pop(name, None)
    for setting in (*SETTINGS, *PRETRAINING):
        if setting.name in names:
            st.session_state[setting.name] = setting.paper
    st.session_state["ratio"] = RATIO
    st.session_state["dropout_form"] = "gaussian"
    for name in names:
        if name.startswith("hidden_") and name != "hidden_dd":
            st.session_state[name] = 1000 if name == "hidden_local" else max(1, int(name.removeprefix("hidden_")) // 2)
