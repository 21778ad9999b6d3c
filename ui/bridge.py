"""The one crossing between the window and the node process: commands out, events in, one JSON object a line."""

from __future__ import annotations

import logging
from typing import Final

from PySide6.QtCore import QObject, QProcess, Signal

from idlepool.engine.events import Command, Event, NodeReady, Trouble, decode_event, encode_line
from idlepool.ui.engine_words import in_own_language
from idlepool.ui.last_news import LastNews

log = logging.getLogger("idlepool.bridge")

DETAIL_LINES: Final = 50
"""Lines of the node's standard error that are kept for "details"."""

DETAIL_BYTES: Final = 32_768
"""Most bytes of it that are kept."""

STOP_PATIENCE_MS: Final = 3000
"""How long the node may take to end by itself once its input is closed."""

REFUSED: Final = 1
"""Exit code of a node that said why it cannot run."""


class Bridge(QObject):
    """Starts the node process and speaks with it. Nothing of it blocks but `stop`."""

    begins = Signal()
    """`received` follows for the first time: whoever wants to hear all and is not there yet comes now."""

    received = Signal(object)
    """An event of `idlepool.engine.events`; sentences in it are in the language of the window."""

    node_ended = Signal(str)
    """The node ended without being asked to, or did not start; the text is a sentence. `refusal` tells more."""

    def __init__(self, command: list[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = command
        self._stderr = b""
        self._stopping = False
        self._given_up = False
        self._begun = False
        self.refusal: Trouble | None = None
        """Why a node that is gone could not run, as it said itself."""
        self._held: list[Trouble] | None = None
        """Troubles of a node that does not listen yet; None: it does. The last one may be why it never will."""
        self._news = LastNews()
        self._process = QProcess(self)
        self._listen()

    def _listen(self) -> None:
        self._process.readyReadStandardOutput.connect(self._read_events)
        self._process.readyReadStandardError.connect(self._read_details)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    def hand_over(self) -> Bridge:
        """Another bridge to the same node, which goes on meanwhile; `tell_again` has it tell how things are.

        This one hears and says nothing from now on, so that whoever listened to it can go.
        """
        process, heir = self._process, Bridge(self._command, self.parent())
        self._process = QProcess(self)
        process.readyReadStandardOutput.disconnect(self._read_events)
        process.readyReadStandardError.disconnect(self._read_details)
        process.finished.disconnect(self._on_finished)
        process.errorOccurred.disconnect(self._on_error)
        process.setParent(heir)
        heir._process.deleteLater()
        heir._process, heir._stderr, heir._news, heir._held = process, self._stderr, self._news, self._held
        heir._listen()
        return heir

    def tell_again(self) -> None:
        """Have `received` bring how things are, as if the node told it now."""
        self._begin()
        for event in self._news.events:
            self.received.emit(in_own_language(event))
        self._read_events()

    @property
    def running(self) -> bool:
        """Whether the node process lives (or is just starting)."""
        return self._process.state() != QProcess.ProcessState.NotRunning

    @property
    def details(self) -> str:
        """The last lines that the node wrote to its standard error."""
        return "\n".join(self._stderr.decode(errors="replace").splitlines()[-DETAIL_LINES:])

    def start(self) -> None:
        """Start the node, also again after it ended. `received` brings NodeReady when it listens."""
        if self.running:
            return
        self._stopping = self._given_up = False
        self._stderr = b""
        self.refusal, self._held = None, []
        self._news.forget()
        program, *arguments = self._command
        self._process.start(program, arguments)

    def send(self, command: Command) -> None:
        """Send a command; without a node it is dropped (`node_ended` told why there is none)."""
        if self.running:
            self._process.write(encode_line(command))

    def stop(self, *, patience_ms: int = STOP_PATIENCE_MS) -> None:
        """End the node: close its input, wait, and kill it if it has not ended by then. No process is left behind."""
        if not self.running:
            return
        self._stopping = True
        self._process.closeWriteChannel()
        if not self._process.waitForFinished(patience_ms):
            log.warning("the node did not end within %d ms and is killed", patience_ms)
            self._process.kill()
            self._process.waitForFinished(patience_ms)

    def give_up(self) -> None:
        """End a node that does not answer, at once; `node_ended` follows."""
        if self.running:
            self._given_up = True
            self._process.kill()

    def said_anew(self, trouble: Trouble) -> Trouble:
        """A trouble that was received in another language, in the one of now."""
        original = self._news.original(trouble)
        said = in_own_language(original)
        self._news.note(original, told=said)
        return said if isinstance(said, Trouble) else trouble

    def _read_events(self) -> None:
        # While it ends it says that answers were stopped; they break off, and can be gone on with.
        while not self._stopping and self._process.canReadLine():
            self._begin()
            line = bytes(self._process.readLine().data())
            try:
                event = decode_event(line)
            except ValueError as error:  # what a JSON line can fail with; its text may hold words of a conversation
                log.warning("skipped a line of %d bytes from the node: %s", len(line), type(error).__name__)
                continue
            told = in_own_language(event)
            self._news.note(event, told=told)
            self._pass_on(told)

    def _begin(self) -> None:
        if not self._begun:
            self._begun = True
            self.begins.emit()

    def _pass_on(self, event: Event) -> None:
        if self._held is not None and isinstance(event, Trouble):
            self._held.append(event)
            return
        self.received.emit(event)
        if isinstance(event, NodeReady):
            self._release()

    def _release(self) -> None:
        held, self._held = self._held or [], None
        for trouble in held:
            self.received.emit(trouble)

    def _read_details(self) -> None:
        self._stderr = (self._stderr + self._process.readAllStandardError().data())[-DETAIL_BYTES:]

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_events()
        self._read_details()
        if self._stopping:
            return
        if code == REFUSED and self._held:
            self.refusal = self._held.pop()
        self._release()
        if self.refusal is not None:
            self.node_ended.emit(self.refusal.sentence)
        elif self._given_up:
            self.node_ended.emit(self.tr("The engine of Idlepool did not answer and was ended."))
        elif status == QProcess.ExitStatus.CrashExit:
            self.node_ended.emit(self.tr("The engine of Idlepool crashed."))
        else:
            self.node_ended.emit(self.tr("The engine of Idlepool ended unexpectedly (code {code}).").format(code=code))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        # Any other error is followed by `finished`.
        if error == QProcess.ProcessError.FailedToStart:
            reason = self._process.errorString()
            self.node_ended.emit(self.tr("The engine of Idlepool could not start: {reason}.").format(reason=reason))
