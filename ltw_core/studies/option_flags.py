"""How a corpus is counted as flags of the command line: scikit-learn's names, and the share of terms that is kept."""

import argparse

from ltw_core.protocol import OPTIONS
from ltw_core.tasks import ANALYZERS, TOKENIZERS

NOTHING = "none"


def add_arguments(command) -> None:
    """What the commands ``run`` and ``curve`` take; what is not given is not there."""
    group = command.add_argument_group("terms", "what a term is and which are kept; scikit-learn's names and meanings")
    add = lambda *names, **more: group.add_argument(*names, default=argparse.SUPPRESS, **more)  # noqa: E731
    add("--analyzer", choices=list(ANALYZERS), help="what terms are made of (default: word)")
    add("--ngram-range", type=_range, metavar="A,B", help="smallest and largest n of the n-grams (default: 1,1)")
    add("--min-df", type=_number, metavar="N", help="training documents that hold a term: 2, or a share: 0.01")
    add("--max-features", type=int, metavar="N", help="only the terms that occur most often")
    add(
        "--stop-words",
        type=_stop_words,
        metavar="TEXT",
        help="a language, none, or the words themselves with commas (default: the corpus's language)",
    )
    add("--token-pattern", metavar="REGEX", help=r"of a term (default: (?u)\b\w\w+\b)")
    add("--tokenizer", choices=list(TOKENIZERS), help="a token pattern by its name, in its place (default: words)")
    add("--lowercase", action=argparse.BooleanOptionalAction, help="put texts into lower case first (default)")
    add("--ratio", type=float, metavar="SHARE", help="of the terms that χ² keeps, such as 0.1 or 1")


def add_weightings(command, default: str, about: str) -> None:
    """What both commands take as weightings."""
    command.add_argument("--weightings", default=default, metavar="X,Y", help=about)
    more = "one whose name may hold commas, in their place; may be given several times"
    command.add_argument("--weighting", action="append", dest="single_weightings", metavar="NAME", help=more)


def weightings(options) -> str | list[str]:
    """The weightings that were given."""
    return options.single_weightings or options.weightings


def add_protocol(command) -> None:
    """What the command ``run`` takes as a protocol."""
    options = "; ".join(f"{name} = {' or '.join(option.values)}" for name, option in OPTIONS.items())
    command.add_argument(
        "--protocol",
        metavar="NAME",
        help="paper (default): as the paper's text has it; authors: as its authors' code has it; or single options "
        f"with commas, also after a name (authors,ties=first): {options}",
    )


NAMES = ("analyzer", "ngram_range", "min_df", "max_features", "stop_words", "token_pattern", "tokenizer", "lowercase")


def chosen(options) -> dict:
    """The options of ``VectorizerOptions`` that were given."""
    return {name: getattr(options, name) for name in NAMES if hasattr(options, name)}


def arguments(given: dict) -> list[str]:
    """The flags that give some options of ``VectorizerOptions``: what ``chosen`` makes of them again."""
    return [_flag(name, value) for name, value in given.items()]


def _flag(name: str, value) -> str:
    flag = name.replace("_", "-")
    if name == "lowercase":
        return f"--{flag}" if value else f"--no-{flag}"
    if name == "stop_words" and value is None:
        value = NOTHING
    elif isinstance(value, tuple):
        value = ",".join(map(str, value)) + "," * (len(value) == 1)  # or a lone word would be a language
    return f"--{flag}={value}"


def ratio(options) -> float | None:
    """The share of terms that was given."""
    return getattr(options, "ratio", None)


def _range(text: str) -> tuple[int, ...]:
    try:
        low, high = map(int, text.strip("()[] ").split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not two whole numbers with a comma, such as 1,2") from None
    return low, high


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number of documents nor a share of them") from None


def _stop_words(text: str) -> str | tuple[str, ...] | None:
    if text == NOTHING:
        return None
    return tuple(word.strip() for word in text.split(",") if word.strip()) if "," in text else text
