"""Training runs compared: a table of the settings in which they differ."""

from collections.abc import Mapping, Sequence

import pandas as pd


def differing(records: Sequence[Mapping], names: Sequence[str] | None = None) -> pd.DataFrame:
    """The settings in which records are not all alike.

    Parameters
    ----------
    records : sequence of mappings
        Settings by name; one that is missing counts as None.
    names : sequence of str, optional
        What to call the records; 1, 2, … without it.

    Returns
    -------
    DataFrame
        A row a record, a column a setting that differs, in the order in which settings first appear. No columns if all
        are alike, or if there is one record only.
    """
    records = [dict(record) for record in records]
    index = list(names) if names is not None else list(range(1, len(records) + 1))
    if len(index) != len(records):
        raise ValueError(f"there are {len(records)} records and {len(index)} names")
    order = list(dict.fromkeys(name for record in records for name in record))
    columns = {}
    for name in order:
        values = [record.get(name) for record in records]
        if any(not _same(value, values[0]) for value in values[1:]):
            columns[name] = pd.Series(values, index=index, dtype=object)
    return pd.DataFrame(columns, index=index)


def _same(one, other) -> bool:
    """Equality for which 1 and True differ and NaN equals NaN."""
    if one != one and other != other:
        return True
    return (
        type(one) is type(other) and one == other if isinstance(one, bool) or isinstance(other, bool) else one == other
    )
