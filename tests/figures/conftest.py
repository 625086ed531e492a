"""Every figure drawn in these tests is also checked to be sent as plotly itself would send it."""

import base64
import json

import numpy as np
import pytest
from plotly.io.json import to_json_plotly

from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.theme import BELOW_ONE


def plain(value):
    """What plotly.js makes of a figure's JSON: arrays decoded, with 32 bits; what is not said left out."""
    if isinstance(value, dict) and "bdata" in value:
        array = np.frombuffer(base64.b64decode(value["bdata"]), np.dtype(value["dtype"]).newbyteorder("<"))
        shape = [int(n) for n in value.get("shape", str(array.size)).split(",")]
        return array.astype(np.float32).reshape(shape).tolist()
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if item is not None}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(np.float32(value)) if isinstance(value, int | float) and not isinstance(value, bool) else value


def without_aliases(template):
    """A template as the app sends it: its script knows how numbers below 1 are written."""
    if isinstance(template, dict):
        return {name: without_aliases(part) for name, part in template.items() if part != BELOW_ONE and name != "data"}
    return template


@pytest.fixture(autouse=True)
def sent_as_plotly_would(monkeypatch):
    checked = PlainFigure.figure

    def figure(self):
        made = checked(self)
        sent, official = plain(json.loads(self.to_json())), plain(json.loads(to_json_plotly(made)))
        official["layout"]["template"] = without_aliases(official["layout"]["template"])
        for k, (ours, theirs) in enumerate(zip(sent["data"], official["data"], strict=True)):
            assert ours == theirs, f"trace {k}"
        assert json.loads(self.layout_json()) == json.loads(self.to_json())["layout"]
        for name in {*sent["layout"], *official["layout"]}:
            assert sent["layout"].get(name) == official["layout"].get(name), name
        return made

    monkeypatch.setattr(PlainFigure, "figure", figure)
