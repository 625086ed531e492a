"""Weightings that the reader composed and named: kept in the session, offered wherever a weighting is chosen."""

import hashlib
import json
from dataclasses import replace

import streamlit as st

from ltw_core.weighting import CD, Composed, display, methods
from pages._ui.weightings.reference import OWN

PREFIX = f"{OWN}:"
LIMIT = 12
_KEY = "own_weightings"


def everything() -> dict[str, Composed]:
    """This session's own weightings by name."""
    return st.session_state.setdefault(_KEY, {})


def keep(composed: Composed) -> None:
    """Name a weighting, or change the one of that name; the oldest goes when there are too many."""
    if composed.name in {function.symbol for function in CD.values()} | {display(name) for name in methods()}:
        composed = replace(composed, name=f"{composed.name} (yours)")  # what has a known name would take its place
    kept = dict(everything())
    kept.pop(composed.name, None)
    kept[composed.name] = composed
    st.session_state[_KEY] = dict(list(kept.items())[-LIMIT:])


def forget(name: str) -> None:
    """Remove one."""
    st.session_state[_KEY] = {k: v for k, v in everything().items() if k != name}


def options() -> dict[str, str]:
    """Identifier and name of each. The identifier tells content apart, so that shared results never mix."""
    return {identifier(composed): composed.name for composed in everything().values()}


def identifier(composed: Composed) -> str:
    """What it is called in lists and addresses: its name and a digest of its content, ``own:name~digest``."""
    digest = hashlib.sha256(json.dumps(composed.as_dict(), sort_keys=True).encode()).hexdigest()[:10]
    return f"{PREFIX}{composed.name}~{digest}"


def label(option: str) -> str:
    """The name in an identifier."""
    return option.removeprefix(PREFIX).rpartition("~")[0]


def find(option: str) -> Composed:
    """The weighting of an identifier; a sentence if it is no longer there."""
    found = next((c for c in everything().values() if identifier(c) == option), None)
    if found is None:
        raise ValueError(f"the weighting “{label(option)}” is no longer there; write it again on the Workbench")
    return found
