"""Ohsumed: MEDLINE abstracts of 1991 by 23 classes of diseases, in the three layouts in which they are published.

``ohsumed-all-docs`` has one folder a class and no split: 70% of the documents, drawn with a fixed seed, are for
training (the paper's split, drawn at random too, was not published), or, as in its authors' code, class by class the
first 70% of the documents that no class before has had, in the order in which the archive lists them.
``ohsumed-first-20000-docs`` and ``ohsumed_single_23`` have ``training`` and ``test`` folders. A document in several
class folders has several classes. Documents come in the order of their ids (but for the authors' split): the method's
validation split goes by order, and in folder order it would hold the last classes only.
"""

import re
from pathlib import Path

import numpy as np

from ltw_core.corpora.archive import locate, members
from ltw_core.corpora.corpus import Corpus, CorpusError, assemble
from ltw_core.corpora.reader import Address, ArchiveReader, differing

WHOLE = ("ohsumed-all-docs", "ohsumed-all")  # the paper's; the second is the folder that the archive unpacks to
TRAIN_FRACTION = 0.7
SPLIT_SEED = 0
RANDOM, LISTING = "random", "listing"

_DOCUMENT = re.compile(r"(?:^|/)(?:(training|train|test)/)?(C\d\d)/([^/.][^/]*)$")  # no hidden files

CLASS_TITLES = dict(
    line.split(" ", 1)
    for line in Path(__file__).with_name("ohsumed_classes.txt").read_text(encoding="utf-8").splitlines()
)


class Ohsumed(ArchiveReader):
    """Ohsumed in any of its published layouts; ``expected`` are the documents and classes of ohsumed-all-docs."""

    name = "ohsumed"
    title = "Ohsumed"
    summary = "Abstracts of medical papers of 1991 by class of disease."
    first_class = "C08"
    expected = (34_389, 23)
    archive = "ohsumed-all-docs.tar.gz"
    protocol_options = {"split": "ohsumed_split"}
    other_archives = ("ohsumed-first-20000-docs.tar.gz", "ohsumed_single_23.tar.gz")
    addresses = (
        Address("http://disi.unitn.it/moschitti/corpora/ohsumed-all-docs.tar.gz"),
        Address("http://disi.unitn.eu/moschitti/corpora/ohsumed-all-docs.tar.gz"),
    )

    def find(self, folder: Path) -> tuple[Path, ...]:
        """Where an archive lies, packed or unpacked, the paper's before the smaller ones; empty if there is none."""
        return _first(folder, *WHOLE, "ohsumed-first-20000-docs", "ohsumed_single_23", "ohsumed")

    def find_published(self, folder: Path) -> tuple[Path, ...]:
        return _first(folder, *WHOLE)

    def problem(self, corpus: Corpus) -> str:
        return differing("documents and classes", (len(corpus.documents), len(corpus.class_names)), self.expected)

    def read(self, split: str = RANDOM) -> Corpus:
        """Read the corpus; see ``ArchiveReader.read``.

        Parameters
        ----------
        split : {"random", "listing"}
            How ``ohsumed-all-docs`` is split; the other layouts have a split of their own.
        """
        if split not in (RANDOM, LISTING):
            raise CorpusError(f"split is {split!r}; it must be {RANDOM} or {LISTING}")
        return self._read(split=split)

    def parse(self, paths: tuple[Path, ...], split: str = RANDOM) -> Corpus:
        texts: dict[str, str] = {}
        classes: dict[str, set[str]] = {}
        parts: dict[str, set[str]] = {}
        listed: dict[str, list[str]] = {}
        changed = 0
        for name, content in members(paths, accept=lambda name: bool(_DOCUMENT.search(name))):
            part, label, document = _DOCUMENT.search(name).groups()
            text = content.decode("latin-1").strip()
            changed += texts.setdefault(document, text) != text
            classes.setdefault(document, set()).add(label)
            listed.setdefault(label, []).append(document)
            parts.setdefault(document, set()).add({"train": "training"}.get(part, part or ""))
        source = paths[0].name
        if not texts:
            raise CorpusError(f"{source} holds no documents in folders C01 … C23: it is not an Ohsumed archive.")
        seen = set().union(*parts.values())
        if "" in seen and len(seen) > 1:
            raise CorpusError(
                f"{source} has class folders both inside and outside of training and test folders; keep one layout."
            )

        order = sorted(texts)
        several = sum(len(found) > 1 for found in classes.values())
        report = [f"Read {len(order):,} documents from {source}; {several:,} have several classes."]
        if changed:
            report.append(f"Copies of a document with another text than its first: {changed:,}; the first was kept.")
        if "" in seen and split == LISTING:
            order, train = _by_listing(listed)
            report.append(
                f"The archive has no split: class by class the first {TRAIN_FRACTION:.0%} of the documents that no "
                "class before has had, in the order of the archive, are for training, and documents lie in that order."
            )
        elif "" in seen:
            train = np.zeros(len(order), dtype=bool)
            n_train = round(TRAIN_FRACTION * len(order))
            train[np.random.default_rng(SPLIT_SEED).permutation(len(order))[:n_train]] = True
            report.append(
                f"The archive has no split: {TRAIN_FRACTION:.0%} of the documents, drawn at random with seed "
                f"{SPLIT_SEED}, are for training."
            )
        else:
            train = np.array(["training" in parts[document] for document in order])
            both = sum(len(parts[document]) > 1 for document in order)
            if both:
                report.append(f"Documents in training and in test folders: {both:,}; they are for training only.")
        label_sets = [classes[document] for document in order]
        title, notes = self._variant(len(order), "" in seen, all(len(found) == 1 for found in label_sets))
        if "" in seen and split == LISTING:
            notes = notes.replace("split here is another draw", "split here is that of its authors’ code")
        return assemble(
            name=self.name,
            title=title,
            documents=[texts[document] for document in order],
            label_sets=label_sets,
            train=train,
            origin=f"MEDLINE abstracts of 1991 (Hersh et al., 1994), prepared by Alessandro Moschitti, from {source}",
            titles={name: f"{name} {title}" for name, title in CLASS_TITLES.items()},
            report=report,
            notes=notes,
        )

    def _variant(self, n_documents: int, unsplit: bool, single: bool) -> tuple[str, str]:
        """Title of the variant and the sentence on how it differs from the paper's corpus."""
        paper = f"the paper uses all {self.expected[0]:,} documents, which may have several classes."
        if unsplit and n_documents == self.expected[0]:
            notes = "The paper’s documents. Its random 70/30 split was not published: the split here is another draw."
            return self.title, notes
        if single:
            title = f"{self.title} (one class a document)"
            return title, f"A subset of {n_documents:,} documents with exactly one class each; {paper}"
        if unsplit:
            return self.title, f"{n_documents:,} documents with a random 70/30 split; {paper}"
        return f"{self.title} (published split)", f"A subset of {n_documents:,} documents with its own split; {paper}"


def _by_listing(listed: dict[str, list[str]]) -> tuple[list[str], np.ndarray]:
    """Documents, and which of them are for training, as the authors' code splits them; ``listed``: those of each class
    in the order of the archive."""
    parts: dict[bool, list[str]] = {True: [], False: []}
    taken: set[str] = set()
    for label in sorted(listed):
        free = [document for document in listed[label] if document not in taken]
        cut = int(TRAIN_FRACTION * len(free))
        parts[True] += free[:cut]
        parts[False] += free[cut:]
        taken.update(free)
    return parts[True] + parts[False], np.arange(len(taken)) < len(parts[True])


def _first(folder: Path, *stems: str) -> tuple[Path, ...]:
    return next((found for stem in stems if (found := locate(folder, stem))), ())
