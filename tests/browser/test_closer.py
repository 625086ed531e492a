"""Looking closer, in Chromium: two settings of the paper's study, and the documents that they decide differently."""

from pathlib import Path

import pytest

from ltw_core.settings import data_dir
from tests.browser.conftest import expect, press

ARCHIVE = Path(data_dir()) / "reuters21578.tar.gz"


@pytest.mark.skipif(not ARCHIVE.exists(), reason="the archive of Reuters-21578 is not in LTW_DATA")
def test_a_difference_of_two_settings_is_followed_to_the_documents_behind_it(page, address):
    page.goto(f"{address}/study?study=Classes&study_classes=Looking+closer")
    documents = page.get_by_role("heading", name=": the documents")
    expect(documents).to_be_visible()
    expect(page.get_by_role("combobox", name="Corpus", exact=True)).to_have_value("Reuters-21578")
    for label in ("Setting", "Compared with"):
        expect(page.get_by_test_id("stWidgetLabel").get_by_text(label, exact=True)).to_be_visible()
    page.get_by_role("button", name="TFCHI and single documents").click()
    expect(page.get_by_role("combobox", name="Setting", exact=True)).to_have_value("TFCHI · SVM · full, by the code")
    expect(page.get_by_text("macro F1", exact=False).first).to_be_visible()
    expect(documents).to_be_visible()
    press(page, "Find the documents", page.get_by_text("They differ on"))
    expect(page.get_by_text("What made the difference in it", exact=False).first).to_be_attached()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Documents (CSV)").click()
    lines = Path(saved.value.path()).read_text("utf-8").splitlines()
    assert len(lines) > 1 and "has the class,TFCHI predicts,LogTF predicts" in lines[0], lines[0]
