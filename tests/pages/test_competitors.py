"""Dense and CCA, which weigh no terms on their own, on the pages that offer weightings."""

from tests.pages.conftest import finish_jobs, labelled, open_page, texts


def test_dense_and_cca_are_evaluated_like_any_weighting(app, monkeypatch):
    from ltw_core.weighting import make

    small = {"CCA": {"population": 10, "generations": 1}, "Dense": {"epochs": 10}}
    monkeypatch.setattr("ltw_core.evaluation.vectors.make", lambda name, **k: make(name, **small.get(name, {}), **k))
    page = open_page(app, "evaluate/classifiers")
    labelled(page, "multiselect", "Weightings").set_value(["TFRF", "Dense", "CCA"])
    page = finish_jobs(page.run().button(key="evaluate").click().run())
    assert not page.exception and not page.error
    frame = page.dataframe[0].value
    assert sorted(frame["weighting"]) == ["CCA", "Dense", "TFRF"] and frame["F1"].between(0, 1).all()
    assert "CCA's formula, of depth" in texts(page) and "fastText's vectors were learned from" in texts(page)


def test_documents_are_shown_under_weightings_that_weigh_terms(app):
    page = open_page(app, "explore/corpus")
    page.session_state["section"] = "Documents"
    page = page.run()
    assert not page.exception
    offered = page.multiselect(key="doc_weightings").options
    assert "TFRF" in offered and not {"Dense", "CCA"} & set(offered)
