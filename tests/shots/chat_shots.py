"""The chat page: empty, answering, in trouble, narrow and wide."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from shots.shot import SETTLE_MS, SIZES, Shot, wait_until

from idlepool.ui.chat.attachments import Attachment, join
from idlepool.ui.chat.conversation_settings import ConversationSettings
from idlepool.ui.chat.message_tools import Act
from idlepool.ui.history.values import ChatSettings
from idlepool.ui.main_window import MainWindow

RAINBOW = """A rainbow needs **sunlight** and *raindrops*. Three things happen in each drop:

1. The light is **refracted** as it enters.
2. It is reflected at the back of the drop.
3. It is refracted again as it leaves, each colour at its own angle.

That is why you always see it with the sun behind you. See [the article](https://en.wikipedia.org/wiki/Rainbow).
"""

COMPARISON = """## Three ways to sort

| Method | Average | Worst | Stable |
|---|---:|---:|:---:|
| Merge sort | n log n | n log n | yes |
| Quicksort | n log n | n² | no |
| Insertion sort | n² | n² | yes |

A short one in `Python`:

```python
def quicksort(items: list[int]) -> list[int]:
    if len(items) <= 1:
        return items
    pivot, *rest = items
    smaller = [item for item in rest if item < pivot]
    larger = [item for item in rest if item >= pivot]
    return quicksort(smaller) + [pivot] + quicksort(larger)  # a comment that is long enough to reach the edge
```

> Premature optimisation is the root of all evil.

- [x] Measure first
- [ ] Then decide
  - and measure again
"""

LANGUAGES = """Here it is 🎉

- Japanese: こんにちは、世界。お元気ですか？
- Chinese: 你好，世界！今天天气很好。
- Korean: 안녕하세요, 세계!
- Emoji: 🌧️ 🏙️ 👩‍💻 🇯🇵 👍🏽

### And a last word

The tags <b>are shown</b> as they were written, and a very long word breaks:
Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft.
"""

ANSWERS = {
    "Explain how a rainbow forms.": RAINBOW,
    "Compare three ways to sort a list,\nwith a table and an example.": COMPARISON,
    "Say hello in other languages 🌍": LANGUAGES,
    "What is the capital of Japan?": "The capital of Japan is Tokyo.",
    "hold on: why is the sky blue?": RAINBOW.replace("rainbow", "blue sky")[:210],
    "pause while you explain rainbows": "A rainbow needs **sunlight** and *raindrops*. Three things happen in each",
    "fail while you explain rainbows": "A rainbow needs **sunlight** and *raindrops*. Three things happen in each",
}


def act(window: MainWindow, steps: tuple[str, ...]) -> None:
    """Do what a user would do, and let the window come to rest."""
    chat = window.chat
    for step in steps:
        if step == "<starter>":
            chat.welcome.first_model.button.click()
        elif step == "<up>":
            chat.transcript.verticalScrollBar().setValue(chat.transcript.verticalScrollBar().maximum() // 3)
        elif step == "<write>":
            chat.composer.field.setPlainText("\n".join(f"Line {n} of a longer message" for n in range(1, 9)))
        else:
            chat.ask(step)
            if not step.startswith(("hold", "pause", "prepare", "queue")):
                wait_until(lambda: chat.session.answering is None)
        QTest.qWait(SETTLE_MS)


def shot(name: str, *steps: str, node: tuple[str, ...] = (), sizes: tuple[tuple[int, int], ...] = SIZES) -> Shot:
    return Shot(name, partial(act, steps=steps), node, sizes)


def tools(window: MainWindow) -> None:
    """Versions of an answer, its tools and details."""
    act(window, ("What is the capital of Japan?", "Explain how a rainbow forms."))
    window.chat.ask_again()
    wait_until(lambda: window.chat.session.answering is None)
    answer = window.chat.transcript.bubbles[-1]
    answer.reveal_tools(True)
    answer.tools.buttons[Act.DETAILS].click()
    QTest.qWait(SETTLE_MS)


def stopped(window: MainWindow) -> None:
    """A stopped answer that can be gone on with, and a question that is pointed at."""
    act(window, ("What is the capital of Japan?", "hold on: why is the sky blue?"))
    window.chat.stop()
    for bubble in window.chat.transcript.bubbles[-2:]:
        bubble.reveal_tools(True)


def editing(window: MainWindow) -> None:
    """An earlier message that is being written anew, with a file."""
    act(window, ("What is the capital of Japan?", "Say hello in other languages 🌍"))
    question = window.chat.transcript.bubbles[0]
    question.reveal_tools(True)
    question.tools.buttons[Act.EDIT].click()


def files(window: MainWindow) -> None:
    """Files that go with the message, one that cannot, and a question that had some."""
    notes = Attachment("meeting notes, week 48.txt", "We agreed to meet again. " * 40)
    window.chat.ask(join("What did we agree on in this meeting?", (notes,)))
    wait_until(lambda: window.chat.session.answering is None)
    window.chat.composer.attach(Attachment("figures.csv", "month,sales\n" * 300))
    window.chat.composer.attach(notes)
    window.chat.composer.field.setPlainText("Compare these two, please.")
    window.chat.attach([Path(__file__).parents[2] / "assets" / "missing.pdf"])


def settings(window: MainWindow) -> QWidget:
    """The settings of a conversation."""
    window.chat.session.save_settings(ChatSettings(system_prompt="Answer briefly, in plain English.", temperature=0.7))
    window.chat.show_settings()
    return next(iter(window.chat.findChildren(ConversationSettings)))


SHOTS = [
    Shot("chat-tools", tools),
    Shot("chat-dragging", lambda window: window.chat.drop_hint.appear(), sizes=((900, 600),)),
    Shot("chat-stopped", stopped, sizes=((900, 600), (420, 480))),
    Shot("chat-editing", editing, sizes=((900, 600), (420, 560))),
    Shot("chat-files", files, sizes=((900, 600), (420, 560))),
    Shot("chat-settings", settings, sizes=((900, 600), (420, 480))),
    shot("chat-empty"),
    shot("chat-no-model", node=("--no-model", "--pcs", "1")),
    shot("chat-downloading", "<starter>", node=("--no-model", "--download", "hang")),
    shot("chat-preparing", "prepare the pool, please"),
    shot("chat-streaming", "What is the capital of Japan?", "hold on: why is the sky blue?"),
    shot("chat-long", *list(ANSWERS)[:3], sizes=((900, 1300),)),
    shot("chat-scrolled", *list(ANSWERS)[:3], "<up>"),
    shot("chat-failed", "What is the capital of Japan?", "fail while you explain rainbows"),
    shot("chat-paused", "What is the capital of Japan?", "pause while you explain rainbows"),
    shot("chat-trouble", "break a disk", "die"),
    shot("chat-writing", "What is the capital of Japan?", "<write>"),
    shot("chat-queued", "What is the capital of Japan?", "queue behind the others"),
    shot("chat-full", "What is the capital of Japan?", "full to the brim"),
    shot("chat-slid", "What is the capital of Japan?", "slide along, please", "end of the story"),
    shot("chat-narrow-full", "slide along, please", "full to the brim", sizes=((420, 560),)),
    shot("chat-wide", *list(ANSWERS)[:2], sizes=((1600, 900),)),
    shot("chat-narrow", *list(ANSWERS)[:2], sizes=((480, 680),)),
    shot("chat-narrow-empty", sizes=((420, 480),)),
    shot("chat-narrow-failed", "fail while you explain rainbows", sizes=((480, 680),)),
    shot("chat-can-pair", node=("--pairs", "idle-1")),
    shot("chat-states", "What is the capital of Japan?", "join the others", node=("--states",), sizes=((1280, 800),)),
    shot("chat-states-low", "notice this, please", node=("--states",), sizes=((900, 600),)),
    shot("chat-states-elsewhere", "join the others", node=("--states", "--no-model"), sizes=((900, 600),)),
    shot("chat-narrow-can-pair", node=("--pairs", "idle-1", "--pcs", "1"), sizes=((420, 480),)),
]
