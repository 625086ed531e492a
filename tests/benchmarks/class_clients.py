"""Who takes part in a class without a browser, and with one: servers that are killed, students, a teacher.

What ``tests.benchmarks.classroom`` lets go through a lesson. A client finds widgets by their keys, and comes back, as
the same browser at the same address, when its connection is lost.
"""

import asyncio
import contextlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import websockets
from streamlit.proto.Common_pb2 import DoubleArray, StringArray
from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.benchmarks.load import ROOT
from tests.benchmarks.tab import Tab

PAGE = "Classroom"
PATIENCE = 90.0
TAKEN = "Your guess is in"
COUNT = re.compile(r"^\*\*(\d+) guess")
NAME = re.compile(r"^You are \*\*([^*]+)\*\* in class")
LOST = (ConnectionError, OSError, websockets.WebSocketException, TimeoutError)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The app on a port of its own, which it keeps when it is killed and started again."""

    def __init__(self, state: Path):
        self.state, self.port = state, free_port()
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(self.port)]
        with (self.state / f"log-{self.port}.txt").open("a") as log:
            environment = {**os.environ, "LTW_STATE": str(self.state)}
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=environment)

    async def ready(self) -> None:
        for _ in range(1200):
            with contextlib.suppress(OSError):
                await asyncio.to_thread(
                    urllib.request.urlopen, f"http://127.0.0.1:{self.port}/_stcore/health", timeout=1
                )
                return
            await asyncio.sleep(0.1)
        raise TimeoutError("the server did not start in two minutes")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def failed(self) -> bool:
        return "Traceback" in (self.state / f"log-{self.port}.txt").read_text()


class Client(Tab):
    """A tab on the class page that finds widgets by their keys and comes back when its connection is lost."""

    def __init__(self, address: str, query: str):
        super().__init__(address, query)
        self.keys: dict[str, tuple[str, object]] = {}
        self.said: list[str] = []
        self.counts: list[tuple[float, int]] = []
        self.name, self.lost = "", asyncio.Event()

    async def begin(self) -> None:
        """Open the page, also where the server is only just coming up."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                await self.open()
                await self.told(self.run())
                await self.told(self.run(PAGE))
                return
            except LOST:
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.5)

    async def back(self) -> None:
        """A new session of the same address, as a browser makes it."""
        with contextlib.suppress(*LOST):
            await self.close()
        secret = self.secret
        self._calm()
        self.__init__(self.address, self.query)
        self.secret = secret
        await self.begin()

    async def told(self, run) -> float:
        """What a run gives; a ``ConnectionError`` where the connection ends before."""
        task, lost = asyncio.ensure_future(run), asyncio.ensure_future(self.lost.wait())
        await asyncio.wait((task, lost), return_when=asyncio.FIRST_COMPLETED)
        lost.cancel()
        if not task.done():
            task.cancel()
            raise ConnectionError("the connection ended")
        return task.result()

    async def press(self, key: str, *values: WidgetState) -> float:
        """Press a button by its key, with other widgets set."""
        for value in values:
            self.values[value.id] = value
        return await self.told(self._press([WidgetState(id=self.keys[key][1].id, trigger_value=True)]))

    async def _read(self) -> None:
        self.lost = asyncio.Event()
        try:
            await super()._read()
        except websockets.WebSocketException:
            pass
        finally:
            self.lost.set()

    async def _repeat(self, fragment: str, interval: float) -> None:
        with contextlib.suppress(*LOST):
            await super()._repeat(fragment, interval)

    def _calm(self) -> None:
        super()._calm()
        self.keys, self.said = {}, []

    def _see(self, delta) -> None:
        super()._see(delta)
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "markdown":
            body = element.markdown.body
            self.said.append(body)
            if found := COUNT.match(body):
                self.counts.append((time.time(), int(found[1])))
            if found := NAME.match(body):
                self.name = found[1]
        elif kind == "alert":
            self.said.append(element.alert.body)
        found = getattr(element, kind) if kind else None
        if hasattr(found, "id") and found.id.count("-") >= 2:
            self.keys[found.id.split("-", 2)[2]] = kind, found


async def until(condition, what: str):
    """Wait for what comes if nothing is broken."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {PATIENCE:.0f} s for {what}")
        await asyncio.sleep(0.05)
    return found


class Student(Client):
    """Answers whatever is asked."""

    def __init__(self, address: str, query: str):
        super().__init__(address, query)
        self.runs = getattr(self, "runs", [])
        self.told_in = getattr(self, "told_in", {})  # guesses of which they were told that they are in
        self.pressed = getattr(self, "pressed", {})  # when each was pressed last

    async def join(self) -> None:
        await self.begin()
        await until(lambda: "class_enter" in self.keys, "the class's door")
        await self.press("class_enter")
        await until(lambda: self.name, "a nickname")

    def asked(self, step: int) -> list[str]:
        """Beginnings of the keys of a step's open questions."""
        mark = re.compile(rf"lesson-.+-{step}-.+-guess")
        return [key.removesuffix("-guess") for key in self.keys if mark.fullmatch(key)]

    async def at(self, step: int) -> list[str]:
        """The step's questions, once this student is there."""
        return await until(lambda: self.asked(step), f"step {step} at {self.name}")

    async def answer(self, base: str, dice: random.Random) -> None:
        """Guess, and guess again until told that it is in."""
        label = base.rsplit("-", 1)[1]
        while True:
            try:
                guess, value = self._guess(base, dice)
                self.values[value.id] = value
                self.runs.append(await self.told(self.run()))  # the control's own run; then the button's
                self.pressed[label] = time.time()
                self.runs.append(await self.press(f"{base}-guess"))
                if any(TAKEN in text for text in self.said):
                    self.told_in[label] = guess
                    return
            except (*LOST, KeyError):  # a killed server's, or a page that is drawn anew
                if self.lost.is_set():
                    await self.back()
                    await until(lambda: f"{base}-guess" in self.keys, f"{label} again")
                else:
                    await asyncio.sleep(0.2)

    def _guess(self, base: str, dice: random.Random):
        for ending in ("radio", "number", "canvas"):
            if f"{base}-{ending}" in self.keys:
                found = self.keys[f"{base}-{ending}"][1]
                break
        if ending == "radio":
            place = dice.randrange(len(found.options))
            return place, WidgetState(id=found.id, string_value=found.options[place])
        if ending == "number":
            share = dice.randrange(101)
            value = found.min + (found.max - found.min) * share / 100
            return None, WidgetState(id=found.id, double_array_value=DoubleArray(data=[value]))
        point = [round(dice.random(), 4), round(dice.random(), 4)]
        return point, WidgetState(id=found.id, json_value=json.dumps({"guess": point}))


class Teacher(Client):
    """Opens the class and leads it."""

    async def open_class(self) -> str:
        await self.begin()
        until_there = time.monotonic() + PATIENCE
        while "class_new" not in self.keys or self.keys["class_new"][1].disabled:
            if time.monotonic() > until_there:
                raise TimeoutError("no class can be opened")
            await asyncio.sleep(0.5)
            await self.told(self.run())
        lesson = self.keys["class_lesson"][1]
        title = next(title for title in lesson.options if "tpr and fpr" in title)
        await self.press("class_new", WidgetState(id=lesson.id, string_value=title))
        found = await until(lambda: re.search(r"code=(\w{6})", self.query), "a code")
        return found[1]

    async def bring(self, code: str, step: int) -> None:
        """Look at a step, and have everybody come."""
        key = f"class_step-{code}"
        pills = (await until(lambda: self.keys.get(key), "the teacher's view"))[1]
        self.values[pills.id] = WidgetState(id=pills.id, string_array_value=StringArray(data=[str(step)]))
        await self.told(self.run())
        if not self.keys["class_hold"][1].disabled:
            await self.press("class_hold")


async def real(browser, link: str, told_in: dict, steps: asyncio.Queue) -> None:
    """A student in Chromium: joins, and answers each step's questions as it is told to."""
    page = await (await browser.new_context(viewport={"width": 390, "height": 844})).new_page()
    page.set_default_timeout(1000 * PATIENCE)
    await page.goto(link)
    await page.get_by_role("button", name="Take part").click()
    name = await page.get_by_text("You are").locator("strong").inner_text()
    told_in[name] = set()
    while (step := await steps.get()) is not None:
        boxes = page.locator(f'[class*="st-key-lesson-"][class*="-{step}-"][class*="-box"]')
        await boxes.first.wait_for()
        for place in range(await boxes.count()):
            box = boxes.nth(place)
            for _ in range(20):
                with contextlib.suppress(Exception):  # a dialog of the lost connection is in the way, or the page anew
                    await _guess_on(page, box)
                    await box.get_by_text(TAKEN).wait_for(timeout=4000)
                    key = re.search(rf"-{step}-(\S+)-box", await box.get_attribute("class"))
                    told_in[name].add(key[1])
                    break
        steps.task_done()
    await page.close()


async def _guess_on(page, box) -> None:
    """Make a guess on whatever a question has for it, and press the button."""
    button = box.get_by_role("button", name=re.compile("^(Guess|Answer)$"))
    if await box.get_by_role("radio").count():
        await box.locator('[data-testid="stRadio"] label').nth(2).click(timeout=3000)
    elif await box.get_by_role("slider").count():
        await box.get_by_role("slider").press("ArrowRight", timeout=3000)
    else:
        await page.locator(".ltw-guess.open svg").click(timeout=3000, position={"x": 150, "y": 100})
    await button.click(timeout=4000)


@contextlib.asynccontextmanager
async def chromium(number: int, link: str, told_in: dict[str, set]):
    """So many real browsers that go through the lesson; gives the queues by which they are told the step."""
    if not number:
        yield []
        return
    from playwright.async_api import async_playwright

    from tests.browser.conftest import CHROMIUM, FLAGS

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        queues = [asyncio.Queue() for _ in range(number)]
        tasks = [asyncio.create_task(real(browser, link, told_in, queue)) for queue in queues]
        yield queues
        await asyncio.gather(*tasks)
        await browser.close()
