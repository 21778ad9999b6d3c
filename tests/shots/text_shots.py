"""Texts in the transcript: code in several languages, tables, thoughts folded and unfolded, a long conversation."""

from __future__ import annotations

from functools import partial

from PySide6.QtTest import QTest
from shots.shot import SETTLE_MS, SIZES, Shot

from idlepool.ui.chat.thought_view import ThoughtView
from idlepool.ui.main_window import MainWindow

CODE = """Here are three ways to say it.

```python
@dataclass(frozen=True)
class Drop:
    \"\"\"A drop of rain.\"\"\"

    radius_mm: float = 0.5  # most are about so large

    def angle(self, colour: str) -> float:
        return {"red": 42.4, "violet": 40.6}.get(colour, 41.5)
```

The same in a shell, and what changed:

```bash
for colour in red violet; do
  curl --silent "https://example.org/angles?colour=$colour" | jq '.angle'  # one line that is long enough to scroll
done
```

```diff
- angle = 42
+ angle = 42.4
```

1. Nested in a list:
   ```json
   {"colour": "red", "angle": 42.4, "visible": true}
   ```
2. And on it goes with `inline code`.
"""

TABLES = """| Method | Average | Worst | Stable |
|---|---:|---:|:---:|
| Merge sort | n log n | n log n | yes |
| Quicksort | n log n | n² | no |

A wide one, which scrolls where it does not fit:

| PC | Device | Layers | Memory lent | Memory used | ms per step | Link | Since | Owner |
|---|---|---:|---:|---:|---:|---:|---|---|
| idle-1 | GPU | 12 | 8.0 GB | 6.2 GB | 8.4 | 0.3 ms | this morning | the front desk |
| harbour | CPU | 10 | 6.0 GB | 5.1 GB | 11.9 | 0.4 ms | yesterday | accounting |

> A quotation, *with emphasis*,
> over two lines.

### A heading after it

- [x] done
- [ ] to do
"""

THOUGHTS = """<think>
The user asks for the capital of Japan. That is **Tokyo**.

- Kyoto was it before 1868.
</think>

The capital of Japan is **Tokyo**.
"""


def act(window: MainWindow, texts: dict[str, str], steps: tuple[str, ...]) -> None:
    """Questions and answers as if they had been asked, and what a user does then."""
    chat = window.chat
    conversation = window.history.create(model="starter").id
    parent = None
    for question, answer in texts.items():
        asked = window.history.add_message(conversation, parent, "user", question)
        parent = window.history.add_message(conversation, asked.id, "assistant", answer, model="starter").id
    chat.open_conversation(conversation)
    QTest.qWait(SETTLE_MS)
    for step in steps:
        if step == "<unfold>":
            for view in chat.transcript.findChildren(ThoughtView):
                view.toggle.click()
        if step == "<top>":
            chat.transcript.verticalScrollBar().setValue(0)
        if step == "<select>":
            chat.transcript.bubbles[-1].text.text_views[0].setFocus()
            for text in chat.transcript.bubbles[-1].text.text_views:
                text.selectAll()
        QTest.qWait(4 * SETTLE_MS)


def shot(name: str, texts: dict[str, str], *steps: str, sizes: tuple[tuple[int, int], ...] = SIZES) -> Shot:
    return Shot(f"text-{name}", partial(act, texts=texts, steps=steps), sizes=sizes)


LONG = {f"Question {number}: {'why? ' * 8}": CODE if number % 2 else TABLES for number in range(40)}
SHOTS = [
    shot("code", {"How large is a drop, in code?": CODE}, sizes=((1280, 1100), (900, 600))),
    shot("tables", {"Show me tables": TABLES}),
    shot("thoughts", {"What is the capital of Japan?": THOUGHTS}),
    shot("unfolded", {"What is the capital of Japan?": THOUGHTS}, "<unfold>"),
    shot("selected", {"How large is a drop, in code?": CODE}, "<select>"),
    shot("long", LONG),
    shot("narrow", {"How large is a drop, in code?": CODE}, "<top>", sizes=((420, 480), (420, 900))),
    shot("narrow-tables", {"Show me tables": TABLES}, sizes=((420, 900),)),
]
