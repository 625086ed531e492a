"""No message of a script is lost where the next one begins before the server has taken it in."""

import asyncio
from pathlib import Path

import pytest

from tests.benchmarks.tab import Tab
from tests.browser.conftest import ROOT, server
from tests.waiting import PATIENCE

# The whole script has the server's loop do nothing else until it has ended and its fragment's next run is asked for.
SCRIPT = """
import time
import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
{repair}

@st.fragment
def tick():
    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    st.markdown(f"run {{st.session_state['runs']}}")

def run_again():
    time.sleep(0.5)
    session.request_rerun(ClientState(fragment_id=fragment))

tick()
context, runtime = get_script_run_ctx(), Runtime.instance()
(fragment,) = context.shared.new_fragment_ids.snapshot()
session = runtime._session_mgr.get_active_session_info(context.session_id).session
runtime._get_async_objs().eventloop.call_soon_threadsafe(run_again)
st.markdown("the last words")
"""


class Reader(Tab):
    """A tab that keeps what it is told."""

    def __init__(self, address: str):
        super().__init__(address, "")
        self.words: list[str] = []

    def _see(self, delta) -> None:
        self.words.append(delta.new_element.markdown.body)


async def _read(address: str) -> list[str]:
    reader = Reader(address)
    await reader.open()
    await reader.run()
    while "run 2" not in reader.words:
        await asyncio.sleep(0.05)
    await reader.close()
    return reader.words


@pytest.mark.parametrize("repaired", [True, False])
def test_the_last_words_of_a_script_are_heard(tmp_path, repaired):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(repair="import pages._ui.streamlit_fixes.last_messages" if repaired else ""))
    with server(Path(tmp_path, "log.txt"), script, PYTHONPATH=str(ROOT)) as url:
        words = asyncio.run(asyncio.wait_for(_read(url.removeprefix("http://")), PATIENCE))
    # without the repair they are lost: when that fails, Streamlit does without it, and so can the app
    assert ("the last words" in words) == repaired
