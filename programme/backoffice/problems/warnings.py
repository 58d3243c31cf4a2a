"""Warnings about an event as it would be saved, shown while it is written."""

from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.problems import texts, times
from programme.backoffice.problems.bookings import (
    HeldOccasion,
    build_bookings,
    build_held_occasion,
    load_held_occasions,
)
from programme.backoffice.problems.clashes import find_overlapping
from programme.backoffice.problems.facts import load_opening_hours
from programme.backoffice.problems.problem import StrOrPromise, TimeRange
from programme.models import AreaDay, Event, Occasion, Room
from programme.models.festival_time import festival_time

# So many other occasions in the room are named.
MAX_CLASHES = 3


class EventWarning(NamedTuple):
    """Something to look at: the field's name, of a row where it is one's, what it is, and when that is."""

    row: int | None
    field: str
    text: StrOrPromise
    span: TimeRange | None = None


def find_warnings(event: Event, occasions: list[Occasion]) -> list[EventWarning]:
    """Return the warnings about an event and its occasions, saved or not, in four queries at most.

    `row` is the occasion's place in the list. Warnings do not prevent saving.
    """
    rows = [
        build_held_occasion(occasion, event)._replace(id=-number)
        for number, occasion in enumerate(occasions, 1)
    ]
    found = [
        *_find_clashes(event, rows),
        *_check_times(event, rows),
        *_check_gaps(event, rows),
        *_check_texts(event),
    ]
    # Rows first: times and rooms are the most urgent.
    return sorted(found, key=lambda warned: (warned.row is None, warned.row or 0))


def _find_clashes(event: Event, rows: list[HeldOccasion]) -> Iterator[EventWarning]:
    mine = {booking.occasion: booking for booking in build_bookings(rows)}
    if not mine:
        return
    rooms = {booking.room for booking in mine.values()}
    around = Q(
        start__lt=max(booking.end for booking in mine.values()),
        end__gt=min(booking.start for booking in mine.values()),
    )
    others = list(load_held_occasions(around & Q(venue_room__in=rooms) & ~Q(event=event.pk)))
    events = dict(Event.objects.filter(pk__in={each.event for each in others}).values_list("pk", "title"))
    titles = {each.id: events[each.event] for each in others} | dict.fromkeys(mine, event.title)
    spans = {each.id: TimeRange(each.start, each.end) for each in [*others, *rows]}
    taken = [*build_bookings(others), *mine.values()]
    named = Room.objects.filter(pk__in=rooms).select_related("location")
    names = {room.pk: str(room) for room in named}
    for key, booking in mine.items():
        for other in find_overlapping(booking, taken)[:MAX_CLASHES]:
            text = format_lazy(
                _("{room} is taken then: {event}"), room=names[booking.room], event=titles[other.occasion]
            )
            yield EventWarning(-key - 1, "start_time", text, spans[other.occasion])


def _check_times(event: Event, rows: list[HeldOccasion]) -> Iterator[EventWarning]:
    festival = festival_time()
    days = [festival.day_of(each.start) for each in rows]
    hours = load_opening_hours(AreaDay.objects.filter(area=event.area_id, day__date__in=days)) if rows else {}
    for number, (day, each) in enumerate(zip(days, rows, strict=True)):
        open_then = hours.get((event.area_id, day))
        if open_then and times.is_outside(each, festival, day, open_then):
            yield EventWarning(number, "start_time", times.describe_hours(open_then))
        turned = times.count_reversed_hours(each.start, each.end, festival)
        if turned and not each.cancelled:
            yield EventWarning(number, "end_time", times.describe_reversed_times(turned))


def _check_gaps(event: Event, rows: list[HeldOccasion]) -> Iterator[EventWarning]:
    if any(not each.has_location and not each.cancelled for each in rows):
        yield EventWarning(None, "location", _("No location"))
    if not event.image_caption and (event.image or event.image_url):
        yield EventWarning(None, "image_caption", _("Image without a caption"))


def _check_texts(event: Event) -> Iterator[EventWarning]:
    for text in texts.list_texts(Event):
        there = {language for language in texts.LANGUAGES if getattr(event, f"{text}_{language}")}
        if len(there) == 1:
            [language] = set(texts.LANGUAGES) - there
            yield EventWarning(None, f"{text}_{language}", _MISSING[language])


_MISSING = {"sv": _("Missing in Swedish"), "en": _("Missing in English")}
