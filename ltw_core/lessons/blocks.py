"""A lesson's file taken apart: front matter, headings, texts and ``:::`` blocks, each with its lines.

The Markdown is read by markdown-it-py (CommonMark, without HTML); blocks and front matter are its plugins'. What
a block says of itself, ``{.kind #label key=value key="several words"}``, is read here.
"""

import re
from dataclasses import dataclass, field

from ltw_core.lessons.mistakes import Mistake

HEAD = re.compile(r"\{\s*\.(?P<kind>[a-z]+)(?P<rest>(?:\s+[^\s{}\"]+(?:\"[^\"]*\")?)*)\s*\}")
PART = re.compile(r'\s+(?:#(?P<label>[\w-]+)|(?P<key>[a-z_]+)=(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s"{}]+)))')
LISTS = ("values", "predict")  # of these kinds of block a list is no part of the text
FENCE = re.compile(r"^\s{0,3}:{3,}\s*$")


@dataclass
class Item:
    """An entry of a list: its text, and the text quoted below it."""

    line: int
    text: str
    quoted: str = ""


@dataclass
class Block:
    """A part of the file.

    kind : "heading", "text", or the kind of a ``:::`` block.
    line : where it begins, from 1.
    text : its Markdown; of a ``:::`` block without its list, if it has one.
    """

    kind: str
    line: int
    text: str = ""
    level: int = 0
    label: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)


def blocks_of(source: str) -> tuple[Block | None, list[Block], list[Mistake]]:
    """The front matter, what follows it, and what Markdown alone shows to be wrong."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.container import container_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    markdown = MarkdownIt("commonmark").use(front_matter_plugin)
    markdown.use(container_plugin, "block", validate=lambda words, _: bool(words.strip()))
    lines, tokens = source.splitlines(), markdown.parse(source)
    front, found, mistakes = None, [], list(_forbidden(tokens))
    place = 0
    while place < len(tokens):
        token, end = tokens[place], _end(tokens, place)
        line = token.map[0] + 1 if token.map else 1
        if token.type == "front_matter":
            front = Block("front matter", line, token.content)
        elif token.type == "heading_open":
            found.append(Block("heading", line, tokens[place + 1].content, level=int(token.tag[1:])))
        elif token.type == "container_block_open":
            if not tokens[end].markup:
                mistakes.append(Mistake(line, "This block is not closed; end it with a line of three colons."))
            found.append(_container(token, tokens[place + 1 : end], lines, mistakes))
        else:
            text = "\n".join(lines[slice(*token.map)]).rstrip()
            stray = next((n for n, said in enumerate(lines[slice(*token.map)]) if FENCE.match(said)), None)
            if stray is not None:
                mistakes.append(Mistake(line + stray, "This closes a block that was not opened; take the line out."))
            else:
                found.append(Block("text", line, text))
        place = end + 1
    return front, found, mistakes


def _end(tokens, place: int) -> int:
    """Where what begins at a place ends."""
    depth = 0
    for end in range(place, len(tokens)):
        depth += tokens[end].nesting
        if depth == 0:
            return end
    return len(tokens) - 1


def _forbidden(tokens):
    """HTML and pictures, and links that lead elsewhere than to a page of the app or to the web."""
    for token in tokens:
        line = token.map[0] + 1 if token.map else 1
        if token.type == "html_block":
            yield Mistake(line, "HTML is not shown in lessons; write it as Markdown.")
        for part in token.children or ():
            if part.type == "html_inline":
                yield Mistake(line, f"HTML such as {part.content[:40]} is not shown in lessons; write it as Markdown.")
            elif part.type == "image":
                yield Mistake(line, "A picture cannot stand in a lesson; show a figure of the app in a block .figure.")
            elif part.type == "link_open" and not str(part.attrs.get("href", "")).startswith(("https://", "/")):
                yield Mistake(line, f"A link must begin with https:// or /, not as {part.attrs.get('href')!r} does.")


def _container(token, inside, lines, mistakes) -> Block:
    line = token.map[0] + 1
    head = HEAD.fullmatch(token.info.strip())
    block = Block("", line)
    parts = list(PART.finditer(head["rest"])) if head else []
    if head is None or "".join(part[0] for part in parts) != head["rest"]:
        mistakes.append(
            Mistake(line, 'A block begins as in ::: {.predict #p1 kind=number answer="tpr numpy"}; this one does not.')
        )
    else:
        block.kind = head["kind"]
    for part in parts:
        if part["label"]:
            block.label = part["label"]
        elif part["key"] in block.attributes:
            mistakes.append(Mistake(line, f"{part['key']} is given twice in this block; keep only one of them."))
        else:
            block.attributes[part["key"]] = part["plain"] if part["quoted"] is None else part["quoted"]
    texts = []
    place = 0
    while place < len(inside):
        end = _end(inside, place)
        if inside[place].type == "container_block_open":
            mistakes.append(
                Mistake(inside[place].map[0] + 1, "A block cannot stand in another; close that one before.")
            )
        elif inside[place].type == "bullet_list_open" and block.kind in LISTS:
            block.items += _items(inside[place + 1 : end], lines)
        else:
            texts.append("\n".join(lines[slice(*inside[place].map)]).rstrip())
        place = end + 1
    block.text = "\n\n".join(text for text in texts if text)
    return block


def _items(inside, lines) -> list[Item]:
    found, place = [], 0
    while place < len(inside):
        end = _end(inside, place)
        item = Item(inside[place].map[0] + 1, "")
        at = place + 1
        while at < end:
            last = _end(inside, at)
            if inside[at].type == "blockquote_open":
                item.quoted = "\n\n".join(t.content for t in inside[at : last + 1] if t.type == "inline")
            else:
                item.text += "\n\n".join(t.content for t in inside[at : last + 1] if t.type == "inline")
            at = last + 1
        found.append(item)
        place = end + 1
    return found
