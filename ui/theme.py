"""One look in light and dark: the colours, the palette and the style sheet that the whole window is drawn with."""

from __future__ import annotations

import dataclasses
import html
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from idlepool.ui.style_sheet import STYLE

FONT_SCALE: Final = 1.12
"""Text to read is a little larger than the labels that the system's font is made for."""

COLUMN_CHARACTERS: Final = 132
"""Width of the conversation in average characters; a bubble takes most of it."""

CHEVRON: Final = Path(__file__).parent / "icons" / "chevron.svg"
CHEVRON_UP: Final = CHEVRON.with_name("chevron-up.svg")
CHECK: Final = CHEVRON.with_name("check.svg")
TICK: Final = CHEVRON.with_name("tick.svg")
"""In a check box, on the colour of what is on."""

Theme = Literal["system", "light", "dark"]

_CHOICE: Final = "idlepool_theme"
"""The property of the application that holds it."""

WidgetT = TypeVar("WidgetT", bound=QWidget)


class ThemeNews(QObject):
    """What is told of the theme beside Qt's own events."""

    changing = Signal()
    """Before the application is drawn in other colours, which takes a moment for each widget: whoever can spare some
    lets them go."""


theme_news: Final = ThemeNews()


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
    control: str
    """What is on or has the focus; at least 3 on every ground of the window."""
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
    control="#0e7490",
    link="#0b6b86",
    code="#f1f4f7",
    error="#9a2c1f",
    error_ground="#fcf0ee",
    notice="#5c4200",
    notice_ground="#fff6e0",
    notice_border="#ecd59a",
    good="#1a7f4b",
    busy="#946200",
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
    control="#2b95b3",
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


def retone(widget: QWidget, name: str) -> None:
    """Let a widget that is shown already be of another kind, such as good, busy or bad."""
    if widget.objectName() != name:
        widget.setObjectName(name)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


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
    hints.colorSchemeChanged.connect(lambda _: choose_theme(application, application.property(_CHOICE)))
    choose_theme(application, "system")


def choose_theme(application: QApplication, choice: Theme) -> None:
    """Draw the application light or dark, or as the system is; the frames of the windows too, where the system can."""
    hints = application.styleHints()
    application.setProperty(_CHOICE, choice)
    wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(choice, Qt.ColorScheme.Unknown)
    hints.setColorScheme(wanted)
    draw_in(application, hints.colorScheme() if wanted == Qt.ColorScheme.Unknown else wanted)


def draw_in(application: QApplication, scheme: Qt.ColorScheme) -> None:
    """Draw the application in light or dark; a system that does not say gets light."""
    theme = DARK if scheme == Qt.ColorScheme.Dark else LIGHT
    theme_news.changing.emit()
    application.setPalette(_palette(theme))
    icons = {"chevron": CHEVRON, "chevron_up": CHEVRON_UP, "check": CHECK, "tick": TICK}
    paths = {name: path.as_posix() for name, path in icons.items()}
    application.setStyleSheet(STYLE.substitute(dataclasses.asdict(theme), **paths))


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
