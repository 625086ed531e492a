"""What a collection looks like: vocabulary growth, Zipf's law, document lengths, and which classes share documents."""

import re
from collections.abc import Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.sentences import number
from ltw_core.insight.collection import Growth, Overlap, Zipf
from ltw_core.metrics import listed

BINS = 48  # of the lengths of documents
NAME = 24  # characters of a class's name
LEAST = 1  # percent that a cell says
BEHIND = 0.65  # how strong the colour of bars is across which lines go
PAIRS, PAIR = 8, 22  # pairs of classes at most, and pixels of each


@theme.as_figure(height=300, uirevision="growth")
def vocabulary_growth(
    growth: Growth,
    *,
    base: str = "light",
) -> PlainFigure:
    """Distinct terms over occurrences read, with Heaps' law as a dotted line."""
    figure = _two_lines(
        growth.occurrences, growth.terms, growth.factor, growth.exponent, "distinct terms", base, markers=False
    )
    law = "" if np.isnan(growth.exponent) else f"≈ {growth.factor:.3g} · n^{growth.exponent:.2f}"
    _finish(figure, "Vocabulary growth", law, "occurrences read", "distinct terms", base)
    total = "no terms"
    if len(growth.terms):
        total = f"{growth.terms[-1]:,.0f} distinct terms after {growth.occurrences[-1]:,.0f} occurrences"
    return theme.describe(figure, f"Vocabulary growth: {total}{', ' + law if law else ''}.")


@theme.as_figure(height=300, uirevision="zipf")
def zipf(
    law: Zipf,
    *,
    base: str = "light",
) -> PlainFigure:
    """Frequency over rank, both logarithmic, with the fitted line dotted."""
    figure = _two_lines(law.rank, law.frequency, law.factor, -law.exponent, "occurrences", base, markers=True)
    law_text = "" if np.isnan(law.exponent) else f"≈ {float(f'{law.factor:.2g}'):,.0f} / rank^{law.exponent:.2f}"
    _finish(figure, "Frequency by rank", law_text, "rank of the term", "occurrences", base)
    low = 0.7 * (law.frequency.min() if len(law.frequency) else 1)
    high = 1.6 * (law.frequency.max() if len(law.frequency) else 10)
    figure.update_layout(xaxis=dict(type="log", **theme.decades(1, law.rank.max() if len(law.rank) else 10)))
    figure.update_layout(yaxis=dict(type="log", range=[np.log10(low), np.log10(high)], **theme.decades(low, high)))
    return theme.describe(figure, _fall(law, law_text))


@theme.as_figure(height=300, uirevision="lengths")
def document_lengths(lengths, *, base: str = "light") -> PlainFigure:
    """Histogram of document lengths on a logarithmic axis, with median and mean."""
    i = theme.ink(base)
    lengths = np.asarray(lengths, dtype=float)
    lengths = lengths[lengths > 0]
    low, high = (lengths.min(), lengths.max()) if lengths.size else (1.0, 10.0)
    edges = np.geomspace(max(low, 1), max(high, low + 1) * 1.0001, BINS + 1)
    if edges[1] - edges[0] < 1:  # whole numbers: no bin may be empty for lying between two of them
        edges = np.unique(np.r_[np.floor(edges), np.ceil(edges[-1])]) - 0.5
    counts, edges = np.histogram(lengths, edges)
    centre = np.sqrt(edges[1:] * np.maximum(edges[:-1], 0.5))
    figure, ramp = PlainFigure(), [i.paper, palette.colour("LogTFIDF", base)]
    figure.add(
        "bar",
        x=centre,
        y=counts,
        width=edges[1:] - edges[:-1],
        marker={"color": palette.hex_colours(palette.paint([BEHIND], ramp, 0, 1))[0], "line": {"width": 0}},
        customdata=np.stack([np.ceil(edges[:-1]), np.maximum(np.ceil(edges[1:]) - 1, np.ceil(edges[:-1]))], axis=1),
        hovertemplate="%{y:,} documents of %{customdata[0]:,.0f} to %{customdata[1]:,.0f} words<extra></extra>",
        name="documents",
    )
    middle, mean = (float(np.median(lengths)), float(lengths.mean())) if lengths.size else (1.0, 1.0)
    for value, word in ((middle, "median"), (mean, "mean")):
        figure.add_vline(x=value, line={"color": i.text, "width": 1.5, "dash": "dot"})
        side = (word == "median") == (middle <= mean)
        figure.write(
            f"<b>{word} {value:,.0f}</b>",
            np.log10(value),
            1,
            i.text,
            yref="paper",
            yanchor="top",
            xanchor="right" if side else "left",
            xshift=-4 if side else 4,
        )
    _finish(figure, "Document lengths", "", "words in a document", "documents", base)
    figure.update_layout(
        xaxis={"type": "log", "range": [np.log10(max(low, 1) * 0.9), np.log10(high * 1.1)], **theme.decades(low, high)},
        yaxis={"range": [0, 1.15 * max(counts.max(), 1)]},  # room for the words above the bars
    )
    figure.update_layout(bargap=0)
    return theme.describe(
        figure, f"Document lengths from {low:,.0f} to {high:,.0f} words, median {middle:,.0f}, mean {mean:,.0f}."
    )


@theme.as_figure(uirevision="pairs")
def label_pairs(overlap: Overlap, titles: Sequence[str], *, narrow: bool = False, base: str = "light") -> PlainFigure:
    """Which labels come together most: bars, each the share of the smaller class that has the larger one's label too.

    ``titles`` are those of ``overlap.classes``, the largest first; on a ``narrow`` page names stand above their bars.
    """
    i, names, figure = theme.ink(base), theme.told_apart([str(t) for t in titles], NAME), PlainFigure()
    size = np.diagonal(overlap.documents)
    pairs = [(r, c) for r in range(len(size)) for c in range(r) if overlap.documents[r, c]]
    pairs = sorted(pairs, key=lambda pair: -overlap.share[pair])[:PAIRS]
    said = [f"{names[r]}, also {names[c]}" for r, c in pairs]
    share, rows = [100 * float(overlap.share[pair]) for pair in pairs], list(range(len(pairs)))
    figure.add(
        "bar",
        x=share,
        y=rows,
        orientation="h",
        marker={"color": palette.colour("LogTFIDF", base), "line": {"width": 0}},
        customdata=[
            [name, f"{overlap.documents[r, c]:,} of {size[r]:,}"] for name, (r, c) in zip(said, pairs, strict=True)
        ],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]} documents<extra></extra>",
        name="pairs",
    )
    for row in rows:
        figure.write(_percent(share[row]), share[row], row, i.text, xanchor="left", xshift=6)
        if narrow:
            figure.write(said[row], 0, row, i.text, xref="paper", xanchor="left", yanchor="bottom", yshift=6)
    note = "documents of the first that also have the second"
    figure.update_layout(
        title=theme.title(f"<b>Labels that come together</b>{'<br>' if narrow else '   '}{theme.note(note, base)}")
        | {"pad": {"l": 0}},
        height=64 + 18 * narrow + (PAIR + 18 * narrow) * max(len(rows), 2),
        margin={"l": 2 if narrow else 8, "r": 44, "t": 66 if narrow else 44, "b": 8},
        bargap=0.7 if narrow else 0.35,
        showlegend=False,
        xaxis={"range": [0, 100], "showticklabels": False, "showgrid": False, "zeroline": False},
        yaxis={
            "range": [len(rows) - 0.5, -0.5],
            "tickvals": rows,
            "ticktext": said,
            "showticklabels": not narrow,
            "showgrid": False,
            "ticklabelstandoff": 6,
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    told = [
        f"of the documents of {titles[r]}, {_percent(part)} are also of {titles[c]}"
        for part, (r, c) in zip(share, pairs, strict=True)
    ]
    return theme.describe(figure, f"Labels that come together: {listed(told, PAIRS) or 'none do'}.")


def _percent(share: float) -> str:
    return f"{share:.0f}%" if share >= LEAST else f"<{LEAST}%"


@theme.as_figure(uirevision="overlap")
def label_overlap(
    overlap: Overlap,
    titles: Sequence[str],
    names: Sequence[str] | None = None,
    *,
    selected: str | None = None,
    most: int | None = None,
    base: str = "light",
) -> PlainFigure:
    """Share of a row's class that also has the column's class. ``titles`` are those of ``overlap.classes``; the first
    ``most`` of them are in sight.

    Columns have the numbers of their rows, and cells their share in percent from 1 on. The diagonal, which is always 1,
    stays empty. ``names`` (by default the titles) are what a click hands on.
    """
    i = theme.ink(base)
    titles, names = [str(t) for t in titles], [str(n) for n in (titles if names is None else names)]
    share = 100 * np.where(np.eye(len(titles), dtype=bool), np.nan, overlap.share)
    size = np.diagonal(overlap.documents)
    numbers = [f"{k}" for k in range(1, len(titles) + 1)]
    ticks = [f"{name}  {k}" for name, k in zip(theme.told_apart(titles, NAME), numbers, strict=True)]
    if selected in names:
        at = names.index(selected)
        for of in (ticks, numbers):
            of[at] = f'<b style="color:{i.selected}">{of[at]}</b>'
    shown = [theme.escape(t) for t in titles]
    hover = [
        [
            f"<b>{a}</b> and <b>{b}</b><br>{overlap.documents[r, c]:,} documents, {share[r, c]:.3g}% of the "
            f"{size[r]:,} of {a}"
            for c, b in enumerate(shown)
        ]
        for r, a in enumerate(shown)
    ]
    places = list(range(len(titles)))
    in_sight = min(most or len(titles), len(titles))
    narrow = most is not None
    figure = PlainFigure()
    figure.add(
        "heatmap",
        z=[[None if np.isnan(v) else round(float(v), 3) for v in row] for row in share],
        x=places,
        y=places,
        text=hover,
        customdata=[[n] * len(names) for n in names],
        hovertemplate="%{text}<extra></extra>",
        colorscale=[[0, i.paper], *_scale(base)],
        zmin=0,
        zmax=100,
        xgap=1,
        ygap=1,
        showscale=False,
        name="overlap",
    )
    seen = np.nan_to_num(share[:in_sight, :in_sight])
    inks, _ = palette.ink_on(seen.ravel(), palette.SHARES[base][1:], 0, 100)
    for place in np.flatnonzero(seen.ravel() >= LEAST):
        r, c = divmod(int(place), in_sight)
        figure.write(f"{seen[r, c]:.0f}", c, r, inks[place], size=11)
    told = f"% of the row’s documents {'also in the column' if narrow else 'that also have the column’s label'}"
    note = ("<br>" if narrow else "   ") + theme.note(told, base)
    axis = {"tickvals": places, "showgrid": False, "zeroline": False, "tickfont": {"size": 12, "color": i.text}}
    figure.update_layout(
        title=theme.title(f"<b>Label co-occurrence</b>{note}") | {"pad": {"l": 0}},
        height=(90 if narrow else 76) + 20 * in_sight,
        margin={"l": 0, "r": 2, "t": 78 if narrow else 64, "b": 8},
        xaxis=axis | {"ticktext": numbers, "range": [-0.5, in_sight - 0.5], "side": "top", "tickangle": 0},
        yaxis=axis | {"ticktext": ticks, "range": [in_sight - 0.5, -0.5], "ticklabelstandoff": 2},
    )
    pair = "no document has two of them"
    if len(titles) > 1 and np.nanmax(share) > 0:
        r, c = np.unravel_index(np.nanargmax(share), share.shape)
        pair = f"most often a document of {titles[r]} has {titles[c]} as well ({share[r, c]:.0f}%)"
    return theme.describe(figure, f"Label co-occurrence among {len(titles)} classes: {pair}.")


def _fall(law: Zipf, fitted: str) -> str:
    if not len(law.rank):
        return "Frequency by rank: no terms."
    fit = f", {fitted}" if fitted else ""
    return (
        f"Frequency by rank falls from {number(law.frequency[0])} occurrences of the most frequent term to "
        f"{number(law.frequency[-1])} at rank {law.rank[-1]:,.0f}{fit}."
    )


def _scale(base: str) -> list[list]:
    """Pairs of place in [0, 1] and colour: from the first share told from none to all."""
    colours, least = palette.SHARES[base][1:], 0.03
    return [[least + (1 - least) * k / (len(colours) - 1), c] for k, c in enumerate(colours)]


def _two_lines(x, y, factor: float, exponent: float, what: str, base: str, *, markers: bool) -> PlainFigure:
    """The measured curve, and factor · x**exponent as a dotted line."""
    i, colour, figure = theme.ink(base), palette.colour("LogTFIDF", base), PlainFigure()
    if len(x) and not np.isnan(exponent):
        at = np.geomspace(max(x[0], 1), x[-1], 60)
        figure.add(
            "scatter",
            x=at,
            y=factor * at**exponent,
            mode="lines",
            line={"color": i.text, "width": 1.5, "dash": "dot"},
            hoverinfo="skip",
            name="fitted",
        )
    figure.add(
        "scatter",
        x=np.asarray(x, dtype=np.float32),
        y=np.asarray(y, dtype=np.float32),
        mode="markers" if markers else "lines",
        marker={"size": 4, "color": colour},
        line={"color": colour, "width": 2.5},
        hovertemplate=f"%{{y:,}} {what} at %{{x:,}}<extra></extra>",
        name=what,
    )
    return figure


def _finish(figure: PlainFigure, title: str, law: str, x: str, y: str, base: str) -> None:
    note = (
        f'   <span style="color:{theme.ink(base).text};font-size:{theme.SIZE["note"]}px">{_raised(law)}</span>'
        if law
        else ""
    )
    figure.update_layout(
        title=theme.title(f"<b>{title}</b>{note}") | {"pad": {"l": 0}},
        margin={"l": 56, "r": 14, "t": 40, "b": 44},
        showlegend=False,
        xaxis={"title": {"text": x}, "tickformat": "~s", "nticks": 7},
        yaxis={"title": {"text": y}, "tickformat": "~s", "nticks": 6, "rangemode": "tozero"},
    )


def _raised(law: str) -> str:
    """A law with its exponent above the line, and large enough to be read."""
    return re.sub(r"\^([\d.]+)", r'<sup><span style="font-size:10.5px">\1</span></sup>', law)
