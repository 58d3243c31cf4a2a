"""JSON Schemas of the tables."""

from collections.abc import Iterator

import pytest

from feeds import interface
from programme.api.openapi import schemas
from programme.api.openapi.schemas import DESCRIPTIONS


@pytest.fixture
def _no_cached_schemas() -> Iterator[None]:
    schemas._described.cache_clear()
    yield
    schemas._described.cache_clear()


@pytest.mark.usefixtures("_no_cached_schemas")
def test_a_field_without_a_description_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(DESCRIPTIONS, "imageCaption")
    with pytest.raises(LookupError, match=r"descriptions.json does not describe imageCaption of Event\.$"):
        schemas.build_schemas(interface.Event)
