"""Which column of a table holds the texts, which the labels and which the split: by name, then by content."""

from dataclasses import dataclass

from ltw_core.corpora.corpus import CorpusError, some
from ltw_core.corpora.tables.rows import Row

_TEXT_NAMES = (
    *("text", "texts", "document", "content", "body", "sentence", "review", "abstract", "message", "comment"),
    *("article", "post", "tweet", "question", "description", "headline", "title"),
)
_LABEL_NAMES = (
    *("label", "labels", "class", "classes", "category", "categories", "topic", "topics", "target", "tag", "tags"),
    *("sentiment", "genre", "y"),
)
_SPLIT_NAMES = ("split", "part", "partition", "subset", "set", "fold")
_SPLIT_WORDS = {
    **dict.fromkeys(("train", "training", "tr"), "train"),
    **dict.fromkeys(("test", "testing", "te", "eval", "evaluation"), "test"),
    **dict.fromkeys(("validation", "valid", "val", "dev", "development"), "validation"),
}


@dataclass(frozen=True)
class Columns:
    """Names of the chosen columns; ``split`` is None where there is none."""

    text: str
    label: str
    split: str | None


def split_word(word: object) -> str | None:
    """``"train"``, ``"test"`` or ``"validation"`` for the words in use for them, None for any other."""
    return _SPLIT_WORDS.get(word.strip().lower()) if isinstance(word, str) else None


def choose_columns(
    columns: list[str],
    sample: list[Row],
    source: str,
    text: str | None,
    label: str | None,
    split: str | bool | None,
) -> Columns:
    """Check the columns that were given and guess those that weren't.

    Parameters
    ----------
    columns : list of str
        All there are.
    sample : list of Row
        The first rows.
    split : str, False or None
        False: none, even if there is a column of such a name.

    Raises
    ------
    CorpusError
        If a given column does not exist, one is given twice, or none can be guessed.
    """
    given = [column for column in (text, label, split) if isinstance(column, str)]
    for column in given:
        if column not in columns:
            names = some([repr(name) for name in columns], 20)
            raise CorpusError(f"{source} has no column {column!r}; there are {names}.")
        if given.count(column) > 1:
            raise CorpusError(f"Column {column!r} of {source} was given for two purposes.")
    free = [column for column in columns if column not in given]
    if split is None:
        split = _guess_split(free, sample)
        free = [column for column in free if column != split]
    label_by_name = _by_name(free, _LABEL_NAMES) if label is None else label
    if text is None:
        candidates = [column for column in free if column != label_by_name]
        text = _by_name(candidates, _TEXT_NAMES) or _longest(candidates, sample)
        if text is None:
            raise CorpusError(f"{source}: no column looks like texts; say which ({some(columns, 20)}).")
        free = [column for column in free if column != text]
    if label is None:
        label = label_by_name or _fewest_values(free, sample)
        if label is None:
            raise CorpusError(f"{source}: no column looks like labels; say which ({some(columns, 20)}).")
    return Columns(text, label, split or None)


def passed_over(columns: list[str], sample: list[Row], chosen: Columns) -> str:
    """A sentence if a column has the name of a split, but was not taken for one; else empty. Parameters as above."""
    named = _by_name([column for column in columns if column not in (chosen.text, chosen.label)], _SPLIT_NAMES)
    if chosen.split is not None or named is None:
        return ""
    words = (row.cells.get(named) for row in sample)
    other = next((repr(str(word)[:40]) if word else "an empty cell" for word in words if split_word(word) is None), "")
    return f"Column {named!r} was not taken for the split: {other} is neither train nor test." if other else ""


def _by_name(columns: list[str], names: tuple[str, ...]) -> str | None:
    lower = {column.lower(): column for column in reversed(columns)}
    return next((lower[name] for name in names if name in lower), None)


def _guess_split(columns: list[str], sample: list[Row]) -> str | None:
    """A column with the name of a split, if all the words in it are words for parts."""
    column = _by_name(columns, _SPLIT_NAMES)
    if column is None or not sample or any(split_word(row.cells.get(column)) is None for row in sample):
        return None
    return column


def _longest(columns: list[str], sample: list[Row]) -> str | None:
    """The column with the longest strings on average, which of the same rows is that with the longest in all."""
    lengths = {}
    for column in columns:
        values = [value for row in sample if isinstance(value := row.cells.get(column), str)]
        if values:
            lengths[column] = sum(map(len, values))
    return max(lengths, key=lengths.get, default=None)


def _fewest_values(columns: list[str], sample: list[Row]) -> str | None:
    """The column with fewest different values, but at least two, repeated twice on average."""
    counts = {}
    for column in columns:
        values = {str(value) for row in sample if (value := row.cells.get(column)) not in (None, "")}
        if 2 <= len(values) <= len(sample) / 2:
            counts[column] = len(values)
    return min(counts, key=counts.get, default=None)
