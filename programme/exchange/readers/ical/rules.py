"""Checks recurrence rules of iCalendar (RFC 5545, section 3.3.10) before a library follows them.

Libraries look for the next time until the year 9999: a rule that no day fits would keep them busy for
minutes. So only rules with parts that festivals use are followed, and only if a day fits them.
"""

import re
from datetime import date
from math import prod

from django.utils.translation import gettext as _

_WEEKDAY = "(?:MO|TU|WE|TH|FR|SA|SU)"
_MONTH_DAY = "[+-]?0?(?:[1-9]|[12][0-9]|3[01])"


def _list_of(pattern: str) -> str:
    return f"{pattern}(?:,{pattern})*"


_PARTS = {
    "FREQ": "DAILY|WEEKLY|MONTHLY|YEARLY",
    "INTERVAL": "[1-9][0-9]{0,2}",
    "COUNT": "[1-9][0-9]{0,7}",
    "UNTIL": ".*",
    "WKST": _WEEKDAY,
    "BYDAY": _list_of(rf"(?:[+-]?0?[1-5])?{_WEEKDAY}"),
    "BYMONTH": _list_of("(?:0?[1-9]|1[0-2])"),
    "BYMONTHDAY": _list_of(_MONTH_DAY),
    "BYHOUR": _list_of("(?:[01]?[0-9]|2[0-3])"),
    "BYMINUTE": _list_of("[0-5]?[0-9]"),
    # Every month has four of each weekday.
    "BYSETPOS": _list_of("[+-]?[1-4]"),
}
_MONTHS = range(1, 13)
_DAYS_IN_MONTH = dict(zip(_MONTHS, (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31), strict=True))
_WEEK = 7
_BY = ("BYDAY", "BYMONTH", "BYMONTHDAY", "BYHOUR", "BYMINUTE", "BYSETPOS")
# The days of a period, and how often it has each weekday.
_PERIODS = {"DAILY": (1, 1), "WEEKLY": (7, 1), "MONTHLY": (28, 5), "YEARLY": (365, 53)}
# Looking at so many days takes a library as long as one day of a daily rule.
_DAYS_AT_ONCE = {"DAILY": 1, "WEEKLY": 4, "MONTHLY": 5, "YEARLY": 15}


# Days that a daily rule may look at: less than a second of work.
_EFFORT = 200_000


class RuleError(ValueError):
    """A rule is not followed; the message says why."""


def parse_rule(text: str) -> dict[str, str]:
    """Return the parts of a rule by their names; raises `RuleError` for parts that are not followed."""
    parts = dict(part.split("=", 1) for part in re.sub(r"\s", "", text.upper()).split(";") if "=" in part)
    if not parts.get("FREQ"):
        raise RuleError(_("its rule does not say how often it recurs"))
    for name, value in parts.items():
        if value and not name.startswith("X-") and not re.fullmatch(_PARTS.get(name, "$"), value):
            raise RuleError(
                _("its rule has a part that is not read here: %(part)s") % {"part": f"{name}={value}"[:40]}
            )
    return {name: parts[name] for name in _PARTS if parts.get(name)}


def require_fitting_day(rule: dict[str, str], start: date) -> None:
    """Raise `RuleError` where no day may fit a rule."""
    interval = int(rule.get("INTERVAL", 1))
    ordinals = len(re.findall(r"\d", rule.get("BYDAY", "")))
    fits = _fits_month_days(rule, start, interval)
    if rule["FREQ"] == "DAILY" and "BYDAY" in rule:
        fits = fits and interval % _WEEK > 0
    if ordinals:
        # The library takes mixed weekdays, "WE,1MO", for those that are both.
        fits = fits and ordinals == _listed(rule, "BYDAY") and "BYMONTHDAY" not in rule
        fits = fits and (interval == 1 or "5" not in rule["BYDAY"])
    if "BYSETPOS" in rule:
        monthly = rule["FREQ"] in {"MONTHLY", "YEARLY"}
        fits = fits and monthly and "BYDAY" in rule and "BYMONTHDAY" not in rule and not ordinals
    if not fits:
        raise RuleError(_("its rule may fit no day at all"))


def require_bounded(rule: dict[str, str], days: int) -> None:
    """Raise `RuleError` for a rule that takes as long to follow as too many days of a daily one."""
    effort = max(days, 0) * _listed(rule, *_BY)
    if effort // (_DAYS_AT_ONCE[rule["FREQ"]] * int(rule.get("INTERVAL", 1))) > _EFFORT:
        raise RuleError(_("its rule would take too long to follow"))


def most_times(rule: dict[str, str], days: int) -> int:
    """Return how often a rule recurs at most within so many days."""
    period, weekdays = _PERIODS[rule["FREQ"]]
    times = _listed(rule, "BYHOUR", "BYMINUTE")
    if rule["FREQ"] != "DAILY":
        times *= _listed(rule, "BYDAY", "BYMONTHDAY", "BYMONTH") * (weekdays if "BYDAY" in rule else 1)
    periods = max(days, 0) // (period * int(rule.get("INTERVAL", 1))) + 1
    return min(periods * times, int(rule.get("COUNT", periods * times)))


def _listed(rule: dict[str, str], *names: str) -> int:
    return prod(rule.get(name, "").count(",") + 1 for name in names)


def _fits_month_days(rule: dict[str, str], start: date, interval: int) -> bool:
    days = _numbers(rule, "BYMONTHDAY")
    if not days and "BYDAY" not in rule and rule["FREQ"] in {"MONTHLY", "YEARLY"}:
        days = {start.day}
    months = _numbers(rule, "BYMONTH") or set(_MONTHS)
    if rule["FREQ"] == "MONTHLY":
        months &= {(start.month - 1 + step * interval) % 12 + 1 for step in _MONTHS}
    # Every other year, say, need not be a leap year.
    longest = _DAYS_IN_MONTH | ({2: 28} if interval > 1 else {})
    return any(abs(day) <= longest[month] for month in months for day in days or {1})


def _numbers(rule: dict[str, str], name: str) -> set[int]:
    return set(map(int, rule[name].split(","))) if name in rule else set()
