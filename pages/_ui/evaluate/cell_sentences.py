"""What there is to say of some cells of an evaluation: what the core warns of, and why some failed."""

from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from ltw_core.service.cells_on_demand import Item
from ltw_core.weighting.genetic.found_formula import formula_in
from pages._ui import jobs, words
from pages._ui.guard import plain

Label = Callable[[str], str]


def called(item: Item, label: Label) -> str:
    """What a cell is called."""
    seed = f", seed {item.seed}" if item.seed else ""
    return f"{label(item.weighting)} with {words.classifier(item.learner)}{seed}"


def warnings(found: dict, label: Label) -> None:
    """What the core says of some cells, and of which."""
    sentences = [
        (plain(warning), item)
        for item, (result, _) in found.items()
        for warning in result.warnings
        if not formula_in([warning])  # typeset above
    ]
    if sentences:
        with st.expander("Notes on some of these scores"):
            for sentence in _about_cells(sentences, label):
                st.caption(sentence)


def failures(errors: dict[Item, str], label: Label) -> None:
    """Why some cells failed, and which."""
    sentences = [(jobs.failure(error), item) for item, error in errors.items()]
    for sentence in _about_cells(sentences, label):
        st.warning(sentence, icon=":material/error:")


def _about_cells(sentences: list[tuple[str, Item]], label: Label, most: int = 5) -> Iterator[str]:
    """Each sentence once, after the cells that it is about."""
    cells: dict[str, list[str]] = {}
    for sentence, item in sentences:
        cells.setdefault(sentence, []).append(called(item, label))
    for sentence, some in cells.items():
        more = f" and {len(some) - most:,} more" if len(some) > most else ""
        yield f"{plain(', '.join(some[:most]) + more)}: {sentence}"


def counted_without_terms(task: Any) -> str:
    """How many test documents hold no known term, as the end of a sentence; nothing where each holds one."""
    empty = task.without_terms
    if not empty.test:
        return ""
    counts = f"{empty.test:,} without a known term ({empty.test_positives:,} of the class)"
    return f"; {counts} {'are among them' if empty.scored else 'are dropped, as in the paper'}"
