"""What is typed after `idlepool lend`, read, and the rules in words."""

from __future__ import annotations

import argparse
import re
from datetime import datetime, timedelta

import msgspec

from idlepool.engine.lending_rules import DAY_MINUTES, DAYS, LendingRules, WeekHours

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MORNING = 8
_DURATION = re.compile(r"(\d+)([mhd])")
_HOURS = re.compile(r"(?:([a-z,-]+) )?(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)")
_MODES = {"when_idle": "when nobody uses it", "always": "whoever uses it", "never": "never"}


def snooze(text: str) -> timedelta | str:
    """For how long: `30m`, `1h`, `2d`; or a word that means a time, see snooze_end()."""
    if text in ("off", "until-tomorrow"):
        return text
    found = _DURATION.fullmatch(text)
    if found is None or not int(found[1]) or len(found[1]) > 4:
        raise argparse.ArgumentTypeError(f"it must be a time like 30m, 1h or 2d, until-tomorrow, or off, not {text}")
    unit = {"m": "minutes", "h": "hours", "d": "days"}[found[2]]
    return timedelta(**{unit: int(found[1])})


def snooze_end(wanted: timedelta | str, now: datetime) -> datetime | None:
    """When a snooze ends that begins now; None: there is none any more. Tomorrow begins at eight."""
    if isinstance(wanted, timedelta):
        return now + wanted
    if wanted == "off":
        return None
    return (now + timedelta(days=1)).replace(hour=_MORNING, minute=0, second=0, microsecond=0)


def rule(text: str) -> tuple[str, object]:
    """A rule by its name, `NAME=VALUE`, as LendingRules has it."""
    name, _, value = (part.strip() for part in text.partition("="))
    if name not in LendingRules.__struct_fields__ or name == "mode":
        names = ", ".join(field for field in LendingRules.__struct_fields__ if field != "mode")
        raise argparse.ArgumentTypeError(f"it must be one of {names}, with = and a value, not {text}")
    if isinstance(getattr(LendingRules(), name), bool) and value.lower() not in ("yes", "no", "true", "false"):
        raise argparse.ArgumentTypeError(f"{name} is yes or no, not {value or 'nothing'}")
    try:
        told = {name: _value(name, value)}
        return name, getattr(msgspec.convert(told, LendingRules, strict=False), name)
    except (ValueError, msgspec.ValidationError) as error:
        reason = str(error).partition(" - at ")[0]  # where in the rules, which was said already
        raise argparse.ArgumentTypeError(f"{name} cannot be {value or 'nothing'}: {reason}") from None


def _value(name: str, value: str) -> object:
    if name == "hours":
        return [msgspec.to_builtins(week_hours(part.strip().lower())) for part in value.split(";") if part.strip()]
    if name == "exclusive_programs":
        return [part.strip() for part in value.split(",") if part.strip()]
    if name == "disk_bytes" and not value:
        return None
    return {"yes": "true", "no": "false"}.get(value.lower(), value)


def week_hours(text: str) -> WeekHours:
    """`mon-fri 18:00-08:00`, `sat,sun 0:00-24:00`, or without days: every day. Raises ValueError for anything else."""
    found = _HOURS.fullmatch(text)
    if found is None:
        raise ValueError("hours are given like “mon-fri 18:00-08:00; sat,sun 0:00-24:00”")
    first, last = int(found[2]) * 60 + int(found[3]), int(found[4]) * 60 + int(found[5])
    if first >= DAY_MINUTES or last > DAY_MINUTES or int(found[3]) > 59 or int(found[5]) > 59:
        raise ValueError("a day has 24 hours of 60 minutes")
    return WeekHours(_days(found[1] or "mon-sun"), first, last)


def _days(text: str) -> tuple[int, ...]:
    days: list[int] = []
    for part in text.split(","):
        ends = part.split("-")
        if not 1 <= len(ends) <= 2 or not set(ends) <= set(_DAYS):
            raise ValueError(f"the days are {', '.join(_DAYS)}")
        first, last = _DAYS.index(ends[0]), _DAYS.index(ends[-1])
        days += [(first + number) % DAYS for number in range((last - first) % DAYS + 1)]
    return tuple(sorted(set(days)))


def hours_in_words(hours: WeekHours) -> str:
    """The same the other way round."""
    days = ",".join(_DAYS[day] for day in hours.days) if len(hours.days) < DAYS else "every day"
    return f"{days} {hours.first // 60}:{hours.first % 60:02}-{hours.last // 60}:{hours.last % 60:02}"


def rules_in_words(rules: LendingRules) -> list[tuple[str, str]]:
    """A line for each rule: what it is about, and what it says."""
    idle = f", for {rules.idle_minutes:g} minutes" if rules.mode == "when_idle" else ""
    battery = f"down to {rules.battery_at_least:g} %" if rules.on_battery else "no"
    disk = "a tenth of what is free" if rules.disk_bytes is None else f"at most {rules.disk_bytes / 1e9:.1f} GB"
    return [
        ("lends", f"{_MODES[rules.mode]}{idle}"),
        ("hours", "; ".join(map(hours_in_words, rules.hours)) or "all"),
        ("on battery", battery),
        ("metered networks", _yes(rules.on_metered)),
        ("not beside", ", ".join(rules.exclusive_programs) or "no program in particular"),
        ("full-screen programs", "pause it" if rules.pause_full_screen else "do not matter"),
        ("temperature", f"up to {rules.hottest_celsius:g} °C, where it can be read"),
        ("memory", f"at most {rules.memory_share:.0%}"),
        ("disk", disk),
        ("kept awake", "while others use it, on mains" if rules.keep_awake else "no"),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
