"""Warnings about an event as it would be saved, shown while it is written."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from programme.backoffice.dates import format_times
from programme.backoffice.problems import finders, texts
from programme.backoffice.problems.accepted import ProblemKey, load_accepted
from programme.backoffice.problems.clashes import AcceptedClashes, find_overlapping
from programme.backoffice.problems.facts import (
    HeldOccasion,
    build_held_occasion,
    load_around,
    load_opening_hours,
)
from programme.backoffice.problems.problem import StrOrPromise, TimeRange, name_row
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
    # What it would be accepted as.
    key: ProblemKey | None = None

    def __str__(self) -> str:
        return f"{self.text}, {format_times(*self.span)}" if self.span else str(self.text)


def find_warnings(event: Event, occasions: list[Occasion]) -> list[EventWarning]:
    """Return the warnings about an event and its occasions, saved or not, in five queries at most.

    `row` is the occasion's place in the list. Warnings do not prevent saving. What was accepted is none.
    """
    accepted = load_accepted()
    rows = [build_held_occasion(occasion, event) for occasion in occasions]
    every = (
        *_find_clashes(event, rows, accepted.clashes),
        *_check_times(event, rows),
        *_check_gaps(event, rows),
        *_check_texts(event),
    )
    found = [warned for warned in every if warned.key not in accepted]
    # Rows first: times and rooms are the most urgent.
    return sorted(found, key=lambda warned: (warned.row is None, warned.row or 0))


def _find_clashes(
    event: Event, rows: list[HeldOccasion], accepted: AcceptedClashes
) -> Iterator[EventWarning]:
    # Those that are not saved have no IDs yet.
    numbered = [row._replace(id=row.id or -number) for number, row in enumerate(rows, 1)]
    mine = [row for row in numbered if row.takes_up_room]
    if not mine:
        return
    others = load_around(mine, ~Q(event=event.pk))
    titles = dict(Event.objects.filter(pk__in={each.event for each in others}).values_list("pk", "title"))
    rooms = Room.objects.filter(pk__in={each.room for each in mine}).select_related("location").in_bulk()
    for number, row in enumerate(numbered):
        for other in find_overlapping(row, [*others, *mine], accepted)[:MAX_CLASHES]:
            text = format_lazy(
                _("{room} is taken then: {event}"),
                room=rooms[other.room or 0],
                event=titles.get(other.event, event.title),
            )
            yield EventWarning(number, "start_time", text, TimeRange(other.start, other.end))


def _check_times(event: Event, rows: list[HeldOccasion]) -> Iterator[EventWarning]:
    festival = festival_time()
    days = [festival.day_of(each.start) for each in rows]
    hours = load_opening_hours(AreaDay.objects.filter(area=event.area_id, day__date__in=days)) if rows else {}
    for number, (day, each) in enumerate(zip(days, rows, strict=True)):
        span = TimeRange(each.start, each.end)
        open_then = hours.get((event.area_id, day))
        if open_then and finders.is_outside(each, festival, day, open_then):
            key = _build_key("outside-hours", "occasion", each.id, *span, *open_then)
            yield EventWarning(number, "start_time", finders.describe_hours(open_then), key=key)
        turned = finders.count_reversed_hours(*span, festival)
        if turned and not each.cancelled:
            key = _build_key("end-before-start", "occasion", each.id, *span)
            yield EventWarning(number, "end_time", finders.describe_reversed_times(turned), key=key)


def _check_gaps(event: Event, rows: list[HeldOccasion]) -> Iterator[EventWarning]:
    unplaced = [each.id for each in rows if not each.has_location and not each.cancelled]
    if unplaced:
        key = _build_key("no-location", "event", event.pk, *sorted(unplaced))
        yield EventWarning(None, "location", _("No location"), key=key)
    if not event.image_caption and (event.image or event.image_url):
        key = _build_key("no-caption", "event", event.pk, f"{event.image}{event.image_url}")
        yield EventWarning(None, "image_caption", _("Image without a caption"), key=key)


def _check_texts(event: Event) -> Iterator[EventWarning]:
    there = {
        text: {language for language in texts.LANGUAGES if getattr(event, f"{text}_{language}")}
        for text in texts.list_texts(Event)
    }
    row = texts.TranslatableRow(Event, event.pk, event.title, event.area_id, there)
    missing = {language: row.missing(language) for language in texts.LANGUAGES}
    for text in there:
        for language, names in missing.items():
            if text in names:
                fields = [f"{name}_{language}" for name in names]
                key = _build_key(_MISSING_KINDS[language], "event", event.pk, *fields)
                yield EventWarning(None, f"{text}_{language}", _MISSING[language], key=key)


def _build_key(kind: str, model: str, pk: int | None, *facts: Any) -> ProblemKey:
    return ProblemKey(kind, name_row(model, pk or 0, *facts))


_MISSING_KINDS = {"sv": "no-swedish", "en": "no-english"}
_MISSING = {"sv": _("Missing in Swedish"), "en": _("Missing in English")}
