"""What CCA says of the formula that it bred, as a sentence that can be read again: results carry sentences only."""

import re
from collections.abc import Iterable
from typing import NamedTuple


class FoundFormula(NamedTuple):
    """A formula that CCA found, to be read.

    Attributes
    ----------
    depth : int
        Levels of its tree; that of a single factor is 1.
    tried : int
        Formulas of which it is the best.
    validation_f1 : float
        To three digits.
    text, latex : str
        The formula in one line, and for typesetting (without dollar signs).
    legend : str
        Its symbols with their meaning: "f: occurrences of the term in the document; …".
    """

    depth: int
    tried: int
    validation_f1: float
    text: str
    latex: str
    legend: str

    @property
    def sentence(self) -> str:
        return (
            f"CCA's formula, of depth {self.depth}, best of {self.tried:,} with a validation F1 of "
            f"{self.validation_f1:.3f}: {self.text} (where {self.legend}). In LaTeX: {self.latex}"
        )


_SENTENCE = re.compile(
    r"CCA's formula, of depth (\d+), best of ([\d,]+) with a validation F1 of ([\d.]+): (.+) \(where (.+?)\)\. "
    r"In LaTeX: (.+)"
)


def formula_in(remarks: Iterable[str]) -> FoundFormula | None:
    """The formula of which one of some sentences tells; None if none does."""
    for remark in remarks:
        if found := _SENTENCE.fullmatch(remark):
            depth, tried, f1, text, legend, latex = found.groups()
            return FoundFormula(int(depth), int(tried.replace(",", "")), float(f1), text, latex, legend)
    return None
