"""An editor keeps the festival, its areas and locations; clashes are said beside the name."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from programme.models import (
    Area,
    AreaDay,
    Day,
    Event,
    EventType,
    Festival,
    Language,
    Location,
    Organizer,
    Room,
    Stream,
    SubArea,
)
from tests.programme.back_office import GONE, above, anna, errors, office, row, said, submission, unsigned

__all__ = ["anna", "office"]

AREAS, LOCATIONS = "/admin/programme/area/", "/admin/programme/location/"


def add(office: Client, kind: str, **typed: Any) -> Any:
    address = f"/admin/programme/{kind}/add/"
    return office.post(address, submission(office.get(address)) | typed)


@pytest.fixture
def torget(db: None) -> Area:
    return Area.objects.create(name="Ångtorget", full_name="Stora Ångtorget")


@pytest.fixture
def biblioteket(db: None) -> Location:
    return Location.objects.create(name="Biblioteket", address="Storgatan 1")


# --- The festival -------------------------------------------------------------------------------


def test_festival_list_leads_to_the_form_of_its_only_row(office: Client) -> None:
    first = office.get("/admin/programme/festival/", follow=True)
    assert first.redirect_chain == [("/admin/programme/festival/add/", 302)]
    saved = office.post(
        "/admin/programme/festival/add/",
        submission(first) | {"name_sv": "Kulturnatten", "website": "www.kulturnatten.example"},
        follow=True,
    )
    assert [address for address, _status in saved.redirect_chain] == [
        "/admin/programme/festival/",
        "/admin/programme/festival/1/change/",
    ]
    assert list(Festival.objects.values_list("id", "name_sv", "website")) == [
        (1, "Kulturnatten", "https://www.kulturnatten.example")
    ]


def test_festival_that_is_there_can_be_neither_added_nor_deleted(office: Client) -> None:
    Festival.objects.create(name_sv="Kulturnatten")
    page = office.get("/admin/programme/festival/1/change/").content.decode()
    assert "/festival/add/" not in page
    assert "/festival/1/delete/" not in page
    assert office.get("/admin/programme/festival/add/").status_code == 403
    assert office.post("/admin/programme/festival/1/delete/", {"post": "yes"}).status_code == 403


# --- Names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ({"name": "ÅNGTORGET"}, {"name": ["Another area has this name."]}),
        ({"name": "a\u030angtorget "}, {"name": ["Another area has this name."]}),
        ({"name": "stora ångtorget"}, {"name": ["Another area has this as its full name."]}),
        (
            {"name": "Parken", "full_name": "STORA ÅNGTORGET"},
            {"full_name": ["Another area has this full name."]},
        ),
        (
            {"name": "Parken", "full_name": "ångtorget"},
            {"full_name": ["Another area has this as its name."]},
        ),
        ({"name": ""}, {"name": ["This field is required."]}),
        ({"name": "\u200b"}, {"name": ["This field cannot be blank."]}),
        ({"name": "x" * 101}, {"name": ["Ensure this value has at most 100 characters (it has 101)."]}),
        ({"name": "Parken", "color": "grön"}, {"color": ["Write the colour as # and six digits: #2f6f4e."]}),
    ],
)
def test_area_that_cannot_be_is_refused_beside_its_field(
    office: Client, torget: Area, typed: dict[str, str], found: dict[str, list[str]]
) -> None:
    assert errors(add(office, "area", **typed)) == found


def test_area_may_be_called_the_same_in_full(office: Client, torget: Area) -> None:
    address = f"{AREAS}{torget.pk}/change/"
    sent = submission(office.get(address)) | {"full_name": "ÅNGTORGET", "color": "#2F6F4E"}
    assert office.post(address, sent).status_code == 302
    assert list(Area.objects.values_list("full_name", "color")) == [("ÅNGTORGET", "#2f6f4e")]


@pytest.mark.parametrize(
    ("kind", "made", "typed", "found"),
    [
        (
            "organizer",
            lambda: Organizer.objects.create(name="Föreningen Ägg"),
            {"name": "FÖRENINGEN ÄGG"},
            {"name": ["There is an organizer with this name already."]},
        ),
        # Folding makes two letters of one: more than the key's column holds.
        ("organizer", lambda: None, {"name": "ß" * 450}, {"name": ["This name is too long."]}),
        (
            "eventtype",
            EventType.other,
            {"name_sv": "ÖVRIGT"},
            {"name_sv": ["There is an event type with this name already."]},
        ),
        (
            "language",
            lambda: Language.objects.create(code="sv-FI", name_sv="Finlandssvenska"),
            {"code": "SV-fi", "name_sv": "Svenska"},
            {"code": ["There is a language with this code already."]},
        ),
        (
            "location",
            lambda: Location.objects.create(name="Änggården", address="Vägen 1"),
            {"name": "ÄNGGÅRDEN", "address": " Vägen 1"},
            {"name": ["There is a location with this name and address already."]},
        ),
    ],
)
def test_name_that_is_taken_is_refused_beside_it(
    office: Client, kind: str, made: Any, typed: dict[str, str], found: Any
) -> None:
    made()
    assert errors(add(office, kind, **typed)) == found


def test_location_may_share_its_name_at_another_address(office: Client, biblioteket: Location) -> None:
    assert add(office, "location", name="BIBLIOTEKET", address="Nygatan 2").status_code == 302


def test_sub_areas_clash_within_their_area_only(office: Client, torget: Area) -> None:
    park = Area.objects.create(name="Parken")
    SubArea.objects.create(area=torget, name="Ängen", full_name="Stora ängen")
    common = {"physical": "on", "name": "STORA ÄNGEN"}
    assert errors(add(office, "subarea", area=torget.pk, **common)) == {
        "name": ["Another sub area of this area has this as its full name."]
    }
    assert add(office, "subarea", area=park.pk, **common).status_code == 302


RESERVED = "“none” asks the API for events in no sub area. Choose another name."


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ({"name": "None"}, {"name": [RESERVED]}),
        ({"name": "Ingen", "full_name": "\u200bNONE "}, {"full_name": [RESERVED]}),
        ({"name": "none", "full_name": "None"}, {"name": [RESERVED], "full_name": [RESERVED]}),
    ],
)
def test_sub_area_may_not_be_called_what_the_interface_keeps_for_itself(
    office: Client, torget: Area, typed: dict[str, str], found: dict[str, list[str]]
) -> None:
    assert errors(add(office, "subarea", area=torget.pk, **typed)) == found
    rows = row("sub_areas", 0, sort_order="0", **typed) | {"sub_areas-TOTAL_FORMS": "1"}
    assert errors(add(office, "area", name="Parken", **rows)) == {
        f"sub_areas-0-{field}": said for field, said in found.items()
    }
    assert SubArea.objects.count() == 0


@pytest.mark.parametrize("name", ["None", "Nonet", "Stora none"])
def test_area_and_names_that_hold_the_reserved_word_are_free(office: Client, torget: Area, name: str) -> None:
    kind = "area" if name == "None" else "subarea"
    assert add(office, kind, name=name, area=torget.pk).status_code == 302


@pytest.mark.parametrize("name", ["1984", "007", "\u200b12"])
def test_organizer_called_by_digits_alone_is_refused_beside_the_name(office: Client, name: str) -> None:
    assert errors(add(office, "organizer", name=name)) == {
        "name": ["Digits alone are an ID in the API. Add a word to the name."]
    }


@pytest.mark.parametrize("name", ["1984 Bio", "١٩٨٤", "-1"])
def test_organizer_called_by_more_than_digits_is_added(office: Client, name: str) -> None:
    assert add(office, "organizer", name=name).status_code == 302


def test_organizer_that_came_with_digits_for_a_name_can_be_edited(office: Client) -> None:
    address = f"/admin/programme/organizer/{Organizer.objects.create(name='1984').pk}/change/"
    assert office.post(address, submission(office.get(address)) | {"offer_count": "3"}).status_code == 302
    assert list(Organizer.objects.values_list("name", "offer_count")) == [("1984", 3)]


@pytest.mark.parametrize(
    "code", ["!!", "s", "x", "x-", "sv_FI", "sv-", "-sv", "svenska språket", "sv-FI\u0661"]
)
def test_language_code_that_is_none_is_refused_beside_it(office: Client, code: str) -> None:
    assert errors(add(office, "language", code=code, name_sv="Svenska")) == {
        "code": ["Write it like sv, sgn or pt-BR."]
    }


@pytest.mark.parametrize("code", ["sv", "SGN", "sv-FI", "zh-Hant-TW", "x-rovar", "x-1"])
def test_language_is_added_by_its_code(office: Client, code: str) -> None:
    assert add(office, "language", code=code, name_sv="Språket").status_code == 302
    assert list(Language.objects.values_list("code", flat=True)) == [code]


@pytest.mark.parametrize("taken", ["room", "sub area"])
def test_name_that_is_taken_in_a_row_is_refused_beside_it(
    office: Client, torget: Area, biblioteket: Location, taken: str
) -> None:
    if taken == "room":
        Room.objects.create(location=biblioteket, name="Salen")
        address, rows, message = (
            f"{LOCATIONS}{biblioteket.pk}/change/",
            "rooms",
            "This location already has a room of this name.",
        )
    else:
        SubArea.objects.create(area=torget, name="Salen")
        address, rows, message = (
            f"{AREAS}{torget.pk}/change/",
            "sub_areas",
            "Another sub area of this area has this name.",
        )
    sent = submission(office.get(address)) | {f"{rows}-TOTAL_FORMS": "2", **row(rows, 1, name="SALEN")}
    sent[f"{rows}-1-sort_order"] = "0"
    assert errors(office.post(address, sent)) == {f"{rows}-1-name": [message]}


def test_two_new_rooms_of_one_name_are_refused_in_a_new_location_too(office: Client) -> None:
    twice = row("rooms", 0, name="Salen") | row("rooms", 1, name="SALEN")
    answer = add(office, "location", name="Teatern", **twice, **{"rooms-TOTAL_FORMS": "2"})
    assert errors(answer) == {"rooms-1-name": ["Another row has this name."]}


def test_two_new_sub_areas_of_one_name_are_refused_in_a_new_area_too(office: Client) -> None:
    rows = row("sub_areas", 0, name="Scenen", full_name="Stora scenen", sort_order="0")
    rows |= row("sub_areas", 1, name="STORA SCENEN", sort_order="0") | {"sub_areas-TOTAL_FORMS": "2"}
    assert errors(add(office, "area", name="Parken", **rows)) == {
        "sub_areas-1-name": ["Another row has this name."]
    }


# --- Rows of an area ----------------------------------------------------------------------------


def test_area_is_added_with_sub_areas_days_and_streams(office: Client) -> None:
    rows = {
        "sub_areas-TOTAL_FORMS": "1",
        "days-TOTAL_FORMS": "2",
        "streams-TOTAL_FORMS": "1",
        **row("sub_areas", 0, name="Scenen", physical="on", sort_order="0"),
        **row("days", 0, date="2026-07-30", opens="1000", closes="2", title="Andra dagen"),
        **row("days", 1, date="2026-07-29"),
        **row("streams", 0, name="Direkt", url="https://example.org/", source="1"),
    }
    assert add(office, "area", name="Torget", **rows).status_code == 302
    assert list(AreaDay.objects.values_list("day", "day__date", "opens", "closes", "title")) == [
        (20260729, dt.date(2026, 7, 29), None, None, ""),
        (20260730, dt.date(2026, 7, 30), dt.time(10), dt.time(2), "Andra dagen"),
    ]
    assert list(SubArea.objects.values_list("area__name", "name")) == [("Torget", "Scenen")]
    assert list(Stream.objects.values_list("area__name", "name", "source")) == [("Torget", "Direkt", 1)]


def test_area_sent_back_untouched_keeps_its_rows(office: Client, torget: Area) -> None:
    AreaDay.objects.create(area=torget, day=Day.on(dt.date(2026, 7, 29)), opens=dt.time(10, 0, 30))
    before = list(AreaDay.objects.values())
    address = f"{AREAS}{torget.pk}/change/"
    sent = submission(office.get(address))
    assert sent["days-0-date"] == "2026-07-29"
    assert office.post(address, sent | {"price": "Fritt"}).status_code == 302
    assert (list(AreaDay.objects.values()), Area.objects.get().price) == (before, "Fritt")


def test_day_of_an_area_is_moved_to_another_date(office: Client, torget: Area) -> None:
    AreaDay.objects.create(area=torget, day=Day.on(dt.date(2026, 7, 29)), title="Första dagen")
    address = f"{AREAS}{torget.pk}/change/"
    sent = submission(office.get(address)) | {"days-0-date": "2026-07-28"}
    assert office.post(address, sent).status_code == 302
    assert list(AreaDay.objects.values_list("day", "title")) == [(20260728, "Första dagen")]


def test_day_that_stands_twice_is_refused_beside_it(office: Client, torget: Area) -> None:
    AreaDay.objects.create(area=torget, day=Day.on(dt.date(2026, 7, 29)))
    address = f"{AREAS}{torget.pk}/change/"
    rows = row("days", 1, date="2026-07-29") | row("days", 2, date="2026-07-30")
    rows |= row("days", 3, date="2026-07-30") | {"days-TOTAL_FORMS": "4"}
    assert errors(office.post(address, submission(office.get(address)) | rows)) == {
        "days-1-date": ["This area already has an entry for this day."],
        "days-3-date": ["Another row has this day."],
    }


@pytest.mark.parametrize(
    ("kind", "rows", "field", "other"),
    [
        ("location", "rooms", "accessibility_sv", "public_transport_station"),
        ("area", "sub_areas", "full_name", "price"),
        ("area", "days", "title", "price"),
        ("area", "streams", "name", "price"),
        ("subarea", "streams", "name", "address"),
    ],
)
def test_row_that_was_deleted_meanwhile_is_said_to_be_and_the_rest_kept(  # noqa: PLR0917 - one table of cases
    office: Client, torget: Area, biblioteket: Location, kind: str, rows: str, field: str, other: str
) -> None:
    scenen = SubArea.objects.create(area=torget, name="Scenen")
    SubArea.objects.create(area=torget, name="Taket")
    for number in (1, 2):
        Room.objects.create(location=biblioteket, name=f"Salen {number}")
        AreaDay.objects.create(area=torget, day=Day.on(dt.date(2026, 7, number)))
        Stream.objects.create(area=torget, name=f"Direkt {number}", url="https://example.org/")
        Stream.objects.create(sub_area=scenen, name=f"Direkt {number}", url="https://example.org/")
    parent = {"location": biblioteket, "area": torget, "subarea": scenen}[kind]
    address = f"/admin/programme/{kind}/{parent.pk}/change/"
    sent = submission(office.get(address)) | {
        other: "Nytt",
        f"{rows}-0-{field}": "A",
        f"{rows}-1-{field}": "B",
    }
    getattr(parent, rows).get(pk=sent[f"{rows}-0-id"]).delete()
    # Its page says so first; what is sent as if it had been seen is refused in its row.
    refused = office.post(address, submission(office.post(address, sent)))
    assert errors(refused) == {f"{rows}-0-__all__": [GONE]}
    assert [above(refused, f"{rows}-{index}") for index in (0, 1)] == [GONE, ""]
    assert unsigned(submission(refused)) == unsigned(sent)
    assert office.post(address, submission(refused) | {f"{rows}-0-DELETE": "on"}).status_code == 302
    parent.refresh_from_db()
    assert getattr(parent, other) == "Nytt"
    assert list(getattr(parent, rows).values_list("pk", field)) == [(int(sent[f"{rows}-1-id"]), "B")]


def test_stream_of_an_area_and_a_sub_area_is_refused(office: Client, torget: Area) -> None:
    scenen = SubArea.objects.create(area=torget, name="Scenen")
    answer = add(
        office, "stream", name="Direkt", url="https://example.org/", area=torget.pk, sub_area=scenen.pk
    )
    assert errors(answer) == {"__all__": ["Choose an area or a sub area, not both."]}


INCOMPLETE = "Write the whole address, beginning with https://."


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("javascript:alert(1)", INCOMPLETE),
        ("ftp://example.org/", INCOMPLETE),
        ("bild.jpg", INCOMPLETE),
        ("example.org", INCOMPLETE),
        ("//example.org/", INCOMPLETE),
        ("wwwexample.org", INCOMPLETE),
        ("http://", "Enter a valid URL."),
        ("https://bild jpg", "Enter a valid URL."),
        ("www.", "Enter a valid URL."),
    ],
)
def test_address_that_is_no_web_page_is_refused(office: Client, address: str, message: str) -> None:
    assert errors(add(office, "stream", name="Direkt", url=address)) == {"url": [message]}


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("www.example.org:8080/a", "https://www.example.org:8080/a"),
        ("WWW.example.org", "https://WWW.example.org"),
        ("\u200b http://example.org/", "http://example.org/"),
        ("HTTPS://example.org/", "HTTPS://example.org/"),
    ],
)
def test_address_is_completed_where_it_begins_with_www_alone(
    office: Client, torget: Area, typed: str, stored: str
) -> None:
    assert add(office, "stream", name="Direkt", url=typed).status_code == 302
    rows = row("streams", 0, name="I raden", url=typed, source="0") | {"streams-TOTAL_FORMS": "1"}
    assert add(office, "area", name="Parken", ticket_url=typed, **rows).status_code == 302
    assert list(Stream.objects.values_list("url", flat=True)) == [stored, stored]
    assert Area.objects.get(name="Parken").ticket_url == stored


def test_events_move_along_with_their_sub_area(office: Client, torget: Area) -> None:
    park = Area.objects.create(name="Parken")
    scenen = SubArea.objects.create(area=torget, name="Scenen")
    Event.objects.create(title="Jazz", area=torget, sub_area=scenen, type=EventType.other())
    Event.objects.create(title="Kör", area=torget, type=EventType.other())
    address = f"/admin/programme/subarea/{scenen.pk}/change/"
    answer = office.post(address, submission(office.get(address)) | {"area": park.pk}, follow=True)
    assert said(answer)[0] == "1 event moved along into Parken."
    assert list(Event.objects.values_list("title", "area__name")) == [
        ("Jazz", "Parken"),
        ("Kör", "Ångtorget"),
    ]


def test_room_stays_in_its_location(office: Client, biblioteket: Location) -> None:
    room = Room.objects.create(location=biblioteket, name="Salen")
    elsewhere = Location.objects.create(name="Teatern")
    address = f"/admin/programme/room/{room.pk}/change/"
    sent = submission(office.get(address)) | {"location": elsewhere.pk, "floor": "2"}
    assert office.post(address, sent).status_code == 302
    assert list(Room.objects.values_list("location__name", "floor")) == [("Biblioteket", "2")]


# --- Deleting -----------------------------------------------------------------------------------


@pytest.fixture
def jazz(torget: Area, biblioteket: Location) -> Event:
    """An event that names one of everything."""
    return Event.objects.create(
        title="Jazz",
        area=torget,
        sub_area=SubArea.objects.create(area=torget, name="Scenen"),
        type=EventType.other(),
        organizer=Organizer.objects.create(name="Föreningen"),
        language=Language.objects.create(code="sv", name_sv="Svenska"),
        location=biblioteket,
        room=Room.objects.create(location=biblioteket, name="Salen"),
    )


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("area", "area"),
        ("subarea", "sub_area"),
        ("eventtype", "type"),
        ("organizer", "organizer"),
        ("language", "language"),
        ("location", "location"),
        ("room", "room"),
    ],
)
def test_what_events_name_is_not_deleted_but_said_to_be_in_use(
    office: Client, jazz: Event, kind: str, named: str
) -> None:
    row = getattr(jazz, named)
    page = office.post(f"/admin/programme/{kind}/{row.pk}/delete/", {"post": "yes"})
    assert page.status_code == 200
    assert "would require deleting the following protected related objects" in page.content.decode()
    together = {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"}
    page = office.post(f"/admin/programme/{kind}/", together)
    assert "would require deleting the following protected related objects" in page.content.decode()
    assert type(row).objects.filter(pk=row.pk).exists()


@pytest.mark.parametrize(
    ("kind", "named", "rows"), [("area", "sub_area", "sub_areas"), ("location", "room", "rooms")]
)
def test_row_that_events_name_is_not_deleted_either(
    office: Client, jazz: Event, kind: str, named: str, rows: str
) -> None:
    address = f"/admin/programme/{kind}/{getattr(jazz, kind).pk}/change/"
    page = office.post(address, submission(office.get(address)) | {f"{rows}-0-DELETE": "on"})
    assert "would require deleting the following protected related objects" in page.content.decode()
    assert type(getattr(jazz, named)).objects.count() == 1
