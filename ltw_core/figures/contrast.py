"""How well a colour can be told from what it lies on: the contrast of WCAG 2.2, and a colour that has enough of it.

Formulas: W3C, Web Content Accessibility Guidelines 2.2 (2024), definitions of relative luminance and contrast ratio.
"""

import functools

import numpy as np

TEXT, LARGE_TEXT, MARK = 4.5, 3.0, 3.0  # what the guidelines ask for (1.4.3 and 1.4.11)
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
STEPS = 100


def luminance(colours) -> np.ndarray:
    """Relative luminance, 0 to 1, of colours of sRGB: shape (…, 3) of 0 to 255 gives shape (…)."""
    share = np.asarray(colours, dtype=float) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4) @ LUMINANCE


def ratio(one, other) -> np.ndarray:
    """Contrast of colours of 0 to 255, shapes (…, 3): from 1 of the same ones to 21 of black and white."""
    one, other = luminance(one), luminance(other)
    return (np.maximum(one, other) + 0.05) / (np.minimum(one, other) + 0.05)


def is_dark(colours) -> np.ndarray:
    """Whether white stands out from colours of 0 to 255 more than black: the better of both has 4.58 : 1 or more."""
    return ratio(colours, [255, 255, 255]) > ratio(colours, [0, 0, 0])


@functools.lru_cache(maxsize=1024)
def enough(colour: str, on: str, least: float = TEXT) -> str:
    """The colour (hex) itself, or the nearest mixed with black or white that has the contrast ``least`` to ``on``."""
    rgb, paper = ([int(each[k : k + 2], 16) for k in (1, 3, 5)] for each in (colour, on))
    end = 255.0 if is_dark(paper) else 0.0
    for share in np.linspace(0, 1, STEPS + 1):
        mixed = np.rint((1 - share) * np.array(rgb, dtype=float) + share * end).astype(int)
        if ratio(mixed, paper) >= least:
            return "#" + bytes(mixed.tolist()).hex()
    raise ValueError(f"no colour has a contrast of {least:g} to {on}")
