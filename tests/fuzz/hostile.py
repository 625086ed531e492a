"""How a valid file is changed by somebody who knows its structure: one field, array, cell or byte at a time."""

import copy
import json

import numpy as np
from hypothesis import strategies as st

TEXTS = (
    "",
    "x",
    "x" * 5_000,
    "\ud800",
    "\0",
    "a\nb",
    "../../etc/passwd",
    "nan",
    "1e999",
    "-1",
    "9" * 400,
    "<b>",
    "=1+1",
)
NUMBERS = (0, -1, 1, 0.5, -0.0, 2**31, 2**63, -(2**63), 10**12, 10**300, 1e-320, 1e308, float("nan"), float("inf"))
SIMPLE = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(NUMBERS),
    st.sampled_from(TEXTS),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
)
HOSTILE = st.one_of(
    SIMPLE,
    st.lists(SIMPLE, max_size=4),
    st.dictionaries(st.text(max_size=4), SIMPLE, max_size=3),
    st.builds(lambda value, size: [value] * size, SIMPLE, st.sampled_from((2, 26))),
    st.builds(
        lambda value, size: [value] * size, st.sampled_from((0, None, "", "a")), st.sampled_from((1_000, 100_000))
    ),
    st.builds(lambda depth: json.loads("[" * depth + "]" * depth), st.sampled_from((3, 300))),
)


def places(value, path=()):
    """Where something stands in a JSON value: paths of keys and positions; of a long list the first ones alone."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


@st.composite
def changed_json(draw, valid):
    """The text of a JSON value in which one field has a hostile value, is missing, new, or there twice."""
    value = copy.deepcopy(valid)
    path = draw(st.sampled_from([path for path in places(valid) if path]))
    *way, key = path
    parent = value
    for step in way:
        parent = parent[step]
    what = draw(st.sampled_from(["replaced"] * 6 + ["missing", "new", "twice", "text"]))
    if what == "replaced":
        parent[key] = draw(HOSTILE)
    elif what == "missing":
        del parent[key]
    elif what == "new" and isinstance(parent, dict):
        parent[draw(st.text(max_size=9))] = draw(HOSTILE)
    text = json.dumps(value, ensure_ascii=draw(st.booleans()))
    if what == "twice" and isinstance(key, str):
        name = json.dumps(key)
        text = text.replace(f"{name}:", f"{name}: {json.dumps(draw(SIMPLE))}, {name}:", 1)
    elif what == "text":
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", "{", "]", '"', "\\u12", "1e999", "NaN", "[" * 5_000])) + text[at:]
    return text


@st.composite
def changed_bytes(draw, valid: bytes):
    """Bytes of which a few are others, or that are cut off, or go on."""
    content = bytearray(valid)
    for _ in range(draw(st.integers(0, 4))):
        content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
    cut = draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))
    return bytes(content[:cut]) + draw(st.sampled_from([b"", b"\0", b"x" * 99]))


@st.composite
def changed_array(draw, valid: np.ndarray):
    """An array of another size, shape or kind, or with numbers that cannot be."""
    what = draw(st.sampled_from(("number", "number", "all", "size", "shape", "kind")))
    array = np.array(valid)
    if what in ("number", "all") and array.size:
        value = draw(st.sampled_from([number for number in NUMBERS if abs(number) < 1e309 or number != number]))
        with np.errstate(all="ignore"):
            value = np.asarray(float(value)).astype(array.dtype)
        array.flat[draw(st.integers(0, array.size - 1)) if what == "number" else slice(None)] = value
    elif what == "size":
        array = np.resize(array, draw(st.sampled_from((0, 1, array.size + 1, 300_003))))
    elif what == "shape":
        array = array.reshape(draw(st.sampled_from([(-1,), (1, -1), (-1, 1), (1, 1, 1, -1)])))
    else:
        with np.errstate(all="ignore"):
            kind = draw(st.sampled_from(("f2", "f4", "f8", "i1", "i4", "i8", "u8", "?", "c8")))
            array = array.astype(kind)
    return array
