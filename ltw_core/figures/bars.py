"""Bars: prevalence of classes, F1 of methods, the strongest terms."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import nice_step
from ltw_core.figures.sentences import number, without_marks
from ltw_core.metrics import decimals, listed

NAME = 26  # characters of a class's name
FAR = 100  # ranks: a move by more is written 100+
LARGEST = {"xanchor": "left", "xshift": 8}  # where the first and the last of many points are named
SMALLEST = {"xanchor": "right", "yanchor": "top", "yshift": -6}
BELOW = 0.07  # of the axis of many points: where the last is named
NEAR = 1.8  # a first class less than this many times as large as the chosen one is not named: names would overlap
HEAD = 36  # pixels above them: of a table's header beside the figure


@theme.as_figure(height=300, uirevision="prevalence")
def prevalence(
    names: Sequence[str],
    positives: Sequence[int],
    n_documents: int,
    *,
    selected: str | None = None,
    titles: Sequence[str] | None = None,
    order: str = "size",
    log: bool = True,
    base: str = "light",
) -> PlainFigure:
    """Each class's share of the training documents, the chosen one in the colour of what is selected.

    Points on a log axis, which has no zero for a bar to begin at, and bars on a linear one; ``order``: "size" or
    "name". A class's ``customdata[0]`` is its name, for selection. Up to some forty classes are rows with their names;
    of more the names are left to the hover.
    """
    i = theme.ink(base)
    names, positives = np.asarray(names), np.asarray(positives, dtype=float)
    titles = np.asarray(titles if titles is not None else names)
    index = np.argsort(-positives, kind="stable") if order == "size" else np.argsort(names, kind="stable")
    names, positives, titles = names[index], positives[index], titles[index]
    share = 100 * positives / max(n_documents, 1)
    rows = len(names) <= 40
    of, along = ("x", "y") if rows else ("y", "x")  # the axis of the shares, and of the classes
    colours = [i.selected if n == selected else palette.colour("LogTF", base) for n in names]
    figure = PlainFigure()
    at = np.arange(len(names))
    about = np.array(
        [[str(n), f"{int(k):,}", theme.escape(t)] for n, k, t in zip(names, positives, titles, strict=True)]
    )
    told = f"<b>%{{customdata[2]}}</b><br>%{{customdata[1]}} documents, %{{{of}:.3~g}}%<extra></extra>"
    figure.add(  # on a log axis unseen: a class is pointed at and clicked from anywhere beside its point
        "bar",
        **{along: at, of: share},
        orientation="h" if rows else "v",
        marker={"color": colours, "opacity": int(not log), "line": {"width": 0}},
        customdata=about.tolist(),
        hovertemplate=told,
        name="prevalence",
    )
    if log:
        size = 10 if rows else 7 if len(names) <= 200 else 4
        last = np.argsort(names == selected, kind="stable")  # the selected one over those beside it
        figure.add(
            "scatter",
            **{along: at[last], of: share[last]},
            mode="markers",
            cliponaxis=False,
            marker={
                "color": [colours[k] for k in last],
                "size": [size + 4 if names[k] == selected else size for k in last],
                "line": {"color": i.paper, "width": 1},  # points that touch are told apart
                "opacity": 1,
            },
            customdata=about[last].tolist(),
            hovertemplate=told,
            name="prevalence",
        )
    floor = 100 * 0.5 / max(n_documents, 1)
    low, high = (max(share.min(), floor) if len(share) else 0.1), (share.max() if len(share) else 100)
    low *= 0.8 if rows else (low / (1.25 * high)) ** BELOW
    steps = (1,) if high / low > (30 if rows else 20_000) else (1, 2, 5)
    ticks = [m * 10.0**e for e in range(-4, 3) for m in steps if low <= m * 10.0**e <= high * 2]
    shares = {
        "type": "log" if log else "linear",
        "range": [np.log10(low), np.log10(high * 1.25)] if log else [0, high * 1.02],
        **({"tickvals": ticks, "ticktext": [f"{t:g}%" for t in ticks]} if log else {"ticksuffix": "%"}),
        "title": {"text": "Pr(c): share of the training documents"},
    }
    if rows:
        named = [
            f'<b style="color:{i.selected}">{name}</b>' if n == selected else name
            for n, name in zip(names, theme.told_apart(titles, NAME), strict=True)
        ]
        classes = {"tickvals": at.tolist(), "ticktext": named, "range": [len(names) - 0.5, -0.5]}
        classes |= {"ticklabelstandoff": 6, "tickfont": {"size": 12, "color": i.text}}
        margin = {"l": 8, "r": 2, "t": HEAD, "b": 40}
    else:
        told = f"{len(names)} classes, largest first" if order == "size" else "classes"
        classes = {"tickvals": [], "range": [-0.7, len(names) - 0.3], "title": {"text": told}}
        margin = {"l": 56, "r": 2, "t": 12, "b": 30}
    figure.update_layout(
        margin=margin,
        bargap=0 if log else 0.4 if rows else 0.08,
        showlegend=False,
        **{f"{of}axis": shares, f"{along}axis": classes | {"showgrid": False}},
    )
    if log and not rows and order == "size":
        mine = np.flatnonzero(names == selected)
        for k, side in ((0, LARGEST), (len(names) - 1, SMALLEST)):
            covers = (np.abs(mine - k) < 0.04 * len(names)) & (share[k] < NEAR * share[mine]) if k == 0 else mine == k
            if not covers.any():  # the chosen one has its own name
                figure.write(
                    theme.shortened(titles[k], NAME),
                    k,
                    np.log10(max(share[k], floor)),
                    i.muted,
                    bgcolor=i.paper,
                    **side,
                )
    if selected is not None and (names == selected).any():
        mine = int(np.flatnonzero(names == selected)[0])
        value, where = f"{share[mine]:.3g}%", np.log10(share[mine]) if log else share[mine]
        name = theme.shortened(titles[mine], NAME)
        right = share[mine] > high / 2 if rows else mine >= len(names) * 0.75
        side = {"xanchor": "right" if right else "left"}
        if rows:
            ink = i.paper if right and not log else i.selected  # within its bar
            figure.write(f"<b>{value}</b>", where, mine, ink, xshift=-10 if right else 10, **side)
        else:
            side |= {"yanchor": "bottom", "yshift": 7 * log, "bgcolor": i.paper}
            figure.write(f"<b>{name}</b> {value}", mine, where, i.selected, **side)
    return theme.describe(figure, _shares(titles, share, n_documents, titles[names == selected]))


@theme.as_figure(uirevision="f1")
def f1_comparison(
    results: Mapping[str, float],
    *,
    error: Mapping[str, float] | None = None,
    learner: str = "",
    order: str = "value",
    base: str = "light",
    labels: Mapping[str, str] | None = None,
    colours: Mapping[str, str] | None = None,
    intervals: Mapping[str, tuple[float, float]] | None = None,
    part: str = "test",
    narrow: bool = False,
) -> PlainFigure:
    """A point a method in its family's colours, the value at the end of its line.

    The axis holds what is drawn and no more, so that small differences are seen; bars on it would mislead.
    ``intervals`` are drawn as whiskers; ``error`` is a standard deviation, written beside the value and, without an
    interval, drawn; ``part`` says whose documents these are, "test" or "validation"; ``labels`` are display names
    ("LTW-L-σ"), ``colours`` the methods whose colours to take instead of the names' own; ``order``: "value" or "given";
    ``narrow``: the key to the families has a line of its own, as a phone has no room beside the title.
    """
    i = theme.ink(base)
    names = sorted(results, key=lambda n: results[n]) if order == "value" else list(results)[::-1]
    values = [float(results[n]) for n in names]
    shown, kinds = [theme.label(n, labels) for n in names], [(colours or {}).get(n, n) for n in names]
    deviation = [float((error or {}).get(n, 0)) for n in names]
    known = [(intervals or {}).get(n) for n in names]
    ends = [(v - d, v + d) if k is None else k for v, d, k in zip(values, deviation, known, strict=True)]
    said_range = ["" if k is None else f"{decimals(k[0])} to {decimals(k[1])}" for k in known]
    text = [
        f"<b>{decimals(v)}</b>" + (f" ± {decimals(d)}" if d else "") for v, d in zip(values, deviation, strict=True)
    ]
    figure = PlainFigure()
    figure.add(
        "scatter",
        x=values,
        y=shown,
        mode="markers",
        marker={
            "color": [palette.colour(kind, base) for kind in kinds],
            "size": 11,
            "line": {"color": i.paper, "width": 1.5},
        },
        error_x=theme.whiskers(values, [low for low, _ in ends], [high for _, high in ends], color=i.muted),
        customdata=[
            [f"<br>95% interval {said}" if said else "", decimals(v)]
            for said, v in zip(said_range, values, strict=True)
        ],
        hovertemplate="<b>%{y}</b><br>F1 %{customdata[1]}%{customdata[0]}<extra></extra>",
        name="F1",
    )
    for name, (_, end), label in zip(shown, ends, text, strict=True):
        figure.write(label, end, name, i.text, xanchor="left", xshift=10)
    heading = _heading(f"F1 on the {part} set", learner, kinds, base)
    figure.update_layout(
        title=theme.title(heading.replace(KEY_APART, "<br>") if narrow else heading),
        **comparison_frame(len(names), narrow, any(deviation)),
        xaxis={**_axis_of(ends), "tickformat": ".3~g", "zeroline": False},
        yaxis={
            "type": "category",
            "showgrid": False,  # whiskers lie where its lines would
            "range": [-0.6, len(names) - 0.4],
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    best_first = sorted(range(len(names)), key=lambda k: -values[k])
    said = [
        f"{shown[k]} {decimals(values[k])}"
        + (f" ± {decimals(deviation[k])}" if deviation[k] else "")
        + (f" (95% interval {said_range[k]})" if said_range[k] else "")
        for k in best_first
    ]
    by = f" with {learner}" if learner else ""
    return theme.describe(figure, f"F1 on the {part} documents{by}: {listed(said, 12) or 'no weighting'}.")


def comparison_frame(rows: int, narrow: bool = False, wide: bool = False) -> dict:
    """Height and margins of ``f1_comparison``: a ``narrow`` one has two lines above it, ``wide`` values their room."""
    more = 18 * narrow
    margin = {"l": 8, "r": 60 if wide else 20, "t": 44 + more, "b": 28}
    return {"height": 86 + more + 26 * max(rows, 2), "margin": margin}


@theme.as_figure(uirevision="top")
def top_terms(
    terms: Sequence[str],
    weights: Sequence[float],
    *,
    count: int = 15,
    title: str = "",
    subtitle: str = "",
    base: str = "light",
    selected: Sequence[str] = (),
    limits: tuple[float, float] | None = None,
    before: Sequence[float] | None = None,
    left: int = 8,
) -> PlainFigure:
    """The strongest terms by magnitude, in the colours of the ramp of weights.

    ``subtitle`` stands below the title, muted; ``limits`` fix the axis when live; ``before`` are weights of the same
    terms some time ago, from which each name says how many ranks it has gained or lost. ``left``: pixels before
    the bars, at least; names have what room they need.
    """
    i = theme.ink(base)
    terms, weights = np.asarray(terms), np.asarray(weights, dtype=float)
    order = np.argsort(-np.abs(weights), kind="stable")
    index = order[:count][::-1]
    names, values = [str(t) for t in terms[index]], weights[index]
    moved = [""] * len(index)
    if before is not None:
        was = np.empty(len(order), dtype=int)
        was[np.argsort(-np.abs(np.asarray(before, dtype=float)), kind="stable")] = np.arange(len(order))
        moved = [_moved(int(was[k]) - rank, i) for rank, k in enumerate(order[:count])][::-1]
    negative, positive = (palette.DIVERGING[base][k] for k in (1, 7))
    figure = PlainFigure()
    figure.add(
        "bar",
        x=values.astype(np.float32),
        y=[
            (f"<b>{theme.escape(n)}</b>" if n in set(selected) else theme.escape(n)) + change
            for n, change in zip(names, moved, strict=True)
        ],
        orientation="h",
        marker={"color": [positive if v >= 0 else negative for v in values], "line": {"width": 0}},
        customdata=[[n] for n in names],
        hovertemplate="<b>%{customdata[0]}</b>  %{x:.3~g}<extra></extra>",
        name="weight",
    )
    top = 50 if subtitle else 40 if title else 8
    low, high = limits or (1.15 * np.min(values, initial=0.0), np.abs(values).max(initial=0) or 1)
    figure.update_layout(
        title=theme.title(f"{title}<br>{theme.note(subtitle, base)}" if subtitle else title),
        height=top + 24 + 21 * max(len(names), 3),
        margin={"l": left, "r": 8, "t": top, "b": 28},
        bargap=0.3,
        xaxis={
            "range": [low, 1.05 * high],
            "nticks": 5,
            "fixedrange": True,
        },
        yaxis={
            "fixedrange": True,  # names and bars are all in sight
            "showgrid": False,
            "type": "category",
            "tickfont": {"size": 12.5, "color": i.text},
            "ticks": "outside",  # unseen: names keep their distance from the bars
            "ticklen": 5,
            "tickcolor": i.paper,
        },
    )
    said = [f"{name} {number(value)}" for name, value in zip(names[::-1], values[::-1], strict=True)]
    heading = ", ".join(filter(None, (without_marks(title) or "Terms that contribute most", subtitle)))
    return theme.describe(figure, f"{heading}: {listed(said) or 'there is none'}.")


def _shares(titles: Sequence[str], share: np.ndarray, n_documents: int, selected: Sequence[str]) -> str:
    """Which class has most of the training documents, which the fewest, and how many the selected one has."""
    if not len(share):
        return "No classes."
    most, fewest = (f"{titles[k]} ({number(share[k])}%)" for k in (int(share.argmax()), int(share.argmin())))
    said = f"Share of the {n_documents:,} training documents, {len(titles)} classes: {most} has the most"
    said += f", {fewest} the fewest" if len(titles) > 1 else ""
    chosen = [f"; the chosen class, {t}, has {number(share[list(titles).index(t)])}%" for t in selected]
    return said + "".join(chosen) + "."


def _moved(ranks: int, i) -> str:
    """Ranks gained or lost, to stand behind a name."""
    if not ranks:
        return ""
    places = abs(ranks) if abs(ranks) <= FAR else f"{FAR}+"
    return f' <span style="color:{i.muted};font-size:12px">{"▲" if ranks > 0 else "▼"}{places}</span>'


KEY_APART = "    "  # between a title and its key


def _axis_of(ends: Sequence[tuple[float, float]]) -> dict:
    """An axis of F1 that holds all ends, with room for a value at the right one."""
    low, high = min((low for low, _ in ends), default=0), max((high for _, high in ends), default=1)
    span = max(high - low, 0.05)
    step = nice_step(span / 4)
    first = max(0, np.floor(low / step) * step)
    ticks = np.arange(first, min(high, 1) + step / 2, step)
    return {"range": [first - 0.05 * span, high + 0.3 * span], "tickvals": ticks.round(4).tolist()}


def _heading(measure: str, learner: str, methods: Sequence[str], base: str) -> str:
    """Title with the key to the families present, where each method has its family's very colour."""
    words, families = palette.IN_WORDS, set(map(palette.family, methods))
    alike = families <= set(words) and all(palette.colour(m) == palette.colour(palette.family(m)) for m in methods)
    present = [name for name in words if name in families] if alike else []
    key = "   ".join(f'<span style="color:{palette.colour(f, base)}">■</span> {words[f]}' for f in present)
    text = f"<b>{measure}" + (f", {learner}</b>" if learner else "</b>")
    key = f'<span style="font-size:{theme.SIZE["note"]}px">{key}</span>'
    return f"{text}{KEY_APART}{key}" if len(present) > 1 else text
