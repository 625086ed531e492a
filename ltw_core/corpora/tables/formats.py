"""What a table may be as a file: names and endings of the formats, here and nowhere else."""

from typing import NamedTuple


class Format(NamedTuple):
    """A format: its name for sentences, and the endings by which files of it are known, without their dots."""

    name: str
    endings: tuple[str, ...]


CSV = Format("CSV", ("csv", "txt"))
TSV = Format("TSV", ("tsv", "tab"))
JSONL = Format("JSONL", ("jsonl", "ndjson"))
JSON = Format("JSON", ("json",))
PARQUET = Format("Parquet", ("parquet",))
FORMATS = (CSV, TSV, JSONL, JSON, PARQUET)
PACKED = "gz"
"""The ending of what gzip has compressed; it stands after any of the others."""

ENDINGS = tuple(ending for format in FORMATS for ending in format.endings)
"""All endings, without dots and without the packed ones, as an uploader asks for them."""

NAMES = f"{', '.join(format.name for format in FORMATS[:-1])} or {FORMATS[-1].name}"
"""For sentences: ``CSV, TSV, … or Parquet``."""


def ending(name: str) -> str:
    """The ending of a file's name in small letters, without its dot and without that of gzip; empty if it has none."""
    return unpacked_name(name).lower().rpartition(".")[2] if "." in unpacked_name(name) else ""


def unpacked_name(name: str) -> str:
    """A file's name without the ending of gzip."""
    return name[: -len(PACKED) - 1] if name.lower().endswith(f".{PACKED}") else name


def is_table_name(name: str) -> bool:
    """Whether a name is taken for a table's, whether or not there is such a file."""
    return ending(name) in ENDINGS or name.lower().endswith(f".{PACKED}")
