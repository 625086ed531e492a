"""The workarounds that save processor time give what Streamlit gives without them."""

import ast
import asyncio
import copy
import sys
import threading
from pathlib import Path

import pytest
from streamlit import config
from streamlit.components.v2 import presentation
from streamlit.proto.NewSession_pb2 import Config, CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from pages._ui.streamlit_fixes import (
    component_values,  # noqa: F401
    forgotten_widgets,
    former_choices,  # noqa: F401
    settings_message,
    shared_copies,  # noqa: F401
    single_values,  # noqa: F401
)
from pages._ui.streamlit_fixes.component_keys import component_key
from tests.benchmarks.tab import Tab
from tests.browser.conftest import ROOT, server
from tests.waiting import PATIENCE

SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")


def test_a_single_value_is_what_the_whole_state_holds():
    state = SessionState()
    state["chosen"], state["empty"] = "corn", None
    lazy, whole = SafeSessionState(state, lambda: None).filtered_state, state.filtered_state
    assert dict(lazy) == whole == {"chosen": "corn", "empty": None}
    assert ("chosen" in lazy, "empty" in lazy, "other" in lazy, len(lazy)) == (True, True, False, 2)
    assert (lazy["chosen"], lazy["empty"]) == ("corn", None)
    with pytest.raises(KeyError):
        lazy["other"]
    state["chosen"] = "ship"
    assert lazy["chosen"] == "ship"


def test_what_a_component_tells_is_what_streamlit_gives_without_a_class_of_its_own():
    def script():
        import streamlit as st

        part = st.components.v2.component("some", js="export default () => {}")
        told = part(key="part", on_picked_change=lambda: None, default={"picked": "corn"})
        st.text(f"{told.picked} {st.session_state.part['picked']} {st.session_state.part.picked}")
        st.text(f"{type(st.session_state.part).__name__} {st.session_state.part.other} {told}")
        try:
            st.session_state.part["picked"] = "ship"
        except st.errors.StreamlitAPIException as error:
            st.text(error)

    app = AppTest.from_function(script, default_timeout=PATIENCE).run()
    said, kind, refused = (text.value for text in app.text)
    assert said == "corn corn corn" and kind == "Told None {'picked': 'corn'}"
    assert "cannot be modified after the component" in refused
    assert [text.value for text in app.run().text] == [said, kind, refused]
    source = Path(presentation.__file__).read_text("utf-8")
    assert "class _WriteThrough" in source  # else component_values.py can go


def test_what_is_written_to_a_components_values_before_it_is_drawn_stays_but_for_what_it_does_not_know():
    def script():
        import streamlit as st

        part = st.components.v2.component("some", js="export default () => {}")
        if "part" in st.session_state and st.session_state.get("write"):
            told = st.session_state.part
            told["one"], told["two"], told.other = 1, 2, 3
            del told["three"]
            st.text(dict(told))
        known = {f"on_{name}_change": lambda: None for name in ("one", "two", "three")}
        st.text(dict(part(key="part", default={"one": 0, "two": 0, "three": 0}, **known)))

    app = AppTest.from_function(script, default_timeout=PATIENCE).run()
    app.session_state["write"] = True
    assert next(text.value for text in app.run().text) == "{'one': 1, 'two': 2}"


def test_a_session_forgets_widgets_that_are_long_gone(monkeypatch):
    def script():
        import streamlit as st

        st.session_state["run"] = run = st.session_state.get("run", 0) + 1
        st.button("another", key=f"button-{run}")
        if run < 11:
            st.button("here for long", key="button-long")
        st.checkbox("stays", key="stays")

    monkeypatch.setattr(forgotten_widgets, "KEPT", 3)
    app = AppTest.from_function(script).run()
    app.checkbox(key="stays").check()
    for _ in range(10):
        app.run()
    state = app.session_state
    while not isinstance(state, SessionState):
        state = state._state
    known = state._new_widget_state.widget_metadata
    assert sorted(name.rsplit("-", 1)[-1] for name in known if "button-" in name) == ["10", "11", "9", "long"]
    assert len(known) == 5 and app.session_state["stays"]


def test_kept_settings_are_those_of_the_configuration():
    settings_message.forget()
    for _ in range(2):  # put together, and kept
        for section in SECTIONS:
            kept, plain = CustomThemeConfig(), CustomThemeConfig()
            app_session._populate_theme_msg(kept, section)
            app_session._populate_theme_msg.__wrapped__(plain, section)
            assert kept == plain
        kept, plain = Config(), Config()
        app_session._populate_config_msg(kept)
        app_session._populate_config_msg.__wrapped__(plain)
        assert kept == plain


def test_settings_that_are_forgotten_while_they_are_read_are_still_told():
    told, stop = [], threading.Event()

    def forget():
        while not stop.is_set():
            settings_message.forget()

    thread = threading.Thread(target=forget)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        for _ in range(300):
            message = Config()
            app_session._populate_config_msg(message)
            told.append(message)
    finally:
        stop.set()
        thread.join()
        sys.setswitchinterval(interval)
    plain = Config()
    app_session._populate_config_msg.__wrapped__(plain)
    assert all(message == plain for message in told)


def test_settings_of_another_configuration_are_not_those_kept(monkeypatch):
    """Not even where it lies at the place in memory at which the one before lay."""
    before, kept = config.get_config_options(), CustomThemeConfig()
    app_session._populate_theme_msg(kept, "theme.light")
    other = copy.deepcopy(before)
    other["theme.light.primaryColor"].set_value("#654321", "a test")
    monkeypatch.setattr(config, "get_config_options", lambda *given, **more: other)
    monkeypatch.setattr(config, "_config_options", other)
    monkeypatch.setattr(settings_message, "id", lambda _: 1, raising=False)
    told = CustomThemeConfig()
    app_session._populate_theme_msg(told, "theme.light")
    assert told.primary_color == "#654321" != kept.primary_color
    assert all(made_of is before or made_of is other for made_of, _ in settings_message._kept.values())


def test_an_option_that_is_set_is_told():
    def colour():
        message = CustomThemeConfig()
        app_session._populate_theme_msg(message, "theme.light")
        return message.primary_color

    before = config.get_option("theme.light.primaryColor")
    try:
        config._set_option("theme.light.primaryColor", "#123456", "a test")
        settings_message.forget()
        assert colour() == "#123456"
    finally:
        config._set_option("theme.light.primaryColor", before, "a test")
        settings_message.forget()
    assert colour() == (before or "")


def test_containers_are_copied_with_those_around_them():
    def page():
        import copy

        import streamlit as st
        from streamlit.delta_generator_singletons import context_dg_stack

        with st.container(), st.container(key="inner"):
            stack = context_dg_stack.get()
            copies = copy.deepcopy(stack)
            for name, of in (("there", stack), ("copied", copies)):
                around = [[one is other._parent for one in of] for other in of]
                st.session_state[name] = [dg._get_delta_path_str() for dg in of], around
            st.session_state["other"] = all(one is not other for one, other in zip(stack, copies, strict=True))

    test = AppTest.from_function(page).run()
    assert not test.exception
    assert test.session_state["other"]
    assert test.session_state["copied"] == test.session_state["there"]  # the same places, and the same one in another
    assert sum(map(sum, test.session_state["there"][1])) >= 1


SCRIPT = """
import streamlit as st
from pages._ui.streamlit_fixes.kept_messages import kept_message

component = st.components.v2.component("large", js="export default () => {}")
content = st.selectbox("content", ["a", "b"])
with kept_message("large", content.encode()) as there:
    component(key="large", data=b"" if there else content.encode() * 20_000)
st.markdown(f"{content} {'kept' if there else 'made'}")
"""


class Reader(Tab):
    """A tab that notes what it is told: words, and of a component its content or that it has it."""

    def __init__(self, address: str):
        super().__init__(address, "")
        self.told: list = []

    def _take(self, message) -> None:
        element = message.delta.new_element
        if message.WhichOneof("type") == "ref_hash":
            self.told.append(("kept", message.ref_hash))
        elif element.WhichOneof("type") == "bidi_component":
            self.told.append((element.bidi_component.bytes[:1], message.hash))
        elif element.WhichOneof("type") == "markdown":
            self.told.append(element.markdown.body)

    async def seen(self) -> list:
        self.told.clear()
        await self.run()
        return list(self.told)


async def _visit(address: str) -> list[list]:
    reader = Reader(address)
    await reader.open()
    found = [await reader.seen(), await reader.seen()]
    for option in ("b", "b", "a"):
        reader.choose("content", option)
        found.append(await reader.seen())
    await reader.close()
    other = Reader(address)  # has nothing yet
    await other.open()
    found.append(await other.seen())
    await other.close()
    return found


def test_an_element_that_the_browser_has_is_not_made_again(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with server(Path(tmp_path, "log.txt"), script, PYTHONPATH=str(ROOT)) as url:
        found = asyncio.run(asyncio.wait_for(_visit(url.removeprefix("http://")), PATIENCE))
    first, again, other, kept, back, elsewhere = found
    (content, a), words = first
    assert (content, words) == (b"a", "a made")
    assert again == [("kept", a), "a kept"]
    (content, b), words = other
    assert (content, words) == (b"b", "b made") and a != b
    assert kept == [("kept", b), "b kept"]
    assert back == [("kept", a), "a kept"]
    assert elsewhere == first


def test_each_is_imported_by_the_app():
    """One that nothing imports mends nothing, and no other test here would notice."""
    root = Path(__file__).parents[2]
    sources = [root / "app.py", *(root / "pages").rglob("*.py")]
    imported = {
        name
        for source in sources
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module.rpartition(".")[2], *(alias.name for alias in node.names))
        if "streamlit_fixes" in node.module
    }
    fixes = {path.stem for path in (root / "pages/_ui/streamlit_fixes").glob("*.py")} - {"__init__"}
    assert fixes <= imported, fixes - imported


def test_a_choice_the_script_changed_is_not_undone_by_a_click_from_before_the_browser_heard_of_it():
    def page():
        import streamlit as st

        def picked():
            st.session_state.picked = [*st.session_state.get("picked", []), st.session_state.box]

        if st.session_state.pop("_train", False):
            st.session_state.box = "run"
        st.selectbox("box", ["new", "run"], key="box", on_change=picked)
        st.session_state["_train"] = st.button("train", key="train")
        st.button("stop", key="stop")
        st.text(st.session_state.box)

    test = AppTest.from_function(page, default_timeout=PATIENCE).run()
    heard = test._tree
    test = test.run().button(key="train").click().run().run()
    assert test.text[0].value == "run"
    test._tree = heard  # as the browser shows it still
    test.selectbox(key="box").set_value("new")
    test = test.button(key="stop").click().run()
    assert test.text[0].value == "run" and "picked" not in test.session_state
    # with nothing else said, it is a choice; and so it is when the browser has said that it knows
    test = test.selectbox(key="box").set_value("new").run()
    assert test.text[0].value == "new" and test.session_state.picked == ["new"]
    test = test.button(key="train").click().run().run().run()
    test.selectbox(key="box").set_value("new")
    test = test.button(key="stop").click().run()
    assert test.text[0].value == "new" and test.session_state.picked == ["new", "new"]


def test_a_choice_the_script_changed_is_not_undone_by_a_tick_that_waits_as_the_script_asks_for_a_run():
    def page():
        import streamlit as st
        from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
        from streamlit.runtime.scriptrunner import get_script_run_ctx
        from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

        from pages._ui.streamlit_fixes.rerun import run_again

        def picked():
            st.session_state.picked = True

        if st.session_state.pop("_train", False):
            st.session_state.box = "run"
        st.selectbox("box", ["new", "run"], key="box", on_change=picked)
        st.session_state["_train"] = st.button("train", key="train")
        if st.button("stop", key="stop"):
            told = map(WidgetState.FromString, st.session_state["_heard"].told.values())
            states = WidgetStates(widgets=[each for each in told if each.WhichOneof("value") != "trigger_value"])
            tick = RerunData(widget_states=states, fragment_id="some", is_auto_rerun=True)
            get_script_run_ctx().script_requests.request_rerun(tick)
            st.session_state.runs = st.session_state.get("runs", 0) + 1
            run_again()
        st.text(st.session_state.box)

    test = AppTest.from_function(page, default_timeout=PATIENCE).run()
    heard = test._tree
    test = test.run().button(key="train").click().run().run()
    test._tree = heard  # as the browser shows it still
    test.selectbox(key="box").set_value("new")
    test = test.button(key="stop").click().run()
    assert test.text[0].value == "run" and "picked" not in test.session_state and test.session_state.runs == 1
    test = test.selectbox(key="box").set_value("new").run()  # nothing of that is left: it is a choice
    assert test.text[0].value == "new" and test.session_state.picked


def test_a_run_whose_token_holds_two_underscores_names_a_component():
    script = """
import streamlit as st
from pages._ui.streamlit_fixes.component_keys import component_key

part = st.components.v2.component("two_underscores", html="<p></p>")
part(key=component_key("reader-run:a___b__"))
"""
    assert not AppTest.from_string(script).run().exception
    assert AppTest.from_string(script.replace("component_key(", "str(")).run().exception  # else it may be deleted
    assert component_key("reader-run:a_b") == "reader-run:a_b"
