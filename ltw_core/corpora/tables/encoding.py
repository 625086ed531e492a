"""The encoding of a text file: byte order marks, UTF-8, else western European with a sentence that says so.

Statistical guessing of encodings is left out: it is often wrong for short texts, and the user can say which it is.
"""

import codecs

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables.formats import NAMES

_CHUNK = 2**20
_MARKS = (  # UTF-32 first: its little-endian mark begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NO_TEXT = frozenset(  # ways to write other things in ASCII, which Python counts as encodings of text; the first is
    # decoded in time that grows with the square of the length
    ("punycode", "idna", "utf-7", "unicode-escape", "raw-unicode-escape", "undefined", "charmap")
)
_MAGIC = (
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"PK\x03\x04", "a ZIP archive or a workbook (xlsx, ods): unpack it, or export the sheet as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook: export the sheet as CSV"),
    (b"\x1f\x8b", "compressed with gzip: unpack it first"),
    (b"BZh", "compressed with bzip2: unpack it first"),
    (b"\xfd7zXZ", "compressed with xz: unpack it first"),
    (b"PARE", "an encrypted Parquet file"),
    (b"%PDF", "a PDF document: it holds no table"),
    (b"SQLite format 3\0", "an SQLite database: export the table as CSV"),
)


def refuse_binary(data: bytes, source: str):
    """Raise CorpusError if the file is empty or begins like a well-known format that isn't text."""
    if not data.strip(b" \t\r\n\0"):
        raise CorpusError(f"{source} is empty.")
    for magic, what in _MAGIC:
        if data.startswith(magic):
            raise CorpusError(f"{source} isn't {NAMES} but {what}.")


def detect_encoding(data: bytes, source: str) -> tuple[str, str]:
    """Encoding of a file, and a sentence on it where the reader should know; the whole file decodes with it.

    Raises
    ------
    CorpusError
        If the file has NUL bytes, or a byte order mark of another encoding than that of its content.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            check_encoding(data, source, encoding)
            return encoding, "" if encoding == "utf-8-sig" else f"Read as {encoding.upper()}, as its first bytes say."
    if b"\0" in data:
        encoding = _utf16_without_mark(data)
        if encoding is None:
            raise _nul(data.index(b"\0"), data, source)
        check_encoding(data, source, encoding)
        return (
            encoding,
            f"Read as {encoding.upper()}, judging by its NUL bytes; give the encoding if letters look wrong.",
        )
    wrong = _first_wrong_byte(data, "utf-8")
    if wrong is None:
        return "utf-8", ""
    encoding = "cp1252" if _first_wrong_byte(data, "cp1252") is None else "latin-1"
    name = {"cp1252": "Windows-1252", "latin-1": "ISO 8859-1"}[encoding]
    return encoding, (
        f"The file isn't UTF-8 (line {_line(data, wrong)}) and was read as {name}, western European; give the encoding "
        "if letters look wrong."
    )


def check_encoding(data: bytes, source: str, encoding: str):
    """Raise CorpusError if there is no such encoding of text or the file, or a part of it, doesn't decode with it."""
    try:
        codec = codecs.lookup(encoding)
        if not codec._is_text_encoding or codec.name.replace("_", "-") in _NO_TEXT:
            raise LookupError
        codecs.getincrementaldecoder(encoding)
    except (LookupError, ValueError, TypeError) as error:
        raise CorpusError(
            f"There is no text encoding {encoding!r}; common ones are utf-8, cp1252, latin-1, utf-16, cp1251, gb18030, "
            "shift_jis."
        ) from error
    wrong = _first_wrong_byte(data, encoding)
    if wrong is not None:
        raise CorpusError(
            f"{source} isn't {encoding}: line {_line(data, wrong)} has a byte (number {wrong + 1:,} of the file) that "
            "does not belong there. Give another encoding."
        )
    if not encoding.lower().replace("_", "-").startswith(("utf-16", "utf-32", "utf16", "utf32")) and b"\0" in data:
        raise _nul(data.index(b"\0"), data, source)


def _first_wrong_byte(data: bytes, encoding: str) -> int | None:
    """Position of the first byte that doesn't decode (roughly, for stateful encodings); decodes in pieces."""
    decoder = codecs.getincrementaldecoder(encoding)()
    view = memoryview(data)
    for start in range(0, len(data), _CHUNK):
        pending = len(decoder.getstate()[0])
        try:
            decoder.decode(bytes(view[start : start + _CHUNK]), final=start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return min(max(start - pending + error.start, 0), len(data) - 1)
        except (UnicodeError, ValueError):
            return start
    return None


def _utf16_without_mark(data: bytes) -> str | None:
    """Latin text in UTF-16 has NUL in nearly every second byte; which half they are in tells the byte order."""
    even, odd = data[0:4000:2], data[1:4000:2]
    if not odd or len(data) % 2:
        return None
    zeros = (even.count(0) / len(even), odd.count(0) / len(odd))
    if zeros[1] > 0.6 and zeros[0] < 0.1:
        return "utf-16-le"
    if zeros[0] > 0.6 and zeros[1] < 0.1:
        return "utf-16-be"
    return None


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def _nul(position: int, data: bytes, source: str) -> CorpusError:
    return CorpusError(
        f"{source} has a NUL byte in line {_line(data, position)} (byte {position + 1:,}): it isn't text, or it is "
        "damaged. If it is UTF-16, give the encoding utf-16-le or utf-16-be."
    )
