"""Addresses of the app's pages."""

from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from ltw_core.storage.file_schema import FileError
from pages._ui.reader import selection
from tests.fuzz.hostile import TEXTS
from tests.fuzz.kind import OLD

APP = OLD.parents[1] / "app.py"
PAGES = (
    "data/data",
    "workbench/workbench",
    "evaluate/classifiers",
    "evaluate/study",
    "learn_by_doing/learn_by_doing",
    "learn_by_doing/classroom",
)
ASKED = (*selection.ADDRESS, "p", "n", "scale", "region", "beside", "seeds", "utw", "view", "study", "source", "more")
ASKED += ("lesson", "step", "done", "as")
LESSONS = ("tpr-and-fpr", "luck", "0002", "0002" + "9" * 5_000, "no.0~no.1", "teacher", "²")
ADDRESSES = st.tuples(
    st.sampled_from(PAGES),
    st.dictionaries(
        st.sampled_from(ASKED),
        st.one_of(
            st.sampled_from((*TEXTS, "synthetic", "relevant", "LTW-TF", "shipped:x", "run:x", "a,b" * 99, *LESSONS)),
            st.text(max_size=20),
        ),
        max_size=4,
    ),
)


def read_address(asked: tuple[str, dict]) -> None:
    """A page, opened with an address: it may say that something in it cannot be, and shows itself all the same."""
    page, parts = asked
    parts = {name: value.encode("utf-8", "replace").decode() for name, value in parts.items()}  # as a server decodes it
    test = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in {"dataset": "synthetic", **parts}.items():
        test.query_params[name] = value
    test.run()
    test.switch_page(f"pages/{page}.py").run()
    assert not test.exception, test.exception[0].value
    refused = [toast.value for toast in test.toast if "of the address cannot be read" in toast.value]
    if refused:
        raise FileError(refused[0])
