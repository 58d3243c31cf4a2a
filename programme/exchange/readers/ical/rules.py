"""Checks recurrence rules of iCalendar (RFC 5545, section 3.3.10) before a library follows them.

Only parts that calendars write are followed. They recur once a day at most, and where no day fits, the
library has looked as far as the year 9999 within seconds.
"""

import re

from django.utils.translation import gettext as _


def _list_of(pattern: str) -> str:
    return f"{pattern}(?:,{pattern})*"


_WEEKDAY = "(?:MO|TU|WE|TH|FR|SA|SU)"
_PARTS = {
    "FREQ": "DAILY|WEEKLY|MONTHLY|YEARLY",
    "INTERVAL": "[1-9][0-9]{0,2}",
    "COUNT": "[1-9][0-9]{0,7}",
    "UNTIL": ".*",
    "WKST": _WEEKDAY,
    "BYDAY": _list_of(rf"(?:[+-]?0?[1-5])?{_WEEKDAY}"),
    "BYMONTH": _list_of("(?:0?[1-9]|1[0-2])"),
    "BYMONTHDAY": _list_of("[+-]?0?(?:[1-9]|[12][0-9]|3[01])"),
    # Every month has four of each weekday.
    "BYSETPOS": _list_of("[+-]?[1-4]"),
}
_NOT_DAILY = {"BYMONTH", "BYMONTHDAY", "BYSETPOS"}


class RuleError(ValueError):
    """A rule is not followed; the message says why."""


def parse_rule(text: str) -> dict[str, str]:
    """Return the parts of a rule by their names; raises `RuleError` for parts that are not followed."""
    parts = dict(part.split("=", 1) for part in re.sub(r"\s", "", text.upper()).split(";") if "=" in part)
    if not parts.get("FREQ"):
        raise RuleError(_("its rule does not say how often it recurs"))
    for name, value in parts.items():
        is_known = re.fullmatch(_PARTS.get(name, "$"), value) and not (
            parts["FREQ"] == "DAILY" and name in _NOT_DAILY
        )
        if value and not name.startswith("X-") and not is_known:
            message = _("its rule has a part that is not read here: %(part)s")
            raise RuleError(message % {"part": f"{name}={value}"[:40]})
    return {name: parts[name] for name in _PARTS if parts.get(name)}
