"""The pages of the pairing dialog: how to pair, the code that is shown, the code that is typed, and the result."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from idlepool.engine.pairing_events import PairingDone, PairingOpen
from idlepool.ui.announcing import announce
from idlepool.ui.headings import heading
from idlepool.ui.theme import styled

CODE_LENGTH: Final = 8
CODE_SCALE: Final = 2.6
TICK_MS: Final = 250


class Failure(QLabel):
    """What went wrong and what to do, in the place where it did; hidden while nothing has."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True)
        styled(self, "failed")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def tell(self, sentence: str, hint: str = "") -> None:
        """Show a sentence, or nothing."""
        self.setText(f"{sentence} {hint}".strip())
        self.setAccessibleName(self.text())
        self.setVisible(bool(sentence))
        announce(self, self.text(), urgent=True)


class ShowPage(QWidget):
    """This PC's code, large, and how long it is good for."""

    again = Signal()
    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._deadline = QDeadlineTimer()
        self.code = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter), "code")
        self.code.setFont(_large_fixed(self))
        self.code.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.left = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter), "muted")
        self.where = words("", name="muted")
        self.failure = Failure()
        self.copy = QPushButton(self.tr("Copy"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.code.text()))
        self.new_code = QPushButton(self.tr("New code"))
        self.new_code.clicked.connect(self.again)
        self._ticker = QTimer(self, interval=TICK_MS)
        self._ticker.timeout.connect(self._tick)
        column = _column(self, heading(self.tr("Type this code on the other PC")))
        column.addWidget(words(self.tr("There, choose “Pair PCs …” and “Type a code”."), name="muted"))
        for widget in (self.code, self.left, self.where, self.failure):
            column.addWidget(widget)
        column.addStretch(1)
        column.addLayout(_buttons(_back(self), self.new_code, self.copy))

    def wait(self) -> None:
        """A code is being made."""
        self._ticker.stop()
        self.code.setText("····-····")
        self.code.setAccessibleName(self.tr("The code is being made"))
        for label in (self.left, self.where):
            label.setText("")
            label.show()
        self.failure.tell("")
        self.copy.setEnabled(False)

    def show_open(self, opened: PairingOpen) -> None:
        """Show the code and begin to count down."""
        self.code.setText(opened.code)
        self.code.setAccessibleName(self.tr("Code: {letters}").format(letters=" ".join(opened.code.replace("-", ","))))
        places = self.tr(" or ").join(opened.addresses)
        if opened.problem:
            words = self.tr("This PC cannot be found by itself ({problem}). Type there as well: {places}")
        else:
            words = self.tr("If the other PC does not find this one, type this address there as well: {places}")
        self.where.setText(words.format(problem=opened.problem, places=places))
        self.copy.setEnabled(True)
        self.copy.setFocus()
        announce(self.code, self.code.accessibleName())
        self._deadline = QDeadlineTimer(round(opened.seconds * 1000))
        self._ticker.start()
        self._tick()

    def show_wrong(self, left: int) -> None:
        """Somebody typed another code."""
        self.failure.tell(self.tr("Somebody typed another code."), self.tr("%n more tries are allowed.", "", left))

    def fail(self, sentence: str, hint: str) -> None:
        """The code is void."""
        self.stop()
        self.code.setText(self.tr("void"))
        self.code.setAccessibleName(self.tr("The code is void"))
        self.left.hide()
        self.where.hide()
        self.copy.setEnabled(False)
        self.failure.tell(sentence, hint)
        self.new_code.setFocus()

    def stop(self) -> None:
        """Count no more."""
        self._ticker.stop()

    def _tick(self) -> None:
        seconds = max(0, self._deadline.remainingTime() + 999) // 1000
        self.left.setText(self.tr("Good for {time}").format(time=f"{seconds // 60}:{seconds % 60:02}"))


class TypePage(QWidget):
    """The code of another PC, and its address where it is not found by itself."""

    submitted = Signal(str, str)
    back = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit(placeholderText="XXXX-XXXX")
        self.field.setFont(_large_fixed(self, scale=1.6))
        self.field.setAccessibleName(self.tr("Code of the other PC"))
        self.field.textEdited.connect(self._on_edit)
        self.address = QLineEdit(placeholderText=self.tr("found by itself"))
        self.address.setAccessibleName(self.tr("Address of the other PC"))
        self.failure = Failure()
        self.note = words(self.tr("Looking for the PC that shows this code …"), name="muted")
        self.pair = styled(QPushButton(self.tr("Pair")), "primary")
        for edit in (self.field, self.address):
            edit.returnPressed.connect(self.pair.click)
        self.pair.clicked.connect(self._submit)
        form = QFormLayout()
        form.setSpacing(10)
        form.addRow(_label_of(self.tr("&Code"), self.field), self.field)
        form.addRow(_label_of(self.tr("&Address"), self.address), self.address)
        self.title = heading("")
        column = _column(self, self.title)
        column.addWidget(words(self.tr("It is shown there after “Pair PCs …” and “Show a code”."), name="muted"))
        column.addSpacing(6)
        column.addLayout(form)
        column.addWidget(self.note)
        column.addWidget(self.failure)
        column.addStretch(1)
        column.addLayout(_buttons(_back(self), self.pair))
        self.reset()

    def reset(self, name: str = "", address: str = "") -> None:
        """Begin anew, perhaps with a certain PC, which is looked for at that address."""
        unnamed = self.tr("Type the code of the other PC")
        self.title.setText(self.tr("Type the code of {name}").format(name=name) if name else unnamed)
        self.field.clear()
        self.address.setText(address)
        self.failure.tell("")
        self._set_busy(False)
        self.field.setFocus()

    def fail(self, sentence: str, hint: str) -> None:
        """Tell what came of the code; it may be corrected."""
        self._set_busy(False)
        self.failure.tell(sentence, hint)
        self.field.setFocus()
        self.field.selectAll()

    def _submit(self) -> None:
        self.failure.tell("")
        self._set_busy(True)
        self.submitted.emit(self.field.text(), self.address.text())

    def _set_busy(self, busy: bool) -> None:
        self.note.setVisible(busy)
        self.pair.setText(self.tr("Pairing …") if busy else self.tr("Pair"))
        for widget in (self.field, self.address):
            widget.setReadOnly(busy)
        self.pair.setEnabled(not busy and len(_characters(self.field.text())) == CODE_LENGTH)

    def _on_edit(self, text: str) -> None:
        """Capital letters and a dash in the middle, whatever is typed or pasted."""
        before = len(_characters(text[: self.field.cursorPosition()]))
        code = _characters(text)[:CODE_LENGTH]
        half = CODE_LENGTH // 2
        self.field.setText(code if len(code) <= half else f"{code[:half]}-{code[half:]}")
        self.field.setCursorPosition(before + (before > half))
        self._set_busy(False)


class DonePage(QWidget):
    """Whom this PC is paired with, and the words that both screens show."""

    def __init__(self) -> None:
        super().__init__()
        self.title = heading("")
        self.words = styled(QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True), "code")
        font = self.words.font()
        font.setPointSizeF(font.pointSizeF() * 1.3)
        self.words.setFont(font)
        self.close_button = styled(QPushButton(self.tr("Done")), "primary")
        self.compare = words("", name="muted")
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(self.title)
        column.addWidget(words(self.tr("The other screen shows the same four words:")))
        column.addWidget(self.words)
        column.addWidget(self.compare)
        column.addStretch(1)
        column.addLayout(_buttons(self.close_button))

    def show_done(self, done: PairingDone) -> None:
        """Show the result."""
        self.title.setText(self.tr("Paired with {name}").format(name=done.name))
        self.words.setText("   ".join(done.words))
        self.words.setAccessibleName(self.tr("Words to compare: {words}").format(words=", ".join(done.words)))
        self.compare.setText(
            self.tr("If it shows others, remove {name} again: somebody stood in between.").format(name=done.name)
        )
        self.close_button.setFocus()
        announce(self.words, f"{self.title.text()}. {self.words.accessibleName()}. {self.compare.text()}")


def _characters(text: str) -> str:
    return "".join(character for character in text.upper() if character.isalnum())


def _column(page: QWidget, title: QLabel) -> QVBoxLayout:
    column = QVBoxLayout(page)
    column.setSpacing(10)
    column.addWidget(title)
    return column


def words(text: str, *, name: str = "") -> QLabel:
    """Text that wraps, of the kind `name`."""
    label = styled(QLabel(text, wordWrap=True), name)
    label.setTextFormat(Qt.TextFormat.PlainText)  # names come from other PCs
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _label_of(text: str, field: QWidget) -> QLabel:
    label = QLabel(text)
    label.setBuddy(field)
    field.ensurePolished()
    label.setMinimumHeight(field.sizeHint().height())  # a form puts it at the top of a field with large letters
    return label


def _large_fixed(owner: QWidget, scale: float = CODE_SCALE) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(owner.font().pointSizeF() * scale)
    return font


def _back(page: ShowPage | TypePage) -> QPushButton:
    button = QPushButton(QCoreApplication.translate("PairingPages", "Back"))
    button.setAutoDefault(False)  # or Enter in a field would press it
    button.clicked.connect(page.back)
    return button


def _buttons(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    first, *others = buttons
    if others:
        row.addWidget(first)
    row.addStretch(1)
    for button in others or (first,):
        row.addWidget(button)
    return row
