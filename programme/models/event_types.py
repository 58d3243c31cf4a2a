"""The types of an event, as columns: history, conflicts, undo, merges and imports know these as any other."""

from collections.abc import Iterable
from functools import reduce
from itertools import zip_longest
from operator import or_
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

# As many in all as the fullest programme known has of one event. The first one is `type`.
FURTHER_TYPES = ("type_2", "type_3", "type_4", "type_5", "type_6")
TYPES = ("type", *FURTHER_TYPES)


def _further(number: int) -> Any:
    return models.ForeignKey(
        "programme.EventType",
        models.PROTECT,
        null=True,
        blank=True,
        related_name=f"events_{number}",
        verbose_name=format_lazy("{} {}", _("type"), str(number)),
    )


class HasFurtherTypes(models.Model):
    """In order, after the first; what is there twice, and gaps, do not count."""

    type_2 = _further(2)
    type_3 = _further(3)
    type_4 = _further(4)
    type_5 = _further(5)
    type_6 = _further(6)

    class Meta:
        abstract = True

    @property
    def types(self) -> list[Any]:
        return [row for row in spread_types(getattr(self, name, None) for name in TYPES).values() if row]

    @types.setter
    def types(self, types: Iterable[Any]) -> None:
        for name, row in spread_types(types).items():
            setattr(self, name, row)


def spread_types(types: Iterable[Any]) -> dict[str, Any]:
    """Return the columns of an event with these types, each once, as far as there is room for them."""
    found: list[Any] = []
    # New rows have no hash.
    for row in types:
        found += [row] if row and row not in found else []
    return dict(zip_longest(TYPES, found[: len(TYPES)]))


def has_type(keys: Iterable[Any], prefix: str = "") -> Q:
    """Return the condition that an event, to which the prefix leads, has any of these types."""
    return reduce(or_, (Q(**{f"{prefix}{name}__in": keys}) for name in TYPES))
