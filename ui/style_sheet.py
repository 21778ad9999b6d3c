"""The style sheet that the whole window is drawn with: the kinds of widgets by their object names, see theme.py."""

from __future__ import annotations

from string import Template
from typing import Final

STYLE: Final = Template("""
* { outline: none; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolTip { color: $text; background: $surface; border: 1px solid $border; padding: 4px; }
#header, #footer { background: $window; }
#header { border-bottom: 1px solid $border; }
#sidebar { background: $surface; border-right: 1px solid $border; }
QToolButton#nav { background: transparent; border: 1px solid transparent; text-align: left; padding: 6px 7px; }
QToolButton#nav:hover { background: $hover; }
QToolButton#nav:checked { background: $hover; font-weight: 600; }
QToolButton#nav:focus { border: 1px solid $control; }
QFrame#drawer { background: $surface; border: none; border-right: 1px solid $border; }
QListView#conversations { background: transparent; border: none; }
QLineEdit#search { background: $window; padding: 6px 2px; placeholder-text-color: $muted; }
QLineEdit#inPlace { border-radius: 6px; padding: 0 6px; selection-background-color: $accent; }
QFrame#undoBar { background: $hover; border-radius: 8px; }
QPushButton#link { color: $link; background: transparent; border: 1px solid transparent; padding: 4px 8px; }
QPushButton#link:hover { background: $surface; }
QPushButton#link:focus { border: 1px solid $control; }
#muted { color: $muted; }
#headline { font-weight: 600; }

QPushButton, QToolButton, QComboBox {
  color: $text; background: $surface; border: 1px solid $border; border-radius: 8px; padding: 6px 12px;
}
QPushButton#menu { padding: 6px 18px 6px 12px; }
QPushButton::menu-indicator {
  image: url("$chevron"); width: 14px; height: 14px; subcontrol-origin: border; subcontrol-position: right center;
  right: 10px;
}
QPushButton:hover, QToolButton:hover, QComboBox:hover { background: $hover; }
QPushButton:focus, QToolButton:focus, QComboBox:focus { border: 1px solid $control; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: $muted; background: $window; }
QPushButton#primary { color: $on_accent; background: $accent; border: 1px solid $accent; font-weight: 600; }
QPushButton#primary:hover { background: $accent_hover; }
QPushButton#primary:focus { border: 1px solid $text; }
QPushButton#primary:disabled { color: $muted; background: $hover; border: 1px solid $hover; }
QPushButton#example { text-align: left; padding: 10px 14px; border-radius: 12px; }
QPushButton#pool { color: $muted; background: transparent; padding: 6px 10px; }
QPushButton#pool:hover:enabled { color: $text; background: $hover; }
QPushButton#pool:focus { border: 1px solid $control; }
QPushButton#pool:disabled { background: transparent; border: 1px solid transparent; }
QPushButton#jump { border-radius: 14px; padding: 5px 14px; }
QToolButton#icon { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 5px; }
QToolButton#tool { background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 2px 4px; }
QToolButton#icon:hover, QToolButton#icon:checked, QToolButton#tool:hover, QToolButton#tool:checked {
  background: $hover;
}
QToolButton#icon:focus, QToolButton#tool:focus { border: 1px solid $control; }
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
QScrollArea#files, #fileRows { background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar::handle:vertical { background: $border; border-radius: 4px; min-height: 36px; margin: 2px; }
QScrollBar::handle:vertical:hover { background: $muted; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle:horizontal { background: $border; border-radius: 4px; min-width: 36px; margin: 2px; }
QScrollBar::handle:horizontal:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {
  background: transparent; border: none; height: 0; width: 0;
}

#answer { background: $surface; border: 1px solid $border; border-radius: 14px; }
#question { background: $accent; border: 1px solid $accent; border-radius: 14px; }
#answer QTextBrowser, #question QTextBrowser { background: transparent; border: none; }
#answer QTextBrowser { color: $text; }
#question QTextBrowser { color: $on_accent; selection-background-color: $on_accent; selection-color: $accent; }
#question[edited="true"] { border: 2px solid $text; }
#answer[found="true"] { border: 2px solid $control; }
#question[found="true"] { border: 2px solid $text; }
#question #attached { color: $on_accent; font-weight: 600; }
#chip { background: $hover; border: 1px solid $border; border-radius: 8px; }
#chip QLabel { color: $text; }
#chip #muted { color: $muted; }
#codeBlock { background: $code; border-radius: 8px; }
QToolButton#copy, QToolButton#thought {
  color: $muted; background: transparent; border: 1px solid transparent; border-radius: 6px; padding: 3px 8px;
}
QToolButton#thought { padding: 2px 6px 2px 0; }
#thoughts { border: none; border-left: 2px solid $border; }
#answer #thoughts QTextBrowser { color: $muted; }
QToolButton#copy:hover, QToolButton#thought:hover { color: $text; background: $hover; }
QToolButton#copy:focus, QToolButton#thought:focus { border: 1px solid $control; }
#drop {
  color: $text; background: $hover; border: 2px dashed $control; border-radius: 14px; font-weight: 600;
}
#failure { background: $error_ground; border-radius: 8px; }
#failure QLabel { color: $error; }

#composer { background: $surface; border: 1px solid $border; border-radius: 14px; }
#composer[active="true"] { border: 1px solid $control; }
QPlainTextEdit#prompt {
  color: $text; placeholder-text-color: $muted; background: $surface;
  border: 1px solid $border; border-radius: 8px; padding: 4px 6px;
}
QPlainTextEdit#prompt:focus { border: 1px solid $control; }
#composer QPlainTextEdit { color: $text; placeholder-text-color: $muted; background: transparent; border: none; }

#banner { background: $notice_ground; border: 1px solid $notice_border; border-radius: 10px; }
#banner QLabel, #banner QToolButton, #banner QCheckBox { color: $notice; }

QMenu { color: $text; background: $surface; border: 1px solid $border; padding: 6px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 6px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $muted; background: transparent; }
QMenu::indicator { width: 16px; height: 16px; left: 4px; }
QMenu::indicator:checked { image: url("$check"); }
QMenu::separator { background: $border; height: 1px; margin: 6px 8px; }

QLineEdit {
  color: $text; placeholder-text-color: $muted; background: $surface;
  border: 1px solid $border; border-radius: 8px; padding: 6px 8px;
}
QLineEdit:focus { border: 1px solid $control; }
#card { background: $surface; border: 1px solid $border; border-radius: 10px; }
#line { background: $border; border: none; }
#problem { color: $error; }
QPlainTextEdit#report, QListWidget#choices {
  color: $text; background: $surface; border: 1px solid $border; border-radius: 8px; padding: 8px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QPlainTextEdit#report:focus, QListWidget#choices:focus { border: 1px solid $control; }
QListWidget#choices::item { padding: 5px 4px; border-radius: 6px; }
QListWidget#choices::item:selected { color: $on_accent; background: $accent; }
#badge {
  color: $notice; background: $notice_ground; border: 1px solid $notice_border; border-radius: 7px; padding: 0 6px;
}
QPushButton#section { color: $muted; background: transparent; border: 1px solid transparent; text-align: left; }
QPushButton#section:hover { background: $hover; }
QPushButton#section:checked { color: $text; font-weight: 600; }
QPushButton#section:focus { border: 1px solid $control; }
#undo { background: $surface; border-top: 1px solid $border; }
QComboBox#choice { font-weight: 400; background: $surface; border: 1px solid $border; padding: 6px 8px 6px 10px; }
QComboBox#choice:hover { background: $hover; }
QComboBox#choice:focus { border: 1px solid $control; }
QAbstractSpinBox {
  color: $text; background: $surface; border: 1px solid $border; border-radius: 8px; padding: 6px 24px 6px 10px;
  selection-background-color: $accent; selection-color: $on_accent;
}
QAbstractSpinBox:focus { border: 1px solid $control; }
QAbstractSpinBox:disabled { color: $muted; background: $window; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {
  subcontrol-origin: border; width: 22px; border: none; background: transparent;
}
QAbstractSpinBox::up-button { subcontrol-position: top right; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; }
QAbstractSpinBox::up-arrow { image: url("$chevron_up"); width: 12px; height: 12px; }
QAbstractSpinBox::down-arrow { image: url("$chevron"); width: 12px; height: 12px; }
QRadioButton { color: $text; border: 1px solid transparent; border-radius: 6px; padding: 4px; spacing: 8px; }
QRadioButton:disabled, QCheckBox:disabled { color: $muted; }
QRadioButton:focus { border: 1px solid $control; }
QRadioButton::indicator { width: 8px; height: 8px; border: 5px solid $surface; border-radius: 9px; }
QRadioButton::indicator:unchecked { width: 14px; height: 14px; border: 2px solid $muted; background: $surface; }
QRadioButton::indicator:checked { border: 5px solid $control; background: $on_accent; }
QRadioButton::indicator:checked:disabled { border: 5px solid $muted; background: $surface; }
QCheckBox { color: $text; border: 1px solid transparent; border-radius: 6px; padding: 4px; spacing: 8px; }
QCheckBox#bare { spacing: 0; }
QCheckBox:focus { border: 1px solid $control; }
QCheckBox::indicator { width: 14px; height: 14px; border: 2px solid $muted; border-radius: 5px; background: $surface; }
QCheckBox::indicator:hover { border: 2px solid $control; }
QCheckBox::indicator:checked { border: 2px solid $control; background: $control; image: url("$tick"); }
QCheckBox::indicator:disabled { border: 2px solid $border; background: $window; }
QCheckBox::indicator:checked:disabled { image: url("$check"); }
QSlider:horizontal { min-height: 22px; }
QSlider::groove:horizontal { background: $border; height: 6px; border-radius: 3px; }
QSlider::sub-page:horizontal { background: $control; border-radius: 3px; }
QSlider::handle:horizontal {
  background: $control; border: 2px solid $surface; width: 16px; height: 16px; margin: -7px 0; border-radius: 10px;
}
QSlider::handle:horizontal:focus { border: 2px solid $text; }
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled { background: $muted; }
#code { color: $text; background: $surface; border: 1px solid $border; border-radius: 12px; padding: 14px; }
#failed { color: $error; background: $error_ground; border-radius: 8px; padding: 8px 12px; }
QPushButton#status { background: transparent; border: 1px solid transparent; text-align: left; padding: 0; }
QPushButton#status:hover { background: $hover; }
QPushButton#status:focus { border: 1px solid $control; }
#pc { background: $surface; border: 1px solid $border; border-radius: 10px; }
#stage { background: $window; border: 1px solid $border; border-radius: 10px; }
#stage:focus { border: 2px solid $control; }
#good { color: $good; }
#busy { color: $busy; }
#bad { color: $error; }

QProgressBar { background: $hover; border: none; border-radius: 4px; max-height: 8px; }
QProgressBar::chunk { background: $control; border-radius: 4px; }
""")
