"""Merging in the back office: shown first, written as one edit of which readers hear nothing, and undone."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from programme.models import (
    Edit,
    Event,
    EventType,
    ImportedRow,
    Location,
    News,
    Occasion,
    Organizer,
    Room,
    models_with_history,
)
from tests.conftest import NOW
from tests.programme.backoffice.changes.pages import list_changes, undo
from tests.programme.backoffice.merging.pages import merge, read_options, show
from tests.programme.backoffice.requests import list_messages, parse, words
from tests.programmes import ASA, FORENINGEN, JAZZ, NIGHT

pytestmark = pytest.mark.usefixtures("at", "sample")

BIBLIOTEKET, NATET, MAGASINET = 5001, 5002, 5003
SAL_2, KALLAREN, OVRE = 6001, 6002, 6003
PAIRS = {
    "location": (BIBLIOTEKET, MAGASINET),
    "room": (SAL_2, KALLAREN),
    "organizer": (FORENINGEN, ASA),
    "eventtype": (4001, 4002),
}
MODELS = {"location": Location, "room": Room, "organizer": Organizer, "eventtype": EventType}
MOVING = {"last_modified", "saved_at"}


def read_state() -> dict[Any, dict[str, Any]]:
    return {
        (model, row["id"]): {name: value for name, value in row.items() if name not in MOVING}
        for model in models_with_history()
        for row in model.objects.values()
    }


def compare(before: dict[Any, Any], after: dict[Any, Any]) -> dict[Any, Any]:
    """Return the rows that differ, by model and key: what they were and are."""
    keys = before.keys() | after.keys()
    return {key: (before.get(key), after.get(key)) for key in keys if before.get(key) != after.get(key)}


def read_places() -> list[Any]:
    return list(
        Occasion.objects.with_venue().order_by("pk").values_list("pk", "venue_location", "venue_room")
    )


def test_the_page_shows_what_happens_and_writes_nothing(office: Client) -> None:
    Location.objects.filter(pk=MAGASINET).update(accessibility_sv="Trappor", public_transport_station="")
    before = read_state()
    page = show(office, "location", [BIBLIOTEKET, MAGASINET])
    assert read_options(page) == {
        "Which one stays?": [
            "*3 events Biblioteket, Storgatan 1, Åsunda",
            "3 events Magasinet; kaj 3, port B, Kajen 3",
        ],
        "Address": ["*Its own Storgatan 1, Åsunda", "Of Magasinet; kaj 3, port B, Kajen 3 Kajen 3"],
        "Accessibility in Swedish": [
            "*Its own Ramp till vänster",
            "Of Magasinet; kaj 3, port B, Kajen 3 Trappor",
        ],
    }
    said = words(parse(page).select_one("[aria-labelledby=what-happens]"))
    assert said == (
        "This is what happens Magasinet; kaj 3, port B → Biblioteket. 3 events follow (occasions: 7)."
        f" Readers are not told that anything has moved. {Event.objects.get(pk=JAZZ).title}"
        f" När klockan ställs om {Event.objects.get(pk=NIGHT).title}"
    )
    assert read_state() == before


@pytest.mark.parametrize("kind", PAIRS)
def test_each_kind_is_merged_and_undone_and_done_again(office: Client, kind: str) -> None:
    # What is marked as changed was not moved by this, and says nothing of it.
    Event.objects.update(changed_at=NOW - dt.timedelta(hours=1))
    kept, other = PAIRS[kind]
    before, places, said = read_state(), read_places(), str(MODELS[kind].objects.get(pk=other))
    page = merge(office, kind, [kept, other], kept=kept)
    assert page.redirect_chain[0][0] == f"/admin/programme/{kind}/"
    [message] = list_messages(page)
    assert message.startswith("Merged into ")
    edit = Edit.objects.latest("pk")
    assert (edit.reason, edit.detail.split(" → ")[0] in said) == ("merged:", True)
    assert list_changes(office)[0].startswith("Merged: ")
    assert not MODELS[kind].objects.filter(pk=other).exists()
    assert {row.values["into"] for row in ImportedRow.objects.filter(row_id=other)} == {kept}
    merged = read_state()
    assert {row["previous_place"] for (model, _key), row in merged.items() if model is Occasion} == {""}
    stale = [
        (key, row)
        for key, row in merged.items()
        for name in (f"{kind}_id", f"{kind[5:]}_id")
        if row.get(name) == other
    ]
    assert stale == []
    assert News.objects.count() == 0
    undo(office, edit)
    assert (compare(before, read_state()), read_places()) == ({}, places)
    undo(office, Edit.objects.latest("pk"))
    assert compare(merged, read_state()) == {}
    assert News.objects.count() == 0


def test_coordinates_are_taken_together(office: Client) -> None:
    Location.objects.filter(pk=BIBLIOTEKET).update(latitude="57.7", longitude="11.9")
    Location.objects.filter(pk=MAGASINET).update(latitude="59.3", longitude="18.1")
    merge(
        *(office, "location", [BIBLIOTEKET, MAGASINET]),
        **{"kept": BIBLIOTEKET, f"location-{BIBLIOTEKET}-latitude": MAGASINET},
    )
    row = Location.objects.get(pk=BIBLIOTEKET)
    assert (str(row.latitude), str(row.longitude)) == ("59.300000", "18.100000")
