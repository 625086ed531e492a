"""A weighting that the reader composes and names: dd × cd × normalisation, written down so that it can be made again.

It is a record of plain values. ``make`` gives the ``TermWeighting``, ``python`` the ten lines that reproduce it outside
of the app, ``as_dict`` and ``from_dict`` a form for JSON; ``weightings_in`` reads a file of them. Leaves out learned
weightings, which have files of their own.
"""

from dataclasses import asdict, dataclass, replace

from ltw_core.storage.file_schema import Fields, FileError, Many, Number, OneOf, Optional, Text, Truth, read_json
from ltw_core.weighting.formulas.lookup import LENGTH_LIMIT, cd_function, dd_function, logarithm, power
from ltw_core.weighting.formulas.spline import FINE, HEIGHTS, SCALES, spline
from ltw_core.weighting.function import Function

NAME_LIMIT = 40
FILE_LIMIT = 1_500_000  # characters of a file of weightings; the longest one of them takes 23,000
MOST = 60  # weightings of a file
POWER_LIMIT = 100.0  # ten times what the editor offers
K1_LIMIT = 1e6  # BM25's usual one is 1.2
RECORD = Fields(
    {
        "name": Text(10 * NAME_LIMIT),  # spaces and all; what is left must have 40
        "dd": Text(NAME_LIMIT),
        "cd": Text(LENGTH_LIMIT),
        "norm": OneOf(("l2", "l1", "max", None)),
        "power": Number(0, POWER_LIMIT),
        "k1": Number(0, K1_LIMIT),
        "b": Number(0, 1),
        "heights": Optional(HEIGHTS),
        "scale": OneOf(SCALES),
        "logarithm": Truth(),
    },
    optional=("dd", "cd", "norm", "power", "k1", "b", "heights", "scale", "logarithm"),
)
RECORDS = Many(RECORD, MOST)


@dataclass(frozen=True, repr=False)
class Composed:
    """A named dd × cd × norm.

    Attributes
    ----------
    name : str
        The reader's own, of at most 40 printable characters.
    dd : str
        A key of ``DD``.
    cd : str
        A key of ``CD``, or a formula; ignored where ``heights`` are given.
    norm : {"l2", "l1", "max", None}
    logarithm : bool
        Whether the cd is taken as sign(cd)·ln(1 + |cd|).
    power : float > 0
        What it is raised to after that.
    k1, b : float
        Parameters of the dd "bm25".
    heights : tuple of tuple of float, optional
        A grid of heights instead of a formula, with ``scale`` ("log" or "linear"): see ``spline``.
    """

    name: str
    dd: str = "1+log"
    cd: str = "1"
    norm: str | None = "l2"
    power: float = 1.0
    k1: float = 1.2
    b: float = 0.75
    heights: tuple[tuple[float, ...], ...] | None = None
    scale: str = "log"
    logarithm: bool = False

    def __post_init__(self):
        name = " ".join(self.name.split())
        if not name or len(name) > NAME_LIMIT or not name.isprintable():
            raise ValueError(f"a weighting needs a name of 1 to {NAME_LIMIT} printable characters, not {self.name!r}")
        object.__setattr__(self, "name", name)
        if self.heights is not None:
            object.__setattr__(self, "heights", tuple(tuple(float(v) for v in row) for row in self.heights))
        self.function  # noqa: B018 - a formula or heights that cannot be read are refused here, not later
        self.make().factors()

    def __repr__(self):
        return f"<Composed {self.name!r}: {self.describe()}>"

    @property
    def function(self) -> Function:
        """The cd with its transforms as one function that is called as the weighting is."""
        return replace(power(self._before_power, self.power), symbol=self.name)

    @property
    def _before_power(self) -> Function:
        base = cd_function(self.cd) if self.heights is None else spline(self.heights, self.scale, self.name)
        return logarithm(base) if self.logarithm else base

    def make(self):
        """A fresh ``TermWeighting``."""
        from ltw_core.weighting.classic import TermWeighting

        cd = self.cd if self.heights is None and not self.logarithm else self._before_power
        return TermWeighting(dd=self.dd, cd=cd, norm=self.norm, k1=self.k1, b=self.b, power=self.power)

    def describe(self) -> str:
        """What it is, in a line: ``(1 + ln f) · RF, L2``."""
        norm = {None: "not normalised"}.get(self.norm, str(self.norm).upper())
        return f"({dd_function(self.dd).formula}) · {_as_factor(self.function.formula)}, {norm}"

    def python(
        self, dataset: str = "pydocs", class_name: str = "scipy.stats", ratio: float | None = None, file: str = ""
    ) -> str:
        """Ten lines or fewer of Python that weight a class's documents with it and evaluate it.

        Parameters
        ----------
        dataset : str
            A corpus of the catalogue, or the path of a table if it holds a dot.
        class_name : str
        ratio : float in (0, 1], optional
            Share of the terms that χ² selects, where it is not what is usual.
        file : str
            Name of the file with its data (a JSON list with ``as_dict``), from which heights on a fine grid are read.
        """
        table = "." in dataset
        options = {"dd": self.dd, "cd": self.cd, "norm": self.norm, "power": self.power, "k1": self.k1, "b": self.b}
        if self.power == 1:
            del options["power"]
        if self.dd != "bm25":
            del options["k1"], options["b"]
        cd = repr(self.cd)
        if self.heights is not None and len(self.heights) == FINE:
            return self._python_of_file(file or "weightings.json", dataset, class_name, ratio)
        if self.heights is not None:
            cd = f"spline({[list(row) for row in self.heights]!r}, {self.scale!r})"
        made = ", ".join(["spline"] * (self.heights is not None) + ["logarithm"] * self.logarithm)
        if self.logarithm:
            cd = f"logarithm({cd})"
        shown = ", ".join(f"{k}={'cd' if k == 'cd' and made else repr(v)}" for k, v in options.items())
        asked = repr(class_name) if ratio is None else f"{class_name!r}, ratio={ratio!r}"
        lines = [
            f"from ltw_core.corpora import {'read_table' if table else 'load'}",
            "from ltw_core.evaluation import evaluate",
            "from ltw_core.tasks import vectorize",
            f"from ltw_core.weighting import TermWeighting{', ' + made if made else ''}",
            f"corpus = {'read_table' if table else 'load'}({dataset!r})",
            f"task = vectorize(corpus, stop_words=corpus.language).task({asked})",
            *([f"cd = {cd}"] if made else []),
            f"weighting = TermWeighting({shown}).fit(task.counts_train, task.y_train)",
            "train, test = weighting.transform(task.counts_train), weighting.transform(task.counts_test)",
            'print(f1 := evaluate(task, weighting, "SVM", "quick").f1)',
        ]
        return "\n".join(lines) + "\n"

    def _python_of_file(self, file: str, dataset: str, class_name: str, ratio: float | None) -> str:
        load = "read_table" if "." in dataset else "load"
        asked = repr(class_name) if ratio is None else f"{class_name!r}, ratio={ratio!r}"
        return (
            "from pathlib import Path\n"
            f"from ltw_core.corpora import {load}\n"
            "from ltw_core.evaluation import evaluate\n"
            "from ltw_core.tasks import vectorize\n"
            "from ltw_core.weighting.composed import weightings_in\n"
            f"corpus = {load}({dataset!r})\n"
            f"task = vectorize(corpus, stop_words=corpus.language).task({asked})\n"
            f"weighting = weightings_in(Path({file!r}).read_bytes())[0].make().fit(task.counts_train, task.y_train)\n"
            "train, test = weighting.transform(task.counts_train), weighting.transform(task.counts_test)\n"
            'print(f1 := evaluate(task, weighting, "SVM", "quick").f1)\n'
        )

    def as_dict(self) -> dict:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict) -> "Composed":
        """From ``as_dict``, checked.

        Raises
        ------
        FileError
            A ``ValueError``: it is not such a record.
        """
        RECORD.check(values, "a weighting")
        return cls._of_checked(values, "a weighting")

    @classmethod
    def _of_checked(cls, values: dict, called: str) -> "Composed":
        try:
            return cls(**values)
        except ValueError as error:
            raise FileError(f"{called} cannot be made: {error}") from error


def _as_factor(formula: str) -> str:
    """A formula as one factor of a product: in parentheses where it is a sum, or begins with a sign."""
    depth = 0
    for place, character in enumerate(formula):
        depth += (character in "([{") - (character in ")]}")
        inner = place > 0 and formula[place - 1] == formula[place + 1 : place + 2] == " "
        if depth == 0 and character in "+-−" and (place == 0 or inner):
            return f"({formula})"
    return formula


def weightings_in(content: bytes) -> list[Composed]:
    """The weightings of a file: a JSON list of what ``as_dict`` gives. All of them, or none and an error.

    Raises
    ------
    FileError
        It is no such file; the message names the weighting and what is wrong with it.
    """
    records = read_json(content, "the file", FILE_LIMIT)
    RECORDS.check(records, "the file")
    return [Composed._of_checked(values, f"the file, value {place}") for place, values in enumerate(records, 1)]
