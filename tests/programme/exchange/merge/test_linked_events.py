"""Importing Linked Events with the command: what they make of the programme, and the same again."""

import json

import pytest

from programme.models import Event, EventType, Location, Occasion, Organizer
from tests.programme.exchange.merge.test_schedule import counts, revision, run, stored  # noqa: F401 - a fixture
from tests.programme.exchange.readers.test_linked_events import JAZZ, MUSIC, PARK, event, page

pytestmark = pytest.mark.django_db

FILE = json.dumps([page(JAZZ, event("tea", name={"en": "Tea"}, description=None)), PARK, MUSIC])


def test_events_with_their_texts_in_both_languages(run):  # noqa: F811
    run(FILE, "--area", "Parken")
    assert list(
        Event.objects.order_by("id").values_list(
            "source", "source_id", "title", "area__name", "location__name", "price"
        )
    ) == [
        ("fest", "fest:jazz", "Jazz i parken", "Parken", "Parken", "5–15 €"),
        ("fest", "fest:tea", "Tea", "Parken", "Parken", "5–15 €"),
    ]
    jazz = Event.objects.get(title="Jazz i parken")
    assert (jazz.intro_sv, jazz.intro_en, jazz.description_en) == (
        "Fyra timmar.",
        "Four hours.",
        "With coffee.",
    )
    assert (jazz.ticket_url, jazz.image_caption) == ("https://tickets.example/jazz", "En saxofon. Foto: Bo")
    assert stored(Location, "name", "address") == [("Parken", "Parkvägen 1, Helsingfors")]
    assert stored(Organizer, "name") == [("Parkbolaget",)]
    assert stored(EventType, "name_sv") == [("musik",)]
    assert [each.source_id for each in Occasion.objects.order_by("id")] == ["fest:jazz", "fest:tea"]


def test_the_same_file_again_changes_nothing(run):  # noqa: F811
    run(FILE, "--area", "Parken")
    before = revision()
    told = counts(run(FILE, "--area", "Parken"))
    assert revision() == before
    assert (told["events"], told["occasions"]) == ([0, 0, 2, 0], [0, 0, 2, 0])
