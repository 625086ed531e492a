"""The README's Python, block by block, to be run as a reader would: one after the other, with the same variables.

    python -m tests.snippets      # with whatever ltw_core there is; what they write goes into a folder that is removed

Needs nothing but ``ltw_core`` itself. Of a learning curve one draw is made; the rest is run as it is written.
What asks for a published corpus that is not there is skipped, and the reason is told.
"""

import ast
import contextlib
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
CHEAPER = {"draws=5": "draws=1"}  # what is run in place of what takes long
BLOCK = re.compile(r"```python\n(.*?)```(?:\n\n!\[[^\]]*\]\(([^)]*)\))?", re.DOTALL)


class Snippet(NamedTuple):
    """``line``: where it begins in the README; ``picture``: the file of the picture below it, or None."""

    line: int
    code: str
    picture: str | None


def snippets() -> list[Snippet]:
    """Those of the README, from its beginning."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [Snippet(text[: m.start(1)].count("\n") + 1, m[1], m[2]) for m in BLOCK.finditer(text)]


def run(snippet: Snippet, variables: dict) -> Any:
    """Run one; returns what its last line is worth, which a notebook would show, or None where that is a statement."""
    tree = ast.parse("\n" * (snippet.line - 1) + snippet.code, "README.md")
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "README.md", "exec"), variables)
    return None if last is None else eval(compile(ast.Expression(last.value), "README.md", "eval"), variables)


def cheaper(code: str) -> str:
    for dear, cheap in CHEAPER.items():
        code = code.replace(dear, cheap)
    return code


def main() -> None:
    variables = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        _run_all(variables)


def _run_all(variables: dict) -> None:
    from ltw_core.corpora import CorpusError

    for snippet in snippets():
        started = time.perf_counter()
        try:
            shown = run(snippet._replace(code=cheaper(snippet.code)), variables)
        except CorpusError as error:
            if "LTW_DATA" not in str(error):
                raise
            sys.stdout.write(f"line {snippet.line}: skipped, {error}\n")
        else:
            what = type(shown).__name__
            sys.stdout.write(f"line {snippet.line}: {what} in {time.perf_counter() - started:.1f} s\n")


if __name__ == "__main__":
    main()
