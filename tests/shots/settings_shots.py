"""The settings page, from its beginning to its end."""

from __future__ import annotations

from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget
from shots.shot import SETTLE_MS, SIZES, Shot, wait_until

from idlepool.ui.main_window import MainWindow


def act(window: MainWindow, section: int, click: str, dialog: bool) -> QWidget | None:
    """Go to a section, and click one of its buttons; the window, or the dialog that opens."""
    page = window.settings_page
    window.show_page(page)
    wait_until(lambda: page.lending.rows["mode"].isEnabled() or window.state.lending is not None)
    QTest.qWait(SETTLE_MS)
    page.show_section(section)
    page.section_list.mark(section)
    target: object = page
    for name in filter(None, click.split(".")):
        target = getattr(target, name)
    if click:
        target.click()
    QTest.qWait(SETTLE_MS)
    return next(found for found in window.findChildren(QDialog) if found.isVisible()) if dialog else None


def shot(
    name: str,
    section: int = 0,
    click: str = "",
    *,
    play: tuple[str, ...] = (),
    dialog: bool = False,
    sizes: tuple[tuple[int, int], ...] = SIZES,
) -> Shot:
    node = ("--pairs", "idle-1", "idle-2", "lagoon", "--play", "settings", *play)
    return Shot(f"settings-{name}", partial(act, section=section, click=click, dialog=dialog), node, sizes)


NARROW = ((420, 480), (480, 900))
SHOTS = [
    shot("lending"),
    shot("in-use", play=("in-use",), sizes=((1280, 1900),)),
    shot("snoozed", play=("snoozed",), sizes=((900, 600),)),
    shot("always", play=("always",), sizes=((900, 600),)),
    shot("pool", 1),
    shot("api", 3, play=("api",)),
    shot("api-broken", 3, play=("broken-api",), sizes=((900, 600),)),
    shot("window", 4),
    shot("licences", 5, "about.licences", dialog=True, sizes=((900, 600),)),
    shot("programs", 0, "lending.programs.choose", play=("in-use",), dialog=True, sizes=((900, 600),)),
    shot("narrow", 0, play=("in-use",), sizes=NARROW),
    shot("narrow-end", 4, play=("api",), sizes=NARROW),
]
