"""What the figures of the study page come to, in two sentences: how near they are to the paper's, and who is better."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ltw_core.metrics import listed
from ltw_core.protocol import AUTHORS, DECEMBER, ONE, PAPER
from ltw_core.studies.averages import MACRO
from ltw_core.studies.over_classes import difference
from ltw_core.studies.tables import FAR, ResultTable, paper_table
from ltw_core.weighting import display
from pages._ui.evaluate.study_source import StudyData
from pages._ui.evaluate.study_tables import short
from pages._ui.evaluate.study_views import FULLEST, Kind, protocol_asked, shown_table
from pages._ui.guard import plain
from pages._ui.result_cache import kept

BY = {
    PAPER: "as the paper describes it",
    AUTHORS: "with the authors’ code of January 2017",
    DECEMBER: "with the authors’ code of December 2016",
}
LEAD = {AUTHORS: "By the code, ", DECEMBER: "By the code of December 2016, "}
COUNTED = {DECEMBER: MACRO[ONE]}  # that code took F1 to be 1 in classes without test documents
LEARNED, FORMULA = "LTW-L-I", "TFRF"
SPELLED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def answer(data: StudyData) -> tuple[str, str]:
    """How near our macro F1 are to the paper's (full grid where it is complete) and which weighting is better, as the
    reader has them run; then the same of each corpus. Both are "" where there is nothing to compare."""
    return _answer((*data.key, protocol_asked()), data)


@kept(8)
def _answer(key: tuple, _data: StudyData) -> tuple[str, str]:
    near, versus, more, asked = [], [], [], key[-1]
    for protocol in sorted(BY, key=lambda name: name != asked):
        averaged = Kind(FULLEST, protocol).of(_data.averaged)
        if averaged:
            versus.append(_versus(shown_table(_data, averaged, "macro_f1")))
            measure = COUNTED.get(protocol, "macro_f1")
            if not _data.of_table and (found := _near(paper_table(averaged, measure))):
                within = f"lie within {short(FAR).rstrip('0')} of the paper’s"
                near.append(f"{LEAD.get(protocol, '')}{found[0]} comparable macro F1 scores {within}")
                more.append(f"{BY[protocol][:1].upper()}{BY[protocol][1:]} {found[0]}: {found[1]}")
    first = versus[0] if versus and versus[0][1] else max(versus, default=(0, ""))
    said = " ".join(f"{part}." for part in (*near[:1], first[1]) if part)
    known = ". ".join([*more, "Better and worse: 95% intervals over the classes, with an SVM"])
    return said, f"{known}." if said else ""


def _near(shown: ResultTable) -> tuple[str, str] | None:
    """How many comparable places lie near the paper's, and how many on each corpus."""
    places = sorted((p for p in shown.with_both() if p.comparable), key=lambda p: p.corpus)
    if not places:
        return None
    of = lambda some: f"{sum(abs(p.difference) <= FAR for p in some)} of {len(some)}"  # noqa: E731
    corpora = [(name, list(some)) for name, some in groupby(places, key=lambda p: p.corpus)]
    parts = [f"{of(some)} on {plain(shown.titles.get(name, name).partition(' (')[0])}" for name, some in corpora]
    return f"**{of(places)}**", ", ".join(parts)


def _versus(shown: ResultTable) -> tuple[int, str]:
    """On how many corpora the learned weighting is better than the formula with an SVM, by intervals over classes; how
    many there are, first."""
    if not {LEARNED, FORMULA} <= {name for _, name in shown.rows}:
        return 0, ""
    signs: list[Any] = []
    for column in shown.columns:
        one, other = (shown.place(name, column).averaged for name in (LEARNED, FORMULA))
        if column[1] == "SVM" and one is not None and other is not None:
            found = difference(one, other, shown.measure)
            signs += [] if found is None else [found.sign]
    if not signs:
        return 0, ""
    kinds = {1: "better than", -1: "worse than", 0: "not distinguishable from"}
    found = [(kinds[sign], signs.count(sign)) for sign in kinds if sign in signs]
    return len(signs), f"With an SVM, {display(LEARNED)} is {listed(_shares(found, display(FORMULA)))}"


def _shares(found: list[tuple[str, int]], than: str) -> Iterator[str]:
    """On how many corpora each is so: "worse than TFRF on two of three corpora", "not distinguishable
    from it on the other"."""
    of = sum(count for _, count in found)
    if len(found) == 1:
        where = {1: "the only corpus", 2: "both corpora"}.get(of, f"all {_spelled(of)} corpora")
        yield f"{found[0][0]} {than} on {where}"
        return
    for place, (said, count) in enumerate(found):
        if place == 0:
            yield f"{said} {than} on {_spelled(count)} of {_spelled(of)} corpora"
        elif place < len(found) - 1:
            yield f"{said} it on {_spelled(count)}"
        else:
            yield f"{said} it on the other" + f" {_spelled(count)}" * (count > 1)


def _spelled(number: int) -> str:
    return SPELLED[number] if number < len(SPELLED) else str(number)
