"""What a figure over the (fpr, tpr) plane shows and how: its panels, one view of them all, its heading in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plane import Grid
from ltw_core.insight import CanonicalForm
from ltw_core.metrics import listed

LINE = 22  # pixels of a heading's second line
CANONICAL = "weights (mean square = 1)"
TITLE = 48  # characters that a narrow page has room for


@dataclass(frozen=True, eq=False)
class SurfacePanel:
    """One function to draw.

    name : title of the panel ("χ²", "LTW-L-I").
    z : weights on the grid (rows tpr × columns fpr), or None for a weighting that has no surface (LTW-G).
    weights : one weight a term, in the same unit as ``z``, or None to read them off the surface.
    subtitle : a short second line (a formula, a similarity).
    support : where its own terms lie, as ``Grid.support``; that of the grid without it.
    spread : how far several of it lie apart at each grid point, in its unit: where they do, it looks uncertain.
    """

    name: str
    z: np.ndarray | None
    weights: np.ndarray | None = None
    subtitle: str = ""
    support: np.ndarray | None = None
    spread: np.ndarray | None = None

    @property
    def uncertain(self) -> np.ndarray | None:
        """What share of its colour a surface loses to its spread, 0 to 1: all where that is as large as its RMS height.

        The RMS is over the grid, and no larger than that: where a surface is near 0 its spread is not infinite.
        """
        if self.spread is None or self.z is None:
            return None
        size = float(np.sqrt(np.mean(np.square(self.z))))
        return np.clip(self.spread / size, 0, 1) if size > 0 else np.zeros_like(self.spread)

    @classmethod
    def of(cls, name: str, form: CanonicalForm, grid: Grid, subtitle: str = "") -> "SurfacePanel":
        """A weighting in canonical form, computed on a grid."""
        z = None if form.surface is None else np.asarray(form.surface(grid.tpr, grid.fpr))
        return cls(name, z, form.weights, subtitle)

    def grid(self, grid: Grid) -> Grid:
        """The grid with this panel's support."""
        return grid if self.support is None else replace(grid, support=self.support)


@dataclass(frozen=True, eq=False)
class PlaneView:
    """How surfaces, contours and the term map are shown.

    Attributes
    ----------
    p : float, optional
        Prevalence, written into the title.
    title : str
    base : {"light", "dark"}
    heights : {"auto", "rms", "peak", "raw"}
        See ``common_heights``.
    limits : (low, high), optional
        Ends of the height axis, in the unit of ``heights``; from the weights themselves without it.
    at_least : (low, high), optional
        What the height axis holds whatever the weights are: of a surface that changes, what it held before.
    faded : bool
        Take the colour from a surface where no terms lie.
    points : bool
        Draw the terms.
    sparse : bool
        In scenes with little room of points that would lie on each other only the strongest, and so that one sees
        through them.
    labels : int, optional
        How many of the strongest terms are named in a panel; each kind of figure has its own number.
    selected : sequence of str
        Terms to mark and name in every panel.
    hover : mapping of display name to weights, shape (terms,)
        Weights that the hover of a term lists.
    unit : str
        In what they are given, such as ``CANONICAL``; "" where they are the values of formulas.
    columns : int, optional
        Panels in a row (all, if None).
    hero : bool
        From four panels on draw the first one large, the others in two columns below it.
    height, width : int
        Pixels; the height follows from the panels without it, the width is about how wide the figure will be shown.
    page : int, optional
        Pixels of a window up to which a term map takes its layout for a narrow page; by its own width without it.
    camera : dict, optional
        Of 3D scenes; it stands as far away as the width needs without it.
    diagonal : bool
        On surfaces the line tpr = fpr. It does not follow what changes a surface in the browser.
    from_above : bool
        The first camera of 3D scenes stands higher: for surfaces that it would see from their edge, such as idf's.
    uirevision : str
        Keep it and the reader's camera and zoom are kept.
    """

    p: float | None = None
    title: str = ""
    base: str = "light"
    heights: str = "auto"
    limits: tuple[float, float] | None = None
    at_least: tuple[float, float] = (0.0, 0.0)
    faded: bool = True
    points: bool = True
    sparse: bool = False
    labels: int | None = None
    selected: Sequence[str] = ()
    hover: Mapping[str, np.ndarray] = field(default_factory=dict)
    unit: str = ""
    columns: int | None = None
    hero: bool = False
    height: int | None = None
    width: int = 1050
    page: int | None = None
    camera: dict | None = None
    diagonal: bool = False
    from_above: bool = False
    uirevision: str = ""


def caption(panel: SurfacePanel, base: str) -> str:
    """Panel title with its subtitle."""
    text = f'<b style="color:{palette.colour(panel.name, base)}">■</b> <b>{theme.escape(panel.name)}</b>'
    return text + (f"  {theme.note(panel.subtitle, base)}" if panel.subtitle else "")


def heading(view: PlaneView, grid: Grid, shown: int, total: int, stacked: bool = False) -> dict:
    """Figure title: what it is, and the facts without which it cannot be read; ``stacked`` puts these below it."""
    facts = []
    if view.p is not None:
        facts.append(f"Pr(c) = {prevalence(view.p)}")
    if total:
        every = "1 term" if total == 1 else f"{total:,} terms"
        facts.append(f"{shown:,} of {every} in view" if shown < total else every)
    facts.append({"linear": "linear axes", "log": "log axes", "logit": "logit axes"}[grid.scale])
    text = theme.note(" · ".join(facts), view.base, theme.SIZE["body"])
    if view.title:
        title = theme.shortened(view.title, TITLE) if stacked else theme.escape(view.title)
        text = f"<b>{title}</b>{'<br>' if stacked else '   '}{text}"
    return {"text": text, "y": 0.965 if stacked else 0.985, "yanchor": "top"}  # lower, or its first line is cut


def prevalence(p: float) -> str:
    """Pr(c) in percent with three figures."""
    return f"{100 * p:.3g}%"


def sentence(kind: str, view: PlaneView, panels: list[SurfacePanel], grid: Grid, total: int) -> str:
    """What a figure of a ``kind`` shows, of what, and where: the beginning of its alternative text."""
    names = listed(panel.name for panel in panels)
    where = "where the class’s terms lie" if grid.region == "terms" else "over the whole unit square"
    about = f" for {view.title}" if view.title else ""
    points = f", with {total:,} terms as points" if total and view.points else ""
    at = f", prevalence {prevalence(view.p)}" if view.p is not None else ""
    kind += "s" * (len(panels) > 1)
    return f"{kind} of {names}{about} over false-positive and true-positive rate {where}{points}{at}."
