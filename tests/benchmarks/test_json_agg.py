"""The query that the benchmark compares with builds the very array that readers get."""

from typing import Any

import msgspec
import pytest
from django.conf import settings
from django.db import connection

from benchmarks import json_agg
from benchmarks.programme import fill
from feeds.formats.json import JsonFormat
from feeds.listing import Listing
from feeds.selection import Selection
from feeds.snapshot import Snapshot
from feeds.vocabulary import Text
from programme.models import Occasion
from programme.publishing import loading
from tests.conftest import NOW
from tests.programmes import mark_changed, utc

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="json_agg is PostgreSQL's"),
]


def ours(selection: Selection) -> Any:
    snapshot = Snapshot(loading.load(), NOW)
    return msgspec.json.decode(JsonFormat().write_events(Listing(snapshot, selection)))


def theirs(selection: Selection) -> Any:
    """Return what PostgreSQL builds; its session's time zone is the festival's from then on."""
    media = f"{settings.BASE_URL}{settings.MEDIA_URL}"
    with connection.connection.cursor() as cursor:
        json_agg.prepare(cursor, loading.build_site())
        return msgspec.json.decode(json_agg.fetch(cursor, loading.build_site(), NOW, media, selection.areas))


def test_json_agg_builds_our_array_of_a_generated_programme() -> None:
    fill(20)
    expected = ours(Selection())
    assert len(expected) == 36
    assert theirs(Selection()) == expected


def test_json_agg_builds_our_array_of_every_hard_case(sample: None) -> None:
    # Once more, before that, and for the first time.
    for key, told_at in {8001: NOW, 8002: utc(2026, 7, 27), 8015: utc(2026, 7, 27)}.items():
        mark_changed(Occasion.objects.filter(id=key), Text(f"Ny sal {key}"), told_at)
    expected = ours(Selection())
    assert {each["changeInfo"] for each in expected} > {"Ny sal 8001", "Ny sal 8015"}
    assert theirs(Selection()) == expected
