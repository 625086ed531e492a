"""The table of methods, and one contract that every registered method keeps."""

import subprocess
import sys

import pytest

from ltw_core.studies import paper
from ltw_core.weighting import FAMILIES, TermWeighting, display, family, make, method, methods, paper_settings
from tests.weighting.contract import check_method, problem, quick


@pytest.mark.parametrize("name", methods())
def test_every_method_keeps_the_contract(name):
    check_method(name)


def test_what_has_a_weight_a_term():
    without = {name for name in methods() if not hasattr(quick(name).fit(*problem()), "cd_")}
    assert without == {"Dense", "CCA"}


def test_methods_stand_in_the_order_of_the_papers_tables_by_family():
    assert [name for name in methods() if name in paper.weightings()] == list(paper.weightings())
    assert methods() == [name for group in FAMILIES for name in methods(group)]


def test_fasttext_makes_more_passes_over_20_newsgroups():
    assert paper_settings("Dense", "20newsgroups") == {"epochs": 500}
    assert paper_settings("Dense", "reuters21578") == paper_settings("TFRF", "20newsgroups") == {}


def test_names_for_display():
    assert (display("LTW-L-sigma"), display("LTW-G-I"), display("mine")) == ("LTW-L-σ", "LTW-G-I", "mine")


def test_settings_of_the_table_can_be_overridden():
    made = make("TFIDF", norm=None, power=2.0)
    assert isinstance(made, TermWeighting)
    assert (made.dd, made.cd, made.norm, made.power) == ("raw", "IDF", None, 2.0)


@pytest.mark.parametrize("ask", [make, family, method])
def test_an_unknown_name_is_answered_with_the_known_ones(ask):
    with pytest.raises(ValueError, match="'TFX'; it must be one of Binary, TF"):
        ask("TFX")


def test_an_unknown_family_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="UTW, STW, LTW"):
        methods("XTW")


def test_classic_weighting_does_not_import_torch():
    made = "w.make('TFRF'), w.make('Dense'), w.make('CCA')"
    code = f"import sys, ltw_core.weighting as w; {made}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
