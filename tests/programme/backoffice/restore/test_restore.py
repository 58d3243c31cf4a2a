"""Restoring earlier versions and deleted rows with their identities, by those who may."""

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from programme.history import edits
from programme.models import AreaEditor, Event, GoneOccasion, Location, Occasion, Room
from programme.publishing.current import current
from tests import programmes
from tests.conftest import NOW
from tests.programme.backoffice.requests import list_messages, row_fields, submission
from tests.programme.backoffice.restore.history_pages import (
    EVENTS,
    FORM,
    HISTORY,
    list_links,
    read_steps,
    read_stored,
    restore,
    save,
)
from tests.programmes import DRAFT, JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("day_old_sample")


def test_an_earlier_version_is_restored_with_its_occasions_and_identities(office):
    before = read_stored(NIGHT)
    count = int(submission(office.get(FORM))["occasions-TOTAL_FORMS"])
    new = row_fields(
        "occasions", count, id="", event=str(NIGHT), day="2026-08-01", start_time="9", end_time="10"
    )
    save(
        office,
        title="Natten",
        **new,
        **{"occasions-0-end_time": "03:30", "occasions-TOTAL_FORMS": str(count + 1)},
    )
    save(office, price="1 kr", **{"occasions-0-DELETE": "on"})
    after = read_stored(NIGHT)
    shown, done = restore(office, list_links(office)[1])
    title = before[0]["title"]
    assert shown == [
        "Event Natten",
        f"Title: Natten -> {title}",
        "Price: 1 kr -> (empty)",
        "Occasion Natten, 2026-07-29 22:00 : is restored",
        "Occasion Natten, 2026-08-01 09:00 : is deleted",
    ]
    assert list_messages(done) == ["The earlier version is restored."]
    assert read_stored(NIGHT) == before
    assert GoneOccasion.objects.filter(pk=before[1]["id"]).count() == 0
    [latest, *_] = read_steps(office)
    assert latest[0] == "anna"
    # Restoring can be reverted like any other edit.
    assert restore(office, list_links(office)[0])[0]
    assert read_stored(NIGHT) == after


def test_an_edit_between_preview_and_restoring_is_noticed(office):
    save(office, title="Natten")
    link = list_links(office)[0]
    sent = submission(office.get(link))
    Event.objects.filter(pk=NIGHT).update(price="1 kr")
    again = office.post(link, sent)
    assert list_messages(again) == ["This is not what was shown. Nothing is written yet: look again."]
    assert Event.objects.get(pk=NIGHT).title == "Natten"
    assert list_messages(office.post(link, submission(again), follow=True)) == [
        "The earlier version is restored."
    ]


@pytest.mark.parametrize("way", ["back office", "shell"])
def test_a_deleted_event_is_restored_with_its_occasions_and_pages(office, client, way):
    gone = f"/tillfalle/{Occasion.objects.filter(event=JAZZ).earliest('pk').pk}"
    page = client.get(gone)
    before = read_stored(JAZZ)
    published = list(Occasion.objects.filter(event=JAZZ).order_by("pk").values_list("uuid", "published_at"))
    if way == "shell":
        Event.objects.get(pk=JAZZ).delete()
    else:
        office.post(f"{EVENTS}{JAZZ}/delete/", {"post": "yes"})
    # On PostgreSQL the revision moves once in a transaction, such as this test's.
    current.clear()
    assert (page.status_code, client.get(gone).status_code) == (200, 410)
    [(who, _rows)] = read_steps(office, f"{EVENTS}deleted/")
    assert who == ("somebody" if way == "shell" else "anna")
    # Its occasions come back with it, not by themselves.
    assert read_steps(office, "/admin/programme/occasion/deleted/") == []
    shown, done = restore(office, list_links(office, f"{EVENTS}deleted/")[0])
    assert all(line.endswith("is restored") for line in shown)
    assert len(shown) == len(before)
    assert list_messages(done) == ["The earlier version is restored."]
    assert read_stored(JAZZ) == before
    now = list(Occasion.objects.filter(event=JAZZ).order_by("pk").values_list("uuid", "published_at"))
    assert now == published
    current.clear()
    assert client.get(gone).status_code == 200
    assert read_steps(office, f"{EVENTS}deleted/") == []


def test_an_occasion_and_other_rows_are_restored_with_their_parts(office):
    before = read_stored(NIGHT)
    first = Occasion.objects.filter(event=NIGHT).earliest("start")
    hall = Location.objects.create(name="Hallen")
    Room.objects.create(location=hall, name="Salen")
    for row in (first, hall):
        address = f"/admin/programme/{row._meta.model_name}/"
        office.post(f"{address}{row.pk}/delete/", {"post": "yes"})
        [link] = list_links(office, f"{address}deleted/")
        assert "2026-07-29 22:00" in office.get(f"{address}deleted/").content.decode() or row is hall
        shown, _done = restore(office, link)
    assert read_stored(NIGHT) == before
    assert shown == ["Location Hallen : is restored", "Room Salen : is restored"]
    assert list(Room.objects.filter(location=hall.pk).values_list("name", flat=True)) == ["Salen"]


@pytest.mark.parametrize(
    ("may", "history", "back", "gone"),
    [
        (["view_event"], 200, 403, 403),
        (["view_event", "change_event"], 200, 200, 403),
        (["view_event", "change_event", "add_event"], 200, 200, 200),
        (["view_area"], 403, 403, 403),
    ],
)
def test_restoring_requires_the_right_to_change(office, may, history, back, gone):
    save(office, title="Natten")
    link = list_links(office)[0]
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
def test_restoring_a_published_version_requires_the_right_to_publish(office, publishes, status):
    with edits.record(moment=NOW):
        Event.objects.filter(pk=NIGHT).update(status="draft")
    link = list_links(office)[0]
    as_editor(office, publishes=publishes)
    assert (link in list_links(office)) is publishes
    page = office.get(link)
    assert ("You may not do all of this." in page.content.decode()) is not publishes
    sent = {"state": link.partition("=")[2], "seen": page.context["seen"]}
    assert office.post(link, sent).status_code == (302 if publishes else 403)
    assert Event.objects.get(pk=NIGHT).status == status


@pytest.mark.parametrize(("area", "answer"), [(programmes.TORGET, 302), (programmes.PARKEN, 403)])
def test_area_editors_restore_events_of_their_areas(office, area, answer):
    Event.objects.filter(pk=DRAFT).update(area=programmes.TORGET)
    Event.objects.get(pk=DRAFT).delete()
    as_editor(office, area)
    link = f"{EVENTS}{DRAFT}/bring-back/"
    shown = office.get(link)
    sent = submission(shown) if shown.status_code == 200 else {}
    assert office.post(link, sent).status_code == answer
    assert Event.objects.filter(pk=DRAFT).exists() is (answer == 302)
    assert len(list_links(office, f"{EVENTS}deleted/")) == 0
    assert len(read_steps(office, f"{EVENTS}deleted/")) == (answer != 302)
