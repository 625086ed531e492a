"""Settings that cannot be used: a sentence at start, of the app and of each command line, and no import that fails."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ltw_core import settings
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parent.parent
LEAST_1 = ("LTW_JOBS", "LTW_JOBS_EACH", "LTW_JOBS_ALL", "LTW_UPLOADS_EACH", "LTW_UPLOADS_ALL", "LTW_TABLE")
WRONG = [
    *((name, value, f"{name} is {value!r}; it must be a whole number of at least 1") for name in LEAST_1 for value in
      ("many", "0", "-3", "2.5", "nan", "9" * 5000)),
    *(("LTW_STUDY_WORKERS", value, f"LTW_STUDY_WORKERS is {value!r}; it must be a whole number of at least 0")
      for value in ("all", "-1", "1e3")),
    *(("LTW_GRACE", value, f"LTW_GRACE is {value!r}; it must be a number of at least 1")
      for value in ("soon", "0.5", "nan", "-inf")),
    ("LTW_SHARE_UPLOADS", "perhaps", "LTW_SHARE_UPLOADS is 'perhaps'; it must be 1 (yes) or 0 (no)"),
    *((name, "~nobody-of-that-name/x", f"{name} is '~nobody-of-that-name/x'; there is no such home folder")
      for name in ("LTW_DATA", "LTW_STATE")),
    *((name, __file__, f"{name} is {__file__!r}; it must be a folder, and that is a file")
      for name in ("LTW_DATA", "LTW_STATE")),
]  # fmt: skip
COMMANDS = (["ltw_core.studies", "status"], ["ltw_core.corpora", "list"])


@pytest.mark.parametrize("name, value, sentence", WRONG, ids=lambda v: str(v)[:24])
def test_a_wrong_setting_is_a_sentence(name, value, sentence, monkeypatch):
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError) as raised:
        settings.check()
    assert str(raised.value) == sentence


@pytest.mark.parametrize("value, shared", [("", False), ("0", False), ("No", False), ("1", True), (" TRUE ", True)])
def test_ways_to_say_yes_and_no(value, shared, monkeypatch):
    monkeypatch.setenv("LTW_SHARE_UPLOADS", value)
    settings.check()
    assert settings.share_uploads() is shared


def test_every_setting_is_checked_and_written_down():
    source = (ROOT / "ltw_core/settings.py").read_text(encoding="utf-8")
    explained, _, code = source.partition("import os")
    named = set(re.findall(r'"(LTW_\w+)"', code))
    assert named == set(re.findall(r"LTW_\w+", explained))
    assert named == {name for name, *_ in WRONG}  # each is tried here
    others = [path for folder in ("ltw_core", "pages") for path in (ROOT / folder).rglob("*.py")]
    assert [path for path in others if "os.environ" in path.read_text(encoding="utf-8")] == [
        ROOT / "ltw_core/settings.py"
    ]
    assert named <= set(re.findall(r"`(LTW_\w+)", (ROOT / "README.md").read_text(encoding="utf-8")))


def run(*arguments, **wrong):
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=os.environ | wrong, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c[0])
def test_command_lines_say_it_and_nothing_else(command):
    done = run("-m", *command, LTW_JOBS="many", LTW_GRACE="soon")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "LTW_JOBS is 'many'; it must be a whole number of at least 1; "
        "LTW_GRACE is 'soon'; it must be a number of at least 1\n"
    )


def test_no_import_fails_for_a_setting():
    wrong = {name: value for name, value, _ in WRONG if len(value) < 100}
    done = run("-c", "import ltw_core.service.job_manager, ltw_core.studies.__main__, ltw_core.corpora", **wrong)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_app_says_it_in_place_of_its_pages(monkeypatch):
    monkeypatch.setenv("LTW_JOBS", "many")
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE).run()
    assert not page.exception
    assert [error.value for error in page.error] == [
        r"This server is set up wrong: LTW\_JOBS is 'many'; it must be a whole number of at least 1. "
        "Its owner can correct it and start it again."
    ]
    assert not page.get("selectbox")
    monkeypatch.setenv("LTW_JOBS", "2")
    assert page.run().get("selectbox") and not page.error
