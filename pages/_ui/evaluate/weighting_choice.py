"""How weightings are chosen, the same in all views of the classifiers page: folded in a line of controls, by family."""

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from ltw_core.weighting import FAMILIES, SCHEMES, display, methods
from ltw_core.weighting.methods import method
from pages._ui.streamlit_fixes.rerun import run_again

SEVERAL = "Several classes · One weight a term for all classes at once, with no policy."


def drawer(where: Any, key: str, title: str = "Weightings", help: str = "") -> Any:
    """The button in the line, and below it the choices; ``title``: "Weightings" but where a page has two."""
    return where.popover(title, icon=":material/balance:", key=key, help=help or None)


def by_family(
    where: Any, default: Collection[str], *, prefix: str = "", out: Collection[str] = (), several: bool = False
) -> list[str]:
    """The weightings that are chosen, family by family.

    Parameters
    ----------
    where : the drawer.
    default : chosen before the reader chooses.
    prefix : of the controls' keys, and so of their names in the address.
    out : what is not offered.
    several : whether those that are defined for several classes are offered too.
    """
    groups = {kind.lower(): (f"{kind} · {text}", methods(kind)) for kind, text in FAMILIES.items()}
    if several:
        groups["several"] = SEVERAL, list(SCHEMES)
    offered = {kind: [name for name in names if name not in out] for kind, (_, names) in groups.items()}
    if prefix:
        _former_address(f"{prefix}weightings", prefix, offered)
    chosen = []
    for kind, names in offered.items():
        chosen += where.pills(
            groups[kind][0],
            names,
            selection_mode="multi",
            default=[name for name in names if name in default],
            format_func=display_any,
            key=f"{prefix}{kind}",
            bind="query-params",
            help=" ".join(f"**{display_any(name)}**: {_description(name)}" for name in names),
        )
    return chosen


def display_any(name: str) -> str:
    """What a weighting is called, one for several classes too."""
    return name if name in SCHEMES else display(name)


def _description(name: str) -> str:
    return (SCHEMES[name] if name in SCHEMES else method(name)).description


def _former_address(key: str, prefix: str, offered: dict[str, Sequence[str]]) -> None:
    """Choose what an address asks for in which all weightings had one name."""
    asked = st.query_params.get_all(key)
    if not asked:
        return
    del st.query_params[key]
    for kind, names in offered.items():
        named = [display_any(name) for name in names if name in asked or display_any(name) in asked]
        st.query_params[f"{prefix}{kind}"] = named or ""  # an empty value chooses none
    run_again()
