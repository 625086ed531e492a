"""A page of a lesson is made again by itself, once, when it has been found what a training run comes to."""

import asyncio
from pathlib import Path

from tests.benchmarks.tab import Tab
from tests.browser.conftest import ROOT, server
from tests.waiting import PATIENCE

# What is looked for is found after a second and a half.
SCRIPT = """
import time
import streamlit as st
from pages._ui.workbench import answers, training_view

state = st.session_state
found_at = state.setdefault("found_at", time.monotonic() + 1.5)

class Search:
    @property
    def active(self):
        return time.monotonic() < found_at

answers.ask = lambda option, task: [Search()] if Search().active else []
state["runs"] = state.get("runs", 0) + 1
st.markdown(f"run {state['runs']}")
training_view.until_answered("a training run", None)
"""


class Reader(Tab):
    """A tab that keeps the words that it is told."""

    def __init__(self, address: str):
        super().__init__(address, "")
        self.words: list[str] = []

    def _see(self, delta) -> None:
        if body := delta.new_element.markdown.body:
            self.words.append(body)


async def _read(address: str) -> list[str]:
    reader = Reader(address)
    await reader.open()
    await reader.run()
    assert reader.words == ["run 1"]
    while "run 2" not in reader.words:
        await asyncio.sleep(0.05)
    await asyncio.sleep(1.5)  # longer than it waits each time
    await reader.close()
    return reader.words


def test_the_page_is_made_again_once_it_has_been_found(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with server(Path(tmp_path, "log.txt"), script, PYTHONPATH=str(ROOT), LTW_STATE=str(tmp_path)) as url:
        words = asyncio.run(asyncio.wait_for(_read(url.removeprefix("http://")), PATIENCE))
    assert words == ["run 1", "run 2"]
