"""Stop strings: an answer ends before the first of them, and nothing of it is ever shown."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    """Text goes in piece by piece, what may be shown comes out; how the text is cut into pieces makes no difference.

    The stop string that is complete first ends the answer, the longest where several are complete at once. What could
    be the beginning of one is held back until it is certain. No stop string may be empty.
    """

    def __init__(self, stops: Sequence[str]) -> None:
        if not all(stops):
            raise ValueError("a stop string is empty")
        self._stops = tuple(stops)
        self._longest = max(map(len, stops), default=0)
        self._held = ""
        self.found: str | None = None
        """The stop string that ended the answer; what is pushed after it is dropped."""

    def push(self, text: str) -> str:
        """Take more text; return what is certain to be shown, often some that was held back before."""
        if self.found is not None:
            return ""
        self._held += text
        places = [(start + len(stop), start, stop) for stop in self._stops if (start := self._held.find(stop)) >= 0]
        if places:
            _, shown, self.found = min(places)
        else:
            shown = len(self._held) - self._beginning()
        piece, self._held = self._held[:shown], self._held[shown:]
        return piece

    def flush(self) -> str:
        """The text that was held back, to be shown when no more comes; none after a stop string."""
        piece = "" if self.found is not None else self._held
        self._held = ""
        return piece

    def _beginning(self) -> int:
        """How many characters at the end may be the beginning of a stop string."""
        for length in range(min(len(self._held), self._longest - 1), 0, -1):
            if any(stop.startswith(self._held[-length:]) for stop in self._stops):
                return length
        return 0
