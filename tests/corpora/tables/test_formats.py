"""The list of formats, and what the README says of it."""

import re
from pathlib import Path

from ltw_core.corpora.tables.formats import ENDINGS, PACKED

README = Path(__file__).parents[3] / "README.md"


def test_the_readme_lists_every_ending_and_no_other():
    listed = re.search(r"Both take\n\n((?:[* ] .*\n)+)", README.read_text("utf-8"))[1]
    assert listed.endswith(f".{PACKED}`).\n")
    heads = [line.partition(":")[0] for line in listed.splitlines() if line.startswith("* `")]
    assert tuple(re.findall(r"`\.(\w+)`", " ".join(heads))) == ENDINGS
