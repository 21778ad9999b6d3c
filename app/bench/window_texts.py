"""Messages for a conversation that is long: 2,000 characters of prose, lists, tables and code, in turns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

CHARACTERS: Final = 2000

_PROSE: Final = """The **{n}th** thing to say is that a pool of PCs answers as fast as its slowest member, that `layers`
are spread by what each one can hold, and that *nobody* waits for a disk. See [the notes](https://example.org/{n}).
"""
_LIST: Final = """1. First, look at what is there: {n} PCs, each with its memory.
2. Then plan:
   - the fastest ones take more layers,
   - the others take what is left.
3. Last, measure again.
"""
_TABLE: Final = """| PC | Layers | ms per step |
|---|---:|---:|
| idle-{n} | 12 | 8.4 |
| harbour | 10 | 9.1 |
| attic | 8 | 11.7 |
"""
_CODE: Final = '''```python
def spread(layers: int, shares: list[float]) -> list[int]:
    """As many layers for each PC as its share of all."""
    whole = [int(layers * share) for share in shares]  # number {n}
    for index in range(layers - sum(whole)):
        whole[index] += 1
    return whole
```
'''
_QUOTE: Final = "### Part {n}\n\n> What is not measured is not known.\n"


def answer(number: int) -> str:
    """Mixed Markdown, another text for each number."""
    return _fill(number, (_PROSE, _LIST, _CODE, _TABLE, _QUOTE, _PROSE))


def question(number: int) -> str:
    """Plain words with a bit of code, as people paste it."""
    return _fill(number, (_PROSE, _PROSE, _CODE))


def _fill(number: int, templates: tuple[str, ...]) -> str:
    def blocks() -> Iterator[str]:
        for place in count(number):
            yield templates[place % len(templates)].format(n=place)

    text = ""
    for block in blocks():
        text += block + "\n"
        if len(text) >= CHARACTERS:
            break
    return text[:CHARACTERS]
