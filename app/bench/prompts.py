"""What is asked: eight kinds of questions, a crowd that never runs dry, and a long history. Always the same words."""

from __future__ import annotations

from itertools import islice, product

from idlepool.engine.events import ChatMessage

KINDS = {
    "short factual": "What is the capital of Japan, and what is it known for? Answer in two sentences.",
    "reasoning": (
        "A train leaves at 9:40 and arrives at 13:15 after a stop of 25 minutes. How long did it move? "
        "Think step by step."
    ),
    "code completion": (
        "Complete this Python function and explain it:\n\ndef merge_sorted(left, right):\n"
        '    """Merge two sorted lists into one."""\n    result = []\n'
    ),
    "list": "List fifteen things to pack for a week of hiking in the mountains, each with a reason.",
    "creative": "Write a long story about an old lighthouse keeper who finds a message in a bottle.",
    "technical": "Explain in detail how a refrigerator keeps its inside cold, and name its main parts.",
    "chat": "I have just moved to a new city and know nobody. What could I do to find friends?",
    "translation": (
        "Translate into French: The meeting begins at ten. Please bring the report, the two samples and the list of "
        "open questions, and tell your colleague that lunch will be served afterwards."
    ),
}

_PLACES = (
    "an old lighthouse",
    "a bicycle workshop",
    "a mountain village",
    "a night train",
    "a small bakery",
    "a desert garden",
    "a river harbour",
    "a forgotten library",
)
_WISHES = (
    "Write a long story about {}.",
    "List fifteen things that somebody needs for {}, each with a reason.",
    "Explain in detail how people run {}, step by step.",
    "I would like to visit {} with my family. What could we do there all day?",
)

CROWD = len(_PLACES) * len(_WISHES)
"""Users who ask different things."""


def crowd(users: int, *, first: int = 0) -> list[str]:
    """One question for each user, all different and all with long answers, so that all are served to the end."""
    asked = (wish.format(place) for place, wish in product(_PLACES, _WISHES))
    return list(islice(asked, first, first + users))


def history(number: int, lines: int) -> tuple[ChatMessage, ...]:
    """A first turn of about 25 tokens a line. Histories of different `number` differ from their first line on."""
    log = "\n".join(
        f"Entry {line} of log {number}: pump {line % 7} moved {37 * line % 101} litres of water before noon."
        for line in range(1, lines + 1)
    )
    return (ChatMessage("user", f"Log {number} of the waterworks.\n{log}\nWhich pump is named first?"),)
