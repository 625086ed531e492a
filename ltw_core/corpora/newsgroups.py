"""20 Newsgroups in the by-date version: one folder a group, headers, footers and quotes removed.

The removal follows scikit-learn's rules to the letter, and so does the order of the posts (two seeded shuffles): the
method's validation split goes by order, and in folder order it would hold the last groups only.
"""

import re
from pathlib import Path

import numpy as np

from ltw_core.corpora.archive import locate, members
from ltw_core.corpora.corpus import Corpus, CorpusError, assemble
from ltw_core.corpora.reader import Address, ArchiveReader

_POST = re.compile(r"(?:^|/)20news-bydate-(train|test)/([\w.-]+)/([^/.][^/]*)$")  # no hidden files
_QUOTE = re.compile(r"(writes in|writes:|wrote:|says:|said:|^In article|^Quoted from|^\||^>)")


class Newsgroups(ArchiveReader):
    """20 Newsgroups in the by-date version."""

    name = "20newsgroups"
    title = "20 Newsgroups (by date)"
    summary = "Usenet posts of 1993 by newsgroup, headers, footers and quotes removed; classes of nearly equal size."
    first_class = "misc.forsale"
    expected = (11_314, 7_532, 20)
    archive = "20news-bydate.tar.gz"
    addresses = (
        Address(
            "https://ndownloader.figshare.com/files/5975967",
            "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",  # as scikit-learn publishes it
        ),
        Address("http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz"),
    )

    def find(self, folder: Path) -> tuple[Path, ...]:
        return locate(folder, "20news-bydate", "20news-bydate-train", "20news-bydate-test")

    def parse(self, paths: tuple[Path, ...]) -> Corpus:
        posts: dict[str, list[tuple[str, str, str]]] = {"train": [], "test": []}
        for name, content in members(paths, accept=lambda name: bool(_POST.search(name))):
            part, group, number = _POST.search(name).groups()
            posts[part].append((group, number, content.decode("latin-1")))
        if not posts["train"] and not posts["test"]:
            raise CorpusError(
                f"{paths[0].name} holds no posts in 20news-bydate-train/<group>/ and 20news-bydate-test/<group>/: "
                "it is not the by-date archive of 20 Newsgroups."
            )
        ordered = [post for part in posts.values() for post in _shuffled(sorted(part, key=lambda post: post[:2]))]
        documents = [strip(text) for _, _, text in ordered]
        n_train = len(posts["train"])
        empty = sum(not text.strip() for text in documents)
        return assemble(
            name=self.name,
            title=self.title,
            documents=documents,
            label_sets=[(group,) for group, _, _ in ordered],
            train=np.arange(len(ordered)) < n_train,
            origin="Usenet posts of 1993 collected by Ken Lang, the by-date version of Jason Rennie",
            report=[
                f"Read {n_train:,} training and {len(posts['test']):,} test posts.",
                f"Headers, footers and quotes were removed as scikit-learn does; {empty:,} posts are empty thereafter.",
            ],
        )


def strip(post: str) -> str:
    """A post without header, footer and quotes, by scikit-learn's rules and in its order."""
    return strip_quotes(strip_footer(strip_header(post)))


def strip_header(post: str) -> str:
    """What follows the first blank line."""
    return post.partition("\n\n")[2]


def strip_quotes(post: str) -> str:
    """Without lines that quote (``>``, ``|``) or that introduce a quotation (``writes:`` and the like)."""
    return "\n".join(line for line in post.split("\n") if not _QUOTE.search(line))


def strip_footer(post: str) -> str:
    """Without what follows the last blank line or line of hyphens, taken to be a signature."""
    lines = post.strip().split("\n")
    for number in range(len(lines) - 1, 0, -1):
        if not lines[number].strip().strip("-"):
            return "\n".join(lines[:number])
    return post


def _shuffled(posts: list) -> list:
    """The order in which scikit-learn gives the posts: it shuffles at reading (seed 0) and at fetching (seed 42)."""
    for seed in (0, 42):
        order = np.arange(len(posts))
        np.random.RandomState(seed).shuffle(order)
        posts = [posts[index] for index in order]
    return posts
