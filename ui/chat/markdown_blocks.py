"""Finds the blocks that a Markdown text consists of. markdown-it-py reads it; Qt, which draws it, tells no places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Block:
    """A block of the outermost level, or a piece of a list that has code in it."""

    kind: Literal["prose", "code", "table"]
    text: str
    """With the blank lines around it; of code: without its fences."""
    end: int | None
    """The next block begins at this character, or after blank lines there. None: more of the same list follows."""
    language: str = ""
    closed: bool = True
    listed: bool = False


def blocks(text: str) -> Iterator[Block]:
    """The blocks of `text`, which breaks its lines by newlines only, in their order."""
    lines = text.split("\n")
    starts = [*accumulate(chain((0,), (len(line) + 1 for line in lines)))]
    tokens = _parser().parse(text)
    begin = 0
    for number, token in enumerate(tokens):
        if token.level == 0 and token.nesting >= 0 and token.map:
            end = min(starts[token.map[1]], len(text))
            yield from _blocks_of(tokens[number:], lines, text[begin:end], end)
            begin = end


def ends_in_code(text: str) -> bool:
    """Whether a further line at the left edge would belong to a block of code."""
    last = None
    for last in blocks(text):  # noqa: B007 - the last one is wanted
        pass
    return last is not None and not last.closed and not last.listed


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # takes as long to import as the window to open: not before there is Markdown

    return MarkdownIt("js-default").disable(["inline"])


def _blocks_of(tokens: Sequence[Token], lines: Sequence[str], source: str, end: int) -> Iterator[Block]:
    """What the first of the tokens opens; `source` is its text."""
    token = tokens[0]
    match token.type:
        case "fence":
            yield _fenced(token, lines, end)
        case "code_block":
            yield Block("code", token.content.rstrip("\n"), end)
        case "table_open":
            yield Block("table", source, end)
        case "bullet_list_open" | "ordered_list_open":
            yield from _list(tokens, lines, source, end)
        case _:
            yield Block("prose", source, end)


def _fenced(token: Token, lines: Sequence[str], end: int | None, *, listed: bool = False) -> Block:
    first, last = token.map or (0, 0)
    fence, last_line = token.markup[0], lines[last - 1].strip()
    begun = last - first > 1
    closed = begun and len(last_line) >= len(token.markup) and not last_line.strip(fence)
    code = token.content.removesuffix("\n")
    if begun and not closed and last_line and not last_line.strip(fence):
        code = code[: code.rfind("\n") + 1].removesuffix("\n")  # a closing fence that is just being written
    language = token.info.strip().partition(" ")[0] if begun else ""
    return Block("code", code, end, language, closed, listed)


def _list(tokens: Sequence[Token], lines: Sequence[str], source: str, end: int) -> Iterator[Block]:
    """A list as one block, or in pieces around the code in its items: steps to follow are written like this.

    What follows code in the same item moves to the left edge; the next item goes on with its own number.
    """
    fences = list(_fences_in_items(tokens))
    if not fences or any(fence.map and fence.map[0] == item[0] for fence, item in fences):
        yield Block("prose", source, end)
        return
    begin, last = tokens[0].map or (0, 0)
    rest = ""
    for fence, item in fences:
        first, after = fence.map or (0, 0)
        yield Block("prose", rest + "\n".join(lines[begin:first]) + "\n\n", None, listed=True)
        yield _fenced(fence, lines, None, listed=True)
        indent = len(lines[first]) - len(lines[first].lstrip())
        following = next((other.map[0] for other, _ in fences if other.map and other.map[0] >= after), last)
        edge = min(item[1], following)
        rest = "\n".join(line[indent:] for line in lines[after:edge]) + "\n\n"
        begin = edge
    yield Block("prose", rest + "\n".join(lines[begin:last]) + "\n", end, listed=True)


def _fences_in_items(tokens: Sequence[Token]) -> Iterator[tuple[Token, tuple[int, int]]]:
    """The blocks of code right in an item of the list that the first token opens, and the lines of the item."""
    item = (0, 0)
    for token in tokens[1:]:
        if token.level == 0:
            return
        if token.level == 1 and token.map:
            item = (token.map[0], token.map[1])
        if token.level == 2 and token.type == "fence":
            yield token, item
