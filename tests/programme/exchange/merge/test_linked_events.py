"""Importing Linked Events with the command: the events they become, and repeated imports."""

import json

import pytest

from programme.models import Event, EventType, Location, Occasion, Organizer
from tests.programme.exchange.imports import values_of
from tests.programme.exchange.readers.linked_events import JAZZ, MUSIC, PARK, event, page

pytestmark = pytest.mark.django_db

FILE = json.dumps([page(JAZZ, event("tea", name={"en": "Tea"}, description=None)), PARK, MUSIC])


def test_events_with_their_texts_in_both_languages(run):
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
    assert values_of(Location, "name", "address") == [("Parken", "Parkvägen 1, Helsingfors")]
    assert values_of(Organizer, "name") == [("Parkbolaget",)]
    assert values_of(EventType, "name_sv") == [("musik",)]
    assert [each.source_id for each in Occasion.objects.order_by("id")] == ["fest:jazz", "fest:tea"]
