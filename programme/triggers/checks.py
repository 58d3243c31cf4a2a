"""System checks: each model declares what the database does when its rows are written."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.core.exceptions import FieldDoesNotExist
from django.db.models import ForeignKey, Model

from programme.models import Event, TriggerRules, Version

_HINT = "See programme/models/trigger_rules.py."


def check_trigger_rules(app_configs: Any, **options: Any) -> list[CheckMessage]:  # noqa: ARG001 - a check
    models = apps.get_app_config("programme").get_models(include_auto_created=True)
    return list(find_errors([model for model in models if not issubclass(model, Version)]))


def find_errors(models: Iterable[type[Model]]) -> Iterator[CheckMessage]:
    published = {}
    for model in models:
        rules = getattr(model, "trigger_rules", None)
        if isinstance(rules, TriggerRules):
            yield from _check_lookups(model, rules)
        elif model._meta.auto_created:
            rules = TriggerRules()
        else:
            message = f"{model.__name__} does not declare what the database does when its rows are written."
            hint = f"Give it `trigger_rules`: UNPUBLISHED if readers never see its rows. {_HINT}"
            yield Error(message, hint, obj=model, id="programme.E001")
            continue
        if rules.is_published:
            published[model] = rules
    for model, rules in published.items():
        for lookup in sorted({*_lookups_to(model, published)} - {*rules.touches}):
            message = (
                f"Events are joined with {model.__name__} by {lookup!r}, but its rows do not touch them."
            )
            own = "Name a model of its own with `through`, and add" if model._meta.auto_created else "Add"
            hint = f"{own} {lookup!r} to `touches` in its `trigger_rules`. {_HINT}"
            yield Error(message, hint, obj=model, id="programme.E003")


def _check_lookups(model: type[Model], rules: TriggerRules) -> Iterator[CheckMessage]:
    for lookup in rules.touches:
        found: Any = Event
        try:
            for step in lookup.split("__"):
                found = found._meta.get_field(step).related_model
        except (FieldDoesNotExist, AttributeError):
            found = None
        if found is not model:
            message = f"{lookup!r} does not lead from an event to a row of {model.__name__}."
            yield Error(message, f"Correct `touches`. {_HINT}", obj=model, id="programme.E002")


def _lookups_to(model: type[Model], published: Iterable[type[Model]]) -> Iterator[str]:
    """Yield how events, and the rows that name events, name the rows of a model."""
    if model is Event:
        return
    yield from (field.name for field in _foreign_keys(Event) if field.related_model is model)
    for child in published:
        for parent in _foreign_keys(child):
            if parent.related_model is Event:
                lookup = parent.related_query_name()
                if child is model:
                    yield lookup
                yield from (
                    f"{lookup}__{field.name}"
                    for field in _foreign_keys(child)
                    if field.related_model is model
                )


def _foreign_keys(model: type[Model]) -> Iterator[ForeignKey[Any, Any]]:
    return (field for field in model._meta.local_fields if isinstance(field, ForeignKey))
