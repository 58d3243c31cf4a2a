"""Which columns the fields of a struct are read from, and how instants are parsed."""

from datetime import UTC, datetime

import pytest

from feeds import vocabulary
from feeds.vocabulary import Text
from programme import models
from programme.publishing.struct_columns import StructColumns, parse_instant


def test_fields_of_an_occasion_are_derived_without_those_of_related_rows() -> None:
    columns = StructColumns(vocabulary.Occasion, models.Occasion)
    assert columns.plain == ["cancelled", "change_info"]
    assert columns.texts == []
    assert columns.instants == ["start", "end", "changed_at", "previous_start"]


@pytest.mark.django_db
def test_a_row_gives_the_values_of_its_fields(sample: None) -> None:
    columns = StructColumns(vocabulary.Organizer, models.Organizer)
    ((values, further),) = columns.read(models.Organizer.objects.filter(name="Föreningen Jazz"), "name_key")
    assert further == ("föreningen jazz",)
    assert values == {
        "id": 3001,
        "name": "Föreningen Jazz",
        "external_url": "https://jazz.example/",
        "offer_count": 3,
        "info": Text("Jazz sedan 1957.", "Jazz since 1957."),
    }


@pytest.mark.parametrize(
    "text",
    ["2026-07-29 12:00:00.000001", "2026-07-29 12:00:00.000001+00:00", "2026-07-29 14:00:00.000001+02"],
)
def test_instants_are_in_utc_however_a_database_writes_them(text: str) -> None:
    assert parse_instant(text) == datetime(2026, 7, 29, 12, 0, 0, 1, tzinfo=UTC)
    assert parse_instant(text).tzinfo is UTC
