"""What a lesson's file can name of this app: figures with their settings, and addresses."""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from ltw_core.lessons import Vocabulary
from ltw_core.weighting import CD, cd_function, method, methods
from pages._ui.addresses import MOVED
from pages._ui.controls import TEXTS
from pages._ui.reader.selection import ADDRESS

ROOT = Path(__file__).resolve().parents[3]
PAGE = re.compile(r'st\.Page\("(pages/[\w/]+\.py)"')
BOUND = re.compile(
    r'words\.tabs\("(\w+)"|key="(\w+)",\s*bind="query-params"|choices\.(?:scale|region)\("(\w+)"'
    r'|choices\.functions\([^()]*?"(\w+)",\s*[\dA-Z]'
)
PLACE = re.compile(r"(\w+)=([\d.]+),([\d.]+)")  # of a point that no term makes: its name, tpr and fpr
PAGE_TITLES = {"data": "Data", "classifiers": "Classifiers", "study": "Studies", "learn_by_doing": "Lessons"}
LISTS = ("functions", "iso", "beside")  # lists of functions
REVEALED = "after"  # of every figure: the question after whose reveal it is shown


def _any(value: str) -> str:
    return ""


def _functions(value: str) -> str:
    try:
        for word in value.split():
            cd_function(word)
    except ValueError as error:
        return f"{error}."
    return ""


def _methods(value: str) -> str:
    for word in value.split():
        if word not in methods() or method(word).cd is None:
            return f"there is no weighting “{word}” that shows here."
    return ""


def _one_of(*allowed: str) -> Callable[[str], str]:
    return lambda value: "" if value in allowed else f"it must be one of {', '.join(allowed)}."


def _rate(value: str) -> str:
    try:
        return "" if 0 <= float(value) <= 1 else "it must lie between 0 and 1."
    except ValueError:
        return "it must be a number between 0 and 1."


def _places(value: str) -> str:
    found = [PLACE.fullmatch(word) for word in value.split()]
    if all(found) and not any(_rate(rate) for place in found for rate in place.groups()[1:]):
        return ""
    return "it must be names with their tpr and fpr, as in A=.1,0 B=.5,.1."


def _prevalence(value: str) -> str:
    return "" if value == "free" else _rate(value)


PREVALENCE = {"prevalence": _prevalence, "start": _rate}  # a free one starts at ``start``, else at this class's
SCALE, REGION = _one_of("log", "linear"), _one_of("terms", "square")
SEED, VARIANT = _one_of("0", "1", "2"), _one_of("LTW-L-I", "LTW-L-sigma")
FIGURES: dict[str, dict[str, Callable[[str], str]]] = {
    "map": {"terms": _any, "lines": _functions, "region": REGION, "scale": SCALE},
    "counts": {"terms": _any},
    "document": {"terms": _any},  # marked in it
    "surfaces": {"functions": _functions, **PREVALENCE, "region": REGION, "scale": SCALE},
    "above": {
        "functions": _functions,
        **PREVALENCE,
        "region": REGION,
        "scale": SCALE,
        "terms": _any,
        "places": _places,
    },
    "slices": {"functions": _functions, **PREVALENCE, "along": _one_of("tpr", "fpr"), "at": _rate},
    "training": {"example": _one_of("true")},  # what ships for the class, where the reader trained nothing
    "learned": {"functions": _functions, "terms": _any, "seed": SEED, "variant": VARIANT},
    "seeds": {"region": REGION},
    # ``empty``: its axis alone, before the answer; of several methods, ``interval=false``: before a step that asks how
    # wide it is; of one, ``more``: also had it found one more document, whose F1 is asked for or told
    "f1": {
        "methods": _methods,
        "empty": _one_of("true"),
        "interval": _one_of("true", "false"),
        "more": _one_of("asked", "told"),
    },
    "differences": {"methods": _methods},  # of the first from each of the others
    "redrawn": {"methods": _methods, "empty": _one_of("true")},
    "weights": {"fixed": _one_of("true")},  # bars without sliders
    "under": {"methods": _methods, "empty": _one_of("true")},
    "sculpt": {"functions": _functions, "learned": SEED, "test": _one_of("true", "false")},
}


def vocabulary() -> Vocabulary:
    """For the reader of lessons."""
    return Vocabulary(figures={name: {**takes, REVEALED: _any} for name, takes in FIGURES.items()}, scene=wrong_scene)


@functools.cache
def places() -> dict[str, str]:
    """Files of the pages by their address."""
    files = PAGE.findall((ROOT / "app.py").read_text("utf-8"))
    return {Path(file).stem: file for file in files} | MOVED


@functools.cache
def _parameters() -> frozenset[str]:
    """What addresses of the app can hold: the shared selection, controls kept there, tabs and lists of functions."""
    texts = [path.read_text("utf-8") for path in (ROOT / "pages").rglob("*.py")]
    bound = {name for text in texts for found in BOUND.findall(text) for name in found if name}
    return frozenset({*ADDRESS, *bound, *(key for key, entry in TEXTS.items() if entry.get("kept") == "address")})


def wrong_scene(address: str) -> str:
    """What is wrong with an address of the app, in a sentence; "" where it is one."""
    parts = urlsplit(address)
    name = parts.path.strip("/")
    if parts.scheme or parts.netloc or not address.startswith("/"):
        return f"A scene is an address of the app such as /functions?functions=CHI2, not “{address[:60]}”."
    if name not in places():
        return f"The app has no page /{name[:40]}; it has {', '.join('/' + place for place in places())}."
    for key, _ in parse_qsl(parts.query, keep_blank_values=True):
        if key not in _parameters():
            return (
                f"No page of the app has “{key[:40]}” in its address; open the scene in the app and copy its address."
            )
    return ""


def way_to(page: str) -> str:
    """What leads to a page says where it leads."""
    name = Path(page).stem
    return "Open in the Workbench" if name == "workbench" else f"Open on the page {PAGE_TITLES.get(name, name)}"


def scene(address: str) -> tuple[str, list[tuple[str, str]]]:
    """The page of a scene and what its address asks for."""
    parts = urlsplit(address)
    asked = parse_qsl(parts.query)
    # lists of functions stand in addresses by what is shown: χ², and not CHI2
    shown = [(key, CD[value].symbol if key in LISTS and value in CD else value) for key, value in asked]
    return places()[parts.path.strip("/")], shown
