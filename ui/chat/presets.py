"""Ready-made ways to answer, beside those that the user named: how freely the next word is chosen."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from idlepool.ui.history.values import ChatSettings

translate = QCoreApplication.translate


def ready_made() -> dict[str, ChatSettings]:
    """By their names, in the language of the user."""
    return {
        translate("Presets", "Balanced"): ChatSettings(),
        translate("Presets", "Precise"): ChatSettings(temperature=0.1, top_p=0.5),
        translate("Presets", "Creative"): ChatSettings(temperature=0.9, top_p=0.95, min_p=0.05),
    }


def applied(preset: ChatSettings, to: ChatSettings) -> ChatSettings:
    """The preset; what the model is told beforehand stays where the preset says nothing of it."""
    return replace(preset, system_prompt=preset.system_prompt or to.system_prompt)
