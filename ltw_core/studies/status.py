"""How far the cells of a store are, a line for each weighting and learner under the same settings."""

from ltw_core.studies.cell import Cell
from ltw_core.studies.store import STATES, Store
from ltw_core.studies.tables import apart

COLUMNS = ("corpus", "grid", "protocol", "weighting", "learner")
LEAST = (16, 7, 10, 14, 9)  # characters of each


def status_lines(store: Store) -> list[str]:
    """A table: what each line is of, cells done, in all and failed, mean seconds, and what tells its settings from
    those of the corpus's other lines."""
    rows, examples = {}, {}
    for row in store.overview(by_settings=True):
        example = Cell.from_json(row["json"])
        examples.setdefault(row["settings"], example)
        at = (row["corpus"], row["grid"], example.how.name, row["weighting"], row["learner"])
        rows.setdefault((row["settings"], at), {})[row["state"]] = row
    widths = [max(least, *(len(at[k]) + 2 for _, at in rows), 0) for k, least in enumerate(LEAST)]
    line = lambda parts: "".join(f"{part:<{width}}" for part, width in zip(parts, widths, strict=True))  # noqa: E731
    lines = [f"{line(COLUMNS)}{'done':>6}{'of':>6}{'failed':>8}{'s a cell':>10}"]
    for (settings, at), states in rows.items():
        number = {state: states[state]["cells"] if state in states else 0 for state in STATES}
        seconds = f"{states['done']['seconds']:.2f}" if number["done"] else ""
        same = [cell for cell in examples.values() if cell.corpus == at[0]]
        told = "".join(f"  {part}" for part in apart(examples[settings], same))
        counts = f"{number['done']:>6}{sum(number.values()):>6}{number['failed'] or '':>8}{seconds:>10}"
        lines.append(f"{line(at)}{counts}{told}".rstrip())
    return lines
