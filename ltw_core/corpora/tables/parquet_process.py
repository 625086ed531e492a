"""A process that reads a Parquet file for another one, started by ``parquet_rows`` alone.

The file comes on its standard input. On its standard output go lines of JSON: one on the columns, one a row, and at the
end ``{"end": …}`` or ``{"error": …}``, what is wrong as the end of a sentence that begins with the file's name. It ends
when nobody reads that any more. Nothing of this project is imported, for it would take memory.
"""

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

BATCH = 100  # rows decoded at a time: each may be as long as a row is allowed to be
SECONDS = 300  # of a processor, for a file that has limits
DAMAGED = "is a Parquet file that is damaged or cut off; make it or fetch it again."


def main() -> None:
    """Read what is given; the arguments are bytes of memory to use, 0 for all that there is, and where packages lie."""
    sys.path[:] = sys.argv[2:]
    if memory := int(sys.argv[1]):
        _bound(memory)
    data = sys.stdin.buffer.read()
    out = io.TextIOWrapper(sys.stdout.buffer, "utf-8", newline="\n")
    with contextlib.suppress(BrokenPipeError):
        for line in _lines(data):
            out.write(line + "\n")
        out.flush()


def _bound(memory: int) -> None:
    for library in ("OMP", "OPENBLAS"):
        os.putenv(f"{library}_NUM_THREADS", "1")  # each thread would take its share
    with contextlib.suppress(ImportError, ValueError, OSError):  # another system than Unix
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def _lines(data: bytes) -> Iterator[str]:
    import pyarrow

    try:
        for told in _rows(data):
            yield json.dumps(told, ensure_ascii=False, default=_plain)
        return
    except MemoryError:
        error = "is a Parquet file that takes more memory than there is; take a sample of it."
    except UnicodeDecodeError:
        error = "is a Parquet file with a text that isn't UTF-8."
    except pyarrow.ArrowNotImplementedError as failure:
        error = f"is a Parquet file with something that pyarrow does not read: {str(failure)[:100]}."
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError, IndexError, KeyError, TypeError):
        error = DAMAGED
    yield json.dumps({"error": error})


def _rows(data: bytes) -> Iterator[dict[str, Any]]:
    import pyarrow
    from pyarrow import parquet

    pyarrow.set_cpu_count(1)
    pyarrow.set_io_thread_count(1)
    file = parquet.ParquetFile(pyarrow.BufferReader(data), pre_buffer=False)
    fields = list(file.schema_arrow)
    usable = [field.name for field in fields if _is_usable(field.type)]
    others = [field.name for field in fields if not _is_usable(field.type)]
    yield {"columns": usable, "left out": others, "n_columns": len(fields)}
    found = 0
    for batch in file.iter_batches(batch_size=BATCH, columns=usable, use_threads=False):
        found += batch.num_rows
        names = batch.schema.names  # by `meta.a` pyarrow takes the column of this name and field `a` of a column `meta`
        columns = [batch.column(names.index(name)).to_pylist() for name in usable]
        for cells in zip(*columns, strict=True):
            yield {"cells": [None if cell != cell else cell for cell in cells]}
    if found != file.metadata.num_rows and usable:
        yield {"error": DAMAGED}
    yield {"end": found}


def _is_usable(kind: Any) -> bool:
    """Whether a column's cells can be texts, labels or parts: no vectors, images or records of several fields."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return _is_usable(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        inner = kind.value_type
        return not types.is_floating(inner) and not types.is_nested(inner) and _is_usable(inner)
    return not types.is_nested(kind)


def _plain(value: Any) -> str:
    """What JSON does not have: bytes, which are text where a writer has not said so, times and decimal numbers."""
    return value.decode() if isinstance(value, bytes) else str(value)


if __name__ == "__main__":
    main()
