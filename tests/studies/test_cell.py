import json
from dataclasses import fields, replace

import pytest

from ltw_core.corpora import read_table
from ltw_core.corpora.catalogue import protocol_parameters
from ltw_core.protocol import PROTOCOLS
from ltw_core.studies import cell as module
from ltw_core.studies.averages import label
from ltw_core.studies.cell import Cell, current_versions, seeds_of
from ltw_core.studies.compute import CellOutcome, evaluate_cell, run_cells, vectors_of
from ltw_core.studies.plan import cells_of, names_of, pick, plan
from ltw_core.studies.store import settings_of
from ltw_core.tasks import VectorizerOptions
from ltw_core.weighting.methods import method, seeded


def test_the_key_is_stable(made):
    """A stored key must be found again by any later process: raise the schema's version when this changes."""
    cell = made.cell(versions={"numpy": "2"}, weighting_parameters={"norm": None, "k1": 1.5})
    assert cell.key == "1d24ec9a838b7761102799a3d7f3e247042559271daae3d1d909f2cce4b90cce"
    assert Cell.from_json(cell.json()) == cell
    assert json.loads(cell.json())["weighting_parameters"] == {"k1": 1.5, "norm": None}
    assert made.cell(weighting_parameters={"k1": 1.5, "norm": None}).key == (
        made.cell(weighting_parameters={"norm": None, "k1": 1.5}).key
    )


CHANGES = {
    "corpus": "pydocs",
    "fingerprint": "e" * 64,
    "class_name": "other",
    "weighting": "TFGR",
    "learner": "LR",
    "grid": "full",
    "seed": 1,
    "corpus_parameters": {"documents": 200},
    "weighting_parameters": {"norm": None},
    "tokenizer": "letters",
    "stop_words": None,
    "min_df": 2,
    "ratio": 0.2,
    "validation": 0.3,
    "split": "random",
    "documents": "all",
    "sample": 50,
    "grid_sample": 500,
    "protocol": "authors",
    "analyzer": "char_wb",
    "ngram_range": (1, 2),
    "max_features": 500,
    "token_pattern": r"\S+",
    "lowercase": False,
    "versions": {"numpy": "1"},
}


@pytest.mark.parametrize("name", [field.name for field in fields(Cell) if field.name != "source"])
def test_everything_that_affects_a_result_changes_the_key(made, name):
    cell = made.cell()
    changed = replace(cell, **{name: CHANGES[name]})
    assert changed.key != cell.key
    assert (changed.vectors_key == cell.vectors_key) == (
        name in {"learner", "grid", "grid_sample", "seed"}
    )  # TFRF draws from no seed


def test_what_counts_documents_as_before_is_the_cell_that_it_was(made):
    old = made.cell(versions={"numpy": "2"})
    assert "documents" not in json.loads(old.json()) and old.documents == "with_terms"
    new = replace(old, documents="all")
    assert json.loads(new.json())["documents"] == "all" and Cell.from_json(new.json()) == new
    assert settings_of(new) != settings_of(old)  # no figure averages over both
    assert (dict(made.cell().versions)["ltw_core.tasks"], made.cell().check_versions()) == ("1", None)
    assert (dict(made.cell(documents="all").versions)["ltw_core.tasks"], new.key != old.key) == ("2", True)
    made.cell(documents="all").check_versions()
    with pytest.raises(ValueError, match=r"planned with ltw_core.tasks 1 \(here 2\)"):
        replace(made.cell(), documents="all").check_versions()


def test_how_terms_are_counted_is_in_the_key_and_the_usual_way_in_none(made):
    old = made.cell(versions={"numpy": "2"})
    assert set(json.loads(old.json())) & set(VectorizerOptions().__dict__) == {"tokenizer", "stop_words", "min_df"}
    new = replace(old, ngram_range=[1, 2], stop_words=["of", "the"], min_df=0.01, token_pattern=r"\S+", max_features=9)
    assert json.loads(new.json())["ngram_range"] == [1, 2] and new.ngram_range == (1, 2)
    assert Cell.from_json(new.json()) == new and settings_of(new) != settings_of(old)
    assert new.options.told() == (
        r"1- to 2-grams, token pattern \S+, without 2 words of one's own, terms in at least 1 % of the documents, "
        "the 9 most frequent terms"
    )
    assert new.settings["ngram_range"] == (1, 2) and "ngram_range" not in old.settings
    with pytest.raises(ValueError, match="the analyzer is a callable, which has no name by which"):
        replace(old, analyzer=str.split)
    with pytest.raises(ValueError, match="stop words of one's own are too many"):
        replace(old, stop_words=[f"word{n}" for n in range(9_999)])
    for field, value, said in (
        ("ngram_range", [2], "a list of 2 values"),
        ("analyzer", "x", "one of word, char, char_wb"),
        ("stop_words", [1], "a language, a list of words"),
        ("min_df", -0.5, "a number from 0 to 1"),
    ):
        with pytest.raises(ValueError, match=said):
            Cell.from_json(json.dumps(json.loads(new.json()) | {field: value}))


def test_the_protocol_is_in_the_key_and_the_papers_in_none(made):
    old = made.cell(versions={"numpy": "2"})
    assert "protocol" not in json.loads(old.json()) and old.protocol == "" and replace(old, protocol="paper") == old
    new = replace(old, protocol="authors")
    assert new.how == PROTOCOLS["authors"] and json.loads(new.json())["protocol"] == PROTOCOLS["authors"].text
    assert Cell.from_json(new.json()) == new and settings_of(new) != settings_of(old)
    assert new.settings["protocol"] == new.protocol and "protocol" not in old.settings
    assert str(new).endswith("seed 0, protocol authors")
    with pytest.raises(ValueError, match="it must be one of paper, authors"):
        replace(old, protocol="editors")


def test_a_plan_asks_readers_for_what_the_protocol_says(made, monkeypatch):
    assert protocol_parameters("reuters21578", "authors") == {"entities": "dropped"}
    assert protocol_parameters("reuters21578", "paper") == protocol_parameters("synthetic", "authors") == {}
    asked = {"weightings": "TFRF,TFRF-before-2017-01-23", "learner_names": "SVM", "classes": "relevant"}
    monkeypatch.setattr(
        "ltw_core.studies.plan.protocol_parameters", lambda name, of: {"documents": 99} if of.text else {}
    )
    cells = plan(["synthetic"], protocol="authors", corpus_parameters={"noise_terms": 20}, **asked)
    assert [cell.weighting for cell in cells] == asked["weightings"].split(",")
    assert {cell.corpus_parameters for cell in cells} == {(("documents", 99), ("noise_terms", 20))}


def test_a_plan_refuses_options_before_anything_is_computed(made):
    asked = {"weightings": "TFRF", "learner_names": "SVM", "corpus_parameters": made.small}
    cells = plan(["synthetic"], ngram_range=(1, 2), analyzer="char", **asked)
    assert {(cell.ngram_range, cell.analyzer, cell.stop_words) for cell in cells} == {((1, 2), "char", None)}
    for options, said in (
        ({"analyzer": str.split}, "the analyzer is a callable"),
        ({"ngram_range": (2, 1)}, "its first number must be at least 1"),
        ({"ratio": 0}, r"ratio is 0; it must lie in \(0, 1\]"),
    ):
        with pytest.raises(ValueError, match=said):
            plan(["synthetic"], **options, **asked)


def test_what_is_no_cell_is_refused(made):
    with pytest.raises(ValueError, match=r"^a cell has a field 'colour'; it may have corpus, fingerprint, "):
        Cell.from_json(json.dumps(json.loads(made.cell().json()) | {"colour": "red"}))
    with pytest.raises(TypeError, match="not JSON serializable"):
        made.cell(weighting_parameters={"k": object()})


def test_seeds_only_where_something_is_drawn():
    assert seeded("LTW-L-I") and not seeded("TFRF")
    assert list(seeds_of("LTW-L-I", "SVM", 3)) == [0, 1, 2]
    assert list(seeds_of("TFRF", "RF", 3)) == [0, 1, 2]
    assert list(seeds_of("TFRF", "SVM", 3)) == [0]


def test_versions_cover_libraries_and_our_own_code(made, monkeypatch):
    versions = dict(current_versions())
    assert {"numpy", "scikit-learn", "torch", "ltw_core.evaluation"} <= set(versions)
    made.cell().check_versions()
    with pytest.raises(ValueError, match=r"planned with numpy 1 \(here .*\); start the study again"):
        made.cell(versions={**versions, "numpy": "1"}).check_versions()
    monkeypatch.setitem(module.METHOD_VERSIONS, "evaluation", 99)
    current_versions.cache_clear()
    try:
        assert dict(current_versions())["ltw_core.evaluation"] == "99"
    finally:
        current_versions.cache_clear()


def test_a_cell_knows_what_computes_it(made):
    assert made.cell().versions == current_versions()
    names = [name for name, _ in made.cell(weighting="CCA").versions]
    assert names == sorted({name for name, _ in current_versions()} | {"deap"})
    assert not any("+" in version for _, version in made.cell(weighting="CCA").versions)
    assert set(module.LIBRARIES) < set(names)


def test_a_cell_of_versions_that_are_not_here_names_each(made):
    with pytest.raises(ValueError) as caught:
        made.cell(versions={"numpy": "1", "scipy": dict(current_versions())["scipy"], "lost": "2"}).check_versions()
    assert str(caught.value) == (
        f"this cell was planned with lost 2 (here none), numpy 1 (here {dict(current_versions())['numpy']}); start the "
        "study again with these versions"
    )


def test_a_cell_in_words_and_as_json(made):
    cell = made.cell(grid="full", seed=3, versions={"numpy": "2"}, class_name="größer")
    assert str(cell) == "synthetic/größer TFRF SVM full seed 3"
    assert "größer" in cell.json() and ": " not in cell.json() and '", "' not in cell.json()
    assert list(json.loads(cell.json())) == sorted(json.loads(cell.json()))
    for number in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not JSON compliant"):
            made.cell(weighting_parameters={"k": number})


def test_cells_of_one_weighting_share_vectors_whatever_the_learner(made):
    one, other = made.cell(), made.cell(learner="LR", grid="full", seed=7)
    assert one.vectors_key == other.vectors_key != one.key
    learned = made.cell(weighting="LTW-L-I"), made.cell(weighting="LTW-L-I", seed=7)
    assert learned[0].vectors_key != learned[1].vectors_key


def test_names_are_picked_in_the_order_there_is():
    assert names_of(" a, b ,,c ") == names_of(["a", " b", "", "c "]) == ["a", "b", "c"]
    assert pick("letter", "c, a,c", "abc") == ["a", "c"]
    assert pick("letter", "all", "abc") == pick("letter", ["all"], "abc") == ["a", "b", "c"]
    numbers = [str(number) for number in range(31)]
    with pytest.raises(ValueError) as caught:
        pick("number", "x,3,y", numbers)
    assert str(caught.value) == f"there is no number 'x', 'y'; there are {', '.join(numbers[:30])} and 1 more, or all"
    with pytest.raises(ValueError, match=r"^there is no number ; there are 0"):
        pick("number", " , ", numbers)


def test_a_plan_counts_its_cells(made):
    cells = plan(["synthetic"], weightings="UTW,LTW-L-I", learner_names="SVM,RF", seeds=3, corpus_parameters=made.small)
    # 2 classes; 6 formulas: SVM once, RF 3 seeds; LTW-L-I: both with 3 seeds
    assert len(cells) == len({cell.key for cell in cells}) == 2 * (6 * (1 + 3) + 2 * 3)
    assert [cell.seed for cell in cells] == sorted(cell.seed for cell in cells)  # a first seed of everything first
    assert len({cell.vectors_key for cell in cells}) == 2 * (6 + 3)
    assert cells[0].stop_words is None and dict(cells[0].corpus_parameters) == made.small


STOPPED = b"label,text,split\na,one word,train\nb,other word,train\na,what is it,test\nb,word,test\n"


def test_the_protocol_of_a_plan_is_the_published_one_on_the_papers_corpora_alone():
    table = read_table(STOPPED, text="text", label="label", split="split")
    papers = replace(table, name="20newsgroups")
    asked = {"weightings": "TFRF", "learner_names": "SVM"}
    says = lambda corpus, **more: {cell.documents for cell in cells_of(corpus, **asked, **more)}  # noqa: E731
    assert (says(table), says(papers)) == ({"all"}, {"with_terms"})
    assert (says(table, documents="with_terms"), says(papers, documents="all")) == ({"with_terms"}, {"all"})
    full = replace(table, documents=("one word", "other word", "word", "word"))  # each holds a term: it is all the same
    assert says(full, documents="all") == {"with_terms"}
    with pytest.raises(ValueError, match="documents is 'none'; it must be one of all, with_terms"):
        says(table, documents="none")


def test_a_plan_keeps_the_share_of_terms_that_is_the_corpuss_own():
    table = read_table(STOPPED, text="text", label="label", split="split")
    says = lambda corpus, **more: {c.ratio for c in cells_of(corpus, weightings="TF", learner_names="SVM", **more)}  # noqa: E731
    assert says(table) == says(table, ratio=None) == {1.0}  # three terms
    assert says(table, ratio=0.5) == {0.5} and says(replace(table, name="20newsgroups")) == {0.1}


def test_ft_is_planned_with_dense_only(small_plan):
    cells = small_plan("TFRF,Dense", "SVM,FT", classes="relevant", seeds=2)
    assert [(cell.weighting, cell.learner, cell.seed) for cell in cells] == [
        ("TFRF", "SVM", 0),
        ("Dense", "SVM", 0),
        ("Dense", "FT", 0),
        ("Dense", "SVM", 1),
        ("Dense", "FT", 1),
    ]
    with pytest.raises(ValueError, match="FT only with the weighting Dense"):
        small_plan("TFRF", "FT")


def test_settings_of_the_paper_for_a_corpus_are_planned_and_not_shown(monkeypatch, small_plan):
    monkeypatch.setitem(method("Dense").per_corpus, "synthetic", {"epochs": 3})
    (cell,) = small_plan("Dense", "FT", classes="relevant")
    assert dict(cell.weighting_parameters) == {"epochs": 3} and label(cell) == "Dense"
    (cell,) = small_plan("Dense", "FT", classes="relevant", weighting_parameters={"epochs": 4})
    assert dict(cell.weighting_parameters) == {"epochs": 4} and label(cell) == "Dense (epochs = 4)"
    (outcome,) = run_cells([cell])
    assert outcome.result.learner == "FT" and outcome.error == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"datasets": ["nothing"]}, "There is no corpus 'nothing'"),
        ({"datasets": []}, "no cells"),
        ({"classes": "relevant,x"}, "no class of synthetic 'x'; there are other, relevant, or all"),
        ({"weightings": "TFXX"}, "no weighting 'TFXX'; there are Binary"),
        ({"learner_names": "GPT"}, "no learner 'GPT'; there are SVM"),
        ({"grid": "huge"}, "grid is 'huge'; it must be one of quick, full"),
        ({"seeds": 0}, "seeds is 0; it must be at least 1"),
    ],
)
def test_a_wrong_plan_is_a_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        plan(**({"datasets": ["synthetic"]} | options))


def test_sharing_vectors_changes_nothing(small_plan):
    cells = small_plan("LTW-L-I", "SVM,LR,MNB", classes="relevant", weighting_parameters={"max_steps": 200})
    together = run_cells(cells)
    for cell, outcome in zip(cells, together, strict=True):
        alone = evaluate_cell(cell, vectors_of(cell))
        assert isinstance(outcome, CellOutcome) and outcome.key == cell.key
        timeless = {"seconds": 0.0, "weighting_seconds": 0.0}
        assert replace(outcome.result, **timeless) == replace(alone, **timeless)
    with pytest.raises(ValueError, match="do not share"):
        run_cells(small_plan("TFRF,TFGR", "SVM"))


def test_another_corpus_under_the_same_name_is_refused(small_plan):
    (cell,) = small_plan("TFRF", "SVM", classes="relevant")
    with pytest.raises(ValueError, match="is not the one that the study was planned with"):
        vectors_of(replace(cell, fingerprint="0" * 64))


KNOWN = {  # (tp, fp, fn, tn) of the formulas on 240 test documents
    ("LogTFIDF", "SVM"): (48, 2, 0, 190),
    ("LogTFIDF", "MNB"): (37, 1, 11, 191),
    ("LogTFIDF", "KNN"): (47, 2, 1, 190),
    ("BM25", "SVM"): (48, 4, 0, 188),
    ("BM25", "MNB"): (47, 15, 1, 177),
    ("BM25", "KNN"): (28, 14, 20, 178),
    ("TFGR", "SVM"): (48, 2, 0, 190),
    ("TFGR", "MNB"): (46, 1, 2, 191),
    ("TFGR", "KNN"): (45, 10, 3, 182),
    ("TFCHI", "SVM"): (48, 2, 0, 190),
    ("TFCHI", "MNB"): (45, 1, 3, 191),
    ("TFCHI", "KNN"): (43, 4, 5, 188),
    ("ConfWeight", "SVM"): (45, 5, 3, 187),
    ("ConfWeight", "MNB"): (15, 1, 33, 191),
    ("ConfWeight", "KNN"): (39, 5, 9, 187),
    ("TFRF", "SVM"): (48, 0, 0, 192),
    ("TFRF", "MNB"): (46, 1, 2, 191),
    ("TFRF", "KNN"): (47, 3, 1, 189),
}


def test_figures_are_those_of_this_method_version():
    """Where figures are meant to change, raise the version in ``METHOD_VERSIONS`` and put the new ones here."""
    weightings = "LogTFIDF,BM25,TFGR,TFCHI,ConfWeight,TFRF"
    cells = plan(
        ["synthetic"],
        weightings=weightings,
        learner_names="SVM,MNB,KNN",
        classes="relevant",
        corpus_parameters={"documents": 800},
    )
    found = {}
    for cell in cells:
        result = evaluate_cell(cell, vectors_of(cell))
        found[cell.weighting, cell.learner] = (result.tp, result.fp, result.fn, result.tn)
    assert found == KNOWN
    assert module.METHOD_VERSIONS == {"tasks": 1, "weighting": 1, "learned": 1, "evaluation": 1}


def test_cells_share_what_they_are_given_in_order():
    """Thousands of shipped cells have the same versions; each with its own they took 10 MB more."""
    versions, settings = (("a", "1"), ("b", "2")), (("norm", None),)
    cell = Cell("c", "f", "k", "TF", "SVM", versions=versions, weighting_parameters=settings)
    assert cell.versions is versions and cell.weighting_parameters is settings
    other = Cell("c", "f", "k", "TF", "SVM", versions=versions[::-1], weighting_parameters={"norm": None})
    assert (other.versions, other.key) == (versions, cell.key)
