"""Which cells a study is made of: dataset(s) × classes × weightings × learners × seeds. Computes none of them."""

from collections.abc import Iterable, Sequence

from ltw_core.corpora import Corpus, load
from ltw_core.corpora.corpus import some
from ltw_core.evaluation import GRIDS, LEARNERS, learners
from ltw_core.studies.cell import Cell, seeds_of
from ltw_core.weighting import FAMILIES, method, methods, paper_settings


def plan(datasets: Sequence[str], *, corpus_parameters: dict | None = None, **options) -> list[Cell]:
    """The cells of a study of corpora of the catalogue; parameters as for ``cells_of``.

    Raises
    ------
    ValueError
        An unknown name, or nothing to do; ``CorpusError`` where a corpus is not there.
    """
    cells = []
    for name in dict.fromkeys(datasets):
        corpus = load(name, **(corpus_parameters or {}))
        cells += cells_of(corpus, corpus_parameters=corpus_parameters, **options)
    if not cells:
        raise ValueError("the study has no cells; name at least one dataset, and FT only with the weighting Dense")
    return cells


def cells_of(
    corpus: Corpus,
    *,
    classes: Sequence[str] | str = "all",
    weightings: Sequence[str] | str = "all",
    learner_names: Sequence[str] | str = "all",
    grid: str = "quick",
    seeds: int = 1,
    corpus_parameters: dict | None = None,
    **settings,
) -> list[Cell]:
    """The cells of one corpus of the catalogue, in the order in which they are worth computing.

    A first seed of everything comes before a second of anything, and the cells of a class lie together, because they
    share its terms and, weighting by weighting, its vectors. The classifier FT goes with the weighting Dense only.

    Parameters
    ----------
    corpus : Corpus
    classes : list of str, or "all"
        Names of classes, all of which it must have.
    weightings : list of str, or "all"
        Names of ``ltw_core.weighting.methods()`` or of families ("UTW", "STW", "LTW"). CCA, which takes minutes a
        class, is only there when it is named.
    learner_names : list of str, or "all"
    grid : {"quick", "full"}
    seeds : int
        Seeds 0, 1, … of what is seeded; see ``cell.seeds_of``.
    corpus_parameters : dict, optional
        Parameters of the synthetic corpus.
    **settings
        Further fields of ``Cell``: ``tokenizer``, ``stop_words``, ``min_df``, ``ratio``, ``validation``,
        ``weighting_parameters``.

    Raises
    ------
    ValueError
        An unknown name.
    """
    if seeds < 1:
        raise ValueError(f"seeds is {seeds}; it must be at least 1")
    if grid not in GRIDS:
        raise ValueError(f"grid is {grid!r}; it must be one of {', '.join(GRIDS)}")
    chosen = _weightings(weightings)
    chosen_learners = pick("learner", learner_names, list(LEARNERS))
    chosen_classes = pick(f"class of {corpus.name}", classes, corpus.class_names)
    common = {"stop_words": corpus.language} | settings
    own = dict(settings.get("weighting_parameters", ()))
    return [
        Cell(
            corpus=corpus.name,
            fingerprint=corpus.fingerprint,
            class_name=class_name,
            weighting=weighting,
            learner=learner,
            grid=grid,
            seed=seed,
            corpus_parameters=tuple((corpus_parameters or {}).items()),
            **common | {"weighting_parameters": tuple((paper_settings(weighting, corpus.name) | own).items())},
        )
        for seed in range(seeds)
        for class_name in chosen_classes
        for weighting in chosen
        for learner in chosen_learners
        if learner in learners(weighting) and seed in seeds_of(weighting, learner, seeds)
    ]


def names_of(names: Iterable[str] | str) -> list[str]:
    """Names from a list, or from a text with commas."""
    return [name.strip() for name in (names.split(",") if isinstance(names, str) else names) if name.strip()]


def pick(what: str, names: Iterable[str] | str, all_names: Sequence[str]) -> list[str]:
    """Those of ``all_names`` that are named, in its order; all of them for "all"."""
    names = names_of(names)
    if names == ["all"]:
        return list(all_names)
    unknown = [name for name in names if name not in all_names]
    if unknown or not names:
        raise ValueError(f"there is no {what} {', '.join(map(repr, unknown))}; there are {some(all_names, 30)}, or all")
    return [name for name in all_names if name in set(names)]


def _weightings(names: Iterable[str] | str) -> list[str]:
    """Names, and those that families and "all" stand for: all that take less than minutes a class."""
    expanded: list[str] = []
    for name in names_of(names):
        group = methods(name) if name in FAMILIES else methods() if name == "all" else None
        expanded += [name] if group is None else [one for one in group if not method(one).minutes]
    return pick("weighting", expanded, methods())
