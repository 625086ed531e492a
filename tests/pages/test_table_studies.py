"""A study of a table that a reader brought, from the page: private, in the table's own folder, gone with it."""

import os
import re

import pytest

from ltw_core.evaluation import decimals
from ltw_core.service import kept_tables, study_process
from ltw_core.storage.processes import process_of
from ltw_core.studies.cell import PARTS, Cell
from ltw_core.studies.store import Store
from pages._ui.evaluate import study_source
from pages._ui.reader import owners, tables_on_disk
from tests.pages.conftest import open_page, texts
from tests.pages.test_study import at, choose, html
from tests.studies.conftest import make_result
from tests.waiting import wait_for

CLASSES = ("fruit, fresh", "tools")


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def bring(app):
    """A table with a comma in a label, read by a session; its identifier."""
    rows = [f'apples pears juice number{i},"{CLASSES[0]}"\nhammer nails saws number{i},{CLASSES[1]}' for i in range(60)]
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("Mine.csv", "\n".join(["text,label", *rows]).encode(), "text/csv")
    page.run().button(key="own_read").click().run()
    assert not page.exception and not page.error
    return page, page.session_state["_dataset"]


def asked(page, classes=()):
    page.multiselect(key="run_weightings").set_value(["TFRF"])
    page.multiselect(key="run_learners").set_value(["MNB"])
    page.number_input(key="run_workers").set_value(1)
    page = page.run()
    (key,) = [control.key for control in page.multiselect if control.key.startswith("run_classes-")]
    return page.multiselect(key=key).set_value(list(classes)).run()


def of(page, key):
    return page.session_state[tables_on_disk._TABLES][key]


def test_a_table_is_studied_for_its_reader_alone(app, state, monkeypatch):
    monkeypatch.setattr(study_source, "FRESH", -1)  # each change of the store is seen at once
    page, key = bring(app)
    page = asked(at(page, "Run a study"), CLASSES[:1])
    assert page.multiselect(key="run_datasets").value == [key]  # the one that is looked at
    assert "Results on your table are kept beside it" in texts(page)
    assert "**1 F1 score** to compute" in texts(page)
    page.multiselect(key="run_datasets").set_value([key, "synthetic"])
    assert "choose it alone" in page.run().info[0].value
    page = asked(page.multiselect(key="run_datasets").set_value([key]).run(), CLASSES[:1])
    assert "Terms are counted as usual" in texts(page)
    page.session_state["_count"] = "ngrams:1-2"  # chosen beside the dataset
    page = page.selectbox(key="run_protocol").set_value("authors").run()
    assert "Counted otherwise: 1- to 2-grams" in texts(page).replace("\\", "")
    page = page.button(key="run_start").click().run()
    assert not page.exception and not page.error
    assert page.button(key="run_start").disabled
    table = of(page, key)
    study = wait_for(lambda: (now := study_process.current_of_table(table)) and not now.running and now, every=0.2)
    assert (study.state, study.error, study.progress["done"]) == ("finished", "", 1)
    assert study.request.classes == CLASSES[:1] and study.owner == "test session id"
    with Store(table.store, read_only=True) as store:
        (record,) = store.records()
    assert (record.cell.corpus, record.cell.class_name) == ("table-mine", CLASSES[0])
    assert (record.cell.ngram_range, record.cell.how.name) == ((1, 2), "authors")

    # whatever was written lies in the table's folder, and goes with it; the page counted it into no cache either
    outside = [path for path in state.rglob("*") if path.is_file() and table.folder not in path.parents]
    assert not [path for path in outside if "Mine" in path.name or (path.suffix == ".npz" and "table" in path.name)]
    assert study_process.current() is None and not (state / "studies.sqlite").exists()

    page = page.run()
    assert "Finished" in texts(page) and "Mine.csv · fruit, fresh" in texts(page)
    assert "1 seed · 1- to 2-grams · protocol of the authors’ code" in texts(page).replace("\\", "")
    page = choose(page, "Tables").segmented_control(key="source").set_value(key).run()
    assert not page.exception and not page.error
    assert re.search(rf"TFRF with MNB on Mine.csv: Macro F1, ours {decimals(record.f1, 4)}", html(page))
    assert "the paper" not in html(page).lower().replace("the paper has none", "")
    assert "Nobody else sees these results" in texts(page)
    counted_as_usual(table, record)
    page.query_params["study_terms"] = "as usual"
    page = page.run()
    control = page.segmented_control(key="study_terms")
    assert (control.options, control.value) == (["1- to 2-grams", "As usual"], "as usual")
    assert re.search(r"on Mine.csv \(as usual\): Macro F1, ours .5000", html(page))
    page = control.set_value("1- to 2-grams").run()
    assert re.search(rf"on Mine.csv \(1- to 2-grams\): Macro F1, ours {decimals(record.f1, 4)}", html(page))
    for view in ("Significance", "Ranks", "By class", "Time", "Where we differ"):
        page = choose(page, view)
        assert not page.exception and not page.error, view

    # deleted: its figures go, and the page shows others
    open_page(page, "data/data").button(key=f"delete-{key}").click().run()
    assert not table.folder.exists()
    page = open_page(page, "evaluate/study")
    assert not page.exception and not page.error
    assert key not in [option for group in page.segmented_control for option in group.options]


def counted_as_usual(table, record):
    """The same cell as it is usually counted joins the store, with other figures."""
    cell = Cell(**{name: getattr(record.cell, name) for name in PARTS} | {"ngram_range": (1, 1)})
    with Store(table.store) as store:
        store.add([cell])
        store.want([cell.key])
        runner = store.register()
        for claimed in store.claim(runner):
            store.finish(runner, claimed.key, make_result(claimed, 5, 5, 5, 85))


def running(folder, owner):
    """A study in a table's folder that seems to run: its process is this one."""
    request = {"datasets": ["table-x"], "weightings": ["TF"], "learners": ["SVM"]}
    told = {"request": request, "store": "s.sqlite", "started": 1.0, "owner": owner}
    (folder / study_process.FOLDER).mkdir(parents=True)
    path = folder / study_process.FOLDER / study_process.ASKED
    study_process.write_json(path, told | {"process": tuple(process_of(os.getpid()))})


def test_anothers_study_is_not_shown_but_is_waited_for(app, monkeypatch):
    source = kept_tables.TableSource("secret.csv", called="secret.csv")
    table = kept_tables.keep(kept_tables.new_token(), "ann", "own-12345678", b"text,label\na,b\n", source)
    running(table.folder, "somebody else")
    monkeypatch.setitem(owners._sessions, "somebody else", {"a session"})
    page = at(app, "Run a study")
    assert page.button(key="run_start").disabled and "run_stop" not in [button.key for button in page.button]
    assert "Another reader’s own table is being studied" in texts(page)
    assert "secret" not in texts(page) and "table-x" not in texts(page)
    with pytest.raises(ValueError, match="a table of a reader's own is being studied on this server"):
        study_process.start(study_process.Request(("synthetic",), ("TF",), ("SVM",)), table.store)
    assert "Another reader" not in texts(at(page, "Tables"))
    monkeypatch.setattr(owners, "gone", lambda owner: True)
    assert at(page, "Run a study").button(key="run_stop").help.startswith("Whoever started it is no longer here")


def test_a_table_stays_while_it_is_studied():
    from tests.service.test_kept_tables import age

    source = kept_tables.TableSource("mine.csv", called="mine.csv")
    tables = [kept_tables.keep(kept_tables.new_token(), "ann", f"own-{i}", b"a,b\nc,d\n", source) for i in range(2)]
    running(tables[0].folder, "ann")
    for table in tables:
        age(table.folder, kept_tables.KEPT + 60)
    kept_tables.purge(study_process.tables_in_use())
    assert [table.folder.exists() for table in tables] == [True, False]
