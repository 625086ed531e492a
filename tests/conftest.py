"""For all tests: a state folder of their own, the real corpora where they lie, and which tests share a process."""

import contextlib
import os
import subprocess
import sys

import pytest

from tests.disks import on_disk  # noqa: F401, a fixture

BROWSER = "tests/browser/"
HALF = ("everyone", "classroom", "explore", "lessons", "phone", "runs")  # as long as all other files there together
SECOND = tuple(f"{BROWSER}test_{name}.py" for name in HALF)
ALONE = "tests/weighting/learned/engines/compiled/test_without_avx.py"  # one test, which nothing else can help with
FIRST = (BROWSER, SECOND[0], ALONE)
COMPILE = "from ltw_core.weighting.learned import preload; preload()"
COMPILING = pytest.StashKey[subprocess.Popen]()


def _process(nodeid: str) -> str:
    """What shares a process: files each by itself, those that drive a browser in two groups."""
    if nodeid.startswith(SECOND):
        return SECOND[0]
    return BROWSER if nodeid.startswith(BROWSER) else nodeid.partition("::")[0]


def pytest_configure(config):
    """Where several processes share the tests the loops are compiled once, while those look for their tests: else each,
    and each server that they start, would compile them anew."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        config.stash[COMPILING] = subprocess.Popen([sys.executable, "-c", COMPILE], cwd=config.rootpath)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node):
    """No test begins before they are."""
    assert node.config.stash[COMPILING].wait() == 0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """What takes longest begins: else one process is still at it when the others have nothing left."""
    items.sort(key=lambda item: FIRST.index(name) if (name := _process(item.nodeid)) in FIRST else len(FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Files whole and in their order; those that draw in a browser in two processes, which do little but wait for it:
    three or more at a time keep each other waiting. Three processes on two cores."""
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduler(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return _process(nodeid)

    config.option.loadscopereorder = False
    return Scheduler(config, log)


@pytest.fixture(scope="session")
def state_folder(tmp_path_factory):
    """Makes state folders with nothing in them but what was read from corpora: that is read once for all processes."""
    base = tmp_path_factory.getbasetemp()
    common = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "caches"

    def make(name="state"):
        folder = tmp_path_factory.mktemp(name)
        for cache in ("corpora", "counts"):
            (common / cache).mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(OSError):  # a system that makes no links: each reads for itself
                (folder / cache).symlink_to(common / cache, target_is_directory=True)
        return folder

    return make


@pytest.fixture(scope="session", autouse=True)
def _state_of_its_own(state_folder):
    """No test writes into the user's caches; LTW_DATA stays as the caller set it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LTW_STATE", str(state_folder()))
        yield


@pytest.fixture(scope="session")
def real_corpus():
    """Load a published corpus from LTW_DATA, or skip with the reason why it is not there."""
    from ltw_core.corpora import CorpusError, load

    def get(name):
        try:
            return load(name)
        except CorpusError as error:
            pytest.skip(f"real corpus: {error}")

    return get
