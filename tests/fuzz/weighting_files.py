"""Files of a learned weighting, and composed weightings and formulas as text."""

import functools
import json

import numpy as np
from hypothesis import strategies as st
from safetensors.numpy import load, save

from ltw_core.service.training_history import History
from ltw_core.service.weighting_file import from_bytes, problem_of
from ltw_core.weighting import cd_function
from ltw_core.weighting.composed import weightings_in
from ltw_core.weighting.formulas.evaluation import CONSTANTS, FUNCTIONS, VARIABLES
from ltw_core.weighting.functions import CD
from tests.fuzz.hostile import HOSTILE, changed_array, changed_bytes, changed_json
from tests.fuzz.kind import OLD, RATES

# ---- the file of a learned weighting ---------------------------------------------------------------------------------
WEIGHTINGS = [
    (OLD / name).read_bytes() for name in ("exported-LTW-L-I.safetensors", "learned-LTW-TF.ltw", "learned-LTW-G-I.ltw")
]


@functools.cache
def parts_of(content: bytes) -> tuple[dict, dict]:
    size = int.from_bytes(content[:8], "little")
    return load(content), json.loads(json.loads(content[8 : 8 + size])["__metadata__"]["ltw"])


@st.composite
def weightings(draw):
    content = draw(st.sampled_from(WEIGHTINGS))
    arrays, said = parts_of(content)
    what = draw(st.sampled_from(["values"] * 4 + ["arrays"] * 3 + ["header", "bytes"]))
    if what == "bytes":
        return draw(changed_bytes(content))
    if what == "header":  # the shapes and offsets that the file declares
        size = int.from_bytes(content[:8], "little")
        header = draw(changed_json(json.loads(content[8 : 8 + size]))).encode("utf-8", "surrogatepass")
        return len(header).to_bytes(8, "little") + header + content[8 + size :]
    text, arrays = json.dumps(said), dict(arrays)
    if what == "values":
        text = draw(changed_json(said))
    else:
        name = draw(st.sampled_from(sorted(arrays)))
        change = draw(st.sampled_from(("changed", "changed", "changed", "missing", "new")))
        if change != "changed":
            array = arrays.pop(name)
            arrays |= {"new": array} if change == "new" else {}
        else:
            arrays[name] = draw(changed_array(arrays[name]))
    return save(arrays, metadata={"ltw": text.encode("utf-8", "replace").decode()})


TABLES = ("problem", "training", "holding", "point", "weighting")


@functools.cache
def history() -> History:
    return History(":memory:")


def read_weighting(content: bytes) -> None:
    store = history()
    before = rows(store)
    try:
        weighting = from_bytes(content)
        problem, terms = problem_of(weighting, content)
        token = store.import_weighting("somebody", problem, terms, weighting)
    except BaseException:
        assert rows(store) == before, "something was left behind"
        raise
    record, again = store.find(token), store.weighting(token)
    assert len(store.curve(token)) == len(again.history_) <= 100_000
    assert np.isfinite(again.weights_).all() and 0 < record.problem.prevalence < 1
    assert store.terms(token).terms.tolist() == terms.terms.tolist()
    if again.parameters_ and "W1" in again.parameters_:
        assert np.isfinite(again.surface(RATES[:, None], RATES)).all()
    store.forget_owner("somebody")
    assert rows(store) == before


def rows(store: History) -> list[int]:
    return [store._rows(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES]


# ---- composed weightings and formulas --------------------------------------------------------------------------------
COMPOSED = json.loads((OLD / "composed.json").read_text(encoding="utf-8"))


def read_composed(text: str) -> None:
    for composed in weightings_in(text.encode("utf-8", "surrogatepass")):
        assert np.isfinite(composed.function(RATES[:, None], RATES, 0.1, 500)).all()
        assert composed.describe() and compile(composed.python(), "lines", "exec")
        assert weightings_in(json.dumps([composed.as_dict()]).encode()) == [composed]


PIECES = st.sampled_from(
    (
        *(*VARIABLES, *CONSTANTS, *FUNCTIONS, *CD, *"+-*/()^,.[] ", "**", "1", "2.5", "1e99", "power(", "logarithm("),
        *("heights(", "sculpted(", "log, ", "linear, ", "[[1, 2, 3, 4, 5]]", "nan", "inf", "é", "\0", "\ud800"),
    )
)
HEIGHTS = "heights(log, [{}])".format(", ".join(["[0, 1, 2, 3, 4]"] * 5))


@st.composite
def formulas(draw):
    """Pieces of formulas, the names of splines with a hostile height, and transforms on top of each other."""
    inner = draw(
        st.one_of(
            st.lists(PIECES, max_size=40).map("".join),
            st.sampled_from([*CD, "log2(2 + tp / max(1, fp))", "exp(200 * tpr)", HEIGHTS]),
            HOSTILE.map(lambda value: HEIGHTS.replace("3", json.dumps(value), 1)),
        )
    )
    for _ in range(draw(st.integers(0, 3))):
        power = draw(st.sampled_from(["2.0", "0.1", "100.0", "nan", "inf", "-1", "x", "1e999"]))
        inner = draw(st.sampled_from([f"power({power}, {inner})", f"logarithm({inner})"]))
    return inner


def read_formula(text: str) -> None:
    function = cd_function(text)
    assert np.isfinite(function.at_rates(RATES[:, None], RATES, 0.1, 500)).all()
    assert function.latex and function.formula
