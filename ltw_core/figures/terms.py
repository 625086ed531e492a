"""The term map: every term at (fpr, tpr), with lines of equal weight of the functions one chooses."""

from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import DOT, LETTER, LINE, LabelArea
from ltw_core.figures.plain_figure import PlainFigure, checked
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel, heading
from ltw_core.figures.points import (
    add_diagonal,
    add_rings,
    add_terms,
    flat_kind,
    marked_labels,
    marked_terms,
    named_terms,
    names_beside,
    place_labels,
    places,
)
from ltw_core.figures.sentences import number, strongest
from ltw_core.tasks import TermStatistics

LEVELS = (0.8, 0.95, 0.99)  # shares of the terms that lie below a line
LABELS, HEIGHT, LONG_TITLE = 16, 560, 370  # in pixels; from the last on an axis has room for its whole title
WIDTH, NARROW = 620, 370  # pixels that labels reckon with, on a wide page and on a narrow one
FEW_PLACES = 100  # of so many the words make room for each
HIGH = 0.85  # how far up the plane names reach the words in the corner
SHIFTS = (0.0, 0.1, 0.2, 0.3, 0.42)  # of the words out of their corners, in shares of the width; the last clears them
CORNERS, SHORT = 110, 74  # pixels of the words in two corners, and of the upper ones in short
PHONE = 270  # pixels of the plane on a phone
PHONE_PAGE = 480  # pixels of a page that takes its layout for a narrow one, if it has any
APART = "\u00a0\u00a0\u00a0"
STROKES = {"solid": "━━", "dot": "┅┅"}  # a line's style in the title
TIGHT = 10  # pixels, of the second number of a level
BENT = 3  # times the first level that a weight is on a scale for lines where that turns from linear to logarithmic
DIGIT = 3  # pixels, half the width of a digit of a line's number
CLEAR = 22  # pixels from the middle of a line's number that are free of points and names, if there is such a place


@checked
def term_map(
    terms: TermStatistics,
    grid: Grid,
    view: PlaneView | None = None,
    *,
    iso: list[SurfacePanel] | tuple = (),
    density: bool = False,
    limit: int = 12_000,
) -> PlainFigure:
    """All terms as points; click one and its ``text`` names the terms of that place.

    Parameters
    ----------
    view : PlaneView, optional
        Its title, prevalence, labels, selected terms, hover, height and theme.
    iso : list of SurfacePanel
        Functions whose lines of equal weight are drawn, in their own colours, through the weights that 80, 95 and 99%
        of the terms lie below. By the first of them, else by tpr − fpr, it is decided which terms are named.
    density : bool
        Shade the plane by how many terms lie about each place, and draw smaller points.
    limit : int
        Most places that are drawn.
    """
    view = view or PlaneView()
    base, i = view.base, theme.ink(view.base)
    inside = grid.inside(terms.tpr, terms.fpr)
    strength = _strength(terms, iso[0].weights if iso and iso[0].weights is not None else terms.tpr - terms.fpr)
    group = places(terms, inside, limit, strength, view.hover, view.unit)
    x, y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
    figure = PlainFigure()
    if density:
        _density(figure, x[inside], y[inside], grid, i)
    crowded = group.first.size <= FEW_PLACES and _in_corners(x[group.first], y[group.first], grid)
    marked, names_marked = marked_labels(terms, marked_terms(terms, inside, view.selected))
    sure = marked if crowded else np.union1d(marked, _strongest_high(y, strength, group.first, grid)).astype(int)
    high = sure.size and grid.y.share(y[sure]).max() > HIGH  # their words keep off its point and its name
    levels = [_levels(panel, inside) for panel in iso]
    below = _free_of_lines(levels, grid, SHIFTS[::-1] if crowded else SHIFTS)
    height = view.height or HEIGHT
    shift, short = _free_of_names(x[sure], y[sure], names_marked[sure], grid, height - 100) if high else (below, False)
    _corners(figure, grid, i, shift, below, short=short)
    for panel, drawn in sorted(zip(iso, levels, strict=True), key=lambda one: palette.dash(one[0].name) != "solid"):
        _iso(figure, panel, grid, drawn, base)
    marker = {
        "size": (np.minimum(4 + 0.6 * np.sqrt(group.size - 1), 11) * (0.7 if density else 1)).astype(np.float32),
        "color": palette.colour("LogTFIDF", base),
        "opacity": 0.7,
        "line": {"width": 0.4, "color": i.paper},
    }
    add_terms(figure, flat_kind(group.first.size), group, x, y, marker, showlegend=False)
    names = place_labels(terms, group)
    names[marked] = names_marked[marked]
    area = LabelArea(grid.x.limits, grid.y.limits, (WIDTH, height - 130), NARROW, CORNERS, shift, below)
    count = LABELS if view.labels is None else view.labels
    chosen = named_terms(x, y, names, strength, group.first, sure, area, count - sure.size + marked.size)
    chosen = np.union1d(chosen, np.setdiff1d(sure, marked)).astype(int)
    for index, ink in ((chosen, i.text), (marked, i.selected)):
        if index.size:
            which = {"selected": index is marked}
            beside = names_beside(names[index], x[index], ink, i.paper, grid.x.limits, **which)
            add_rings(figure, x[index], y[index], ink, size=7, showlegend=False, **which, **beside)
    size, named = (PHONE, height - 130), np.union1d(chosen, marked).astype(int)
    taken = _taken(x[group.first], y[group.first], x[named], y[named], names[named], grid, size)
    for panel, drawn in zip(iso, levels, strict=True):
        taken = np.concatenate([taken, _number_lines(figure, panel, grid, drawn, taken, size, base)])
    title = heading(view, grid, int(inside.sum()), len(terms))
    keys = [*(_key(panel.name, base) for panel in iso), theme.note("┅┅ tpr = fpr", base, theme.SIZE["body"])]
    title["text"] += "<br>" + APART.join(keys)  # for all of it a phone has no room in one line
    figure.update_layout(
        template=theme.template(base),
        title=title | {"y": 1, "pad": {"t": 18}},  # of two lines the first is whole
        meta={"page": view.page} if view.page else {"below": PHONE_PAGE},
        height=height,
        margin={"l": 62, "r": 16, "t": 60, "b": 52},
        showlegend=False,
        dragmode="pan",
        uirevision=view.uirevision or "term map",
        xaxis=grid.x.layout("fpr: share of the other documents that contain the term"),
        yaxis=grid.y.layout("tpr: share of the class’s documents" + " that contain the term" * (height >= LONG_TITLE)),
    )
    lines = f", with lines of equal weight of {', '.join(panel.name for panel in iso)}" if iso else ""
    about = f" of {view.title}" if view.title else ""
    said = f"Map of {len(terms):,} terms{about} by false-positive and true-positive rate{lines}."
    side = strength * np.sign(terms.tpr - terms.fpr)
    for signed, word in ((side, "above"), (-side, "below")):
        if of := strongest(names, signed):
            said += f" Strongest {word} the diagonal: {of}."
    return theme.describe(figure, said)


def _strength(terms: TermStatistics, weights) -> np.ndarray:
    """What each term contributes to the squared length of the documents that it speaks for, those of the class above
    the diagonal and all others below it, as if each document held a term once or not at all; the largest is 1."""
    squares = np.square(np.nan_to_num(np.asarray(weights, dtype=float), posinf=0, neginf=0))
    above = terms.tpr >= terms.fpr
    strength = np.where(above, terms.tp, terms.fp) * squares
    for side in (above, ~above):
        strength[side] /= max(strength[side].max(initial=0.0), 1e-30)
    return strength


def _key(name: str, base: str) -> str:
    """A sample of a function’s lines, and what is equal along them."""
    stroke = STROKES.get(palette.dash(name), "╍╍")
    line = f'<span style="color:{theme.legible(palette.colour(name, base), base)}">{stroke}</span>'
    return theme.note(f"{line} equal {theme.escape(name)}", base, theme.SIZE["body"])


def _density(figure: PlainFigure, x, y, grid: Grid, i, size: int = 90, bandwidth: float = 0.018) -> None:
    """Terms about each place on a logarithmic scale: one corner holds nearly all of them."""
    edges = [np.linspace(*axis.limits, size + 1) for axis in (grid.x, grid.y)]
    counts, _, _ = np.histogram2d(x, y, edges)
    place = np.arange(size) / size
    kernel = np.exp(-0.5 * ((place[:, None] - place) / bandwidth) ** 2)
    counts = kernel @ counts @ kernel
    z = np.log1p(counts.T) / (np.log1p(counts.max()) or 1)
    centres = [(e[1:] + e[:-1]) / 2 for e in edges]
    figure.add(
        "heatmap",
        x=centres[0].astype(np.float32),
        y=centres[1].astype(np.float32),
        z=z.astype(np.float32),
        zsmooth="best",
        colorscale=[
            [0, palette.translucent(i.muted, 0)],
            [0.08, palette.translucent(i.muted, 0.05)],
            [1, palette.translucent(i.muted, 0.6)],
        ],
        showscale=False,
        hoverinfo="skip",
        name="density",
    )


def _in_corners(x, y, grid: Grid) -> bool:
    """Whether points lie under the words of ``_corners``."""
    across, up = grid.x.share(x), grid.y.share(y)
    return bool((((across < 0.3) & (up > 0.9)) | ((across > 0.7) & (up < 0.1))).any())


def _strongest_high(y, strength, candidates, grid: Grid) -> np.ndarray:
    """The strongest of the candidates on its side of the diagonal, where it lies as high as the words in the corner."""
    best = candidates[strength[candidates] == strength[candidates].max(initial=0)]
    return best[grid.y.share(y[best]) > HIGH][:1]


def _free_of_names(x, y, names, grid: Grid, high: float) -> tuple[float, bool]:
    """How far out of its corner the words in the upper one stand, and whether in short, to lie on no point or name
    of terms that are always named, on a phone or a wide page; ``high``: the plane's pixels."""
    lines = [str(name).split("<br>") for name in names]
    long = np.array([12 + LETTER * max(map(len, of)) for of in lines])
    half = np.array([LINE / 2 * len(of) - 3 for of in lines])  # of letters, without what is between lines

    def free(shift: float, short: bool, width: float) -> bool:
        across, up = _pixels(x, y, grid, (width, high)).T
        begins, ends = (np.where((across < width / 2) == left, DOT, long) for left in (True, False))
        beside = across - begins > shift * width + (SHORT if short else CORNERS)
        return bool((beside | (across + ends < shift * width) | (up + half < 0.98 * high - LINE)).all())

    ways = [(shift, short) for shift in SHIFTS for short in (False, True)]
    return next((way for way in ways if free(*way, PHONE) and free(*way, WIDTH)), (SHIFTS[0], True))


def _corners(figure: PlainFigure, grid: Grid, i, shift: float, below: float, short: bool = False) -> None:
    """The diagonal, and in words what lies on either side of it; ``shift`` and ``below`` move these out of their
    corners, and ``short`` the upper ones are fewer, to be narrower."""
    add_diagonal(figure, grid, {"color": i.muted, "width": 1.2, "dash": "dot"}, showlegend=False)
    for x, y, text, side in (
        (0.012 + shift, 0.985, "speaks for it" if short else "speaks for the class", "left"),
        (0.988 - below, 0.05, "speaks against it", "right"),  # above the terms of tpr 0
    ):
        figure.write(
            f"<i>{text}</i>",
            x,
            y,
            i.muted,
            on_page=True,
            xanchor=side,
            align="left",
            yanchor="top" if side == "left" else "bottom",
            font={"size": 12, "color": i.muted, "shadow": palette.halo(i.paper)},
        )


def _levels(panel: SurfacePanel, inside) -> tuple[np.ndarray, np.ndarray]:
    """A function's values on the grid, and those at which its lines lie."""
    z = np.nan_to_num(np.asarray(panel.z, dtype=float), posinf=0, neginf=0)
    at = z.ravel() if panel.weights is None or not inside.any() else np.asarray(panel.weights, dtype=float)[inside]
    return z, np.unique([float(f"{level:.2g}") for level in np.quantile(at, LEVELS)])


def _free_of_lines(drawn: list, grid: Grid, shifts: tuple[float, ...]) -> float:
    """The first of the ``shifts`` at which no line of equal weight passes under the words of ``_corners``, else the
    first of all; ``drawn``: the ``_levels`` of each function."""
    across, up = grid.x.share(grid.grid_x), grid.y.share(grid.grid_y)
    length = 1.1 * CORNERS / WIDTH

    def free(shift: float) -> bool:
        upper = np.ix_(up > 0.94, (across >= shift) & (across <= shift + length))
        lower = np.ix_(up < 0.06, (across <= 1 - shift) & (across >= 1 - shift - length))
        boxes = [(z[box], levels) for z, levels in drawn for box in (upper, lower) if z[box].size]
        return not any(((z.min() < levels) & (levels < z.max())).any() for z, levels in boxes)

    return next((shift for shift in shifts if free(shift)), shifts[0])


def _iso(figure: PlainFigure, panel: SurfacePanel, grid: Grid, drawn: tuple, base: str) -> None:
    """Lines of equal weight of a function, at its ``_levels``: one trace, in which these are 1, 2, 3."""
    z, levels = drawn
    levels = [level for level in levels.tolist() if z.min() < level < z.max()]
    if not levels:
        return
    z = _ranked(z, levels)
    figure.add(
        "contour",
        x=grid.grid_x.astype(np.float32),
        y=grid.grid_y.astype(np.float32),
        z=z.astype(np.float32),
        contours={"coloring": "none", "start": 1, "end": len(levels), "size": 1},
        line={"color": palette.colour(panel.name, base), "width": 1.4, "dash": palette.dash(panel.name)},
        showscale=False,
        hoverinfo="skip",
        name=theme.escape(panel.name),
    )


def _ranked(z: np.ndarray, levels: list[float]) -> np.ndarray:
    """Values put on a scale on which the levels are 1, 2, 3. plotly.js interpolates between grid points: a corner of it
    at a level would show in a line, and so would values that soar. Where all levels are positive it is logarithmic from
    the first on: weights go by powers of the rates, and between points of a log axis these are straight."""
    if levels[0] > 0:
        z, levels = np.arcsinh(BENT * z / levels[0]), np.arcsinh(BENT * np.divide(levels, levels[0])).tolist()
    if len(levels) == 1:
        return 1 + z - levels[0]
    slopes = 1 / np.diff(levels)
    between = [2 * a * b / (a + b) for a, b in pairwise(slopes)]  # harmonic means: it rises throughout
    ranked = CubicHermiteSpline(levels, np.arange(1, len(levels) + 1), [slopes[0], *between, slopes[-1]])
    inside = np.clip(z, levels[0], levels[-1])
    beyond = ranked(inside, 1) * (z - inside)
    return ranked(inside) + np.where(beyond > 0, np.log1p(np.maximum(beyond, 0)), beyond)


def _taken(x, y, named_x, named_y, names, grid: Grid, size: tuple[float, float]) -> np.ndarray:
    """Places, in pixels of the plane on a phone, of all points and along names, which the numbers of lines avoid."""
    found = [_pixels(x, y, grid, size)]
    for (across, up), name in zip(_pixels(named_x, named_y, grid, size), names, strict=True):
        side = 1 if across < size[0] / 2 else -1
        length = LETTER * max(len(line) for line in str(name).split("<br>"))
        found.append(np.array([(across + side * along, up) for along in np.arange(6, 6 + length, 8)]))
    return np.concatenate(found)


def _pixels(x, y, grid: Grid, size: tuple[float, float]) -> np.ndarray:
    """Places on the axes in pixels of the plane."""
    return np.stack([size[0] * grid.x.share(x), size[1] * grid.y.share(y)], axis=-1)


def _number_lines(
    figure: PlainFigure, panel: SurfacePanel, grid: Grid, drawn: tuple, taken: np.ndarray, size, base
) -> np.ndarray:
    """Each line's number once above the diagonal and once below it, where it is clear of points, names and other
    numbers; of such places the rightmost. Where nothing is clear a level whose number is there already has no other.
    Returns the places along the numbers."""
    z, levels = drawn
    others, along = cKDTree(taken), np.empty((0, 2))
    colour = theme.legible(palette.colour(panel.name, base), base)
    look = {"size": theme.SIZE["note"], "bgcolor": theme.ink(base).paper, "borderpad": 0}
    for level in levels.tolist():
        x, y, above = _crossings(z, grid, level)
        places = _pixels(x, y, grid, size)
        half = 2 + DIGIT * len(number(level))  # 24 and 40: words are in corners
        edges = np.minimum(places - (half, 24), np.array(size) - (half, 40) - places).min(axis=1)
        told = False
        for side in (above, ~above):
            if not side.any():
                continue
            apart = others.query(places[side], distance_upper_bound=CLEAR)[0]  # inf where there is none so near
            if len(along):
                apart = np.minimum(apart, cdist(places[side], along).min(axis=1))
            clear = np.where(edges[side] < 0, edges[side], np.minimum(apart, CLEAR))
            best = np.lexsort((x[side], clear))[-1]
            if told and clear[best] < TIGHT:
                continue
            told, at = True, np.flatnonzero(side)[best]
            along = np.concatenate([along, places[at] + np.array([(-10, 0), (0, 0), (10, 0)])])
            figure.write(number(level), x[at], y[at], colour, **look)
    return along


def _crossings(z: np.ndarray, grid: Grid, level: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places on the axes where a line crosses the grid's rows and columns, and which of them lie above the diagonal."""
    found = []
    for values, along in ((z, grid.grid_x), (z.T, grid.grid_y)):
        row, k = np.nonzero((values[:, :-1] < level) != (values[:, 1:] < level))  # between columns k and k + 1
        part = (level - values[row, k]) / (values[row, k + 1] - values[row, k])
        found.append((along[k] + part * (along[k + 1] - along[k]), row))
    (x, row), (y, column) = found
    x, y = np.append(x, grid.grid_x[column]), np.append(grid.grid_y[row], y)
    return x, y, grid.y.inverse(y) > grid.x.inverse(x)
