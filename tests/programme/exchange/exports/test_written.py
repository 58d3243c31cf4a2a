"""Exported files are valid, and hold all that their formats have a place for."""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest
from icalendar import Calendar
from lxml import etree

from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import select_events, select_occasions
from programme.models import Event, Occasion
from tests.programmes import DRAFT, JAZZ, MARATHON, PARKEN, occasion_uuid, utc

pytestmark = pytest.mark.django_db

AT = utc(2026, 7, 29, 18)
GRAMMAR = etree.RelaxNG(etree.parse(Path(__file__).parent / "frab.rng"))


def written(name: str, language: str = "sv", **more) -> bytes:
    return EXPORTS[name].write(select_events(**more), language)


def xml_event(number: int, **more) -> etree._Element:
    [event] = etree.fromstring(written("frab-xml", **more)).iterfind(f"day/room/event[@id='{number}']")
    return event


def json_events(**more) -> dict[int, dict]:
    days = json.loads(written("frab-json", **more))["schedule"]["conference"]["days"]
    return {event["id"]: event for day in days for room in day["rooms"].values() for event in room}


@pytest.mark.parametrize("drafts", [False, True])
@pytest.mark.parametrize("name", ["ical", "frab-xml", "frab-json"])
def test_an_export_takes_the_same_queries_for_any_number(name, drafts, sample, django_assert_num_queries):
    with django_assert_num_queries(3):
        written(name, drafts=drafts)


def test_more_events_than_a_database_takes_arguments(sample):
    event = Event.objects.get(pk=JAZZ)
    Event.objects.bulk_create(Event(title=str(n), area=event.area, type=event.type) for n in range(1100))
    new = Event.objects.filter(source="", title__regex="^[0-9]+$")
    Occasion.objects.bulk_create(Occasion(event=each, start=AT, end=AT + timedelta(hours=1)) for each in new)
    assert len(select_occasions(select_events(drafts=True), "sv").rows) == 17 + 1100


@pytest.mark.parametrize("name", EXPORTS)
def test_nothing_is_exported_as_a_file_all_the_same(name):
    assert written(name)


def test_drafts_are_exported_when_asked_for(sample):
    assert str(occasion_uuid(8017)).encode() not in written("ical")
    assert str(occasion_uuid(8017)).encode() in written("ical", drafts=True)


def test_one_area_is_exported_alone(sample):
    rows = select_occasions(select_events(area=Event.objects.get(pk=MARATHON).area), "sv").rows
    assert {row.event.area_id for row in rows} == {PARKEN}


# --- iCalendar ------------------------------------------------------------------------------


def test_the_calendar_is_read_by_the_library(sample):
    calendar = Calendar.from_ical(written("ical", drafts=True))
    events = {str(event["UID"]): event for event in calendar.walk("VEVENT")}
    assert events.keys() == {str(uuid) for uuid in Occasion.objects.values_list("uuid", flat=True)}
    jazz = Event.objects.get(pk=JAZZ)
    event = events[str(occasion_uuid(8003))]
    assert str(event["SUMMARY"]) == jazz.title
    assert str(event["DESCRIPTION"]) == f"{jazz.intro_sv}\n\n{jazz.description_sv}"
    assert str(event["STATUS"]) == "CANCELLED"
    assert event["ORGANIZER"].params["CN"] == jazz.organizer.name
    assert str(event["LOCATION"]).startswith("Nätet") or str(event["LOCATION"])
    assert str(events[str(occasion_uuid(8017))]["STATUS"]) == "TENTATIVE"


def test_an_empty_calendar_holds_a_component():
    assert [part.name for part in Calendar.from_ical(written("ical")).subcomponents] == ["VFREEBUSY"]


def test_lines_are_folded_and_end_as_they_must(sample):
    content = written("ical", drafts=True)
    assert all(len(line) <= 75 for line in content.split(b"\r\n"))
    assert b"\n" not in content.replace(b"\r\n", b"")


# --- frab -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["sv", "en"])
def test_the_schedule_is_valid(sample, language):
    schedule = etree.fromstring(written("frab-xml", drafts=True, language=language))
    GRAMMAR.assertValid(schedule)
    for path in ("day/room/event/@id", "day/room/event/@guid", "day/@index"):
        found = schedule.xpath(path)
        assert len(found) == len(set(found)) > 0
    slugs = [slug.text for slug in schedule.iterfind("day/room/event/slug")]
    assert len(slugs) == len(set(slugs))
    assert all(re.fullmatch("[a-z0-9_-]+[a-z0-9]", slug) for slug in slugs)
    assert re.fullmatch("[a-z0-9_-][a-z0-9_]{3,}", schedule.findtext("conference/acronym"))


def test_an_empty_schedule_is_valid():
    GRAMMAR.assertValid(etree.fromstring(written("frab-xml")))


def test_an_occasion_stands_in_its_festival_day_and_room(sample, settings):
    settings.FESTIVAL_DAY_FIRST_HOUR = 4
    event = xml_event(8004)
    room, day = event.getparent(), event.getparent().getparent()
    assert (day.get("date"), day.get("start")) == ("2026-07-29", "2026-07-29T04:00:00+02:00")
    assert room.get("name") == event.findtext("room")
    assert (event.findtext("date"), event.findtext("start")) == ("2026-07-29T22:00:00+02:00", "22:00")
    assert event.findtext("duration") == "05:00"


def test_what_an_event_says(sample):
    jazz, event = Event.objects.get(pk=JAZZ), xml_event(8001)
    assert event.findtext("title") == jazz.title
    assert (event.findtext("subtitle"), event.findtext("abstract")) == (jazz.intro_sv, jazz.description_sv)
    assert (event.findtext("track"), event.findtext("type")) == (jazz.area.name, jazz.type.name_sv)
    assert [person.text for person in event.iterfind("persons/person")] == [jazz.organizer.name]
    assert event.findtext("language") == jazz.language.code
    assert event.findtext("url") == jazz.external_url


def test_texts_are_in_the_language_that_was_asked_for(sample):
    assert xml_event(8001, language="en").findtext("subtitle") == Event.objects.get(pk=JAZZ).intro_en


def test_what_is_cancelled_bears_a_mark(sample):
    title = Event.objects.get(pk=JAZZ).title
    assert xml_event(8003).findtext("title") == f"[INSTÄLLT] {title}"
    assert xml_event(8003, language="en").findtext("title") == f"[CANCELLED] {title}"


def test_both_dialects_say_the_same(sample):
    for number, event in json_events(drafts=True).items():
        element = xml_event(number, drafts=True)
        names = (
            "room",
            "title",
            "subtitle",
            "type",
            "date",
            "start",
            "duration",
            "abstract",
            "slug",
            "track",
            "url",
        )
        assert {name: event[name] for name in names} == {name: element.findtext(name) or "" for name in names}
        assert [person["public_name"] for person in event["persons"]] == element.xpath(
            "persons/person/text()"
        )


def test_drafts_are_marked_for_the_import(sample):
    assert json.loads(written("frab-json", drafts=True))["schedule"]["festival_programme"][
        str(occasion_uuid(8017))
    ]["draft"]
    assert Event.objects.get(pk=DRAFT).title == xml_event(8017, drafts=True).findtext("title")
