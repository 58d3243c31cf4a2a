"""Rows of areas and locations, addresses of web pages, and rows that cannot be deleted."""

import datetime as dt

import pytest
from django.test import Client

from programme.models import Area, AreaDay, Day, Event, EventType, Location, Room, Stream, SubArea
from tests.programme.backoffice.admin.addresses import AREAS
from tests.programme.backoffice.requests import (
    GONE,
    list_errors,
    list_messages,
    read_row_error,
    row_fields,
    send,
    submission,
    submit_new,
    without_tokens,
)
from tests.programme.backoffice.samples import make_events


def test_area_is_added_with_sub_areas_days_and_streams(office):
    rows = {
        "sub_areas-TOTAL_FORMS": "1",
        "days-TOTAL_FORMS": "2",
        "streams-TOTAL_FORMS": "1",
        **row_fields("sub_areas", 0, name="Scenen", physical="on", sort_order="0"),
        **row_fields("days", 0, date="2026-07-30", opens="1000", closes="2", title="Andra dagen"),
        **row_fields("days", 1, date="2026-07-29"),
        **row_fields("streams", 0, name="Direkt", url="https://example.org/", source="1"),
    }
    assert submit_new(office, "area", name="Torget", **rows).status_code == 302
    assert list(AreaDay.objects.values_list("day", "day__date", "opens", "closes", "title")) == [
        (20260729, dt.date(2026, 7, 29), None, None, ""),
        (20260730, dt.date(2026, 7, 30), dt.time(10), dt.time(2), "Andra dagen"),
    ]
    assert list(SubArea.objects.values_list("area__name", "name")) == [("Torget", "Scenen")]
    assert list(Stream.objects.values_list("area__name", "name", "source")) == [("Torget", "Direkt", 1)]


def test_area_sent_back_untouched_keeps_its_rows_and_a_day_is_moved(office, angtorget):
    AreaDay.objects.create(area=angtorget, day=Day.on(dt.date(2026, 7, 29)), opens=dt.time(10, 0, 30))
    before = list(AreaDay.objects.values())
    address = f"{AREAS}{angtorget.pk}/change/"
    sent = submission(office.get(address))
    assert sent["days-0-date"] == "2026-07-29"
    assert office.post(address, sent | {"price": "Fritt"}).status_code == 302
    assert (list(AreaDay.objects.values()), Area.objects.get().price) == (before, "Fritt")
    assert send(office, address, **{"days-0-date": "2026-07-28"}).status_code == 302
    assert list(AreaDay.objects.values_list("day", "id")) == [(20260728, before[0]["id"])]


def test_day_that_stands_twice_is_refused_beside_it(office, angtorget):
    AreaDay.objects.create(area=angtorget, day=Day.on(dt.date(2026, 7, 29)))
    address = f"{AREAS}{angtorget.pk}/change/"
    rows = row_fields("days", 1, date="2026-07-29") | row_fields("days", 2, date="2026-07-30")
    rows |= row_fields("days", 3, date="2026-07-30") | {"days-TOTAL_FORMS": "4"}
    assert list_errors(send(office, address, **rows)) == {
        "days-1-date": ["This area already has an entry for this day."],
        "days-3-date": ["Another row has this day."],
    }


@pytest.mark.parametrize(
    ("kind", "rows", "field", "other"),
    [
        ("location", "rooms", "accessibility_sv", "public_transport_station"),
        ("area", "days", "title", "price"),
    ],
)
def test_row_that_was_deleted_meanwhile_is_said_to_be_and_the_rest_kept(  # noqa: PLR0917 - one table of cases
    office: Client, angtorget: Area, biblioteket: Location, kind: str, rows: str, field: str, other: str
) -> None:
    for number in (1, 2):
        Room.objects.create(location=biblioteket, name=f"Salen {number}")
        AreaDay.objects.create(area=angtorget, day=Day.on(dt.date(2026, 7, number)))
    parent = {"location": biblioteket, "area": angtorget}[kind]
    address = f"/admin/programme/{kind}/{parent.pk}/change/"
    sent = submission(office.get(address)) | {
        other: "Nytt",
        f"{rows}-0-{field}": "A",
        f"{rows}-1-{field}": "B",
    }
    getattr(parent, rows).get(pk=sent[f"{rows}-0-id"]).delete()
    # Its page says so first; what is sent as if nothing had been asked is refused in its row.
    refused = office.post(address, submission(office.post(address, sent)) | {"_asked": ""})
    assert list_errors(refused) == {f"{rows}-0-__all__": [GONE]}
    assert [read_row_error(refused, f"{rows}-{index}") for index in (0, 1)] == [GONE, ""]
    assert without_tokens(submission(refused)) == without_tokens(sent)
    assert office.post(address, submission(refused) | {f"{rows}-0-DELETE": "on"}).status_code == 302
    parent.refresh_from_db()
    assert getattr(parent, other) == "Nytt"
    assert list(getattr(parent, rows).values_list("pk", field)) == [(int(sent[f"{rows}-1-id"]), "B")]


def test_stream_of_an_area_and_a_sub_area_is_refused(office, angtorget):
    scenen = SubArea.objects.create(area=angtorget, name="Scenen")
    answer = submit_new(
        office, "stream", name="Direkt", url="https://example.org/", area=angtorget.pk, sub_area=scenen.pk
    )
    assert list_errors(answer) == {"__all__": ["Choose an area or a sub area, not both."]}


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "ftp://example.org/",
        "//example.org/",
        "info@example.org",
        "bild.jpg",
        "a b.se",
        "x",
    ],
)
def test_address_that_is_no_web_page_is_refused(office, address):
    assert list_errors(submit_new(office, "stream", name="Direkt", url=address)) == {
        "url": ["Write the whole address, beginning with https://."]
    }


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("WWW.example.org:8080/a", "https://WWW.example.org:8080/a"),
        (" biljetter.exempel.se ", "https://biljetter.exempel.se"),
        ("blåbär.se?dag=1", "https://blåbär.se?dag=1"),
        ("\u200b HTTP://example.org/", "HTTP://example.org/"),
    ],
)
def test_address_without_a_scheme_is_completed(office, angtorget, typed, stored):
    assert submit_new(office, "stream", name="Direkt", url=typed).status_code == 302
    rows = row_fields("streams", 0, name="I raden", url=typed, source="0") | {"streams-TOTAL_FORMS": "1"}
    assert submit_new(office, "area", name="Parken", ticket_url=typed, **rows).status_code == 302
    assert list(Stream.objects.values_list("url", flat=True)) == [stored, stored]
    assert Area.objects.get(name="Parken").ticket_url == stored


def test_events_move_along_with_their_sub_area(office, angtorget):
    park = Area.objects.create(name="Parken")
    scenen = SubArea.objects.create(area=angtorget, name="Scenen")
    Event.objects.create(title="Jazz", area=angtorget, sub_area=scenen, type=EventType.other())
    Event.objects.create(title="Kör", area=angtorget, type=EventType.other())
    moved = send(office, f"/admin/programme/subarea/{scenen.pk}/change/", follow=True, area=park.pk)
    assert list_messages(moved)[0] == "1 event moved along into Parken."
    assert list(Event.objects.values_list("title", "area__name")) == [
        ("Jazz", "Parken"),
        ("Kör", "Ångtorget"),
    ]


def test_room_stays_in_its_location(office, biblioteket):
    room = Room.objects.create(location=biblioteket, name="Salen")
    elsewhere = Location.objects.create(name="Teatern")
    address = f"/admin/programme/room/{room.pk}/change/"
    assert send(office, address, location=elsewhere.pk, floor="2").status_code == 302
    assert list(Room.objects.values_list("location__name", "floor")) == [("Biblioteket", "2")]


@pytest.mark.parametrize("named", ["area", "sub_area", "type", "organizer", "language", "location", "room"])
def test_what_events_name_is_not_deleted_but_said_to_be_in_use(office, named):
    [event] = make_events(1)
    row = getattr(event.occasions.get() if named in {"location", "room"} else event, named)
    address = f"/admin/programme/{row._meta.model_name}/"
    together = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    for page in (office.post(f"{address}{row.pk}/delete/", {"post": "yes"}), office.post(address, together)):
        assert "in use here:" in page.content.decode()
    row.refresh_from_db()


@pytest.mark.parametrize(("kind", "rows"), [("area", "sub_areas"), ("location", "rooms")])
def test_row_that_events_name_is_not_deleted_either(office, kind, rows):
    [event] = make_events(1)
    parent = getattr(event.occasions.get() if kind == "location" else event, kind)
    page = send(office, f"/admin/programme/{kind}/{parent.pk}/change/", **{f"{rows}-0-DELETE": "on"})
    assert "in use here:" in page.content.decode()
    assert getattr(parent, rows).exists()
