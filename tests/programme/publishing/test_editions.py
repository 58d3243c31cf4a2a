"""A programme that is cut into editions: each of them is as if there was nothing else, and none lacks anything."""

import json
from collections.abc import Iterator
from datetime import date, time, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.db import transaction
from django.test import override_settings
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from feeds.formats import FORMATS
from feeds.json_parts import build_areas, encode
from feeds.listing import Listing
from feeds.news_formats import NEWS_FORMATS
from feeds.news_listing import NewsListing
from feeds.programme import Programme
from feeds.programme_document import build_lists, build_programme
from feeds.selection import DayRange, Selection
from feeds.snapshot import Snapshot
from programme.models import Area, Edition, Occasion
from programme.models.festival_time import festival_time
from programme.publishing import loading
from tests import news
from tests.conftest import NOW
from tests.programmes import TORGET, make_lists

FIRST = date(2026, 7, 22)
SELECTIONS = [
    *(Selection(), Selection(language="en"), Selection(moments=("upcoming",)), Selection(words=("jazz",))),
    *(Selection(days=(DayRange(FIRST, FIRST + timedelta(7)),)), Selection(areas=(str(TORGET),))),
]
# Of occasions: the day after the first, and the clock, around the beginnings of days.
CLOCKS = [time(0, 0), time(0, 30), time(4, 59, 59), time(5, 0), time(12, 0), time(23, 59)]
starts = st.lists(st.tuples(st.integers(0, 14), st.sampled_from(CLOCKS)), min_size=25, max_size=25)
# The days at which programmes are cut, and which of the parts are editions.
cuts = st.lists(st.integers(0, 15), min_size=2, max_size=5, unique=True).map(sorted)
kept = st.lists(st.booleans(), min_size=4, max_size=4)


@pytest.fixture
def _programme(sample: None) -> None:
    make_lists()
    news.write_each_kind()


def move(places: list[tuple[int, time]]) -> None:
    """Move all occasions."""
    for occasion, (day, clock) in zip(Occasion.objects.order_by("pk"), places, strict=False):
        length = occasion.end - occasion.start
        start = festival_time().instant(FIRST + timedelta(day), clock)
        Occasion.objects.filter(pk=occasion.pk).update(start=start, end=start + length)


def cut(days: list[int], parts: list[bool], chosen: int) -> Iterator[Edition]:
    for number, (first, following) in enumerate(pairwise(days)):
        if parts[number] or number == 0:
            yield Edition.objects.create(
                slug=str(number),
                name_sv=f"Del {number}",
                first_day=FIRST + timedelta(first),
                last_day=FIRST + timedelta(following - 1),
                current_since=NOW if number == chosen else None,
            )


def leave(every: Programme, edition: Edition, *, is_current: bool) -> Programme:
    """Return the programme of a service that has nothing but an edition."""

    def holds(moment: Any) -> bool:
        return edition.first_day <= every.site.time.day_of(moment.start) <= edition.last_day

    def trim(area: Any) -> Any:
        days = (each for each in area.days if edition.first_day <= each.date <= edition.last_day)
        return replace(area, days=tuple(days))

    areas = {each.id: trim(each) for each in every.areas}
    held = [*filter(holds, every.occasions)]
    events = {each.event.id: replace(each.event, area=areas[each.event.area.id]) for each in held}
    occasions = tuple(replace(each, event=events[each.event.id]) for each in held)
    used = {each.event.area.id for each in occasions}
    if is_current:
        used |= set(Area.objects.filter(current=True).values_list("id", flat=True))
    return replace(
        every,
        occasions=occasions,
        areas=tuple(areas[each.id] for each in every.areas if each.id in used),
        lists=tuple(each for each in every.lists if any(map(each.has, occasions))),
        news=tuple(each for each in every.news if any(map(holds, each.states))),
    )


def write(programme: Programme) -> Iterator[Any]:
    """Yield what a service with a programme answers, but for what it says of editions."""
    snapshot = Snapshot(programme, NOW)
    yield encode(build_areas(programme))
    yield encode(build_lists(programme, programme.occasions))
    for selection in SELECTIONS:
        listing = Listing(snapshot, programme.index.canonical(selection))
        yield from (each().write_events(listing) for each in FORMATS)
        document = json.loads(encode(build_programme(listing)))
        yield {name: part for name, part in document.items() if name not in {"edition", "editions"}}
        told = NewsListing(snapshot, programme.news_index.canonical(selection))
        yield from (each().write_events(told) for each in NEWS_FORMATS)


@given(
    hour=st.sampled_from([0, 5]),
    places=starts,
    days=cuts,
    parts=kept,
    chosen=st.integers(0, 4),
    marked=st.booleans(),
)
@pytest.mark.usefixtures("_programme")
def test_any_programme_cut_into_editions(  # noqa: PLR0917
    hour: int, places: list[tuple[int, time]], days: list[int], parts: list[bool], chosen: int, marked: bool
) -> None:
    with override_settings(FESTIVAL_DAY_FIRST_HOUR=hour), transaction.atomic():
        move(places)
        Area.objects.update(current=marked)
        every = loading.load()
        editions = list(cut(days, parts, chosen))
        programmes = [loading.load(edition=each.slug) for each in editions]
        present = loading.load()
        check_union(every, programmes, editions)
        current = next((each for each in editions if each.current_since), editions[0])
        for edition, programme in zip(editions, programmes, strict=True):
            is_current = edition == current
            assert (programme == present) == is_current
            alone = leave(every, edition, is_current=is_current)
            assert [*write(programme)] == [*write(replace(alone, revision=programme.revision))]
        transaction.set_rollback(True)


def check_union(every: Programme, programmes: list[Programme], editions: list[Edition]) -> None:
    days = {occasion: every.site.time.day_of(occasion.start) for occasion in every.occasions}
    held = [
        occasion
        for occasion, day in days.items()
        if any(each.first_day <= day <= each.last_day for each in editions)
    ]
    # In order, none twice, and each with all that it has in the whole programme.
    assert [each for programme in programmes for each in programme.occasions] == held
