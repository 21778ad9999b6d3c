"""An answer for who listens: it is announced while it grows, a paragraph at a time and none of them twice."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from idlepool.ui.announcing import announce


class SpokenAnswer:
    """Of the text that is shown, as it is shown: without the marks of Markdown and without folded thoughts. What is
    not begun is not said: an old answer is read where somebody goes to it."""

    def __init__(self, about: QWidget) -> None:
        self._about = about
        self._coming = False
        self._said = 0
        """Lines."""

    def begin(self, known: str = "") -> None:
        """More of it comes. The last line of what is `known` may go on: it is said once more with its rest."""
        self._coming = True
        self._said = known.count("\n")

    def grow(self, text: str) -> None:
        """Say the paragraphs that are complete: all but the last one, which still grows."""
        self._say(text.split("\n")[:-1])

    def end(self, text: str, note: str = "") -> None:
        """Say the rest, and what there is to be said of the end."""
        self._say([*text.split("\n"), note] if text else [note])
        self._coming = False

    def _say(self, lines: list[str]) -> None:
        fresh, self._said = lines[self._said :], max(self._said, len(lines))
        if self._coming:
            announce(self._about, "\n".join(filter(str.strip, fresh)))
