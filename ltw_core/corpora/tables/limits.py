"""How much of a table is read: all that memory holds, or what a server allows an upload."""

from dataclasses import dataclass

from ltw_core.settings import table_bytes

UPLOAD_ROWS = 2_000_000  # with 100 MB of file (``LTW_TABLE``) it keeps a table under 1 GB of memory, whatever is in it


@dataclass(frozen=True)
class Limits:
    """The most that is read of a table; None where memory is the limit.

    Attributes
    ----------
    n_bytes : int or None
        Of the file, and of what it unpacks to.
    rows : int or None
        With a text.
    """

    n_bytes: int | None = None
    rows: int | None = None


NO_LIMITS = Limits()


def upload_limits() -> Limits:
    """What the app reads of a table that somebody uploads.

    Raises
    ------
    ValueError
        ``LTW_TABLE`` is no whole number from 1.
    """
    return Limits(table_bytes(), UPLOAD_ROWS)
