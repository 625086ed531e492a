"""The lessons that there are: those that ship with the app, and a teacher's own in ``lessons/`` of ``LTW_DATA``."""

import importlib.util
import re
from dataclasses import dataclass, replace
from pathlib import Path

from ltw_core import settings
from ltw_core.lessons import Lesson, LessonError, read_lesson
from pages._ui.learn_by_doing.vocabulary import vocabulary
from pages._ui.result_cache import kept

SHIPPED = Path(__file__).resolve().parents[2] / "learn_by_doing" / "lessons"
MOST = 200  # files of a teacher that are listed
NUMBER = re.compile(r"^\d+-")  # before a name: its place in the list


@dataclass(frozen=True)
class LessonFile:
    """A file of the list: a lesson, or what is wrong with it. ``own``: it is a teacher's, and no text of the app;
    ``picture``: SVG that says at a glance what an app's lesson is about, in the classes of ``still``."""

    name: str
    lesson: Lesson | None
    mistakes: tuple[str, ...]
    own: bool
    version: str
    picture: str = ""


def library_missing() -> str:
    """A sentence where the package is not installed that reads lessons; empty where it is."""
    if all(importlib.util.find_spec(name) for name in ("markdown_it", "mdit_py_plugins")):
        return ""
    return "Lessons need the packages markdown-it-py and mdit-py-plugins: run pip install -r requirements.txt."


def own_folder() -> Path:
    """Where a teacher puts lessons."""
    return settings.data_dir() / "lessons"


def entries() -> list[LessonFile]:
    """All lessons in the order of their files' names, the app's first. A teacher's of the same name is left out."""
    found: dict[str, LessonFile] = {}
    for folder, own in ((SHIPPED, False), (own_folder(), True)):
        for path in sorted(folder.glob("*.md"))[:MOST]:
            entry = _entry(path, own)
            found.setdefault(entry.name, entry)
    return list(found.values())


def find(name: str | None) -> LessonFile | None:
    """A lesson by its name, None where there is none."""
    return next((entry for entry in entries() if entry.name == name), None) if name else None


def name_of(path: Path) -> str:
    """What an address calls the lesson of a file."""
    return NUMBER.sub("", path.stem)


def _entry(path: Path, own: bool) -> LessonFile:
    try:
        about = path.stat()
    except OSError:
        return LessonFile(name_of(path), None, (f"{path.name}:1: This file cannot be read.",), own, "")
    return _read(path, f"{about.st_mtime_ns}-{about.st_size}", own)


@kept(4 * MOST)
def _read(path: Path, version: str, own: bool) -> LessonFile:
    name = name_of(path)
    try:
        lesson = replace(read_lesson(path, vocabulary()), name=name)
    except LessonError as error:
        return LessonFile(name, None, tuple(error.lines()), own, version)
    drawing = path.with_suffix(".svg")
    picture = drawing.read_text("utf-8") if not own and drawing.exists() else ""
    return LessonFile(name, lesson, (), own, version, picture)
