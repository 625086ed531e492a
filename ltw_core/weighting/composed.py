"""A weighting that the reader composes and names: dd × cd × normalisation, written down so that it can be made again.

It is a record of plain values. ``make`` gives the ``TermWeighting``, ``python`` the ten lines that reproduce it outside
of the app, ``as_dict`` and ``from_dict`` a form for JSON. Leaves out learned weightings, which have files of their own.
"""

from dataclasses import asdict, dataclass, replace

from ltw_core.weighting.formulas.lookup import cd_function, dd_function, logarithm, power
from ltw_core.weighting.formulas.spline import spline
from ltw_core.weighting.function import Function

NAME_LIMIT = 40


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
        5 × 5 heights instead of a formula, with ``scale`` ("log" or "linear"): see ``spline``.
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
        return f"({dd_function(self.dd).formula}) · {self.function.formula}, {norm}"

    def python(self, dataset: str = "pydocs", class_name: str = "scipy.stats") -> str:
        """Ten lines or fewer of Python that weight a class's documents with it and evaluate it.

        Parameters
        ----------
        dataset : str
            A corpus of the catalogue, or the path of a table if it holds a dot.
        class_name : str
        """
        table = "." in dataset
        options = {"dd": self.dd, "cd": self.cd, "norm": self.norm, "power": self.power, "k1": self.k1, "b": self.b}
        if self.power == 1:
            del options["power"]
        if self.dd != "bm25":
            del options["k1"], options["b"]
        cd = repr(self.cd)
        if self.heights is not None:
            cd = f"spline({[list(row) for row in self.heights]!r}, {self.scale!r})"
        made = ", ".join(["spline"] * (self.heights is not None) + ["logarithm"] * self.logarithm)
        if self.logarithm:
            cd = f"logarithm({cd})"
        shown = ", ".join(f"{k}={'cd' if k == 'cd' and made else repr(v)}" for k, v in options.items())
        lines = [
            f"from ltw_core.corpora import {'read_table' if table else 'load'}",
            "from ltw_core.evaluation import evaluate",
            "from ltw_core.tasks import vectorize",
            f"from ltw_core.weighting import TermWeighting{', ' + made if made else ''}",
            f"corpus = {'read_table' if table else 'load'}({dataset!r})",
            f"task = vectorize(corpus, stop_words=corpus.language).task({class_name!r})",
            *([f"cd = {cd}"] if made else []),
            f"weighting = TermWeighting({shown}).fit(task.counts_train, task.y_train)",
            "train, test = weighting.transform(task.counts_train), weighting.transform(task.counts_test)",
            'print(f1 := evaluate(task, weighting, "SVM", "quick").f1)',
        ]
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict:
        """Plain values for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: dict) -> "Composed":
        """From ``as_dict``, checked.

        Raises
        ------
        ValueError
            For anything that is not such a record.
        """
        fields = cls.__dataclass_fields__
        if not isinstance(values, dict) or not isinstance(values.get("name"), str) or values.keys() - fields.keys():
            raise ValueError(f"a weighting is an object with a name and any of {', '.join(fields)}")
        try:
            return cls(**values)
        except TypeError as error:
            raise ValueError(f"a weighting has a value of the wrong kind ({error})") from error
