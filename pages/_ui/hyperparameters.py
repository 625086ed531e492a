"""The hyper-parameters of a training: the paper's defaults, a sentence of help for each, and what was changed."""

from typing import Any

import streamlit as st

from ltw_core.weighting import CD
from ltw_core.weighting.learned import ENGINES
from pages._ui.learned import is_local

PRETRAIN = ("CHI2", "IG", "GR", "RF", "ConfWeight")


def hyperparameters(variant: str, task: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw the controls; returns all parameters and those that differ from the paper's."""
    hidden = 1000 if is_local(variant) else max(1, len(task.terms) // 2)
    with st.expander("Hyper-parameters", icon=":material/tune:"):
        numbers = {
            "hidden": _whole(
                "Hidden units",
                f"hidden_{'local' if is_local(variant) else len(task.terms)}",
                hidden,
                1,
                20_000,
                "Width of the network behind the weights. The paper: 1,000 for L, half the number of terms for G.",
            ),
            "learning_rate": st.number_input(
                "Learning rate",
                min_value=1e-5,
                max_value=1.0,
                value=0.005,
                step=0.001,
                format="%.5f",
                key="learning_rate",
                persist_state="session",
                help="Step size of Adam. The paper: .005.",
            ),
            "dropout": st.slider(
                "Dropout",
                0.0,
                0.9,
                0.2,
                0.05,
                key="dropout",
                persist_state="session",
                help="Share of hidden units silenced at each step while training. The paper: .2.",
            ),
            "batch_size": _whole("Batch size", "batch_size", 100, 1, 10_000, "Documents a step. The paper: 100."),
            "check_every": _whole(
                "Validate every", "check_every", 100, 1, 10_000, "Steps between two validations. The paper: 100."
            ),
            "patience": _whole(
                "Patience",
                "patience",
                20,
                1,
                1000,
                "It stops after so many validations without a better F1, and keeps the best. The paper: 20.",
            ),
            "max_steps": _whole("Most steps", "max_steps", 100_000, 1, 1_000_000, "The paper: 100,000."),
        }
        pretrain = None
        if is_local(variant):
            pretrain = st.selectbox(
                "Start from",
                PRETRAIN,
                index=None,
                placeholder="random weights",
                format_func=lambda name: CD[name].symbol,
                key="pretrain",
                persist_state="session",
                help="Fit the network to a formula first. The paper: no effect on the final shape.",
            )
        engine, device = _compute()
    paper = {
        "hidden": hidden,
        "learning_rate": 0.005,
        "dropout": 0.2,
        "batch_size": 100,
        "check_every": 100,
        "patience": 20,
        "max_steps": 100_000,
    }
    changed = {name: value for name, value in numbers.items() if value != paper[name]}
    if pretrain:
        changed["start from"] = CD[pretrain].symbol
    if changed:
        st.caption("Not as in the paper: " + ", ".join(f"{k.replace('_', ' ')} **{v}**" for k, v in changed.items()))
    parameters = {
        "variant": variant,
        **{name: value for name, value in numbers.items() if name != "hidden"},
        "hidden": numbers["hidden"] if "hidden" in changed else None,
        "pretrain": pretrain,
        "engine": engine,
        "device": device,
    }
    return parameters, changed


def _whole(label: str, key: str, value: int, low: int, high: int, text: str) -> int:
    return int(st.number_input(label, low, high, value, key=key, persist_state="session", help=text))


def _compute() -> tuple[str, str]:
    devices = _devices()
    device = st.selectbox(
        "Device",
        list(devices),
        format_func=devices.get,
        key="device",
        filter_mode=None,
        persist_state="session",
        help="Where it is computed. A class of these corpora is small: one core is enough.",
    )
    engine = st.selectbox(
        "Engine",
        ENGINES if device == "auto" else [e for e in ENGINES if e != "compiled" or device == "cpu"],
        key="engine",
        filter_mode=None,
        persist_state="session",
        help="compiled: fused loops for one CPU core. reference: the same in torch, slower. auto chooses.",
    )
    return engine, device


@st.cache_resource(show_spinner=False)
def _devices() -> dict[str, str]:
    import torch

    devices = {"auto": "chosen automatically", "cpu": "CPU, one core"}
    for index in range(torch.cuda.device_count()):
        devices[f"cuda:{index}"] = torch.cuda.get_device_name(index)
    return devices
