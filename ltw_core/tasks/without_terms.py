"""Documents that hold no known term: how many there are, what becomes of them, and both in sentences.

Their vectors are empty under every weighting. Training documents among them are left out of learning, of the selection
of terms and of the validation part too. Test documents are scored like any other, or dropped as in the paper.
"""

from collections.abc import Iterator
from typing import NamedTuple

ALL, WITH_TERMS = "all", "with_terms"
DOCUMENTS = (ALL, WITH_TERMS)
"""Which test documents count: all of them, or those that hold a known term, as in the paper's tables."""


class WithoutTerms(NamedTuple):
    """Numbers of documents without a known term: of each part, and those among them that have the class.

    ``scored``: whether those of the test part take part in the figures; they are dropped otherwise.
    """

    train: int
    train_positives: int
    test: int
    test_positives: int
    scored: bool

    def sentences(
        self, n_train: int | None = None, n_test: int | None = None, *, undecided: str = "negative"
    ) -> Iterator[str]:
        """What one must know of them; nothing where there are none.

        Parameters
        ----------
        n_train, n_test : int, optional
            All documents of the parts, those without a term among them.
        undecided : str
            What one becomes where a classifier cannot decide on an empty vector.
        """
        if self.test:
            if self.scored:
                on_nothing = f"by what a classifier decides on an empty vector (KNN cannot: {undecided})"
                fate = f"scored like any other, {on_nothing}"
            else:
                fate = "dropped, as in the paper: no figure counts them"
            yield f"{_how_many(self.test, n_test, 'test')}{_of_class(self.test_positives)}: {_they(self.test)} {fate}."
        if self.train:
            text = f"{_how_many(self.train, n_train, 'training')}{_of_class(self.train_positives)}"
            yield f"{text}: {_they(self.train)} left out of learning."


def undecided(single_label: bool) -> str:
    """What a document becomes, of all classes, where a classifier cannot decide on an empty vector."""
    return "the commonest class" if single_label else "no class"


def columns(empty: WithoutTerms | None, *, of_class: bool = True) -> dict[str, int | None]:
    """The numbers under the names that they have in exported tables; None where they were not written down.

    Parameters
    ----------
    empty : WithoutTerms or None
    of_class : bool
        With those of the class, which figures of all classes do not have.
    """
    names = ("train", "train_positives", "test", "test_positives") if of_class else ("train", "test")
    return {
        f"without a known term: {name.replace('_', ' ')}": None if empty is None else getattr(empty, name)
        for name in names
    }


def _how_many(number: int, total: int | None, part: str) -> str:
    of = "" if total is None else f"Of {total:,} {part} documents "
    rest = f"{part} document{'s' * (number != 1)} " if total is None else ""
    return f"{of}{number:,} {rest}{'holds' if number == 1 else 'hold'} no known term"


def _of_class(positives: int) -> str:
    return f", {positives:,} of the class among them" if positives else ""


def _they(number: int) -> str:
    return "it is" if number == 1 else "they are"
