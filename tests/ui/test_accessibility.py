"""Everything that takes the focus has a name, is reached with Tab in the order in which it is read, and lets it go on.
Every page, dialog and menu of the window is walked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from happenings import STATES, conversed
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from idlepool.ui.first_run.first_run import FirstRun
from idlepool.ui.main_window import MainWindow
from idlepool.ui.pool.pairing_dialog import PairingDialog
from idlepool.ui.pool.plan_dialog import PlanDialog

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit)

MOST_TABS = 300

LINE = 12
"""Pixels: controls whose tops differ by less stand beside one another."""


class Openings(QObject):
    """What is shown in a window of its own without being made for it: a part that has not got its place yet."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            made_for_it = watched.windowType() in (
                Qt.WindowType.Popup,
                Qt.WindowType.ToolTip,
                Qt.WindowType.SplashScreen,
            )
            if not made_for_it and not isinstance(watched, (QMainWindow, QDialog)):
                self.wrong.append(described(watched))
        return False


@pytest.fixture(autouse=True)
def openings(qapp: QApplication) -> Iterator[None]:
    """Nothing flashes up on the desktop, whatever is built or shown."""
    openings = Openings()
    qapp.installEventFilter(openings)
    yield
    qapp.removeEventFilter(openings)
    assert not openings.wrong


# --- what is walked -----------------------------------------------------------------------------------------------


@pytest.fixture
def window(open_window, qtbot: QtBot) -> MainWindow:
    window = open_window("--states", "--play", "settings", "in-use", "api")
    window.resize(1100, 760)
    qtbot.waitUntil(lambda: bool(window.state.members))
    return window


def pages(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Each page, with the window around it."""
    for number in range(window.pages.count()):
        window.show_page(number)
        QTest.qWait(50)
        yield type(window.pages.widget(number)).__name__, window


DIALOGS: dict[str, Callable[[MainWindow], QDialog]] = {
    "introduction 1": lambda window: introduced(window, 0),
    "introduction 2": lambda window: introduced(window, 1),
    "introduction 3": lambda window: introduced(window, 2),
    "pairing": lambda window: paired(window),
    "pairing by code": lambda window: paired(window, lambda dialog: dialog.start.show_code.click()),
    "pairing by typing": lambda window: paired(window, lambda dialog: dialog.start.type_code.click()),
    "plan by hand": lambda window: shown(window, lambda: PlanDialog(window.state, "starter", window).open()),
    "settings of a conversation": lambda window: shown(window, window.chat.show_settings),
    "report": lambda window: opened(window, window.settings_page.about.report),
    "licences": lambda window: opened(window, window.settings_page.about.licences),
    "programs": lambda window: opened(window, window.settings_page.lending.programs.choose),
    "new key": lambda window: opened(window, window.settings_page.api.renew),
    "shortcuts": lambda window: shown(window, window.show_shortcuts),
}


def introduced(window: MainWindow, page: int) -> QDialog:
    dialog = FirstRun(window.state, window.preferences, window)
    dialog.open()
    dialog.show_page(page)
    return dialog


def paired(window: MainWindow, act: Callable[[PairingDialog], object] = lambda dialog: None) -> QDialog:
    dialog = PairingDialog(window.state.bridge, window)
    dialog.bring_up()
    act(dialog)
    return dialog


def opened(window: MainWindow, button: QAbstractButton) -> QDialog:
    return shown(window, button.click)


def shown(window: MainWindow, act: Callable[[], object]) -> QDialog:
    before = set(window.findChildren(QDialog))
    act()
    return next(dialog for dialog in window.findChildren(QDialog) if dialog not in before)


# --- names --------------------------------------------------------------------------------------------------------


def test_every_control_of_every_page_has_a_name(window: MainWindow):
    nameless = [f"{page}: {described(control)}" for page, top in pages(window) for control in without_name(top)]
    assert not nameless


def test_every_control_of_a_conversation_has_a_name_and_is_reached(window: MainWindow, qtbot: QtBot):
    conversed(window, qtbot)
    assert not [described(control) for control in without_name(window)]
    assert not unreached(window)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_control_has_a_name_and_is_reached_whatever_happens(
    window: MainWindow, qtbot: QtBot, state: Callable[[MainWindow, QtBot], None]
):
    state(window, qtbot)
    QTest.qWait(50)
    assert not [described(control) for control in without_name(window)]
    assert not unreached(window)


@pytest.mark.parametrize("name", DIALOGS)
def test_every_control_of_every_dialog_has_a_name(window: MainWindow, name: str):
    dialog = DIALOGS[name](window)
    QTest.qWait(50)
    assert dialog.windowTitle()
    assert not [described(control) for control in without_name(dialog)]
    dialog.close()


def test_every_entry_of_every_menu_has_words(window: MainWindow):
    empty = [menu for menu in window.findChildren(QMenu) for action in actions(menu) if not action.text().strip("&")]
    assert not empty


def actions(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if not action.isSeparator()]


def test_a_label_that_names_a_control_leads_to_it(window: MainWindow):
    window.show_page(window.settings_page)
    page = window.settings_page
    for row in page.lending.rows.values():
        assert row.title.buddy() is not None, row.title.text()


def without_name(top: QWidget) -> list[QWidget]:
    return [control for control in focusable(top) if not name_of(control).strip()]


def focusable(top: QWidget) -> list[QWidget]:
    """What is seen, can be used, and takes the focus."""
    return [
        widget
        for widget in top.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisibleTo(top)
        and widget.isEnabled()
        and widget.focusProxy() is None
        and not isinstance(widget, QScrollBar)
        and not isinstance(widget.parent(), QAbstractSpinBox | QComboBox)
    ]


def name_of(widget: QWidget) -> str:
    """What a screen reader would say of it."""
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QAbstractButton):
        return widget.text() if any(map(str.isalpha, widget.text())) else ""
    if isinstance(widget, QLabel):
        return widget.text()
    buddies = [label.text() for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
    return buddies[0] if buddies else ""


def described(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton | QLineEdit) else ""
    return f"{type(widget).__name__} {widget.objectName()} {text} in {type(widget.parent()).__name__}"


# --- the way of the focus -----------------------------------------------------------------------------------------


def test_tab_reaches_every_control_of_every_page_and_comes_back(window: MainWindow):
    for page, top in pages(window):
        assert not unreached(top), page


@pytest.mark.parametrize("name", DIALOGS)
def test_tab_reaches_every_control_of_every_dialog_and_comes_back(window: MainWindow, name: str):
    dialog = DIALOGS[name](window)
    QTest.qWait(50)
    assert not unreached(dialog)
    dialog.close()


def unreached(top: QWidget) -> list[str]:
    """Controls that Tab does not lead to, from the first one on until it is there again."""
    way = tabbed(top)
    return [described(control) for control in focusable(top) if control not in way and not beside(control, way)]


def beside(control: QWidget, way: list[QWidget]) -> bool:
    """Whether arrows lead to it from a control that Tab leads to: of radio buttons and the like only one is a stop."""
    group = control.group() if isinstance(control, QAbstractButton) else None
    exclusive = isinstance(control, QAbstractButton) and (control.autoExclusive() or (group and group.exclusive()))
    return bool(exclusive) and any(
        isinstance(other, QAbstractButton) and (other.group() is group if group else other.parent() is control.parent())
        for other in way
    )


def tabbed(top: QWidget) -> list[QWidget]:
    """Where Tab leads, from where the focus is, until it was there before."""
    top.activateWindow()
    start = top.focusWidget() or focusable(top)[0]
    start.setFocus(Qt.FocusReason.TabFocusReason)
    way: list[QWidget] = []
    for _ in range(MOST_TABS):
        focused = QApplication.focusWidget()
        assert focused is not None, f"nothing has the focus after {described(way[-1]) if way else 'the start'}"
        if way and focused is way[0]:
            return way
        assert focused not in way, f"the focus runs in a circle at {described(focused)}"
        way.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    raise AssertionError("Tab comes to no end")


def test_what_is_on_a_page_is_reached_in_the_order_in_which_it_is_read(window: MainWindow):
    for page, area in ((window.models_page, window.models_page), (window.settings_page, window.settings_page.area)):
        window.show_page(page)
        QTest.qWait(50)
        assert not out_of_order(area.widget(), window), type(page).__name__


@pytest.mark.parametrize("name", DIALOGS)
def test_what_is_in_a_dialog_is_reached_in_the_order_in_which_it_is_read(window: MainWindow, name: str):
    dialog = DIALOGS[name](window)
    QTest.qWait(50)
    assert not out_of_order(dialog, dialog)
    dialog.close()


def out_of_order(ground: QWidget, top: QWidget) -> list[str]:
    """Controls on a ground that the focus comes to before one that stands above them, or left of them."""
    way = [control for control in tabbed(top) if ground.isAncestorOf(control)]
    places = {control: control.mapTo(ground, QPoint(0, control.height() // 2)) for control in way}
    begin = way.index(min(way, key=lambda control: (places[control].y(), places[control].x())))
    way = way[begin:] + way[:begin]
    return [
        f"{described(first)} before {described(second)}"
        for first, second in pairwise(way)
        if not read_before(places[first], places[second])
    ]


def read_before(first: QPoint, second: QPoint) -> bool:
    """Of two middles: above the other one, or beside it on the left."""
    return first.y() < second.y() + LINE and (first.y() < second.y() - LINE or first.x() < second.x())
