"""The picture of a lesson in the list: an SVG beside its file, without colours of its own.

Its classes: c0 to c8 are weights from the lowest below 0 to the highest (c4: 0), g is grey, where no terms are, m is
for points, k for the one that is marked; l is a line, a dashed one with d, a strong one with b.
"""

from base64 import b64encode

import numpy as np

from ltw_core.figures import palette, theme
from pages._ui.result_cache import kept


@kept(100)
def still(drawing: str, base: str) -> str:
    """The picture in a theme, as an address that holds it: Streamlit lets no SVG into a page."""
    ink = theme.ink(base)
    weights = palette.hex_colours(palette.paint(np.linspace(-1, 1, 9), palette.DIVERGING[base], -1, 1))
    fills = {f"c{k}": colour for k, colour in enumerate(weights)} | {"g": ink.faded, "m": ink.muted, "k": ink.selected}
    style = "".join(f".{name}{{fill:{colour}}}" for name, colour in fills.items()) + (
        f"path,.l{{stroke:{ink.muted};stroke-width:.7;stroke-linejoin:round}}.l{{fill:none;stroke-width:2}}"
        f".d{{stroke-dasharray:4 4}}.b{{stroke:{ink.text};stroke-width:3}}"
    )
    drawn = drawing.replace(">", f"><style>{style}</style>", 1)
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"
