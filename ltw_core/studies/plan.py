"""Which cells a study is made of: dataset(s) × classes × weightings × learners × seeds. Computes none of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from ltw_core.corpora import Corpus
from ltw_core.corpora.catalogue import listed, load_named, protocol_parameters
from ltw_core.corpora.corpus import some
from ltw_core.corpora.tables.source import TableSource
from ltw_core.evaluation import GRIDS, LEARNERS, learners
from ltw_core.evaluation.tuning import check_grid_sample
from ltw_core.protocol import Protocol
from ltw_core.protocol import protocol as protocol_called
from ltw_core.studies.cell import Cell, seeds_of
from ltw_core.studies.paper import DATASETS
from ltw_core.tasks import DOCUMENTS, PAPER_RATIO, VectorizedCorpus, vectorize
from ltw_core.tasks.options import OPTIONS, VectorizerOptions
from ltw_core.tasks.without_terms import ALL, WITH_TERMS
from ltw_core.weighting import FAMILIES, method, methods, paper_settings
from ltw_core.weighting.methods import METHODS


def plan(datasets: Sequence[str | TableSource], *, corpus_parameters: dict | None = None, **options) -> list[Cell]:
    """The cells of a study of corpora of the catalogue and of tables; parameters as for ``cells_of``.

    Raises
    ------
    ValueError
        An unknown name, or nothing to do; ``CorpusError`` where a corpus is not there.
    """
    asked, cells = protocol_called(options.pop("protocol", None)), []
    for name in dict.fromkeys(datasets):
        if isinstance(name, TableSource):
            cells += [replace(cell, source=name) for cell in cells_of(name.load(), protocol=asked, **options)]
        else:
            parameters = protocol_parameters(name, asked) | (corpus_parameters or {})
            corpus = load_named(name, **parameters)
            cells += cells_of(corpus, corpus_parameters=parameters, protocol=asked, **options)
    if not cells:
        raise ValueError("the study has no cells; name at least one dataset, and FT only with the weighting Dense")
    return cells


def cells_of(
    corpus: Corpus | VectorizedCorpus,
    *,
    classes: Sequence[str] | str = "all",
    weightings: Sequence[str] | str = "all",
    learner_names: Sequence[str] | str = "all",
    grid: str = "quick",
    seeds: int = 1,
    documents: str | None = None,
    corpus_parameters: dict | None = None,
    protocol: str | Protocol | None = None,
    **settings,
) -> list[Cell]:
    """The cells of one corpus of the catalogue, in the order in which they are worth computing.

    A first seed of everything comes before a second of anything, and the cells of a class lie together, because they
    share its terms and, weighting by weighting, its vectors. The classifier FT goes with the weighting Dense only.

    Parameters
    ----------
    corpus : Corpus or VectorizedCorpus
        One that is counted already is not counted again where the cells count it in the same way.
    classes : list of str, or "all"
        Names of classes, all of which it must have.
    weightings : list of str, or "all"
        Names of ``ltw_core.weighting.methods()`` or of families ("UTW", "STW", "LTW"). CCA, which takes minutes a
        class, and what is beyond the paper are only there when they are named.
    learner_names : list of str, or "all"
    grid : {"quick", "full"}
    seeds : int
        Seeds 0, 1, … of what is seeded; see ``cell.seeds_of``.
    documents : {"all", "with_terms"}, optional
        Which test documents count: all, or those with a known term. Without, "with_terms" for the corpora of the
        paper, whose published protocol that is, and "all" for others. Where each holds a term both are one.
    corpus_parameters : dict, optional
        With which the corpus was read: those of the synthetic one, or what a protocol asked for.
    protocol : str or Protocol, optional
        See ``ltw_core.protocol``; the paper's text where nothing is said.
    **settings
        Further fields of ``Cell``: options of ``VectorizerOptions`` by their names, ``ratio``, ``validation``,
        ``weighting_parameters``. Without ``stop_words`` they are those of the corpus's language. Without
        ``ratio`` it is the corpus's own (``VectorizedCorpus.default_ratio``). ``grid_sample``: choose each setting on
        so many training documents and train on all, see ``evaluate``; a corpus that has no more has the cells that it
        has without.

    Raises
    ------
    ValueError
        An unknown name.
    """
    counted, corpus = (corpus, corpus.corpus) if isinstance(corpus, VectorizedCorpus) else (None, corpus)
    if seeds < 1:
        raise ValueError(f"seeds is {seeds}; it must be at least 1")
    if grid not in GRIDS:
        raise ValueError(f"grid is {grid!r}; it must be one of {', '.join(GRIDS)}")
    chosen = _weightings(weightings)
    chosen_learners = pick("learner", learner_names, list(LEARNERS))
    chosen_classes = pick(f"class of {corpus.name}", classes, corpus.class_names)
    common = {"stop_words": corpus.language} | settings
    options = VectorizerOptions(**{name: common[name] for name in OPTIONS if name in common})
    options.check_named()
    common |= {name: getattr(options, name) for name in OPTIONS}
    if not 0 < (ratio := 1 if common.get("ratio") is None else common["ratio"]) <= 1:
        raise ValueError(f"ratio is {ratio}; it must lie in (0, 1]")
    own = dict(settings.get("weighting_parameters", ()))
    count = partial(vectorize, corpus, options)
    if counted is not None and counted.options == options:
        count = lambda: counted  # noqa: E731
    common["documents"] = _documents(corpus, documents, count)
    common["protocol"] = protocol_called(protocol).text
    grid_sample = common.pop("grid_sample", None)
    check_grid_sample(grid_sample)
    if grid_sample is not None and grid_sample < corpus.n_train:
        common["grid_sample"] = int(grid_sample)
    if common.get("ratio") is None:  # a corpus of the catalogue need not be counted for it
        common["ratio"] = PAPER_RATIO if listed(corpus.name) else count().default_ratio
    return [
        Cell(
            corpus=corpus.name,
            fingerprint=corpus.fingerprint,
            class_name=class_name,
            weighting=weighting,
            learner=learner,
            grid=grid,
            seed=seed,
            corpus_parameters=corpus_parameters or {},
            **common | {"weighting_parameters": paper_settings(weighting, corpus.name) | own},
        )
        for seed in range(seeds)
        for class_name in chosen_classes
        for weighting in chosen
        for learner in chosen_learners
        if learner in learners(weighting) and seed in seeds_of(weighting, learner, seeds)
    ]


def _documents(corpus: Corpus, documents: str | None, count: Callable[[], VectorizedCorpus]) -> str:
    """Which test documents a cell says that it counts."""
    if documents is None:
        documents = WITH_TERMS if corpus.name in DATASETS else ALL
    if documents not in DOCUMENTS:
        raise ValueError(f"documents is {documents!r}; it must be one of {', '.join(DOCUMENTS)}")
    if documents == WITH_TERMS:
        return documents
    return WITH_TERMS if count().every_test_document_counts else ALL


def names_of(names: Iterable[str] | str) -> list[str]:
    """Names from a list, or from a text with commas."""
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]


def pick(what: str, names: Iterable[str] | str, all_names: Sequence[str]) -> list[str]:
    """Those of ``all_names`` that are named, in its order; all of them for "all", unless a list names one so."""
    by_list, names = not isinstance(names, str), names_of(names)
    if names == ["all"] and not (by_list and "all" in all_names):
        return list(all_names)
    unknown = [name for name in names if name not in all_names]
    if unknown or not names:
        raise ValueError(f"there is no {what} {', '.join(map(repr, unknown))}; there are {some(all_names, 30)}, or all")
    return [name for name in all_names if name in set(names)]


def _weightings(names: Iterable[str] | str) -> list[str]:
    """Names, and those that families and "all" stand for: the paper's that take less than minutes a class."""
    expanded: list[str] = []
    for name in names_of(names):
        group = methods(name) if name in FAMILIES else methods() if name == "all" else None
        expanded += [name] if group is None else [one for one in group if not method(one).by_name]
    unlisted = [name for name in expanded if name in METHODS and not method(name).listed]
    return pick("weighting", expanded, [name for name in METHODS if method(name).listed or name in unlisted])
