"""Importing calendars with the command: the events they become, and repeated imports."""

import pytest

from programme.models import Area, Event, EventType, Location, Occasion, Organizer, Room
from tests.programme.exchange.imports import values_of
from tests.programme.exchange.readers.ical.calendars import HEAD, JAZZ, calendar

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("three_days")]

TEA = (
    "UID:tea",
    "SUMMARY:Tea",
    "DESCRIPTION:A cup.\\n\\nOf tea.",
    "LOCATION:Kulturhuset\\nSergels torg 3",
    "CATEGORIES:Drinks",
    'ORGANIZER;CN="The Society":mailto:tea@fest.example',
    "DTSTART;TZID=Europe/Stockholm:20260728T150000",
    "DTEND;TZID=Europe/Stockholm:20260728T160000",
    "RRULE:FREQ=DAILY",
)
ELSEWHERE = (
    "UID:tea",
    "RECURRENCE-ID:20260729T130000Z",
    "SUMMARY:Tea",
    "LOCATION:The park",
    "DTSTART:20260729T140000Z",
    "DTEND:20260729T150000Z",
)


def test_a_calendar_becomes_events_in_one_area_and_at_their_own_locations(run):
    run(calendar(TEA, ELSEWHERE, JAZZ, head=HEAD))
    assert values_of(Area, "name") == [("Sommarscenen",)]
    assert values_of(Location, "name", "address") == [("Kulturhuset", "Sergels torg 3"), ("The park", "")]
    assert values_of(Room, "name") == []
    assert values_of(Organizer, "name") == [("The Society",)]
    assert values_of(EventType, "name_sv") == [("Drinks",), ("Övrigt",)]
    events = Event.objects.order_by("title")
    assert list(events.values_list("source", "source_id", "title", "intro_sv", "status")) == [
        ("Sommarscenen", "jazz", "Jazz", "", "published"),
        ("Sommarscenen", "tea", "Tea", "A cup.", "published"),
    ]
    occasions = Occasion.objects.filter(event__title="Tea").order_by("start")
    assert [
        (f"{each.start:%d %H:%M}–{each.end:%H:%M}", each.source_id, str(each.location)) for each in occasions
    ] == [
        ("28 13:00–14:00", "tea/20260728T130000Z", "Kulturhuset, Sergels torg 3"),
        ("29 14:00–15:00", "tea/20260729T130000Z", "The park"),
        ("30 13:00–14:00", "tea/20260730T130000Z", "Kulturhuset, Sergels torg 3"),
    ]


def test_the_address_in_the_name_of_a_place_is_said_and_taken_apart_unless_it_is_answered(run):
    file = calendar((*JAZZ, r"LOCATION:Hamnen\, Kajen 1\, 123 45 Staden\, Sweden"), head=HEAD)
    whole, address = "Hamnen, Kajen 1, 123 45 Staden, Sweden", "Kajen 1, 123 45 Staden, Sweden"
    assert "Places with an address: 1, such as “Hamnen” at “Kajen 1, 123 45" in run(file, "--dry-run")
    run(file, "--answer", "addresses=no")
    # A place that is here stays as it is.
    for place in (b"Hamnen", b"Parken"):
        run(file.replace(b"Hamnen", place), "--answer", "addresses=yes")
    assert values_of(Location, "name", "address") == [(whole, ""), ("Parken", address)]


def test_a_time_that_moves_keeps_its_identity(run):
    run(calendar(TEA, ELSEWHERE, head=HEAD))
    known = dict(Occasion.objects.values_list("source_id", "uuid"))
    moved = "\n".join(ELSEWHERE).replace("20260729T14", "20260730T20").replace("20260729T15", "20260730T21")
    run(calendar(TEA, tuple(moved.split("\n")), head=HEAD))
    assert dict(Occasion.objects.values_list("source_id", "uuid")) == known


def test_one_that_begins_to_recur_keeps_its_occasion(run):
    run(calendar(JAZZ, head=HEAD))
    [known] = Occasion.objects.values_list("uuid", flat=True)
    run(calendar((*JAZZ, "RRULE:FREQ=DAILY"), head=HEAD))
    assert Occasion.objects.count() == 3
    assert Occasion.objects.earliest("start").uuid == known


def test_a_rule_that_cannot_be_followed_withdraws_nothing(run):
    run(calendar(JAZZ, TEA, head=HEAD))
    report = run(calendar((*JAZZ, "RRULE:FREQ=SECONDLY"), TEA, head=HEAD), "--withdraw-missing")
    assert "Jazz (line 4): left out: its rule has a part that is not read here: FREQ=SECONDLY" in report
    assert Event.objects.get(title="Jazz").occasions.count() == 1
    assert Event.objects.get(title="Jazz").status == "published"
