"""What stands between two lines --- at the top of a lesson: one ``key: value`` a line, no more of YAML than that."""

from ltw_core.corpora import catalogue
from ltw_core.lessons.blocks import Block
from ltw_core.lessons.mistakes import Mistake

KEYS = ("title", "summary", "takeaway", "section", "language", "corpus", "class", "progressive", "allow_skip")
FLAGS = {"true": True, "false": False}


def read_front_matter(front: Block | None, mistakes: list[Mistake]) -> dict:
    """The fields of a ``Lesson`` that stand there; mistakes are added to those that there are."""
    if front is None:
        mistakes.append(Mistake(1, "A lesson begins with a line ---, a line title: …, and another line ---."))
    found: dict[str, str] = {}
    for place, said in enumerate(front.text.splitlines() if front else (), 2):
        key, colon, value = (part.strip() for part in said.partition(":"))
        if not said.strip():
            continue
        if not colon or not key:
            mistakes.append(Mistake(place, f"Write key: value here, not “{said.strip()[:60]}”."))
        elif key not in KEYS:
            mistakes.append(Mistake(place, f"There is no “{key[:40]}” here; there are {', '.join(KEYS)}."))
        elif key in found:
            mistakes.append(Mistake(place, f"{key} is given twice; keep only one of them."))
        else:
            found[key] = value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
            if key in ("progressive", "allow_skip") and value not in FLAGS:
                mistakes.append(Mistake(place, f"{key} is true or false, not “{value[:40]}”."))
            names = [reader.name for reader in catalogue()] if key == "corpus" else [value]
            if value not in names:
                mistakes.append(Mistake(place, f"There is no corpus “{value[:40]}”; there are {', '.join(names)}."))
    if front is not None and not found.get("title"):
        mistakes.append(Mistake(1, "A lesson needs a title; write a line title: … between the lines ---."))
    return {
        "title": found.get("title", ""),
        "summary": found.get("summary", ""),
        "takeaway": found.get("takeaway", ""),
        "section": found.get("section", ""),
        "language": found.get("language", ""),
        "corpus": found.get("corpus", ""),
        "class_name": found.get("class", ""),
        "progressive": FLAGS.get(found.get("progressive", ""), True),
        "allow_skip": FLAGS.get(found.get("allow_skip", ""), True),
    }
