"""Colours of data: one for every method and function, the one ramp of weights, and scales for other magnitudes.

Families differ in temperature: unsupervised weightings are grey, supervised ones cool, learned ones warm. A cd
function has the colour of the method made with it. What is added to the tables of ``ltw_core.weighting`` and stands in
none here gets a colour of its own by itself. Every colour has a light and a dark form; each stands out from the page by
3 : 1 or more (WCAG 2.2, 1.4.11), and words take ``theme.legible`` of it. Weights have one ramp wherever they are drawn:
diverging from blue to gold, with the page's own colour at zero, so that no weight looks like no weight; what is higher
or lower than something else takes its two colours. Other magnitudes (F1, documents) have a sequential scale: cividis,
greys or pale blues. All are safe for colour-blind readers.
"""

import colorsys
import zlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ltw_core.figures import contrast
from ltw_core.weighting.functions import CD
from ltw_core.weighting.methods import METHODS

# (light, dark)
UTW = {
    "Binary": ("#8d939c", "#606771"),
    "TF": ("#7b848e", "#737b86"),
    "LogTF": ("#6d747e", "#8a929d"),
    "TFIDF": ("#60666d", "#a1a9b3"),
    "LogTFIDF": ("#51575f", "#bac0c8"),
    "BM25": ("#262b31", "#eceef1"),
}
STW = {
    "TFCHI": ("#1f5fa8", "#6ba6ec"),
    "TFIG": ("#0b8a80", "#35c2b3"),
    "TFGR": ("#3599ca", "#8bd3f2"),
    "TFRF": ("#5a45b0", "#a693f5"),
    "ConfWeight": ("#3b8454", "#74c78e"),
    "Dense": ("#647e2f", "#b3d069"),
    "FT": ("#869943", "#cfe08f"),
    "CCA": ("#24486f", "#5f88b8"),
}
LTW = {
    "LTW-L-I": ("#c2410c", "#ff8a4c"),
    "LTW-L-sigma": ("#d27d00", "#ffc04d"),
    "LTW-G-I": ("#9d1c4a", "#f0709a"),
    "LTW-G-sigma": ("#d64570", "#ffa3b8"),
    "LTW-TF": ("#7a2e0e", "#d9895f"),
    "LTW-L-I x5": ("#8f3a5b", "#ff9a86"),
    "LTW-RF": ("#a85a1e", "#e5b27a"),
    "LTW-U": ("#b3462f", "#f6a58f"),
    "LTW-U shrunk": ("#86522f", "#d8b08c"),
    "LTW-U + RF": ("#5b7f2b", "#a9cf6d"),
}
METHOD_COLOURS = {**UTW, **STW, **LTW}
FAMILIES = {"UTW": METHOD_COLOURS["LogTFIDF"], "STW": METHOD_COLOURS["TFCHI"], "LTW": METHOD_COLOURS["LTW-L-I"]}
IN_WORDS = {"UTW": "unsupervised", "STW": "supervised", "LTW": "learned"}  # the families
FUNCTIONS = {  # those without a method of their own; IDF, which two methods use, has the shade further from BM25's
    "IDF": UTW["TFIDF"],
    "GSS": ("#8a7a1c", "#d6c45a"),
    "OR": ("#a8548f", "#e39bce"),
    "PMI": ("#7d5a45", "#c9a48d"),
    "BNS": ("#3f6f6b", "#8fc9c2"),
    "learned": METHOD_COLOURS["LTW-L-I"],
}
# document-dependent factors by their symbol: in ink, as colours are those of weightings
FACTORS = {
    "f": UTW["TF"],
    "1 + ln f": UTW["BM25"],
    "ln(1 + f)": UTW["TFIDF"],
    "f > 0": UTW["TF"],
    "BM25 tf": UTW["TFIDF"],
    "ln(1 + f/dl)": UTW["BM25"],
}
# a reader's own functions: which one, and which line, follows from the name
OWN = (
    ("#8b6f4e", "#cdb08c"),
    ("#b5179e", "#f27fe4"),
    ("#5c8a2e", "#a7d676"),
    ("#8a2be2", "#c98bff"),
    ("#5f0f40", "#e78fc4"),
    ("#4a5fc1", "#aab8ff"),
    ("#a8323e", "#ff9d9d"),
)
LONG = "12px,4px"  # plotly's longdash has gaps as long as its dashes
OWN_DASHES = ("solid", LONG, "dashdot", "dot")
_ALIASES = {"X2": "CHI2", "χ2": "CHI2", "LTW-L-σ": "LTW-L-sigma", "LTW-G-σ": "LTW-G-sigma", "LTW-L-I×5": "LTW-L-I x5"}
# solid lines lie below dashed ones: IDF is seen where IDF (BM25) is the same
DASHES = {"GR": "dash", "BM25": "dashdot", "1": "dot", "OR": "dash", "PMI": "dot", "GSS": "dashdot"}
DASHES |= {"BNS": LONG, "ln(1 + f)": "dash", "f > 0": "dot", "BM25 tf": LONG, "ln(1 + f/dl)": "dashdot"}
SERIES = ["LTW-L-I", "TFCHI", "LTW-L-sigma", "TFIG", "TFRF", "LTW-G-I", "TFGR", "ConfWeight", "LTW-G-sigma", "LogTFIDF"]

CIVIDIS = ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"]
PAPER = {"light": "#ffffff", "dark": "#12151a"}
# blue - the page's own colour - gold: orange is for what was learned and for the one action; in the dark the first
# steps are large, or a small weight would look like 0
DIVERGING = {
    "light": ["#123a6b", "#2a6aa8", "#69a7ce", "#bddbea", "#ffffff", "#f6dd96", "#dcae36", "#a8740a", "#5a3a05"],
    "dark": ["#a9d5f7", "#71b0e0", "#4c93cc", "#3575aa", "#12151a", "#8b681d", "#b08526", "#e6be58", "#f3dd99"],
}
# from hardly anything to all: shares of documents
GREYS = {
    "light": ["#f3f1ed", "#d9d7d3", "#b3b4b5", "#858a91", "#585f69", "#2f353d"],
    "dark": ["#1d2229", "#323943", "#525b67", "#7d8794", "#aeb5be", "#e3e1dd"],
}
# the same in the colour of scores
SHARES = {  # quickly past the middle tones, on which neither ink stands out
    "light": ["#f1f5f6", "#d3e3e8", "#a5c8d2", "#84b5c2", "#2d6e80", "#17586b"],
    "dark": ["#18232b", "#1d333e", "#264a58", "#336577", "#458299", "#5c9fb8"],
}
# from far behind the best score of a column to level with it: no end is the page's colour, which what is not compared
# has, and the page's text stands out on both
NEAR = {
    "light": ["#f3f7f9", "#7fadbb"],
    "dark": ["#192a35", "#1a5371"],
}
# the same of points, which carry no words and stand alone: from level with the best score to far behind it
NEAR_POINTS = {  # in even steps: where one is best by far, most lie in the middle, and are to be told apart
    "light": ["#083746", "#1f6177", "#3a8499", "#6aa3b4", "#a8cad4", "#eef5f7"],
    "dark": ["#e6f9ff", "#b4e0f0", "#85c4db", "#5a9db5", "#34697e", "#18303a"],
}
STOPS = 64  # pieces of a ramp of weights


INK_ON_DARK, INK_ON_LIGHT = "#ffffff", "#000000"  # on whatever colour, one of these two keeps 4.5 : 1
CLEAR = 5.5  # contrast that one of them has where it is clear which


def colour(name: str, base: str = "light") -> str:
    """The one colour of a method ("LTW-L-I"), a cd function ("CHI2", "χ²", "learned") or a family ("STW").

    A name that is not known (a reader's own function) gets one of ``OWN``, the same every time.
    """
    pair = _colours(tuple(METHODS), tuple(CD)).get(_plain_name(name), OWN[_slot(name) % len(OWN)])
    return pair[base == "dark"]


def _plain_name(name: str) -> str:
    """The name that stands in the tables: of an alias, or of a function by whose symbol a curve is called."""
    return _ALIASES.get(name) or next((function.name for function in CD.values() if function.symbol == name), name)


@lru_cache(maxsize=4)
def _colours(methods: tuple[str, ...], functions: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """The colours of all names, with those of the registered methods and functions that stand in no table."""
    found = {**FAMILIES, **FACTORS, **FUNCTIONS, **METHOD_COLOURS}
    for row in (METHODS[name] for name in methods if name not in found):
        found[row.name] = _automatic(row.family, len(found))
    made_with = {METHODS[name].cd: found[name] for name in methods}
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


def distinct_styles(names: Iterable[str], base: str = "light") -> dict[str, tuple[str, str]]:
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
    return _plain_name(name) in _colours(tuple(METHODS), tuple(CD))


def family(name: str) -> str | None:
    """Family of a method, FT included; None for other names."""
    name = _plain_name(name)
    return METHODS[name].family if name in METHODS else "STW" if name in STW else None


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
    """Colours and limits of the ramp for weights in [low, high], whatever their signs.

    Returns
    -------
    colours, cmin, cmax
        Evenly spaced colours; that of 0 is exactly the page's. Equal magnitudes have equally strong colours: the ramp
        is symmetric about 0, and the part of it that no value needs is left off. The limits hold [low, high] and 0; the
        nearer one lies outside by as much as it takes for 0 to be one of the colours.
    """
    low, high = float(min(low, 0.0)), float(max(high, 0.0))
    if low == high:
        high = 1.0
    if low < 0 < high:
        share = STOPS * -low / (high - low)
        if high > -low:
            low = -high * (zero := np.ceil(share)) / (STOPS - zero)
        else:
            high = -low * (STOPS - (zero := np.floor(share))) / zero
    reach = max(-low, high)
    return hex_colours(paint(np.linspace(low, high, STOPS + 1), DIVERGING[base], -reach, reach)), low, high


def ink_over(base: str = "light") -> tuple[str, str]:
    """Ink and halo for lines and words that lie on the ramp of weights: light in the dark, dark on pale colours."""
    return ("#1f2328", PAPER["light"]) if base == "light" else ("#ffffff", PAPER["dark"])


def on_dark(values, colours: list[str], low: float, high: float) -> np.ndarray:
    """Whether a scale is dark at each value, so that words and points on it must be light; array of bool."""
    return contrast.is_dark(paint(values, colours, low, high))


def ink_on(values, colours: list[str], low: float, high: float) -> tuple[list[str], list[str]]:
    """Ink and halo for words that lie on a scale at these values, light on dark and dark on light."""
    dark = on_dark(values, colours, low, high)
    return np.where(dark, INK_ON_DARK, INK_ON_LIGHT).tolist(), np.where(dark, "#12151a", "#ffffff").tolist()


def behind_words(values, colours: list[str], low: float, high: float) -> tuple[list[str], list[str]]:
    """Colours of a scale to lie behind words, and the ink on each: of the middle tones, on which black and white stand
    out equally little, none is taken, but the nearest that is clearly for one of both."""
    values = np.asarray(values, dtype=float)
    painted = paint(values, colours, low, high)
    clear = np.maximum(*(contrast.ratio(painted, ink) for ink in rgb([INK_ON_DARK, INK_ON_LIGHT]))) >= CLEAR
    nearest = values[clear][np.abs(values[:, None] - values[clear]).argmin(axis=1)]
    return hex_colours(paint(nearest, colours, low, high)), ink_on(nearest, colours, low, high)[0]


def dots_on(values, colours: list[str], low: float, high: float) -> dict:
    """Colours of a marker for points on a scale, a byte a point."""
    dark = on_dark(values, colours, low, high).astype(np.uint8)
    scale = [[0, INK_ON_LIGHT], [1, INK_ON_DARK]]
    return {"color": dark, "colorscale": scale, "cmin": 0, "cmax": 1, "showscale": False}


def contour_ink(base: str = "light") -> str:
    """Opaque colour of level lines on a surface (WebGL lines blend badly), to be seen on both ends of the ramp."""
    return "#6f7681" if base == "dark" else "#ab9d8a"


def net_ink(base: str = "light") -> str:
    """Opaque colour of the net on a surface, by which its form is seen where it has the colour of the page."""
    return "#4d535d" if base == "dark" else "#d3cec6"


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
