"""The study page's tests of significance: learned weightings against all others, a mark a test."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

import streamlit as st

from ltw_core.metrics import listed
from ltw_core.studies.averages import COUNTING
from ltw_core.studies.comparison import LEAST_PAIRS, Comparison, compare
from ltw_core.studies.tables import OURS, PAPERS, family_of
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.evaluate import study_cells
from pages._ui.evaluate.study_sentences import of_other_documents
from pages._ui.evaluate.study_source import StudyData
from pages._ui.evaluate.study_tables import MISSING, VARIANTS_TOLD, class_attribute, row_head, short, shown_name, style
from pages._ui.evaluate.study_views import Row, controls, footer, rests_on, run_by, scores, shown_table
from pages._ui.guard import plain

ORDER = ("UTW", "STW", "LTW")
LEARNED = "LTW-L-I"  # the paper's best


def show(data: StudyData, row: Row) -> None:
    """Wilcoxon tests of ours and of the paper's figures."""
    measure, averaged, kind = controls(data, row)
    shown = shown_table(data, averaged, measure)
    ours, papers = scores(shown, OURS), scores(shown, PAPERS)
    every = [*compare(papers), *compare(ours)] if not data.of_table else []
    sides = ((ours, run_by("our results", kind)), (papers, "the paper’s results"))
    if told := [said for side in sides if (said := _answer(*side))]:
        row.answer(f"In {'; in '.join(told)}.")
    st.html(significance_key())
    pair = st.container(horizontal=True, gap="medium", key="tests_pair")
    text = " (but not all with its text)" * (measure in COUNTING)
    for title, values, note in (
        ("Ours", ours, f"Ours: {rests_on([f for f in averaged if f.weighting in ours])}."),
        ("The paper’s", papers, f"They agree with † and †† in the paper’s own table{text}."),
    )[: 1 if data.of_table else 2]:
        tests = compare(values)
        with pair.container():
            if not tests:
                st.info(
                    "No learned weighting is computed for all classes yet: start one under *Run a study*.",
                    icon=":material/hourglass_empty:",
                )
                continue
            st.html(significance_table(tests, title, every))
            pairs = sorted({c.pairs for c in tests if c.pairs})
            number = " to ".join(str(n) for n in dict.fromkeys((*pairs[:1], *pairs[-1:])))
            over = f"Wilcoxon tests, two-sided, over {number} pairs of corpus and classifier. " if number else ""
            st.caption(
                over + note,
                help="Signed-rank tests over the pairs of corpus and classifier that both weightings have, each test "
                "by itself. With fewer than 6 pairs no difference reaches α = .05. Nemenyi’s test, under *Ranks*, "
                "compares all weightings at once and is stricter. The paper’s text says that in macro F1 LTW-L-I is "
                "not significantly better than TFGR and Dense, and LTW-L-σ only than TFRF; its table says otherwise.",
            )
    if not data.of_table:
        st.caption(" ".join(filter(None, (of_other_documents(shown), _left_out(ours, papers)))))
    st.caption(VARIANTS_TOLD)
    study_cells.tell()
    footer(data, kind, averaged)


def _left_out(ours: dict, papers: dict) -> str:
    """Which weightings have no test, and why."""
    lacking = [display(name) for name in papers if name not in ours] if ours else []
    verb = "has" if len(lacking) == 1 else "have"
    said = f"{plain(listed(lacking))} {verb} no scores of ours over all classes. " * bool(lacking)
    return (
        f"{said}Not tested: TFIG, which for a single class is TFGR times a constant, and LTW-TF, which the paper ran "
        "only with the SVM."
    )


def _answer(values: dict, where: str) -> str:
    """Than how many others the learned weighting is significantly better, and worse; "" where it is not tested."""
    tests = [c for c in compare(values) if c.one == LEARNED and c.pairs >= LEAST_PAIRS]
    better, worse = (sum(bool(getattr(c, part)) for c in tests) for part in ("mark", "worse"))
    less = f" and worse than {worse}" if worse else ""
    others = words.count(len(tests), "other weighting")
    return f"{where} **{display(LEARNED)}** is significantly better than {better} of {others}{less}" if tests else ""


def significance_table(comparisons: Sequence[Comparison], whose: str, every: Sequence[Comparison] = ()) -> str:
    """Learned weightings (columns) against all others (rows): ▲ where the learned one is better, ▼ where worse.

    ``whose``: what is tested; ``every``: what the tables beside each other have rows for.
    """
    learned, every = list(dict.fromkeys(c.one for c in comparisons)), every or comparisons
    others = list(dict.fromkeys(name for c in every for name in (c.other, c.one)))
    others.sort(key=lambda name: (ORDER.index(family_of(name)), _position(every, name)))
    found = {(c.one, c.other): c for c in comparisons}
    head = "".join(f'<th scope="col">{shown_name(name)}</th>' for name in learned)
    body = []
    for kind, same in groupby(others, key=family_of):
        for i, other in enumerate(same):
            cells = "".join(_test(one, other, found.get((one, other))) for one in learned)
            body.append(f"<tr{class_attribute('family' * (i == 0))}>{row_head(other, kind)}{cells}</tr>")
    return (
        f'{style()}<div class="ltw-study tests" tabindex="0" role="region" aria-label="Significance, {whose.lower()}">'
        f'<table><thead><tr><th class="corner" rowspan="2" scope="col">against</th>'
        f'<th colspan="{len(learned)}" class="group" scope="colgroup">{whose}</th></tr><tr>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>{study_cells.line('its p-value')}"
    )


def _test(one: str, other: str, c: Comparison | None) -> str:
    """The cell of a test: its mark, and in words what it comes to."""
    if c is None or not c.pairs:
        why = "the same weighting" if one == other else "no pairs"
        return f'<td aria-label="{why}">{"" if one == other else MISSING}</td>'
    told = f"{display(one)} against {display(other)}: {words.count(c.pairs, 'pair')} can show nothing at .05"
    if c.pairs < LEAST_PAIRS:
        return f"<td{study_cells.said(told)}>{MISSING}</td>"
    arrow, said = _verdict(c)
    less = short(c.difference, signed=True)
    told = f"{display(one)} is {said} {display(other)}: mean difference {less}, p {_p(c.p)}, {c.pairs} pairs"
    return f'<td aria-label="{escape(told)}"{study_cells.said(told)}>{arrow}</td>'


def significance_key() -> str:
    """What the marks of the tests say."""
    said = {
        "▲ ▲▲": "learned weighting better, α = .05, .005",
        "▼ ▼▼": "worse",
        "·": "no significant difference",
        MISSING: "too few pairs, or none",
    }
    spans = (f"<span><span>{mark}</span>{text}</span>" for mark, text in said.items())
    return f'{style()}<div class="ltw-key of-tests">{"".join(spans)}</div>'


def _verdict(c: Comparison) -> tuple[str, str]:
    """What a test comes to: ▲ for better and ▼ for worse, twice at α = .005, and in words."""
    if c.mark:
        return "▲" * len(c.mark), "better than"
    return (c.worse, "worse than") if c.worse else ("·", "not distinguishable from")


def _p(p: float) -> str:
    return "< .001" if p < 0.001 else f"= {short(p)}"


def _position(comparisons: Sequence[Comparison], name: str) -> int:
    first = comparisons[0].one
    others = [c.other for c in comparisons if c.one == first]
    return others.index(name) if name in others else -1
