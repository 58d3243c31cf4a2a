"""Each model declares what the database does when its rows are written."""

from collections import defaultdict
from typing import Any

from django.apps import apps
from django.db.models import ForeignKey

from programme.models import Day, Event, ListItem, News, Picture, TriggerRules, Version, models_with_history
from programme.triggers.revision import published_tables
from tests.programme.triggers.writing import NEW_ROWS

MODELS: list[Any] = [
    model
    for model in apps.get_app_config("programme").get_models(include_auto_created=True)
    if not issubclass(model, Version)
]


def test_every_model_but_those_of_versions_declares_its_rules() -> None:
    lacking = [each for each in MODELS if not isinstance(getattr(each, "trigger_rules", None), TriggerRules)]
    assert lacking == []


def test_the_tests_can_make_each_row_that_readers_see() -> None:
    assert set(NEW_ROWS) == {model for model in MODELS if model.trigger_rules.is_published}
    # Rows of days never change, and news that has appeared does not; sizes of images are made again.
    assert set(models_with_history()) == set(NEW_ROWS) - {Day, News, Picture}
    assert published_tables() == sorted(model._meta.db_table for model in NEW_ROWS)


def list_relations(model: Any) -> list[Any]:
    return [field for field in model._meta.local_fields if isinstance(field, ForeignKey)]


def test_rows_that_events_and_what_belongs_to_them_name_touch_these_events() -> None:
    lookups: dict[Any, set[str]] = defaultdict(set)
    for relation in list_relations(Event):
        lookups[relation.related_model].add(relation.name)
    # A list leaves what is on it as it is.
    parts = [model for model in MODELS if model.trigger_rules.is_published and model is not ListItem]
    for part, parent in [(model, each) for model in parts for each in list_relations(model)]:
        if parent.related_model is Event:
            lookups[part].add(parent.related_query_name())
            for relation in set(list_relations(part)) - {parent}:
                lookups[relation.related_model].add(f"{parent.related_query_name()}__{relation.name}")
    assert len(lookups) > 8
    for model, names in lookups.items():
        assert names <= {*model.trigger_rules.touches}, model
