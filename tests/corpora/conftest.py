"""Archives made on the spot, in the layouts of the published ones."""

import io
import tarfile

import pytest


@pytest.fixture
def make_tar(tmp_path):
    """Write an archive of {name: text or bytes or TarInfo}; returns its path."""

    def make(name, members, mode="w:gz"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path, mode) as tar:
            for member, content in members.items():
                if isinstance(content, tarfile.TarInfo):
                    tar.addfile(content)
                    continue
                data = content.encode("latin-1") if isinstance(content, str) else content
                info = tarfile.TarInfo(member)
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        return path

    return make


@pytest.fixture
def make_folder(tmp_path):
    """Write the same as an unpacked folder; returns its path."""

    def make(name, members):
        for member, content in members.items():
            path = tmp_path / name / member
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("latin-1") if isinstance(content, str) else content)
        return tmp_path / name

    return make


REUTERS_HEAD = '<!DOCTYPE lewis SYSTEM "lewis.dtd">\n'


def story(number, split="TRAIN", topics=(), title="A title", body="Some text", has_topics="YES", text=None):
    """One story of Reuters-21578 in SGML."""
    marked = "".join(f"<D>{topic}</D>" for topic in topics)
    text = (
        text or f"<TEXT>&#2;\n<TITLE>{title}</TITLE>\n<DATELINE> NOWHERE - </DATELINE><BODY>{body}\n&#3;</BODY></TEXT>"
    )
    return (
        f'<REUTERS TOPICS="{has_topics}" LEWISSPLIT="{split}" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="{number}">\n'
        f"<DATE>26-FEB-1987</DATE>\n<TOPICS>{marked}</TOPICS>\n<PLACES><D>usa</D></PLACES>\n{text}\n</REUTERS>\n"
    )


@pytest.fixture
def reuters_files():
    """Two files: two training stories with topics, one without, one test story, one of each kind that is left out."""
    first = REUTERS_HEAD + story(
        1, topics=("earn", "acq"), title="PROFIT &lt;ABC> RISES", body="Net &amp; gross &#27;up"
    )
    first += story(2, topics=("earn",), text='<TEXT TYPE="UNPROC">&#2;\nRAW TABLE 1\n&#3;\n\n</TEXT>')
    first += story(3, text='<TEXT TYPE="BRIEF">&#2;\n<TITLE>Headline only</TITLE>Blah blah blah.\n&#3;\n\n</TEXT>')
    second = REUTERS_HEAD + story(4, "TEST", topics=("acq", "lei")) + story(5, has_topics="NO") + story(6, "NOT-USED")
    second += story(7, has_topics="BYPASS", topics=("earn",))
    return {"./reut2-000.sgm": first, "./reut2-001.sgm": second, "./README.txt": "not a story"}
