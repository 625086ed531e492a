"""A training run in a lesson says by itself which formula is nearest, when that is found: nobody has to click again."""

import asyncio
from pathlib import Path

from tests.benchmarks.tab import Tab
from tests.browser.conftest import server
from tests.waiting import PATIENCE

STEP = "dataset=synthetic&class=relevant&lesson=let-it-learn&step=3"


class Reader(Tab):
    """A tab that keeps the words that it is told."""

    def __init__(self, address: str):
        super().__init__(address, STEP)
        self.words: list[str] = []

    def _see(self, delta) -> None:
        super()._see(delta)
        self.words.append(delta.new_element.markdown.body)


async def _train(address: str) -> list[str]:
    reader = Reader(address)
    await reader.open()
    await reader.run()
    await reader.run("Lessons")
    while ("button", "Train") not in reader.widgets:  # until the corpus is there
        await asyncio.sleep(0.2)
        await reader.run()
    await reader.run(press="Train")
    while not any(said.startswith("Nearest: **") for said in reader.words):
        await asyncio.sleep(0.1)
    await reader.close()
    assert not reader.errors
    return reader.words


def test_the_nearest_formula_comes_by_itself(tmp_path):
    with server(Path(tmp_path, "log.txt"), LTW_STATE=str(tmp_path)) as url:
        words = asyncio.run(asyncio.wait_for(_train(url.removeprefix("http://")), PATIENCE))
    assert any(said.startswith("Nearest: **") for said in words)
