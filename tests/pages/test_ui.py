"""The parts of the pages that are plain Python."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ltw_core.figures.drawing import Drawing, trace
from pages._ui import guard, words
from pages._ui.selection import first_class

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("learning_rate must be positive", "Learning\\_rate must be positive."),
        ("", "Something went wrong."),
        ("A.", "A."),
    ],
)
def test_messages_become_sentences(message, sentence):
    assert guard.capital(message) == sentence


def test_markup_is_escaped():
    assert guard.plain("<b>x</b> *y* $z$") == "\\<b\\>x\\</b\\> \\*y\\* \\$z\\$"


def test_numbers_in_words():
    assert words.percent(0.3) == "30 %" and words.percent(0.0188) == "1.9 %" and words.percent(0.0001) == "0.01 %"
    assert words.count(1, "class", "classes") == "1 class" and words.count(1234, "document") == "1,234 documents"
    assert words.f1(float("nan")) == "–" and words.f1(0.5) == "0.500"
    assert words.seconds(200) == "3 min 20 s"


def test_arrays_travel_as_float32():
    sent = json.loads(Drawing(trace("surface", z=np.zeros((4, 4)))).to_json())
    assert sent["data"][0]["z"]["dtype"] == "f4"


def test_the_first_class_is_neither_tiny_nor_huge():
    assert first_class("elsewhere", {"a": 1000, "b": 55, "c": 1}) == "b"
    assert first_class("reuters21578", {"earn": 2877, "corn": 181}) == "corn"


def test_the_start_page_needs_no_torch():
    code = "import sys, ltw_core.figures, ltw_core.experiments.examples as e; e.examples()\n"
    code += "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
