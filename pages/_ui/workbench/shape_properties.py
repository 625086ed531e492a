"""What the learned function does and what the formulas do: statements that pass or fail, with the worst point."""

import re
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.insight import Property, near, properties
from ltw_core.metrics import listed
from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.workbench.shape_view import View, no_surface
from pages._ui.workbench.texts import text

WORDS = {
    "diagonal": ("Zero on the diagonal", "a term as frequent outside the class as in it says nothing"),
    "symmetric": ("Symmetric: (tpr, fpr) → (1−tpr, 1−fpr)", "a term counts as much as its absence"),
    "tpr": ("Never falls as tpr grows", "the more of the class contain a term, the more it weighs"),
    "fpr": ("Never rises as fpr grows", "the more of the others contain a term, the less it weighs"),
    "negative": ("Not positive below the diagonal", "a term that speaks against the class adds nothing"),
}
NEAR = 0.03  # of an axis: as far as the next term may be
TOLERANCES = (0.01, 0.02, 0.05, 0.1, 0.2)  # of a typical weight, which in canonical form is 1
SEEN = 0.005  # what two decimals show


def show(view: View) -> None:
    if view.learned.surface is None:
        no_surface(view.learned)
    alone = not view.formulas
    if alone:  # what holds is told from what doesn't by formulas that everybody knows
        view = replace(view, names=("CHI2", "RF"))
    with st.container(key="view_row"):
        tolerance = choose_one(
            "tolerance", {value: _weight(value) for value in TOLERANCES}, 0.05
        )  # shares before: none is taken over
    grid = view.grid_of(64)
    on_terms = view.region == "terms"
    mask = None
    if on_terms:
        terms = view.learned.terms
        mask = near(grid.x.forward(terms.fpr), grid.y.forward(terms.tpr), grid.grid_x, grid.grid_y, NEAR)
    found = {
        name: properties(surface, grid.tpr[:, 0], grid.fpr[0], mask, tolerance=tolerance)
        for name, surface in view.surfaces.items()
    }
    if not found:
        st.info("Choose one under *Formulas*.", icon=":material/rule:")
        return
    st.markdown(_sentence(found, view.learned.untrained))
    checked = next(iter(found.values()))[1].checked
    where = f"{checked:,} points " + (
        "near a term of the class" if on_terms else "of the whole square, most of them far from any term"
    )
    rows = [_row(key, {n: {p.key: p for p in parts}[key] for n, parts in found.items()}, tolerance) for key in WORDS]
    st.table(pd.DataFrame(rows).set_index("Property"))
    instead = text("ranks_alone") if alone else ""
    st.caption(text("properties_checked", where=where, instead=instead), help=text("properties", scale=view.scale))
    st.markdown("**Where each fails most**")
    every = pd.DataFrame([_worst(name, p) for name, parts in found.items() for p in parts if p.holds is not None])
    told = [*found][:1] if alone else [*found]
    worst = every[(every["holds"] == "no") & every["function"].isin(told)].drop(columns="holds")
    if worst.empty:
        st.caption("Nothing fails.")
    else:
        rows = [_failed(row, len(told) > 1) for row in worst.to_dict("records")]
        st.table(pd.DataFrame(rows).set_index("Property"))
    offer_table(
        "Properties (CSV)", "ltw-properties.csv", every, "Every property of every function, with its worst point."
    )


def _sentence(found: dict[str, list[Property]], untrained: bool) -> str:
    """How many of the properties each function has."""
    held = {plain(name): sum(p.holds is True for p in parts) for name, parts in found.items()}
    unknown = sum(p.holds is None for p in next(iter(found.values())))
    (name, own), *others = held.items()
    begins = "Before training: " if untrained else ""
    untold = f" ({unknown} could not be checked)" * bool(unknown)
    rest = listed([f"{other} has {count or 'none'}" for other, count in others])
    if len(others) > 1 and len({count for _, count in others}) == 1:
        rest = f"{listed([other for other, _ in others])} have {f'{n} each' if (n := others[0][1]) else 'none'}"
    return f"{begins}**{name}** has {own or 'none'} of these {len(WORDS)} properties{f'; {rest}' * bool(rest)}{untold}."


def _row(key: str, by_name: dict[str, Property], tolerance: float) -> dict[str, str]:
    title, meaning = WORDS[key]
    verdicts = {name: _verdict(p, tolerance) for name, p in by_name.items()}
    return {"Property": f"**{title}** :small[:gray[{meaning}]]"} | verdicts


def _verdict(found: Property, tolerance: float) -> str:
    if found.holds is None:
        return "– no point"
    missed = _weight(found.violation)
    within = [f"within {missed}"] if found.violation >= SEEN else []
    just = "just over " * (missed == _weight(tolerance))  # rounded, it would be no miss
    shown = (
        ["✓ holds", *within] if found.holds else ["✕ off", f"by {just}**{missed}**"]
    )  # no colours: neither is better
    # or a narrow page puts a number and its sign on a line each
    return " ".join(part.replace(" ", "\N{NO-BREAK SPACE}") for part in shown)


def _worst(name: str, found: Property) -> dict[str, object]:
    return {
        "function": name,
        "property": WORDS[found.key][0].split(":")[0],
        "holds": "yes" if found.holds else "no",
        "off by": found.violation,
        "points off": found.share,
        "at": _point(found.at),
        "weight": found.value,
        "compared with": _point(found.other) if found.other else "0",
        "compared weight": found.other_value if found.other else None,  # 0 is what it is compared with
    }


def _failed(row: dict[str, Any], of_several: bool) -> dict[str, str]:
    """A property's worst point as the table above has its properties, which is where they are said in full."""
    there = "0" if pd.isna(row["compared weight"]) else f"{_weight(row['compared weight'])} at {row['compared with']}"
    return {
        "Property": f"**{row['property']}**",
        **({"Weighting": plain(row["function"])} if of_several else {}),
        "Off by": f"**{_weight(row['off by'])}**",
        "Weight at (tpr, fpr)": f"{_weight(row['weight'])} at {row['at']}",
        "Compared with": there,
    }


def _weight(value: float) -> str:
    """A weight as the table has it: .05, 1.17."""
    return re.sub(r"^(-?)0(?=\.)", r"\1", f"{round(value, 2) + 0.0:,.2f}").replace("-", "−")


def _point(at: tuple[float, float]) -> str:
    return ", ".join(map(_rate, at))


def _rate(rate: float) -> str:
    """A rate as a percentage; near 1 it has the digits of what is left."""
    digits = len(words.percent(1 - rate).partition(".")[2].rstrip("%")) * (0.99 < rate < 1)
    return "< 0.01%" if 0 < rate < 5e-5 else f"{rate:.{digits}%}" if digits else words.percent(rate)
