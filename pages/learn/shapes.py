"""What was learned beside the formulas: surfaces, maps, the terms on them, and which formula it resembles."""

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import Terms, contours, dd_curves, html, surface_grid, surfaces
from ltw_core.insight import Resemblance, resemblance
from ltw_core.weighting import DD
from pages._ui import choices, loading, selection, words
from pages._ui.guard import plain, sentences
from pages._ui.learned import Learned, known_panel, known_weights
from pages._ui.plot import plot
from pages._ui.sources import choose, pick_terms

words.header(
    "Which shape did it learn?",
    "The learned weighting beside the formulas, on the same axes, with the same camera and scale: turn one and all "
    "turn. Points are the class's terms; where there are none, the surface is extrapolation and loses its colour.",
)

dataset = selection.dataset()
if loading.ready(dataset):
    for note in loading.task(dataset, selection.class_name()).notes:
        st.warning(plain(note), icon=":material/warning:")
learned = choose(dataset, selection.class_name())
if learned is None:
    st.stop()

first, second = st.columns([2, 1], gap="medium")
with first:
    names = choices.functions(
        "Beside", words.COMPARED, "beside", 5, "Formulas to compare with. For one class IG is GR times a constant."
    )
with second:
    chosen = pick_terms(learned)
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    scale, region = choices.scale(), choices.region()
    faded = st.toggle(
        "Fade where no terms are",
        value=True,
        key="fade",
        bind="query-params",
        help="Take the colour from the surface where it is extrapolation.",
    )


def nearness(row: Resemblance) -> str:
    return f"R² {row.r2:.2f}" if row.factor > 0 else "opposite sign"


def drawing(learned: Learned) -> dict:
    terms = learned.terms
    grid = surface_grid(terms.tpr, terms.fpr, learned.p, learned.n, region=region, scale=scale)
    known = known_weights(learned, tuple(names))
    alike = {r.name: r for r in resemblance(learned.cd, known, terms.document_frequency)}
    panels = [learned.panel(grid, "learned")]
    panels += [known_panel(name, learned, grid, nearness(alike[choices.symbol(name)])) for name in names]
    hovered = Terms(**{**terms.__dict__, "weights": {learned.label: learned.cd, **known}})
    options = {
        "p": learned.p,
        "title": learned.title,
        "base": words.base(),
        "faded": faded,
        "selected": chosen,
        "uirevision": f"{scale}-{region}-{len(panels)}",
    }
    return {"panels": panels, "grid": grid, "terms": hovered, "options": options, "known": known}


with sentences():
    view = drawing(learned)
    content = (view["panels"], view["grid"], view["terms"])
    wide = 3 if len(view["panels"]) > 4 else None
    figure = surfaces(*content, columns=wide, **view["options"])
    plot(
        figure,
        "shapes_3d",
        live=True,
        narrow=surfaces(*content, columns=2, width=420, labels=2, **view["options"]),
        on_pick=selection.pick,
    )
    if learned.surface is None:
        st.caption(
            f"{learned.label} has no surface: each term has a weight of its own. Its points are coloured by weight"
            + (", by magnitude, since each one's sign is free." if learned.variant == "LTW-G-I" else ".")
        )
    st.caption(
        f"{learned.provenance} In canonical form: after L2 normalisation only ratios matter, so each weighting has the "
        "sign that makes terms typical of the class positive on balance; with several side by side each is scaled to "
        "its strongest term in view."
    )
    st.subheader("From above", anchor=False)
    plot(
        contours(*content, columns=wide, **view["options"]),
        "shapes_2d",
        live=True,
        narrow=contours(*content, columns=2, **view["options"]),
        on_pick=selection.pick,
    )
    st.caption("Click a point to select its term; it is then named in every figure, on every page.")
    st.download_button(
        "Surfaces (HTML)",
        data=lambda: html(figure, "ltw-shapes"),
        file_name="ltw-shapes.html",
        mime="text/html",
        on_click="ignore",
        icon=":material/download:",
        help="A page of its own that turns without this app.",
    )


def frequencies(learned: Learned) -> None:
    """LTW-TF has learned what an occurrence counts, too."""
    weights = getattr(learned.weighting, "dd_", None)
    if weights is None:
        return
    st.subheader("What an occurrence counts", anchor=False)
    counts = np.arange(min(len(weights), 21))
    shown = {learned.label: np.asarray(weights)[: len(counts)]}
    shown |= {DD[name].symbol: DD[name](counts, 60, 60) for name in ("raw", "1+log", "log(1+f/dl)")}
    plot(dd_curves(counts, shown, base=words.base(), height=380), "shapes_dd", live=True)
    st.caption("The learned factor of the frequency in a document beside known ones, each scaled to its largest.")


def table(learned: Learned) -> None:
    st.subheader("Which formula is it like?", anchor=False)
    compared = known_weights(learned, tuple(choices.cd_names()))
    rows = resemblance(learned.cd, compared, learned.terms.document_frequency)
    rows.sort(key=lambda r: r.factor <= 0)  # what has the opposite sign is not alike, however well it fits
    frame = pd.DataFrame(
        {
            "formula": [r.name for r in rows],
            "fit": [r.r2 if r.factor > 0 else None for r in rows],
            "ranks": [r.spearman for r in rows],
        }
    )
    left, right = st.columns([3, 2], gap="large")
    left.dataframe(
        frame,
        hide_index=True,
        column_config={
            "formula": st.column_config.TextColumn("Formula"),
            "fit": st.column_config.ProgressColumn(
                "R² of the best proportional fit",
                min_value=0.0,
                max_value=1.0,
                format="%.2f",
                help="1 is equality up to a factor. Empty where the best factor is negative.",
            ),
            "ranks": st.column_config.NumberColumn("Spearman", format="%.2f", help="Do they rank terms alike?"),
        },
        alt="Resemblance of the learned weighting to each formula",
    )
    best = rows[0]
    right.markdown(
        f"Over the {len(learned.terms):,} terms, **{plain(learned.label)}** is nearest to **{plain(best.name)}**: a "
        f"multiple of it explains {best.r2:.0%} of the squared weights. Each term counts by its document frequency, as "
        "in the documents' vectors. Proportional, not affine: an added constant changes the vectors, a factor does not."
    )
    right.download_button(
        "Resemblance (CSV)",
        data=lambda: frame.to_csv(index=False),
        file_name="ltw-resemblance.csv",
        mime="text/csv",
        on_click="ignore",
        icon=":material/download:",
        help="R² and Spearman correlation for each formula.",
    )


with sentences():
    frequencies(learned)
    table(learned)
