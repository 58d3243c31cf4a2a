"""Organizers, locations and rooms that are made with the event that names them."""

from django.contrib.auth.models import Permission, User

from programme.models import Event, Location, Occasion, Organizer, Room
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.admin.searching import NEAR, PLACES, ask, ask_for_place
from tests.programme.backoffice.requests import (
    list_errors,
    parse,
    row_fields,
    send,
    submission,
    submit_new,
    words,
)

WHEN = {"day": "2026-07-30", "start_time": "19", "end_time": "20"}


def test_a_name_that_finds_nothing_offers_the_nearest_ones_and_to_make_it(office, biblioteket):
    Organizer.objects.bulk_create([Organizer(name=name) for name in ("Älvhamns kulturskola", "Hamnkören")])
    hall = Room.objects.create(location=biblioteket, name="Hörsalen")
    assert [
        ask(office, "organizer", "Kulturskolan"),
        ask(office, "organizer", "kultur"),
        ask(office, "organizer", " "),
        ask_for_place(office, "hörs bibl"),
        ask_for_place(office, ""),
        ask_for_place(office, "Bibliotekket"),
        ask_for_place(office, "Hörsaln"),
        ask_for_place(office, "Teatern - Salen"),
        # In the form of a room nothing is made.
        ask(office, "location", "Teatern", model="room"),
    ] == [
        [[NEAR, "Älvhamns kulturskola"], "new:Kulturskolan"],
        ["Älvhamns kulturskola"],
        ["Hamnkören", "Älvhamns kulturskola"],
        [(f"r{hall.pk}", "Biblioteket – Hörsalen")],
        [(f"r{hall.pk}", "Biblioteket – Hörsalen"), (f"l{biblioteket.pk}", "Biblioteket, Storgatan 1")],
        [[NEAR, "Biblioteket, Storgatan 1"], "new:Bibliotekket"],
        [[NEAR, "Biblioteket – Hörsalen"], "new:Hörsaln"],
        ["new:Teatern - Salen"],
        [],
    ]


def test_places_are_offered_page_by_page(office, biblioteket):
    Room.objects.bulk_create(Room(location=biblioteket, name=f"Sal {number:02}") for number in range(40))
    sent = [office.get(PLACES, {"term": "sal", "page": page}).json() for page in ("", "2", "x", "3")]
    assert [len(each["results"]) for each in sent] == [20, 20, 20, 0]
    assert [each["pagination"]["more"] for each in sent] == [True, False, True, False]


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
    rows = row_fields("occasions", 0, **WHEN, place="new:teatern – Salen")
    rows |= row_fields("occasions", 1, **WHEN, place="new:Ladan")
    rows |= row_fields("occasions", 2, **WHEN, place="new:Teatern") | {"occasions-TOTAL_FORMS": "3"}
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
    taken = {"organizer": "new:KULTURSKOLAN", "occasions-2-place": "new:TEATERN - salen"}
    assert send(office, change_address(event), **taken, **{"occasions-2-end_time": "21"}).status_code == 302
    assert [model.objects.count() for model in (Organizer, Location, Room)] == [1, 2, 1]
    assert str(Occasion.objects.latest("pk").room) == "teatern, Salen"


def test_of_what_is_refused_nothing_is_made_and_the_names_stay(office, torget):
    row = row_fields("occasions", 0, **WHEN | {"end_time": "x"}, place="new:Teatern – Salen")
    row |= row_fields("occasions", 1, **WHEN, place=f"new:{'x' * 201}") | {"occasions-TOTAL_FORMS": "2"}
    named = {"organizer": "new:Kulturskolan"}
    refused = submit_new(office, "event", title="Kör", area=torget.pk, **named, **row)
    assert list_errors(refused) == {
        "occasions-1-place": ["Ensure this value has at most 200 characters (it has 201)."],
        "occasions-0-end_time": ["Write it as 21:00, or how long it lasts: 2 h, 90 min."],
    }
    assert parse(refused).select_one("#id_organizer option[selected]").get_text() == "Make “Kulturskolan”"
    shown = [words(each) for each in parse(refused).select("#occasions-group option[value^='new:']")]
    assert shown == ["Make “Teatern – Salen”", f"Make “{'x' * 201}”"]
    assert [model.objects.count() for model in (Organizer, Location, Room)] == [0, 0, 0]
    digits = submit_new(office, "event", title="Kör", area=torget.pk, organizer="new:12")
    assert list_errors(digits) == {
        "organizer": ["Digits alone are an ID in the API. Add a word to the name."]
    }


def test_who_may_not_add_organizers_makes_none(office, jazz):
    bo = User.objects.create_user("bo", is_staff=True)
    may = ["change_event", "view_event", "edit_every_area", "view_organizer"]
    may += ["change_occasion", "view_occasion", "view_location"]
    bo.user_permissions.set(Permission.objects.filter(codename__in=may))
    office.force_login(bo)
    assert ask(office, "organizer", "Kulturskolan") == []
    refused = send(office, change_address(jazz), organizer="new:Kulturskolan")
    assert "no longer there" in list_errors(refused)["organizer"][0]
    assert not Organizer.objects.exists()
    assert ask_for_place(office, "Teatern") == []
    refused = send(office, change_address(jazz), **{"occasions-0-place": "new:Teatern"})
    assert list_errors(refused)["occasions-0-place"] == ["There is no place of this name."]
    assert not Location.objects.exists()


def test_a_preview_shows_it_and_makes_nothing(office, jazz):
    sent = submission(office.get(change_address(jazz))) | {"occasions-0-place": "new:Teatern"}
    preview = office.post(f"{EVENTS}{jazz.pk}/preview/", sent)
    assert ("Teatern" in preview.content.decode(), Location.objects.count()) == (True, 0)
