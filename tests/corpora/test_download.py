"""Transfers from a real HTTP server on the loopback interface."""

import hashlib
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ltw_core.corpora import Address, ArchiveReader, CorpusError, catalogue, download, fetch
from ltw_core.corpora.reuters import Reuters

CONTENT = bytes(range(256)) * 2_000  # 512,000 bytes
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Server(ThreadingHTTPServer):
    """Serves one file; the attributes say how badly."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.content = CONTENT
        self.etag = '"one"'
        self.break_after = []  # bytes after which each coming answer breaks off
        self.status = []  # status of each coming answer, before any that succeeds
        self.ranges_allowed = True
        self.lie_about_range = False
        self.chunked = False
        self.requests = []  # the Range header of each request

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/archive.tar.gz"


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        server = self.server
        asked = self.headers.get("Range")
        server.requests.append(asked)
        if server.status:
            self.send_error(server.status.pop(0))
            return
        start = 0
        if asked and server.ranges_allowed and self.headers.get("If-Range") == server.etag:
            start = int(re.fullmatch(r"bytes=(\d+)-", asked)[1])
            if start >= len(server.content):
                self.send_error(416)
                return
        body = server.content[start:]
        if start:
            self.send_response(206)
            shown = start + 7 if server.lie_about_range else start
            self.send_header("Content-Range", f"bytes {shown}-{len(server.content) - 1}/{len(server.content)}")
        else:
            self.send_response(200)
        if server.etag:
            self.send_header("ETag", server.etag)
        if server.chunked:
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if server.break_after:
            body = body[: server.break_after.pop(0)]
        self.wfile.write(body)


@pytest.fixture
def server():
    server = Server()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def closed_port():
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Reader(ArchiveReader):
    """A corpus that is published where a test says, and never lies in the data folder."""

    name, title, archive = "test", "Test corpus", "archive.tar.gz"

    def __init__(self, *addresses, **changes):
        self.addresses = addresses
        vars(self).update(changes)

    def find(self, folder):
        return ()

    def parse(self, paths):
        return Reuters().parse(paths)


def get(reader, folder, progress=None, attempts=3):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(download, "ATTEMPTS", attempts)
        patch.setattr(download, "PAUSE", 0.001)
        return download.download(reader, folder, progress)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_success_leaves_one_file_and_tells_progress(server, tmp_path):
    told = []
    path = get(Reader(Address(server.url, SHA256)), tmp_path / "new", lambda *numbers: told.append(numbers))
    assert path.read_bytes() == CONTENT
    assert names(tmp_path / "new") == ["archive.tar.gz"]
    assert told[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_a_length_that_the_server_does_not_say(server, tmp_path):
    server.chunked = True
    told = []
    path = get(Reader(Address(server.url, SHA256)), tmp_path, lambda *numbers: told.append(numbers))
    assert path.read_bytes() == CONTENT
    assert told[-1] == (len(CONTENT), None)


def test_a_wrong_checksum_is_a_sentence_and_leaves_nothing(server, tmp_path):
    with pytest.raises(CorpusError, match=f"not the published archive .its SHA-256 is {SHA256} instead of 0000"):
        get(Reader(Address(server.url, "0" * 64)), tmp_path)
    assert names(tmp_path) == []


def test_a_broken_transfer_is_taken_up_where_it_stopped(server, tmp_path):
    server.break_after = [200_000, 100_000]
    path = get(Reader(Address(server.url, SHA256)), tmp_path)
    assert path.read_bytes() == CONTENT
    assert server.requests == [None, "bytes=200000-", "bytes=300000-"]
    assert names(tmp_path) == ["archive.tar.gz"]


def test_a_later_call_goes_on_too(server, tmp_path):
    server.break_after = [200_000]
    with pytest.raises(CorpusError, match="broke off after 200,000 of 512,000 bytes"):
        get(Reader(Address(server.url, SHA256)), tmp_path, attempts=1)
    assert names(tmp_path) == [".archive.tar.gz.part", ".archive.tar.gz.part.json"]
    told = []
    get(Reader(Address(server.url, SHA256)), tmp_path, lambda *numbers: told.append(numbers))
    assert server.requests[-1] == "bytes=200000-"
    assert told[0][0] > 200_000 and told[-1] == (512_000, 512_000)
    assert names(tmp_path) == ["archive.tar.gz"]


def test_a_file_that_changed_meanwhile_is_begun_anew(server, tmp_path):
    server.break_after = [200_000]
    with pytest.raises(CorpusError):
        get(Reader(Address(server.url, SHA256)), tmp_path, attempts=1)
    server.content, server.etag = CONTENT[::-1], '"two"'
    path = get(Reader(Address(server.url, hashlib.sha256(server.content).hexdigest())), tmp_path)
    assert path.read_bytes() == CONTENT[::-1]


def test_a_server_without_ranges_is_asked_for_all_again(server, tmp_path):
    server.ranges_allowed = False
    server.break_after = [200_000]
    assert get(Reader(Address(server.url, SHA256)), tmp_path).read_bytes() == CONTENT
    assert server.requests == [None, "bytes=200000-"]


def test_a_server_without_validators_is_never_asked_for_a_rest(server, tmp_path):
    server.etag = ""
    server.break_after = [200_000]
    assert get(Reader(Address(server.url, SHA256)), tmp_path).read_bytes() == CONTENT
    assert server.requests == [None, None]


def test_a_server_that_sends_another_part_is_begun_anew(server, tmp_path):
    server.lie_about_range = True
    server.break_after = [200_000]
    assert get(Reader(Address(server.url, SHA256)), tmp_path).read_bytes() == CONTENT
    assert server.requests == [None, "bytes=200000-", None]


@pytest.mark.parametrize("size", [200_000, 512_000, 600_000])
def test_a_spoilt_part_is_begun_anew(server, tmp_path, size):
    server.break_after = [200_000]
    reader = Reader(Address(server.url, SHA256))
    with pytest.raises(CorpusError):
        get(reader, tmp_path, attempts=1)
    (tmp_path / ".archive.tar.gz.part").write_bytes(b"x" * size)
    assert get(reader, tmp_path).read_bytes() == CONTENT
    assert server.requests[-1] is None


def test_server_errors_pass(server, tmp_path):
    server.status = [503, 500]
    assert get(Reader(Address(server.url, SHA256)), tmp_path).read_bytes() == CONTENT


def test_what_is_not_there_is_not_asked_for_twice(server, tmp_path):
    server.status = [404, 404]
    with pytest.raises(CorpusError, match=r"could not be downloaded \(127\.0\.0\.1: the server answers 404"):
        get(Reader(Address(server.url, SHA256)), tmp_path)
    assert len(server.requests) == 1
    assert names(tmp_path) == []


def test_the_next_address_is_tried(server, closed_port, tmp_path):
    dead = Address(f"http://127.0.0.1:{closed_port}/a", SHA256)
    wrong = Address(server.url, "0" * 64)
    assert get(Reader(dead, wrong, Address(server.url, SHA256)), tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "no-such-host.invalid"])
def test_without_network_one_sentence(closed_port, tmp_path, host):
    reader = Reader(Address(f"http://{host.format(port=closed_port)}/a", SHA256))
    with pytest.raises(
        CorpusError, match=r"Check the network and try again, or get archive\.tar\.gz elsewhere"
    ) as caught:
        get(reader, tmp_path)
    assert "\n" not in str(caught.value)
    assert names(tmp_path) == []


@pytest.mark.parametrize("chunked", [False, True])
def test_more_than_the_limit_is_refused(server, tmp_path, chunked):
    server.chunked = chunked
    with pytest.raises(CorpusError, match="300,000"):
        get(Reader(Address(server.url, SHA256), size_limit=300_000), tmp_path)
    assert "archive.tar.gz" not in names(tmp_path)


def test_the_callback_can_stop_and_the_next_call_goes_on(server, tmp_path):
    class Stop(Exception):
        pass

    def stop(done, total):
        raise Stop

    reader = Reader(Address(server.url, SHA256))
    with pytest.raises(Stop):
        get(reader, tmp_path, stop)
    assert "archive.tar.gz" not in names(tmp_path)
    assert get(reader, tmp_path).read_bytes() == CONTENT


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CorpusError, match="Set LTW_DATA to a folder that can be written"):
        get(Reader(), tmp_path / "file" / "data")


def test_without_a_checksum_the_content_is_counted(server, tmp_path, make_tar, reuters_files):
    server.content = make_tar("made/x.tar.gz", reuters_files).read_bytes()
    path = get(Reader(Address(server.url), expected=(3, 1, 2)), tmp_path / "data")
    assert path.read_bytes() == server.content
    with pytest.raises(CorpusError, match="classes are 3 / 1 / 2 instead of 9,603 / 3,299 / 115"):
        get(Reader(Address(server.url), expected=Reuters.expected), tmp_path / "data")


def test_without_a_checksum_a_page_instead_of_an_archive_is_a_sentence(server, tmp_path):
    server.content = b"<html>Please log in</html>" * 50
    with pytest.raises(CorpusError, match="not the published archive"):
        get(Reader(Address(server.url), expected=Reuters.expected), tmp_path)
    assert names(tmp_path) == []


def test_fetch_by_name(server, tmp_path, monkeypatch, make_tar, reuters_files):
    server.content = make_tar("made/x.tar.gz", reuters_files).read_bytes()
    address = Address(server.url, hashlib.sha256(server.content).hexdigest())
    monkeypatch.setattr(Reuters, "addresses", (address,))
    monkeypatch.setenv("LTW_DATA", str(tmp_path / "data"))
    assert fetch("reuters21578") == fetch("reuters21578") == tmp_path / "data" / "reuters21578.tar.gz"
    assert len(server.requests) == 1
    with pytest.raises(CorpusError, match="these can: reuters21578, 20newsgroups, ohsumed"):
        fetch("pydocs")


def test_addresses():
    for reader in catalogue():
        for address in reader.addresses if reader.downloadable else ():
            assert address.url.startswith(("https://", "http://"))
            assert address.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", address.sha256)


def test_the_checksum_of_newsgroups_is_scikit_learns():
    from sklearn.datasets._twenty_newsgroups import ARCHIVE

    address = next(reader for reader in catalogue() if reader.name == "20newsgroups").addresses[0]
    assert (address.url, address.sha256) == (ARCHIVE.url, ARCHIVE.checksum)
