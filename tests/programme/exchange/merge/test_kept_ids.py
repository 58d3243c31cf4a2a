"""The GUIDs of schedules and the UIDs of calendars become those of occasions, so that subscribers keep what they have."""

from datetime import date
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

import icalendar
import pytest
from django.test import Client
from lxml import etree

from programme.exchange.readers.registry import build_import_defaults, read
from programme.models import Day, Event, GoneOccasion, ImportedRow, Occasion
from tests.programme.exchange.imports import current_revision, report_counts, report_section, values_of
from tests.programme.exchange.readers.ical.calendars import HEAD, calendar
from tests.programme.exchange.readers.ical.calendars import JAZZ as CONCERT
from tests.programme.exchange.schedules import JAZZ, LATER, TEA, build_json, build_xml

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("three_days")]

GUID = "c0ffee00-dead-5bee-8bad-0123456789ab"
TEA_OF_GUID = TEA | {"guid": GUID}
TAKEN = (
    "the UID by which calendars know it is or was another occasion's here: it gets a new one, and they show it as"
    " new"
)
SERIES = (
    *("UID:tea 1@fest.example", "SUMMARY:Tea", "DTSTART:20260728T130000Z", "DTEND:20260728T140000Z"),
    "RRULE:FREQ=DAILY",
)
MOVED = (
    *("UID:tea 1@fest.example", "RECURRENCE-ID:20260729T130000Z", "SUMMARY:Tea", "DTSTART:20260729T140000Z"),
    "DTEND:20260729T150000Z",
)


def list_uids() -> list[str]:
    return [each.uid or str(each.uuid) for each in Occasion.objects.order_by("start", "id")]


@pytest.mark.parametrize("build", [build_xml, build_json])
def test_feeds_have_the_guids_of_an_imported_schedule(run, build):
    run(build(TEA_OF_GUID, JAZZ))
    body = Client().get("/api/events.ics").content
    assert [str(each["UID"]) for each in icalendar.Calendar.from_ical(body).walk("VEVENT")] == [GUID, "g2"]
    guids = [GUID, str(uuid5(NAMESPACE_URL, "g2"))]
    schedule = etree.fromstring(Client().get("/api/events.frab-xml").content)
    assert [each.get("guid") for each in schedule.iter("event")] == guids
    days = Client().get("/api/events.frab-json").json()["schedule"]["conference"]["days"]
    assert [each["guid"] for day in days for room in day["rooms"].values() for each in room] == guids


@pytest.mark.parametrize("extension", ["ics", "frab-xml", "frab-json"])
def test_the_services_own_calendar_and_schedule_are_read_like_anybodys_and_keep_uids(run, extension):
    run(calendar(CONCERT, head=HEAD))
    run(build_xml(TEA_OF_GUID))
    body = Client().get(f"/api/events.{extension}").content
    before = values_of(Occasion, "uuid", "start", "end", "event__title", "event__area__name")
    Event.objects.all().delete()
    ImportedRow.objects.all().delete()
    GoneOccasion.objects.all().delete()
    assert not read(body, "programme", build_import_defaults()).contents.is_own_export
    run(body, "--area", "Parken")
    after = values_of(Occasion, "uuid", "start", "end", "event__title", "event__area__name")
    assert len(after) == 2
    assert sorted(after) == sorted((*each[:4], "Parken") for each in before)


def test_the_first_occasion_of_a_series_has_its_uid_and_the_others_one_that_follows_from_it(run):
    content = calendar(SERIES, MOVED, CONCERT, head=HEAD)
    run(content)
    series = [
        "tea 1@fest.example",
        "tea 1@fest.example/20260729T140000Z",
        "tea 1@fest.example/20260730T130000Z",
    ]
    assert sorted(list_uids()) == sorted([*series, "jazz"])
    before = current_revision()
    report = run(content)
    assert (current_revision(), report_counts(report)["occasions"]) == (before, [0, 0, 4, 0])
    # In another installation, too.
    Event.objects.all().delete()
    GoneOccasion.objects.all().delete()
    ImportedRow.objects.all().delete()
    run(content)
    assert sorted(list_uids()) == sorted([*series, "jazz"])


def test_a_time_that_a_series_gets_later_takes_no_other_occasions_uid(run):
    run(calendar(SERIES, head=HEAD))
    known = dict(Occasion.objects.values_list("pk", "uid"))
    Day.on(date(2026, 7, 31))
    earlier = ("DTSTART:20260727T130000Z", "DTEND:20260727T140000Z")
    Day.on(date(2026, 7, 27))
    report = run(calendar((*SERIES[:2], *earlier, SERIES[-1]), head=HEAD))
    assert TAKEN not in report
    assert dict(Occasion.objects.filter(pk__in=known).values_list("pk", "uid")) == known
    new = Occasion.objects.exclude(pk__in=known).order_by("start")
    assert [each.uid for each in new] == [
        "tea 1@fest.example/20260727T130000Z",
        "tea 1@fest.example/20260731T130000Z",
    ]


def test_a_series_whose_first_time_is_no_longer_in_the_file_has_its_uid_still(run):
    run(calendar(SERIES, head=HEAD))
    Day.on(date(2026, 7, 31))
    report = run(calendar((*SERIES, "EXDATE:20260728T130000Z"), head=HEAD))
    assert TAKEN not in report
    assert list_uids()[0] == "tea 1@fest.example"
    assert list_uids()[-1] == "tea 1@fest.example/20260731T130000Z"


def test_occasions_with_one_guid_have_a_uid_each(run):
    report = run(build_xml(TEA_OF_GUID, TEA_OF_GUID | {"date": LATER}))
    assert list_uids() == [GUID, f"{GUID}/20260730T130000Z"]
    assert report_section(report, "Problems") == [f"Tea: the guid {GUID} stands for several occasions"]


def test_an_occasion_that_is_known_keeps_the_uid_that_it_has(run):
    run(build_xml(TEA, JAZZ))
    uuid = uuid4()
    Occasion.objects.filter(source_id="g1").update(uuid=uuid, uid="")
    before = current_revision()
    run(build_xml(TEA, JAZZ))
    assert (current_revision(), list_uids()) == (before, [str(uuid), "g2"])


def test_a_uid_that_another_occasion_has_is_reported(run):
    run(build_xml(TEA_OF_GUID))
    report = run(build_xml(TEA_OF_GUID, JAZZ), "--source", "other")
    assert report_section(report, "Problems") == [f"Tea, Wed 29 Jul 2026 15:00: {TAKEN}"]
    assert list_uids() == [GUID, f"{GUID}/20260729T130000Z", "g2"]
    before = current_revision()
    report = run(build_xml(TEA_OF_GUID, JAZZ), "--source", "other")
    assert (current_revision(), report_section(report, "Problems")) == (before, [])
    # Whoever brings it a third time: nothing follows from the file any more.
    run(build_xml(TEA_OF_GUID), "--source", "third")
    assert len(set(list_uids())) == 4
    assert Occasion.objects.get(source="third").uid == ""


@pytest.mark.parametrize("was_published", [True, False])
def test_a_uid_that_readers_know_of_a_deleted_occasion_is_reported(run, was_published):
    run(build_xml(TEA_OF_GUID), *(() if was_published else ("--draft",)))
    Event.objects.all().delete()
    assert values_of(GoneOccasion, "uuid") == [(UUID(GUID),)] * was_published
    report = run(build_xml(TEA_OF_GUID), "--source", "other")
    assert report_section(report, "Problems") == [f"Tea, Wed 29 Jul 2026 15:00: {TAKEN}"] * was_published
    assert list_uids() == ([f"{GUID}/20260729T130000Z"] if was_published else [GUID])


def test_an_occasion_that_was_deleted_here_has_no_other_ones_uid(run):
    run(build_xml(TEA_OF_GUID, JAZZ))
    Occasion.objects.filter(source_id=GUID).delete()
    report = run(build_xml(TEA_OF_GUID, JAZZ))
    assert TAKEN not in report
    assert list_uids() == ["g2"]
    run(build_xml(TEA_OF_GUID, JAZZ), "--overwrite")
    assert list_uids() == [GUID, "g2"]
