"""What a weighting is called in lists and addresses: a method of the table, or one from elsewhere after its kind."""

from typing import NamedTuple, Self

OWN, RUN, SHIPPED, METHOD = "own", "run", "shipped", "method"


class Reference(NamedTuple):
    """A weighting by kind and name.

    Attributes
    ----------
    kind : ``OWN`` (composed by the reader), ``RUN`` (of a training run), ``SHIPPED`` (with the project) or ``METHOD``.
    name : the name in its kind: of a composed weighting with its content's digest, a run's token, an example's or a
        method's name.
    """

    kind: str
    name: str

    def __str__(self) -> str:
        """As it stands in lists and addresses: "TFRF", "run:…"."""
        return self.name if self.kind == METHOD else f"{self.kind}:{self.name}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """What ``str`` has written."""
        kind, _, name = text.partition(":")
        return cls(kind, name) if kind in (OWN, RUN, SHIPPED) else cls(METHOD, text)
