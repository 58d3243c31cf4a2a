"""Exported files are valid, and hold all that their formats have a place for."""

import json
import re
from datetime import timedelta

import pytest
from icalendar import Calendar
from lxml import etree

from programme.exchange.exports.registry import EXPORTS
from programme.exchange.exports.selection import select_events, select_occasions
from programme.models import Event, Occasion
from tests.feeds import schedules
from tests.programmes import DRAFT, JAZZ, MARATHON, PARKEN, occasion_uuid, utc

pytestmark = pytest.mark.django_db

AT = utc(2026, 7, 29, 18)


def written(name: str, language: str = "sv", **more) -> bytes:
    return EXPORTS[name].write(select_events(**more), language)


def xml_event(number: int, **more) -> etree._Element:
    [event] = etree.fromstring(written("frab-xml", **more)).iterfind(f"day/room/event[@id='{number}']")
    return event


@pytest.mark.parametrize("drafts", [False, True])
@pytest.mark.parametrize(("name", "queries"), [("ical", 3), ("frab-xml", 6), ("frab-json", 6)])
def test_an_export_takes_the_same_queries_for_any_number(
    name, queries, drafts, sample, django_assert_num_queries
):
    with django_assert_num_queries(queries):
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
@pytest.mark.parametrize("extension", ["frab-xml", "frab-json"])
def test_a_schedule_is_what_readers_get_and_states(extension, language, sample, client):
    """The states are a processing instruction in each event, or one object beside the conference."""
    public = client.get(f"/api/events.{extension}?language={language}").content
    exported = written(extension, language)
    schedules.CHECKS[extension](exported)
    exported = exported.replace(b"Festival programme export", b"Festival programme")
    # An export has no text in the other language, which the import would take for this one.
    ours, readers = (schedules.PARSERS[extension](content) for content in (exported, public))
    texts = {"subtitle", "abstract"}
    without = [
        [{name: each[name] for name in each if name not in texts} for each in all_]
        for all_ in (ours, readers)
    ]
    assert without[0] == without[1]
    if extension == "frab-xml":
        states = re.findall(rb"<\?festival-programme (.*)\?>\n", exported)
        assert len(states) == len(ours)
        assert b"<?festival-programme" not in public
    else:
        document = json.loads(exported)["schedule"]
        assert document.pop("festival_programme").keys() == {each["guid"] for each in ours}
        assert document.keys() == json.loads(public)["schedule"].keys()


@pytest.mark.parametrize("extension", ["frab-xml", "frab-json"])
def test_nothing_is_exported_as_a_valid_schedule(extension):
    schedules.CHECKS[extension](written(extension))


def test_texts_are_in_the_language_that_the_event_has(sample):
    jazz = Event.objects.get(pk=JAZZ)
    Event.objects.filter(pk=JAZZ).update(intro_en="", description_en="Only this")
    event = xml_event(8001, language="en")
    assert (event.findtext("subtitle") or "", event.findtext("abstract")) == ("", "Only this")
    assert xml_event(8001).findtext("subtitle") == jazz.intro_sv


def test_drafts_are_marked_for_the_import(sample):
    assert json.loads(written("frab-json", drafts=True))["schedule"]["festival_programme"][
        str(occasion_uuid(8017))
    ]["draft"]
    assert Event.objects.get(pk=DRAFT).title == xml_event(8017, drafts=True).findtext("title")
