"""Colours of data: one for every method and function, and the scales for magnitudes and for signed weights.

Families are told apart by temperature: unsupervised weightings are grey, supervised ones cool, learned ones warm. A cd
function has the colour of the method made with it. What is added to the tables of ``ltw_core.weighting`` and stands in
none here gets a colour of its own by itself. Every colour has a light and a dark form. Scales are safe for colour-blind
readers: viridis and cividis, and a diverging one from blue to orange.
"""

import colorsys
import zlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ltw_core.weighting.functions import CD
from ltw_core.weighting.methods import METHODS as REGISTERED

# (light, dark)
UTW = {
    "Binary": ("#b4b8be", "#5d646e"),
    "TF": ("#9da3ab", "#737b86"),
    "LogTF": ("#868d96", "#8a929d"),
    "TFIDF": ("#6f767f", "#a1a9b3"),
    "LogTFIDF": ("#575e67", "#bac0c8"),
    "BM25": ("#3f454d", "#d4d8dd"),
}
STW = {
    "TFCHI": ("#1f5fa8", "#6ba6ec"),
    "TFIG": ("#0b8a80", "#35c2b3"),
    "TFGR": ("#4aa3cf", "#8bd3f2"),
    "TFRF": ("#5a45b0", "#a693f5"),
    "ConfWeight": ("#3b8454", "#74c78e"),
    "Dense": ("#7a9a3a", "#b3d069"),
    "FT": ("#a3b85c", "#cfe08f"),
    "CCA": ("#24486f", "#5f88b8"),
}
LTW = {
    "LTW-L-I": ("#c2410c", "#ff8a4c"),
    "LTW-L-sigma": ("#e08600", "#ffc04d"),
    "LTW-G-I": ("#9d1c4a", "#f0709a"),
    "LTW-G-sigma": ("#d64570", "#ffa3b8"),
    "LTW-TF": ("#7a2e0e", "#d9895f"),
}
METHODS = {**UTW, **STW, **LTW}
FAMILIES = {"UTW": METHODS["LogTFIDF"], "STW": METHODS["TFCHI"], "LTW": METHODS["LTW-L-I"]}
FUNCTIONS = {  # those that no method is made with
    "GSS": ("#8a7a1c", "#d6c45a"),
    "OR": ("#a8548f", "#e39bce"),
    "PMI": ("#7d5a45", "#c9a48d"),
    "learned": METHODS["LTW-L-I"],
}
# document-dependent factors by their symbol; the one of Learning to Weight is warm
FACTORS = {
    "f": METHODS["LogTFIDF"],
    "1 + ln f": METHODS["TFCHI"],
    "ln(1 + f)": METHODS["TFIG"],
    "f > 0": METHODS["TF"],
    "BM25 tf": METHODS["TFRF"],
    "ln(1 + f/dl)": METHODS["LTW-L-I"],
}
# a reader's own functions: which one, and which line, follows from the name
OWN = (
    ("#8b6f4e", "#cdb08c"),
    ("#b5179e", "#f27fe4"),
    ("#5c8a2e", "#a7d676"),
    ("#00838f", "#5fdcea"),
    ("#5f0f40", "#c98bff"),
    ("#4a5fc1", "#aab8ff"),
    ("#a8323e", "#ff9d9d"),
)
OWN_DASHES = ("solid", "longdash", "dashdot", "dot")
_ALIASES = {"X2": "CHI2", "χ2": "CHI2", "LTW-L-σ": "LTW-L-sigma", "LTW-G-σ": "LTW-G-sigma"}
DASHES = {"GR": "dash", "IDF": "dot", "BM25": "dashdot", "1": "dot", "OR": "dash", "PMI": "dot", "GSS": "dashdot"}
DASHES |= {"ln(1 + f)": "dash", "f > 0": "dot"}
SERIES = ["LTW-L-I", "TFCHI", "LTW-L-sigma", "TFIG", "TFRF", "LTW-G-I", "TFGR", "ConfWeight", "LTW-G-sigma", "LogTFIDF"]

VIRIDIS = ["#440154", "#482878", "#3e4a89", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725"]
CIVIDIS = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"]
# blue - neutral - orange; the middle is near the page, so that no weight looks like no weight
DIVERGING = {
    "light": ["#123a6b", "#2a6aa8", "#69a7ce", "#bddbea", "#f6f2ea", "#f7cf8b", "#e8903f", "#c4480f", "#7a2208"],
    "dark": ["#d9efff", "#93c6ee", "#4c93cc", "#39698f", "#5a616d", "#a3643a", "#e27a33", "#ffb76b", "#ffe9c7"],
}


INK_ON_DARK, INK_ON_LIGHT = "#ffffff", "#1f2328"
LUMA = np.array([0.299, 0.587, 0.114])


def colour(name: str, base: str = "light") -> str:
    """The one colour of a method ("LTW-L-I"), a cd function ("CHI2", "χ²", "learned") or a family ("STW").

    A name that is not known (a reader's own function) gets one of ``OWN``, the same every time.
    """
    pair = _colours(tuple(REGISTERED), tuple(CD)).get(_plain_name(name), OWN[_slot(name) % len(OWN)])
    return pair[base == "dark"]


def _plain_name(name: str) -> str:
    """The name that stands in the tables: of an alias, or of a function by whose symbol a curve is called."""
    return _ALIASES.get(name) or next((function.name for function in CD.values() if function.symbol == name), name)


@lru_cache(maxsize=4)
def _colours(methods: tuple[str, ...], functions: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """The colours of all names, with those of the registered methods and functions that stand in no table."""
    found = {**FAMILIES, **FACTORS, **FUNCTIONS, **METHODS}
    for row in (REGISTERED[name] for name in methods if name not in found):
        found[row.name] = _automatic(row.family, len(found))
    made_with = {REGISTERED[name].cd: found[name] for name in methods}
    for function in (CD[name] for name in functions if name not in found):
        own = "STW" if function.supervised else "UTW"
        found[function.name] = made_with.get(function.name) or _automatic(own, len(found))
    return found


def _automatic(family: str, index: int) -> tuple[str, str]:
    """A colour of a family's temperature, another one for each index."""
    step = 0.618 * index % 1  # neighbours well apart
    hue, saturation = {"UTW": (0.6, 0.08), "STW": (0.36 + 0.36 * step, 0.5), "LTW": (0.12 * step, 0.75)}[family]
    shift = 0.3 * (step - 0.5) if family == "UTW" else 0.0
    light, dark = (255 * np.array(colorsys.hls_to_rgb(hue, at + shift, saturation)) for at in (0.38, 0.68))
    return tuple(hex_colours(np.array([light, dark])))


def told_apart(names: Iterable[str], base: str = "light") -> dict[str, tuple[str, str]]:
    """Colour and dash of several functions in one figure: of those that are not known no two are drawn alike."""
    found, used = {}, set()
    for name in names:
        if has_colour(name):
            found[name] = colour(name, base), dash(name)
            continue
        slot = _slot(name)
        while slot % len(OWN) in used and len(used) < len(OWN):
            slot += 1
        used.add(slot % len(OWN))
        found[name] = OWN[slot % len(OWN)][base == "dark"], dash(name)
    return found


def _slot(name: str) -> int:
    return zlib.crc32(name.encode("utf-8", "replace"))


def has_colour(name: str) -> bool:
    """Whether the name has a colour of its own."""
    return _plain_name(name) in _colours(tuple(REGISTERED), tuple(CD))


def family(name: str) -> str | None:
    """Family of a method, FT included; None for other names."""
    name = _plain_name(name)
    return REGISTERED[name].family if name in REGISTERED else "STW" if name in STW else None


def is_learned(name: str) -> bool:
    """Whether the name is that of a learned weighting."""
    return name == "learned" or family(name) == "LTW"


def dash(name: str) -> str:
    """Line style of a function where several are overlaid; colour is never the only difference."""
    if not has_colour(name):
        return OWN_DASHES[_slot(name) // len(OWN) % len(OWN_DASHES)]
    return DASHES.get(_plain_name(name), "solid")


def series(base: str = "light") -> list[str]:
    """Colours for unnamed series (several runs), neighbours well apart."""
    return [colour(name, base) for name in SERIES]


def scale_for(low: float, high: float, base: str = "light") -> tuple[list[str], float, float]:
    """Colours and limits for values in [low, high]: viridis for magnitudes, diverging about 0 for signed ones.

    Returns
    -------
    colours, cmin, cmax
        In the signed case equal magnitudes have equally strong colours: the scale is symmetric about 0, and the part
        of it that no value needs is left off.
    """
    if low < -0.04 * max(high, 1e-12):
        reach, high = max(abs(low), abs(high)), max(high, 0.0)
        stops = np.linspace(low, high, 33)
        return hex_colours(paint(stops, DIVERGING[base], -reach, reach)), float(low), float(high)
    return VIRIDIS, float(min(low, 0.0)), high if high > 0 else 1.0


def ink_over(colours: list[str], base: str = "light") -> tuple[str, str]:
    """Ink and halo for points and words that lie on a scale: light on viridis and in the dark, dark on pale colours."""
    dark_ink = base == "light" and colours is not VIRIDIS
    return ("#1f2328", "#ffffff") if dark_ink else ("#ffffff", "#12151a")


def on_dark(values, colours: list[str], low: float, high: float) -> np.ndarray:
    """Whether a scale is dark at each value, so that words and points on it must be light; array of bool."""
    return paint(values, colours, low, high) @ LUMA < 128


def ink_on(values, colours: list[str], low: float, high: float) -> tuple[list[str], list[str]]:
    """Ink and halo for words that lie on a scale at these values, light on dark and dark on light."""
    dark = on_dark(values, colours, low, high)
    return np.where(dark, INK_ON_DARK, INK_ON_LIGHT).tolist(), np.where(dark, "#12151a", "#ffffff").tolist()


def dots_on(values, colours: list[str], low: float, high: float) -> dict:
    """Colours of a marker for points on a scale, a byte a point."""
    dark = on_dark(values, colours, low, high).astype(np.uint8)
    scale = [[0, INK_ON_LIGHT], [1, INK_ON_DARK]]
    return {"color": dark, "colorscale": scale, "cmin": 0, "cmax": 1, "showscale": False}


def contour_ink(colours: list[str], base: str = "light") -> str:
    """Opaque colour of level lines on a surface (WebGL lines blend badly): a shade off the scale."""
    if base == "dark":
        return "#171b21"
    return "#dcd8d0" if colours is VIRIDIS else "#b3a48f"


def rgb(colours) -> np.ndarray:
    """Hex colours as an array (…, 3) of 0 to 255."""
    return np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colours], dtype=float)


def paint(values, colours: list[str], low: float, high: float) -> np.ndarray:
    """Colours of values on a scale as an array (…, 3) of 0 to 255."""
    t = np.clip((np.asarray(values, dtype=float) - low) / ((high - low) or 1.0), 0, 1)
    stops, table = np.linspace(0, 1, len(colours)), rgb(colours)
    return np.stack([np.interp(t, stops, table[:, i]) for i in range(3)], axis=-1)


def hex_colours(array: np.ndarray) -> list[str]:
    """An array (n, 3) of 0 to 255 as hex colours."""
    digits = np.clip(np.rint(array), 0, 255).astype(np.uint8).tobytes().hex()
    return ["#" + digits[k : k + 6] for k in range(0, len(digits), 6)]


def halo(paper: str) -> str:
    """Text shadow that keeps words legible over data."""
    return ", ".join([f"0 0 {width}px {paper}" for width in (1, 2, 3, 4)])


def translucent(colour_: str, alpha: float) -> str:
    """A hex colour with an opacity."""
    r, g, b = rgb([colour_])[0].astype(int)
    return f"rgba({r},{g},{b},{alpha:g})"
