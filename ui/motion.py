"""Whether things may move by themselves: some people get sick or distracted by it, and tell their system so."""

from __future__ import annotations

from PySide6.QtWidgets import QStyle, QWidget


def motion_wanted(widget: QWidget) -> bool:
    """Whether the system wants animations. Qt tells it by the time that they may take: none."""
    return widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget) > 0
