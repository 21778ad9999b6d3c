"""Where a message is written: Enter sends, Send turns into Stop while an answer comes, text files can go with it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from idlepool.ui.announcing import announce
from idlepool.ui.chat.attached_files import AttachedFiles
from idlepool.ui.chat.attachments import Attachment, join, split
from idlepool.ui.chat.context_meter import ContextMeter
from idlepool.ui.chat.message_field import MessageField
from idlepool.ui.icon_button import IconButton
from idlepool.ui.shortcuts import keys_of
from idlepool.ui.theme import styled

MARGINS: Final = (8, 8, 8, 8)

MOST_REFUSALS: Final = 3
"""Sentences about files that did not come in; of the rest their number is told."""


class Composer(QFrame):
    """The message field with its buttons. Emits what was written; the field is emptied when it was sent."""

    submitted = Signal(str)
    stop_requested = Signal()
    changed = Signal()
    files_given = Signal(list)
    """Paths of files that are to go with the message; `attach` puts in what was read of them."""
    edit_given_up = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._ready = False
        self._answering = False
        self._kept = ""
        """What was being written before an earlier message came in to be edited."""
        self._build()
        self._connect()
        self.setFocusProxy(self.field)
        QWidget.setTabOrder(self.field, self.attach_button)  # Tab passes by what stands before a proxy
        QWidget.setTabOrder(self.attach_button, self.give_up_button)
        QWidget.setTabOrder(self.give_up_button, self.button)
        self._update_button()

    def _build(self) -> None:
        self.field = MessageField()
        self.field.setAccessibleName(self.tr("Message"))
        self.field.setPlaceholderText(self.tr("Write a message"))
        self.files = AttachedFiles()
        self.meter = ContextMeter()
        self.attach_button = IconButton("attach", self.tr("Put text files into the message"))
        self.button = styled(QPushButton(), "primary")
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the cursor in the message
        self.refusal = styled(QLabel(wordWrap=True), "bad")
        self.refusal.setTextFormat(Qt.TextFormat.PlainText)
        self.refusal.setContentsMargins(6, 0, 6, 0)
        self.refusal.hide()
        self.edit_strip = self._edit_strip()
        self.attach_button.setFixedHeight(self.button.sizeHint().height())
        self.meter.setFixedHeight(self.button.sizeHint().height())
        row = QHBoxLayout()
        row.setSpacing(8)
        bottom = Qt.AlignmentFlag.AlignBottom
        row.addWidget(self.attach_button, 0, bottom)
        row.addWidget(self.field, 1)
        row.addWidget(self.meter, 0, bottom)
        row.addWidget(self.button, 0, bottom)
        column = QVBoxLayout(self)
        column.setContentsMargins(*MARGINS)
        column.setSpacing(6)
        for widget in (self.edit_strip, self.files, self.refusal):
            column.addWidget(widget)
        column.addLayout(row)

    def _edit_strip(self) -> QWidget:
        strip = QWidget()
        words = QLabel(self.tr("Editing an earlier message; it is kept as another version"), wordWrap=True)
        styled(words, "muted")
        self.give_up_button = IconButton("close", self.tr("Do not edit it"), hint=self.tr("Do not edit it (Esc)"))
        row = QHBoxLayout(strip)
        row.setContentsMargins(6, 0, 0, 0)
        row.addWidget(words, 1)
        row.addWidget(self.give_up_button)
        strip.hide()
        return strip

    def _connect(self) -> None:
        self.field.submitted.connect(self._submit)
        self.field.textChanged.connect(self._on_changed)
        self.field.focused.connect(self._mark)
        self.field.files_given.connect(self.files_given)
        self.files.changed.connect(self._on_changed)
        self.files.taken_out.connect(self.field.setFocus)
        self.attach_button.clicked.connect(self.choose_files)
        self.button.clicked.connect(self._press)
        self.give_up_button.clicked.connect(self.end_edit)

    # --- what is written ---------------------------------------------------------------------------------------------

    @property
    def message(self) -> str:
        """What would be sent: the text, and the files below it."""
        return join(self.field.toPlainText(), self.files.files)

    @property
    def draft(self) -> str:
        """What is to be kept while it is not sent."""
        return self._kept if self.editing else self.message

    @property
    def editing(self) -> bool:
        """Whether it is an earlier message that is being written anew."""
        return not self.edit_strip.isHidden()

    def write(self, message: str) -> None:
        """Put a whole message in, in place of what is there."""
        text, files = split(message)
        self.files.clear()
        self.files.add(*files)
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)

    def edit(self, message: str) -> None:
        """Have an earlier message written anew; what is being written comes back afterwards."""
        self._kept = self.draft
        self.edit_strip.show()
        self.write(message)
        self.field.setFocus()

    def end_edit(self) -> None:
        """Go back to what was being written, if an earlier message is edited."""
        if self.editing:
            self.edit_strip.hide()
            self.write(self._kept)
            self.edit_given_up.emit()

    def attach(self, file: Attachment) -> None:
        """Put a file into the message."""
        self.files.add(file)

    def refuse(self, *sentences: str) -> None:
        """Say why files did not come in, of many of the first ones, until something is written."""
        more = len(sentences) - MOST_REFUSALS
        rest = [self.tr("%Ln more file(s) could not be put in either.", "", more)] if more > 0 else []
        sentence = "\n".join([*sentences[:MOST_REFUSALS], *rest])
        self.refusal.setText(sentence)
        self.refusal.setVisible(bool(sentence))
        announce(self.refusal, sentence, urgent=True)

    def choose_files(self) -> None:
        """Ask which files are to go with the message."""
        chosen, _ = QFileDialog.getOpenFileNames(self, self.tr("Put text files into the message"))
        if chosen:
            self.files_given.emit([Path(path) for path in chosen])

    # --- what may be done now ----------------------------------------------------------------------------------------

    def set_ready(self, ready: bool) -> None:
        """Whether a message could be answered now. Writing is always possible."""
        self._ready = ready
        self._update_button()

    def set_answering(self, answering: bool) -> None:
        """Whether an answer is being streamed: the button stops it."""
        self._answering = answering
        self._update_button()

    def _press(self) -> None:
        if self._answering:
            self.stop_requested.emit()
        else:
            self._submit()

    def _submit(self) -> None:
        message = self.message
        if message and self._ready and not self._answering:
            self.write("")
            self.submitted.emit(message)

    def _on_changed(self) -> None:
        self.refuse()
        self._update_button()
        self.changed.emit()

    def _update_button(self) -> None:
        self.button.setText(self.tr("Stop") if self._answering else self.tr("Send"))
        hint = self.tr("Stop the answer ({keys})") if self._answering else self.tr("Send ({keys})")
        self.button.setToolTip(hint.format(keys=keys_of("stop" if self._answering else "send")))
        self.button.setAccessibleName(self.tr("Stop the answer") if self._answering else self.tr("Send the message"))
        self.button.setEnabled(self._answering or (self._ready and bool(self.message)))

    def _mark(self, focused: bool) -> None:
        self.setProperty("active", focused)
        self.style().unpolish(self)
        self.style().polish(self)
