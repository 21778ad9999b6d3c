"""One look in light and dark: the colours, the palette and the style sheet that the whole window is drawn with."""

from __future__ import annotations

import dataclasses
import html
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Final, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

FONT_SCALE: Final = 1.12
"""Text to read is a little larger than the labels that the system's font is made for."""

COLUMN_CHARACTERS: Final = 132
"""Width of the conversation in average characters; a bubble takes most of it."""

CHEVRON: Final = Path(__file__).parent / "icons" / "chevron.svg"

WidgetT = TypeVar("WidgetT", bound=QWidget)


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme. Text on its ground has a contrast of at least 4.5 (WCAG AA)."""

    window: str
    surface: str
    border: str
    hover: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    link: str
    code: str
    error: str
    error_ground: str
    notice: str
    notice_ground: str
    notice_border: str
    good: str
    busy: str


LIGHT: Final = Colours(
    window="#f4f6f8",
    surface="#ffffff",
    border="#dfe3e8",
    hover="#e9edf1",
    text="#1b2026",
    muted="#59636e",
    accent="#0e7490",
    accent_hover="#0b5f77",
    on_accent="#ffffff",
    link="#0b6b86",
    code="#f1f4f7",
    error="#9a2c1f",
    error_ground="#fcf0ee",
    notice="#5c4200",
    notice_ground="#fff6e0",
    notice_border="#ecd59a",
    good="#1a7f4b",
    busy="#9a6700",
)

DARK: Final = Colours(
    window="#15181c",
    surface="#1f242a",
    border="#323941",
    hover="#2a3038",
    text="#e6e9ec",
    muted="#9ba6b1",
    accent="#176c85",
    accent_hover="#1c7f9b",
    on_accent="#ffffff",
    link="#6fcbe3",
    code="#171b20",
    error="#f0a79d",
    error_ground="#33211f",
    notice="#f0dcae",
    notice_ground="#302815",
    notice_border="#594a22",
    good="#5cc58b",
    busy="#e0b050",
)

_STYLE: Final = Template("""
* { outline: none; }
QToolTip { color: $text; background: $surface; border: 1px solid $border; padding: 4px; }
#header, #footer { background: $window; }
#header { border-bottom: 1px solid $border; }
#muted { color: $muted; }
#headline { font-weight: 600; }

QPushButton, QToolButton, QComboBox {
  color: $text; background: $surface; border: 1px solid $border; border-radius: 8px; padding: 6px 12px;
}
QPushButton:hover, QToolButton:hover, QComboBox:hover { background: $hover; }
QPushButton:focus, QToolButton:focus, QComboBox:focus { border: 1px solid $accent; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: $muted; background: $window; }
QPushButton#primary { color: $on_accent; background: $accent; border: 1px solid $accent; font-weight: 600; }
QPushButton#primary:hover { background: $accent_hover; }
QPushButton#primary:focus { border: 1px solid $text; }
QPushButton#primary:disabled { color: $muted; background: $hover; border: 1px solid $hover; }
QPushButton#example { text-align: left; padding: 10px 14px; border-radius: 12px; }
QPushButton#pool { color: $muted; background: transparent; padding: 6px 10px; }
QPushButton#pool:hover:enabled { color: $text; background: $hover; }
QPushButton#pool:focus { border: 1px solid $accent; }
QPushButton#pool:disabled { background: transparent; border: 1px solid transparent; }
QPushButton#jump { border-radius: 14px; padding: 5px 14px; }
QToolButton#dismiss { background: transparent; border: 1px solid transparent; padding: 3px 7px; }
QToolButton#dismiss:focus { border: 1px solid $notice; }
QComboBox {
  combobox-popup: 0; font-weight: 600; background: transparent; border: 1px solid transparent; padding: 6px 8px;
}
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("$chevron"); width: 14px; height: 14px; }
QComboBox QAbstractItemView {
  color: $text; background: $surface; border: 1px solid $border;
  selection-background-color: $accent; selection-color: $on_accent;
}
QComboBox QAbstractItemView::item { min-height: 28px; padding: 0 8px; }

QScrollArea, #column, #welcome { background: $window; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar::handle:vertical { background: $border; border-radius: 4px; min-height: 36px; margin: 2px; }
QScrollBar::handle:vertical:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {
  background: transparent; border: none; height: 0; width: 0;
}

#answer { background: $surface; border: 1px solid $border; border-radius: 14px; }
#question { background: $accent; border: 1px solid $accent; border-radius: 14px; }
#answer QTextBrowser, #question QTextBrowser { background: transparent; border: none; }
#answer QTextBrowser { color: $text; }
#question QTextBrowser { color: $on_accent; selection-background-color: $on_accent; selection-color: $accent; }
#failure { background: $error_ground; border-radius: 8px; }
#failure QLabel { color: $error; }

#composer { background: $surface; border: 1px solid $border; border-radius: 14px; }
#composer[active="true"] { border: 1px solid $accent; }
#composer QPlainTextEdit { color: $text; placeholder-text-color: $muted; background: transparent; border: none; }

#banner { background: $notice_ground; border: 1px solid $notice_border; border-radius: 10px; }
#banner QLabel, #banner QToolButton, #banner QCheckBox { color: $notice; }

QLineEdit { color: $text; background: $surface; border: 1px solid $border; border-radius: 8px; padding: 6px 10px; }
QLineEdit:focus { border: 1px solid $accent; }
#code { color: $text; background: $surface; border: 1px solid $border; border-radius: 12px; padding: 14px; }
#failed { color: $error; background: $error_ground; border-radius: 8px; padding: 8px 12px; }
#pc { background: $surface; border: 1px solid $border; border-radius: 10px; }
#good { color: $good; }
#busy { color: $busy; }
#bad { color: $error; }

QProgressBar { background: $hover; border: none; border-radius: 4px; max-height: 8px; }
QProgressBar::chunk { background: $accent; border-radius: 4px; }
""")


def colours() -> Colours:
    """The colours that the application is drawn in now."""
    return DARK if QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128 else LIGHT


def column_width(widget: QWidget, available: int) -> int:
    """Pixels of `available` that the conversation takes: in a wide window its lines would be too long to read."""
    return min(available, COLUMN_CHARACTERS * widget.fontMetrics().averageCharWidth())


def styled(widget: WidgetT, name: str) -> WidgetT:
    """Give `widget` the name by which the style sheet knows its kind, and return it."""
    widget.setObjectName(name)
    return widget


def plain_tooltip(text: str) -> str:
    """`text` for a tooltip, where Qt would read anything that looks like HTML as such: names come from other PCs."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text)}</p>" if text else ""


def follow_system(application: QApplication) -> None:
    """Draw the application in our look, and again whenever the system changes between light and dark."""
    application.setStyle("Fusion")
    font = application.font()
    font.setPointSizeF(font.pointSizeF() * FONT_SCALE)
    application.setFont(font)
    hints = application.styleHints()
    hints.colorSchemeChanged.connect(lambda scheme: draw_in(application, scheme))
    draw_in(application, hints.colorScheme())


def draw_in(application: QApplication, scheme: Qt.ColorScheme) -> None:
    """Draw the application in light or dark; a system that does not say gets light."""
    theme = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    application.setPalette(_palette(theme))
    application.setStyleSheet(_STYLE.substitute(dataclasses.asdict(theme), chevron=CHEVRON.as_posix()))


def _palette(theme: Colours) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette(QColor(theme.window))
    for name, colour in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.surface),
        (role.AlternateBase, theme.window),
        (role.Text, theme.text),
        (role.PlaceholderText, theme.muted),
        (role.Button, theme.surface),
        (role.ButtonText, theme.text),
        (role.ToolTipBase, theme.surface),
        (role.ToolTipText, theme.text),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.link),
        (role.LinkVisited, theme.link),
    ):
        palette.setColor(name, QColor(colour))
    palette.setColor(QPalette.ColorGroup.Disabled, role.ButtonText, QColor(theme.muted))
    return palette
