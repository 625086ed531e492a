"""What a reader brings in while the server's disk is full or may only be read: a sentence, and nothing is lost."""

import pytest

from pages._ui.workbench.texts import text

READER = """
from tests.pages.conftest import APP, PATIENCE, AppTest, open_page, settled
from ltw_core.service.training_record import ProblemInfo
from ltw_core.service.weighting_file import notes_for, to_bytes
from ltw_core.weighting import LearnedWeighting
from pages._ui import loading
from pages._ui.training import histories
def parameters(seed):
    return {"variant": "LTW-L-I", "hidden": 4, "max_steps": 20, "random_state": seed}
def weighting(seed):
    task = loading.ask("synthetic").result().task("relevant")
    learned = LearnedWeighting(**parameters(seed)).fit(task.counts_train, task.y_train, validation=task.validation)
    return to_bytes(learned, notes_for(ProblemInfo.of("synthetic", task), parameters(seed), task.statistics))
def kept():
    return histories.lasting()._rows("SELECT count(*) FROM training")[0][0]
def bring(page, name, content):
    page = page.file_uploader[0].upload(name, content, "application/octet-stream").run()
    return page, {"kept": kept(), "error": [e.value for e in page.error], "broken": len(page.exception)}
def open_app(path):
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app.query_params["dataset"] = "synthetic"
    return open_page(settled(app.run()), path)
"""
FULL = "the disk is full; make room and try again"
FAILS = "the disk is full, or it fails; make room and try again"


def test_a_weighting_that_is_brought_in_while_the_disk_is_full(on_disk):
    """It is refused with a sentence, what was there stays, and brought in again it is taken."""
    first, spoilt, again = on_disk(
        READER
        + """
page, first = bring(open_app("workbench/workbench"), "a.safetensors", weighting(0))
content = weighting(1)
fill()
page, spoilt = bring(page, "b.safetensors", content)
(disk / "filler").unlink()
page, again = bring(page, "b.safetensors", content)
print(json.dumps([first, spoilt, again]))
""",
        size="24m",
    )
    assert first == {"kept": 1, "error": [], "broken": 0}
    assert spoilt["kept"] == 1 and not spoilt["broken"]
    assert spoilt["error"] in [
        [f"This could not be done on the server: {each}. Nothing was lost."] for each in (FULL, FAILS)
    ]
    assert again == {"kept": 2, "error": [], "broken": 0}


def test_a_weighting_that_is_brought_in_where_the_folder_may_only_be_read(on_disk):
    """The server has said when it began that it remembers until it ends: it takes the file, and the disk's stays."""
    found = on_disk(
        READER
        + """
import hashlib
from ltw_core.service.training_history import History
History(disk / "history.sqlite").close()
before = hashlib.sha256((disk / "history.sqlite").read_bytes()).hexdigest()
read_only()
page, found = bring(open_app("workbench/workbench"), "a.safetensors", weighting(0))
found["same"] = hashlib.sha256((disk / "history.sqlite").read_bytes()).hexdigest() == before
found["warned"] = [each.value for each in page.warning]
print(json.dumps(found))
""",
        size="24m",
    )
    assert found == {"kept": 1, "error": [], "broken": 0, "same": True, "warned": [text("history_unusable")]}


@pytest.mark.parametrize("spoil", ["fill()", "read_only()"])
def test_a_formula_that_is_brought_in(on_disk, spoil):
    """Formulas are kept in the reader's session: the disk does not matter to them, from the first page on. Nor is the
    click lost where something on the page is just done."""
    found = on_disk(
        READER
        + f"""
from ltw_core.weighting import Composed
{spoil}
page = open_app("workbench/workbench")
page.query_params["run"] = "formulas"
page.session_state["own_open"] = True
page = page.run()
content = json.dumps([Composed("mine", cd="tpr - fpr").as_dict()]).encode()
page = page.file_uploader[0].upload("weightings.json", content, "application/json").run()
page.session_state["_own_f1"] = True  # what is computed on the page ends just now, and has it run again
page = page.button(key="own_take").click().run()
own = list(page.session_state["own_weightings"])
print(json.dumps({{"own": own, "error": [e.value for e in page.error], "broken": len(page.exception)}}))
""",
        size="24m",
    )
    assert found == {"own": ["mine"], "error": [], "broken": 0}
