"""Learning on the published corpora and the embedded one: train, and every view of what was learned."""

import pytest
from streamlit.testing.v1 import AppTest

from ltw_core.corpora import catalogue
from tests.pages.conftest import APP, figures, finish_jobs, open_page, settled, texts
from tests.pages.test_shapes import VIEWS
from tests.waiting import PATIENCE

CLASSES = {"reuters21578": "corn", "20newsgroups": "misc.forsale", "ohsumed": "C08", "pydocs": "scipy.stats"}


@pytest.mark.parametrize("corpus", CLASSES)
def test_train_and_every_view_of_it(corpus):
    if not next(entry.available for entry in catalogue() if entry.name == corpus):
        pytest.skip(f"real corpus: {corpus} is not in LTW_DATA")
    app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    app.query_params["dataset"], app.query_params["class"] = corpus, CLASSES[corpus]
    app.session_state["hyperparameters"] = app.session_state["about_picture"] = True
    page = open_page(settled(app.run()), "workbench/workbench")
    page.number_input(key="max_steps").set_value(300)
    page = finish_jobs(page.button(key="train").click().run())
    assert not page.exception and not page.error
    assert "Finished at step 300" in texts(page)
    for view, words in VIEWS.items():
        page.session_state["view"] = view
        page = page.run()
        assert not page.exception and not page.error, view
        assert words in texts(page), view
    assert figures(page)
