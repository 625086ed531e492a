"""Dense and CCA, which weigh no terms on their own, on the pages that offer weightings."""

from tests.pages.conftest import labelled, open_page, texts
from tests.pages.test_classifiers import choose, evaluate, page  # noqa: F401 (a fixture)


def test_dense_and_cca_are_evaluated_like_any_weighting(page, monkeypatch):  # noqa: F811
    from ltw_core.weighting import make

    small = {"CCA": {"population": 10, "generations": 1}, "Dense": {"epochs": 10}}
    monkeypatch.setattr("ltw_core.evaluation.vectors.make", lambda name, **k: make(name, **small.get(name, {}), **k))
    page = evaluate(choose(page, learners=["SVM"], utw=[], stw=["TFRF", "Dense", "CCA"]))
    frame = page.dataframe[0].value
    assert sorted(frame["weighting"]) == ["CCA", "Dense", "TFRF"] and frame["F1"].between(0, 1).all()
    for name, remark in (("CCA", "CCA's formula, of depth"), ("Dense", "fastText's vectors were learned from")):
        page = labelled(page, "selectbox", "Weighting").set_value(name).run()
        assert not page.exception and remark in texts(page)


def test_documents_are_shown_under_weightings_that_weigh_terms(app):
    page = open_page(app, "explore/corpus")
    page.session_state["section"] = "Documents"
    page = page.run()
    assert not page.exception
    offered = page.multiselect(key="doc_weightings").options
    assert "TFRF" in offered and not {"Dense", "CCA"} & set(offered)
