"""The demo festival: that it shows all that a programme can hold, whenever it is made."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

import pytest

from feeds.facts import FACTS
from feeds.festival_time import FestivalTime
from feeds.selection import DateKeyword, Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Event, Occasion
from tests.programme.demo.created import NOON, STOCKHOLM, create_at, events_of

# Dates in whose five days the clock does not change, goes forward, and goes back.
TODAYS = [date(2026, 7, 29), date(2026, 3, 29), date(2026, 10, 25)]
TODAY = TODAYS[0]

pytestmark = pytest.mark.usefixtures("db")


def wall_clock(occasion: Occasion) -> tuple[datetime, datetime]:
    """Start and end as the festival's clocks show them."""
    return (
        STOCKHOLM.local(occasion.start).replace(tzinfo=None),
        STOCKHOLM.local(occasion.end).replace(tzinfo=None),
    )


# --- Size and time ----------------------------------------------------------------------------


def test_the_demo_is_as_large_as_a_city_festival(programme):
    assert len(programme.areas) == 5
    assert len(events_of(programme)) >= 60
    assert len(programme.occasions) >= 120


def test_the_demo_lasts_five_days_around_its_day(programme):
    days = {STOCKHOLM.day_of(occasion.start) for occasion in programme.occasions}
    assert sorted(days) == [TODAY + timedelta(days=n) for n in (-2, -1, 0, 1, 2)]


@pytest.mark.parametrize(("today", "first_hour"), list(zip(TODAYS, (0, 5, 5), strict=True)))
def test_now_today_tomorrow_and_upcoming_show_something_at_every_hour(today, first_hour):
    festival_time = FestivalTime(first_hour=first_hour)
    begins = festival_time.day_begins(today)
    programme = create_at(begins, festival_time)
    ends = festival_time.day_begins(today + timedelta(days=1))
    empty = []
    # What the instant decides is the day alone, so one made earlier on the same day will do.
    while begins < ends:
        snapshot = Snapshot(programme, begins)
        empty += [
            (begins, moment) for moment in DateKeyword if not snapshot.find(Selection(moments=(moment,)))
        ]
        begins += timedelta(minutes=10)
    assert empty == []


@pytest.mark.parametrize("hour", [0, 23])
def test_the_dates_depend_on_the_day_alone(programme, hour):
    instant = STOCKHOLM.instant(TODAY, time(hour, 50))
    spans = [(each.event.title, each.start, each.end) for each in create_at(instant).occasions]
    assert spans == [(each.event.title, each.start, each.end) for each in programme.occasions]


def test_at_night_before_the_days_first_hour_the_day_before_is_in_the_middle():
    programme = create_at(datetime(2026, 7, 29, 1, 0, tzinfo=UTC), FestivalTime(first_hour=5))
    opening = next(each for each in programme.occasions if each.event.title.startswith("Älven tänds"))
    assert opening.start == datetime(2026, 7, 26, 17, 0, tzinfo=UTC)


def test_clock_times_are_the_same_where_the_clock_changes(programme):
    for today in TODAYS[1:]:
        made = create_at(datetime.combine(today, time(12), UTC))
        moved = today - TODAY
        clocks = {(each.event.title, *wall_clock(each)) for each in made.occasions}
        assert clocks == {
            (each.event.title, *(clock + moved for clock in wall_clock(each))) for each in programme.occasions
        }


# --- What it shows ----------------------------------------------------------------------------


def folds_inside_a_character(title: str) -> bool:
    """Whether a calendar's SUMMARY line, cut at 75 octets, would be cut inside a character."""
    line = b"SUMMARY:" + title.replace("\\", "\\\\").replace(",", "\\,").replace(";", "\\;").encode()
    return len(line) > 75 and line[75] & 0xC0 == 0x80


EVENTS: dict[str, Callable[[Event], object]] = {
    "cancelled": lambda event: event.cancelled,
    "highlighted": lambda event: event.highlighted,
    "interpreted into sign language": lambda event: event.sign_interpreted,
    "in no sub area": lambda event: event.sub_area is None,
    "without organizer": lambda event: event.organizer is None,
    "without language": lambda event: event.language is None,
    "without place": lambda event: event.place is None,
    "without room": lambda event: event.place and event.place.room is None,
    "in a room": lambda event: event.place and event.place.room,
    "online": lambda event: event.place and event.place.location.online,
    "at a place without address": lambda event: event.place and not event.place.location.address,
    "without intro": lambda event: event.intro == type(event.intro)(),
    "without description": lambda event: event.description == type(event.description)(),
    "with neither": lambda event: not event.intro.sv and not event.description.sv,
    "without English": lambda event: event.intro.sv and not event.intro.en,
    "without price": lambda event: not event.price,
    "with a picture": lambda event: event.image_url and event.image_caption,
    "without image": lambda event: not event.image_url and not event.image_caption,
    "with a ticket link": lambda event: event.ticket_url,
    "changed with a note within 36 hours": lambda event: (
        event.change_info and event.changed_at > NOON - timedelta(hours=36)
    ),
    "changed with a note before that": lambda event: (
        event.change_info and event.changed_at < NOON - timedelta(hours=36)
    ),
    "changed without a note": lambda event: event.changed_at and not event.change_info,
    **{
        f"{text} in the title": lambda event, text=text: text in event.title
        for text in (",", ";", "\\", "&", "<", "]]>", "[/b]", '"', "'", "”", "🎷", "\u200d")
    },
    "title in Arabic": lambda event: event.title == "أمسية موسيقى وشعر",
    "Arabic and Swedish in the title": lambda event: "\u0644" in event.title and "kväll" in event.title,
    "title that would be folded inside a character": lambda event: folds_inside_a_character(event.title),
    "title of more than 100 octets": lambda event: len(event.title.encode()) > 100,
    "several paragraphs": lambda event: "\n\n" in event.description.sv,
    "line breaks that were U+2028": lambda event: event.description.sv.startswith(
        "Har du fastnat på 1700-talet?\nVi hjälper dig"
    ),
    "HTML in a text": lambda event: "</script>" in event.intro.sv and "<b>" in event.description.sv,
    "ready-made references in a text": lambda event: "&amp;amp;" in event.description.sv,
}


def test_there_is_an_event_of_each_kind(programme):
    events = events_of(programme)
    assert [kind for kind, applies in EVENTS.items() if not any(map(applies, events))] == []


OCCASIONS: dict[str, Callable[[Occasion], object]] = {
    "cancelled alone": lambda occasion: occasion.cancelled and not occasion.event.cancelled,
    "in a room of its own": lambda occasion: occasion.place != occasion.event.place,
    "past midnight": lambda occasion: [clock.time() for clock in wall_clock(occasion)] == [time(22), time(3)],
    "of exactly 24 hours": lambda occasion: occasion.end - occasion.start == timedelta(hours=24),
    "longer than 24 hours": lambda occasion: STOCKHOLM.is_long(occasion.start, occasion.end),
    "with a stream": lambda occasion: occasion.stream,
    "marked as changed alone": lambda occasion: occasion.changed_at and not occasion.event.changed_at,
    "moved": lambda occasion: occasion.previous_start,
    "with a stream of its area": lambda occasion: occasion.stream in occasion.event.area.streams,
}


def test_there_is_an_occasion_of_each_kind(programme):
    assert [kind for kind, applies in OCCASIONS.items() if not any(map(applies, programme.occasions))] == []


def test_events_are_held_in_seven_languages_and_produced_in_all_ways(programme):
    events = events_of(programme)
    codes = {event.language.code for event in events if event.language}
    assert codes == {"sv", "en", "fi", "ar", "se", "sgn", "zxx"}
    assert {event.production for event in events} == {0, 1, 2, 3}


def test_area_days_are_full_partial_and_missing(programme):
    days = {area.name: area.days for area in programme.areas}
    assert {name: len(entered) for name, entered in days.items()} == {
        "Torget": 5,
        "Hamnen": 5,
        "Biblioteket": 5,
        "Stadsparken": 4,
        "Gamla stan": 2,
    }
    every = [day for entered in days.values() for day in entered]
    assert [day.title for day in every if day.opens is None] == ["Öppna portar"]
    assert [day.title for day in every if day.ticket_opens and not day.ticket_closes] == ["Älvrodden"]


def test_the_demo_shows_every_value_of_every_fact_and_where_its_places_are(programme):
    tokens = {token for occasion in programme.occasions for token in occasion.facts}
    declared = {fact.token(code) for fact in FACTS for code in fact.codes}
    assert declared - tokens == set()
    assert any(occasion.booking_from for occasion in programme.occasions)
    places = {occasion.place.location for occasion in programme.occasions if occasion.place}
    assert {place.name for place in places if place.latitude is None} == {"På nätet", "Boulebanan"}


def test_the_demo_has_a_list_in_both_languages_and_events_of_several_types(programme):
    [shown] = programme.lists
    assert all((shown.title.sv, shown.title.en, shown.text.sv, shown.text.en))
    assert len(programme.index.by_list[shown]) == 8
    assert len([event for event in events_of(programme) if event.further_types]) == 2


def test_booking_begins_before_what_is_booked(programme):
    opening = [each for each in programme.occasions if each.booking_from]
    assert [each.event.title for each in opening if each.booking_from >= each.start] == []
