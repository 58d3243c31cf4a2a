"""The rows of an exported sheet: in the same order in every database, and some events at a time."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from feeds.columns import NOTE, Columns, build_event_cells, build_place_cells, say_yes
from feeds.fact import Fact
from feeds.facts import facts_of
from feeds.festival_time import ONE_DAY, FestivalTime
from feeds.marks import NO_MARK
from feeds.names import order_name
from feeds.vocabulary import LanguageCode, Text
from programme.exchange.readers.entries import format_version
from programme.exchange.readers.sheet.values import FLAGS, LINES, LINKS, PROSE, STATUS
from programme.exchange.text.times import format_clock
from programme.models import Edit, Event, Occasion, Status
from programme.models.event_types import TYPES
from programme.models.festival_time import festival_time
from programme.models.querysets import split
from programme.publishing.news_reader import read_marks

# Events that are in memory at a time.
CHUNK = 500

Cell = str | date | datetime | time | Decimal
Row = list[Cell]


def read_rows(
    events: QuerySet[Event], language: LanguageCode, within: Q, columns: Columns
) -> Iterator[list[Row]]:
    """Yield the heading, then the rows of so many events at a time as are in memory."""
    yield [[getattr(column, language) for column in columns]]
    festival = festival_time()
    ids, edit = _order(events), Edit.objects.first()
    for some in split(ids, CHUNK):
        loaded = _load(some, within)
        marks = read_marks([each for event in loaded for each in event.occasions.all()])
        yield [
            [(_event_cells(event, language, edit) | own).get(column.field, "") for column in columns]
            for event in loaded
            for own in [
                _occasion_cells(each, festival, language, marks.get(each.pk, NO_MARK).change_info)
                for each in event.occasions.all()
            ]
            or [{}]
        ]


def _order(events: QuerySet[Event]) -> list[int]:
    """Return the IDs of events by title, area and first occasion."""
    first = ("occasions__start", "occasions__end", "occasions__uuid")
    keys: dict[int, tuple[Any, ...]] = {}
    found = events.order_by(*first).values_list("pk", "title", "area__name", first[0], first[2])
    for pk, title, area, *occasion in found.iterator():
        if pk not in keys:
            # Events without an occasion come first.
            keys[pk] = (order_name(title), order_name(area), occasion if occasion[0] else [], pk)
    return sorted(keys, key=keys.__getitem__)


def _load(ids: list[int], within: Q) -> Iterable[Event]:
    occasions = Occasion.objects.filter(within).order_by("start", "end", "uuid")
    occasions = occasions.select_related("location", "room__location")
    related = Event.objects.select_related("area", "sub_area", *TYPES, "organizer", "language")
    found = related.prefetch_related(Prefetch("occasions", queryset=occasions)).in_bulk(ids)
    return [found[pk] for pk in ids]


def _event_cells(event: Event, language: LanguageCode, edit: Edit | None) -> dict[str, Cell]:
    modified = festival_time().local(event.last_modified)
    return {
        **build_event_cells(event, language, ("title", *PROSE, *LINES, *LINKS, *FLAGS)),
        **_facts(event, language),
        "status": STATUS[Status(event.status)].within(language),
        "type": "; ".join(each.name_sv for each in event.types),
        "version": format_version(edit),
        "last_modified": modified.replace(second=0, microsecond=0, tzinfo=None),
    }


def _occasion_cells(
    occasion: Occasion, festival: FestivalTime, language: LanguageCode, note: Text
) -> dict[str, Cell]:
    start, end = festival.local(occasion.start), festival.local(occasion.end)
    usual_end = start.date() if end.time() > start.time() else start.date() + ONE_DAY
    return {
        **build_place_cells(occasion.location, occasion.room),
        **_facts(occasion, language),
        "booking_url": occasion.booking_url,
        "booking_from": _moment(occasion.booking_from, festival),
        "day": start.date(),
        "start": _clock(occasion.start, start, festival),
        "end": _clock(occasion.end, end, festival),
        "end_day": "" if end.date() == usual_end and end.time() != start.time() else end.date(),
        "cancelled": say_yes(occasion.cancelled, language),
        **dict(zip(NOTE, (note.sv, note.en), strict=True)),
        "occasion_id": str(occasion.uuid),
        "occasion_no": str(occasion.pk),
        "occasion_uid": occasion.uid,
    }


def _facts(row: Event | Occasion, language: LanguageCode) -> dict[str, str]:
    facts = facts_of(str(row._meta.model_name))
    return {fact.name: _say_fact(fact, getattr(row, fact.name), language) for fact in facts}


def _say_fact(fact: Fact, stated: str, language: LanguageCode) -> str:
    """Return the values in words, or as codes where the words are read as something else."""
    words = ((code, fact.label(code).within(language)) for code in fact.split(stated))
    return "; ".join(text if fact.parse(text) == code else code for code, text in words)


def _moment(instant: datetime | None, festival: FestivalTime) -> str:
    if instant is None:
        return ""
    local = festival.local(instant)
    return f"{local:%Y-%m-%d} {_format(instant, local, festival)}"


def _clock(instant: datetime, local: datetime, festival: FestivalTime) -> Cell:
    text = _format(instant, local, festival)
    # A workbook's own times know neither seconds as we show them nor offsets.
    return time(local.hour, local.minute) if len(text) == len("19:00") else text


def _format(instant: datetime, local: datetime, festival: FestivalTime) -> str:
    return format_clock(instant, local, festival.instant(local.date(), local.time()))
