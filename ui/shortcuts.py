"""All keys of the window in one table: the shortcuts are made from it, and so are the list that F1 shows and the one of
the README."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


def QT_TRANSLATE_NOOP(_context: str, text: str) -> str:  # noqa: N802 - by this name lupdate finds what is translated
    """The text as it is, to be translated where it is shown. (Qt's own is declared to return any object.)"""
    return text


EVERYWHERE: Final = QT_TRANSLATE_NOOP("Shortcuts", "Everywhere")
CHAT: Final = QT_TRANSLATE_NOOP("Shortcuts", "Chat")
CONVERSATIONS: Final = QT_TRANSLATE_NOOP("Shortcuts", "Conversations")

PLATFORM: Final = QKeySequence.SequenceFormat.NativeText


@dataclass(frozen=True, slots=True)
class Shortcut:
    """What can be done by keys. `keys` are separated by semicolons, in Qt's portable words: on a Mac Ctrl is ⌘."""

    name: str
    """By which code binds it."""
    keys: str
    words: str
    where: str = EVERYWHERE
    by_widget: bool = False
    """The widget that has the focus acts on it by itself: nothing is bound."""

    @property
    def sequences(self) -> list[QKeySequence]:
        """Its keys, as Qt has them."""
        return [QKeySequence(keys) for keys in self.keys.split("; ")]

    def shown(self, form: QKeySequence.SequenceFormat = PLATFORM) -> str:
        """Its keys as people write them."""
        return " / ".join(_written(keys, form) for keys in self.sequences)


SHORTCUTS: Final = (
    Shortcut("list shortcuts", "F1", QT_TRANSLATE_NOOP("Shortcuts", "Show this list")),
    Shortcut("chat page", "Ctrl+1", QT_TRANSLATE_NOOP("Shortcuts", "Chat")),
    Shortcut("pool page", "Ctrl+2", QT_TRANSLATE_NOOP("Shortcuts", "Pool")),
    Shortcut("models page", "Ctrl+3", QT_TRANSLATE_NOOP("Shortcuts", "Models")),
    Shortcut("settings page", "Ctrl+4; Ctrl+,", QT_TRANSLATE_NOOP("Shortcuts", "Settings")),
    Shortcut(
        "hide",
        "Ctrl+W",
        QT_TRANSLATE_NOOP("Shortcuts", "Close the window; where there is a tray, Idlepool goes on in it"),
    ),
    Shortcut("quit", "Ctrl+Q", QT_TRANSLATE_NOOP("Shortcuts", "Quit Idlepool")),
    Shortcut("send", "Return", QT_TRANSLATE_NOOP("Shortcuts", "Send the message"), CHAT, by_widget=True),
    Shortcut("new line", "Shift+Return", QT_TRANSLATE_NOOP("Shortcuts", "Begin a new line"), CHAT, by_widget=True),
    Shortcut("stop", "Esc", QT_TRANSLATE_NOOP("Shortcuts", "Stop the answer"), CHAT),
    Shortcut("copy answer", "Ctrl+Shift+C", QT_TRANSLATE_NOOP("Shortcuts", "Copy the last answer"), CHAT),
    Shortcut("answer again", "Ctrl+R", QT_TRANSLATE_NOOP("Shortcuts", "Have the last answer written once more"), CHAT),
    Shortcut(
        "edit last",
        "Up",
        QT_TRANSLATE_NOOP("Shortcuts", "Edit the last message, from an empty field"),
        CHAT,
        by_widget=True,
    ),
    Shortcut("attach", "Ctrl+O", QT_TRANSLATE_NOOP("Shortcuts", "Put text files into the message"), CHAT),
    Shortcut("conversation settings", "Ctrl+E", QT_TRANSLATE_NOOP("Shortcuts", "Settings of this conversation"), CHAT),
    Shortcut("new conversation", "Ctrl+N", QT_TRANSLATE_NOOP("Shortcuts", "Begin a new conversation"), CONVERSATIONS),
    Shortcut("search", "Ctrl+F", QT_TRANSLATE_NOOP("Shortcuts", "Search all conversations"), CONVERSATIONS),
    Shortcut(
        "rename", "F2", QT_TRANSLATE_NOOP("Shortcuts", "Rename the chosen conversation"), CONVERSATIONS, by_widget=True
    ),
    Shortcut(
        "delete", "Del", QT_TRANSLATE_NOOP("Shortcuts", "Delete the chosen conversation"), CONVERSATIONS, by_widget=True
    ),
)
_BY_NAME: Final = {shortcut.name: shortcut for shortcut in SHORTCUTS}


def bind(
    widget: QWidget,
    name: str,
    act: Callable[[], object],
    *,
    context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut,
) -> QShortcut:
    """Have `act` called by the keys of the table's entry, while the widget's window is in front. Raises KeyError."""
    shortcut = QShortcut(widget)
    shortcut.setObjectName(name)
    shortcut.setKeys(_BY_NAME[name].sequences)
    shortcut.setContext(context)
    shortcut.activated.connect(act)
    return shortcut


def keys_of(name: str) -> str:
    """The keys of the table's entry, for a tooltip. Raises KeyError."""
    return _BY_NAME[name].shown()


def _written(keys: QKeySequence, form: QKeySequence.SequenceFormat) -> str:
    """The key that ends a line is called Enter on most keyboards, and by Qt only that of the digits; a Mac draws it."""
    text, name = keys.toString(form), QKeySequence(Qt.Key.Key_Return).toString(form)
    enter = "Enter" if form == QKeySequence.SequenceFormat.PortableText else _tr("Enter")
    return f"{text.removesuffix(name)}{enter}" if name.isalpha() and text.endswith(name) else text


def by_place() -> dict[str, list[tuple[str, str]]]:
    """The keys and what they do, translated, by where they do it."""
    places: dict[str, list[tuple[str, str]]] = {}
    for shortcut in SHORTCUTS:
        places.setdefault(_tr(shortcut.where), []).append((shortcut.shown(), _tr(shortcut.words)))
    return places


def as_markdown() -> str:
    """The table of the README: in English, with the keys of Windows and Linux."""
    portable = QKeySequence.SequenceFormat.PortableText
    rows = (f"| {one.shown(portable)} | {one.words} | {one.where.lower()} |" for one in SHORTCUTS)
    return "\n".join(("| Keys | What they do | Where |", "|---|---|---|", *rows))


def _tr(text: str) -> str:
    return QCoreApplication.translate("Shortcuts", text)
