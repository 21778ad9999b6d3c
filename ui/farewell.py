"""The questions before Idlepool ends: for an answer that comes, for others who use this PC, for words on no disk."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox

from idlepool.ui.lending_words import guests
from idlepool.ui.main_window import MainWindow


def may_quit(window: MainWindow) -> bool:
    """Whether the user wants to quit; asked only where something would be lost by it."""
    return _may_break_off(window) and _may_leave_guests(window) and _may_lose_words(window)


def _may_break_off(window: MainWindow) -> bool:
    """Answers end with the window, wherever they are computed."""
    if not window.chat.session.answering_in:
        return True
    consequence = _tr(
        "If you quit, it breaks off. What there is of it is kept, and “Go on” has the rest written later."
    )
    return _asked(window, _tr("An answer is being written."), consequence, stay=_tr("Let it finish"))


def _may_leave_guests(window: MainWindow) -> bool:
    """Others have something of this PC that goes with the window."""
    hosted = window.state.hosted
    if not hosted or window.state.outlives_window:
        return True
    consequence = _tr(
        "If you quit, their answers go on without this PC where others can take over, and wait where none can."
    )
    return _asked(window, guests(hosted) + ".", consequence, stay=_tr("Go on lending"))


def _may_lose_words(window: MainWindow) -> bool:
    """The disk takes nothing: what was said meanwhile is in memory alone."""
    window.chat.keep()
    if window.history.retry() or not window.history.waiting:
        return True
    consequence = _tr(
        "If you quit now, what was said since then is lost. A conversation can be exported to another disk."
    )
    return _asked(window, window.history.problem, consequence, stay=_tr("Do not quit"))


def _asked(window: MainWindow, what: str, consequence: str, *, stay: str) -> bool:
    question = QMessageBox(window)
    question.setWindowTitle(_tr("Quit Idlepool?"))
    question.setText(what)
    question.setInformativeText(consequence)
    quits = question.addButton(_tr("Quit"), QMessageBox.ButtonRole.AcceptRole)
    stays = question.addButton(stay, QMessageBox.ButtonRole.RejectRole)
    question.setDefaultButton(stays)
    question.exec()
    return question.clickedButton() is quits


def _tr(text: str) -> str:
    return QCoreApplication.translate("Farewell", text)
