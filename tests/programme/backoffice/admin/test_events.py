"""Events and their occasions in the forms of the back office, as a browser submits them."""

import datetime as dt
import json

import pytest
from django.contrib.auth.models import Permission, User

from programme.models import Area, Event, Location, Occasion, Room, SubArea
from tests.programme.backoffice.admin.addresses import EVENTS, change_address
from tests.programme.backoffice.requests import (
    GONE,
    list_errors,
    list_messages,
    parse,
    row_fields,
    send,
    submission,
    submit_new,
    words,
)
from tests.programmes import utc

ADD = f"{EVENTS}add/"


def read_spans() -> list[tuple[dt.datetime, dt.datetime]]:
    return list(Occasion.objects.values_list("start", "end"))


def test_event_is_added_with_occasions_past_midnight_and_over_days(office, torget):
    sent = submission(office.get(ADD)) | {
        "title": "  Öppningskonsert ",
        "area": torget.pk,
        "status": "published",
        "intro_sv": "Rad ett\r\nrad två",
        "occasions-TOTAL_FORMS": "3",
        **row_fields("occasions", 0, day="2026-07-29", start_time="14.00", end_time="1530"),
        **row_fields("occasions", 1, day="2026-07-30", start_time="22", end_time="3"),
        **row_fields(
            "occasions", 2, day="2026-07-31", start_time="22:00", end_time="04:00", end_date="2026-08-02"
        ),
    }
    page = office.post(ADD, sent, follow=True)
    assert page.redirect_chain == [(EVENTS, 302)]
    event = Event.objects.get()
    shown = f"https://program.example/en/occasion/{event.occasions.earliest('start').pk}"
    assert list_messages(page) == [f'Published, and readers see it: <a href="{shown}">Öppningskonsert</a>']
    assert event.title == "Öppningskonsert"
    assert event.intro_sv == "Rad ett\nrad två"
    assert event.type.name_sv == "Övrigt"
    assert event.published_at is not None
    assert read_spans() == [
        (utc(2026, 7, 29, 12), utc(2026, 7, 29, 13, 30)),
        (utc(2026, 7, 30, 20), utc(2026, 7, 31, 1)),
        (utc(2026, 7, 31, 20), utc(2026, 8, 2, 2)),
    ]


def test_occasions_are_moved_added_and_deleted_in_one_go(office, jazz):
    Occasion.objects.create(event=jazz, start=utc(2026, 7, 30, 12), end=utc(2026, 7, 30, 13))
    typed = {
        "occasions-TOTAL_FORMS": "3",
        "occasions-0-DELETE": "on",
        "occasions-1-start_time": "15:15",
        "occasions-1-end_time": "16",
        **row_fields(
            "occasions", 2, id="", event=str(jazz.pk), day="2026-08-01", start_time="9", end_time="10"
        ),
    }
    assert send(office, change_address(jazz), **typed).status_code == 302
    assert read_spans() == [
        (utc(2026, 7, 30, 13, 15), utc(2026, 7, 30, 14)),
        (utc(2026, 8, 1, 7), utc(2026, 8, 1, 8)),
    ]
    # Those that are stored twice keep nobody from saving something else; a room brings its location.
    first = jazz.occasions.earliest("start")
    Occasion.objects.create(event=jazz, start=first.start, end=first.end)
    room = Room.objects.create(location=Location.objects.create(name="Biblioteket"), name="Salen")
    rooms = {"title": "Storband", "occasions-2-place": f"r{room.pk}"}
    assert send(office, change_address(jazz), **rooms).status_code == 302
    jazz.refresh_from_db()
    assert jazz.title == "Storband"
    assert jazz.occasions.latest("start").location == room.location


def test_errors_stand_beside_their_fields(office, jazz):
    park = SubArea.objects.create(area=Area.objects.create(name="Parken"), name="Scenen")
    typed = {
        "title": "\u200b\u202e\u200d",
        "sub_area": park.pk,
        "occasions-0-day": "2026-03-29",
        "occasions-0-start_time": "02:30",
        "occasions-0-end_time": "04:00",
        "occasions-0-place": "r999999",
    }
    assert list_errors(send(office, change_address(jazz), **typed)) == {
        "title": ["This field cannot be blank."],
        "sub_area": ["This sub area is not in the area chosen."],
        "occasions-0-start_time": ["There is no 02:30 on 29 March: the clock goes forward."],
        "occasions-0-place": ["This place is no longer here. Choose another one."],
    }


@pytest.mark.parametrize("typed", [{"title": ""}, {"occasions-0-end_time": "x"}])
def test_refused_publication_leaves_the_status_and_the_buttons_as_they_are(office, jazz, typed):
    for address in (change_address(jazz), ADD):
        sent = (
            submission(office.get(address)) | {"status": "published", "occasions-0-day": "2026-07-30"} | typed
        )
        page = parse(office.post(address, sent))
        [chosen] = page.select("[name=status][checked]")
        saves = [words(page.select_one(f"[name=_save] .of-{each}")) for each in ("draft", "published")]
        assert page.select_one(".errornote") is not None
        # What was chosen still is, and the button says what it would do of the event as it is.
        assert (chosen["value"], saves) == ("published", ["Save draft", "Publish"])


def test_a_text_has_at_most_20_000_characters(office, jazz):
    long = "rad ett\r\n" + "x" * 19_992
    assert list_errors(
        send(office, change_address(jazz), description_sv=f"{long}x", intro_en="y" * 20_001)
    ) == {
        "description_sv": ["Ensure this value has at most 20000 characters (it has 20001)."],
        "intro_en": ["Ensure this value has at most 20000 characters (it has 20001)."],
    }
    # A line break is one.
    send(office, change_address(jazz), description_sv=long)
    assert len(Event.objects.get().description_sv) == 20_000


@pytest.mark.parametrize("gone", ["", "999999"])
def test_of_what_belongs_to_something_wrong_nothing_is_said(office, jazz, gone):
    scenen = SubArea.objects.create(area=Area.objects.create(name="Parken"), name="Scenen")
    assert list(list_errors(send(office, change_address(jazz), area=gone, sub_area=scenen.pk))) == ["area"]


def test_sub_areas_stand_below_their_areas(office, jazz):
    parken = Area.objects.create(name="Parken")
    SubArea.objects.bulk_create(
        [SubArea(area=area, name=name) for area, name in ((jazz.area, "B"), (parken, "A"), (jazz.area, "C"))]
    )
    shown = parse(office.get(ADD)).select("#id_sub_area optgroup")
    found = {each["label"]: [one.get_text() for one in each.select("option")] for each in shown}
    assert found == {"Parken": ["A"], "Torget": ["B", "C"]}
    form = parse(office.get(change_address(jazz), headers={"accept-language": "sv"}))
    options = form.select_one("#occasions-group")["data-inline-formset"]
    assert json.loads(options)["options"]["addText"] == "Lägg till tillfälle"


@pytest.fixture
def two(jazz: Event) -> list[Occasion]:
    """The occasions of Jazz, in their order."""
    Occasion.objects.create(event=jazz, start=utc(2026, 7, 30, 12), end=utc(2026, 7, 30, 13))
    return list(Occasion.objects.all())


def test_occasion_that_another_event_has_by_now_is_said_to_be_gone_and_stays_there(office, jazz, two):
    sent = submission(office.get(change_address(jazz))) | {"occasions-1-end_time": "16"}
    choir = Event.objects.create(title="Kör", area=jazz.area, type=jazz.type)
    Occasion.objects.filter(pk=two[1].pk).update(event=choir)
    refused = office.post(change_address(jazz), sent)
    assert list_errors(refused) == {"occasions-1-__all__": [GONE]}
    assert (
        office.post(change_address(jazz), submission(refused) | {"occasions-1-DELETE": "on"}).status_code
        == 302
    )
    assert list(Occasion.objects.values_list("event", "start", "end")) == [
        (jazz.pk, two[0].start, two[0].end),
        (choir.pk, two[1].start, two[1].end),
    ]


@pytest.mark.parametrize(
    ("may", "found"),
    [
        (
            ["change_occasion"],
            {
                "occasions-0-__all__": [
                    "This row is no longer here: someone else has deleted or moved it in the meantime. "
                    "Open the page again."
                ]
            },
        ),
        (["view_occasion"], {}),
    ],
)
def test_who_may_not_delete_occasions_is_asked_for_nothing_that_cannot_be_done(office, jazz, two, may, found):
    bo = User.objects.create_user("bo", is_staff=True)
    may = ["change_event", "edit_every_area", *may]
    bo.user_permissions.set(Permission.objects.filter(codename__in=may))
    office.force_login(bo)
    sent = submission(office.get(change_address(jazz))) | {"price": "50 kr"}
    two[0].delete()
    answer = office.post(change_address(jazz), sent)
    assert (list_errors(answer) if answer.status_code == 200 else {}) == found
    assert Event.objects.get().price == ("" if found else "50 kr")
    assert list(Occasion.objects.all()) == two[1:]


@pytest.mark.parametrize(
    ("sent", "stored"),
    [
        ({"image_focus_x": "0", "image_focus_y": "100"}, (0, 100)),
        # As it was, where nothing is said of it.
        ({"image_focus_x": ""}, (20, 80)),
    ],
)
def test_what_must_stay_of_an_image_is_kept(office, jazz, sent, stored):
    Event.objects.update(image_focus_x=20, image_focus_y=80)
    for wrong, why in (("101", "less than or equal to 100"), ("-1", "or equal to 0"), ("x", "whole number")):
        [[refusal]] = list_errors(send(office, change_address(jazz), image_focus_x=wrong)).values()
        assert why in refusal
    send(office, change_address(jazz), **sent)
    assert Event.objects.values_list("image_focus_x", "image_focus_y").get() == stored


def test_the_address_of_an_occasion_leads_to_its_row(office, jazz):
    occasion = jazz.occasions.get()
    page = office.get(f"/admin/programme/occasion/{occasion.pk}/change/", {"back": "/admin/"})
    row = f"{change_address(jazz)}?back=/admin/&occasion={occasion.pk}#id_occasions-0"
    assert page["Location"] == f"{row}-day"
    form = parse(office.get(page["Location"]))
    assert form.select_one("tr:has(#id_occasions-0-day) .more details").has_attr("open")
    named = office.get(f"/admin/programme/occasion/{occasion.pk}/change/?back=/admin/&field=place")
    assert named["Location"] == f"{row}-place"
    assert (
        not parse(office.get(change_address(jazz))).select_one(".has_original .more details").has_attr("open")
    )
    assert office.get("/admin/programme/occasion/99/change/")["Location"] == "/admin/"
    assert office.get("/admin/programme/occasion/add/")["Location"] == ADD
    assert "/occasion/add/" not in office.get("/admin/programme/occasion/").text.partition('id="content"')[2]


@pytest.mark.parametrize(
    ("field", "sent"),
    [("organizer", "x"), *(("occasions-0-place", each) for each in ("x", "5", "l", "rx", "l0"))],
)
def test_a_choice_that_is_no_number_is_refused_beside_its_field(office, field, sent):
    new = row_fields("occasions", 0, day="2026-07-30", start_time="19:00", end_time="20:00")
    refused = submit_new(office, "event", **{"title": "Jazz", **new, field: sent})
    assert "no longer" in list_errors(refused)[field][0]


@pytest.mark.parametrize("count", ["-1", "0"])
def test_a_crafted_count_of_rows_adds_no_occasion_twice(office, jazz, count):
    before = Occasion.objects.count()
    answer = send(office, change_address(jazz), **{"occasions-INITIAL_FORMS": count})
    assert "This form was not sent as it was shown. Open the page again." in answer.content.decode()
    assert Occasion.objects.count() == before


TWICE = "Another row has this day, time and place. Change it, or tick “Delete?” in one of them."
LUNCH = {"day": "2026-08-01", "start_time": "12:00", "end_time": "13:00"}


def added(*rows: dict[str, str]) -> dict[str, str]:
    """Return what is sent of rows that are added to none."""
    sent = {
        name: value
        for index, each in enumerate(rows)
        for name, value in row_fields("occasions", index, **each).items()
    }
    return {"occasions-TOTAL_FORMS": str(len(rows)), **sent}


def test_same_occasion_twice_in_one_form_is_refused_beside_the_second(office, torget):
    park = str(Location.objects.create(name="Parken").pk)
    new = {"title": "Jazz", "area": str(torget.pk)}
    twice, apart = added(LUNCH, LUNCH), added(LUNCH, LUNCH | {"place": f"l{park}"})
    assert list_errors(submit_new(office, "event", **new, **twice)) == {"occasions-1-day": [TWICE]}
    assert not Event.objects.exists()
    assert submit_new(office, "event", **new, **apart).status_code == 302
    assert Occasion.objects.count() == 2
