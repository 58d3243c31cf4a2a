"""What was done is told field by field, an earlier version comes back, and so does what was deleted."""

import datetime as dt
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import Permission, User
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from programme import recording
from programme.current import current
from programme.latest import latest_edits
from programme.models import (
    Area,
    AreaEditor,
    Event,
    GoneOccasion,
    Location,
    Occasion,
    Organizer,
    Revision,
    Room,
    Status,
    Stream,
    SubArea,
    recorded_models,
)
from tests import programmes
from tests.conftest import NOW, SetClock
from tests.programme.back_office import anna, office, row, said, submission
from tests.programme.test_images import photo
from tests.programmes import DRAFT, JAZZ, NIGHT

__all__ = ["anna", "office"]

pytestmark = pytest.mark.usefixtures("sample")

EVENTS = "/admin/programme/event/"
FORM = f"{EVENTS}{NIGHT}/change/"
HISTORY = f"{EVENTS}{NIGHT}/history/"


@pytest.fixture(autouse=True)
def _clock(at: SetClock, sample: None) -> None:
    at(NOW)
    # The sample is as old as the clock that tests set wants it.
    for model in recorded_models():
        # Emptying the tables after a test before this one is recorded too.
        model.history.filter(history_type="-").delete()
        model.history.update(history_date=NOW - dt.timedelta(days=1))


def save(office: Client, address: str = FORM, **values: Any) -> None:
    assert office.post(address, submission(office.get(address)) | values).status_code == 302


def told(office: Client, address: str = HISTORY) -> list[tuple[str, list[str]]]:
    """Return of each step who made it, and what is told of it."""
    page = BeautifulSoup(office.get(address).content.decode(), "html5lib")
    return [(_text(step.select_one(".when strong")), _rows(step)) for step in page.select(".step")]


def _rows(step: Any) -> list[str]:
    found = []
    for change in step.select(".row-change"):
        found += [_text(each) for each in change.select("p")]
        for field in change.select("dl > div"):
            old, new = (_text(field.select_one(name)) for name in ("del", "ins"))
            found.append(f"{_text(field.select_one('dt'))}: {old} -> {new}")
    return found


def _text(element: Any) -> str:
    return " ".join(element.get_text(" ").split())


def links(office: Client, address: str = HISTORY) -> list[str]:
    page = BeautifulSoup(office.get(address).content.decode(), "html5lib")
    return [link["href"] for link in page.select("a.bring-back")]


def bring_back(office: Client, link: str) -> tuple[list[str], Any]:
    """Follow the link; return what is shown before, and the answer to doing it."""
    shown = office.get(link)
    assert shown.status_code == 200
    page = BeautifulSoup(shown.content.decode(), "html5lib")
    sent = submission(shown)
    return [line for step in page.select(".step") for line in _rows(step)], office.post(
        link, sent, follow=True
    )


def everything(event: int) -> Any:
    kept = {"last_modified", "published_at"}
    rows = [
        *Event.objects.filter(pk=event).values(),
        *Occasion.objects.filter(event=event).order_by("pk").values(),
    ]
    return [{name: value for name, value in row.items() if name not in kept} for row in rows]


# --- What was done ------------------------------------------------------------------------------


def test_history_tells_who_changed_what_field_by_field_with_the_occasions(office: Client) -> None:
    before = Event.objects.get(pk=NIGHT)
    room = Room.objects.get(pk=6001)
    save(office, title="Natten", organizer="", status="draft", **{"occasions-0-end_time": "03:30"})
    save(office, room=str(room.pk), location=str(room.location.pk))
    steps = told(office)
    assert steps[:2] == [
        ("anna", [f"Location: {before.location} -> {room.location}", f"Room: {before.room} -> {room}"]),
        (
            "anna",
            [
                f"Title: {before.title} -> Natten",
                "Status: published -> draft",
                f"Organizer: {before.organizer} -> (empty)",
                "Occasion 2026-07-29 22:00",
                "End: 2026-07-30 03:00 -> 2026-07-30 03:30",
            ],
        ),
    ]
    assert ("added" in line for _who, lines in steps[2:] for line in lines)


def test_history_names_what_is_gone_and_why_it_was_edited(office: Client) -> None:
    group = Organizer.objects.create(name="Gruppen")
    Event.objects.filter(pk=NIGHT).update(organizer=group)
    with recording.edit(reason="import", detail="36C3"):
        Event.objects.filter(pk=NIGHT).update(organizer=None)
    group.delete()
    assert told(office)[:2] == [
        ("import 36C3", ["Organizer: Gruppen -> (empty)"]),
        ("somebody", ["Organizer: <Åsa> & co; ek., för. -> Gruppen"]),
    ]
    office.post(EVENTS, {"action": "cancel", "_selected_action": [NIGHT]})
    sv = office.get(HISTORY, headers={"accept-language": "sv"}).content.decode()
    assert "Ställ in" in sv
    assert "Inställt" in sv


@pytest.mark.parametrize("count", [1, 40])
def test_history_takes_the_same_queries_however_long(
    office: Client, count: int, django_assert_num_queries: Any
) -> None:
    for number in range(count):
        with recording.edit(reason="import"):
            Event.objects.filter(pk=NIGHT).update(
                price=f"{number} kr", organizer=programmes.ASA if number % 2 else None
            )
            Occasion.objects.filter(event=NIGHT).update(location=5001 if number % 2 else None)
    office.get(HISTORY)
    # Session, user, event; its versions, its occasions'; edits; the areas, sub areas, types, organizers,
    # languages and locations that they name; whether the sidebar offers to add the festival.
    with django_assert_num_queries(13):
        assert len(told(office)) == min(count + 1, 30)


def pictures(office: Client) -> list[tuple[str, str]]:
    """Return how each image of the history is called, and its address."""
    page = BeautifulSoup(office.get(HISTORY).content.decode(), "html5lib")
    return [(each["alt"], each["src"]) for each in page.select(".changes img[loading=lazy]")]


def upload(office: Client) -> str:
    """Give the event another image; return the name of its file."""
    image = SimpleUploadedFile("hamnen.png", photo("PNG"), "image/png")
    save(office, image=image)
    return str(Event.objects.get(pk=NIGHT).image.name)


def test_a_changed_image_is_shown_before_and_after_while_its_files_are_there(office: Client) -> None:
    first, second = upload(office), upload(office)
    assert first != second
    shown = [(name, f"/media/{name}") for name in (first, second, first)]
    assert pictures(office) == shown
    # What is gone is told by its name, as everything else is.
    default_storage.delete(first)
    assert pictures(office) == [shown[1]]
    assert told(office)[0][1] == [f"Image: {first} -> "]
    assert told(office)[1][1] == [f"Image: (empty) -> {first}"]


def test_an_image_that_comes_back_is_shown(office: Client) -> None:
    first = upload(office)
    upload(office)
    page = BeautifulSoup(office.get(links(office)[0]).content.decode(), "html5lib")
    assert page.select_one(".changes ins img")["src"] == f"/media/{first}"


def test_an_image_elsewhere_is_not_fetched_but_told_by_its_address(office: Client) -> None:
    address = "https://bilder.example/ny.jpg"
    save(office, image_url=address)
    assert pictures(office) == []
    assert told(office)[0][1] == [f"Image address: (empty) -> {address}"]


def test_history_of_what_never_was_is_not_found(office: Client) -> None:
    assert office.get(f"{EVENTS}1/history/").status_code == 404
    assert office.get(f"{EVENTS}1/bring-back/?state=1.1").status_code == 404
    assert office.get(f"{EVENTS}{NIGHT}/bring-back/?state=x").status_code == 404


# --- Bringing back ------------------------------------------------------------------------------


def test_an_earlier_version_comes_back_with_its_occasions_and_their_identities(office: Client) -> None:
    before = everything(NIGHT)
    count = int(submission(office.get(FORM))["occasions-TOTAL_FORMS"])
    new = row("occasions", count, id="", event=str(NIGHT), day="2026-08-01", start_time="9", end_time="10")
    save(
        office,
        title="Natten",
        **new,
        **{"occasions-0-end_time": "03:30", "occasions-TOTAL_FORMS": str(count + 1)},
    )
    save(office, price="1 kr", **{"occasions-0-DELETE": "on"})
    after = everything(NIGHT)
    shown, done = bring_back(office, links(office)[1])
    title = before[0]["title"]
    assert shown == [
        f"Title: Natten -> {title}",
        "Price: 1 kr -> (empty)",
        "Occasion 2026-07-29 22:00 : comes back",
        "Occasion 2026-08-01 09:00 : is deleted",
    ]
    assert said(done) == ["The earlier version is back."]
    assert everything(NIGHT) == before
    assert GoneOccasion.objects.filter(pk=before[1]["id"]).count() == 0
    [latest, *_] = told(office)
    assert latest[0] == "anna"
    # What was brought back can be taken back like any other edit.
    assert bring_back(office, links(office)[0])[0]
    assert everything(NIGHT) == after


def test_what_is_as_it_was_needs_no_bringing_back(office: Client) -> None:
    save(office, title="Natten")
    save(office, title=str(Event.history.filter(id=NIGHT).earliest("history_id").title))
    revision = Revision.objects.values().get()
    page = office.get(links(office)[1]).content.decode()
    assert "there is nothing to bring back" in page
    assert Revision.objects.values().get() == revision


def test_what_is_no_longer_there_is_left_out_and_said(office: Client) -> None:
    hall = Location.objects.create(name="Hallen")
    with recording.edit(moment=NOW):
        Event.objects.filter(pk=NIGHT).update(location=hall, room=None, price="2 kr")
    with recording.edit(moment=NOW):
        Event.objects.filter(pk=NIGHT).update(location=None, price="")
    hall.delete()
    _shown, done = bring_back(office, links(office)[0])
    assert said(done) == ["The earlier version is back.", "No longer there, so left out: Hallen."]
    event = Event.objects.get(pk=NIGHT)
    assert (event.location, event.price) == (None, "2 kr")


def test_what_is_shown_is_what_is_done(office: Client) -> None:
    save(office, title="Natten")
    link = links(office)[0]
    sent = submission(office.get(link))
    Event.objects.filter(pk=NIGHT).update(price="1 kr")
    again = office.post(link, sent)
    assert said(again) == ["Someone has saved in the meantime. Look again at what happens."]
    assert Event.objects.get(pk=NIGHT).title == "Natten"
    assert said(office.post(link, submission(again), follow=True)) == ["The earlier version is back."]


# --- What was deleted ---------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["back office", "shell"])
def test_a_deleted_event_comes_back_with_its_occasions_and_their_pages(
    office: Client, client: Client, way: str
) -> None:
    gone = f"/tillfalle/{Occasion.objects.filter(event=JAZZ).earliest('pk').pk}"
    page = client.get(gone)
    before = everything(JAZZ)
    published = list(Occasion.objects.filter(event=JAZZ).order_by("pk").values_list("uuid", "published_at"))
    if way == "shell":
        Event.objects.get(pk=JAZZ).delete()
    else:
        office.post(f"{EVENTS}{JAZZ}/delete/", {"post": "yes"})
    # On PostgreSQL the revision moves once in a transaction, such as this test's.
    current.forget()
    assert (page.status_code, client.get(gone).status_code) == (200, 410)
    [(who, _rows)] = told(office, f"{EVENTS}deleted/")
    assert who == ("somebody" if way == "shell" else "anna")
    # Its occasions come back with it, not by themselves.
    assert told(office, "/admin/programme/occasion/deleted/") == []
    shown, done = bring_back(office, links(office, f"{EVENTS}deleted/")[0])
    assert shown[0] == "comes back"
    assert len(shown) == len(before)
    assert said(done) == ["The earlier version is back."]
    assert everything(JAZZ) == before
    now = list(Occasion.objects.filter(event=JAZZ).order_by("pk").values_list("uuid", "published_at"))
    assert now == published
    current.forget()
    assert client.get(gone).status_code == 200
    assert told(office, f"{EVENTS}deleted/") == []


def test_a_single_occasion_that_was_deleted_comes_back(office: Client) -> None:
    before = everything(NIGHT)
    first = Occasion.objects.filter(event=NIGHT).earliest("start")
    office.post(f"/admin/programme/occasion/{first.pk}/delete/", {"post": "yes"})
    [link] = links(office, "/admin/programme/occasion/deleted/")
    page = office.get("/admin/programme/occasion/deleted/").content.decode()
    assert "2026-07-29 22:00" in page
    bring_back(office, link)
    assert everything(NIGHT) == before


def test_what_cannot_come_back_is_said_and_nothing_is_done(office: Client) -> None:
    Event.objects.get(pk=DRAFT).delete()
    for model in (Occasion, Event, Stream, SubArea, Area):
        model.objects.all().delete()
    link = f"{EVENTS}{DRAFT}/bring-back/"
    _shown, done = bring_back(office, link)
    [message] = said(done)
    assert message.startswith("Ångtorget: no longer there. Bring that back first.")
    assert not Event.objects.exists()


def test_others_are_brought_back_with_what_belongs_to_them(office: Client) -> None:
    hall = Location.objects.create(name="Hallen")
    Room.objects.create(location=hall, name="Salen")
    office.post(f"/admin/programme/location/{hall.pk}/delete/", {"post": "yes"})
    [link] = links(office, "/admin/programme/location/deleted/")
    shown, _done = bring_back(office, link)
    assert shown == ["comes back", "Room Salen : comes back"]
    assert list(Room.objects.filter(location=hall.pk).values_list("name", flat=True)) == ["Salen"]


# --- Rights -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("may", "history", "back", "gone"),
    [
        (["view_event"], 200, 403, 403),
        (["view_event", "change_event"], 200, 200, 403),
        (["view_event", "change_event", "add_event"], 200, 200, 200),
        (["view_area"], 403, 403, 403),
    ],
)
def test_who_may_not_change_brings_nothing_back(
    office: Client, may: list[str], history: int, back: int, gone: int
) -> None:
    save(office, title="Natten")
    link = links(office)[0]
    Event.objects.get(pk=DRAFT).delete()
    bo = User.objects.create_user("bo", is_staff=True)
    bo.user_permissions.set(Permission.objects.filter(codename__in=[*may, "edit_every_area"]))
    office.force_login(bo)
    assert office.get(HISTORY).status_code == history
    assert office.get(link).status_code == back
    assert office.post(link, {}).status_code == back
    assert office.get(f"{EVENTS}{DRAFT}/bring-back/").status_code == gone


def as_editor(office: Client, *areas: int, publishes: bool = False) -> None:
    """Go on as Bo, who edits the events of areas (of every area if none is given)."""
    bo = User.objects.create_user("bo", is_staff=True)
    verbs = [
        f"{verb}_{model}" for verb in ("view", "add", "change", "delete") for model in ("event", "occasion")
    ]
    more = [] if areas else ["edit_every_area"]
    more += ["publish_event"] if publishes else []
    bo.user_permissions.set(Permission.objects.filter(codename__in=[*verbs, *more]))
    for area in areas:
        AreaEditor.objects.create(user=bo, area_id=area)
    office.force_login(bo)


@pytest.mark.parametrize(("publishes", "status"), [(False, "draft"), (True, "published")])
def test_who_may_not_publish_does_not_by_bringing_back(office: Client, publishes: bool, status: str) -> None:
    with recording.edit(moment=NOW):
        Event.objects.filter(pk=NIGHT).update(status="draft")
    as_editor(office, publishes=publishes)
    link = links(office)[0]
    page = office.get(link)
    assert ("You may not do all of this." in page.content.decode()) is not publishes
    sent = {"state": link.partition("=")[2], "seen": page.context["seen"]}
    assert office.post(link, sent).status_code == (302 if publishes else 403)
    assert Event.objects.get(pk=NIGHT).status == status


@pytest.mark.parametrize(("area", "answer"), [(programmes.TORGET, 302), (programmes.PARKEN, 403)])
def test_area_editors_bring_back_what_is_theirs(office: Client, area: int, answer: int) -> None:
    Event.objects.filter(pk=DRAFT).update(area=programmes.TORGET)
    Event.objects.get(pk=DRAFT).delete()
    as_editor(office, area)
    link = f"{EVENTS}{DRAFT}/bring-back/"
    shown = office.get(link)
    sent = submission(shown) if shown.status_code == 200 else {}
    assert office.post(link, sent).status_code == answer
    assert Event.objects.filter(pk=DRAFT).exists() is (answer == 302)
    assert len(links(office, f"{EVENTS}deleted/")) == 0
    assert len(told(office, f"{EVENTS}deleted/")) == (answer != 302)


def test_area_editors_bring_back_no_version_of_another_area(office: Client) -> None:
    Event.objects.filter(pk=DRAFT).update(area=programmes.PARKEN, sub_area=None)
    with recording.edit(moment=NOW):
        Event.objects.filter(pk=DRAFT).update(area=programmes.TORGET)
    as_editor(office, programmes.TORGET)
    link = links(office, f"{EVENTS}{DRAFT}/history/")[0]
    sent = {"state": link.partition("=")[2], "seen": office.get(link).context["seen"]}
    assert office.post(link, sent).status_code == 403
    assert Event.objects.get(pk=DRAFT).area_id == programmes.TORGET


# --- The latest edits ---------------------------------------------------------------------------


def test_the_latest_edits_tell_who_and_what_in_two_queries(
    anna: User, django_assert_num_queries: Any
) -> None:
    with recording.edit(anna, NOW, "Publish"):
        Event.objects.filter(pk=DRAFT).update(status=Status.PUBLISHED)
    with recording.edit(None, NOW + dt.timedelta(hours=1), "import", "36C3"):
        Event.objects.update(price="1 kr")
        group = Organizer.objects.create(name="Gruppen")
    with recording.edit(anna, NOW):
        Occasion.objects.filter(pk=8001).delete()
    with django_assert_num_queries(2):
        found = latest_edits()
    assert [
        (
            each.who,
            each.why,
            sorted((one.model.__name__, one.count, one.kind, one.key) for one in each.written),
        )
        for each in found
    ] == [
        ("anna", "", [("Occasion", 1, "-", 8001)]),
        (
            "import 36C3",
            "",
            [
                ("Event", Event.objects.count(), "~", None),
                ("Organizer", 1, "+", group.pk),
            ],
        ),
        ("anna", "Publish", [("Event", 1, "~", DRAFT)]),
    ]
    assert [each.moment for each in found] == [NOW, NOW + dt.timedelta(hours=1), NOW]
    assert found[0].written[0].name == Event.objects.get(pk=JAZZ).title
    assert [len(latest_edits(count)) for count in (0, 1)] == [0, 1]


@pytest.mark.parametrize("count", [1, 3, 100])
def test_what_was_deleted_takes_the_same_queries_however_much_it_is(
    office: Client, count: int, django_assert_num_queries: Any
) -> None:
    events = [Event(title=f"Nr {number}", area_id=programmes.TORGET, type_id=4001) for number in range(count)]
    for event in Event.objects.bulk_create(events):
        event.delete()
    office.get("/admin/programme/event/deleted/")
    # Session, user; what is deleted; the areas and types that it names; whether the sidebar offers to
    # add the festival.
    with django_assert_num_queries(6):
        page = office.get("/admin/programme/event/deleted/")
    assert len(page.context["rows"]) == count
