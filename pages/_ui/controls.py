"""Controls by key: ``controls.toml`` has each one's label, its help and where a choice is kept, the page the rest."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages._ui.glossary import with_meanings
from pages._ui.reader import mode
from pages._ui.streamlit_fixes.rerun import run_again

WHERE_KEPT = {"address": {"bind": "query-params"}, "session": {"persist_state": "session"}, "": {}}
TEXTS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def control(
    make: Callable[..., Any],
    key: str,
    *content: Any,
    like: str = "",
    mark: str = "",
    usual: Any = None,
    always: bool = False,
    more: str = "",
    formerly: dict[str, str] | None = None,
    **options: Any,
) -> Any:
    """A widget with the label and help of its key.

    Parameters
    ----------
    make : ``st.slider`` or another widget, of a column or container where it shall stand in one.
    *content, **options : what else it takes; options given as a dictionary are shown by its values.
    like : the key to look up, where the widget's own key is another.
    mark : what follows the label.
    usual : the value that counts as untouched, where it is not the widget's default.
    always : shown in Simple, too, whatever its entry says.
    more : what follows its help.
    formerly : the options of labels that they had before, which addresses may hold.

    Returns
    -------
    Any
        The widget's value; of one that is for Full alone its default, in Simple, where nothing else was chosen.
    """
    entry = TEXTS[like or key]
    if not always and not entry.get("simple", True) and not mode.full():
        usual = _usual(make.__name__, content, options) if usual is None else usual
        if st.session_state.get(key, usual) == usual and key not in st.query_params:
            return usual
    if content and isinstance(content[0], dict):
        if entry.get("kept") == "address":
            _correct_address(key, content[0], formerly or {})
        options = {"format_func": content[0].get, **options}
        content = (list(content[0]), *content[1:])
    about = with_meanings(f"{options.pop('help', entry['help'])} {more}".strip(), entry["label"])
    kept = WHERE_KEPT[entry.get("kept", "")]
    return make(entry["label"] + mark, *content, **{"key": key, "help": about or None, **kept, **options})


def _usual(kind: str, content: tuple, options: dict[str, Any]) -> Any:
    """What a widget's value is before anybody touches it."""
    if kind in ("segmented_control", "pills", "multiselect"):
        several = kind == "multiselect" or options.get("selection_mode") == "multi"
        default = options.get("default")
        return list(default or []) if several else default
    if kind in ("selectbox", "radio"):
        index = options.get("index", 0)
        return None if index is None else list(content[0])[index]
    if kind in ("toggle", "checkbox"):
        return options.get("value", content[0] if content else False)
    if kind in ("slider", "number_input"):  # smallest, largest, value
        low = content[0] if content else options.get("min_value")
        return options.get("value", content[2] if len(content) > 2 else low)
    if kind == "select_slider":
        return options.get("value", next(iter(content[0])))
    if kind == "text_input":
        return options.get("value", content[0] if content else "")
    raise ValueError(f"a {kind} has no value that it keeps: it cannot be for Full alone")


def _correct_address(key: str, options: dict, formerly: dict[str, str]) -> None:
    """Put labels ("All classes"), which Streamlit looks for, where an address names options ("all") or former ones."""
    asked, labels = st.query_params.get_all(key), set(options.values())
    if key in st.session_state or all(name in labels for name in asked):
        return
    by_option = {former: options[option] for former, option in formerly.items() if option in options}
    by_option |= {str(option): label for option, label in options.items()}
    named = [name if name in labels else by_option.get(name) for name in asked]
    if labels := [label for label in dict.fromkeys(named) if label is not None]:
        st.query_params[key] = labels
        run_again()


def choose_one(key: str, options: Any, default: Any, where: Any = st, **more: Any) -> Any:
    """One of a few options that stand in a row; exactly one is chosen."""
    found = control(where.segmented_control, key, options, default=default, required=True, **more)
    return default if found is None else found  # an address with an empty value chooses none


def choose_in_list(key: str, options: Any, default: Any, where: Any = st, **more: Any) -> Any:
    """One of several options, in a list that opens; without its label, for a row where each value says what it is."""
    index = list(options).index(default)
    return control(where.selectbox, key, options, index=index, filter_mode=None, label_visibility="collapsed", **more)
