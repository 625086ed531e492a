"""A browser tab without a browser: Streamlit's protocol over a websocket. What it shows it forgets, but for widgets.

Does what Streamlit's page does: runs the script for a page, keeps the values of the widgets that were touched, repeats
fragments as often as they ask for, and follows the pages of the navigation. Leaves out drawing and components' replies.
"""

import asyncio
import secrets
import time

import websockets
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

ENDED = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)
KEPT_RUNS = config.get_option("global.maxCachedMessageAge")  # of .streamlit/config.toml
PATIENCE = 120.0  # seconds until a run of the script counts as lost


class Tab:
    """One browser session.

    Parameters
    ----------
    address : str
        "127.0.0.1:8501"
    query : str
        The address's part after "?".

    Attributes
    ----------
    pages : dict
        Hash of every page's script by its title.
    widgets : dict
        Elements by (kind, label), as the last run that came to its end showed them.
    ticks : list of float
        Seconds that each repeated fragment took.
    busy : bool
        Whether some fragment repeats by itself, because something goes on.
    """

    def __init__(self, address: str, query: str):
        self.address, self.query = address, query
        self.secret = secrets.token_hex(16)  # by which the server knows the browser
        self.pages: dict[str, str] = {}
        self.widgets: dict[tuple[str, str], object] = {}
        self._coming: dict[tuple[str, str], object] = {}
        self.values: dict[str, WidgetState] = {}
        self._untold = False  # whether a value has been set since the last run
        self._fragments: dict[str, str] = {}  # that a widget is in, "" of those in none: a press runs no more than that
        self.ticks: list[float] = []
        self.errors: list[str] = []
        self.page = ""
        self._kept: dict[str, int] = {}  # what the browser keeps and need not be sent again, and when it was used
        self._runs = 0
        self._repeats: dict[str, asyncio.Task] = {}
        self._ends: asyncio.Queue = asyncio.Queue()  # how runs of the script came to their end
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        self._socket = await websockets.connect(
            f"ws://{self.address}/_stcore/stream",
            origin=f"http://{self.address}",
            subprotocols=["streamlit"],
            additional_headers={"Cookie": f"ltw_browser={self.secret}"},
            max_size=None,
            compression=None,
        )
        self._reader = asyncio.create_task(self._read())

    async def close(self) -> None:
        self._reader.cancel()
        for task in self._repeats.values():
            task.cancel()
        await self._socket.close()

    @property
    def title(self) -> str:
        """The page that is open."""
        return next((name for name, script in self.pages.items() if script == self.page), "")

    @property
    def busy(self) -> bool:
        return bool(self._repeats)

    # what a reader does -------------------------------------------------------------------------------------------
    async def run(self, page: str | None = None, press: str | None = None) -> float:
        """Run the script, on another page or with a button pressed; returns the seconds to its end.

        What was set before a press has a run of its own first, which isn't counted, as when a field is left.
        """
        pressed, fragment = [], ""
        if press is not None and self._untold:
            await self._press()
        if page is not None:
            self.page = self.pages[page]
        if press is not None:
            button = self.widgets["button", press].id
            pressed, fragment = [WidgetState(id=button, trigger_value=True)], self._fragments.get(button, "")
        return await self._press(pressed, fragment)

    def choose(self, label: str, option: str) -> None:
        """Set a list to an option, for the next run."""
        found = self.widgets["selectbox", label]
        self.values[found.id], self._untold = WidgetState(id=found.id, string_value=option), True

    def number(self, label: str, value: int) -> None:
        """Set a number, for the next run."""
        found = self.widgets["number_input", label]
        self.values[found.id], self._untold = WidgetState(id=found.id, int_value=value), True

    # the protocol -------------------------------------------------------------------------------------------------
    async def _press(self, pressed=(), fragment: str = "") -> float:
        self._untold = False
        async with self._turn:
            return await self._send(fragment, pressed)

    async def _send(self, fragment: str = "", pressed=(), by_itself: bool = False) -> float:
        """Ask for a run, of all of the page or of a fragment, and wait for its end; for those whose turn it is."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self.query, self.page
        state.widget_states.widgets.extend([*self.values.values(), *pressed])
        state.cached_message_hashes.extend(self._kept)
        if fragment:
            state.fragment_id, state.is_auto_rerun = fragment, by_itself
        self._ends = asyncio.Queue()
        began = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while await asyncio.wait_for(self._ends.get(), PATIENCE) not in ENDED:
            pass  # a rerun that the script asked for follows
        return time.perf_counter() - began

    async def _read(self) -> None:
        async for content in self._socket:
            message = ForwardMsg.FromString(content)
            self._take(message)
            kind = message.WhichOneof("type")
            if kind == "ref_hash":
                self._kept[message.ref_hash] = self._runs
            elif message.metadata.cacheable:
                self._kept[message.hash] = self._runs
            if kind == "delta":
                self._see(message.delta)
            elif kind == "navigation":
                self.pages = {page.page_name: page.page_script_hash for page in message.navigation.app_pages}
                self.page = message.navigation.page_script_hash
            elif kind == "new_session" and not message.metadata.run.fragment_ids:
                self._calm()
                self._coming = {}
            elif kind == "auto_rerun":
                again = message.auto_rerun
                if again.fragment_id not in self._repeats:
                    self._repeats[again.fragment_id] = asyncio.create_task(
                        self._repeat(again.fragment_id, again.interval)
                    )
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "script_finished":
                if message.script_finished in ENDED:
                    self.widgets = dict(self._coming)
                if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                    self._runs += 1
                    self._kept = {key: run for key, run in self._kept.items() if self._runs - run <= KEPT_RUNS}
                self._ends.put_nowait(message.script_finished)

    def _take(self, message) -> None:
        """For those who look at every message."""

    def _see(self, delta) -> None:
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind in ("button", "selectbox", "number_input"):
            found = getattr(element, kind)
            self._coming[kind, found.label] = found
            self._fragments[found.id] = delta.fragment_id
        elif kind == "exception":
            self.errors.append(element.exception.message)

    async def _repeat(self, fragment: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            async with self._turn:
                if self._repeats.get(fragment) is not asyncio.current_task():
                    return  # a run of the script meanwhile has put an end to it; a server tells nothing of such a one
                self.ticks.append(await self._send(fragment, by_itself=True))

    def _calm(self) -> None:
        self._repeats = {}  # each looks whether it is still there before it asks again
