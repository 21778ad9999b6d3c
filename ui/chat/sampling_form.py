"""The numbers by which the next word is chosen: a field for each, which says what holds while nothing is set."""

from __future__ import annotations

# ruff: noqa: N802 - Qt's names
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import QRegularExpression, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import QDoubleSpinBox, QFormLayout, QLabel, QLineEdit, QWidget

from idlepool.engine.events import chat_sampling
from idlepool.ui.chat.prompt import DEFAULT_MAX_TOKENS
from idlepool.ui.history.values import ChatSettings
from idlepool.ui.numbers import decimal, whole

LARGEST_SEED: Final = 2**63 - 1
LONGEST_ANSWER: Final = 1_000_000

TEXT_MARGIN: Final = 8
NARROWEST: Final = 120

NEUTRAL: Final = {"top_p": 1, "top_k": 0, "min_p": 0, "repetition_penalty": 1}
"""The values with which nothing is changed."""


@dataclass(frozen=True, slots=True)
class Number:
    """A field of ChatSettings: from `least` on in steps; one step below stands for the default."""

    field: str
    words: str
    hint: str
    least: float
    most: float
    step: float
    decimals: int = 0


class NumberBox(QDoubleSpinBox):
    """Its minimum stands for a default, from which it is stepped."""

    def __init__(self, default: float, *, decimals: int, step: float) -> None:
        super().__init__(decimals=decimals, singleStep=step)
        self.setGroupSeparatorShown(True)
        self._default = default

    def stepBy(self, steps: int) -> None:
        """As the arrows, the wheel and the keys do."""
        if self.value() == self.minimum():
            self.setValue(self._default)
        super().stepBy(steps)

    def stepEnabled(self) -> QDoubleSpinBox.StepEnabledFlag:
        """The default can be gone below, although it is shown at the lowest place."""
        down = QDoubleSpinBox.StepEnabledFlag.StepDownEnabled
        return super().stepEnabled() | down if self.value() == self.minimum() else super().stepEnabled()


class SamplingForm(QWidget):
    """Reads and shows the numbers of ChatSettings; the rest of them passes through."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, QDoubleSpinBox] = {}
        self.seed = QLineEdit()
        self.seed.setPlaceholderText(self.tr("Another one each time"))
        self.seed.setValidator(QRegularExpressionValidator(QRegularExpression("[0-9]{0,19}")))
        self.seed.setToolTip(self.tr("The same number gives the same answer to the same conversation"))
        self.seed.textChanged.connect(self.changed)
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(16)
        self._form.setVerticalSpacing(8)
        for number in self._numbers():
            self._add(number)
        self._add_row(self.tr("&Seed"), self.seed)

    @property
    def problem(self) -> str:
        """What cannot be used, in a sentence; empty: all is well."""
        if int(self.seed.text() or 0) <= LARGEST_SEED:
            return ""
        return self.tr("The seed must be at most {most}.").format(most=LARGEST_SEED)

    def show_settings(self, settings: ChatSettings) -> None:
        """Show these numbers."""
        for name, field in self.fields.items():
            value = getattr(settings, name)
            field.setValue(field.minimum() if value is None else value)
        self.seed.setText("" if settings.seed is None else str(settings.seed))

    def settings(self, besides: ChatSettings) -> ChatSettings:
        """`besides` with the numbers that are shown."""
        values: dict[str, Any] = {
            name: None if field.value() == field.minimum() else round(field.value(), field.decimals() or None)
            for name, field in self.fields.items()
        }
        return replace(besides, seed=int(self.seed.text()) if self.seed.text() else None, **values)

    def _add(self, number: Number) -> None:
        default = {"max_tokens": DEFAULT_MAX_TOKENS, **_defaults()}[number.field]
        field = NumberBox(default, decimals=number.decimals, step=number.step)
        field.setRange(number.least - number.step, number.most)
        field.setMinimumWidth(NARROWEST)  # in a small window its hint would be too wide
        told = decimal(default) if number.decimals else whole(int(default))
        value = told if default != NEUTRAL.get(number.field) else self.tr("off")
        field.setSpecialValueText(self.tr("Default ({value})").format(value=value))
        field.setValue(field.minimum())
        field.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
        field.setToolTip(number.hint)
        field.setAccessibleDescription(number.hint)
        field.textChanged.connect(self.changed)
        self.fields[number.field] = field
        self._add_row(number.words, field)

    def _add_row(self, words: str, field: QWidget) -> None:
        label = QLabel(words)
        label.setBuddy(field)
        label.setFixedHeight(field.sizeHint().height())
        label.setMinimumWidth(label.sizeHint().width() + 4)  # an underlined letter makes it wider than Qt counts
        field.setAccessibleName(words.replace("&", ""))
        self._form.addRow(label, field)

    def _numbers(self) -> tuple[Number, ...]:
        return (
            Number(
                "temperature",
                self.tr("&Temperature"),
                self.tr("0: always the likeliest word; higher: more variety, and more nonsense"),
                *(0, 2, 0.1, 2),
            ),
            Number(
                "top_p",
                self.tr("Top-&p"),
                self.tr("Only the likeliest words that together have this probability; 1: all"),
                *(0.05, 1, 0.05, 2),
            ),
            Number("top_k", self.tr("Top-&k"), self.tr("Only so many of the likeliest words; 0: all"), 0, 1000, 1),
            Number(
                "min_p",
                self.tr("&Min-p"),
                self.tr("Only words at least this share as likely as the likeliest; 0: all"),
                *(0, 1, 0.05, 2),
            ),
            Number(
                "repetition_penalty",
                self.tr("&Repetition penalty"),
                self.tr("Above 1: words that were said already become less likely"),
                *(0.5, 2, 0.05, 2),
            ),
            Number(
                "max_tokens",
                self.tr("&Longest answer, in tokens"),
                self.tr("An answer ends there; it can be gone on with. A token is about three quarters of a word"),
                *(16, LONGEST_ANSWER, 16),
            ),
        )


def _defaults() -> dict[str, float]:
    sampling = chat_sampling()
    names = ("temperature", "top_p", "top_k", "min_p", "repetition_penalty")
    return {name: getattr(sampling, name) for name in names}
