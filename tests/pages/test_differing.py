from pages._ui.workbench.history_comparison import differing


def test_only_what_differs_is_listed():
    one = {"variant": "LTW-L-I", "patience": 20, "seed": 0, "pretrain": None}
    other = {"variant": "LTW-L-I", "patience": 5, "seed": 1, "pretrain": None}
    frame = differing([one, other], ["a", "b"])
    assert list(frame.columns) == ["patience", "seed"]
    assert frame.loc["b"].tolist() == [5, 1]


def test_a_missing_setting_is_none_and_differs_from_any_other():
    frame = differing([{"seed": 0}, {"seed": 0, "hidden": 500}], "ab")
    assert list(frame.columns) == ["hidden"] and frame["hidden"].tolist() == [None, 500]
    assert differing([{"hidden": None}, {}], "ab").empty


def test_values_that_look_alike():
    nan = float("nan")
    assert differing([{"f1": nan}, {"f1": nan}], "ab").columns.empty
    assert list(differing([{"flag": True}, {"flag": 1}], "ab").columns) == ["flag"]
    assert differing([{"rate": 1}, {"rate": 1.0}], "ab").columns.empty


def test_one_record_or_none_has_nothing_to_differ_from():
    assert differing([{"seed": 1}], "a").shape == (1, 0)
    assert differing([], "").shape == (0, 0)
