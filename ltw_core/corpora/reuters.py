"""Reuters-21578 in the ModApté split, from the SGML files in which it is published.

Stories with ``TOPICS="YES"`` are kept, ``LEWISSPLIT`` says which part they belong to; classes are the topics with a
training story. The text is title and body, or the whole text of stories that Reuters could not process; the other tags
(dateline, places, people, …) and the control characters of the news wire are left out.
"""

import re
from pathlib import Path

import numpy as np

from ltw_core.corpora.archive import members
from ltw_core.corpora.corpus import Corpus, CorpusError, assemble
from ltw_core.corpora.reader import Address, ArchiveReader

_FILE = re.compile(r"(?:^|/)reut2-\d{3}\.sgm$", re.IGNORECASE)
_HEAD = re.compile(r"<REUTERS\b([^>]*)>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>", re.DOTALL)
_TEXT = re.compile(r"<TEXT\b([^>]*)>(.*?)</TEXT>", re.DOTALL)
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
_BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)
_ENTITY = re.compile(r"&(?:#(\d+)|lt|gt|amp);")
_ANY_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][-.a-zA-Z0-9]*);?")  # an HTML parser's
RESOLVED, DROPPED = "resolved", "dropped"
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class Reuters(ArchiveReader):
    """Reuters-21578 in the ModApté split."""

    name = "reuters21578"
    title = "Reuters-21578 (ModApté)"
    summary = "News wire stories of 1987 by economic topic, from 2,877 training documents of a class down to one."
    first_class = "corn"
    expected = (9_603, 3_299, 115)
    archive = "reuters21578.tar.gz"
    protocol_options = {"entities": "entities"}
    addresses = (
        Address(
            "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz",
            # as scikit-learn publishes it, in its out-of-core example
            "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30",
        ),
        Address("http://www.daviddlewis.com/resources/testcollections/reuters21578/reuters21578.tar.gz"),
    )

    def read(self, entities: str = RESOLVED) -> Corpus:
        """Read the corpus; see ``ArchiveReader.read``.

        Parameters
        ----------
        entities : {"resolved", "dropped"}
            What becomes of ``&lt;`` and the like: the character, or nothing, which glues what stood on either side, as
            in the published code of the paper's authors. With the second there are the paper's 28,828 terms.
        """
        if entities not in (RESOLVED, DROPPED):
            raise CorpusError(f"entities is {entities!r}; it must be {RESOLVED} or {DROPPED}")
        return self._read(entities=entities)

    def parse(self, paths: tuple[Path, ...], entities: str = RESOLVED) -> Corpus:
        files = {name: content for name, content in members(paths, accept=_FILE.search)}
        if not files:
            raise CorpusError(f"{paths[0].name} holds no file reut2-….sgm: it is not the Reuters-21578 archive.")
        documents, label_sets, train = [], [], []
        n_stories = 0
        for name in sorted(files, key=lambda name: name.rpartition("/")[2]):
            for attributes, text, topics in _stories(name, files[name].decode("latin-1")):
                n_stories += 1
                if attributes.get("TOPICS") != "YES" or attributes.get("LEWISSPLIT") not in ("TRAIN", "TEST"):
                    continue
                documents.append(text(entities))
                label_sets.append(topics())
                train.append(attributes["LEWISSPLIT"] == "TRAIN")
        train = np.array(train, dtype=bool)
        n_train = int(train.sum())
        return assemble(
            name=self.name,
            title=self.title,
            documents=documents,
            label_sets=label_sets,
            train=train,
            origin="Reuters news wire of 1987, Distribution 1.0 of the collection by David D. Lewis, ModApté split",
            report=[
                f"Read {n_stories:,} stories from {len(files)} files.",
                f"Kept the {n_train:,} training and {len(train) - n_train:,} test stories of the ModApté split; the "
                f"other {n_stories - len(train):,} have no topics assigned by an indexer or belong to no part.",
                *(["Entities such as &lt; were dropped, which glues words."] * (entities == DROPPED)),
            ],
        )


def _stories(file: str, content: str):
    """Yield (attributes, text, topics) of each story; the last two are functions, as most need not be called."""
    for piece in content.split("</REUTERS>")[:-1]:
        head = _HEAD.search(piece)
        if head is None:
            raise CorpusError(f"{file} is damaged: a story has no <REUTERS> tag.")
        attributes = dict(_ATTRIBUTE.findall(head.group(1)))

        def text(entities, piece=piece, attributes=attributes):
            found = _TEXT.search(piece)
            if found is None:
                raise CorpusError(f"{file} is damaged: story {attributes.get('NEWID', '?')} has no <TEXT>.")
            if 'TYPE="UNPROC"' in found.group(1):
                return _clean(found.group(2), entities)
            parts = (_TITLE.search(found.group(2)), _BODY.search(found.group(2)))
            return _clean("\n".join(part.group(1) for part in parts if part), entities)

        def topics(piece=piece):
            found = _TOPICS.search(piece)
            return {_clean(topic) for topic in _TOPIC.findall(found.group(1))} if found else set()

        yield attributes, text, topics


def _clean(text: str, entities: str = RESOLVED) -> str:
    """Resolve the few entities that occur, or drop all there are, and drop control characters, among them those written
    as entities."""
    if entities == DROPPED:
        return _CONTROL.sub(" ", _ANY_ENTITY.sub("", text)).strip()

    def character(found):
        if found.group(1):
            code = int(found.group(1)[:7])
            return chr(code) if 32 <= code < 127 else " "
        return {"&lt;": "<", "&gt;": ">", "&amp;": "&"}[found.group()]

    return _CONTROL.sub(" ", _ENTITY.sub(character, text)).strip()
