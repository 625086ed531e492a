import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltw_core.corpora import texts as module
from ltw_core.corpora.texts import Texts


def texts(some):
    made = Texts()
    for text in some:
        made.append(text)
    return made


@given(st.lists(st.text()), st.data())
def test_it_is_the_list_that_was_appended(some, data):
    made, expected = texts(some), [text.encode("utf-8", "replace").decode() for text in some]
    assert list(made) == expected and len(made) == len(expected)
    assert list(made.encoded()) == [text.encode() for text in expected]
    order = data.draw(st.lists(st.integers(0, len(some) - 1), max_size=20) if some else st.just([]))
    assert list(made.taken(np.array(order, dtype=int))) == [expected[i] for i in order]
    assert made[1:] == expected[1:]
    for index in range(-len(some), len(some)):
        assert made[index] == expected[index] == made[np.int64(index)]


def test_beyond_its_ends_and_halves_of_pairs():
    made = texts(["ä", "\ud800x"])
    assert list(made) == ["ä", "?x"] and "?x" in made
    for index in (2, -3):
        with pytest.raises(IndexError):
            made[index]


def test_places_become_wide_where_narrow_ones_end(monkeypatch):
    """As beyond 4 GB, with places of a byte instead of four."""
    monkeypatch.setattr(module, "_NARROW", "B")
    some = [f"text {n}" * 9 for n in range(40)]
    made = texts(some)
    assert made._starts.typecode == "Q" and list(made) == some and made[39] == some[39]
    taken = made.taken(np.arange(39, -1, -1))
    assert taken._starts.typecode == "Q" and list(taken) == some[::-1]
    assert texts(some[:2])._starts.typecode == "B"
