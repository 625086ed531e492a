"""The embedded corpus: docstrings of the numerical packages that the project is built on; class = sub-package.

No download: the source files of installed packages are read, never imported. Single-label. Left out: tests, private,
vendored and generated modules, modules that lie in no public sub-package, docstrings of fewer than 20 words, exact
duplicates, doctest lines, the packages' own dotted names (they would give the class away), classes of fewer than 30
documents. The content varies with the installed versions, as origin and fingerprint say.
"""

import hashlib
import importlib.metadata
import importlib.util
import logging
import math
import os
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ltw_core.corpora.cache import cached
from ltw_core.corpora.corpus import Corpus, CorpusError, assemble
from ltw_core.corpora.docstrings import docstrings
from ltw_core.corpora.reader import Reader
from ltw_core.process import no_warnings_of_source

log = logging.getLogger(__name__)

PACKAGES = {"numpy": "numpy", "scipy": "scipy", "sklearn": "scikit-learn", "pandas": "pandas", "torch": "torch"}
MINIMUM_WORDS = 20
MINIMUM_DOCUMENTS = 30
TRAIN_FRACTION = 0.7

_LEFT_OUT = re.compile(r"_|tests?$|testing$|test_|conftest|externals?$|vendor|third_?party|generated|setup\.py$")
_GENERATED = re.compile(r"(?:auto-?|automatically )generated|generated (?:by|from)|is generated", re.IGNORECASE)
_DOCTEST = re.compile(r"^\s*(?:>>>|\.\.\.(?:\s|$)).*$", re.MULTILINE)
_OWN_NAME = re.compile(rf"\b(?:{'|'.join(PACKAGES)}|np|pd)(?:\.\w+)+")


def installed() -> dict[str, tuple[Path, str]]:
    """Folder and version of each of the packages that is installed, found without importing it."""
    found = {}
    for package, distribution in PACKAGES.items():
        spec = importlib.util.find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            continue
        try:
            version = importlib.metadata.version(distribution)
        except importlib.metadata.PackageNotFoundError:
            version = "unknown version"
        found[package] = (Path(next(iter(spec.submodule_search_locations))), version)
    return found


class Pydocs(Reader):
    """Docstrings of the installed numerical packages, by sub-package."""

    name = "pydocs"
    title = "Python docstrings"
    summary = "Docstrings of the installed numerical packages by sub-package; always there, nothing to download."
    first_class = "scipy.stats"

    def read(self) -> Corpus:
        """Read the corpus from the installed packages, or from the cache.

        Raises
        ------
        CorpusError
            If none of the packages is installed with its source files.
        """
        packages = installed()
        versions = [[package, version, str(folder)] for package, (folder, version) in packages.items()]
        python = list(sys.version_info[:2])  # decides what counts as Python
        return cached(self.name, [self.version, python, versions], lambda: self.parse(packages))

    def parse(self, packages: dict[str, tuple[Path, str]]) -> Corpus:
        """Read the corpus from packages, given as name → (folder, version)."""
        with no_warnings_of_source():
            texts, classes, counts = _collect(packages)
        names = _without_duplicates(texts)
        counts["duplicates"] = len(texts) - len(names)
        sizes = Counter(classes[name] for name in names)
        kept = [name for name in names if sizes[classes[name]] >= MINIMUM_DOCUMENTS]
        if not kept:
            raise CorpusError(
                "The embedded corpus is made of the source files of numpy, scipy, scikit-learn, pandas and torch, and "
                "none of them was found. Install the project's requirements."
            )
        # a hash order mixes the modules, so that validation and test hold the same kinds of text as training
        kept.sort(key=lambda name: hashlib.sha256(name.encode()).digest())
        versions = ", ".join(f"{PACKAGES[name]} {version}" for name, (_, version) in packages.items())
        n_train = math.ceil(TRAIN_FRACTION * len(kept))
        unreadable = counts["unreadable"]
        few = sum(size < MINIMUM_DOCUMENTS for size in sizes.values())
        return assemble(
            name=self.name,
            title=self.title,
            documents=[texts[name] for name in kept],
            label_sets=[(classes[name],) for name in kept],
            train=np.arange(len(kept)) < n_train,
            origin=f"Docstrings of {versions}",
            report=[
                f"Read {counts['docstrings']:,} docstrings of public functions, classes and methods in "
                f"{counts['files']:,} files" + (f"; {unreadable} files could not be read." if unreadable else "."),
                f"Left out {counts['short']:,} of fewer than {MINIMUM_WORDS} words, {counts['duplicates']:,} exact "
                f"duplicates and {len(names) - len(kept):,} in {few} sub-packages with fewer than {MINIMUM_DOCUMENTS}.",
                f"In the order of a hash of their names, the first {TRAIN_FRACTION:.0%} are for training.",
            ],
            notes="Not in the paper. Read from the packages installed here; its size varies a little with their "
            "versions.",
        )


def clean(docstring: str) -> str:
    """Take off doctest lines and the packages' own dotted names."""
    return _OWN_NAME.sub(" ", _DOCTEST.sub("", docstring)).strip()


def _collect(packages: dict[str, tuple[Path, str]]) -> tuple[dict[str, str], dict[str, str], Counter]:
    """Texts and sub-packages by qualified name, and counts of what was read and left out."""
    texts: dict[str, str] = {}
    classes: dict[str, str] = {}
    counts = Counter()
    for package, (folder, _) in packages.items():
        for subpackage, module, path in _modules(package, folder):
            counts["files"] += 1
            try:
                with tokenize.open(path) as file:  # minds the encoding that a file declares
                    source = file.read()
                found = list(docstrings(source)) if not _GENERATED.search(source[:500]) else ()
            except (SyntaxError, UnicodeDecodeError, OSError) as error:
                log.info("left out %s: %s", path, error)
                counts["unreadable"] += 1
                continue
            for name, docstring in found:
                counts["docstrings"] += 1
                text = clean(docstring)
                if len(text.split()) < MINIMUM_WORDS:
                    counts["short"] += 1
                    continue
                texts[f"{module}.{name}"] = text
                classes[f"{module}.{name}"] = subpackage
    return texts, classes, counts


def _modules(package: str, folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (sub-package, dotted module name, path) of the public modules inside public sub-packages."""
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not _LEFT_OUT.match(name))
        parts = Path(root).relative_to(folder).parts
        if not parts:
            continue
        for file in sorted(files):
            # _base.py in a public sub-package is where its public classes are often defined
            if file.endswith(".py") and not _LEFT_OUT.match(file.lstrip("_")):
                module = ".".join((package, *parts, file.removesuffix(".py"))).removesuffix(".__init__")
                yield f"{package}.{parts[0]}", module, os.path.join(root, file)


def _without_duplicates(texts: dict[str, str]) -> list[str]:
    """Names in sorted order, those with the text of an earlier one left out."""
    seen, names = set(), []
    for name in sorted(texts):
        if texts[name] not in seen:
            seen.add(texts[name])
            names.append(name)
    return names
