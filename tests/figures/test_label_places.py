import numpy as np

from ltw_core.figures.label_places import DOT, beside_points, stacked


def test_a_name_between_others_stands_away_from_its_point_and_on_none_of_them():
    x, y = np.array([100.0, 122, 78, 96, 100]), np.array([100.0, 100, 100, 122, 78])
    found = beside_points(x, y, ["ab", *["long names have no room"] * 4], (200, 200), range(5))
    assert found[0]["ax"] == 0 and found[0]["ay"] < -2 * DOT - 22  # above it and what is above it, on a leader
    alone = beside_points(x[:1], y[:1], ["ab"], (200, 200), [0])
    assert alone[0] == {"xanchor": "left", "xshift": 11}
    nearly = beside_points(np.array([100.0, 133]), np.full(2, 100.0), ["ab"] * 2, (200, 200), [0, 1])
    assert nearly[0] == {"xanchor": "right", "xshift": -11}  # and not before the next, whose name it might be
    full = beside_points(
        np.tile(x[:1], 9) + DOT * np.arange(-4, 5), np.full(9, 100.0), ["ab"] * 9, (200, 110), range(9)
    )
    assert len(full) < 9  # what has no room is left out
    below = beside_points(np.array([60.0]), np.array([84.0]), ["a long name"], (120, 100), [0])
    assert below[0]["ay"] > 0  # above its point it would cross the frame


def test_labels_near_the_top_make_room_for_a_title_but_none_of_the_first_is_left_out():
    at, names = np.array([50.0, 52.0, 51.0]), ["alpha", "beta", "gamma"]
    high = np.full(3, 95.0)
    lifts = stacked(at, high, names, 100.0, first=2)[:, 1]
    assert np.isfinite(lifts[:2]).all() and lifts[0] != lifts[1]
    assert np.isnan(stacked(at, high, names, 100.0, wide=30)[:, 1]).sum() == 2
    assert np.isfinite(stacked(at, high, names)).all()
    (one, _), (other, _) = stacked([50, 52], [90, 75], names[:2], 100.0)
    assert one == 0 and abs(other) > 30  # the first stays, and the other is beside its leader


def test_a_label_lies_on_no_dot_of_a_term_that_is_always_named():
    over = stacked([50.0, 52.0], [100.0, 80.0], ["upper", "lower"], first=2)[:, 1]
    assert 80 + over[1] >= 100 - 13  # else it would cover the dot, which lies 13 to 24 pixels below the feet of labels
    (stays, (aside, lift)) = stacked([50.0, 52.0], [100.0, 80.0], ["upper", "lower"])
    assert not stays.any() and abs(aside) > 15 and lift <= 0.1  # else it would lie on the leader, which begins at 87
    assert stacked([50.0, 52.0], [110.0, 80.0], ["upper", "lower"]).tolist() == [[0, 0], [0, 0]]
    moved_in = stacked([50.0, 52.0], [100.0, 80.0], ["upper", "lower"], first=2, dots=[-40.0, 52.0])
    assert not moved_in.any()  # a label moved into a scene leaves its dot where it is
