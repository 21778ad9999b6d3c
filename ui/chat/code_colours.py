"""The colours of highlighted code in light and dark: each has a contrast of at least 4.5 to its ground (WCAG AA)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from idlepool.ui.chat.highlighting import Kind
from idlepool.ui.theme import LIGHT, Colours, colours

_ON_LIGHT: Final[Mapping[Kind, str]] = {
    "keyword": "#8b1a6b",
    "text": "#1a6b3c",
    "comment": "#5c6670",
    "number": "#914700",
    "name": "#1d5fa8",
    "added": "#1a6b3c",
    "removed": "#9a2c1f",
}
_ON_DARK: Final[Mapping[Kind, str]] = {
    "keyword": "#e29bd0",
    "text": "#8fd0a0",
    "comment": "#8d98a3",
    "number": "#e8b27a",
    "name": "#8ab8ef",
    "added": "#8fd0a0",
    "removed": "#f0a79d",
}


def code_colours(theme: Colours | None = None) -> Mapping[Kind, str]:
    """A colour for each kind, in the theme that the application is drawn in unless another is given."""
    return _ON_LIGHT if (theme or colours()) is LIGHT else _ON_DARK
