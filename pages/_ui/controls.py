"""Controls by key: ``controls.toml`` has each one's label, its help and where a choice is kept, the page the rest."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages._ui.glossary import with_meanings

KEPT = {"address": {"bind": "query-params"}, "session": {"persist_state": "session"}, "": {}}
TEXTS: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def control(make: Callable[..., Any], key: str, *content: Any, like: str = "", mark: str = "", **options: Any) -> Any:
    """A widget with the label and help of its key.

    Parameters
    ----------
    make : ``st.slider`` or another widget, of a column or container where it shall stand in one.
    *content, **options : what else it takes; options given as a dictionary are shown by its values.
    like : the key to look up, where the widget's own key is another.
    mark : what follows the label.
    """
    entry = TEXTS[like or key]
    if content and isinstance(content[0], dict):
        options = {"format_func": content[0].get, **options}
        content = (list(content[0]), *content[1:])
    about = with_meanings(options.pop("help", entry["help"]), entry["label"])
    return make(
        entry["label"], *content, **{"key": key, "help": about or None, **KEPT[entry.get("kept", "")], **options}
    )


def choose_one(key: str, options: Any, default: Any, where: Any = st, **more: Any) -> Any:
    """One of a few options that stand in a row; exactly one is chosen."""
    return control(where.segmented_control, key, options, default=default, required=True, **more)
