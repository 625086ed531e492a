"""Lessons as data: one Markdown file each, read strictly; the answers to its questions are computed from a corpus.

``parse`` and ``read_lesson`` give a ``Lesson`` or all the mistakes of a file, each with its line. ``Values``
computes what a lesson's texts and questions name. Nothing in a file is executed, and
what it says is no HTML. Left out: showing it.
"""

from ltw_core.lessons.guesses import VERDICTS, Verdict, checked, judge
from ltw_core.lessons.lesson import Figure, Lesson, Option, Question, Reveal, Step, Task, Text
from ltw_core.lessons.measures import MEASURES, Expression
from ltw_core.lessons.mistakes import LessonError, Mistake
from ltw_core.lessons.reader import NAMED, Vocabulary, parse, read_lesson
from ltw_core.lessons.tally import Tally, tally
from ltw_core.lessons.values import Values
