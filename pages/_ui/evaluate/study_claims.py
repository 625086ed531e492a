"""The paper's claims with what its own figures and ours say of each, and what became of relevance frequency."""

import re
from html import escape
from statistics import median
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from ltw_core.evaluation import interval_text, short_learner
from ltw_core.metrics import listed
from ltw_core.protocol import AUTHORS, PAPER
from ltw_core.studies import paper
from ltw_core.studies.averages import one_a_corpus
from ltw_core.studies.claims import FAILS, HOLDS, OPEN, Claim, ClaimVerdict, claims
from ltw_core.studies.findings import other_documents
from ltw_core.studies.over_classes import compared_pairs
from ltw_core.studies.tables import FAR, OURS, PAPERS, paper_table
from ltw_core.weighting import display
from ltw_core.weighting.methods import RF_BEFORE
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_sentences import of_other_documents
from pages._ui.evaluate.study_source import StudyData, short_titles
from pages._ui.evaluate.study_tables import short, style
from pages._ui.evaluate.study_views import FULLEST, Kind, Row, footer
from pages._ui.glossary import glossed
from pages._ui.result_cache import kept

DIFFERING = "Where we differ"  # a view, and how claims name it
MARKS = {HOLDS: "✓", FAILS: "✕", OPEN: "?"}
LOOKS = {HOLDS: "holds", FAILS: "fails", OPEN: "open"}  # classes of the sheet
SIDES = ("The paper’s results", "Our results, by the paper’s text", "A second run of ours, by the authors’ code")
WHERE = ["the paper’s results", "our run by the text", "our run by the code"]  # the same within a sentence
SAME = "Our results, by the paper’s text, on the pairs that both runs share"
HEADS = ("Paper’s own scores", "Ours, by the text", "Ours, by the code")  # of their columns
RANKED = (
    " Mean ranks are over the pairs for which all ranked weightings have scores. Where Ranks, under Tables, ranks "
    "other weightings or pairs, its means differ."
)
SAME_HEAD, SAME_WHERE = "Ours, by the text, shared pairs", "our run by the text on the shared pairs"
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COMPARED = (("TFRF", RF_BEFORE), ("LTW-L-I", "TFRF"))


def answer(data: StudyData) -> tuple[str, str]:
    """How many claims hold, in a sentence, and what was compared; "" where the paper claims nothing."""
    if data.of_table:
        return "", ""
    papers, ours, code = (
        {kind: sum(found[side].verdict == kind for found in _verdicts(data.key, data)) for kind in MARKS}
        for side in range(len(SIDES))
    )
    rests = ((papers, "In the paper’s results"), (code, "in ours by the code"), (ours, "in ours by the text"))
    others = "; ".join(
        f"{where}, {_in_words(of[FAILS])} fail{'s' * (of[FAILS] == 1)} and {_in_words(of[OPEN])} "
        f"{'is' if of[OPEN] == 1 else 'are'} inconclusive"
        for of, where in rests
    )
    holding, *more = (_in_words(of[HOLDS]) for of, _ in rests)
    return (
        f"Of the paper’s {_in_words(len(claims()))} claims, **{holding} hold{'s' * (papers[HOLDS] == 1)}** in its own "
        f"results, **{more[0]}** in ours when the authors’ code is followed, and **{more[1]}** when the paper’s text "
        "is.",
        f"{others}.\n\n"
        "The paper argues that learned weightings beat known formulas. Each claim is about macro F1, over the pairs of "
        "corpus and classifier for which the compared weightings have scores. Our Ohsumed documents differ from the "
        "paper’s.",
    )


@kept(8)
def _scores_and_claims(key: tuple, _data: StudyData) -> tuple[str, str]:
    """How most scores can agree with the paper's where few claims hold: its best weightings lie closer together. And
    which of our pairs by the text are on other documents."""
    shown = paper_table(Kind(FULLEST, PAPER).of(_data.averaged), "macro_f1")
    others = of_other_documents(shown)
    both = [place for place in shown.with_both() if place.comparable]
    near = sum(abs(place.difference) <= FAR for place in both)
    columns = ([shown.place(name, column).paper for _, name in shown.rows] for column in shown.columns)
    best = [sorted((value for value in of if value is not None), reverse=True)[:2] for of in columns]
    ahead = median([of[0] - of[1] for of in best if of[1:]] or [FAR])
    if near * 2 < len(both) or ahead >= FAR or not both:
        return "", others
    within = short(FAR).rstrip("0")
    return (
        f" By the text, {near} of our {len(both)} comparable scores lie within {within} of the paper’s; "
        f"in the paper, the best weighting usually leads the second by only {short(ahead)}, so that scores can agree "
        "where rankings do not.",
        others,
    )


def _in_words(number: int) -> str:
    """A small number as a sentence has it."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def ranked(data: StudyData, protocol: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """In our results, which weightings the claim on the best one ranks, over which pairs; none where it cannot."""
    claim = next(k for k, claim in enumerate(claims()) if claim.test == "first")
    found = _verdicts(data.key, data)[claim][1 if protocol == PAPER else 2]
    return found.ranked, found.pairs


def show(data: StudyData, row: Row) -> None:
    """Each claim with a verdict from the paper's figures, from ours by its text and from ours by its authors' code;
    opened, with what each rests on."""
    if data.of_table:
        st.info(
            "The paper makes no claims about your own table: choose *Both* under *Our results*.", icon=":material/info:"
        )
        return
    found = _verdicts(data.key, data)
    lines = [_line(claim, verdicts) for claim, verdicts in zip(claims(), found, strict=True)]
    heads = "".join(f"<b>{name}</b>" for name in ("Claim", *HEADS))
    near, others = _scores_and_claims(data.key, data)
    place = st.container(key="claims")
    place.caption(
        "We ran the experiments twice: *by the text*, as the article describes them, and *by the code*, as the "
        f'authors’ program runs them, which <a href="?{escape(_address_of_differing())}" target="_self">departs from '
        "the article in places</a>. Open a claim for its numbers." + near,
        unsafe_allow_html=True,
    )
    place.html(f'{style()}<div class="ltw-claims"><div>{heads}</div>{"".join(lines)}</div>')
    place.caption(
        glossed(
            "The paper: A. Moreo, A. Esuli, F. Sebastiani, *Learning to Weight for Text Classification*, IEEE TKDE "
            "2020. Local (LTW-L): one learned function for all terms. Global (LTW-G): a learned weight for each term. "
            "Baseline: any weighting that is not learned. "
        )
        + others,
        unsafe_allow_html=True,
    )
    _relevance_frequency(data)
    footer(data, Kind(FULLEST), frame=_frame(found), name="claims")


@kept(8)
def _verdicts(key: tuple, _data: StudyData) -> list[list[ClaimVerdict]]:
    """Of each claim the verdicts of ``SIDES``; and that of ours by the text over the pairs that ours by the code has,
    where these are fewer."""
    text, code = (paper_table(Kind(FULLEST, name).of(_data.averaged), "macro_f1") for name in (PAPER, AUTHORS))
    sides = ((text, PAPERS), (text, OURS), (code, OURS))
    found = [[claim.verdict(shown, whose) for shown, whose in sides] for claim in claims()]
    for claim, verdicts in zip(claims(), found, strict=True):
        _, ours, second = verdicts
        if second.pairs and set(second.pairs) < set(ours.pairs):  # what differs may be the pairs
            verdicts.append(claim.verdict(text, OURS, second.pairs))
    return found


def _line(claim: Claim, found: list[ClaimVerdict]) -> str:
    """A claim with its verdicts, and opened with their reasons."""
    cells = "".join(
        f'<span class="{LOOKS[each.verdict]}"><small>{whose}: </small>{_told(each)}</span>'
        for whose, each in zip(HEADS, found[:3], strict=True)
    )
    lacking = [pair for pair in found[1].pairs if pair not in found[2].pairs] if len(found) > 3 else []
    missing = (
        f" Left out, since not all weightings compared were run there: {listed(_pairs_told(lacking))}."
        if lacking
        else ""
    )
    reasons, notes = _numbers(claim, found, missing)
    reasons = reasons or "".join(
        f"<li>{side}: <b>{each.verdict}</b>. {_whole(each.why)}{escape(missing) * (side == SIDES[2])}</li>"
        for side, each in zip((*SIDES, SAME), found, strict=False)
    )
    known = escape(claim.known)  # by us, of the scores that it rests on
    known = known.replace(DIFFERING, f'<a href="?{escape(_address_of_differing())}" target="_self">{DIFFERING}</a>')
    said = f"<summary><span>{_whole(claim.claim)}</span>{cells}</summary>"
    whence = f'<li class="whence"><span>In the paper: {escape(claim.where)}.</span>{notes}</li>'
    whence += f"<li>{known}</li>" * bool(known)
    rule = f"<li>{_whole(claim.rule)}</li>"
    return f"<details>{said}<ul><li><b>{conclusion(found)}</b></li>{rule}{reasons}{whence}</ul></details>"


def _numbers(claim: Claim, found: list[ClaimVerdict], missing: str) -> tuple[str, str]:
    """The reasons as a table, a line a run, and once what several share; "" where they have no such shape."""
    some = [each for each in found if each.numbers]
    heads = [head for head, _ in some[0].numbers] if some else []
    if len(some) < 2 or any([head for head, _ in each.numbers] != heads for each in some):
        return "", ""
    lines = "".join(
        f'<tr><th scope="row">{side}<small class="{LOOKS[each.verdict]}">{_told(each)}</small></th>'
        f'<td class="wide {LOOKS[each.verdict]}">{_told(each)}</td>'
        + "".join(f'<td class="number">{_whole(number)}</td>' for _, number in each.numbers)
        + f'<td class="reason" colspan="{len(heads)}">{_whole(each.why)}</td>' * (not each.numbers)
        + "</tr>"
        for side, each in zip((*HEADS, SAME_HEAD), found, strict=False)
    )
    shown = "".join(f'<th scope="col" class="number">{_whole(head)}</th>' for head in heads)
    notes = []
    for note in dict.fromkeys(note for each in found for note in each.notes):
        of = [where for where, each in zip((*WHERE, SAME_WHERE), found, strict=False) if note in each.notes]
        of = [where for where in of if where != SAME_WHERE or WHERE[1] not in of]
        notes.append(f"In {'our runs' if of == WHERE[1:] else listed(of)}, {note}.")
    if missing:
        notes.append(f"Our run by the code lacks some pairs.{missing}")
    said = "A pair is one corpus with one classifier." + RANKED * (claim.test in ("first", "last"))
    folded = "".join(f"<br>{_whole(note)}" for note in notes)
    folded = f"<details><summary><span>Notes on these numbers</span></summary>{folded[4:]}</details>" * bool(notes)
    table = (
        f'<div class="ltw-study list" tabindex="0" role="region" aria-label="In numbers: {escape(claim.claim)}"><table>'
        f'<thead><tr><th scope="col">Results</th><th scope="col" class="wide">Verdict</th>{shown}</tr></thead>'
        f"<tbody>{lines}</tbody></table></div>"
    )
    return f"<li>{table}</li><li>{said}</li>", folded


def conclusion(found: list[ClaimVerdict]) -> str:
    """What the verdicts on a claim come to, in a sentence; in others, where the reverse is significant, and what ours
    by the text is on the pairs that ours by the code has, too."""
    verdicts = [each.verdict for each in found]
    holds, fails, unsure = (
        [where for where, verdict in zip(WHERE, verdicts, strict=False) if verdict == kind] for kind in MARKS
    )
    if len(holds) == len(WHERE) or len(fails) == len(WHERE):
        said = "It holds in all three." if holds else "It holds in none of the three."
    else:
        but = f", but not in {' or '.join(fails)}" * bool(fails)
        first = f"It holds in {listed(holds)}{but}" if holds else f"It does not hold in {' or '.join(fails)}"
        open_ = f"{listed(unsure)} {'is' if unsure == WHERE[1:2] or unsure == WHERE[2:] else 'are'} inconclusive"
        parts = [first] * bool(holds or fails) + [open_] * bool(unsure)
        said = f"{'; '.join(parts)}."
    for reverse in dict.fromkeys(each.reverse for each in found[: len(WHERE)] if each.reverse):
        where = [where for where, each in zip(WHERE, found, strict=False) if each.reverse == reverse]
        said += f" In {listed(where)}, {reverse}."
    if len(found) > len(WHERE) and verdicts[1] != verdicts[2]:
        same, pairs = verdicts[3], f"On the {len(found[2].pairs)} pairs that both runs share"
        also = {HOLDS: "it holds", FAILS: "it does not hold", OPEN: "it is inconclusive"}[same]
        said += f" {pairs}, {also} by the text."
    return said[:1].upper() + said[1:]


def _pairs_told(pairs: list[tuple[str, str]]) -> list[str]:
    """Pairs of corpus and classifier in words, a part a corpus."""
    named, by_corpus = short_titles(), {}
    for corpus, learner in pairs:
        by_corpus.setdefault(corpus, []).append(short_learner(learner))
    return [
        named.get(corpus, corpus) + f" with {listed(of)}" * (len(of) < len(paper.LEARNERS))
        for corpus, of in by_corpus.items()
    ]


def _whole(text: str) -> str:
    """A text, escaped, in which no line ends within a name."""
    return re.sub(r"LTW-[\w-]*", r"<nobr>\g<0></nobr>", escape(text))


def _address_of_differing() -> str:
    """What an address asks for to open the view of that name, with the reader's dataset, class and mode."""
    return urlencode(st.query_params.to_dict() | {"study": "Tables", "study_tables": DIFFERING})


def _told(found: ClaimVerdict) -> str:
    return f"<i>{MARKS[found.verdict]}</i> {found.verdict}"


def _frame(verdicts: list[list[ClaimVerdict]]) -> pd.DataFrame:
    return pd.DataFrame(
        {"claim": claim.claim, "figures": side, "verdict": found.verdict, "why": found.why}
        for claim, of in zip(claims(), verdicts, strict=True)
        for side, found in zip((*SIDES, SAME), of, strict=False)
    )


def _relevance_frequency(data: StudyData) -> None:
    """TFRF as it is, as it was run, and LTW-L-I, where there are figures by the authors' code."""
    found = compared_pairs(one_a_corpus(data.averaged, "full", AUTHORS), COMPARED)
    if not any(pair.other.weighting == RF_BEFORE for pair in found):
        return
    with st.expander("RF in the authors’ runs: a fault that the paper’s scores may have"):
        _as_it_was_run(found)


def _as_it_was_run(found: list) -> None:
    st.markdown(
        "From 19 to 23 January 2017 the authors’ code computed RF from proportions of documents and replaced a "
        "proportion of 0 by 1, so that a term found only in the class got the lowest weight of all. The table compares "
        "that form with the correct one, both by the code, and with the paper’s printed scores. The paper’s TFRF may "
        "have the fault: some of its scores lie nearer to the faulty form, others do not."
    )
    printed, others = paper.values()["macro_f1"], {other["corpus"] for other in other_documents().values()}

    def of_paper(name: str, place: tuple[str, str]) -> float | None:
        return None if place[0] in others else printed[name].get(place)

    frame = pd.DataFrame(
        {
            "corpus": short_titles().get(one.example.corpus, one.example.corpus),
            "classifier": short_learner(one.learner),
            "weighting": display(one.weighting),
            "against": display(other.weighting),
            "macro F1": one.value("macro_f1"),
            "of the other": other.value("macro_f1"),
            "difference": less.value,
            "95% interval": interval_text(less.both, plus=True),
            "paper, TFRF": of_paper("TFRF", (one.example.corpus, one.learner)),
            "paper, LTW-L-I": of_paper("LTW-L-I", (one.example.corpus, one.learner)),
            "micro F1": one.value("micro_f1"),
            "micro F1 of the other": other.value("micro_f1"),
            "classes": less.n,
            "seeds": max(one.seeds, other.seeds),
        }
        for one, other, less in found
    )
    whole_table(frame, "relevance_frequency", "Relevance frequency, correct and as it was run, and LTW-L-I")
    st.caption("Full grids, by the code. 95% intervals of the difference in macro F1: paired bootstrap over classes.")
    offer_table("RF scores (CSV)", "relevance-frequency.csv", frame, "The table above.")
