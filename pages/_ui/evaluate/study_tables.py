"""The paper's tables as HTML: F1 with ours and the paper's in each cell.

HTML, because no grid of Streamlit has two figures in a cell, groups of columns, and a first column that stays.
"""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path
from string import Template

from ltw_core.evaluation import Difference, Interval, decimals, interval_text, short_learner
from ltw_core.figures import DrawnDifference, palette, theme
from ltw_core.figures.theme import FAR_BEHIND, shortfall
from ltw_core.protocol import PREDICTED
from ltw_core.studies.averages import COUNTING, MEASURES, AveragedCells
from ltw_core.studies.findings import known_of_paper
from ltw_core.studies.over_classes import interval
from ltw_core.studies.tables import OURS, PAPERS, Place, ResultTable
from ltw_core.studies.ties import on_ties
from ltw_core.weighting import display, methods
from ltw_core.weighting.methods import method
from pages._ui import words
from pages._ui.evaluate import study_cells

VIEWS = {
    "beside": "Ours and paper’s",
    "difference": "Difference",
    "ours": "Ours",
    "paper": "Paper’s",
    "hangs": "What it depends on",
}
FULL = 0.2  # the difference whose tint is strongest
STRONGEST = 0.42  # opacity of tints; with a mark on it, text keeps 4.5 : 1
MARKS = {"light": "rgba(31,35,40,.17)", "dark": "rgba(233,230,225,.14)"}
GOOD = {"light": "#08786f", "dark": "#35c2b3"}  # the theme's green
MISSING = "–"
ALIKE_TOLD = ("≈", 'not distinguishable<span class="wide"> from the best</span>')  # for ``legend``
SIGNS = {1: "▲", 0: "", -1: "▼"}  # of a difference whose interval excludes 0
SIGNS_TOLD = "▲ better, ▼ worse: the 95% interval of the difference excludes 0."
QUICK = "fewer settings of each classifier were tried than in the full grid"
KNOWN = "°"  # behind a figure of the paper's of which something is known
KNOWN_TOLD = f"A cell with {KNOWN} also says what is known of how the paper computed its score."
VARIANTS_TOLD = (
    "LTW-L: one function of tpr and fpr for all terms; LTW-G: each term’s weight from the rates of all terms; "
    "I: any weight; σ: weights between 0 and 1."
)
NARROW_HEAD = '<small class="narrow">ours / paper’s</small>'  # on a phone they stand below each other
STYLE = Template(Path(__file__).with_suffix(".css").read_text("utf-8"))  # its $names are colours


def f1_table(shown: ResultTable, view: str = "beside", *, named: bool = True) -> str:
    """A measure's table.

    Parameters
    ----------
    shown : ResultTable
    view : a key of ``VIEWS``
    named : whether the corpora stand above their columns: one that was chosen is named by its list.
    """
    alone = len({corpus for corpus, _ in shown.columns}) == 1  # then there is room for both figures in a line
    groups = [(corpus, len(list(same))) for corpus, same in groupby(shown.columns, key=lambda column: column[0])]
    first = {column for i, column in enumerate(shown.columns) if i == 0 or shown.columns[i - 1][0] != column[0]}
    best = {w: {column: shown.best(column, w) for column in shown.columns} for w in (OURS, PAPERS)}
    alike = {column: shown.alike(column) - best[OURS][column] for column in shown.columns}
    top = {w: {column: _top(shown, column, w) for column in shown.columns} for w in (OURS, PAPERS)}
    beat = {w: {column: shown.beating(column, w) for column in shown.columns} for w in (OURS, PAPERS)}
    head = "".join(
        f'<th colspan="{n}" class="group" scope="colgroup">{escape(shown.titles.get(c, c))}</th>' for c, n in groups
    )
    grids = {column: _grids(shown, column) for column in shown.columns}
    mixed = mixed_grids(shown)
    kinds = {column: "first" * (column in first) for column in shown.columns}
    pair = '<span class="both"><span>ours</span><small>paper’s</small></span>' * (alone and view == "beside")
    whole = '<span class="wide"> grid</span>' * alone
    quick = f'<small><abbr title="{QUICK}">quick{whole}</abbr></small>'
    learners = "".join(
        f'<th scope="col"{class_attribute(kinds[column])}>{_learner(column[1], alone)}'
        f"{quick * (mixed and grids[column] == {'quick'})}{pair}</th>"
        for column in shown.columns
    )
    body = []
    for kind, same in groupby(shown.rows, key=lambda row: row[0]):
        for i, (_, name) in enumerate(same):
            cells = []
            for column in shown.columns:
                place = shown.place(name, column)
                marks = {w: (name in best[w][column], name in beat[w][column]) for w in (OURS, PAPERS)}
                whose = PAPERS if view == "paper" else OURS
                like = name in alike[column]
                cells.append(_cell(place, view, marks, like, kinds[column], shown, top[whose][column]))
            body.append(f"<tr{class_attribute('family' * (i == 0))}>{row_head(name, kind)}{''.join(cells)}</tr>")
    columns = "<col>" + "".join(f"<col{class_attribute(kinds[column])}>" for column in shown.columns)
    rows, head = (' rowspan="2"', f"{head}</tr><tr>") if named else ("", "")
    narrow = NARROW_HEAD * (view == "beside")
    caption, inside = f"{MEASURES[shown.measure]}, {VIEWS[view].lower()}", "".join(body)
    told = study_cells.line("its interval, grid and time", f" {KNOWN_TOLD}" * (KNOWN in inside))
    kind = f"ltw-study {'alone ' * alone}{view}"
    return (
        f'{style()}{_key(view, alone)}<div class="{kind}" tabindex="0" role="region" aria-label="{caption}">'
        f"<table>{columns * alone}<thead>"
        f'<tr><th class="corner" scope="col"{rows}>Weighting{narrow}</th>{head}{learners}</tr></thead>'
        f"<tbody>{inside}</tbody></table></div>{told}"
    )


def _learner(name: str, alone: bool) -> str:
    """A classifier in a column's head, with what FT stands for: beside it where there is room."""
    if name != "FT":
        return escape(short_learner(name))
    return 'FT <span class="wide">(fastText)</span>' if alone else '<abbr title="fastText’s own classifier">FT</abbr>'


def mixed_grids(shown: ResultTable) -> bool:
    """Whether some figures are of the full grid and some of the quick one."""
    return len(set().union(*(_grids(shown, column) for column in shown.columns))) > 1


def _top(shown: ResultTable, column: tuple[str, str], whose: str) -> float | None:
    """The highest figure of a column."""
    return max((v for _, name in shown.rows if (v := shown.place(name, column).value(whose)) is not None), default=None)


def _key(view: str, alone: bool = False) -> str:
    """What bold, ≈, boxes and tints of a table say, as samples above it."""
    items = []
    if view in ("beside", "ours", "paper"):
        items.append(shades_told("ours " * (view == "beside")))
    if view == "difference":
        ends = [short(sign * FULL, signed=True).rstrip("0") for sign in (-1, 1)]
        items.append((_scale(ends[0], tint, (-FULL, 0, FULL), ends[1]), "ours lower, or higher, than the paper’s"))
    else:
        items += [("<b>bold</b>", "best of its column")] * (view == "hangs")
        items += [ALIKE_TOLD] * (view != "paper")
        items.append(("<mark>box</mark>", '<span class="wide">a learned weighting </span>above every formula'))
    more = ""
    if view == "beside" and not alone:  # beside each other where one corpus has the room
        more = '<span class="more"><span>ours<small>paper’s</small></span>ours above, the paper’s below</span>'
    return legend(items, more)


def shades_told(whose: str = "", so_far: bool = False) -> tuple[str, str]:
    """What the shades of F1 say, for ``legend``."""
    scale = _scale("<b>best</b>", shortfall, (0, FAR_BEHIND), f"−{short(FAR_BEHIND).rstrip('0')}")
    return scale, f"{whose}against the best of the column{' so far' * so_far}"


def legend(items: Sequence[tuple[str, str]], more: str = "") -> str:
    """Signs with what they say, above a table; a phone has no room for those that speak for themselves."""
    kinds = [class_attribute("more" * (not any(of in sign for of in ("<i", "<mark", "≈")))) for sign, _ in items]
    spans = [
        f"<span{kind}><span>{sign}</span><span>{said}</span></span>"
        for kind, (sign, said) in zip(kinds, items, strict=True)
    ]
    return f'<div class="ltw-key">{"".join(spans)}{more}</div>'


def _scale(low: str, colour: Callable[[float, str], str], stops: Sequence[float], high: str) -> str:
    """A bar of tints between what its ends stand for."""
    colours = ", ".join(words.either(partial(colour, stop)) for stop in stops)
    return f'{low}<i style="background:linear-gradient(to right, {colours})"></i>{high}'


def tint(difference: float, base: str = "light") -> str:
    """Background of a difference: gold where ours is higher, blue where it is lower, in proportion up to ``FULL``."""
    colour = palette.DIVERGING[base][6 if difference > 0 else 2]
    strength = min(abs(difference) / FULL, 1.0) * STRONGEST
    return palette.translucent(colour, round(strength, 3))


def short(value: float | None, signed: bool = False) -> str:
    """Three digits without the leading 0, as in the paper."""
    if value is None:
        return MISSING
    text = decimals(abs(value))
    return f"{'−' if value < 0 else '+' if value > 0 else '±'}{text}" if signed else text


def interval_of(found: Interval | None) -> str:
    """Its ends; signed where it begins below 0."""
    return interval_text(found, plus=found.low < 0) if found else ""


def interval_in_cell(found: Interval | None) -> str:
    """The ends of a difference's interval, in numbers alone and each with its sign, so that they stand below each
    other in a table."""
    return " to ".join(short(end, signed=bool(end)) for end in (found.low, found.high)) if found else ""


def drawn_difference(found: Difference) -> DrawnDifference:
    """A difference with its interval, to be drawn."""
    return DrawnDifference(found.value, found.both.low, found.both.high, interval_of(found.both))


def _cell(place: Place, view: str, marks: dict, like: bool, kind: str, shown: ResultTable, top: float | None) -> str:
    difference = place.difference
    style, value = "", place.value(PAPERS if view == "paper" else OURS)
    if place.comparable and view == "difference":
        style = f' style="background:{words.either(partial(tint, difference))}"'
    elif value is not None and view in ("beside", "ours", "paper"):
        ground = "--ours" if view == "beside" else "background"  # the paper's beside ours stands on none
        style = f' style="{ground}:{words.either(partial(shortfall, top - value))}"'
    ours, papers = (_value(place.value(w), *marks[w]) for w in (OURS, PAPERS))
    ours = f'<span class="like">{ours}<i>≈</i></span>' if like else ours
    if shown.measure in COUNTING and place.paper is not None and known_of_paper(place):
        papers += KNOWN
    inside = {
        "beside": f'<span class="both"><span>{ours}</span><small>{papers}</small></span>',
        "difference": short(difference, signed=True),
        "ours": ours,
        "paper": papers,
        "hangs": f"{ours}{_hangs(place, shown.measure)}" if view == "hangs" else "",
    }[view]
    return f"<td{class_attribute(kind)}{style}{study_cells.said(in_words(place, shown))}>{inside}</td>"


def _hangs(place: Place, measure: str) -> str:
    """What of a macro F1 hangs on classes without test documents, and its range over ties, below each other."""
    if place.average is None or measure not in COUNTING:
        return ""
    lost, tied = place.averaged.on_untested, on_ties(place.averaged, measure)
    lost = lost if COUNTING[measure] == PREDICTED else None
    first = "" if lost is None or not lost.classes else f"<small>{_less(lost.lost)}</small>"
    second = "" if tied is None else f"<small>{short(tied.lowest)}–{short(tied.highest)}</small>"
    return first + second


def _less(lost: float) -> str:
    return f"−{short(lost)}" if round(lost, 3) else "±.000"


def hanging_in_words(averaged: AveragedCells, measure: str) -> list[str]:
    """The same in sentences; nothing where nothing is known or nothing hangs."""
    said, lost, tied = [], averaged.on_untested, on_ties(averaged, measure)
    if measure not in COUNTING:
        return said
    if COUNTING[measure] == PREDICTED and lost is not None and lost.predicted:
        none = words.count(lost.classes, "class has", "classes have")
        said.append(
            f"{none} no test document; in {lost.predicted:.3g} of them some documents are predicted positive, which "
            f"costs {short(lost.lost)} of macro F1."
        )
    if tied is not None and tied.classes:
        said.append(
            f"In {words.count(tied.classes, 'class', 'classes')}, settings with equal validation F1 differ on the test "
            f"documents: macro F1 is between {short(tied.lowest)} and {short(tied.highest)}, depending on which is "
            f"taken, and {short(tied.last)} with the last of the grid."
        )
    return said


def _value(value: float | None, best: bool, beating: bool) -> str:
    text = short(value)
    text = f"<b>{text}</b>" if best else text
    return f"<mark>{text}</mark>" if beating else text


def in_words(place: Place, shown: ResultTable) -> str:
    """A cell in words: a name, and sentences."""
    what = f"{display(place.weighting)} with {short_learner(place.learner)}"
    where = f"{what} on {shown.titles.get(place.corpus, place.corpus)}"
    parts = [MEASURES[shown.measure]]
    averaged = place.averaged
    if place.average is not None:
        sd = f" ± {decimals(place.average.sd, 4)} over {averaged.seeds} seeds" if place.average.sd is not None else ""
        seconds = averaged.seconds + averaged.weighting_seconds
        classes = words.count(averaged.classes, "class", "classes")
        grid = f"{averaged.example.grid} grid"
        luck = interval(averaged, shown.measure)
        luck = "" if luck is None else f", 95% interval over classes {interval_text(luck)}"
        parts.append(f"ours {decimals(place.average.value, 4)}{sd} ({classes}, {seconds:.2g} s each, {grid}{luck})")
    elif averaged is not None:
        failed = f", {averaged.failed} failed" if averaged.failed else ""
        parts.append(f"ours is missing: {averaged.done} of {averaged.planned} classes are done{failed}")
    else:
        parts.append("ours is missing: not computed")
    parts.append("the paper has none" if place.paper is None else f"the paper’s {decimals(place.paper)}")
    if place.difference is not None:
        other = "" if place.comparable else f" ({place.differs})"
        parts.append(f"difference {short(place.difference, signed=True)}{other}")
    more = hanging_in_words(averaged, shown.measure) if place.average is not None else []
    if shown.measure in COUNTING and place.paper is not None and (known := known_of_paper(place)):
        more.append(known)
    return " ".join([f"{where}: {', '.join(parts)}.", *more])


def _grids(shown: ResultTable, column: tuple[str, str]) -> set[str]:
    places = (shown.place(name, column) for _, name in shown.rows)
    return {place.averaged.example.grid for place in places if place.average is not None}


def row_head(name: str, kind: str) -> str:
    """The first cell of a weighting's row, ``kind``: its family. The line below the table says what it is."""
    known = name.partition(" (")[0]
    about = f"{palette.IN_WORDS.get(kind, kind).capitalize()} weighting."
    about = f"{method(known).description} {about}" if known in methods() else about
    told = study_cells.said(f"{display(name)}: {about}")
    return f'<th scope="row"{told}>{shown_name(name)}</th>'


def shown_name(name: str) -> str:
    """A weighting's name, escaped."""
    return escape(display(name))


def class_attribute(name: str) -> str:
    """The attribute of some classes; "" for none."""
    return f' class="{name}"' if name else ""


def style() -> str:
    """The sheet of these tables and of the claims, in the colours of the theme."""
    inks = ("text", "muted", "grid", "line", "paper")
    colours = {name: words.either(lambda base, name=name: getattr(theme.ink(base), name)) for name in inks}
    return f"<style>\n{STYLE.substitute(colours, mark=words.either(MARKS.get), good=words.either(GOOD.get))}</style>"
