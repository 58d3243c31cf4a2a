"""The history shows each edit field by field, with pictures; so do the latest edits."""

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme.history import edits
from programme.models import Event, Occasion, Organizer, Room
from tests import programmes
from tests.programme.backoffice.bulk.pages import change
from tests.programme.backoffice.images import photo
from tests.programme.backoffice.requests import parse
from tests.programme.backoffice.restore.history_pages import EVENTS, HISTORY, list_links, read_steps, save
from tests.programmes import NIGHT

pytestmark = pytest.mark.usefixtures("day_old_sample")


def test_history_tells_who_changed_what_field_by_field_with_the_occasions(office: Client) -> None:
    before, place = Event.objects.get(pk=NIGHT), Occasion.objects.get(event=NIGHT)
    room = Room.objects.get(pk=6001)
    save(office, title="Natten", organizer="", status="draft", **{"occasions-0-end_time": "03:30"})
    save(office, **{"occasions-0-place": f"r{room.pk}"})
    steps = read_steps(office)
    assert steps[:2] == [
        (
            "anna",
            [
                "Occasion Wed 29 Jul 22:00",
                f"Location: {place.location} -> {room.location}",
                f"Room: {place.room} -> {room}",
            ],
        ),
        (
            "anna",
            [
                f"Title: {before.title} -> Natten",
                "Status: published -> draft",
                f"Organizer: {before.organizer} -> (empty)",
                "Occasion Wed 29 Jul 22:00",
                "Time: Wed 29 Jul 22:00–03:00 -> Wed 29 Jul 22:00–03:30",
            ],
        ),
    ]
    assert ("added" in line for _who, lines in steps[2:] for line in lines)


def test_history_names_what_is_gone_and_why_it_was_edited(office):
    group = Organizer.objects.create(name="Gruppen")
    Event.objects.filter(pk=NIGHT).update(organizer=group)
    with edits.record(reason="import", detail="36C3"):
        Event.objects.filter(pk=NIGHT).update(organizer=None)
    group.delete()
    assert read_steps(office)[:2] == [
        ("import 36C3", ["Organizer: Gruppen -> (empty)"]),
        ("somebody", ["Organizer: <Åsa> & co; ek., för. -> Gruppen"]),
    ]
    change(office, "cancel", [NIGHT], EVENTS, tell="no")
    sv = office.get(HISTORY, headers={"accept-language": "sv"}).content.decode()
    assert "ställde in tillfällen: 1" in sv
    assert "Inställt" in sv


@pytest.mark.parametrize("count", [1, 40])
def test_history_takes_the_same_queries_however_long(office, count, django_assert_num_queries):
    for number in range(count):
        with edits.record(reason="import"):
            Event.objects.filter(pk=NIGHT).update(
                price=f"{number} kr", organizer=programmes.ASA if number % 2 else None
            )
            Occasion.objects.filter(event=NIGHT).update(location=5001 if number % 2 else None, room=None)
    office.get(HISTORY)
    # Session, user, event; its versions, its occasions'; edits; the areas, sub areas, types, organizers,
    # languages and locations that they name; whether the sidebar offers to add the festival.
    with django_assert_num_queries(14):
        assert len(read_steps(office)) == min(count + 1, 30)


def list_pictures(office: Client) -> list[tuple[str, str]]:
    """Return how each image of the history is called, and its address."""
    page = parse(office.get(HISTORY))
    return [(each["alt"], each["src"]) for each in page.select(".changes img[loading=lazy]")]


def upload(office: Client) -> str:
    """Give the event another image; return the name of its file."""
    image = SimpleUploadedFile("hamnen.png", photo("PNG"), "image/png")
    save(office, image=image)
    return str(Event.objects.get(pk=NIGHT).image.name)


def test_a_changed_image_is_shown_before_and_after_while_its_files_are_there(office):
    first, second = upload(office), upload(office)
    assert "hamnen" not in first + second
    shown = [("Image", f"/media/{name}") for name in (first, second, first)]
    assert list_pictures(office) == shown
    page = parse(office.get(list_links(office)[0]))
    assert page.select_one(".changes ins img")["src"] == f"/media/{first}"
    # What is gone is listed by its name, as everything else is.
    default_storage.delete(first)
    assert list_pictures(office) == [shown[1]]
    assert read_steps(office)[0][1] == [f"Image: {first} -> "]
    assert read_steps(office)[1][1] == [f"Image: (empty) -> {first}"]
    # One elsewhere is not fetched, but told by its address.
    address = "https://bilder.example/ny.jpg"
    save(office, image_url=address)
    assert list_pictures(office) == [shown[1]]
    assert read_steps(office)[0][1] == [f"Image address: (empty) -> {address}"]


def test_history_of_what_never_was_is_not_found(office):
    assert office.get(f"{EVENTS}1/history/").status_code == 404
    assert office.get(f"{EVENTS}1/bring-back/?state=1.1").status_code == 404
    assert office.get(f"{EVENTS}{NIGHT}/bring-back/?state=x").status_code == 404


@pytest.mark.parametrize("count", [1, 100])
def test_what_was_deleted_takes_the_same_queries_however_much_it_is(office, count, django_assert_num_queries):
    events = [Event(title=f"Nr {number}", area_id=programmes.TORGET, type_id=4001) for number in range(count)]
    for event in Event.objects.bulk_create(events):
        event.delete()
    office.get("/admin/programme/event/deleted/")
    # Session, user; what is deleted; the areas and types that it names; whether the sidebar offers to
    # add the festival.
    with django_assert_num_queries(7):
        page = office.get("/admin/programme/event/deleted/")
    assert len(page.context["rows"]) == count
