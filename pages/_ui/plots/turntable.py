"""A surface that turns once and morphs between weightings, beside a document shaded alike: the first thing one sees."""

import json
from pathlib import Path

import orjson
import streamlit as st

from ltw_core.figures import terms_of, theme
from ltw_core.figures.frames import Frames
from ltw_core.figures.plain_figure import exact
from ltw_core.figures.turntable import Words
from pages._ui.glossary import glossed
from pages._ui.streamlit_fixes.kept_messages import kept_message

FOLDER = Path(__file__).parent
SCRIPTS = ("levels", "camera", "raster", "axes", "turntable")
READ = "A point is a word. tpr: the share of the class’s documents with the word; fpr: of the others."
# a newcomer takes colours for votes; a phone has room for half of it
SIGN = (
    '<span class="signed">The stronger the colour, the heavier the word<i>; gold and blue do not mean for and against '
    "the class: the classifier learns that</i>.</span>"
    '<span class="unsigned">The stronger the gold, the heavier the word<i>, for or against the class: the classifier '
    "learns which</i>.</span>"
)
SCALE = """<span class="scale"><span class="ramp"></span><b class="below"></b><b class="zero">0</b><b
    class="one">1</b></span>"""
HTML = f"""
<div class="ltw-turntable-room"><figure class="ltw-turntable">
  <div class="stage"><canvas role="application" tabindex="0"></canvas>
    <div class="choice" role="group" aria-label="Weighting"></div>
    <div class="again" aria-hidden="true">{SCALE}</div></div>
  <div class="key"><span class="weight"></span>{SCALE}<span
    class="grey"><i></i>no terms: extrapolated</span>
    <span class="sign">{glossed(SIGN)}</span>
    <span class="read">{glossed(READ)}</span>
  </div>
  <p class="about"></p><div class="text" role="document" tabindex="0"></div>
  <table hidden><thead><tr><th scope="col">documents</th>
    <th scope="col">with <span data-of="term"></span><span class="it">it</span></th>
    <th scope="col">without it</th><th scope="col"></th></tr></thead><tbody>
    <tr><th scope="row">of the class</th><td data-of="tp"></td><td data-of="fn"></td><td data-of="tpr"></td></tr>
    <tr><th scope="row">others</th><td data-of="fp"></td><td data-of="tn"></td><td data-of="fpr"></td></tr>
  </tbody></table>
  <figcaption></figcaption>
</figure></div>
"""
_turntable = st.components.v2.component(
    "ltw_turntable",
    html=HTML,
    css=(FOLDER / "turntable.css").read_text("utf-8"),
    js="".join((FOLDER / f"{name}.js").read_text("utf-8") for name in SCRIPTS),
    isolate_styles=False,
)


def turntable(key: str, content: bytes) -> None:
    """Show weightings as one surface beside a document.

    Parameters
    ----------
    key : the element's own; the camera stays as long as it is on the page.
    content : made by ``content``, and best kept.
    """
    with kept_message(key, content) as there:
        _turntable(key=key, data=b"" if there else content)


def content(
    frames: Frames,
    words: Words,
    names: list[str],
    *,
    base: str,
    start: int,
    text: list[str | list[str]],
    about: str,
    of: str,
    missing: dict[str, str],
) -> bytes:
    """What is shown, as it is sent.

    Parameters
    ----------
    frames, words : of ``figures.turntable``.
    names : of the weightings, in the order of the frames.
    start : the one that is shown first.
    text : a document in pieces; those that are terms of it as [written, term].
    about : what the document is, in a sentence; {weight} in it becomes that of the weighting shown, and {point} what
        one does with a word.
    of : names what is shown: of another class, what was chosen is not kept.
    missing : weightings that cannot be chosen, and why.
    """
    ink, layout = theme.ink(base), frames.figure.layout
    told = words.told({piece[1] for piece in text if not isinstance(piece, str)} | _named(frames))
    pieces = [piece if isinstance(piece, str) or piece[1] in told else piece[0] for piece in text]
    written = {piece[1] for piece in pieces if not isinstance(piece, str)}
    strongest = max(written, key=lambda term: (told[term]["z"][start], term), default="")
    shown = orjson.dumps(
        {
            "key": of,
            "figure": {"data": json.loads(frames.figure.to_json())["data"], "layout": {"scene": layout["scene"]}},
            "frames": frames.data,
            "names": names,
            "missing": list(missing.items()),
            "alts": frames.alts,
            "start": start,
            "shades": words.shades(base),
            "words": told,
            "pieces": pieces,
            "about": about,
            "first": strongest,
            "look": {
                **{name: getattr(ink, name) for name in ("paper", "text", "muted", "grid", "line", "selected")},
                "family": theme.FONT,
            },
        },
        option=orjson.OPT_SERIALIZE_NUMPY,
    )
    return exact(shown)


def _named(frames: Frames) -> set[str]:
    """Terms that are named on the surface."""
    return {term for label in frames.data["named"] for term in terms_of(label["text"].replace(" +", ", +"))}
