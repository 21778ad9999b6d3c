"""Tells that the node is gone, why, and what becomes of it: in one banner, whatever else has the same cause."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from idlepool.engine.events import Trouble
from idlepool.ui.banner import Banner, Banners
from idlepool.ui.bridge import Bridge
from idlepool.ui.conversations import Conversations
from idlepool.ui.revival import Revival


class NodeDeaths(QObject):
    """Watches a revival. A node that said why it cannot run is told of in its own words."""

    def __init__(
        self,
        bridge: Bridge,
        revival: Revival,
        banners: Banners,
        conversations: Conversations,
        show_report: Callable[[str], object],
    ) -> None:
        """`show_report` opens the report with what a node wrote that is gone."""
        super().__init__(revival)
        self._bridge = bridge
        self._revival = revival
        self._banners = banners
        self._conversations = conversations
        self._show_report = show_report
        self._banner: Banner | None = None
        self._past: Banner | None = None
        """Of the death before, which is over: the next one takes its place."""
        self._refused = False
        self._last_words = ""
        revival.died.connect(self._on_died)
        conversations.recovered.connect(revival.cause_is_gone)

    def on_ready(self, ready: bool) -> None:
        """The node listens, or does no more."""
        if not ready or self._banner is None:
            return
        sentence = self._banner.sentence
        self._forget()
        self._conversations.speak()
        if not self._refused:  # else nothing happened to it: it runs now as it should have before
            self._past = self._tell(sentence, self.tr("It was started again. The conversation is kept."))

    def _on_died(self, sentence: str, delay_ms: int) -> None:
        self._forget()
        if self._past is not None:
            self._banners.remove(self._past)
            self._past = None
        self._last_words = self._bridge.details
        refusal = self._bridge.refusal
        self._refused = refusal is not None
        hint = self._hint(delay_ms) if refusal is None else self._hint_of(refusal, delay_ms)
        banner = self._banner = self._tell(sentence, hint.format(seconds=delay_ms // 1000))
        if delay_ms:
            banner.add_action(self.tr("Start again"), self._revival.restart)

    def _hint(self, delay_ms: int) -> str:
        if delay_ms < 0:
            return self.tr("It ended too often to be started again by itself. The conversation is kept.")
        if delay_ms:
            return self.tr("It starts again in {seconds} seconds. The conversation is kept.")
        return self.tr("It starts again now. The conversation is kept.")

    def _hint_of(self, refusal: Trouble, delay_ms: int) -> str:
        """What its owner can do; and what else the same disk costs him, which is then told nowhere else."""
        parts = [refusal.hint.replace("{", "{{").replace("}", "}}")]
        if self._conversations.hush():
            parts.append(self.tr("Until then nothing is answered, and what you write is only kept in memory."))
        if delay_ms > 0:
            parts.append(self.tr("Idlepool tries again in {seconds} seconds."))
        return " ".join(filter(None, parts))

    def _tell(self, sentence: str, hint: str) -> Banner:
        """The node that runs next says other things than the one this is about."""
        banner, last_words = self._banners.add(sentence, hint), self._last_words
        banner.add_action(self.tr("Details"), lambda: self._show_report(last_words))
        return banner

    def _forget(self) -> None:
        if self._banner is not None:
            self._banners.remove(self._banner)
            self._banner = None
