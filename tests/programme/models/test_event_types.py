"""Events of several types: found by any of them, whichever way they were given."""

import json
from typing import Any

import pytest
from django.test import Client
from msgspec.structs import replace

from feeds.vocabulary import EventType as LoadedType
from programme.backoffice.admin.duplicates import duplicate_event
from programme.changes.merging import plan_merge
from programme.changes.writing import write
from programme.history import edits
from programme.models import Edit, Event, EventType
from programme.publishing.loading import load
from tests.conftest import NOW
from tests.feeds.selections import find_ids
from tests.programme.backoffice.bulk.pages import apply, show
from tests.programme.backoffice.changes.pages import list_rows, undo
from tests.programme.backoffice.requests import parse
from tests.programmes import CLOCKS, JAZZ

pytestmark = pytest.mark.usefixtures("several")

CONCERT, OTHER, THEATRE, FILM = range(4001, 4005)
LIST = "/admin/programme/event/"


@pytest.fixture
def several(sample: None) -> None:
    """Let the jazz, a concert, be theatre and film, too, with a gap and a repetition between."""
    EventType.objects.create(id=THEATRE, name_sv="Teater", name_en="Theatre")
    EventType.objects.create(id=FILM, name_sv="Film")
    with edits.record(moment=NOW):
        Event.objects.filter(pk=JAZZ).update(type_3=THEATRE, type_4=CONCERT, type_6=FILM)


def read_types(event: int = JAZZ) -> list[int]:
    return [row.pk for row in Event.objects.get(pk=event).types]


def test_any_type_selects_and_the_first_is_the_interface_s(client: Client, at: None) -> None:
    programme = load()
    jazz = programme.by_id[8001].event
    theatre = LoadedType(THEATRE, replace(jazz.type.name, sv="Teater", en="Theatre"), "")
    assert jazz.type.id == CONCERT
    assert [each.id for each in jazz.types] == [CONCERT, THEATRE, FILM]
    assert jazz.types[1] == theatre
    assert find_ids(programme, "type=theatre") == find_ids(programme, "q=jazz film") == [8001, 8002, 8003]
    for extension in ("json", "atom", "rss", "ics", "csv"):
        found = client.get(f"/api/events.{extension}?type=Film").content.decode()
        assert found.count("Jazz") > 2
    assert [each["type"]["id"] for each in client.get("/api/events.json?type=Film").json()] == [CONCERT] * 3
    [event] = client.get("/api/programme?type=4003").json()["events"]
    assert (event["typeID"], event["typeIDs"]) == (CONCERT, [CONCERT, THEATRE, FILM])


def test_a_page_and_its_data_name_all_types(client: Client, at: None) -> None:
    page = client.get("/en/occasion/8001").content.decode()
    assert [f"type={each}" in page for each in (CONCERT, THEATRE, FILM, OTHER)] == [True, True, True, False]
    document = json.loads(page.split('application/ld+json">')[1].split("</script>")[0])
    assert document["keywords"] == ["Concert", "Theatre", "Film"]


def test_a_renamed_type_touches_all_its_events() -> None:
    before = dict(Event.objects.values_list("pk", "last_modified"))
    EventType.objects.filter(pk=FILM).update(color="#123456")
    after = dict(Event.objects.values_list("pk", "last_modified"))
    assert [key for key, moment in after.items() if moment > before[key]] == [JAZZ]


def test_a_merge_moves_further_types_and_undoing_gives_them_back(office: Client) -> None:
    with edits.record(moment=NOW):
        write(plan_merge([(EventType.objects.get(pk=CONCERT), [FILM])]))
    assert read_types() == [CONCERT, THEATRE]
    undo(office, Edit.objects.latest("pk"))
    assert read_types() == [CONCERT, THEATRE, FILM]


def test_a_copy_and_the_lists_know_all_types(office: Client) -> None:
    copy = duplicate_event(Event.objects.get(pk=JAZZ), occasions=False)
    assert read_types(copy.pk) == [CONCERT, THEATRE, FILM]
    found = office.get(f"{LIST}?type__id__exact={THEATRE}").context["cl"].queryset
    assert sorted(found.values_list("pk", flat=True)) == [JAZZ, copy.pk]
    counted = office.get("/admin/programme/eventtype/").context["cl"].queryset
    assert dict(counted.values_list("pk", "events_in_all"))[FILM] == 2


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ({"added_type": OTHER}, ([CONCERT, THEATRE, FILM, OTHER], [CONCERT, OTHER])),
        # What would have none gets the type of what states none.
        ({"removed_type": CONCERT}, ([THEATRE, FILM], None)),
        ({"type": FILM, "removed_type": THEATRE}, ([FILM], [FILM])),
    ],
)
def test_many_events_get_and_lose_a_type(office: Client, typed: dict[str, Any], expected: Any) -> None:
    shown = show(office, "change_events", [JAZZ, CLOCKS], LIST, **typed)
    assert any("becomes" in row for row in list_rows(parse(shown)))
    apply(office, shown)
    jazz, clocks = expected
    assert (read_types(), read_types(CLOCKS)) == (jazz, clocks or [EventType.other().pk])
