"""Studies as text: CSV, of tables, figures, tests or single cells, and LaTeX in the paper's layout.

Leaves out the figures themselves (``averages``).
"""

import csv
import io
import json
import time
from collections.abc import Mapping, Sequence
from itertools import groupby

from ltw_core.evaluation import decimals, short_learner
from ltw_core.studies.averages import MEASURES, AveragedCells
from ltw_core.studies.comparison import significance
from ltw_core.studies.store import Store
from ltw_core.studies.tables import ResultTable, table
from ltw_core.tasks import WithoutTerms
from ltw_core.weighting import display

LEVELS = ("table", "figures", "significance", "cells")
LATEX_MEASURES = {"macro_f1": r"$F^{M}_{1}$", "micro_f1": r"$F^{\mu}_{1}$"}
PREAMBLE = r"""% needs \usepackage{multirow,rotating,graphicx} and \usepackage[table]{xcolor}
% bold: best of its column; shaded: better than all UTW and STW; --: missing; small: standard deviation over seeds
"""


def to_csv(store: Store, found: Sequence[AveragedCells], level: str = "table") -> str:
    """CSV of a study.

    Parameters
    ----------
    store : Store
    found : list of AveragedCells
    level : {"table", "figures", "significance", "cells"}
        The paper's layout, with a column a ⟨corpus, learner⟩ and one for its standard deviation; one line a figure,
        with where it comes from; one line a Wilcoxon test; or one line a finished cell.
    """
    writers = {"table": _table_rows, "figures": _figure_rows, "significance": _significance_rows}
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; it must be one of {', '.join(LEVELS)}")
    rows = _cell_rows(store) if level == "cells" else writers[level](found)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _number(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _table_rows(found):
    for measure in MEASURES:
        shown = table(found, measure)
        names = [f"{shown.titles[group]} · {short_learner(learner)}" for group, learner in shown.columns]
        if measure == next(iter(MEASURES)):
            yield ["measure", "family", "weighting", *(n for name in names for n in (name, f"{name} sd"))]
        for kind, name in shown.rows:
            averages = (shown.place(name, column).average for column in shown.columns)
            values = (_number(part) for average in averages for part in (average or (None, None)))
            yield [measure, kind, name, *values]


def _figure_rows(found):
    yield [
        *("measure", "dataset", "weighting", "learner", "value", "sd", "seeds", "grid", "classes"),
        *("classes_with_test_positives", "cells_done", "cells_failed", "cells_planned", "seconds_a_cell"),
        *("weighting_seconds_a_class", "settings", "corpus_fingerprint", "versions", "computed"),
    ]
    for measure in MEASURES:
        for f in found:
            cell, average = f.example, f.averages.get(measure)
            settings = cell.settings | dict(cell.corpus_parameters)
            yield [
                *(measure, cell.corpus, f.weighting, short_learner(f.learner)),
                *(_number(part) for part in (average or (None, None))),
                *(f.seeds, cell.grid, f.classes, f.classes_with_positives, f.done, f.failed, f.planned),
                *(_number(f.seconds, 3), _number(f.weighting_seconds, 3)),
                *(json.dumps(settings, ensure_ascii=False), cell.fingerprint, " | ".join(f.versions)),
                _day(f.first) + (f" to {_day(f.last)}" if _day(f.first) != _day(f.last) else ""),
            ]


def _significance_rows(found):
    yield ["measure", "weighting", "against", "mark", "worse", "p", "pairs"]
    for measure in MEASURES:
        for c in significance(found, measure):
            yield [measure, c.one, c.other, c.mark, c.worse, _number(c.p, 5), c.pairs]


def _cell_rows(store):
    cell_fields = ("corpus", "class_name", "weighting", "learner", "grid", "seed")
    record_fields = ("tp", "fp", "fn", "tn")
    yield [
        *("dataset", *cell_fields[1:], "f1", *record_fields, "validation_f1", "parameters", "seconds"),
        *("weighting_seconds", "warnings", "finished", "versions", "key"),
        *("documents", *(f"without_terms_{name}" for name in WithoutTerms._fields[:4])),
        *("settings", "corpus_fingerprint"),
    ]
    for record in store.records():
        yield [
            *(getattr(record.cell, name) for name in cell_fields[:3]),
            *(short_learner(record.cell.learner), record.cell.grid, record.cell.seed),
            _number(record.f1),
            *(getattr(record, name) for name in record_fields),
            *(_number(record.validation_f1), json.dumps(record.parameters)),
            *(_number(record.seconds, 3), _number(record.weighting_seconds, 3), " ".join(record.warnings)),
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.finished)),
            *(" ".join(f"{name} {version}" for name, version in record.cell.versions), record.cell.key),
            *(record.cell.documents, *(record.without_terms or [""] * 5)[:4]),
            json.dumps(record.cell.settings, ensure_ascii=False),
            record.cell.fingerprint,
        ]


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds)) if seconds else ""


def to_latex(found: Sequence[AveragedCells]) -> str:
    """The paper's tables in LaTeX: macro F1, micro F1, and the Wilcoxon tests."""
    parts = [PREAMBLE, *(_latex_table(table(found, measure), found) for measure in LATEX_MEASURES)]
    if any(kind == "LTW" for kind, _ in table(found, "macro_f1").rows):
        parts.append(_latex_significance(found))
    return "\n".join(parts)


def _latex_table(shown: ResultTable, found) -> str:
    groups = [(group, len(list(same))) for group, same in groupby(column[0] for column in shown.columns)]
    heads = [(rf"\textsc{{{escape(shown.titles[group])}}}", n) for group, n in groups]
    learners = " & ".join(rf"\textbf{{{escape(short_learner(learner))}}}" for _, learner in shown.columns)
    symbol = LATEX_MEASURES[shown.measure]
    lines = [
        rf"    & & {_latex_heads(heads)} \\ \hline\hline",
        rf"    & \textbf{{{symbol}}} & {learners} \\ \hline\hline",
    ]
    for kind, same in groupby(shown.rows, key=lambda row: row[0]):
        rows = {
            rf"\textbf{{{_latex_name(name)}}}": [_latex_value(shown, name, column) for column in shown.columns]
            for _, name in same
        }
        lines += _latex_rows(kind, rows)
    seeds = max((f.seeds for f in found), default=0)
    note = f" Learned weightings: means over {seeds} seeds." if seeds > 1 else ""
    return _latex_environment(
        (r"\begin{table*}[ht!]", r"  \centering", r"  \resizebox{\textwidth}{!}{%"),
        rf"|l|l||{_latex_columns(heads)}|",
        lines,
        f"Results in terms of {symbol}.{note}",
        shown.measure.replace("_", ""),
    )


def _latex_columns(groups: Sequence[tuple[str, int]]) -> str:
    return "||".join("|".join("c" * n) for _, n in groups)


def _latex_heads(groups: Sequence[tuple[str, int]]) -> str:
    """Titles over groups of columns."""
    ends = [*["||"] * (len(groups) - 1), "|"][: len(groups)]
    return " & ".join(
        rf"\multicolumn{{{n}}}{{c{end}}}{{{title}}}" for (title, n), end in zip(groups, ends, strict=True)
    )


def _latex_rows(title: str, rows: Mapping[str, Sequence[str]]) -> list[str]:
    """Rows by name, with a common title at their left."""
    lines = [rf"    \multirow{{{len(rows)}}}{{*}}{{\begin{{sideways}}{title}\end{{sideways}}}}"]
    for i, (name, cells) in enumerate(rows.items(), 1):
        end = r"\hline\hline" if i == len(rows) else rf"\cline{{2-{2 + len(cells)}}}"
        lines.append(rf"    & {name} & {' & '.join(cells)} \\ {end}")
    return lines


def _latex_environment(begin: Sequence[str], columns: str, lines: Sequence[str], caption: str, label: str) -> str:
    name = begin[0].partition("{")[2].partition("}")[0]
    head = [*begin, rf"  \begin{{tabular}}{{{columns}}}", r"    \hline"]
    end = [r"  \end{tabular}%", "  }", rf"  \caption{{{caption}}}", rf"  \label{{tab:{label}}}", rf"\end{{{name}}}", ""]
    return "\n".join([*head, *lines, *end])


def _latex_value(shown: ResultTable, name: str, column) -> str:
    average = shown.place(name, column).average
    if average is None:
        return "--"
    text = decimals(average.value)
    if name in shown.best(column):
        text = rf"\textbf{{{text}}}"
    if average.sd is not None:
        text += rf"{{\tiny$\pm${decimals(average.sd)}}}"
    return (r"\cellcolor{gray!25}" if name in shown.beating(column) else "") + text


def _latex_significance(found) -> str:
    rows = table(found, "macro_f1").rows
    names, tested = [name for _, name in rows], [name for kind, name in rows if kind == "LTW"]
    kinds = [(kind, len(list(same))) for kind, same in groupby(rows, key=lambda row: row[0])]
    upright = " & ".join(rf"\begin{{sideways}}{_latex_name(name)}\end{{sideways}}" for name in names)
    lines = [rf"    & & {_latex_heads(kinds)} \\ \hline", rf"    & & {upright} \\ \hline\hline"]
    pairs = set()
    for measure, symbol in LATEX_MEASURES.items():
        marks = {(one, one): "--" for one in tested}
        for comparison in significance(found, measure):
            marks[comparison.one, comparison.other] = r"$\dag$" * len(comparison.mark)
            pairs.add(comparison.pairs)
        lines += _latex_rows(symbol, {_latex_name(one): [marks[one, other] for other in names] for one in tested})
    number = " to ".join(str(n) for n in sorted({min(pairs, default=0), max(pairs, default=0)}))
    return _latex_environment(
        (r"\begin{table}", r"  \resizebox{\columnwidth}{!}{%"),
        rf"|c|l||{_latex_columns(kinds)}|",
        lines,
        r"Two-sided Wilcoxon signed-rank tests of the learned weightings (rows) against all others, better "
        rf"at $\alpha=0.05$ ($\dag$) and at $\alpha=0.005$ ($\dag\dag$); over {number} pairs of corpus and learner.",
        "ttest",
    )


def _latex_name(name: str) -> str:
    shown = name if " (" in name else display(name)
    return escape(shown).replace("σ", r"$\sigma$")


_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPES |= {character: "\\" + character for character in "&%$#_{}"}


def escape(text: str) -> str:
    """A text as LaTeX prints it."""
    return "".join(_ESCAPES.get(character, character) for character in text)
