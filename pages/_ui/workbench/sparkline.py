"""Validation F1 along a training run as a line without axes: where there is no room for more."""

import base64

from ltw_core.figures import palette, theme
from ltw_core.weighting.learned.snapshots import Snapshot
from pages._ui import words

WIDE, HIGH = 1000, 100


def sparkline(history: list[tuple[int, float, float]], levels: dict[str, float], moment: Snapshot | None = None) -> str:
    """The line as HTML, from F1 0 at its foot to 1; dashed the F1 of formulas, upright the moment that is looked at."""
    ink, points = theme.ink(words.base()), [(step, f1) for step, _, f1 in history if f1 == f1]
    last = max((step for step, _ in points), default=0) or 1
    across = [(0, WIDE, HIGH * (1 - f1), HIGH * (1 - f1), "10 8") for f1 in levels.values()]
    if moment is not None:
        across.append((WIDE * moment.step / last, WIDE * moment.step / last, 0, HIGH, "none"))
    lines = "".join(
        f'<line x1="{x1:.0f}" x2="{x2:.0f}" y1="{y1:.1f}" y2="{y2:.1f}" stroke-dasharray="{dash}"/>'
        for x1, x2, y1, y2, dash in [(0, WIDE, HIGH, HIGH, "none"), *across]
    )
    course = " ".join(f"{WIDE * step / last:.0f},{HIGH * (1 - f1):.1f}" for step, f1 in points)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -4 {WIDE} {HIGH + 8}" preserveAspectRatio="none">'
        f'<style>* {{ fill: none; vector-effect: non-scaling-stroke }}</style><g stroke="{ink.muted}">{lines}</g>'
        f'<polyline points="{course}" stroke="{palette.colour("learned", words.base())}" stroke-width="2"/></svg>'
    )
    best = max((f1 for _, f1 in points), default=None)
    said = "Nothing has been validated yet" if best is None else f"Validation F1 by step, best {words.f1(best)}"
    return f'<img alt="{said}" src="data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}">'
