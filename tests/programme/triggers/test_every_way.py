"""Every way to edit a row that readers see moves the revision, is logged, and is recorded in the history."""

from pathlib import Path
from typing import Any

import pytest

from programme.models import ChangedEvent, Event, News, Occasion, Organizer, Revision, models_with_history
from programme.models.trigger_rules import SHARED
from tests.programme.triggers.writing import NEW_ROWS, iterate_ways_to_edit

# The versions that each way writes: what is written over as it was is no new one.
VERSIONS = {
    "save a new row": "+",
    "save a row": "",
    "update": "",
    "bulk_update": "",
    "SQL: UPDATE": "",
    "loaddata over a row": "",
    "delete a row": "-",
    "loaddata of a new row": "+",
    "delete a selection": "-",
    "bulk_create": "+",
    "delete without looking": "-",
    "get_or_create": "+",
    "update_or_create": "",
    "SQL: DELETE": "-",
}


def find_number() -> int:
    return Revision.objects.values_list("number", flat=True).first() or 0


def list_logged_as(model: Any) -> set[int]:
    """Return what the log has to name when all rows of a model are edited."""
    if model in {Event, News, Occasion}:
        return set(model.objects.values_list("id" if model is Event else "event_id", flat=True))
    # The events that name an organizer are logged themselves.
    return set() if model is Organizer else {SHARED}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("model", NEW_ROWS, ids=lambda model: model.__name__)
def test_every_way_to_edit_moves_the_revision_is_logged_and_recorded(model: Any, tmp_path: Path) -> None:
    has_history, versions = model in models_with_history(), {}
    for way, edit in iterate_ways_to_edit(model, NEW_ROWS[model], tmp_path / "row.json"):
        before, expected = find_number(), list_logged_as(model)
        known = list(model.history.values_list("history_id", flat=True)) if has_history else []
        edit()
        assert find_number() > before, way
        logged = ChangedEvent.objects.filter(revision__gt=before).values_list("event_id", flat=True)
        assert set(logged) == expected | list_logged_as(model), way
        new = model.history.exclude(history_id__in=known).order_by("history_id") if has_history else None
        versions[way] = "".join(each.history_type for each in new) if has_history else VERSIONS[way]
    assert versions == VERSIONS
