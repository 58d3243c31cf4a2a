"""How instants are parsed."""

from datetime import UTC, datetime

import pytest

from programme.publishing.struct_columns import parse_instant


@pytest.mark.parametrize(
    "text",
    ["2026-07-29 12:00:00.000001", "2026-07-29 12:00:00.000001+00:00", "2026-07-29 14:00:00.000001+02"],
)
def test_instants_are_in_utc_however_a_database_writes_them(text: str) -> None:
    assert parse_instant(text) == datetime(2026, 7, 29, 12, 0, 0, 1, tzinfo=UTC)
    assert parse_instant(text).tzinfo is UTC
