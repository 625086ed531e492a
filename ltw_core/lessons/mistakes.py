"""What is wrong in a lesson's file: a line and a sentence each, all of a file together."""

from typing import NamedTuple


class Mistake(NamedTuple):
    """A sentence on what is wrong and what to do, and the line of the file that it is about (from 1)."""

    line: int
    sentence: str


class LessonError(ValueError):
    """A lesson's file that cannot be used.

    Attributes
    ----------
    file : str
        Its name.
    mistakes : tuple of Mistake
        All that were found, by line.
    """

    def __init__(self, file: str, mistakes):
        self.file = file
        self.mistakes = tuple(sorted(mistakes))
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """ "file:line: sentence", one each."""
        return [f"{self.file}:{line}: {sentence}" for line, sentence in self.mistakes]
