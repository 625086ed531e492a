"""Reading the JSON that somebody hands in."""

import json

import numpy as np
import pytest

from ltw_core.storage.array_schema import Array
from ltw_core.storage.file_schema import FileError, read_json


@pytest.mark.parametrize("names", [2, 300_000])  # with so many a search through all for each would take hours
def test_a_name_that_stands_twice_is_found_among_any_number(names):
    text = json.dumps({f"n{place}": 0 for place in range(names)})[:-1] + f', "n{names - 1}": 1}}'
    with pytest.raises(FileError, match=f"^the file has the field 'n{names - 1}' twice$"):
        read_json(text, "the file", len(text))


def test_an_array_of_texts_is_no_array_of_numbers():
    rule = Array((2,), 0, 1)
    with pytest.raises(FileError, match=r"w is an array of shape \(2,\) of <U1; it must be an array of 2 numbers"):
        rule.check(np.array(["a", "b"]), "w")
    with pytest.raises(FileError, match=r"w is an array of shape \(2,\) of float64 from 0.5 to 3; it must be"):
        rule.check(np.array([0.5, 3.0]), "w")
