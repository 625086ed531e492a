"""``python -m pages._ui.learn_by_doing check``: whether all lessons can be read and answered.

Without names it checks the lessons that ship and those in ``lessons/`` of ``LTW_DATA``; with ``--corpus`` also that
every question has an answer there and every measure a value, on the class that a lesson names or the corpus's first.
"""

import argparse
import sys
from pathlib import Path

from ltw_core.corpora import catalogue, load
from ltw_core.lessons import MEASURES, Lesson, LessonError, read_lesson
from ltw_core.lessons.check import check_on
from ltw_core.tasks import vectorize
from pages._ui.learn_by_doing.lesson_files import SHIPPED, own_folder
from pages._ui.learn_by_doing.vocabulary import FIGURES, vocabulary


def main(arguments: list[str] | None = None) -> int:
    """Print what is wrong, a line each; returns how the process ends: 1 where something is wrong."""
    parser = argparse.ArgumentParser("python -m pages._ui.learn_by_doing", description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="check lessons")
    check.add_argument("files", nargs="*", type=Path, help="files; all lessons without any")
    check.add_argument(
        "--corpus", action="append", default=[], help="also compute everything there; 'all' for what is here"
    )
    commands.add_parser("measures", help="what texts and questions can name")
    given = parser.parse_args(arguments)
    if given.command == "measures":
        for name, found in sorted(MEASURES.items()):
            _say(f"{' '.join([name, *found.takes])}  ->  {found.gives}: {found.about}")
        _say("Figures:", *(f"  {name}: {', '.join(takes) or 'no settings'}" for name, takes in FIGURES.items()))
        return 0
    files = given.files or [*sorted(SHIPPED.glob("*.md")), *sorted(own_folder().glob("*.md"))]
    lessons, wrong = [], 0
    for path in files:
        try:
            lessons.append((path, read_lesson(path, vocabulary())))
        except LessonError as error:
            wrong += len(error.mistakes)
            _say(*error.lines())
    names = [r.name for r in catalogue() if r.available] if "all" in given.corpus else given.corpus
    for name in names:
        wrong += _on_corpus(name, lessons)
    _say(
        f"{len(files)} files, {len(lessons)} of them lessons; {wrong} mistakes"
        + f" (on {', '.join(names)})" * bool(names)
    )
    return int(bool(wrong))


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _on_corpus(name: str, lessons: list[tuple[Path, Lesson]]) -> int:
    """Mistakes on a corpus, printed."""
    wrong, corpus = 0, vectorize(load(name))
    first = next(reader.first_class for reader in catalogue() if reader.name == name) or corpus.class_names[0]
    for path, lesson in lessons:
        own = lesson.class_name if lesson.corpus == name and lesson.class_name in corpus.class_names else first
        for line, sentence in check_on(lesson, corpus.task(own)):
            wrong += 1
            _say(f"{path.name}:{line}: {sentence}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
