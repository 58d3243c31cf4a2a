"""Times while they are typed: scripts ask what they are, and what follows from them."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django import forms

from feeds.day_layout import DAY, HOUR, MINUTE, count_minutes, find_instant
from feeds.festival_time import Length, SkippedTimeError
from programme.backoffice.forms import fields
from programme.models.dates import format_day
from programme.models.festival_time import festival_time

# Of the day on which the clock goes back.
LONGEST_DAY = DAY + HOUR
# Without a day only the clock times count.
ANY_DAY = dt.date(2000, 1, 1)


class TypedStartForm(forms.Form):
    """A row of an occasion, with its start as it is typed and as it was before."""

    start = fields.StartField(required=False)
    before = fields.ClockField(required=False)
    end = fields.EndField(required=False)
    day = fields.DayField(required=False)


def follow_start(typed: Mapping[str, str]) -> dict[str, str]:
    """Return the fields that follow from a start: itself as `18:30`, the end, and of `+2 h` the day.

    The end is as long after it as before. What cannot be read is left to the form. `when` has the day, too.
    """
    form, festival = TypedStartForm(typed), festival_time()
    form.is_valid()
    start, before, end, day = (form.cleaned_data.get(each) for each in form.fields)
    if isinstance(start, tuple):
        return {"start": f"{start[0]:%H:%M}", "end": f"{start[1]:%H:%M}"}
    written = typed.get("start", "").strip()
    was = before and dt.datetime.combine(festival.calendar_date(day or ANY_DAY, before), before)
    found: dict[str, str] = {}
    if start is not None:
        begins = dt.datetime.combine(festival.calendar_date(day or ANY_DAY, start), start)
        if day:
            found["when"] = f"{format_day(day)} {start:%H:%M}"
    elif day and was and written.startswith("+") and (delay := fields.parse_span(written)):
        begins = was + delay.usual
        found["day"] = f"{begins - festival.first_hour * HOUR * MINUTE:%Y-%m-%d}"
    else:
        return {}
    if was and isinstance(end, dt.time):
        found["end"] = f"{dt.datetime.combine(was, end) + (begins - was):%H:%M}"
    return found | {"start": f"{begins:%H:%M}"}


class SlotForm(forms.Form):
    """What is typed on the timetable beside the minute and the length that it replaces."""

    minute = forms.IntegerField(min_value=-DAY, max_value=2 * DAY)
    minutes = forms.IntegerField(min_value=1, max_value=1000 * DAY)
    start = fields.StartField(required=False)
    end = fields.EndField(required=False)


def read_slot(typed: Mapping[str, str], date: dt.date) -> dict[str, Any]:
    """Return the minute of a day and the length, or why a field is refused."""
    form, festival = SlotForm(typed), festival_time()
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        return {"name": name, "refused": " ".join(map(str, errors))}
    minute, minutes, start, end = (form.cleaned_data[each] for each in form.fields)
    if isinstance(start, tuple):
        start, end = start
    begins, name = find_instant(minute, date, festival), "start"
    try:
        if start is not None:
            festival.require(festival.calendar_date(date, start), start)
            begins = festival.instant_of_day(date, start)
        ends, name = begins + minutes * MINUTE, "end"
        if isinstance(end, Length):
            ends = festival.add(begins, end)
        elif end is not None:
            ends = festival.end_after(begins, end)
    except SkippedTimeError as never:
        return {"name": name, "refused": fields.missing_hour(never.date, never.clock)}
    length = (ends - begins) // MINUTE
    if end is not None and length > LONGEST_DAY:
        return {"name": name, "refused": str(fields.EndField.default_error_messages["invalid"])}
    return {"minute": count_minutes(begins, date, festival), "minutes": length}
