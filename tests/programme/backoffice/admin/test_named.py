"""Organizers, locations and rooms that are made with the event that names them."""

import pytest
from django.contrib.auth.models import Permission, User

from programme.models import Event, Location, Occasion, Organizer, Room
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.admin.searching import NEAR, ask
from tests.programme.backoffice.requests import list_errors, parse, row_fields, send, submission, submit_new

WHEN = {"day": "2026-07-30", "start_time": "19", "end_time": "20"}


def test_a_name_that_finds_nothing_offers_the_nearest_ones_and_to_make_it(office, biblioteket):
    Organizer.objects.bulk_create([Organizer(name=name) for name in ("Älvhamns kulturskola", "Hamnkören")])
    Room.objects.create(location=biblioteket, name="Hörsalen")
    beside = {"location": biblioteket.pk}
    assert [
        ask(office, "organizer", "Kulturskolan"),
        ask(office, "organizer", "kultur"),
        ask(office, "organizer", " "),
        ask(office, "location", "Bibliotekket", model="occasion"),
        ask(office, "room", "Hörsaln", model="occasion", **beside),
        # Without a location a room is nowhere; in the form of a room nothing is made.
        ask(office, "room", "Hörsaln", model="occasion"),
        ask(office, "room", "Salen", model="occasion", location="new:Teatern"),
        ask(office, "location", "Teatern", model="room"),
    ] == [
        [[NEAR, "Älvhamns kulturskola"], "new:Kulturskolan"],
        ["Älvhamns kulturskola"],
        ["Hamnkören", "Älvhamns kulturskola"],
        [[NEAR, "Biblioteket, Storgatan 1"], "new:Bibliotekket"],
        [[NEAR, "Biblioteket, Hörsalen"], "new:Hörsaln"],
        [[NEAR, "Biblioteket, Hörsalen"]],
        ["new:Salen"],
        [],
    ]


def test_what_is_not_found_takes_as_many_queries_however_many_names_there_are(
    office, django_assert_num_queries
):
    for number in (1, 300):
        Organizer.objects.bulk_create([Organizer(name=f"Kören {number} {each}") for each in range(number)])
        for name in ("Kulturskolan", f"Koren {number} 0"):
            # Session, user, the number of those found, all of them.
            with django_assert_num_queries(4):
                ask(office, "organizer", name)


def test_what_is_named_is_made_once_with_the_event(office, torget):
    rows = row_fields("occasions", 0, **WHEN, location="new:teatern", room="new:Salen")
    rows |= row_fields("occasions", 1, **WHEN, location="new:Ladan")
    rows |= row_fields("occasions", 2, **WHEN, location="new:Teatern") | {"occasions-TOTAL_FORMS": "3"}
    named = {"organizer": "new: Kulturskolan "}
    assert submit_new(office, "event", title="Kör", area=torget.pk, **named, **rows).status_code == 302
    event = Event.objects.select_related("organizer").get()
    assert str(event.organizer) == "Kulturskolan"
    assert [*Occasion.objects.order_by("pk").values_list("location__name", "room__name")] == [
        ("teatern", "Salen"),
        ("Ladan", None),
        ("teatern", None),
    ]
    # What has the name by now is taken.
    assert send(office, change_address(event), organizer="new:KULTURSKOLAN").status_code == 302
    assert [model.objects.count() for model in (Organizer, Location, Room)] == [1, 2, 1]


def test_of_what_is_refused_nothing_is_made_and_the_names_stay(office, torget):
    row = row_fields("occasions", 0, **WHEN | {"end_time": "x"}, room="new:Salen")
    row |= row_fields("occasions", 1, **WHEN, location=f"new:{'x' * 201}") | {"occasions-TOTAL_FORMS": "2"}
    named = {"organizer": "new:Kulturskolan"}
    refused = submit_new(office, "event", title="Kör", area=torget.pk, **named, **row)
    assert list_errors(refused) == {
        "occasions-1-location": ["Ensure this value has at most 200 characters (it has 201)."],
        "occasions-0-end_time": ["Write it as 21:00, or how long it lasts: 2 h, 90 min."],
        "occasions-0-room": ["Choose the location of the new room."],
    }
    assert parse(refused).select_one("#id_organizer option[selected]").get_text() == "Make “Kulturskolan”"
    assert [model.objects.count() for model in (Organizer, Location, Room)] == [0, 0, 0]
    digits = submit_new(office, "event", title="Kör", area=torget.pk, organizer="new:12")
    assert list_errors(digits) == {
        "organizer": ["Digits alone are an ID in the API. Add a word to the name."]
    }


def test_who_may_not_add_organizers_makes_none(office, jazz):
    bo = User.objects.create_user("bo", is_staff=True)
    may = ["change_event", "view_event", "edit_every_area", "view_organizer"]
    bo.user_permissions.set(Permission.objects.filter(codename__in=may))
    office.force_login(bo)
    assert ask(office, "organizer", "Kulturskolan") == []
    refused = send(office, change_address(jazz), organizer="new:Kulturskolan")
    assert "no longer there" in list_errors(refused)["organizer"][0]
    assert not Organizer.objects.exists()


def test_a_preview_shows_it_and_makes_nothing(office, jazz):
    sent = submission(office.get(change_address(jazz))) | {"occasions-0-location": "new:Teatern"}
    preview = office.post(f"{EVENTS}{jazz.pk}/preview/", sent)
    assert ("Teatern" in preview.content.decode(), Location.objects.count()) == (True, 0)


@pytest.mark.parametrize("name", ["location", "room"])
def test_an_occasion_by_itself_makes_its_place(office, jazz, name):
    place = {"location": "new:Teatern"} | {name: "new:Teatern"}
    assert submit_new(office, "occasion", event=jazz.pk, **WHEN, **place).status_code == 302
    assert Occasion.objects.latest("pk").location == Location.objects.get()
