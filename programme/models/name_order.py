"""The order of names (`feeds.names.order_name`) in queries: `order_by("name__in_order")`."""

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.models import CharField, Transform
from django.dispatch import receiver

from feeds.names import END_OF_KEY, ORDERED_ACCENTS, ORDERED_LETTERS, ORDERED_SIGNS, order_name


@CharField.register_lookup
class InOrder(Transform):
    """The sort key of names in Swedish dictionary order; on SQLite a function of the connection."""

    lookup_name = "in_order"
    function = "name_order"

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # noqa: ARG002 - Django's hook
        name, params = compiler.compile(self.lhs)
        key = f"lower(normalize({name}, NFKD))"
        for pattern, other in ORDERED_SIGNS:
            key = f"regexp_replace({key}, '{pattern}', '{other}', 'g')"
        for letter, other in ORDERED_LETTERS["sv"].items():
            key = f"replace({key}, '{letter}', '{other}')"
        pattern, other = ORDERED_ACCENTS
        key = f"regexp_replace({key}, '{pattern}', '{other}', 'g')"
        return f"""({key} || '{END_OF_KEY}' || {name}) COLLATE "C\"""", [*params, *params]


@receiver(connection_created)
def _define(connection: BaseDatabaseWrapper, **signal: Any) -> None:  # noqa: ARG001 - a receiver
    """Define the function on SQLite; PostgreSQL has an expression instead."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(
            "name_order", 1, lambda name: name and order_name(name), deterministic=True
        )
