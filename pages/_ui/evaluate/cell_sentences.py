"""What there is to say of some cells of an evaluation: what follows, what the core warns of, and why some failed."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import streamlit as st

from ltw_core.evaluation import Difference, decimals, verdict_on, verdicts
from ltw_core.metrics import listed
from ltw_core.service.cells_on_demand import Item
from ltw_core.weighting import CD, display, methods
from ltw_core.weighting.genetic.found_formula import formula_in
from ltw_core.weighting.methods import method
from pages._ui import jobs, words
from pages._ui.evaluate import summaries
from pages._ui.guard import plain

TF = {"raw": "tf", "1+log": "1 + ln tf", "log1p": "ln(1 + tf)"}
FEW = 2  # others that are named where none can be told from what is asked for

Label = Callable[[str], str]


def called(item: Item, label: Label) -> str:
    """What a cell is called."""
    seed = f", seed {item.seed}" if item.seed else ""
    return f"{label(item.weighting)} with {words.classifier(item.learner)}{seed}"


def verdict(evaluation: Any, shown: Any) -> tuple[str, str]:
    """How the learned weighting that the page is about (``summaries.asked``) compares with the best with its
    classifier, as in the heat map; where it is that one, or none is known, the best of all with the others. And by how
    much, and what that rests on. "" where there are no others.
    """
    label = evaluation.label
    name, with_learner = plain(label(shown.asked[0])), words.classifier(shown.asked[1])
    others = {plain(label(other)): more for other, more in shown.than.items()}
    if not others:
        return "", ""
    top, less = summaries.best(shown.known), shown.behind[shown.asked]
    best = summaries.best({pair: one for pair, one in shown.known.items() if pair[1] == shown.asked[1]})
    own, highest, first = (decimals(shown.known[pair].of("f1")) for pair in (shown.asked, top, best))
    alike = len(others) > FEW and not any(more.sign for more in others.values())
    found = f"is not distinguishable from the {len(others)} others" if alike else verdict_on(others, brief=True)
    if less.value > 0:
        kind = "worse than" if less.sign else "not distinguishable from"
        found = f"is {kind} the best, {plain(label(best[0]))}\u00a0{first}"
    said = f"Test F1 with {with_learner}: **{name}\u00a0{own}** {found}."
    said += with_others(name, shown.asked, shown.behind)
    if top not in (shown.asked, best):
        said += f" Highest: {plain(label(top[0]))} with {words.classifier(top[1])}, {highest}."
    if evaluation.lacks_learned(evaluation.results()[0]):
        comes = (job := evaluation.job()) is not None and job.active
        said += " The learned weighting is still to come." if comes else " **Compute** adds the learned weighting."
    more = verdicts(name, others, plain(evaluation.task.class_title), counts_told=False)
    return said, f"{more}. {summaries.counts_alone(shown.than.values())}"


def with_others(name: str, asked: tuple[str, str], behind: Mapping[tuple[str, str], Difference]) -> str:
    """With which other classifiers it compares otherwise with the best; "" where with none."""
    compared, worse = Counter(learner for _, learner in behind), bool(behind[asked].sign)
    own = {learner: less for (weighting, learner), less in behind.items() if weighting == asked[0]}
    other = [learner for learner, less in own.items() if bool(less.sign) != worse and compared[learner] > 1]
    if not other:
        return ""
    best = all(not own[learner].value for learner in other)
    found = "worse than the best" if not worse else "the best" if best else "not distinguishable from the best"
    return f" With {listed(map(words.classifier, other))}, {name} is {found}."


def factors(weightings: Iterable[str]) -> str:
    """Which two factors the names of formulas stand for, or that one has no term weight; of LogTFIDF alone, how it
    differs from TFIDF."""
    weightings = [*weightings]
    rows = [method(name) for name in weightings if name in methods()]
    named = [row for row in rows if row.name.startswith(("TF", "LogTF")) and row.cd is not None]
    plainer = {"LogTFIDF": " (TFIDF: tf × IDF)"} if "TFIDF" not in weightings else {}
    factor = TF | {"1+log": "LogTF" if "LogTF" in weightings else "(1 + ln tf)"}
    return ", ".join(
        f"{display(row.name)} = {TF[row.dd]} (no term weight)"
        if row.cd == "1"
        else f"{display(row.name)} = {factor.get(row.dd, 'log tf')} × {CD[row.cd].symbol}{plainer.get(row.name, '')}"
        for row in named
    )


def no_factors(weightings: Iterable[str]) -> str:
    """What the other weightings of the table are, in sentences."""
    rows = [method(name) for name in weightings if name in methods() and not factors([name])]
    return " ".join(f"**{display(row.name)}**: {row.description}" for row in rows)


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
