"""For all tests: a state folder of their own, the real corpora where they lie, and which tests share a process."""

import contextlib
import os

import pytest

BROWSER = "tests/browser/"
WAITING = "tests/browser/test_runs.py"  # for what a server does after a while: it keeps nobody waiting


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Files whole and in their order; those that draw in a browser in one process, which begins with them: they take
    longest, and two at a time keep each other waiting. Three processes on two cores, as these do little but wait."""
    if config.option.dist != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduler(LoadFileScheduling):
        def _split_scope(self, nodeid):
            drawing = nodeid.startswith(BROWSER) and not nodeid.startswith(WAITING)
            return BROWSER if drawing else super()._split_scope(nodeid)

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
