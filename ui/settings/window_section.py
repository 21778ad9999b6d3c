"""What the window looks like, when it tells something, and whether it starts with the PC."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QApplication, QPushButton

from idlepool.engine.errors import IdlepoolError
from idlepool.ui.preferences import Preferences
from idlepool.ui.settings.controls import Choice
from idlepool.ui.settings.rows import Card, Section, SettingRow
from idlepool.ui.settings.switch import Switch
from idlepool.ui.theme import Theme, choose_theme


class StartsWithPc(Protocol):
    """Whether Idlepool starts when its user logs in."""

    def enabled(self) -> bool:
        """Whether it does: what the system was told to start is there."""

    def set_enabled(self, enabled: bool, /) -> None:
        """Raises IdlepoolError where the system does not let it."""


class WindowSection(Section):
    """Each choice holds at once and is kept; the language as soon as the window can be made anew."""

    introduction_requested = Signal()
    language_chosen = Signal(str)

    def __init__(self, preferences: Preferences, autostart: StartsWithPc | None) -> None:
        super().__init__(QCoreApplication.translate("WindowSection", "Window"))
        self._preferences = preferences
        self._autostart = autostart
        self.theme = Choice(
            ("system", self.tr("Same as the system")), ("light", self.tr("Light")), ("dark", self.tr("Dark"))
        )
        self.language = Choice(("", self.tr("Same as the system")), ("en", "English"), ("de", "Deutsch"))
        self.notifications = Switch()
        self.starts = Switch()
        self.introduction = QPushButton(self.tr("Show it again"))
        self.introduction.setAccessibleName(self.tr("Show the introduction again"))
        self.language_row = SettingRow(
            self.tr("Language"),
            self.language,
            hint=self.tr("Another one is spoken as soon as no answer is being written."),
        )
        self.starts_row = SettingRow(
            self.tr("Start with the PC"), self.starts, hint=self.tr("In the background, when you log in.")
        )
        self.add(Card(*self._rows()))
        self._show()
        self._connect()

    def _rows(self) -> list[SettingRow]:
        told = self.tr("Only what you must know: an answer is there while the window is hidden, or something failed.")
        rows = [
            SettingRow(self.tr("Colours"), self.theme),
            self.language_row,
            SettingRow(self.tr("Notifications"), self.notifications, hint=told),
        ]
        if self._autostart is not None:
            rows.append(self.starts_row)
        return [*rows, SettingRow(self.tr("Introduction"), self.introduction)]

    def _show(self) -> None:
        chosen = self._preferences.chosen
        self.theme.show_value(chosen.theme)
        self.language.show_value(chosen.language if chosen.language in ("en", "de") else "")
        self.notifications.setChecked(chosen.notifications)
        self.starts.setChecked(self._autostart is not None and self._autostart.enabled())

    def _connect(self) -> None:
        self.theme.chosen.connect(self._choose_theme)
        self.language.chosen.connect(self._choose_language)
        self.notifications.clicked.connect(lambda on: self._keep("notifications", on))
        self.starts.clicked.connect(self._choose_start)
        self.introduction.clicked.connect(self.introduction_requested)

    def _choose_theme(self, theme: Theme) -> None:
        self._keep("theme", theme)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            choose_theme(application, theme)

    def _choose_language(self, language: str) -> None:
        self._keep("language", language)
        self.language_chosen.emit(language)

    def _choose_start(self, on: bool) -> None:
        if self._autostart is None:
            return
        problem = ""
        try:
            self._autostart.set_enabled(on)
        except IdlepoolError as error:
            problem = f"{error.sentence} {error.hint}".strip()
        self.starts.setChecked(self._autostart.enabled())
        self.starts_row.tell(problem)

    def _keep(self, field: str, value: object) -> None:
        setattr(self._preferences.chosen, field, value)
        self._preferences.save()
