"""What becomes of an occasion, in one line of readers' words."""

import datetime as dt
from typing import Any

from django.utils.translation import gettext as _

from feeds.wording import format_clock_span, format_dated_span, isolate
from programme.backoffice.dates import editor_language
from programme.history.timeline import RowNames
from programme.models import Location, Room
from programme.models.festival_time import festival_time

ARROW = " → "
State = dict[str, Any]


def describe_occasion(now: State, then: State, names: RowNames, labels: list[str]) -> str:
    """Return `ons 29 jul 2026 14:00–15:00 → 12:00–13:00, Parken → Torget`; `labels` if it is none of that."""
    places = [_name_place(each, names) for each in (now, then)]
    states = [_("cancelled") if each["cancelled"] else _("takes place") for each in (now, then)]
    other = [ARROW.join(pair) for pair in (places, states) if pair[0] != pair[1]]
    if (now["start"], now["end"]) != (then["start"], then["end"]):
        times = f"{_format_span(now)}{ARROW}{_format_times(now, then)}"
        return ", ".join([times, *other])
    return f"{_format_span(now)}: {', '.join(other or labels)}"


def _format_span(state: State) -> str:
    return format_dated_span(festival_time().span(state["start"], state["end"]), editor_language())


def _format_times(now: State, then: State) -> str:
    """Return the span, with its day where that is another."""
    if _find_day(now) != _find_day(then) or festival_time().is_long(then["start"], then["end"]):
        return _format_span(then)
    return format_clock_span(then["start"], then["end"], festival_time())


def _find_day(state: State) -> dt.date:
    return festival_time().local(state["start"]).date()


def _name_place(state: State, names: RowNames) -> str:
    """Return the room or the location that an occasion states."""
    found = names.find(Room, state["room_id"]) or names.find(Location, state["location_id"])
    return isolate(found) if found else _("where its event is")
