"""Occasions as editors enter them: festival day, start and end as clock times, rarely an end date."""

import datetime as dt
from typing import Any, NamedTuple

from django.contrib import admin
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.festival_time import FestivalTime, Length, SkippedTimeError
from programme.backoffice.forms.base import ProgrammeForm
from programme.backoffice.forms.fields import UNLIKELY_YEAR, DayField, EndField, StartField, missing_hour
from programme.backoffice.forms.places import PlaceField, name_place, place_key
from programme.changes.difference import format_times
from programme.models import Occasion
from programme.models.dates import format_day
from programme.models.festival_time import festival_time
from programme.models.occasions import FIRST_INSTANT, LAST_INSTANT

ENTRY = ["day", "start_time", "end_time", "end_date"]
# An exhibition may last a year and some weeks; what is longer has a mistyped year.
LONGEST = dt.timedelta(days=400)


class EnteredTimes(NamedTuple):
    """What an editor enters for the time of an occasion, in the order of `ENTRY`."""

    day: dt.date
    start_time: dt.time
    end_time: dt.time
    end_date: dt.date | None


def occasion_times(start: dt.datetime, end: dt.datetime, festival: FestivalTime) -> EnteredTimes:
    """Return the entry, in whole minutes, that gives two instants; no end date unless it takes one."""
    day = festival.day_of(start)
    first, last = _wall_time(start, festival), _wall_time(end, festival)
    implied = festival.occasion_span(day, first.time(), last.time())[1]
    end_date = None if _wall_time(implied, festival) == last else last.date()
    return EnteredTimes(day, first.time(), last.time(), end_date)


def _wall_time(instant: dt.datetime, festival: FestivalTime) -> dt.datetime:
    return festival.local(instant).replace(second=0, microsecond=0, tzinfo=None, fold=0)


def _keep_stored(stored: dt.datetime | None, entered: dt.datetime, festival: FestivalTime) -> dt.datetime:
    """Return the stored instant if the wall clock shows the same.

    An entry in whole minutes has no seconds and, in the night when the clock goes back, does not tell
    which of two equal times it is.
    """
    if stored is not None and _wall_time(stored, festival) == _wall_time(entered, festival):
        return stored
    return entered


class OccasionTimesMixin:
    """A model admin that shows when and where an occasion is held in words."""

    @admin.display(description=_("day"), ordering="start")
    def day(self, occasion: Occasion) -> str:
        return format_day(festival_time().day_of(occasion.start))

    @admin.display(description=_("time"))
    def time(self, occasion: Occasion) -> str:
        return format_times(occasion.start, occasion.end)

    @admin.display(description=_("location"), empty_value="")
    def place(self, occasion: Occasion) -> str:
        return name_place(occasion.location, occasion.room)


class OccasionForm(ProgrammeForm):
    day = DayField(label=capfirst(_("day")))
    start_time = StartField(label=capfirst(_("start")), help_text=_("For example 19:00, 19.30, 1930 or 19."))
    end_time = EndField(
        label=capfirst(_("end")),
        help_text=_(
            "A time, or how long it lasts: 2 h, 90 min. "
            "A time at or before the start means in the night after, as in 22:00 to 03:00."
        ),
    )
    end_date = DayField(
        label=capfirst(_("end date")),
        required=False,
        help_text=_("Only where it ends later than that."),
    )

    place = PlaceField(
        label=capfirst(_("location")),
        required=False,
        help_text=_("Search for a place or a room. A new one: write “Stadshuset – Festsalen”."),
    )

    # Whether the user may make the location, and the room, that is named.
    may_make = (False, False)

    class Meta:
        model = Occasion
        fields: list[str] = []

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            entry = occasion_times(self.instance.start, self.instance.end, festival_time())
            place = {"place": place_key(self.instance.location_id, self.instance.room_id)}
            self.initial = {**dict(zip(ENTRY, entry, strict=True)), **place, **self.initial}
        field = self.fields.get("place")
        if isinstance(field, PlaceField):
            field.may_make = self.may_make
            field.widget.stored = self.instance.location, self.instance.room

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        self._split_span()
        if self.errors.keys().isdisjoint(ENTRY):
            self._set_instants(festival_time())
        if "place" in self.changed_data and "place" in cleaned:
            self.instance.location, self.instance.room = cleaned["place"]
        return cleaned

    def _split_span(self) -> None:
        """Take the end that was typed with the start, unless another one was typed, too."""
        span = self.cleaned_data.get("start_time")
        if "start_time" in self.errors and self["start_time"].data and not self["end_time"].data:
            # It may have been meant to say both.
            self.errors.pop("end_time", None)
        if not isinstance(span, tuple):
            return
        self.cleaned_data["start_time"], end = span
        if "end_time" in self.changed_data and self["end_time"].data:
            if "end_time" not in self.errors:
                self.add_error("start_time", _("Write the end here or in its own field, not in both."))
        else:
            self.errors.pop("end_time", None)
            self.cleaned_data["end_time"] = end

    def _set_instants(self, festival: FestivalTime) -> None:
        """Set start and end, and say what is wrong with them."""
        day, clock, typed, end_date = (self.cleaned_data[name] for name in ENTRY)
        start_date = festival.calendar_date(day, clock)
        start = _keep_stored(self.instance.start, festival.instant_of_day(day, clock), festival)
        if not festival.exists(start_date, clock):
            self.add_error("start_time", missing_hour(start_date, clock))
        elif end := self._find_end(start, typed, end_date, festival):
            if end_date and end_date < start_date:
                self.add_error("end_date", _("The end date is before the start."))
            elif end <= start:
                self.add_error("end_time", _("The end must be later than the start."))
            self._refuse_unlikely(start, end)
            self.instance.start, self.instance.end = start, end

    def _find_end(
        self, start: dt.datetime, typed: dt.time | Length, date: dt.date | None, festival: FestivalTime
    ) -> dt.datetime | None:
        """Return the end, typed as a clock time or a length; None, and an error, if the clock skips it."""
        try:
            if isinstance(typed, Length):
                end = festival.add(start, typed)
                if date in {None, festival.local(end).date()}:
                    return end
                self.add_error("end_date", _("Leave it empty where the end says how long it lasts."))
                return None
            end = festival.end_after(start, typed, date)
            festival.require(date or festival.local(end).date(), typed)
        except SkippedTimeError as never:
            self.add_error("end_time", missing_hour(never.date, never.clock))
            return None
        kept = _keep_stored(self.instance.end, end, festival)
        return kept if kept > start else end

    def _refuse_unlikely(self, start: dt.datetime, end: dt.datetime) -> None:
        """Refuse what the database cannot store, and a span that is longer than before and than plausible."""
        was = self.instance.end - self.instance.start if self.instance.pk else dt.timedelta()
        if start < FIRST_INSTANT:
            self.add_error("day", UNLIKELY_YEAR)
        elif end >= LAST_INSTANT:
            self.add_error("end_time", UNLIKELY_YEAR)
        elif end - start > max(LONGEST, was):
            self.add_error(
                "end_date",
                _("That is more than %(days)d days after the start. Check the year, %(year)d.")
                % {"days": LONGEST.days, "year": festival_time().local(end).year},
            )
