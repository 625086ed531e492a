"""Confusion of classes as a heat map: documents of each class by what was predicted."""

from collections.abc import Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure, colour_scale
from ltw_core.metrics import listed

NUMBERS_UP_TO = 24  # columns of a matrix whose cells have room for a number
NARROW_UP_TO = 10
KEYS, NARROW_KEYS = 25, 10  # numbers above the columns, at most
NAME, NARROW_NAME = 26, 20  # characters of a class's name beside the matrix
ACROSS, NARROW_ACROSS = 70, 28  # characters for which there is room above it


@theme.as_figure(uirevision="confusion")
def confusion_matrix(
    counts,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    *,
    totals=None,
    chosen: tuple[int, int] | None = None,
    marked: int | None = None,
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """Documents of each class (rows) by the class that was predicted (columns), coloured by their share of the row.

    The colour goes by the square root of the share: a few errors of a large class would otherwise not be seen. Cells
    without a document are empty. With up to 24 columns the numbers stand in the cells.

    Parameters
    ----------
    counts : array_like of int, shape (rows, columns)
    rows, columns : sequences of str
        Names; the columns are the classes of the rows unless they are given, as ("true positives", "false negatives").
    totals : array_like of int, shape (rows,), optional
        What shares are of where some columns are left out; the sums of the rows where not given.
    chosen : (row, column), optional
        The cell that is looked at; framed.
    marked : int, optional
        The row, and of a square matrix the column, whose name is bold.
    narrow : bool
        For a narrow page, where cells of up to 10 columns have room for a number.

    Classes whose names do not stand side by side above the columns have the numbers there that stand beside the rows.
    A click reports "row|column" (``customdata[0]``).
    """
    i = theme.ink(base)
    table = np.asarray(counts)
    square = columns is None
    columns = rows if columns is None else columns
    if table.shape != (len(rows), len(columns)):
        raise ValueError(f"counts have shape {table.shape}, expected {(len(rows), len(columns))}")
    totals = table.sum(axis=1) if totals is None else np.asarray(totals)
    shares = table / np.maximum(totals, 1)[:, None]
    colours = palette.SHARES[base]
    with_numbers = len(columns) <= (NARROW_UP_TO if narrow else NUMBERS_UP_TO)
    length, room = (NARROW_NAME, NARROW_ACROSS) if narrow else (NAME, ACROSS)
    keyed = square and len(rows) * (2 + max((len(name[:length]) for name in rows), default=0)) > room
    figure = PlainFigure()
    said = "true" if square else "of"
    figure.add(
        "heatmap",
        z=[[float(np.sqrt(share)) if share else None for share in row] for row in shares],
        x=list(range(len(columns))),
        y=list(range(len(rows))),
        colorscale=colour_scale(colours),
        zmin=0,
        zmax=1,
        xgap=1,
        ygap=1,
        showscale=False,
        customdata=[
            [
                [
                    f"{r}|{c}",
                    f"{said} <b>{theme.escape(row)}</b><br>{'predicted ' if square else ''}"
                    f"<b>{theme.escape(column)}</b><br>{table[r, c]:,} of {totals[r]:,} documents "
                    f"({100 * shares[r, c]:.3g}%)",
                ]
                for c, column in enumerate(columns)
            ]
            for r, row in enumerate(rows)
        ],
        hovertemplate="%{customdata[1]}<extra></extra>",
        name="documents",
    )
    if with_numbers:
        size = 12 if len(columns) <= 12 else 10.5
        inks, _ = palette.ink_on(np.sqrt(shares).ravel(), colours, 0, 1)
        for place in np.flatnonzero(table.ravel()):
            r, c = divmod(int(place), len(columns))
            figure.write(f"{table[r, c]:,}", c, r, inks[place], size=size)
    cell = 30 if len(rows) <= 12 else 22 if len(rows) <= NUMBERS_UP_TO else 15
    tick = {"size": 12 if len(rows) <= NUMBERS_UP_TO else 10, "color": i.text}

    def axis(names: Sequence[str], every: int = 1, marks: bool = True) -> dict:
        at = list(range(0, len(names), every))
        return {
            "tickvals": at,
            "ticktext": [f"<b>{names[k]}</b>" if marks and k == marked else names[k] for k in at],
            "showgrid": False,
            "zeroline": False,
            "tickfont": tick,
            "ticklabelstandoff": 4,
        }

    beside = theme.told_apart(rows, length)
    if keyed:
        numbers = [str(number) for number in range(1, len(rows) + 1)]
        across = axis(numbers, -(-len(rows) // (NARROW_KEYS if narrow else KEYS)))
        beside = [f"{name}  {number}" for name, number in zip(beside, numbers, strict=True)]
    else:
        across = axis(beside if square else list(map(theme.escape, columns)), marks=square)
        if narrow and not square:  # a word below the other
            across["ticktext"] = [name.replace(" ", "<br>") for name in across["ticktext"]]
    figure.update_layout(
        height=70 + cell * len(rows),
        margin={"l": 8, "r": 8, "t": 40, "b": 6},
        xaxis=across
        | {"side": "top", "tickangle": 0, "range": [-0.5, len(columns) - 0.5]}
        | ({"title": {"text": "predicted, by the number of its row" if keyed else "predicted"}} if square else {}),
        yaxis=axis(beside)
        | {"range": [len(rows) - 0.5, -0.5]}
        | ({"title": {"text": "true class"}} if square and not keyed else {}),
    )
    if chosen is not None:
        figure.frame_cell(*chosen, i.selected)
    theme.describe(figure, _sentence(table, totals, rows, columns, square))
    figure.layout["meta"]["across"] = 1  # a column of a page has room for the wide one
    return figure


def _sentence(table: np.ndarray, totals: np.ndarray, rows: Sequence[str], columns: Sequence[str], square: bool) -> str:
    if not square:
        sums = listed(f"{name} ({n:,})" for n, name in zip(table.sum(axis=0), columns, strict=True))
        return f"Decisions on {len(rows)} classes, over all of them: {sums}."
    wrong = table.copy()
    np.fill_diagonal(wrong, 0)
    most = [divmod(int(k), len(columns)) for k in np.argsort(-wrong, axis=None, kind="stable")[:3]]
    errors = listed(f"{rows[r]} for {columns[c]} ({wrong[r, c]:,})" for r, c in most if wrong[r, c])
    right = f"{np.trace(table):,} of {totals.sum():,} documents of {len(rows)} classes are classified correctly"
    return f"{right}; most errors: {errors.replace(' for ', ' taken for ')}." if errors else f"{right}."
