"""Fixtures for all tests: a state folder of their own, and the real corpora where they lie."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def _state_of_its_own(tmp_path_factory):
    """No test writes into the user's caches; LTW_DATA stays as the caller set it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LTW_STATE", str(tmp_path_factory.mktemp("state")))
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
