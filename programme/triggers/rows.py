"""Row triggers, which carry out the rules that models declare."""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db.models import Model

from programme.models import Event, TriggerRules, Version
from programme.triggers.dialects import DIALECTS, Dialect, Trigger
from programme.triggers.history import history_triggers


def models_with_rules() -> dict[type[Model], TriggerRules]:
    """Return the rules of each model, in the order of table names, without models of versions."""
    models: list[Any] = [*apps.get_app_config("programme").get_models()]
    return {
        model: model.trigger_rules
        for model in sorted(models, key=lambda model: model._meta.db_table)
        if not issubclass(model, Version)
    }


def build_row_triggers(vendor: str) -> list[Trigger]:
    dialect, models = DIALECTS[vendor], models_with_rules()
    tables = {model.__name__: model._meta.db_table for model in models}
    triggers = [
        trigger
        for model, rules in models.items()
        for trigger in (
            *_touch(model, rules, dialect),
            *_set(model, rules, dialect, tables),
            *_distinct(model, rules, dialect),
        )
    ]
    return [*triggers, *history_triggers(dialect)]


def _visible_columns(model: type[Model], rules: TriggerRules) -> tuple[str, ...]:
    hidden = rules.hidden | rules.sets.keys()
    columns = [field.column for field in model._meta.local_concrete_fields]
    return tuple(f'"{column}"' for column in columns if column not in hidden)


def _touch(model: type[Model], rules: TriggerRules, dialect: Dialect) -> Iterator[Trigger]:
    """Update the `last_modified` of the events that refer to a row."""
    if not rules.touches:
        return
    rows = {"UPDATE": ["OLD", "NEW"]}
    relations = [Event._meta.get_field(lookup) for lookup in rules.touches if "__" not in lookup]
    if any(relation.auto_created for relation in relations):
        # A row cannot be deleted while an event refers to it itself, unless the event is updated.
        rows |= {"INSERT": ["NEW"], "DELETE": ["OLD"]}
    for operation, names in rows.items():
        bodies = [
            f"UPDATE {Event._meta.db_table}"
            f" SET last_modified = {dialect.later}(last_modified, {dialect.now})"
            f" WHERE {' OR '.join(_condition(Event, lookup.split('__'), row) for lookup in rules.touches)}"
            for row in names
        ]
        columns = _visible_columns(model, rules) if operation == "UPDATE" else ()
        body = "; ".join(dict.fromkeys(bodies))
        yield Trigger(f"touch_{operation.lower()}", model._meta.db_table, operation, body, columns)


def _condition(model: type[Model], lookup: list[str], row: str) -> str:
    """Return the condition that a lookup leads from a row of the model to the written row."""
    relation: Any = model._meta.get_field(lookup[0])
    rest = lookup[1:]
    # By a reverse relation, rows refer to this one.
    own, selected = ("id", relation.field.column) if relation.auto_created else (relation.column, "id")
    if not rest:
        return f"{own} = {row}.{selected}"
    related = relation.related_model
    return (
        f"{own} IN (SELECT {selected} FROM {related._meta.db_table} WHERE {_condition(related, rest, row)})"
    )


def _set(
    model: type[Model], rules: TriggerRules, dialect: Dialect, tables: dict[str, str]
) -> Iterator[Trigger]:
    """Set columns and execute the model's statements after a row is written or deleted."""
    table, names = model._meta.db_table, dialect._asdict() | tables
    values = ", ".join(f"{column} = {value}" for column, value in rules.sets.items())
    own = (f"UPDATE {table} SET {values} WHERE id = NEW.id",) if values else ()
    if statements := "; ".join((*own, *rules.after_write)):
        visible = _visible_columns(model, rules)
        for operation, before, columns in (("INSERT", "NEW", ()), ("UPDATE", "OLD", visible)):
            body = statements.format(before=before, **names)
            yield Trigger(f"set_{operation.lower()}", table, operation, body, columns)
    if rules.after_delete:
        yield Trigger("after_delete", table, "DELETE", "; ".join(rules.after_delete).format(**names))


def _distinct(model: type[Model], rules: TriggerRules, dialect: Dialect) -> Iterator[Trigger]:
    """Refuse a name that is another row's full name; unique constraints cover each column by itself."""
    if rules.distinct is None:
        return
    table, (one, other) = model._meta.db_table, rules.distinct
    within = f" AND {rules.distinct_within} = NEW.{rules.distinct_within}" if rules.distinct_within else ""
    condition = (
        f"EXISTS (SELECT 1 FROM {table} WHERE id <> NEW.id{within}"
        f" AND ({one} = NEW.{other} OR {other} = NEW.{one}))"
    )
    body = dialect.refuse_name.format(name=f"{table}.{one}_or_{other}", condition=condition)
    for operation in ("INSERT", "UPDATE"):
        yield Trigger(f"distinct_{operation.lower()}", table, operation, body)
