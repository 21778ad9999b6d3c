"""The pairing dialog: show a code or type one, and the PCs that are paired or were seen, each with its state."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMessageBox, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from idlepool.engine.commands import EnterCode, LeavePool, OpenPairing, PairingCommand, RemoveMember, StopPairing
from idlepool.engine.events import Event, PeerInfo, PoolChanged
from idlepool.engine.pairing_events import (
    MemberInfo,
    MembersChanged,
    PairingDone,
    PairingFailed,
    PairingOpen,
    PairingWrong,
)
from idlepool.ui.bridge import Bridge
from idlepool.ui.headings import heading
from idlepool.ui.pool.pairing_pages import DonePage, Failure, ShowPage, TypePage, words
from idlepool.ui.pool.pc_list import PcList
from idlepool.ui.pool.pc_view import PcView, members_view, strangers_view
from idlepool.ui.theme import styled

DEFAULT: Final = (560, 620)
SMALLEST: Final = (380, 400)


class StartPage(QWidget):
    """The two ways to pair, and who is there."""

    def __init__(self) -> None:
        super().__init__()
        self.show_code = styled(QPushButton(self.tr("Show a code")), "primary")
        self.type_code = QPushButton(self.tr("Type a code"))
        self.pcs = PcList()
        self.failure = Failure()
        choices = QHBoxLayout()
        choices.setSpacing(10)
        for button in (self.show_code, self.type_code):
            button.setMinimumHeight(2 * button.sizeHint().height())
            choices.addWidget(button, 1)
        text = self.tr(
            "One PC shows a code, the other one is told it. Paired PCs lend each other their devices and give each"
            " other models; a PC that takes part in an answer could read the conversation. Pair only PCs you trust."
        )
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(heading(self.tr("Pair this PC with another one")))
        column.addWidget(words(text, name="muted"))
        column.addLayout(choices)
        column.addWidget(self.failure)
        column.addSpacing(8)
        column.addWidget(self.pcs, 1)


class PairingDialog(QDialog):
    """Speaks with the node by `bridge`; what is going on when it is closed is given up."""

    available = Signal()
    """The node can pair."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._members: tuple[MemberInfo, ...] = ()
        self._peers: tuple[PeerInfo, ...] = ()
        self._busy = False
        self.setWindowTitle(self.tr("Pair PCs"))
        self.setMinimumSize(*SMALLEST)
        self.resize(*DEFAULT)
        self.start, self.shown, self.typed, self.done_page = StartPage(), ShowPage(), TypePage(), DonePage()
        self.pages = QStackedWidget()
        for page in (self.start, self.shown, self.typed, self.done_page):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.addWidget(self.pages)
        self._connect()

    def _connect(self) -> None:
        self.start.show_code.clicked.connect(self.show_code)
        self.start.type_code.clicked.connect(self.type_code)
        self.start.pcs.remove_requested.connect(self.ask_to_remove)
        self.start.pcs.pair_requested.connect(self.pair_with)
        self.start.pcs.leave_requested.connect(self.ask_to_leave)
        self.shown.again.connect(self.show_code)
        self.typed.submitted.connect(lambda code, address: self._begin(EnterCode(code, address)))
        for page in (self.shown, self.typed):
            page.back.connect(self.begin)
        self.done_page.close_button.clicked.connect(self.accept)
        self.finished.connect(lambda _: self._stop())
        self._bridge.received.connect(self.take)
        self._bridge.node_ended.connect(lambda sentence: self._fail(sentence, ""))

    # --- what the user does ------------------------------------------------------------------------------------------

    def bring_up(self) -> None:
        """Show the dialog; one that is open already goes on with what it does."""
        if not self.isVisible():
            self.begin()
            self.open()
        self.raise_()
        self.activateWindow()

    def bring_up_with(self, pc: PcView) -> None:
        """The same, to pair with a PC that was seen."""
        self.bring_up()
        self.pair_with(pc)

    def begin(self) -> None:
        """The first page; what is going on is given up."""
        self._stop()
        self.start.failure.tell("")
        self.pages.setCurrentWidget(self.start)
        self.start.show_code.setFocus()

    def show_code(self) -> None:
        """Show a new code."""
        self.shown.wait()
        self.pages.setCurrentWidget(self.shown)
        self._begin(OpenPairing())

    def type_code(self) -> None:
        """Ask for the code of another PC."""
        self.pages.setCurrentWidget(self.typed)
        self.typed.reset()

    def pair_with(self, pc: PcView) -> None:
        """Ask for the code of a PC that was seen."""
        self.pages.setCurrentWidget(self.typed)
        self.typed.reset(pc.name, pc.pair_address)

    def _begin(self, command: PairingCommand) -> None:
        self._busy = True
        self._bridge.send(command)

    def _stop(self) -> None:
        self.shown.stop()
        if self._busy:
            self._busy = False
            self._bridge.send(StopPairing())

    def ask_to_remove(self, member: MemberInfo) -> None:
        """Ask whether this PC is to be no member any more."""
        self._ask(
            self.tr("Remove {name}?").format(name=member.name),
            self.tr(
                "It can no longer use this pool, and what runs on it ends at once. To come back, it has to be paired"
                " again."
            ),
            self.tr("Remove"),
            RemoveMember(member.node),
        )

    def ask_to_leave(self) -> None:
        """Ask whether to leave the pool."""
        self._ask(
            self.tr("Leave the pool?"),
            self.tr("This PC can no longer use the others. They list it until it is removed on one of them."),
            self.tr("Leave"),
            LeavePool(),
        )

    def _ask(self, question: str, text: str, action: str, command: PairingCommand) -> None:
        box = QMessageBox(self if self.isVisible() else self.parentWidget())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(self.tr("Pair PCs"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(question)
        box.setInformativeText(text)
        act = box.addButton(action, QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        act.clicked.connect(lambda: self._bridge.send(command))
        box.open()

    # --- what the node tells -----------------------------------------------------------------------------------------

    def take(self, event: Event) -> None:
        """Show what concerns pairing."""
        match event:
            case PairingOpen() if self._busy:
                self.shown.show_open(event)
            case PairingWrong(left=left):
                self.shown.show_wrong(left)
            case PairingDone() if self._busy:
                self._busy = False
                self.shown.stop()
                self.done_page.show_done(event)
                self.pages.setCurrentWidget(self.done_page)
            case PairingFailed(sentence=sentence, hint=hint):
                if not self.isVisible():
                    self.bring_up()  # what came to nothing was asked on the pool page
                self._fail(sentence, hint)
            case MembersChanged(members=members):
                self._members = members
                self._show_pcs()
                self.available.emit()
            case PoolChanged(peers=peers):
                self._peers = peers
                self._show_pcs()

    def _fail(self, sentence: str, hint: str) -> None:
        self._busy = False
        self.shown.stop()
        match self.pages.currentWidget():
            case ShowPage() | TypePage() as page:
                page.fail(sentence, hint)
            case StartPage() as page:
                page.failure.tell(sentence, hint)

    def _show_pcs(self) -> None:
        members, peers = self._members, self._peers
        self.start.pcs.show_pcs(members_view(members, peers), strangers_view(members, peers))
