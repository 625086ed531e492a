"""Archives of corpora: tar files, packed or not, with names and headers that should not be."""

import gzip
import io
import tarfile
import tempfile
from pathlib import Path

from hypothesis import strategies as st

from ltw_core.corpora.archive import members
from tests.fuzz.hostile import changed_bytes

NAMES = ("a.sgm", "./b/c", "../d", "/etc/passwd", "a.sgm", "e\\f", "C:/g", "\0", "x" * 300, "~/h")
TYPES = (tarfile.REGTYPE,) * 4 + (
    tarfile.SYMTYPE,
    tarfile.LNKTYPE,
    tarfile.CHRTYPE,
    tarfile.DIRTYPE,
    tarfile.GNUTYPE_SPARSE,
)


@st.composite
def archives(draw):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name in ("a.sgm", *draw(st.lists(st.sampled_from(NAMES), max_size=3))):
            info = tarfile.TarInfo(name)
            info.type = draw(st.sampled_from(TYPES))
            content = b"text" * draw(st.sampled_from((0, 1, 1_000)))
            info.size = len(content) if info.type == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(content))
            if draw(st.integers(0, 9)) == 0:  # a header that promises what does not come
                info.size = draw(st.sampled_from((1, 10**9, 8**11 - 1)))
                stream.write(info.tobuf())
    packed = gzip.compress(stream.getvalue(), 1)
    return draw(st.one_of(st.just(packed), changed_bytes(packed), st.just(stream.getvalue())))


def read_archive(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.tar.gz"
        path.write_bytes(content)
        for name, text in members((path,)):
            assert name and not name.startswith(("/", "..")) and isinstance(text, bytes)
        assert [each.name for each in Path(folder).iterdir()] == [path.name]
