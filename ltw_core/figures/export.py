"""Figures outside of the app: no request leaves them, scenes turn together, the background is the theme's."""

from typing import Any

import plotly.graph_objects as go
import plotly.io as pio

from ltw_core.figures import theme
from ltw_core.figures.scene import SYNC_CAMERAS

SCRIPT = f"({SYNC_CAMERAS.strip()})(document.getElementById('{{plot_id}}'));"
"""What a page runs once its figure is there, in plotly's words."""


def html(figure: go.Figure, filename: str = "ltw-lab", **options: Any) -> str:
    """The figure as one HTML page (about 4.9 MB, plotly.js included), or with plotly's ``options`` as they say."""
    usual = {"config": theme.config(filename), "post_script": SCRIPT, "default_width": "100%"}
    page = pio.to_html(figure, **{**usual, **options})
    paper = figure.layout.paper_bgcolor or figure.layout.template.layout.paper_bgcolor or "#ffffff"
    return page.replace("<body>", f'<body style="margin:16px;background:{paper}">', 1)


class NotebookFigure(go.Figure):
    """A plotly Figure that keeps the app's settings wherever it is shown: nothing in it sends data anywhere.

    It is shown by the renderer that plotly takes for a notebook, which need not have nbformat.
    """

    @property
    def alt(self) -> str:
        """What it shows and what there is to see, in sentences."""
        return theme.alt(self)

    def show(self, *arguments: Any, **options: Any) -> None:
        """As plotly's."""
        super().show(*arguments, **{**_usual(), **options})

    def to_html(self, config: dict | None = None, **options: Any) -> str:
        """As plotly's; by itself one page with all that it needs."""
        return html(self, **{**options, "config": config or theme.config()})

    def write_html(self, file: Any, config: dict | None = None, **options: Any) -> None:
        """As plotly's."""
        super().write_html(file, **{**_usual(), **options, "config": config or theme.config()})

    def _repr_mimebundle_(self, *arguments: Any, **options: Any) -> dict:
        bundle = super()._repr_mimebundle_(*arguments, **{**_usual(), **options})
        return bundle and {**bundle, "text/plain": self.alt}

    def _repr_html_(self) -> str:
        return self.to_html(full_html=False)

    def _ipython_display_(self) -> None:
        from IPython.display import display

        bundle = self._repr_mimebundle_()
        if bundle:
            display(bundle, raw=True)
        else:  # of a terminal, which opens a browser
            self.show()


def _usual() -> dict:
    return {"config": theme.config(), "post_script": SCRIPT}
