"""Explanations on the pages of this section: ``texts.toml`` has them by key, with places for numbers and names."""

import tomllib
from pathlib import Path
from typing import Any

TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def text(key: str, **values: Any) -> str:
    """A paragraph."""
    return TEXTS[key].format(**values)


def numbers(key: str, cells: dict[str, str], **values: Any) -> list[tuple[str, str, str]]:
    """Numbers in a row, for ``words.figures``: label, value, and what it is."""
    about = TEXTS["numbers"][key]
    return [(label, value, about[label].format(**values)) for label, value in cells.items()]
