"""Tests the links to the other PCs, and says of each how good it is for running a model together."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from idlepool.engine.local_events import LinkSpeed, LookedAround
from idlepool.ui.pool.chain_words import milliseconds
from idlepool.ui.pool.pc_view import Tone
from idlepool.ui.theme import styled

MB = 1e6
LINE_GAP = 8

GOOD_TRIP_MS = 3.0
"""A round trip that adds little to a step, and"""
POOR_TRIP_MS = 30.0
"""one that takes longer than most steps."""
GOOD_BYTES_S = 30e6
"""At which layers of a gigabyte come within half a minute, and"""
POOR_BYTES_S = 3e6
"""at which they take minutes."""


class LinkPanel(QFrame):
    """A button and, after a test, a line for each PC."""

    test_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        styled(self, "card")
        self.button = QPushButton(self.tr("Test links"))
        self.button.clicked.connect(self._begin)
        self.words = styled(QLabel(wordWrap=True), "muted")
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.table = QWidget()
        self._grid = QGridLayout(self.table)
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(4, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.words)
        column.addWidget(self.table)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self._links: tuple[tuple[str, LinkSpeed], ...] = ()
        self._narrow = False
        self._focus_meanwhile: QWidget | None = None
        """Where the focus went when the button could not keep it; None: it did not have it."""
        self.reset()

    def reset(self) -> None:
        """Nothing was tested."""
        self.button.setEnabled(True)
        self._links = ()
        self._draw()
        self._say(self.tr("Sends a few megabytes to each PC and back: two seconds or less for each."))

    def show_result(self, result: LookedAround, names: Mapping[str, str]) -> None:
        """Show what was found; `names`: of the PCs by their ids."""
        self.button.setEnabled(True)
        if self._focus_meanwhile is not None and self._focus_meanwhile is self.window().focusWidget():
            self.button.setFocus()
        self._links = tuple((names.get(link.node, link.node[:8]), link) for link in result.links)
        self._draw()
        nobody = self.tr("No other PC is here to test a link to.")
        self._say("\n".join(result.problems) or ("" if result.links else nobody))

    def show_narrow(self, *, narrow: bool) -> None:
        """With little room each link is a sentence instead of a line of the table."""
        if narrow != self._narrow:
            self._narrow = narrow
            self._draw()

    def _begin(self) -> None:
        had_focus = self.button.hasFocus()
        self.button.setEnabled(False)
        self._focus_meanwhile = self.window().focusWidget() if had_focus else None
        self._say(self.tr("Testing …"))
        self.test_requested.emit()

    def _draw(self) -> None:
        self._clear()
        if not self._narrow:
            heads = self.tr("PC"), self.tr("Round trip"), self.tr("To this PC"), self.tr("From this PC")
            for place, head in enumerate(heads):
                self._put(0, place, head, "muted")
        for row, (name, link) in enumerate(self._links):
            trip = self.tr("{ms} ms").format(ms=milliseconds(link.round_trip_ms))
            receives, sends = _speed(link.receives_bytes_s), _speed(link.sends_bytes_s)
            self._put(3 * row + 1, 0, name, "headline")
            if self._narrow:
                words = self.tr("{trip} there and back, {receives} to this PC, {sends} from it")
                self._put(3 * row + 2, 0, words.format(trip=trip, receives=receives, sends=sends), "", wide=True)
            else:
                for place, text in enumerate((trip, receives, sends), 1):
                    self._put(3 * row + 1, place, text, "")
            tone, judgement = judged(link)
            self._put(3 * row + 3, 0, judgement, tone, wide=True)
            self._grid.setRowMinimumHeight(3 * row + 3, self.fontMetrics().height() + LINE_GAP)
        self.table.setVisible(bool(self._links))

    def _put(self, row: int, place: int, text: str, kind: str, *, wide: bool = False) -> None:
        label = styled(QLabel(text, wordWrap=wide), kind)
        label.setTextFormat(Qt.TextFormat.PlainText)
        if wide:
            self._grid.addWidget(label, row, 0, 1, 5, Qt.AlignmentFlag.AlignTop)
        else:
            side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
            self._grid.addWidget(label, row, place, side)

    def _clear(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()

    def _say(self, text: str) -> None:
        self.words.setText(text)
        self.words.setVisible(bool(text))


def judged(link: LinkSpeed) -> tuple[Tone, str]:
    """What a link is good for."""
    slower = min(link.receives_bytes_s, link.sends_bytes_s)
    if link.round_trip_ms > POOR_TRIP_MS:
        return "bad", _tr("Far away: each token waits for it. Better not in one chain.")
    if slower < POOR_BYTES_S:
        return "bad", _tr("Slow: layers take minutes to come, and long questions wait.")
    if link.round_trip_ms > GOOD_TRIP_MS or slower < GOOD_BYTES_S:
        return "busy", _tr("Usable; a cable would be faster.")
    return "good", _tr("Good: it costs next to nothing.")


def _speed(bytes_s: float) -> str:
    return _tr("{speed} MB/s").format(speed=QLocale().toString(bytes_s / MB, "f", 1))


def _tr(text: str) -> str:
    return QCoreApplication.translate("LinkPanel", text)
