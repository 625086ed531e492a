"""The paper's tables as HTML: F1 with ours above the paper's in each cell, and the tests of significance.

HTML, because no grid of Streamlit has two figures in a cell, groups of columns, and a first column that stays.
"""

from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template

from ltw_core.figures import palette, theme
from ltw_core.studies.averages import MEASURES
from ltw_core.studies.comparison import Comparison
from ltw_core.studies.tables import OURS, PAPERS, Place, Table, family_of
from ltw_core.weighting import display
from pages._ui import words

VIEWS = {"beside": "Ours and paper's", "difference": "Difference", "ours": "Ours", "paper": "Paper's"}
FULL = 0.1  # the difference whose tint is strongest
MISSING = "–"
STYLE = Template(Path(__file__).with_suffix(".css").read_text("utf-8"))  # its $names are colours


def f1_table(shown: Table, view: str = "beside", base: str = "light") -> str:
    """A measure's table.

    Parameters
    ----------
    shown : Table
    view : a key of ``VIEWS``
    """
    groups = [(corpus, len(list(same))) for corpus, same in groupby(shown.columns, key=lambda column: column[0])]
    first = {column for i, column in enumerate(shown.columns) if i == 0 or shown.columns[i - 1][0] != column[0]}
    best = {w: {column: shown.best(column, w) for column in shown.columns} for w in (OURS, PAPERS)}
    beat = {w: {column: shown.beating(column, w) for column in shown.columns} for w in (OURS, PAPERS)}
    head = "".join(
        f'<th colspan="{n}" class="group" scope="colgroup">{escape(shown.titles.get(c, c))}</th>' for c, n in groups
    )
    learners = "".join(
        f'<th scope="col"{_class("first" * (column in first))}>{escape(column[1])}</th>' for column in shown.columns
    )
    body = []
    for kind, same in groupby(shown.rows, key=lambda row: row[0]):
        for i, (_, name) in enumerate(same):
            cells = []
            for column in shown.columns:
                place = shown.place(name, column)
                marks = {w: (name in best[w][column], name in beat[w][column]) for w in (OURS, PAPERS)}
                cells.append(_cell(place, view, marks, base, column in first, shown))
            body.append(f"<tr{_class('family' * (i == 0))}>{_row_head(name, kind, base)}{''.join(cells)}</tr>")
    caption = f"{MEASURES[shown.measure]}, {VIEWS[view].lower()}"
    return (
        f'{_style(base)}<div class="ltw-study" tabindex="0" role="region" aria-label="{caption}"><table><thead>'
        f'<tr><th class="corner" rowspan="2" scope="col">Weighting</th>{head}</tr><tr>{learners}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def significance_table(comparisons: Sequence[Comparison], base: str = "light") -> str:
    """Daggers of learned weightings (rows) over all others (columns), with the number of pairs in each cell."""
    rows = list(dict.fromkeys(c.one for c in comparisons))
    columns = list(dict.fromkeys(name for c in comparisons for name in (c.other, c.one)))
    columns.sort(key=lambda name: (("UTW", "STW", "LTW").index(family_of(name)), _position(comparisons, name)))
    found = {(c.one, c.other): c for c in comparisons}
    first = {name for i, name in enumerate(columns) if i and family_of(columns[i - 1]) != family_of(name)}
    head = "".join(
        f'<th scope="col"{_class("first" * (name in first))}><span class="up">{_shown(name)}</span></th>'
        for name in columns
    )
    body = []
    for one in rows:
        cells = []
        for other in columns:
            c = found.get((one, other))
            kind = _class("first" * (other in first))
            if c is None or not c.pairs:
                why = "the same weighting" if one == other else "no pairs"
                cells.append(f'<td{kind} title="{why}">{"" if one == other else MISSING}</td>')
                continue
            told = f"{_shown(one)} against {_shown(other)}: p = {c.p:.4f}, {c.pairs} pairs"
            cells.append(
                f'<td{kind} title="{told}"><b>{c.mark or "&nbsp;"}</b><small>{_p(c.p)}</small>'
                f"<small>n {c.pairs}</small></td>"
            )
        body.append(f"<tr>{_row_head(one, 'LTW', base)}{''.join(cells)}</tr>")
    return (
        f'{_style(base)}<div class="ltw-study tests" tabindex="0" role="region" aria-label="Significance"><table>'
        f'<thead><tr><th class="corner" scope="col">is better than</th>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def tint(difference: float, base: str = "light") -> str:
    """Background of a difference: orange where ours is higher, blue where it is lower, in proportion up to ``FULL``."""
    colour = palette.DIVERGING["light"][6 if difference > 0 else 1 if base == "light" else 2]
    strength = min(abs(difference) / FULL, 1.0) * (0.42 if base == "light" else 0.5)
    return palette.translucent(colour, round(strength, 3))


def short(value: float | None, signed: bool = False) -> str:
    """Three digits without the leading 0, as in the paper."""
    if value is None:
        return MISSING
    text = f"{abs(value):.3f}".removeprefix("0")
    return f"{'−' if value < 0 else '+' if value > 0 else '±'}{text}" if signed else text


def _cell(place: Place, view: str, marks: dict, base: str, first: bool, shown: Table) -> str:
    difference = place.difference
    style = ""
    if place.comparable and view in ("beside", "difference"):
        style = f' style="background:{tint(difference, base)}"'
    ours, papers = (_value(place.value(w), *marks[w]) for w in (OURS, PAPERS))
    if place.average is not None and place.average.sd is not None and view in ("beside", "ours"):
        ours += f"<small>±{short(place.average.sd)}</small>"
    inside = {
        "beside": f"{ours}<small>{papers}</small>",
        "difference": short(difference, signed=True),
        "ours": ours,
        "paper": papers,
    }[view]
    return f'<td{_class("first" * first)}{style} title="{escape(in_words(place, shown))}">{inside}</td>'


def _value(value: float | None, best: bool, beating: bool) -> str:
    text = short(value)
    text = f"<b>{text}</b>" if best else text
    return f"<mark>{text}</mark>" if beating else text


def in_words(place: Place, shown: Table) -> str:
    """A cell in words."""
    where = f"{display(place.weighting)} with {place.learner} on {shown.titles.get(place.corpus, place.corpus)}"
    parts = [MEASURES[shown.measure]]
    figure = place.figure
    if place.average is not None:
        sd = f" ± {place.average.sd:.4f} over {figure.seeds} seeds" if place.average.sd is not None else ""
        seconds = figure.seconds + figure.weighting_seconds
        classes = words.count(figure.classes, "class", "classes")
        parts.append(f"ours {place.average.value:.4f}{sd} ({classes}, {seconds:.2g} s each)")
    elif figure is not None:
        failed = f", {figure.failed} failed" if figure.failed else ""
        parts.append(f"ours is missing: {figure.done} of {figure.planned} cells are done{failed}")
    else:
        parts.append("ours is missing: not computed")
    parts.append("the paper has none" if place.paper is None else f"the paper's {place.paper:.3f}")
    if place.difference is not None:
        other = "" if place.comparable else " (of other documents)"
        parts.append(f"difference {short(place.difference, signed=True)}{other}")
    return f"{where}: " + ", ".join(parts)


def _row_head(name: str, kind: str, base: str) -> str:
    colour = palette.colour(name.partition(" (")[0], base)
    return f'<th scope="row" title="{kind}"><i style="background:{colour}"></i>{_shown(name)}</th>'


def _shown(name: str) -> str:
    return escape(display(name))


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _p(p: float) -> str:
    return "p&lt;.001" if p < 0.001 else f"p {short(p)}"


def _position(comparisons: Sequence[Comparison], name: str) -> int:
    first = comparisons[0].one
    others = [c.other for c in comparisons if c.one == first]
    return others.index(name) if name in others else -1


def _style(base: str) -> str:
    i = theme.ink(base)
    mark = "rgba(31,35,40,.17)" if base == "light" else "rgba(233,230,225,.24)"
    colours = {name: getattr(i, name) for name in ("accent", "text", "muted", "grid", "line", "paper")}
    return f"<style>\n{STYLE.substitute(colours, mark=mark)}</style>"
