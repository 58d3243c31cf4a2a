"""What was merged into another row is found by imports under all names that it ever had, as long as it is merged."""

from typing import Any

import pytest
from django.test import Client

from programme.changes.merging import MERGED, plan_merge
from programme.changes.writing import write
from programme.history import edits
from programme.history.merging import load_merged
from programme.models import Edit, Event, EventType, Location, Occasion, Organizer, Room
from tests.programme.backoffice.changes.pages import undo
from tests.programme.backoffice.imports.pages import (
    EXPORT,
    apply_and_list_messages,
    build_sheet,
    remarks_on,
    show_preview,
)

pytestmark = pytest.mark.django_db
HEADINGS = "Titel;Område;Plats;Adress;Rum;Typ;Arrangör;Datum;Start;Slut"
ROWS = [
    "A;Parken;Torget;Gatan 1;Salen;Konsert;Klubben;2026-09-11;19;20",
    "B;Parken;Stortorget;Gatan 2;Stora salen;Musik;Klubben AB;2026-09-12;19;20",
]
SHEET = build_sheet(*ROWS, headings=HEADINGS)
NOTHING = ["Nothing had to be changed."]
PAIRS: list[tuple[Any, str, str, str]] = [
    (Organizer, "name", "Klubben", "Klubben AB"),
    (EventType, "name_sv", "Konsert", "Musik"),
    (Location, "name", "Torget", "Stortorget"),
    (Room, "name", "Salen", "Stora salen"),
]


@pytest.fixture
def imported(client: Client) -> Client:
    apply_and_list_messages(client, show_preview(client, SHEET))
    return client


def merge(kept: Any, *others: Any) -> Edit:
    with edits.record(reason=MERGED, detail="x"):
        write(plan_merge([(kept, [row.pk for row in others])]))
    return Edit.objects.latest("pk")


def merge_all() -> list[Edit]:
    """Merge each B into its A, the rooms after their locations."""
    pairs = [[model.objects.get(**{field: name}) for name in names] for model, field, *names in PAIRS[:3]]
    found = [merge(*pair) for pair in pairs]
    return [*found, merge(*Room.objects.order_by("pk"))]


def read_names() -> list[tuple[Any, ...]]:
    fields = ("location", "room", "event__organizer", "event__type")
    return list(Occasion.objects.order_by("pk").values_list(*fields))


def count_rows() -> list[int]:
    return [model.objects.count() for model, *_names in PAIRS]


@pytest.mark.parametrize("kind", ["foreign", "ours"])
def test_the_same_file_finds_what_all_were_merged_into_and_changes_nothing(imported, kind):
    content = (
        SHEET
        if kind == "foreign"
        else imported.get(EXPORT, {"format": "csv", "drafts": "on", "all": "on"}).getvalue()
    )
    merge_all()
    page = show_preview(imported, content)
    assert [each for each in remarks_on(page) if each.startswith("Renamed or merged here")] == [
        f"Renamed or merged here: {other} → {kept}"
        for kept, other in (
            ("Torget", "Stortorget"),
            ("Torget", "Stortorget, Gatan 2"),
            ("Salen", "Stora salen"),
            ("Klubben", "Klubben AB"),
            ("Konsert", "Musik"),
        )
    ]
    assert "Edited here since the last import" not in page.content.decode()
    assert apply_and_list_messages(imported, page) == NOTHING
    assert count_rows() == [1, 1, 1, 1]


def test_what_is_merged_on_and_renamed_is_found_by_every_name(imported):
    with edits.record():
        Location.objects.filter(name="Stortorget").update(name="Stora Torget")
    last = Location.objects.create(name="Centrum")
    merge(Location.objects.get(name="Torget"), Location.objects.get(name="Stora Torget"))
    merge(last, Location.objects.get(name="Torget"))
    with edits.record():
        Location.objects.filter(pk=last.pk).update(name="Mitten")
    rows = [row.replace("B;", "C;", 1) for row in ROWS if row.startswith("B")]
    apply_and_list_messages(imported, show_preview(imported, build_sheet(*ROWS, *rows, headings=HEADINGS)))
    assert set(Occasion.objects.values_list("event__title", "location")) == {
        (title, last.pk) for title in "ABC"
    }
    assert Location.objects.count() == 1


def test_a_merged_name_is_found_with_its_address_and_asked_about_if_it_is_misspelt(imported):
    merge_all()
    rows = [
        f"{title};Parken;{place};2026-09-14;19;20"
        for title, place in (("C", "stortorget, Gatan 2"), ("D", "Torget, Gatan 1"), ("E", "Stor torget"))
    ]
    page = show_preview(imported, build_sheet(*rows, headings="Titel;Område;Plats;Datum;Start;Slut"))
    question, *_events = page.context["preview"]["names"]
    expected = ("Stor torget", "", ["Torget", "Stor torget", "-"])
    assert (question["name"], question["answer"], [each["value"] for each in question["choices"]]) == expected


def test_a_file_that_moves_an_event_from_a_merged_place_moves_it(imported):
    """The last import stated a place that is part of another one now: nobody has edited the event."""
    merge_all()
    moved = build_sheet(
        ROWS[0], ROWS[1].replace("Stortorget;Gatan 2;Stora salen", "Hallen;;"), headings=HEADINGS
    )
    page = show_preview(imported, moved)
    assert "Edited here since the last import" not in page.content.decode()
    apply_and_list_messages(imported, page)
    assert Occasion.objects.get(event__title="B").location == Location.objects.get(name="Hallen")


def test_after_undoing_the_twins_are_found_by_their_own_names(imported: Client) -> None:
    before = read_names()
    for edit in reversed(merge_all()):
        undo(imported, edit)
    page = show_preview(imported, SHEET)
    assert remarks_on(page) == []
    assert apply_and_list_messages(imported, page) == NOTHING
    assert read_names() == before
    # What is deleted by hand afterwards is not merged.
    assert load_merged() == {}


def test_who_has_the_name_by_hand_wins(imported):
    merge_all()
    own = Organizer.objects.create(name="Klubben AB")
    new = "D;Parken;Torget;Gatan 1;Salen;Konsert;Klubben AB;2026-09-13;19;20"
    apply_and_list_messages(imported, show_preview(imported, build_sheet(*ROWS, new, headings=HEADINGS)))
    assert Event.objects.get(title="D").organizer == own
    assert Occasion.objects.count() == 3
