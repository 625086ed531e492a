"""The app under test: always through the router, with a small synthetic corpus so that no test waits for a real one."""

import gc
import json
import re
import sys
from functools import cache
from itertools import count
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, app_test

from ltw_core.storage.bounded_cache import BoundedCache
from tests.waiting import PATIENCE, wait_for

APP = Path(__file__).resolve().parents[2] / "app.py"


@pytest.fixture(autouse=True, scope="session")
def _packages_and_scripts_stay():
    """Streamlit looks through all installed packages for components in each test (90 ms), and compiles the scripts in
    each run: here both are done once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        patch.setattr(app_test, "ScriptCache", cache(app_test.ScriptCache))
        yield


@pytest.fixture(autouse=True)
def _no_history_of_other_tests(monkeypatch, tmp_path):
    """Every test has a reader who has trained nothing yet."""
    from ltw_core.service.job_manager import manager
    from ltw_core.service.training_history import History
    from pages._ui.training import histories

    manager().forget_owner("test session id")
    store, private = History(tmp_path / "history.sqlite"), History(histories.MEMORY)
    monkeypatch.setattr(histories, "lasting", lambda: store)
    monkeypatch.setattr(histories, "private", lambda: private)
    yield
    store.close()
    private.close()


@pytest.fixture(autouse=True)
def _nothing_is_computed_unasked(monkeypatch):
    """Classifiers waits for its button: what it begins by itself would end somewhere in the midst of a test."""
    monkeypatch.setattr("pages._ui.jobs.SHORT", -1.0)


_ran = count(1)


@pytest.fixture(autouse=True)
def _garbage_is_collected():
    """A server does it in its upkeep, which no test runs: the pages of all tests took seven gigabytes."""
    yield
    if next(_ran) % 20 == 0:
        gc.collect()


@pytest.fixture(autouse=True)
def _main_stays_what_it_was(monkeypatch):
    """A run makes app.py the main module, and processes that a later test spawns would begin with it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_read_on():
    """A corpus that the tests of a module began to read is read at its end: the next tests have the processor."""
    yield
    loading = sys.modules.get("pages._ui.loading")
    for name in list(loading._futures if loading is not None else ()):
        loading.ask(name).exception(timeout=PATIENCE)


@pytest.fixture
def app(monkeypatch):
    """A fresh session on the start page, with the synthetic corpus chosen; no test before it has found an F1."""
    from pages._ui.weightings import quick_f1

    monkeypatch.setattr(quick_f1, "_results", BoundedCache(quick_f1.LIMIT))
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    test.query_params["dataset"] = "synthetic"
    for fold in ("hyperparameters", "all_figures", "about_picture"):  # open: what is in there is drawn
        test.session_state[fold] = True
    test.session_state["_mode"] = "full"  # as are those that Simple leaves out
    from pages._ui import loading

    return test.run() if loading.ready("synthetic") else settled(test.run())


def settled(test: AppTest) -> AppTest:
    """Run again until the corpus is there; pages show a waiting line until then."""
    from pages._ui import loading
    from pages._ui.reader import uploads

    name = test.session_state["_dataset"]
    if not name.startswith(uploads.PREFIX):
        loading.ask(name).exception(timeout=PATIENCE)
    return test.run()


def open_page(test: AppTest, path: str) -> AppTest:
    return settled(test.switch_page(f"pages/{path}.py"))


def open_workbench(test: AppTest, shown: str = "", **state) -> AppTest:
    """The Workbench with something on the stage, as the address names it, and its controls as given."""
    if shown:
        test.query_params["run"] = shown
    for key, value in state.items():
        test.session_state[key] = value
    return open_page(test, "workbench/workbench")


def finish_jobs(test: AppTest) -> AppTest:
    """Wait for the session's background work, then draw the page again."""
    from ltw_core.service.job_manager import manager

    wait_for(lambda: not any(job.active for job in manager().of("test session id")), every=0.05)
    return test.run()


def texts(test: AppTest) -> str:
    """All sentences of a page, without what the glossary says of their words."""
    kinds = (test.markdown, test.caption, test.info, test.success, test.warning, test.error)
    return re.sub("</?abbr[^>]*>", "", "\n".join(element.value for kind in kinds for element in kind))


def figures(test: AppTest) -> list[dict]:
    """The figures of a page as they are sent first: name, alt as it is now, what else is said of each, ``figure``."""
    found, said_since = [], {}
    for element in test.get("bidi_component"):
        if b"\0" in element.proto.bytes:  # else what changed in a live figure, or another component's data
            about, figure, narrow = element.proto.bytes.decode().split("\0")
            found.append({**json.loads(about), "figure": figure, "narrow": narrow})
        elif element.proto.bytes.startswith(b'{"name":'):
            changes = json.loads(element.proto.bytes)
            said_since[changes["name"]] = changes["alt"]
    return [figure | {"alt": said_since.get(figure["name"], figure["alt"])} for figure in found]


def labelled(test: AppTest, kind: str, label: str):
    """The control with a label."""
    return next(widget for widget in test.get(kind) if widget.label == label)
