import gzip
import io
import os
import tarfile

import pytest

from ltw_core.corpora import archive
from ltw_core.corpora.archive import identity, locate, members, safe_name
from ltw_core.corpora.corpus import CorpusError

FILES = {"top/a.txt": "first", "top/sub/b.txt": "second", "top/c.bin": "third"}


def special(name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize("ending", [".tar.gz", ".tgz", ".tar"])
def test_packed(make_tar, tmp_path, ending):
    make_tar(f"corpus{ending}", FILES, "w" if ending == ".tar" else "w:gz")
    found = locate(tmp_path, "corpus")
    read = dict(members(found, accept=lambda name: name.endswith(".txt")))
    assert read == {"top/a.txt": b"first", "top/sub/b.txt": b"second"}


def test_unpacked_is_read_alike(make_folder, tmp_path):
    make_folder("corpus", FILES)
    read = dict(members(locate(tmp_path, "corpus")))
    assert read == {f"corpus/{name}": text.encode() for name, text in FILES.items()}


def test_unpacked_to_several_folders(make_folder, tmp_path):
    make_folder("one", {"a": "1"})
    assert locate(tmp_path, "corpus", "one", "two") == ()
    make_folder("two", {"a": "2"})
    assert dict(members(locate(tmp_path, "corpus", "one", "two"))) == {"one/a": b"1", "two/a": b"2"}


def test_packed_comes_first_and_absent_is_empty(make_tar, make_folder, tmp_path):
    assert locate(tmp_path, "corpus") == ()
    make_folder("corpus", FILES)
    path = make_tar("corpus.tar.gz", FILES)
    assert locate(tmp_path, "corpus") == (path,)


@pytest.mark.parametrize(
    ("raw", "tidy"),
    [
        ("./a/b", "a/b"),
        ("a//b/", "a/b"),
        ("a/../b", None),
        ("../b", None),
        ("/etc/passwd", None),
        ("~/x", None),
        ("C:/x", None),
        ("a\\..\\b", None),
        ("", None),
        ("a..b/c", "a..b/c"),
        ("c:", None),
        (":", ":"),
        ("a:b", None),
        ("ab:c", "ab:c"),
        ("./", "."),
        ("a\0b", None),
        ("a~/b", "a~/b"),
    ],
)
def test_safe_names(raw, tidy):
    assert safe_name(raw) == tidy


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/outside.txt", "a/../../outside.txt"])
def test_names_that_lead_outside_are_refused(make_tar, name):
    path = make_tar("evil.tar.gz", {"good.txt": "x", name: "evil"})
    with pytest.raises(CorpusError, match=r"evil\.tar\.gz was refused.*outside"):
        list(members((path,), accept=lambda name: False))  # even if nobody wants it


def test_a_folder_that_leads_outside_is_refused(make_tar):
    path = make_tar("evil.tar.gz", {"x": special("../up", tarfile.DIRTYPE)})
    with pytest.raises(CorpusError, match="outside"):
        list(members((path,)))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_refused(make_tar, kind):
    path = make_tar("evil.tar.gz", {"x": special("x", kind, "/etc/passwd")})
    with pytest.raises(CorpusError, match="'x' is a link, a device"):
        list(members((path,)))


def test_links_in_a_folder_are_refused(make_folder, tmp_path):
    folder = make_folder("corpus", FILES)
    os.symlink("/etc/passwd", folder / "top" / "link")
    with pytest.raises(CorpusError, match="holds a link, 'link'"):
        list(members((folder,)))
    with pytest.raises(CorpusError, match="holds a link"):
        identity((folder,))


def test_the_same_name_twice_is_refused(tmp_path):
    path = tmp_path / "twice.tar"
    with tarfile.open(path, "w") as tar:
        for _ in range(2):
            tar.addfile(tarfile.TarInfo("./a"), io.BytesIO())
    with pytest.raises(CorpusError, match="'a' twice"):
        list(members((path,)))


def test_bounds(make_tar, make_folder, monkeypatch):
    bomb = {"zeros": b"\0" * 300_000, "more": b"\0" * 300_000}
    for path in (make_tar("bomb.tar.gz", bomb), make_folder("bomb", bomb)):
        for name, limit, sentence in (
            ("MEMBER_LIMIT", 200_000, "300,000 bytes, more than the 200,000 allowed"),
            ("TOTAL_LIMIT", 500_000, "unpacked it has more than 500,000 bytes"),
            ("COUNT_LIMIT", 1, "more than 1 files"),
        ):
            with monkeypatch.context() as patch, pytest.raises(CorpusError, match=sentence):
                patch.setattr(archive, name, limit)
                list(members((path,), accept=lambda name: False))


def test_as_much_as_the_bounds_allow_is_read(make_tar, make_folder, monkeypatch):
    files = {"a": b"\0" * 3000, "b": b"\0" * 3000}
    monkeypatch.setattr(archive, "MEMBER_LIMIT", 3000)
    monkeypatch.setattr(archive, "TOTAL_LIMIT", 6000)
    monkeypatch.setattr(archive, "COUNT_LIMIT", 2)
    for path in (make_tar("full.tar.gz", files), make_folder("full", files)):
        assert [len(content) for _, content in members((path,))] == [3000, 3000]


def test_what_the_bounds_are(tmp_path):
    folder = tmp_path / "large"
    folder.mkdir()
    for number in range(8):
        with open(folder / f"{number}", "wb") as file:
            file.truncate(2**26)  # a hole: takes no space and no time
    nothing = {"accept": lambda name: False}
    assert list(members((folder,), **nothing)) == []
    (folder / "more").write_bytes(b"x")
    with pytest.raises(CorpusError) as caught:
        list(members((folder,), **nothing))
    assert str(caught.value) == "large was refused: unpacked it has more than 536,870,912 bytes."
    os.truncate(folder / "0", 2**26 + 1)
    with pytest.raises(CorpusError) as caught:
        list(members((folder,), **nothing))
    assert str(caught.value) == (
        "large was refused: its member 'large/0' has 67,108,865 bytes, more than the 67,108,864 allowed."
    )
    assert archive.COUNT_LIMIT == 200_000


def test_bounds_count_all_archives_of_a_corpus(make_tar, monkeypatch):
    paths = make_tar("a.tar", {"a": "x" * 600}, "w"), make_tar("b.tar", {"b": "x" * 600}, "w")
    monkeypatch.setattr(archive, "TOTAL_LIMIT", 10_240)
    assert len(list(members(paths))) == 2
    monkeypatch.setattr(archive, "TOTAL_LIMIT", 1_199)
    with pytest.raises(
        CorpusError, match=r"^[ab]\.tar was refused: unpacked it (has more than 1,199 bytes|is larger than)"
    ):
        list(members(paths))


def test_headers_may_weigh_as_much_as_all_files(tmp_path, make_tar, monkeypatch):
    """Ten files of a byte take 10,240 bytes, padded and with their headers."""
    path = make_tar("small.tar.gz", {str(number): "x" for number in range(9)})
    monkeypatch.setattr(archive, "TOTAL_LIMIT", 5_120)
    assert len(list(members((path,)))) == 9
    monkeypatch.setattr(archive, "TOTAL_LIMIT", 5_119)
    with pytest.raises(CorpusError) as caught:
        list(members((path,)))
    assert str(caught.value) == "small.tar.gz was refused: unpacked it is larger than any corpus here."


def test_what_cannot_be_read_is_a_sentence(tmp_path):
    gone = tmp_path / "gone.tar"
    for reading in (lambda: list(members((gone,))), lambda: identity((gone,))):
        with pytest.raises(CorpusError, match=rf"^{gone} can(not|'t) be read: No such file or directory\.$"):
            reading()


def test_a_folder_is_read_in_the_order_of_names(make_folder, tmp_path):
    folder = make_folder("corpus", {name: name for name in ("b", "c/x", "a", "c/d/y", "C")})
    assert [name for name, _ in members((folder,))] == [f"corpus/{name}" for name in ("C", "a", "b", "c/x", "c/d/y")]
    os.mkfifo(folder / "pipe")
    with pytest.raises(CorpusError) as caught:
        list(members((folder,)))
    assert str(caught.value) == "corpus was refused: 'pipe' is neither a file nor a folder."


def test_a_size_that_only_the_header_claims_is_refused_before_reading(tmp_path):
    info = tarfile.TarInfo("huge")
    info.size = 2**40
    path = tmp_path / "claims.tar.gz"
    path.write_bytes(gzip.compress(info.tobuf() + b"\0" * 10_240))
    with pytest.raises(CorpusError, match="more than the"):
        list(members((path,)))


def test_a_bomb_inside_a_header_is_refused(tmp_path, monkeypatch):
    # an extended header is read whole by tarfile, before it says anything about a member
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 5_000_000
    path = tmp_path / "header.tar.gz"
    path.write_bytes(gzip.compress(info.tobuf() + b"\0" * 5_000_192))
    with pytest.raises(CorpusError, match="larger than any corpus"):
        monkeypatch.setattr(archive, "TOTAL_LIMIT", 1_000_000)
        list(members((path,)))


def test_sparse_members_are_refused(tmp_path):
    info = tarfile.TarInfo("sparse")
    info.type = tarfile.GNUTYPE_SPARSE
    path = tmp_path / "sparse.tar"
    path.write_bytes(info.tobuf(tarfile.GNU_FORMAT) + b"\0" * 10_240)
    with pytest.raises(CorpusError, match=r"refused|not a whole"):
        list(members((path,)))


@pytest.mark.parametrize("keep", [0.0, 0.3, 0.9])
def test_broken_archives_are_a_sentence(make_tar, keep):
    path = make_tar("half.tar.gz", {"a": os.urandom(50_000), "b": os.urandom(50_000)})
    path.write_bytes(path.read_bytes()[: int(keep * path.stat().st_size)])
    with pytest.raises(CorpusError, match=r"half\.tar\.gz is not a whole \.tar\.gz archive"):
        list(members((path,)))


@pytest.mark.parametrize("content", [b"<html>404 not found</html>" * 100, b"\x1f\x8bgarbage" * 100])
def test_what_is_no_archive_is_a_sentence(tmp_path, content):
    path = tmp_path / "corpus.tar.gz"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match="is not a whole"):
        list(members((path,)))


def test_identity_changes_with_the_files(make_tar, make_folder):
    path = make_tar("a.tar.gz", FILES)
    before = identity((path,))
    assert identity((path,)) == before
    make_tar("a.tar.gz", FILES | {"more": "x" * 5000})
    assert identity((path,)) != before
    folder = make_folder("b", FILES)
    before = identity((folder,))
    (folder / "top" / "a.txt").write_text("changed")
    assert identity((folder,)) != before
