"""Sheets of a place on a day, in letters as large as fit: for walls, and run sheets for the crew.

Both have what readers know; run sheets also what an event says of a performance, and what is internal.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from textwrap import wrap
from typing import Any, NamedTuple

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from feeds.facts import facts_of, phrase_token
from feeds.names import order_name
from feeds.snapshot import Snapshot
from feeds.vocabulary import Area, LanguageCode, Occasion, Place
from feeds.wording import WORDS, format_change, format_clock, format_dated_span, format_day, format_full_date
from programme.backoffice.forms.base import FilterForm, offer
from programme.backoffice.timetable.columns import NO_LOCATION
from programme.changes.rights import Rights
from programme.models import Event
from programme.models.dates import editor_language
from programme.models.events import INTERNAL

# The letters of a sheet, in points: the largest with which all of it is on one page.
SIZES = (30, 25, 21, 17, 14, 12)
# Those of run sheets, which are held in the hand.
RUN_SIZES = SIZES[-2:]
# In millimetres: a point, the width of a page, its height below a head of no lines, and each of these.
POINT, WIDTH, HEIGHT, HEAD_LINE = 0.353, 186, 243, 13
# In letters: so many of a name are in a line of the head.
HEAD_LETTERS = 20
# In ems, as sheets.css has them: a title's letters, beside the times, its lines, and around a row.
LETTER, TIMES, LINE, SPACE = 0.68, 6.2, 1.16, 0.8


class Row(NamedTuple):
    start: str
    end: str
    title: str
    news: str
    cancelled: bool
    # For the crew: signs of the performance, note, contact.
    remarks: tuple[str, ...] = ()


class PrintedSheet(NamedTuple):
    day: str
    place: str
    # Of which the place is a part.
    location: str
    size: int
    rows: list[Row]


class SheetForm(FilterForm):
    """Which sheets are printed: of a day, or of all days of a location or a room."""

    day = forms.ChoiceField(label=capfirst(_("day")), required=False)
    area = forms.ChoiceField(label=capfirst(_("area")), required=False)
    location = forms.ChoiceField(label=capfirst(_("location")), required=False)
    # For the crew, and not for walls; all rooms of a location on one sheet.
    crew = forms.BooleanField(required=False, widget=forms.HiddenInput)
    whole = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, sent: dict[str, str], snapshot: Snapshot, default: dt.date) -> None:
        """Offer what there is; nothing chosen is the default day."""
        occasions, language = snapshot.programme.occasions, editor_language()
        self.days = sorted({snapshot.programme.span(each).day for each in occasions})
        if default in self.days and not sent.get("day") and not sent.get("location"):
            sent = {**sent, "day": str(default)}
        places = {each.place for each in occasions if each.place}
        if sent.get("whole"):
            # Of a room, the sheet of its location.
            whole = {_build_key(each): str(each.location.id) for each in places}
            sent = {**sent, "location": whole.get(chosen := sent.get("location", ""), chosen)}
        super().__init__(sent, label_suffix="")
        areas = sorted({each.event.area for each in occasions}, key=lambda area: area.order)
        named = {str(each.location.id): each.location.name for each in places}
        named |= {_build_key(each): each.full_name for each in places if each.room}
        offer(self, "day", _("all"), [(str(day), format_day(day, language)) for day in self.days])
        offer(self, "area", _("all"), [(str(area.id), area.name) for area in areas])
        choices = sorted(named.items(), key=lambda each: order_name(each[1]))
        offer(self, "location", _("all"), [*choices, (NO_LOCATION, _("No location"))])
        self.is_valid()

    def includes(self, occasion: Occasion) -> bool:
        area, location = self.chosen("area"), self.chosen("location")
        place = occasion.place
        own = {str(place.location.id), _build_key(place)} if place else {NO_LOCATION}
        return area in {"", str(occasion.event.area.id)} and location in {"", *own}

    @property
    def chosen_days(self) -> list[dt.date]:
        """The chosen day; all of them where a location is chosen alone."""
        day = self.chosen("day")
        return [each for each in self.days if (str(each) == day if day else self.chosen("location"))]


def _build_key(place: Place) -> str:
    return f"r{place.room.id}" if place.room else str(place.location.id)


# The internal note and the contact, by the IDs of events.
Internal = Mapping[int, tuple[str, str]]


def load_internal(rights: Rights, events: Collection[int]) -> Internal:
    """Return what is internal of events that a user may change."""
    found: Any = rights.filter_allowed("change", Event.objects.filter(pk__in=events)).order_by()
    rows = found.values_list("pk", *INTERNAL)
    return {key: (note, ", ".join(filter(None, contact))) for key, note, *contact in rows}


def build_sheets(
    snapshot: Snapshot, form: SheetForm, language: LanguageCode, rights: Rights
) -> Iterator[PrintedSheet]:
    """Yield the sheets of days in order, and of each its places in the order of their areas."""
    chosen = list(filter(form.includes, snapshot.programme.occasions))
    is_run, whole = form.cleaned_data["crew"], form.cleaned_data["whole"]
    internal = load_internal(rights, {each.event.id for each in chosen}) if is_run else None
    sizes = RUN_SIZES if is_run else SIZES
    for day in form.chosen_days:
        places: dict[Any, list[Occasion]] = defaultdict(list)
        for each in chosen:
            span = snapshot.programme.span(each)
            # What goes on for days is held on each of them.
            if span.day == day or (span.is_long and span.day < day <= span.end.date()):
                place = each.place and (Place(each.place.location) if whole else each.place)
                places[place or each.event.area].append(each)
        for place, held in sorted(places.items(), key=_order):
            name, location = _name(place)
            rows = [
                _build_row(snapshot, each, language, _list_remarks(each, language, internal, whole))
                for each in held
            ]
            date = capfirst(format_full_date(day, language))
            room = HEIGHT - HEAD_LINE * len(wrap(name, HEAD_LETTERS))
            size = next((each for each in sizes if _measure(rows, each * POINT) <= room), sizes[-1])
            yield PrintedSheet(date, name, location, size, rows)


def _name(place: Place | Area) -> tuple[str, str]:
    """Return the name of a room and of its location; of a location or an area alone its own."""
    if isinstance(place, Area):
        return place.full_name, ""
    return (place.room.name, place.location.name) if place.room else (place.location.name, "")


def _order(held: tuple[Any, list[Occasion]]) -> tuple[Any, ...]:
    place, (first, *_others) = held
    return first.event.area.order, order_name(place.full_name)


def _build_row(
    snapshot: Snapshot, occasion: Occasion, language: LanguageCode, remarks: tuple[str, ...]
) -> Row:
    festival, span = snapshot.programme.site.time, snapshot.programme.span(occasion)
    start, end = (format_clock(each) for each in (span.start, span.end))
    news = format_change(occasion, festival, language)
    if span.is_long:
        days = WORDS[language].days_short
        news = f"{format_dated_span(span, language)}. {news}"
        start, end = (days[each.weekday()] for each in (span.start, span.end))
    return Row(start, end, occasion.event.title, news, occasion.cancelled, remarks)


def _list_remarks(
    occasion: Occasion, language: LanguageCode, internal: Internal | None, whole: bool
) -> tuple[str, ...]:
    room = occasion.place.room if whole and occasion.place else None
    found = [room.name] if room else []
    if internal is not None:
        own = {fact.token(code) for fact in facts_of("occasion") for code in fact.codes}
        signs = ", ".join(phrase_token(each).within(language) for each in occasion.facts if each in own)
        found += [capfirst(signs), *internal.get(occasion.event.id, ())]
    return tuple(filter(None, found))


def _measure(rows: list[Row], em: float) -> float:
    """Return how high rows are at most."""
    letters = int((WIDTH - TIMES * em) / (LETTER * em))
    texts = (text for row in rows for text in (row.title, row.news, *row.remarks))
    lines = sum(len(wrap(line, letters)) for text in texts for line in text.splitlines())
    return em * (lines * LINE + len(rows) * SPACE)
