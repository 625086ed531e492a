"""The shapes page: every part opens for a shipped and a trained weighting, and shows what it is for."""

import pytest

from tests.pages.conftest import open_page, texts

PARTS = {
    "Surfaces": "In canonical form",
    "Which formula?": "is nearest to",
    "Slices": "Ticks below the curves",
    "Properties": "A property is no merit",
    "Time machine": "snapshots of the training",
    "Ranks": "orders the same terms",
    "The paper’s figures": "rank terms in exactly the same order",
}


def opened(app, part, **state):
    page = open_page(app, "learn/shapes")
    page.session_state["part"] = part
    for key, value in state.items():
        page.session_state[key] = value
    return page.run()


@pytest.mark.parametrize("part", PARTS)
def test_every_part_opens(app, part):
    page = opened(app, part)
    assert not page.exception and not page.error
    assert PARTS[part] in texts(page)
