"""Controls that Qt has not as they are wanted: numbers without idle zeros, and a share with its size."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from PySide6.QtCore import QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QLabel, QSlider, QWidget

from idlepool.ui.theme import styled

GB = 1_000_000_000


class NumberField(QDoubleSpinBox):
    """A number with its unit; a change is told when it is complete."""

    def __init__(self, first: float, last: float, *, unit: str = "", decimals: int = 0, none: str = "") -> None:
        """`none`: what the lowest number means."""
        super().__init__()
        self.setRange(first, last)
        self.setDecimals(decimals)
        self.setSuffix(f" {unit}" if unit else "")
        self.setSpecialValueText(none)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(8, 0, 0, 0)  # a style sheet's padding does not reach it
        self.setFixedWidth(19 * self.fontMetrics().averageCharWidth())

    def textFromValue(self, value: float) -> str:
        """Without zeros that say nothing."""
        locale = QLocale()
        locale.setNumberOptions(QLocale.NumberOption.OmitGroupSeparator)
        return locale.toString(round(value, self.decimals()), "g", 15)

    def show_value(self, value: float) -> None:
        """Show it without telling; a part that it has no room for gets it."""
        with QSignalBlocker(self):
            self.setDecimals(max(self.decimals(), 0 if value == int(value) else 1))
            self.setValue(value)


class Choice(QComboBox):
    """One of some values, each by its name."""

    chosen = Signal(object)

    def __init__(self, *choices: tuple[object, str]) -> None:
        super().__init__()
        styled(self, "choice")
        self._values = [value for value, _ in choices]
        self.addItems([name for _, name in choices])
        self.activated.connect(lambda place: self.chosen.emit(self._values[place]))

    def show_value(self, value: object) -> None:
        """Show it without telling."""
        self.setCurrentIndex(self._values.index(value))


class MemoryShare(QWidget):
    """A share of the PC's memory, with what that is in gigabytes."""

    chosen = Signal(float)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(5, 95)
        self.slider.setSingleStep(5)
        self.slider.setPageStep(10)
        self.slider.setTracking(False)
        self.slider.setMinimumWidth(140)
        self.slider.setAccessibleName(name)
        self.words = QLabel(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.words.setMinimumWidth(self.fontMetrics().horizontalAdvance("100 % · 999.9 GB"))
        self._memory_bytes = 0
        self.setFocusProxy(self.slider)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        line.addWidget(self.slider, 1)
        line.addWidget(self.words)
        self.slider.valueChanged.connect(lambda percent: self.chosen.emit(percent / 100))
        self.slider.sliderMoved.connect(self._say)

    def show_value(self, share: float) -> None:
        """Show it without telling."""
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(100 * share))
        self._say(round(100 * share))

    def show_memory(self, memory_bytes: int) -> None:
        """This PC has so much; 0: unknown."""
        self._memory_bytes = memory_bytes
        self._say(self.slider.sliderPosition())

    def _say(self, percent: int) -> None:
        size = QLocale().toString(self._memory_bytes * percent / 100 / GB, "f", 1)
        words = self.tr("{percent} % · {size} GB") if self._memory_bytes else self.tr("{percent} %")
        self.words.setText(words.format(percent=percent, size=size))
        self.slider.setAccessibleDescription(self.words.text())
