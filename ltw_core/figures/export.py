"""A figure as a self-contained web page: no request leaves it, scenes turn together, the background is the theme's."""

import plotly.graph_objects as go

from ltw_core.figures import theme
from ltw_core.figures.scene import SYNC_CAMERAS


def html(figure: go.Figure, filename: str = "ltw-lab") -> str:
    """The figure as one HTML page (about 4.9 MB, plotly.js included)."""
    sync = f"({SYNC_CAMERAS.strip()})(document.getElementById('{{plot_id}}'));"
    page = figure.to_html(
        include_plotlyjs=True, full_html=True, config=theme.config(filename), post_script=sync, default_width="100%"
    )
    paper = figure.layout.paper_bgcolor or figure.layout.template.layout.paper_bgcolor or "#ffffff"
    return page.replace("<body>", f'<body style="margin:16px;background:{paper}">', 1)
