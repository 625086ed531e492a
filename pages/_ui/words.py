"""Numbers and names in words, the same on every page."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import streamlit as st

from ltw_core.evaluation import decimals, learner, short_learner
from pages._ui.glossary import glossed, with_meanings
from pages._ui.guard import plain
from pages._ui.reader import selection


def base() -> str:
    """ "light" or "dark": the theme that the reader sees."""
    seen = st.session_state.get("_theme") or st.get_option("theme.base") or st.context.theme.type
    return "dark" if seen == "dark" else "light"


def either(of: Callable[[str], str]) -> str:
    """A colour of CSS as ``of`` gives it for "light" and "dark": who changes the theme sees the other at once."""
    return f"light-dark({of('light')}, {of('dark')})"


def f1(value: float | None) -> str:
    """F1, precision or recall as figures and tables have it: ".911", "1.000"; a dash where there is none."""
    return "–" if value is None or value != value else decimals(value)


def percent(share: float) -> str:
    """A share as a percentage with as many digits as it is worth."""
    value = 100 * share
    return f"{value:{'.0f' if value >= 10 else '.1f' if value >= 1 else '.2g'}}%"


def prevalence(share: float) -> str:
    """A class's share of the documents, or a term's rate, as a percentage with the three digits that tables give it."""
    return f"{100 * share:.3g}%"


def count(number: int, one: str, many: str | None = None) -> str:
    """ "1 class", "1,234 documents"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def megabytes(n_bytes: float) -> str:
    """An amount of memory: .4 MB, 12 MB, 1,500 MB."""
    value = n_bytes / 2**20
    return f"{value:.1f} MB" if value < 10 else f"{value:,.0f} MB"


def settings(changed: dict[str, Any]) -> str:
    """Settings that are not the paper's: "seed 1, terms kept 20%"."""
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in changed.items())


def seconds(value: float) -> str:
    """A duration: .24 ms, .4 s, 12 s, 3 min 20 s."""
    if value < 0.095:
        return f"{1000 * value:.2g} ms"
    if value < 10:
        return f"{value:.1f} s"
    if value < 120:
        return f"{value:.0f} s"
    return f"{int(value // 60)} min {int(value % 60)} s"


def span(low: float, high: float) -> str:
    """Two durations, roughly: 1 to 4 s, 50 s to 3 min."""
    one, other = (seconds(value) if value < 120 else f"{value / 60:.0f} min" for value in (low, high))
    if one == other:
        return one
    unit = one.rpartition(" ")[2]
    if other.endswith(f" {unit}") and " " not in one.removesuffix(f" {unit}") and " " not in other[: -len(unit) - 1]:
        one = one.removesuffix(f" {unit}")
    return f"{one} to {other}"


def moment(when: float) -> datetime:
    """A time (seconds since 1970) on the reader's clock, as their browser tells; on the server's where it does not."""
    name = st.context.timezone
    try:
        zone = ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # one that is not known here
        zone = None
    return datetime.fromtimestamp(when, zone).replace(tzinfo=None)


def day(when: float) -> str:
    """A time (seconds since 1970) as the reader's day and minute: 21 November 2026, 09:05."""
    there = moment(when)
    return f"{there.day} {there:%B %Y, %H:%M}"


def short_day(when: float) -> str:
    """The same for a list: 21 Nov, 09:05."""
    there = moment(when)
    return f"{there.day} {there:%b, %H:%M}"


def class_label(task: Any) -> str:
    """Title of a task's class with its corpus."""
    return f"{task.class_title} in {task.vectorized.corpus.title}"


def classifier(name: str) -> str:
    """What a learner's classifiers are called, as in the tables: "SVM", "Forest"."""
    return short_learner(name)


def full_names(names: Iterable[str]) -> dict[str, str]:
    """Names by what lists of classifiers called them before: their addresses still do."""
    return {learner(name).title: name for name in names}


def classifiers(names: Iterable[str]) -> str:
    """What short names stand for, as the help of a list of them: "**SVM**: Support vector machine."."""
    return " ".join(f"**{short_learner(name)}**: {learner(name).title}." for name in names)


def note_without_terms(task: Any) -> str:
    """What there is to say of a class's documents that hold no known term; "" where each holds one."""
    empty = task.without_terms
    return task.notes[-1] if task.notes and empty is not None and (empty.test or empty.train) else ""


def notes(task: Any, fact: bool = True) -> None:
    """What one must know about a class. How many documents hold no known term is no warning, and stands in a line;
    nowhere without ``fact``."""
    empty = note_without_terms(task)
    for note in task.notes:
        if note != empty:
            st.warning(plain(note), icon=":material/warning:")
        elif fact:
            st.caption(f":material/info: {plain(note.partition(': ')[0])}.", help=plain(note))


def figures(cells: Iterable[tuple[str, str, str]], gap: str = "medium") -> None:
    """Numbers in a row that wraps on a narrow page: label, value, help."""
    with st.container(horizontal=True, gap=gap):
        for label, value, text in cells:
            st.metric(label, value, help=with_meanings(text, label) or None, width="content")


def header(about: str, said: str, answer: str = "", name: str = "") -> Any:
    """A page's title, its sentence above the fold, and what was found; returns the place of the class beside the title.

    Parameters
    ----------
    about, name : as of ``title``.
    said : what there is to see or do. HTML may stand in it, so that it is of the app's own.
    answer : what the figures of the page come to, in Markdown.
    """
    beside = title(about, name)
    lead(said)
    header_answer(answer)
    return beside


def title(about: str, name: str = "", of_class: bool = True) -> Any:
    """A page's title with the class beside it; returns the class's place, for a page that is drawn before it is known.

    Parameters
    ----------
    about : what the page is about: a question where it answers one.
    name : what the title begins with: by default the page's entry in the navigation.
    of_class : whether the class plays a part on the page.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="title"):
        st.title(f"{name or selection.page()}: {about}", anchor=False, width="content")
        beside = st.empty()
    class_beside(beside, selection.class_title() if of_class else "")
    return beside


def class_beside(place: Any, class_title: str) -> None:
    """Write a class beside a page's title; "" for none."""
    if class_title:
        place.badge(plain(class_title), color="gray", width="content")


def lead(said: str, more: str = "", key: str = "lead") -> None:
    """A page's sentence above the fold; ``more`` is what its question mark says."""
    with st.container(key=key, gap="xsmall"):
        st.markdown(glossed(said), unsafe_allow_html=True, help=more or None)


def answer_or_lead(said: str, answer: str, help: str = "") -> None:
    """What the figures of a page come to, and behind its question mark ``help`` and the page's sentence ``said``; that
    sentence itself as long as nothing is known."""
    if answer:  # in which no name is broken at its hyphens
        answer = re.sub(r"\bLTW(-\w+)+", lambda name: name[0].replace("-", "\u2011"), glossed(answer))
        header_answer(answer, "\n\n".join(filter(None, (help, said))))
    else:
        lead(said)


def header_answer(text: str, help: str = "") -> None:
    """What the figures of a page come to, under its title; for ``header`` where it is known only later."""
    if text:
        with st.container(key="answer"):
            st.markdown(text, unsafe_allow_html=True, help=help or None)
