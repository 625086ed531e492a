"""How large the 3D scenes of a figure are, where its cameras stand, and where its key and its scale of colours are."""

from ltw_core.figures import theme
from ltw_core.figures.panel_figure import BAR_HIGH, EDGE, LARGE, LARGE_WIDTH, PanelFigure
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane_view import LINE
from ltw_core.figures.scene import ASPECT, LOW, LOWER, LOWEST, UNTOLD, framed, room_for_ticks

CRAMPED = 520  # pixels of a figure whose scenes have little room
ABOVE = 98  # pixels above scenes in a column: the heading, and the colour bar, or it would be out of sight of the first
LOW_RATIO = 1.3
ROOMY = 400  # pixels of a scene that has room: below its ticks, for labels of two names, between its points
TOLD, TOLD_HIGH = 240, 180  # pixels of a scene among several below which its ticks have no numbers
BARE, HERO = 0.86, 0.94  # how near the camera comes where they have none, and where a large first one has some
CLOSE, CLOSE_LOW = 0.9, 0.96  # and how much nearer on a phone, two in a row; seen lower, tpr would be cut there
PHONE, STACKED = 0.84, 0.88  # and to one that fills the width there, alone or above others
COLUMN = 330  # pixels that each is high where several stand one below the other: the first one and its scale are seen
TICKS, AMPLE = 200, 260  # pixels that a scene is high whose camera may come nearer, or nearer still, with whole ticks


class SceneFigure(PanelFigure):
    """A figure of scenes; a subclass says what one of them shows."""

    cuts = True
    margin = {"l": 0, "r": 0, "t": 50, "b": 76}  # the colour bar whole: plotly would widen it, and draw the bar before

    def figure(self) -> PlainFigure:
        figure = super().figure()
        if self._in_a_column and not self.view.title:  # a title of plotly.js has its place by the figure's height
            place = {"on_page": True, "xanchor": "left", "align": "left", "yanchor": "top"}
            text, figure.layout["title"] = figure.layout["title"]["text"], {"text": ""}
            figure.write(text, 0, 1, self.ink.text, size=theme.SIZE["title"], yshift=ABOVE, xshift=EDGE, **place)
        return figure

    def size(self) -> tuple[float, dict[str, float]]:
        view, count = self.view, len(self.panels)
        across = 2 if self.hero else self.per_row
        rows = self.rows + (LARGE - 1 if self.hero else 0)
        usual = 200 if self.hero else COLUMN if self._in_a_column else {1: 440, 2: 400}.get(count, 350)
        if self._spare:
            self.margin = {**self.margin, "b": 8}
        if self.hero:
            self.margin = {**self.margin, "t": 40}
        elif self._in_a_column:
            self.margin = {**self.margin, "t": ABOVE - LINE, "b": 40}
        elif self._cramped:
            self.margin = {**self.margin, "b": 62}
        room = self.margin["t"] + self.margin["b"]
        high = (view.height - room) / rows if view.height else min(usual, 1.2 * view.width / across)
        near = 1.0
        filled = self._in_a_column or self._on_a_phone  # its width
        alone = filled or (count == 1 and view.width / high > LOW_RATIO)
        self._across, self._high = across, high
        wide = self._low(across, high)
        low = wide and not alone
        if alone:  # there is room at its sides, which a lower box fills; for its ticks also below
            near = STACKED if self._in_a_column else PHONE if self._on_a_phone else 0.81 if high >= ROOMY else 0.86
        elif low:  # the name of one lies over the room beside it, and all come nearer
            near = 0.88 if high >= AMPLE else 0.92 if high >= TICKS else 1.0
        self._inner = high * rows  # no taller than it needs
        told = self.told(view.width / across, high)
        if told:
            near *= room_for_ticks(view.width / across) * (1.05 if low else 1)  # none of its ticks is cut
        else:
            near *= HERO if self.hero else BARE
            near *= 1 if not self._cramped else CLOSE if view.from_above and not self.hero else CLOSE_LOW
        self._camera = view.camera or framed(view.width / across / high, near, view.from_above)
        if not view.camera and (alone or not (self.hero or told)):
            self._camera = {**self._camera, "center": (LOWEST if self._on_a_phone else LOWER) if alone else UNTOLD}
        elif not view.camera and told and low:
            self._camera = {**self._camera, "center": LOWER}
        self._aspect = LOW if alone or low else ASPECT
        between = 6 if self._named_inside else 28 if wide else 26
        top = 1 - 14 / self._inner if self._in_a_column else 0.98
        gaps = {"gap_x": 0.01, "gap_y": between / self._inner}
        return self._inner, {"top": top, "bottom": 0.0, **gaps}

    @property
    def stacked(self) -> bool:
        return super().stacked and (bool(self.view.title) or not self._on_a_phone)

    def told(self, across: float, high: float) -> bool:
        """Whether a scene of so many pixels has room for the numbers at its ticks: among several the colour bar, and a
        large first one, tell them."""
        return len(self.panels) == 1 or (across >= TOLD and high >= TOLD_HIGH)

    def _low(self, across: int, high: float) -> bool:
        """Whether scenes in several rows have room at their sides."""
        return self.rows > 1 and self.view.width / across / high > LOW_RATIO

    @property
    def _named_inside(self) -> bool:
        """Whether a scene's title stands in the room at its side."""
        return self.hero and self._aspect is LOW

    def key_place(self) -> tuple[float, float, float]:
        spare, width = self._spare, self.view.width
        if spare:
            return spare, self._beside - 0.02, (1 - spare) * width
        return 0, 1 + (10 + BAR_HIGH) / self._inner if self._in_a_column else -14 / self._inner, width

    @property
    def _spare(self) -> float:
        """Where a place without a scene begins, in the last row or beside a large scene, as a share of the width, for
        what stands below else; 0 where there is none."""
        if self.hero:
            return LARGE_WIDTH + 0.02
        last = len(self.panels) % self.per_row
        return 0.0 if self._cramped or self.rows == 1 or not last else last / self.per_row + 0.01

    @property
    def _beside(self) -> float:
        """How high what stands there does, as a share of the height: in the line of its row's names."""
        return 1 - 0.5 * LARGE / (self.rows + LARGE - 1) if self.hero else 0.98 / self.rows - 13 / self._inner

    @property
    def _in_a_column(self) -> bool:
        """Whether scenes stand one below the other, as on a small screen, and are not seen at once."""
        return self.view.columns == 1 and len(self.panels) > 1 and not self.view.height

    @property
    def _on_a_phone(self) -> bool:
        """Whether scenes have a phone's width and are seen at once."""
        return self.view.columns == 1 and bool(self.view.height) and self._cramped

    @property
    def _cramped(self) -> bool:
        """Whether scenes have little room."""
        return self.view.width < CRAMPED or self._in_a_column
