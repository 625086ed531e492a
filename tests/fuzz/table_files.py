"""Tables of every format that is read, plain and packed, as somebody changes them who knows the format."""

import csv
import gzip
import io
import json

import pyarrow
from hypothesis import strategies as st
from pyarrow import parquet

from ltw_core.corpora import read_table
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.limits import upload_limits
from tests.fuzz.hostile import HOSTILE, SIMPLE, TEXTS, changed_bytes, changed_json
from tests.fuzz.kind import OLD

LINES = [
    {"text": f"some words of text {n}", "label": "ab"[n % 2], "split": "test" if n > 5 else "train"} for n in range(8)
]
TABLE = (OLD / "table.csv").read_bytes()


@st.composite
def tables(draw):
    what = draw(st.sampled_from(("jsonl", "bytes", "cells")))
    if what == "bytes":
        return draw(changed_bytes(TABLE))
    lines = [dict(line) for line in LINES]
    line = draw(st.sampled_from(lines))
    name = draw(st.sampled_from([*line, "more"]))
    if what == "jsonl":
        line[name] = draw(HOSTILE)
        return "\n".join(map(json.dumps, lines)).encode()
    line[name] = draw(st.one_of(st.sampled_from(TEXTS), st.text(max_size=20)))
    stream = io.StringIO()
    writer = csv.DictWriter(
        stream, ["text", "label", "split", "more"], quoting=draw(st.sampled_from((0, 1))), escapechar="\\"
    )
    writer.writeheader()
    writer.writerows(lines)
    return stream.getvalue().encode("utf-8", "surrogatepass")


@st.composite
def packed(draw, inputs):
    """Inputs, some of them compressed with gzip, of which a few are damaged."""
    content = draw(inputs)
    how = draw(st.sampled_from(["plain"] * 4 + ["packed", "packed", "damaged"]))
    if how == "plain":
        return content
    content = gzip.compress(content, 1, mtime=0)
    return content if how == "packed" else draw(changed_bytes(content))


@st.composite
def json_lists(draw):
    """A list of objects of which one field is another, or the text has pieces cut out and brackets put in."""
    indent = draw(st.sampled_from((None, 0, 3)))
    what = draw(st.sampled_from(["field"] * 4 + ["cell"] * 2 + ["text", "bytes", "encoding"]))
    if what == "field":
        text = draw(changed_json(LINES))
    elif what == "cell":
        lines = [dict(line) for line in LINES]
        draw(st.sampled_from(lines))[draw(st.sampled_from(("text", "label", "split", "more")))] = draw(HOSTILE)
        text = json.dumps(lines, indent=indent)
    else:
        text = json.dumps(LINES, indent=indent)
    if what == "text":
        at = draw(st.integers(0, len(text)))
        more = draw(
            st.sampled_from(["", "]", "[", "{", "},{", ",", "[" * 3_000, "\\ud800", "x" * 3_000, "-Infinity", "\0"])
        )
        text = text[:at] + more + text[at + draw(st.sampled_from((0, 0, 1, 30))) :]
    if what == "encoding":
        return text.encode(draw(st.sampled_from(("utf-16", "utf-8-sig", "utf-32", "utf-16-le", "cp1252"))))
    content = text.encode("utf-8", "surrogatepass")
    return draw(changed_bytes(content)) if what == "bytes" else content


def written(columns: dict, **options) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), stream, **options)
    return stream.getvalue()


COLUMNS = {name: [line[name] for line in LINES] for name in ("text", "label", "split")}
MORE = {"labels": [["a", "b"][: n % 3] for n in range(8)], "n": list(range(8)), "vector": [[0.5]] * 8}
PARQUET = (
    written(COLUMNS),
    written(COLUMNS | MORE, use_dictionary=False, compression="none"),
    written(COLUMNS | MORE, row_group_size=3, compression="zstd"),
    written(COLUMNS, data_page_version="2.0", compression="gzip", write_page_checksum=True),
)


@st.composite
def parquet_files(draw):
    """Bytes of the pages or of the metadata changed, the footer's size, a group of columns of other types."""
    what = draw(st.sampled_from(["metadata"] * 4 + ["bytes"] * 3 + ["size", "types", "cells"]))
    if what == "types":
        cells = st.lists(SIMPLE, min_size=2, max_size=9)
        columns = draw(st.dictionaries(st.sampled_from(("text", "label", "split", "", "a.b")), cells, min_size=1))
        size = min(map(len, columns.values()))
        try:
            return written({name: values[:size] for name, values in columns.items()})
        except (pyarrow.ArrowException, OverflowError, UnicodeError):  # cells of several types
            return written(
                {
                    name: [str(cell).encode("utf-8", "replace") for cell in values[:size]]
                    for name, values in columns.items()
                }
            )
    if what == "cells":
        texts = [
            draw(
                st.one_of(
                    st.sampled_from(TEXTS).map(lambda text: text.encode("utf-8", "surrogatepass")),
                    st.binary(max_size=9),
                )
            )
            for _ in LINES
        ]
        return written(COLUMNS | {draw(st.sampled_from(("text", "label", "split"))): texts})
    content = bytearray(draw(st.sampled_from(PARQUET)))
    if what == "bytes":
        return draw(changed_bytes(bytes(content)))
    size = int.from_bytes(content[-8:-4], "little")
    if what == "size":
        wrong = draw(st.sampled_from((0, 1, size - 1, size + 1, len(content), 2**31, 2**32 - 1)))
        return bytes(content[:-8]) + wrong.to_bytes(4, "little") + b"PAR1"
    for _ in range(draw(st.integers(1, 4))):
        content[len(content) - 8 - draw(st.integers(1, size))] = draw(
            st.one_of(st.sampled_from((0, 255, 127, 128)), st.integers(0, 255))
        )
    return bytes(content)


def read_tables(content: bytes) -> None:
    """As an upload is read: within limits."""
    corpus = read_table(Content(content, limits=upload_limits()))
    assert len(corpus.documents) and len(corpus.class_names)
