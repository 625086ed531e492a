"""Encodings told apart: by marks, by NUL bytes, by what does not decode; and where it does not."""

import codecs
import pkgutil
from encodings import __path__ as all_codecs

import pytest

from ltw_core.corpora import CorpusError
from ltw_core.corpora.tables import encoding as module
from ltw_core.corpora.tables.encoding import check_encoding, detect_encoding, refuse_binary

NUL = (
    "a.csv has a NUL byte in line {} (byte {}): it isn't text, or it is damaged. If it is UTF-16, give the encoding "
    "utf-16-le or utf-16-be."
)


def sentence(call, *arguments):
    with pytest.raises(CorpusError) as caught:
        call(*arguments)
    return str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_mark_at_the_beginning_decides(encoding):
    said = "" if encoding == "utf-8-sig" else f"Read as {encoding.upper()}, as its first bytes say."
    assert detect_encoding("a,b\né,d\n".encode(encoding), "a.csv") == (encoding, said)


@pytest.mark.parametrize("order", ["le", "be"])
@pytest.mark.parametrize(
    ("latin", "zeros", "found"),
    [
        # of twenty characters: so many of Latin letters, whose one byte is NUL, and so many whose other byte is
        (20, 0, True),
        (13, 0, True),
        (12, 0, False),  # 60 % is not more than 60 %
        (19, 1, True),
        (18, 2, False),  # 10 % is not less than 10 %
    ],
)
def test_utf_16_without_a_mark_is_known_by_its_nul_bytes(order, latin, zeros, found):
    data = ("a" * latin + "\u0100" * zeros + "ж" * (20 - latin - zeros)).encode(f"utf-16-{order}")
    if found:
        said = f"Read as UTF-16-{order.upper()}, judging by its NUL bytes; give the encoding if letters look wrong."
        assert detect_encoding(data, "a.csv") == (f"utf-16-{order}", said)
    else:
        first = data.index(0) + 1
        assert sentence(detect_encoding, data, "a.csv") == NUL.format(1, first)


def test_nul_bytes_of_an_odd_number_of_bytes_are_damage():
    assert sentence(detect_encoding, "ab".encode("utf-16-le") + b"c", "a.csv") == NUL.format(1, 2)
    assert sentence(detect_encoding, b"\0", "a.csv") == NUL.format(1, 1)
    assert sentence(detect_encoding, b"a\nb\nc\0", "a.csv") == NUL.format(3, 6)
    assert sentence(check_encoding, b"a\nb\0", "a.csv", "cp1252") == NUL.format(2, 4)


@pytest.mark.parametrize("name", ["UTF-16", "utf_16", "U16", "UTF_16_LE", "UTF-16BE", "Utf_32", "utf32"])
def test_nul_bytes_belong_to_some_encodings_however_they_are_spelled(name):
    data = "a,b\n".encode(name)
    if name == "U16":  # an alias that does not say what it is
        assert "has a NUL byte" in sentence(check_encoding, data, "a.csv", name)
    else:
        check_encoding(data, "a.csv", name)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 11, 12, 13, 100])
def test_in_pieces_of_any_size_the_same_byte_is_wrong(monkeypatch, size):
    monkeypatch.setattr(module, "_CHUNK", size)
    whole = "aé\n€b".encode()  # 8 bytes
    assert detect_encoding(whole * 3, "a.csv") == ("utf-8", "")
    said = (
        "The file isn't UTF-8 (line {}) and was read as {}, western European; give the encoding if letters look wrong."
    )
    assert detect_encoding(whole + b"\xe9c\n", "a.csv") == ("cp1252", said.format(2, "Windows-1252"))
    assert detect_encoding(whole + b"\n\x81", "a.csv") == ("latin-1", said.format(3, "ISO 8859-1"))
    for cut in (whole[:2], whole[:5], whole[:6]):  # in the middle of a character at the end of the file
        assert detect_encoding(cut, "a.csv")[0] == "cp1252"
    assert sentence(check_encoding, whole + b"c\xffd", "a.csv", "utf-8") == (
        "a.csv isn't utf-8: line 2 has a byte (number 10 of the file) that does not belong there. Give another "
        "encoding."
    )


NO_TEXT = ["punycode", "PunyCode", "idna", "unicode_escape", "raw_unicode_escape", "utf7", "U7", "undefined", "charmap"]


@pytest.mark.parametrize("name", ["klingon", "rot13", "base64", "a\0b", "", *NO_TEXT])
def test_what_is_no_encoding_of_text_is_a_sentence(name):
    assert sentence(check_encoding, b"a", "a.csv", name) == (
        f"There is no text encoding {name!r}; common ones are utf-8, cp1252, latin-1, utf-16, cp1251, gb18030, "
        "shift_jis."
    )


def test_whatever_is_an_encoding_of_text_reads_what_it_wrote():
    taken = set()
    for name in sorted(one.name for one in pkgutil.iter_modules(all_codecs)):
        try:
            codec = codecs.lookup(name).name
            check_encoding("text,label\nb,a\n".encode(name), "a.csv", name)
        except (LookupError, UnicodeError, CorpusError):
            continue
        taken.add(codec)
    assert {"utf-8", "utf-16", "cp1252", "iso8859-1", "koi8-r", "gb18030", "shift_jis", "euc_kr", "big5"} <= taken
    assert len(taken) > 90


@pytest.mark.parametrize("data", [b"", b" \t\r\n", b"\0\0", b" \0\n"])
def test_nothing_is_empty(data):
    assert sentence(refuse_binary, data, "a.csv") == "a.csv is empty."


@pytest.mark.parametrize(("magic", "what"), module._MAGIC)
def test_well_known_formats_are_named(magic, what):
    assert (
        sentence(refuse_binary, magic + b"...", "a.csv") == f"a.csv isn't CSV, TSV, JSONL, JSON or Parquet but {what}."
    )
    refuse_binary(b"x" + magic, "a.csv")
    refuse_binary(magic[:-1] + b"?", "a.csv")
