"""Which learned weighting is looked at: this session's own for the class, or one that ships with the project."""

from dataclasses import replace

import streamlit as st

from ltw_core.experiments.examples import examples
from ltw_core.weighting import display
from pages._ui.learn import runs
from pages._ui.learn.learned import Learned, shipped

SHIPPED = "shipped:"
RUN = "run:"


def choose(dataset: str, class_name: str | None) -> Learned | None:
    """A list of what there is for the class, what ships with the project below it; returns the chosen one."""
    own = {f"{RUN}{run.token}": run for run in runs.all_runs(dataset, class_name) if run.latest is not None}
    # those of the class first, then those of the corpus: it may be absent and its example ship all the same
    listed = sorted(
        examples(), key=lambda info: ((info.corpus, info.class_name) != (dataset, class_name), info.corpus != dataset)
    )
    known = {f"{SHIPPED}{info.name}": info for info in listed}
    options = [*own, *known]
    if not options:
        st.info("Nothing has been learned yet, and no example ships with this copy.", icon=":material/model_training:")
        st.page_link("pages/learn/train.py", label="Train a weighting", icon=":material/model_training:")
        return None
    here = any((info.corpus, info.class_name) == (dataset, class_name) for info in known.values())

    def label(option: str) -> str:
        if option in own:
            run = own[option]
            return f"{run.class_title} · {run.label} · {run.origin().lower()}"
        info = known[option]
        return f"{info.class_title} · {display(info.variant)} · shipped, {info.corpus_title}"

    picked = st.selectbox(
        "Learned weighting",
        options,
        format_func=label,
        key=f"shape-{dataset}-{class_name}-{next(iter(own), '')}",  # a new training is what one wants to see
        filter_mode="contains",
        help="This session's trainings for the class, and examples that ship with LTW Lab.",
    )
    if not own and not here and class_name:
        st.info(
            "Nothing has been learned for this class in this session; this is a shipped example of another.",
            icon=":material/info:",
        )
        st.page_link("pages/learn/train.py", label="Train one for this class", icon=":material/model_training:")
    if picked not in own:
        return shipped(picked.removeprefix(SHIPPED))
    run = own[picked]
    return replace(
        run.learned(), dataset=dataset, class_name=class_name or "", source=picked, ratio=run.ratio or Learned.ratio
    )
