"""Lending in words for the owner of the PC: why it lends or not, for how long, and who uses it."""

from __future__ import annotations

from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from idlepool.engine.events import LendingChanged, LentLayers

MORNING = 8
"""When tomorrow begins."""

NIGHT_ENDS = 5
"""Before this hour whoever is still up means the morning of the same day by it."""

WEEK = timedelta(days=6)
"""A day that is further away is not told by its name alone."""

NEAR = timedelta(hours=3)
"""A time of day that is so near needs no day, also across midnight."""


def reason(lending: LendingChanged, now: datetime | None = None) -> str:
    """Why this PC lends or not. One that a newer node gives is shown in its own words."""
    words = {
        "never": _tr("You chose to lend nothing"),
        "leaving": _tr("This PC goes to sleep or is shut down"),
        "snoozed": _tr("Snoozed until {time}"),
        "on battery": _tr("This PC runs on battery"),
        "battery low": _tr("The battery is low"),
        "metered network": _tr("The network is metered"),
        "outside hours": _tr("Outside the hours you chose"),
        "idle time unknown": _tr("Idlepool cannot tell whether you use this PC"),
        "user active": _tr("You use this PC"),
        "program running": _tr("A program runs that wants this PC for itself"),
        "full-screen program": _tr("A program fills the screen"),
        "too hot": _tr("This PC is too hot"),
        "memory cap": _tr("All the memory you lend is in use"),
        "disk cap": _tr("All the disk space you lend is in use"),
        "idle": _tr("Nobody uses this PC"),
        "always": _tr("You chose to lend always"),
    }
    told = words.get(lending.reason, lending.sentence)
    if lending.reason == "snoozed" and lending.snoozed_until is not None:
        return told.format(time=moment(lending.snoozed_until, now or datetime.now().astimezone()))
    return told


def fixed(lending: LendingChanged | None) -> str:
    """Why no rules can be chosen although the node runs; empty where they can, or where that is not known."""
    if lending is None or lending.rules is not None:
        return ""
    return _tr(
        "Idlepool was started to lend always (--lend always), so no rules hold. To choose again, end it and start it"
        " without that."
    )


def moment(when: datetime, now: datetime) -> str:
    """A time of day, with its day where that is another one and not near."""
    here = when.astimezone()
    locale = QLocale()
    time = locale.toString(QTime(here.hour, here.minute), QLocale.FormatType.ShortFormat)
    if here.date() == now.astimezone().date() or abs(when - now) < NEAR:
        return time
    if abs(when - now) < WEEK:
        return _tr("{day} {time}").format(day=locale.dayName(here.isoweekday()), time=time)
    date = locale.toString(QDate(here.year, here.month, here.day), QLocale.FormatType.ShortFormat)
    return _tr("{day} {time}").format(day=date, time=time)


def left(until: datetime, now: datetime) -> str:
    """How long that is from now, in words; empty where it is over."""
    minutes = -(-(until - now) // timedelta(minutes=1))
    if minutes <= 0:
        return ""
    if minutes < 60:
        return _tr("{minutes} min left").format(minutes=minutes)
    return _tr("{hours} h {minutes} min left").format(hours=minutes // 60, minutes=minutes % 60)


def tomorrow(now: datetime) -> datetime:
    """When a snooze "until tomorrow" ends: in the morning, by the PC's own clock."""
    day = (now.astimezone() + timedelta(days=not _is_night(now))).date()
    return datetime(day.year, day.month, day.day, MORNING).astimezone()


def snoozes(now: datetime) -> tuple[tuple[str, datetime], ...]:
    """How long a snooze may be, in words, and when it would end."""
    morning = tomorrow(now)
    words = _tr("Until the morning ({time})") if _is_night(now) else _tr("Until tomorrow ({time})")
    return (
        (_tr("For 30 minutes"), now + timedelta(minutes=30)),
        (_tr("For 1 hour"), now + timedelta(hours=1)),
        (words.format(time=moment(morning, now)), morning),
    )


def _is_night(now: datetime) -> bool:
    return now.astimezone().hour < NIGHT_ENDS


def guests(lent_to: tuple[LentLayers, ...]) -> str:
    """Who uses this PC, in a few words."""
    names = list(dict.fromkeys(one.name for one in lent_to))
    if len(names) == 1:
        return _tr("Lending to {pc}").format(pc=names[0])
    return _tr("Lending to {count} PCs").format(count=len(names))


def lent(one: LentLayers) -> str:
    """What somebody uses: "Layers 12–23 of llama for PC-3"."""
    model, last = one.model or _tr("a model"), one.last - 1
    if one.first == last:
        return _tr("Layer {layer} of {model} for {pc}").format(layer=last, model=model, pc=one.name)
    words = _tr("Layers {first}–{last} of {model} for {pc}")
    return words.format(first=one.first, last=last, model=model, pc=one.name)


def lent_in_full(one: LentLayers, now: datetime) -> str:
    """The same with the memory it takes and since when."""
    memory = QLocale().formattedDataSize(one.bytes, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)
    words = _tr("{what} · {memory}, since {time}")
    return words.format(what=lent(one), memory=memory, time=moment(one.since, now))


def _tr(text: str) -> str:
    return QCoreApplication.translate("LendingWords", text)
