"""Restoring earlier versions and deleted rows with their identities, by those who may."""

import pytest
from django.contrib.auth.models import Permission, User

from programme.models import Event, GoneOccasion, Location, Occasion, Room
from programme.publishing.current import current
from tests.programme.backoffice.requests import list_messages, row_fields, submission
from tests.programme.backoffice.restore.history_pages import (
    EVENTS,
    FORM,
    list_links,
    read_steps,
    read_stored,
    restore,
    save,
)
from tests.programme.backoffice.rights.people import office_of
from tests.programmes import DRAFT, JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("day_old_sample")


def test_an_earlier_version_is_restored_with_its_occasions_and_identities(office):
    before = read_stored(NIGHT)
    count = int(submission(office.get(FORM))["occasions-TOTAL_FORMS"])
    new = row_fields(
        "occasions", count, id="", event=str(NIGHT), day="2026-07-31", start_time="9", end_time="10"
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
        "Occasion Natten, Wed 29 Jul 22:00 comes back",
        "Occasion Natten, Fri 31 Jul 09:00 will be deleted",
    ]
    assert list_messages(done) == ["The earlier version is restored."]
    assert read_stored(NIGHT) == before
    assert GoneOccasion.objects.filter(pk=before[1]["id"]).count() == 0
    [latest, *_] = read_steps(office)
    assert latest[0] == "anna"
    # Restoring can be reverted like any other edit.
    assert restore(office, list_links(office)[0])[0]
    assert read_stored(NIGHT) == after


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
    assert all(line.endswith("comes back") for line in shown)
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
        assert "Wed 29 Jul 22:00" in office.get(f"{address}deleted/").content.decode() or row is hall
        shown, _done = restore(office, link)
    assert read_stored(NIGHT) == before
    assert shown == ["Location Hallen comes back", "Room Salen comes back"]
    assert list(Room.objects.filter(location=hall.pk).values_list("name", flat=True)) == ["Salen"]


def test_restoring_what_was_deleted_requires_the_right_to_add():
    Event.objects.get(pk=DRAFT).delete()
    bo, may = User.objects.create_user("bo", is_staff=True), ["view_event", "change_event", "edit_every_area"]
    bo.user_permissions.set(Permission.objects.filter(codename__in=may))
    assert office_of(bo).get(f"{EVENTS}{DRAFT}/bring-back/").status_code == 403
